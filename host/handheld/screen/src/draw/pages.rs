//! Pages without a game: title, rules, settings of a new game, card of a unit, result.

use core::fmt::Write;

use barrow_core::minions::{Side, Tech, UnitLabel};
use heapless::String;

use super::strip::{self, Strip, banner, line, paragraph};
use super::{Surface, WIDTH};
use crate::art::{palette, sprites};
use crate::screen::GameScreen;
use crate::ui::{MAX_BOARDS, SETTING_ROWS};
use crate::wording;

const ENTRIES: usize = 92;
const ENTRY: usize = 13;

/// Draws the title.
pub fn draw_title(screen: &GameScreen, surface: &mut impl Surface) {
    banner(surface, (58, 16), 5, palette::YELLOW, "Barrow");
    line(surface, (70, 58), 120, palette::TEXT, "a game of Minions");
    let heroes = [
        UnitLabel::Zombie,
        UnitLabel::Skeleton,
        UnitLabel::Warg,
        UnitLabel::Ghost,
        UnitLabel::Necromancer,
        UnitLabel::Witch,
        UnitLabel::Vampire,
        UnitLabel::Harpy,
        UnitLabel::Shadowlord,
    ];
    let mut strip = Strip::new(12, WIDTH, palette::NIGHT);
    for (place, unit) in heroes.into_iter().enumerate() {
        let side = if place < 5 { Side::Yellow } else { Side::Blue };
        strip.picture((30 + place * 21, 0), sprites::of_unit(unit), |tone| {
            palette::of_side(side, false, tone)
        });
    }
    strip.draw(0, 73, surface);
    let items = screen.items();
    let choice = screen.ui.choice().min(items.len().saturating_sub(1));
    for row in 0..3 {
        let item = items.get(row);
        let ground = if item.is_some() && row == choice { palette::CHOSEN } else { palette::NIGHT };
        let mut strip = Strip::new(12, 140, ground);
        if let Some(item) = item {
            strip.at(8, 2).ink(palette::TEXT);
            let _ = wording::label(&mut strip, screen, &item.act);
        }
        strip.draw(50, ENTRIES + row * ENTRY, surface);
    }
    let colour = if screen.ui.refused { palette::RED } else { palette::DIM };
    let text = if screen.ui.refused { screen.ui.message.as_str() } else { screen.machine.name };
    line(surface, (4, 150), WIDTH - 4, colour, text);
}

/// The entry of the title at a height.
pub fn title_entry_at(screen: &GameScreen, y: usize) -> Option<usize> {
    let row = y.checked_sub(ENTRIES)? / ENTRY;
    (row < screen.items().len()).then_some(row)
}

/// Draws a page of the rules.
pub fn draw_rules(screen: &GameScreen, surface: &mut impl Surface) {
    let page = screen.ui.choice().min(wording::RULES.len() - 1);
    let text = wording::RULES.get(page).copied().unwrap_or("");
    let (head, body) = text.split_once('\n').unwrap_or(("", text));
    let mut bar = Strip::new(strip::HEIGHT, WIDTH, palette::PANEL);
    bar.at(2, 1).ink(palette::YELLOW).text(head);
    let mut number: String<16> = String::new();
    let _ = write!(number, "{}/{}", page + 1, wording::RULES.len());
    bar.at(0, 1).ink(palette::DIM).text_to(WIDTH - 2, &number);
    bar.draw(0, 0, surface);
    paragraph(surface, (6, 16), (WIDTH - 12, 14), palette::TEXT, body);
    line(surface, (4, 151), WIDTH - 4, palette::DIM, "A next   LEFT before   B back");
}

fn setting(f: &mut impl Write, screen: &GameScreen, row: usize) -> core::fmt::Result {
    let settings = &screen.ui.settings;
    match row {
        0 => f.write_str("Begin the game"),
        1 => {
            let level = screen.machine.level(settings.level);
            write!(f, "Level: {}, {}", level.name, level.about)
        }
        2 => write!(f, "You play: {}", settings.person.name()),
        3 => write!(f, "Boards: {}", settings.boards),
        4 => write!(f, "Spells: {}", if settings.spells { "yes" } else { "no" }),
        5 => write!(f, "Tech line: {}", if settings.shuffled { "shuffled" } else { "in order" }),
        _ => {
            let board = row - SETTING_ROWS;
            write!(f, "Map of board {}: {}", board + 1, settings.map(board).name())
        }
    }
}

const SETTINGS_TOP: usize = 11;
const SETTINGS_END: usize = 151;

/// Height of a setting: all of them are shown.
fn setting_height(rows: usize) -> usize {
    if rows <= (SETTINGS_END - SETTINGS_TOP) / 12 { 12 } else { 10 }
}

const _: () = assert!(SETTINGS_TOP + 10 * (SETTING_ROWS + MAX_BOARDS) <= SETTINGS_END);

/// Draws the settings of a new game.
pub fn draw_settings(screen: &GameScreen, surface: &mut impl Surface) {
    let mut bar = Strip::new(strip::HEIGHT, WIDTH, palette::PANEL);
    bar.at(2, 1).ink(palette::TEXT).text("New game");
    bar.draw(0, 0, surface);
    let rows = SETTING_ROWS + usize::from(screen.ui.settings.boards);
    let choice = screen.ui.choice().min(rows - 1);
    let height = setting_height(rows);
    let places = (SETTINGS_END - SETTINGS_TOP) / height;
    for row in 0..places {
        let chosen = row == choice;
        let mut strip = Strip::new(height, WIDTH, if chosen { palette::CHOSEN } else { palette::NIGHT });
        if row < rows {
            let person = palette::text_of(screen.ui.settings.person);
            strip.at(8, height - 10 + 1).ink(if row == 2 { person } else { palette::TEXT });
            let _ = setting(&mut strip, screen, row);
            if chosen && row > 0 {
                strip.at(WIDTH - 20, height - 10 + 1).ink(palette::DIM).text("< >");
            }
        }
        strip.draw(0, SETTINGS_TOP + row * height, surface);
    }
    // What rows of another height have left.
    let end = SETTINGS_TOP + places * height;
    Strip::new(SETTINGS_END - end, WIDTH, palette::NIGHT).draw(0, end, surface);
    line(surface, (4, 151), WIDTH - 4, palette::DIM, "LEFT RIGHT change   START begin   B back");
}

/// The setting at a height.
pub fn setting_at(screen: &GameScreen, y: usize) -> Option<usize> {
    let rows = SETTING_ROWS + usize::from(screen.ui.settings.boards);
    let row = y.checked_sub(SETTINGS_TOP)? / setting_height(rows);
    (row < rows).then_some(row)
}

/// Draws a picture three times as large.
fn draw_large(surface: &mut impl Surface, (x, y): (usize, usize), unit: UnitLabel, side: Side) {
    for (row, tones) in sprites::of_unit(unit).iter().enumerate() {
        let mut pixels = [palette::NIGHT; 3 * sprites::SIZE];
        for (column, &tone) in tones.iter().enumerate() {
            let colour = match tone {
                sprites::Tone::Nothing => palette::PANEL,
                tone => palette::of_side(side, false, tone),
            };
            pixels.iter_mut().skip(3 * column).take(3).for_each(|pixel| *pixel = colour);
        }
        (0..3).for_each(|line| surface.span(x, y + 3 * row + line, &pixels));
    }
}

/// Draws the card of a unit.
pub fn draw_card(screen: &GameScreen, surface: &mut impl Surface) {
    let label = screen.ui.unit;
    let unit = screen.table.shown().config().rules.unit(label);
    draw_large(surface, (8, 16), label, screen.ui.person);
    let mut bar = Strip::new(strip::HEIGHT, WIDTH, palette::PANEL);
    bar.at(2, 1).ink(palette::YELLOW);
    let _ = wording::name(&mut bar, label.name());
    bar.draw(0, 0, surface);
    let mut text: String<120> = String::new();
    let _ = match unit.cost {
        0 => write!(text, "not for sale"),
        cost if unit.rebate == 0 => write!(text, "{cost} souls"),
        cost => write!(text, "{cost} souls, {} of them come back", unit.rebate),
    };
    line(surface, (54, 16), 180, palette::TEXT, &text);
    text.clear();
    let _ = wording::attack(&mut text, unit);
    let _ = write!(text, ", range {}", unit.range);
    line(surface, (54, 27), 180, palette::TEXT, &text);
    text.clear();
    let _ = write!(text, "defense {}, speed {}", unit.defense, unit.speed);
    line(surface, (54, 38), 180, palette::TEXT, &text);
    let mut y = 56;
    for keyword in wording::keywords(unit) {
        line(surface, (8, y), 226, palette::GREEN, keyword);
        y += 10;
    }
    for (head, techs) in ["made to beat ", "made to lose to "].into_iter().zip(wording::rivals(label)) {
        let mut strip = Strip::new(12, WIDTH - 8, palette::NIGHT);
        strip.at(0, 2).ink(palette::DIM);
        if techs.iter().any(Option::is_some) {
            strip.text(head);
        }
        for tech in techs.into_iter().flatten() {
            let x = strip.x() + 4;
            strip.picture((x, 0), sprites::of_tech(tech), |tone| palette::of_side(Side::Blue, false, tone));
            strip.at(x + 15, 2).ink(palette::TEXT);
            if let Tech::UnitTech(unit) = tech {
                let _ = wording::name(&mut strip, unit.name());
            }
        }
        strip.draw(8, y + 4, surface);
        y += 14;
    }
    line(surface, (4, 151), WIDTH - 4, palette::DIM, "B back");
}

/// Draws the result of a game.
pub fn draw_result(screen: &GameScreen, surface: &mut impl Surface) {
    let table = &screen.table;
    let state = table.start().state();
    let (head, colour) = match table.winner() {
        Some(side) if side == screen.ui.person => ("Victory", palette::GREEN),
        Some(_) => ("Defeat", palette::RED),
        None => ("Draw", palette::TEXT),
    };
    banner(surface, (62, 20), 4, colour, head);
    let mut text: String<120> = String::new();
    if let Some(side) = table.winner() {
        let _ = write!(text, "{} wins", side.name());
    }
    if let Some(side) = table.resigned() {
        let _ = write!(text, ": {} resigned", side.name());
    }
    line(surface, (62, 66), 170, palette::TEXT, &text);
    for (row, side) in Side::ALL.into_iter().enumerate() {
        text.clear();
        let who = if side == screen.ui.person { "you" } else { screen.machine.level(screen.ui.level).name };
        let _ = write!(
            text,
            "{} ({who}): {} points, {} souls",
            side.name(),
            state.points(side),
            state.souls(side)
        );
        line(surface, (62, 82 + 12 * row), 170, palette::text_of(side), &text);
    }
    text.clear();
    let _ = write!(text, "{} turns were played", state.turn());
    line(surface, (62, 110), 170, palette::DIM, &text);
    line(surface, (4, 151), WIDTH - 4, palette::DIM, "A title   B look at the boards");
}
