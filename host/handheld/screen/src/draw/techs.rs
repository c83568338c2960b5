//! The tech line: a field for each tech with what each side has of it, and what can be bought and sold below.

use core::fmt::Write;

use barrow_core::minions::{Side, Tech, TechStatus};
use heapless::String;

use super::strip::{self, Strip};
use super::{Surface, WIDTH};
use crate::art::{font, palette, sprites};
use crate::screen::GameScreen;
use crate::wording;

/// Techs in a row.
pub const COLUMNS: usize = 5;
const CELL: usize = 48;
const ROW: usize = 20;
const ROWS: usize = 5;
const TOP: usize = 10;
/// Height of the line below the techs, and where what is sold begins in it.
const BELOW: usize = 12;
const SELL: usize = 150;

/// Draws the page.
pub fn draw(screen: &GameScreen, surface: &mut impl Surface) {
    let game = screen.table.shown();
    let line = &game.config().techline;
    let choice = screen.ui.choice();
    let side = game.side_to_move();
    let next = game.state().tech(side).first_locked(line.len()).map(usize::from);
    let mut bar = Strip::new(strip::HEIGHT, WIDTH, palette::PANEL);
    bar.at(2, 1).ink(palette::TEXT).text("Techs");
    let mut right: String<40> = String::new();
    let (points, souls) = (game.state().budget().tech_points, game.state().souls(side));
    let _ = write!(right, "tech points: {points}, souls: {souls}");
    bar.at(0, 1).ink(palette::DIM).text_to(WIDTH - 2, &right);
    bar.draw(0, 0, surface);
    for (index, &tech) in line.techs().iter().enumerate() {
        let levels = Side::ALL.map(|side| game.state().tech(side).status(index as u8));
        draw_cell(index, tech, levels, (choice == index, next == Some(index)), surface);
    }
    let price = game.config().spell_price();
    let mut below = Strip::new(BELOW, WIDTH, palette::NIGHT);
    for (entry, x) in [(line.len(), 4), (line.len() + 1, SELL)] {
        if choice == entry {
            below.fill((x - 3, 0), (if x < 100 { 140 } else { 88 }, 12), palette::CHOSEN);
        }
    }
    below.at(4, 2).ink(palette::TEXT);
    let _ = write!(below, "Buy a point and a spell: {price} souls");
    below.at(SELL, 2).text("Sell the point");
    below.draw(0, TOP + ROWS * ROW, surface);
    draw_below(screen, choice, surface);
}

/// The entry at a place of the screen: a tech, or what is bought and sold below.
pub fn entry_at(screen: &GameScreen, x: usize, y: usize) -> Option<usize> {
    let techs = screen.table.shown().config().techline.len();
    let (row, column) = (y.checked_sub(TOP)? / ROW, x / CELL);
    match row {
        0..ROWS => Some(row * COLUMNS + column).filter(|&entry| column < COLUMNS && entry < techs),
        ROWS if y < TOP + ROWS * ROW + BELOW => Some(techs + usize::from(x >= SELL - 4)),
        _ => None,
    }
}

fn draw_cell(
    index: usize,
    tech: Tech,
    levels: [TechStatus; 2],
    (chosen, next): (bool, bool),
    surface: &mut impl Surface,
) {
    let (x, y) = (index % COLUMNS * CELL, TOP + index / COLUMNS * ROW);
    let ground = if chosen { palette::CHOSEN } else { palette::PANEL };
    let owner = Side::ALL.into_iter().zip(levels).find(|&(_, status)| status == TechStatus::Acquired);
    let dull = levels.iter().all(|&status| status == TechStatus::Locked);
    let side = owner.map_or(Side::Blue, |(side, _)| side);
    let colour = |tone| match owner {
        Some(_) => palette::of_side(side, false, tone),
        None => match tone {
            sprites::Tone::Nothing | sprites::Tone::Outline => palette::OUTLINE,
            sprites::Tone::Light => {
                if dull {
                    palette::DIM
                } else {
                    palette::CURSOR
                }
            }
            _ => {
                if dull {
                    palette::CHOSEN
                } else {
                    palette::DIM
                }
            }
        },
    };
    // Two strips of the upper and the lower half.
    let mut upper = Strip::new(12, CELL - 1, ground);

    upper.picture((2, 0), sprites::of_tech(tech), colour);
    for (row, (side, status)) in Side::ALL.into_iter().zip(levels).enumerate() {
        draw_level(&mut upper, (19, 1 + 6 * row), palette::text_of(side), status);
    }
    if next {
        upper.at(28, 2).ink(palette::GREEN).text("next");
    }
    upper.draw(x, y, surface);

    let mut lower = Strip::new(8, CELL - 1, ground);
    lower.at(1, 0).ink(if chosen { palette::TEXT } else { palette::DIM });
    let mut left = CELL - 1;
    for letter in tech.name().bytes() {
        let wide = usize::from(font::letter(letter).width) + 1;
        if wide > left {
            break;
        }
        left -= wide;
        let _ = lower.write_char(char::from(letter));
    }
    lower.draw(x, y + 11, surface);
}

/// A dot for locked, a frame for unlocked, a full square for acquired.
fn draw_level(strip: &mut Strip, (x, y): (usize, usize), colour: palette::Colour, status: TechStatus) {
    match status {
        TechStatus::Locked => strip.fill((x + 2, y + 2), (1, 1), colour),
        TechStatus::Unlocked => {
            strip.fill((x, y), (5, 1), colour);
            strip.fill((x, y + 4), (5, 1), colour);
            strip.fill((x, y), (1, 5), colour);
            strip.fill((x + 4, y), (1, 5), colour);
        }
        TechStatus::Acquired => strip.fill((x, y), (5, 5), colour),
    }
}

fn draw_below(screen: &GameScreen, choice: usize, surface: &mut impl Surface) {
    let game = screen.table.shown();
    let mut text: String<200> = String::new();
    if let Some(&tech) = game.config().techline.techs().get(choice) {
        let _ = wording::name(&mut text, tech.name());
        let [yellow, blue] =
            Side::ALL.map(|side| wording::status(game.state().tech(side).status(choice as u8)));
        let _ = write!(text, ": Yellow {yellow}, Blue {blue}. ");
        match tech {
            Tech::UnitTech(unit) => {
                let figures = game.config().rules.unit(unit);
                let _ = write!(text, "{} souls, ", figures.cost);
                let _ = wording::figures(&mut text, figures);
                let _ = text.push('.');
            }
            other => {
                let _ = text.push_str(wording::tech_effect(other));
            }
        }
    }
    let mut rest = text.as_str();
    for row in 0..2 {
        let (now, next) = font::wrapped(rest, WIDTH - 8);
        strip::line(surface, (4, 123 + row * 9), WIDTH - 4, palette::TEXT, now);
        rest = next;
    }
    let colour = if screen.ui.refused { palette::RED } else { palette::GREEN };
    strip::line(surface, (4, 142), WIDTH - 4, colour, &screen.ui.message);
    strip::line(
        surface,
        (4, 151),
        WIDTH - 4,
        palette::DIM,
        "A step   B back   SELECT card   frame: unlocked",
    );
}
