//! The board: hexes with terrain, pieces, marks and cursor; beside it points, money and who waits; below it what the
//! cursor is on and the message.

use core::fmt::Write;

use barrow_core::hex::{Hex, HexSet};
use barrow_core::minions::{Board, Piece, Side, TileType, Unit, UnitLabel, View};
use heapless::String;

use super::strip::{self, Strip};
use super::{Surface, WIDTH};
use crate::aim::Lit;
use crate::art::font;
use crate::art::palette::{self, Colour, Part};
use crate::art::sprites::{self, Tone};
use crate::coding::Entry;
use crate::screen::GameScreen;
use crate::ui::Purpose;
use crate::wording;
use barrow_core::minions::{Action, BoardAction};

/// Width and height of a hex in pixels; rows overlap by a quarter.
const SIZE: usize = 16;
const PITCH: usize = 12;
const LEFT: usize = 4;
const TOP: usize = 10;

/// Width of each row of a hex.
const WIDTHS: [usize; SIZE] = [2, 6, 10, 14, 16, 16, 16, 16, 16, 16, 16, 16, 14, 10, 6, 2];

/// Top left corner of a hex.
fn corner(hex: Hex) -> (usize, usize) {
    let (x, y) = (usize::from(hex.x()), usize::from(hex.y()));
    (LEFT + SIZE * x + SIZE / 2 * y, TOP + PITCH * y)
}

/// The hex at a place of the screen.
pub fn hex_at(x: usize, y: usize) -> Option<Hex> {
    Hex::all().find(|&hex| {
        let (left, top) = corner(hex);
        let row = y.checked_sub(top).and_then(|row| WIDTHS.get(row));
        row.is_some_and(|width| {
            let start = left + (SIZE - width) / 2;
            (start..start + width).contains(&x)
        })
    })
}

/// Look of a hex; equal looks are drawn once.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Look {
    tile: TileType,
    piece: Option<(Side, UnitLabel)>,
    spent: bool,
    damage: u8,
    modified: bool,
    go: bool,
    hit: bool,
    join: bool,
    cursor: bool,
    aimed: bool,
    touched: bool,
}

impl Look {
    fn key(&self) -> u32 {
        let flags =
            [self.spent, self.modified, self.go, self.hit, self.join, self.cursor, self.aimed, self.touched];
        let bits =
            flags.into_iter().enumerate().fold(0, |bits, (place, flag)| bits | u32::from(flag) << place);
        let piece = self.piece.map_or(255, |(side, unit)| unit as u32 | (side as u32) << 7);
        bits | piece << 8 | (self.tile as u32) << 16 | u32::from(self.damage.min(15)) << 20
    }
}

/// Draws the page of the board.
pub fn draw(screen: &GameScreen, known: &mut [u32; Hex::COUNT], surface: &mut impl Surface) {
    let (game, hidden) = screen.position();
    let index = usize::from(screen.ui.board);
    let Some(view) = game.view(index) else { return };
    draw_bar(screen, surface);
    let lit = if screen.is_persons_turn() { screen.ui.aim.lit(game, index) } else { Lit::NONE };
    let aimed = aimed_from(screen);
    let touched = if screen.is_persons_turn() { touched(screen, index) } else { HexSet::EMPTY };
    for (slot, hex) in known.iter_mut().zip(Hex::all()) {
        let look = look(&view, hex, &lit, screen.ui.hex == hex, (aimed.contains(hex), touched.contains(hex)));
        if *slot != look.key() {
            *slot = look.key();
            draw_hex(hex, &look, surface);
        }
    }
    draw_sides(screen, &view, surface);
    draw_waiting(view.board, screen.ui.person, surface);
    let _ = hidden;
    draw_below(screen, &view, surface);
}

fn aimed_from(screen: &GameScreen) -> HexSet {
    match &screen.ui.aim {
        crate::aim::Aim::Pieces(chain) => chain.iter().fold(HexSet::EMPTY, |set, &hex| set.with(hex)),
        crate::aim::Aim::CastTo(_, hex)
        | crate::aim::Aim::Ability(hex, ..)
        | crate::aim::Aim::Teleport(hex) => HexSet::single(*hex),
        _ => HexSet::EMPTY,
    }
}

/// Hexes on which the opponent's last turn ended a walk, hit or placed somebody.
fn touched(screen: &GameScreen, index: usize) -> HexSet {
    let mut set = HexSet::EMPTY;
    for entry in screen.last_turn() {
        let Entry::Action(Action::Board(board, action)) = entry else { continue };
        if usize::from(board) == index {
            match action {
                BoardAction::Move { to, .. }
                | BoardAction::Attack { to, .. }
                | BoardAction::Teleport { to, .. } => {
                    set.insert(to);
                }
                BoardAction::Spawn { at, .. } | BoardAction::UseTile { at } | BoardAction::Blink { at } => {
                    set.insert(at);
                }
                _ => {}
            }
        }
    }
    set
}

fn look(view: &View<'_>, hex: Hex, lit: &Lit, cursor: bool, (aimed, touched): (bool, bool)) -> Look {
    let piece = view.board.piece(hex);
    let is_spent = |piece: Piece| {
        piece.side() == view.side
            && (piece.exhausted() || (view.reach(hex).is_empty() && view.ready_to_attack(piece).is_err()))
    };
    Look {
        tile: view.board.tile(view.map, hex),
        piece: piece.map(|piece| (piece.side(), piece.unit())),
        spent: piece.is_some_and(is_spent),
        damage: piece.map_or(0, |piece| piece.damage().min(15) as u8),
        modified: piece.is_some_and(|piece| !piece.modifiers().is_empty()),
        go: lit.go.contains(hex),
        hit: lit.hit.contains(hex),
        join: lit.join.contains(hex),
        cursor,
        aimed,
        touched,
    }
}

type Cell = [[Colour; SIZE]; SIZE];

fn put(cell: &mut Cell, x: usize, y: usize, colour: Colour) {
    if let Some(pixel) = cell.get_mut(y).and_then(|row| row.get_mut(x)) {
        *pixel = colour;
    }
}

/// Colours the rim of a hex, this many pixels wide.
fn rim(cell: &mut Cell, wide: usize, colour: Colour) {
    for (y, width) in WIDTHS.into_iter().enumerate() {
        let start = (SIZE - width) / 2;
        let thick = if width <= 2 * wide + 4 && width < SIZE { width / 2 } else { wide };
        for step in 0..thick {
            put(cell, start + step, y, colour);
            put(cell, start + width - 1 - step, y, colour);
        }
    }
}

fn draw_hex(hex: Hex, look: &Look, surface: &mut impl Surface) {
    let lit = look.go || look.hit || look.join;
    let ground = palette::of_tile(look.tile, if lit { Part::Lit } else { Part::Ground });
    let mut cell = [[ground; SIZE]; SIZE];
    let edge = palette::of_tile(look.tile, Part::Edge);
    for (y, width) in WIDTHS.into_iter().enumerate() {
        let start = (SIZE - width) / 2;
        put(&mut cell, start, y, edge);
        if y < 4 {
            put(&mut cell, start + width - 1, y, edge);
            put(&mut cell, start + 1, y, edge);
        }
    }
    if let (Some(picture), None) = (sprites::of_tile(look.tile), look.piece) {
        let colour =
            |tone| palette::of_tile(look.tile, if tone == Tone::Light { Part::Lit } else { Part::Picture });
        put_picture(&mut cell, picture, colour);
    }
    if let Some((side, unit)) = look.piece {
        put_picture(&mut cell, sprites::of_unit(unit), |tone| palette::of_side(side, look.spent, tone));
    } else if look.go {
        for (x, y) in
            [(7, 6), (8, 6), (6, 7), (7, 7), (8, 7), (9, 7), (6, 8), (7, 8), (8, 8), (9, 8), (7, 9), (8, 9)]
        {
            put(&mut cell, x, y, palette::GREEN);
        }
    }
    if look.hit {
        rim(&mut cell, 2, palette::RED);
    } else if look.join {
        rim(&mut cell, 2, palette::JOIN);
    } else if look.go && look.piece.is_some() {
        rim(&mut cell, 2, palette::GREEN);
    } else if look.aimed {
        rim(&mut cell, 1, palette::GREEN);
    }
    if look.damage > 0 {
        put_number(&mut cell, look.damage);
    }
    for (mark, x, colour) in [(look.modified, 2, palette::JOIN), (look.touched, 12, palette::TEXT)] {
        if mark {
            for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                put(&mut cell, x + dx, 4 + dy, colour);
            }
        }
    }
    if look.cursor {
        rim(&mut cell, if lit { 1 } else { 2 }, palette::CURSOR);
    }
    let (left, top) = corner(hex);
    for (y, (row, width)) in cell.iter().zip(WIDTHS).enumerate() {
        let start = (SIZE - width) / 2;
        surface.span(left + start, top + y, row.get(start..start + width).unwrap_or(row));
    }
}

fn put_picture(cell: &mut Cell, picture: &sprites::Picture, colour: impl Fn(Tone) -> Colour) {
    for (y, row) in picture.iter().enumerate() {
        for (x, &tone) in row.iter().enumerate() {
            if tone != Tone::Nothing {
                put(cell, x + 2, y + 2, colour(tone));
            }
        }
    }
}

/// Damage as a number on a dark ground, at the lower right.
fn put_number(cell: &mut Cell, number: u8) {
    let digit = b'0' + number.min(9);
    for y in 6..14 {
        for x in 10..15 {
            put(cell, x, y, palette::OUTLINE);
        }
    }
    for (row, bits) in font::letter(digit).rows.into_iter().enumerate().take(7) {
        for column in 0..4 {
            if bits >> column & 1 == 1 {
                put(cell, 11 + column, 6 + row, palette::RED);
            }
        }
    }
}

fn draw_bar(screen: &GameScreen, surface: &mut impl Surface) {
    let game = screen.table.shown();
    let mut strip = Strip::new(strip::HEIGHT, WIDTH, palette::PANEL);
    let boards = game.config().num_boards();
    let map = game.config().maps().get(usize::from(screen.ui.board)).copied();
    strip.at(2, 1).ink(palette::TEXT);
    if boards > 1 {
        let _ = write!(strip, "Board {}/{boards}  ", screen.ui.board + 1);
    }
    strip.ink(palette::DIM);
    for (place, letter) in map.map_or("", |map| map.name()).char_indices() {
        let _ = strip.write_str(if place > 0 && letter.is_ascii_uppercase() { " " } else { "" });
        let _ = strip.write_char(letter);
    }
    let mut turn: String<24> = String::new();
    let side = game.side_to_move();
    let _ = write!(turn, "Turn {}  {}", game.state().turn() + 1, side.name());
    strip.at(0, 1).ink(palette::text_of(side)).text_to(WIDTH - 2, &turn);
    strip.draw(0, 0, surface);
}

/// Points, souls and tech points at the upper right.
fn draw_sides(screen: &GameScreen, view: &View<'_>, surface: &mut impl Surface) {
    let game = screen.table.shown();
    let state = game.state();
    let board = usize::from(screen.ui.board);
    let needed = game.config().points_needed;
    for (row, side) in Side::ALL.into_iter().enumerate() {
        let left = 166 + 8 * row;
        let mut strip = Strip::new(strip::HEIGHT, WIDTH - left, palette::NIGHT);
        strip.at(0, 1).ink(palette::text_of(side));
        let _ =
            write!(strip, "{} {}/{needed}", if side == Side::Yellow { "Y" } else { "B" }, state.points(side));
        let _ = write!(strip, " {} souls", state.souls(side));
        strip.draw(left, 12 + 10 * row, surface);
    }
    let mut strip = Strip::new(strip::HEIGHT, 52, palette::NIGHT);
    let graves = Side::ALL.map(|side| view.board.graveyards(view.map, side).len());
    strip.at(0, 1).ink(palette::DIM).text("graves ").ink(palette::YELLOW);
    let _ = write!(strip, "{}", graves[0]);
    strip.ink(palette::DIM).text(":").ink(palette::BLUE);
    let _ = write!(strip, "{}", graves[1]);
    strip.draw(188, 32, surface);
    let mut strip = Strip::new(strip::HEIGHT, 44, palette::NIGHT);
    strip.at(0, 1).ink(palette::DIM);
    let income = game.income(board, game.side_to_move());
    let _ = write!(strip, "income {income}");
    strip.draw(196, 42, surface);
    if screen.is_persons_turn() {
        let mut strip = Strip::new(strip::HEIGHT, 42, palette::NIGHT);
        strip.at(0, 1).ink(palette::TEXT);
        let _ = write!(strip, "techs {}", state.budget().tech_points);
        strip.draw(198, 52, surface);
    } else {
        Strip::new(strip::HEIGHT, 42, palette::NIGHT).draw(198, 52, surface);
    }
}

/// Units that wait to be placed: the player's at the lower left, the opponent's at the right.
fn draw_waiting(board: &Board, person: Side, surface: &mut impl Surface) {
    let mut own = board.reserves(person);
    line_of_waiting(&mut own, person, (2, 84), 2, surface);
    line_of_waiting(&mut own, person, (2, 97), 3, surface);
    line_of_waiting(&mut own, person, (2, 110), 3, surface);
    line_of_waiting(&mut own, person, (2, 121), 4, surface);
    let other = person.opponent();
    let mut others = board.reserves(other);
    line_of_waiting(&mut others, other, (204, 63), 2, surface);
    line_of_waiting(&mut others, other, (222, 76), 1, surface);
}

fn line_of_waiting(
    waiting: &mut impl Iterator<Item = (UnitLabel, u8)>,
    side: Side,
    (x, y): (usize, usize),
    count: usize,
    surface: &mut impl Surface,
) {
    let mut strip = Strip::new(12, count * 18, palette::NIGHT);
    for place in 0..count {
        let Some((unit, number)) = waiting.next() else { break };
        strip.picture((place * 18, 0), sprites::of_unit(unit), |tone| palette::of_side(side, false, tone));
        strip.at(place * 18 + 13, 4).ink(palette::text_of(side));
        let _ = write!(strip, "{}", number.min(9));
    }
    strip.draw(x, y, surface);
}

/// Lines below the board: the hex under the cursor, and the message.
fn draw_below(screen: &GameScreen, view: &View<'_>, surface: &mut impl Surface) {
    let hex = screen.ui.hex;
    let mut strip = Strip::new(strip::HEIGHT, WIDTH, palette::PANEL);
    strip.at(2, 1).ink(palette::DIM);
    let _ = write!(strip, "{hex} ");
    match view.board.piece(hex) {
        Some(piece) => {
            let unit = view.unit(piece);
            strip.ink(palette::text_of(piece.side()));
            let _ = wording::name(&mut strip, piece.unit().name());
            strip.ink(palette::TEXT).text("  ");
            let now = view.current(piece);
            let numbers = [now.range.into(), piece.damage(), now.defense, now.speed.into()];
            let flags = [unit.flying, now.lumbering, unit.blink];
            let room = WIDTH.saturating_sub(strip.x());
            strip.text(&figures(unit, numbers, flags, room));
        }
        None => {
            strip.text(wording::tile(view.board.tile(view.map, hex)));
        }
    }
    strip.draw(0, 134, surface);
    let colour = if screen.ui.refused { palette::RED } else { palette::TEXT };
    let mut rest = screen.ui.message.as_str();
    for row in 0..2 {
        let (now, next) = font::wrapped(rest, WIDTH - 4);
        let mut strip = Strip::new(8, WIDTH, palette::NIGHT);
        strip.at(2, 0).ink(colour).text(now);
        rest = next;
        if row == 1 {
            draw_progress(screen, &mut strip);
        }
        strip.draw(0, 144 + row * 8, surface);
    }
}

/// Figures of a piece, shortened where they have no room: range, damage, defense, speed; flying, lumbering, blinking.
fn figures(unit: &Unit, numbers: [u16; 4], flags: [bool; 3], room: usize) -> String<96> {
    let [range, damage, defense, speed] = numbers;
    let mut text = String::new();
    for words in [
        [" range ", " def ", " speed ", " fly", " lumber", " blink"],
        [" r", " d", " s", " fly", " lumb", " blink"],
        [" r", " d", " s", " f", " l", " b"],
    ] {
        let [ranges, defends, walks, marks @ ..] = words;
        text.clear();
        let _ = wording::attack(&mut text, unit);
        let _ = write!(text, "{ranges}{range}{defends}");
        if damage > 0 {
            let _ = write!(text, "{}/", defense.saturating_sub(damage));
        }
        let _ = write!(text, "{defense}{walks}{speed}");
        for (mark, _) in marks.into_iter().zip(flags).filter(|&(_, has)| has) {
            let _ = text.push_str(mark);
        }
        if font::width(&text) <= room {
            break;
        }
    }
    text
}

/// Progress of the search that the player waits for.
fn draw_progress(screen: &GameScreen, strip: &mut Strip) {
    let Some(job) = screen.ui.job.filter(|job| job.purpose == Purpose::Turn && !job.done) else { return };
    let slices = usize::from(screen.machine.level(screen.ui.level).slices).max(1);
    let done = 80 * usize::from(job.slices).min(slices) / slices;
    strip.fill((156, 2), (82, 5), palette::DIM);
    strip.fill((157, 3), (80, 3), palette::NIGHT);
    strip.fill((157, 3), (done, 3), palette::GREEN);
}

#[cfg(test)]
mod tests {
    use barrow_core::minions::{GameConfig, MapLabel, Ruleset};

    use super::*;

    #[test]
    fn figures_of_every_damaged_unit_fit_beside_its_name() {
        let mut shortened = 0;
        for ruleset in [Ruleset::Server, Ruleset::Spooky] {
            let config = GameConfig::new(ruleset, &[MapLabel::AllLand]).unwrap();
            for label in UnitLabel::ALL {
                let unit = config.rules.unit(label);
                let numbers = [unit.range, 1, unit.defense, unit.speed].map(u16::from);
                // Hex and name, with a space of four pixels for each underscore.
                let named =
                    2 + font::width("j9 ") + 1 + font::width(label.name()) + 1 + font::width("  ") + 1;
                let text = figures(unit, numbers, [unit.flying, unit.lumbering, unit.blink], WIDTH - named);
                assert!(font::width(&text) <= WIDTH - named, "{} {text}", label.name());
                shortened += usize::from(!text.contains("speed"));
            }
        }
        assert!((5..30).contains(&shortened), "{shortened}");
    }
}
