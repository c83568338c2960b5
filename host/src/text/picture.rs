//! Pictures of positions in text: every board as a rhombus, row 0 on top and each row half a hex further right, and below
//! it the reinforcements, cards and money of both sides.

use std::fmt::{self, Display, Formatter};

use barrow_core::hex::Hex;
use barrow_core::minions::{Board, Game, Map, Piece, Side, TechStatus, TileType, UnitLabel, View};

use super::marks::Marks;
use crate::text::counted::counted;

/// A picture of a position. Yellow's pieces are upper case, Blue's lower case; terrain other than ground has a sign.
///
/// ```
/// use barrow::text::picture::Picture;
/// use barrow_core::minions::{Game, GameConfig};
/// let game = Game::new(GameConfig::default(), 1);
/// let text = Picture::new(&game).to_string();
/// assert!(text.starts_with("Turn 1, Yellow to move"));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Picture<'a> {
    game: &'a Game,
    color: bool,
    board: Option<usize>,
    marks: Option<&'a Marks>,
    /// Side whose hands and row of spells are not shown.
    hidden: Option<Side>,
}

impl<'a> Picture<'a> {
    /// The picture in plain text.
    pub const fn new(game: &'a Game) -> Picture<'a> {
        Picture { game, color: false, board: None, marks: None, hidden: None }
    }

    /// The same picture with one of the boards only, by its index.
    pub const fn only(self, board: Option<usize>) -> Picture<'a> {
        Picture { board, ..self }
    }

    /// The same picture with marked hexes, and what they mean in a line behind the board.
    pub const fn marked(self, marks: Option<&'a Marks>) -> Picture<'a> {
        Picture { marks, ..self }
    }

    /// The same picture with the sides and terrain coloured by ANSI escape codes, for terminals.
    pub const fn colored(self, color: bool) -> Picture<'a> {
        Picture { color, ..self }
    }

    /// The same picture without the cards of a side, of which only the number is told.
    pub const fn hiding(self, hidden: Option<Side>) -> Picture<'a> {
        Picture { hidden, ..self }
    }

    fn paint(&self, code: &'static str, text: impl Display) -> String {
        if self.color { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_string() }
    }
}

/// Sign of a terrain in a picture, and its name in the legend.
pub const fn sign(tile: TileType) -> (char, &'static str) {
    match tile {
        TileType::Ground => ('.', "ground"),
        TileType::Graveyard => ('+', "graveyard"),
        TileType::Water => ('~', "water"),
        TileType::Earthquake => ('%', "earthquake"),
        TileType::Firestorm => ('^', "firestorm"),
        TileType::Whirlwind => ('@', "whirlwind"),
        TileType::SorceryNode => ('*', "sorcery node"),
        TileType::Teleporter => ('&', "teleporter"),
        TileType::Spawner => ('$', "spawner"),
        TileType::Mist => (':', "mist"),
        TileType::Wall => ('#', "wall"),
    }
}

const fn terrain_color(tile: TileType) -> &'static str {
    match tile {
        TileType::Ground => "2",
        TileType::Graveyard => "35",
        TileType::Water => "36",
        TileType::Firestorm => "31",
        _ => "32",
    }
}

const fn side_color(side: Side) -> &'static str {
    match side {
        Side::Yellow => "1;33",
        Side::Blue => "1;34",
    }
}

impl Display for Picture<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let state = self.game.state();
        write!(f, "Turn {}, ", u64::from(state.turn()) + 1)?;
        match state.winner() {
            Some(winner) => writeln!(f, "{} has won", winner.name())?,
            None if state.is_drawn() => writeln!(f, "drawn")?,
            None => writeln!(f, "{} to move", state.side_to_move().name())?,
        }
        let shown = |index: &usize| self.board.is_none_or(|board| board == *index);
        for index in (0..state.boards().len()).filter(shown) {
            if let Some(view) = self.game.view(index) {
                writeln!(f)?;
                self.board(f, index, &view)?;
            }
        }
        writeln!(f)?;
        for side in Side::ALL {
            self.side(f, side)?;
        }
        if !state.row().is_empty() && self.hidden != Some(state.side_to_move()) {
            let cards = state.row().iter().enumerate();
            let cards = cards.map(|(place, card)| {
                if state.is_taken(place) { format!("({})", card.name()) } else { card.name().to_owned() }
            });
            writeln!(f, "spell row: {}", cards.collect::<Vec<_>>().join(" "))?;
        }
        Ok(())
    }
}

impl Picture<'_> {
    fn board(&self, f: &mut Formatter<'_>, index: usize, view: &View<'_>) -> fmt::Result {
        let name = self.game.config().maps().get(index).map_or("", |map| map.name());
        writeln!(f, "board {index}: {name}, {:?}", view.board.state())?;
        let columns = |f: &mut Formatter<'_>, row: usize| {
            write!(f, "{:indent$}", "", indent = 4 + 2 * row)?;
            writeln!(f, "{}", ('a'..='j').map(String::from).collect::<Vec<_>>().join("   "))
        };
        columns(f, 0)?;
        for y in 0..Hex::WIDTH {
            let indent = 2 * usize::from(y);
            write!(f, "{:indent$}{y}   ", "")?;
            for hex in (0..Hex::WIDTH).filter_map(|x| Hex::at(x, y)) {
                self.hex(f, index, view, hex)?;
            }
            writeln!(f, "{y}")?;
        }
        columns(f, usize::from(Hex::WIDTH) - 1)?;
        legend(f, view.board, view.map)?;
        if let Some(marks) = self.marks.filter(|marks| marks.board == index) {
            writeln!(f, "  marked o and !: {}", marks.words)?;
        }
        for (hex, piece) in view.board.iter_all() {
            special_piece(f, view, hex, piece)?;
        }
        for side in Side::ALL {
            self.supplies(f, index, view, side)?;
        }
        Ok(())
    }

    /// Writes four characters for a hex: piece and terrain, or terrain alone.
    fn hex(&self, f: &mut Formatter<'_>, index: usize, view: &View<'_>, hex: Hex) -> fmt::Result {
        let tile = view.board.tile(view.map, hex);
        let ground = self.paint(terrain_color(tile), sign(tile).0);
        let marks = self.marks.filter(|marks| marks.board == index);
        let mark = match marks {
            Some(marks) if marks.free.contains(hex) => self.paint("1;32", 'o'),
            Some(marks) if marks.targets.contains(hex) => self.paint("1;31", '!'),
            _ => " ".to_owned(),
        };
        let Some(piece) = view.board.piece(hex) else { return write!(f, "{ground}{mark}  ") };
        let piece_sign = self.paint(side_color(piece.side()), letter(piece.unit(), piece.side()));
        if tile == TileType::Ground {
            write!(f, "{piece_sign}{mark}  ")
        } else {
            write!(f, "{piece_sign}{ground}{mark} ")
        }
    }

    /// Writes reinforcements, cards and money of a side on a board.
    fn supplies(&self, f: &mut Formatter<'_>, index: usize, view: &View<'_>, side: Side) -> fmt::Result {
        let board = view.board;
        write!(f, "  {}:", self.paint(side_color(side), side.name()))?;
        let reserves = board.reserves(side).map(|(unit, count)| format!("{count} {}", unit.name()));
        list(f, "reinforcements", reserves)?;
        list(f, "may keep", board.candidates(side).map(|unit| unit.name().to_owned()))?;
        let hand = board.hand(side);
        if self.hidden != Some(side) {
            list(f, "hand", hand.iter().map(|card| card.name().to_owned()))?;
        } else if !hand.is_empty() {
            write!(f, " hand of {};", counted(hand.len(), "card"))?;
        }
        if side == view.side && board.mana() != 0 {
            write!(f, " mana {},", board.mana())?;
        }
        if board.pending(side) > 0 {
            write!(f, " {} to come,", counted(board.pending(side), "soul"))?;
        }
        let graveyards = counted(board.graveyards(view.map, side).len(), "graveyard");
        writeln!(f, " {graveyards}, income {}", self.game.income(index, side))
    }

    /// Writes points, souls and techs of a side.
    fn side(&self, f: &mut Formatter<'_>, side: Side) -> fmt::Result {
        let (config, state) = (self.game.config(), self.game.state());
        write!(
            f,
            "{}: {} of {} points, {}",
            self.paint(side_color(side), side.name()),
            state.points(side),
            config.points_needed,
            counted(state.souls(side), "soul")
        )?;
        let line = &config.techline;
        let named =
            |index: u8| line.techs().get(usize::from(index)).map(|tech| format!("{index} {}", tech.name()));
        let with = |status: TechStatus| {
            let techs = (0..line.len() as u8).filter(|&index| state.tech(side).status(index) == status);
            techs.filter_map(named).collect::<Vec<_>>().join(", ")
        };
        let next = state.tech(side).first_locked(line.len()).and_then(named).unwrap_or_default();
        for (techs, word) in [
            (with(TechStatus::Acquired), "owns tech"),
            (with(TechStatus::Unlocked), "unlocked"),
            (next, "next"),
        ] {
            if !techs.is_empty() {
                write!(f, "; {word} {techs}")?;
            }
        }
        writeln!(f)
    }
}

fn list(f: &mut Formatter<'_>, what: &str, words: impl Iterator<Item = String>) -> fmt::Result {
    let words: Vec<String> = words.collect();
    if words.is_empty() { Ok(()) } else { write!(f, " {what} {};", words.join(" ")) }
}

/// Letter of a piece: upper case for Yellow. The acolyte, which has no letter in FEN, has a question mark.
pub fn letter(unit: UnitLabel, side: Side) -> char {
    let upper = unit.letter().map_or('?', char::from);
    match side {
        Side::Yellow => upper,
        Side::Blue => upper.to_ascii_lowercase(),
    }
}

/// Writes the signs of the terrain on this board other than ground.
fn legend(f: &mut Formatter<'_>, board: &Board, map: &Map) -> fmt::Result {
    let mut met = Vec::new();
    for hex in Hex::all() {
        let tile = board.tile(map, hex);
        if tile != TileType::Ground && !met.contains(&tile) {
            met.push(tile);
        }
    }
    if met.is_empty() {
        return Ok(());
    }
    let signs: Vec<String> = met.into_iter().map(sign).map(|(sign, name)| format!("{sign} {name}")).collect();
    writeln!(f, "  {}", signs.join("  "))
}

/// Writes a line for a piece with modifiers, damage or an uncommon type, which its letter does not show.
fn special_piece(f: &mut Formatter<'_>, view: &View<'_>, hex: Hex, piece: Piece) -> fmt::Result {
    let unit = piece.unit();
    let odd_kind = unit.letter().is_none() || (unit.is_necromancer() && unit != UnitLabel::Necromancer);
    if !odd_kind && piece.is_fresh() && piece.modifiers().is_empty() {
        return Ok(());
    }
    write!(f, "  {hex} {} {}", piece.side().name(), unit.name())?;
    for (modifier, turns) in piece.modifiers().iter() {
        write!(f, ", {} for {turns}", modifier.name())?;
    }
    if piece.damage() > 0 {
        write!(f, ", damage {} of {}", piece.damage(), view.current(piece).defense)?;
    }
    if piece.attacks() > 0 {
        write!(f, ", attacked {}", counted(piece.attacks(), "time"))?;
    }
    for (holds, word) in [(piece.moved(), "moved"), (piece.exhausted(), "exhausted")] {
        if holds {
            write!(f, ", {word}")?;
        }
    }
    writeln!(f)
}

#[cfg(test)]
mod tests {
    use super::*;
    use barrow_core::minions::GameConfig;
    use barrow_core::minions::text::fen;

    #[test]
    fn rows_lean_to_the_right_and_pieces_stand_on_their_terrain() {
        let game = Game::new(GameConfig::default(), 1);
        let text = Picture::new(&game).to_string();
        let rows: Vec<&str> = text.lines().skip(3).take(11).collect();
        assert_eq!(rows[0], "    a   b   c   d   e   f   g   h   i   j");
        assert!(rows[1].starts_with("0   ") && rows[1].ends_with("   0"));
        // Yellow's necromancer on c2: two columns of four characters to the right, two rows of two.
        assert_eq!(rows[3].as_bytes()[4 + 2 * 4 + 2 * 2], b'N');
        assert_eq!(rows[8].as_bytes()[4 + 7 * 4 + 7 * 2], b'n');
    }

    #[test]
    fn techs_have_their_places_in_the_line() {
        let levels = "AULLLLLLLLLLLLLLLLLLLLLLL|LLLLLLLLLLLLLLLLLLLLLLLLL";
        let board = "n|||||0/0/2N7/0/0/0/0/7n2/0/0";
        let game = fen::parse(&format!("4|0 0|0 {levels} {board} {board} 0 5"), &GameConfig::default());
        let text = Picture::new(&game.unwrap()).to_string();
        let line = |start: &str| text.lines().find(|line| line.starts_with(start)).unwrap().to_owned();
        assert_eq!(
            line("Yellow: 0 of"),
            "Yellow: 0 of 2 points, 4 souls; owns tech 0 skeleton; unlocked 1 serpent; next 2 warg"
        );
        assert_eq!(line("Blue: 0 of"), "Blue: 0 of 2 points, 0 souls; next 0 skeleton");
    }

    #[test]
    fn marks_stand_behind_pieces_and_terrain_of_their_board() {
        let game = Game::new(GameConfig::default(), 1);
        let marks = Marks::of_piece(&game, 0, Hex::named("d1").unwrap()).unwrap();
        let text = Picture::new(&game).only(Some(0)).marked(Some(&marks)).to_string();
        assert!(text.contains("1   ~   .   Z   Z   .o  ") && !text.contains("board 1"), "{text}");
        assert!(!Picture::new(&game).only(Some(1)).marked(Some(&marks)).to_string().contains(".o"));
    }

    #[test]
    fn colours_only_add_escape_codes() {
        let game = Game::new(GameConfig::default(), 1);
        let colored = Picture::new(&game).colored(true).to_string();
        let mut plain = String::new();
        for (index, part) in colored.split('\x1b').enumerate() {
            plain.push_str(if index == 0 { part } else { part.split_once('m').unwrap().1 });
        }
        assert_eq!(plain, Picture::new(&game).to_string());
    }
}
