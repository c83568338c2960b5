//! Lists: a title, entries with pictures and prices, and what the chosen entry means.

use core::fmt::Write;

use barrow_core::minions::{Action, BoardAction};
use heapless::String;

use super::strip::{self, Strip};
use super::{Spot, Surface, WIDTH};
use crate::art::{font, palette, sprites};
use crate::items::{Item, Items};
use crate::screen::GameScreen;
use crate::ui::{Act, Page};
use crate::wording;

/// Entries that are shown at once.
const ROWS: usize = 9;
const TOP: usize = 12;
const ROW: usize = 12;
/// Width at the right edge in which a touch means the mark of more entries.
const MARK: usize = 24;
/// Row at which the explanation begins.
const BELOW: usize = 124;

/// Draws a page that is a list.
pub fn draw(screen: &GameScreen, surface: &mut impl Surface) {
    let items = screen.items();
    let choice = screen.ui.choice().min(items.len().saturating_sub(1));
    draw_title(screen, surface);
    let first = first_shown(choice, items.len());
    for row in 0..ROWS {
        let mut strip = Strip::new(ROW, WIDTH, palette::NIGHT);
        if let Some(item) = items.get(first + row) {
            if first + row == choice {
                strip.clear(palette::CHOSEN);
            }
            draw_item(screen, item, &mut strip);
        }
        draw_scroll_mark(&mut strip, (row, first, items.len()));
        strip.draw(0, TOP + row * ROW, surface);
    }
    draw_below(screen, &items, choice, surface);
}

fn first_shown(choice: usize, count: usize) -> usize {
    choice.saturating_sub(ROWS / 2).min(count.saturating_sub(ROWS))
}

/// Target of a touch: an entry, or the mark that there are more.
pub(super) fn spot_at(screen: &GameScreen, x: usize, y: usize) -> Option<Spot> {
    let count = screen.items().len();
    let choice = screen.ui.choice().min(count.saturating_sub(1));
    let row = y.checked_sub(TOP)? / ROW;
    let first = first_shown(choice, count);
    match scroll_mark(row, first, count) {
        Some(forward) if x >= WIDTH - MARK => Some(Spot::Scroll(forward)),
        _ => (row < ROWS && first + row < count).then_some(Spot::Entry(first + row)),
    }
}

/// Whether a row has the mark that more entries follow (true) or come before (false).
fn scroll_mark(row: usize, first: usize, count: usize) -> Option<bool> {
    if row == 0 && first > 0 {
        Some(false)
    } else {
        (row + 1 == ROWS && first + ROWS < count).then_some(true)
    }
}

fn draw_scroll_mark(strip: &mut Strip, (row, first, count): (usize, usize, usize)) {
    if let Some(forward) = scroll_mark(row, first, count) {
        strip.at(WIDTH - 8, 2).ink(palette::DIM).text(if forward { "v" } else { "^" });
    }
}

fn draw_title(screen: &GameScreen, surface: &mut impl Surface) {
    let game = screen.table.shown();
    let mut strip = Strip::new(strip::HEIGHT, WIDTH, palette::PANEL);
    strip.at(2, 1).ink(palette::TEXT).text(wording::title(screen.ui.page));
    let mut right: String<40> = String::new();
    match screen.ui.page {
        Page::Buy => {
            let souls = game.state().souls(screen.ui.person);
            let _ = write!(right, "board {}, {souls} souls", screen.ui.board + 1);
        }
        Page::Cards => {
            let mana = game.view(usize::from(screen.ui.board)).map_or(0, |view| view.board.mana());
            let _ = write!(right, "board {}, mana {mana}", screen.ui.board + 1);
        }
        Page::Place | Page::Keep => {
            let _ = write!(right, "board {}", screen.ui.board + 1);
        }
        Page::Here => {
            let _ = write!(right, "{}", screen.ui.hex);
        }
        Page::Hint if screen.is_waited_for() => {
            let _ = right.push_str("the engine thinks");
        }
        _ => {}
    }
    strip.at(0, 1).ink(palette::DIM).text_to(WIDTH - 2, &right);
    strip.draw(0, 0, surface);
}

fn draw_item(screen: &GameScreen, item: &Item, strip: &mut Strip) {
    let person = screen.ui.person;
    let mut x = 6;
    if let Some(unit) = wording::unit_of(&item.act) {
        let spent = item.refused.is_some();
        strip.picture((x, 0), sprites::of_unit(unit), |tone| palette::of_side(person, spent, tone));
        x += 16;
    }
    let reads_only =
        matches!(item.act, Act::Enter(_)) && matches!(screen.ui.page, Page::Hint | Page::LastTurn);
    let ink = if item.refused.is_some() || reads_only { palette::DIM } else { palette::TEXT };
    strip.at(x, 2).ink(ink);
    let _ = wording::label(strip, screen, &item.act);
    if let Act::Enter(Action::Board(board, BoardAction::Buy { unit })) = item.act
        && !reads_only
    {
        let game = screen.table.shown();
        let figures = game.config().rules.unit(unit);
        let waiting = game.view(usize::from(board)).map_or(0, |view| view.board.reserve(view.side, unit));
        let mut right: String<40> = String::new();
        if waiting > 0 {
            let _ = write!(right, "{waiting} waiting   ");
        }
        let _ = write!(right, "{} souls", figures.cost);
        strip.text_to(WIDTH - 12, &right);
    }
}

/// Lines below a list: the meaning of the chosen entry, or why it is not possible.
fn draw_below(screen: &GameScreen, items: &Items, choice: usize, surface: &mut impl Surface) {
    let game = screen.table.shown();
    let mut text: String<200> = String::new();
    let mut colour = palette::TEXT;
    match items.get(choice) {
        None => {
            let _ = text.push_str(match screen.ui.page {
                Page::Hint => "The engine looks for a good turn.",
                Page::LastTurn => "Nothing has been played yet.",
                Page::Place => "Nobody waits on this board. Buy units first.",
                Page::Cards => "This board has no cards, and the row has none to give.",
                _ => "Nothing is possible here now.",
            });
        }
        Some(item) => {
            if let Some(reason) = item.refused {
                colour = palette::RED;
                let _ = write!(text, "Not possible: {}. ", reason.text());
            } else if screen.ui.refused && screen.ui.page != Page::EndTurn {
                colour = palette::RED;
                let _ = text.push_str(&screen.ui.message);
            }
            if let Some(unit) = wording::unit_of(&item.act) {
                let _ = wording::figures(&mut text, game.config().rules.unit(unit));
                for keyword in wording::keywords(game.config().rules.unit(unit)).take(3) {
                    let _ = write!(text, "; {}", keyword.split(':').next().unwrap_or(keyword));
                }
            } else if let Some(spell) = wording::spell_of(&item.act, game) {
                let _ = write!(text, "{}.", wording::spell_effect(spell));
                if spell.mana_on_play() != 0 {
                    let _ = write!(text, " Mana {:+}.", spell.mana_on_play());
                }
            } else if screen.ui.page == Page::EndTurn {
                text = screen.rest_of_turn();
            }
        }
    }
    let mut rest = text.as_str();
    for row in 0..3 {
        let (now, next) = font::wrapped(rest, WIDTH - 8);
        strip::line(surface, (4, BELOW + row * 9), WIDTH - 4, colour, now);
        rest = next;
    }
    strip::line(surface, (4, 151), WIDTH - 4, palette::DIM, keys(screen.ui.page));
}

fn keys(page: Page) -> &'static str {
    match page {
        Page::Buy => "A buy   B back   SELECT card   L R board",
        Page::Place | Page::Keep => "A choose   B back   SELECT card   L R board",
        Page::Cards => "A choose   B back   L R board",
        Page::LastTurn => "B back",
        _ => "A choose   B back",
    }
}
