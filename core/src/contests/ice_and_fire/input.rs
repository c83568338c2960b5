//! The input of a player's turn in the protocol (rules §4), written and read.

use core::fmt;

use super::rules::{Level, Player};
use super::{Cell, CellSet, Game, Map, SIZE, SLOTS, State, StateError};

/// The kind of a building.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Building {
    /// Headquarters, number 0.
    Headquarters,
    /// A mine, number 1.
    Mine,
    /// A tower, number 2.
    Tower,
}

/// The input of one player's turn. Displays as the lines of the protocol, without the last line end.
#[derive(Clone, Copy, Debug)]
pub struct TurnInput<'g> {
    game: &'g Game,
    player: Player,
}

impl<'g> TurnInput<'g> {
    /// The input of a player in a game.
    pub const fn new(game: &'g Game, player: Player) -> TurnInput<'g> {
        TurnInput { game, player }
    }

    /// Own gold, own income, the opponent's gold, the opponent's income.
    pub fn numbers(&self) -> [i32; 4] {
        let (own, other) = (self.player, self.player.opponent());
        let state = self.game.state();
        [state.gold(own), state.income(own), state.gold(other), state.income(other)]
    }

    /// The letters of a row, one of `#.OoXx` per cell.
    pub fn row(&self, y: u8) -> [char; SIZE as usize] {
        let state = self.game.state();
        core::array::from_fn(|x| {
            let Some(cell) = Cell::at(x as u8, y).filter(|&cell| state.open().contains(cell)) else {
                return '#';
            };
            let active = state.active.contains(cell);
            if state.owned(self.player).contains(cell) {
                if active { 'O' } else { 'o' }
            } else if state.owned(self.player.opponent()).contains(cell) {
                if active { 'X' } else { 'x' }
            } else {
                '.'
            }
        })
    }

    /// Owner (0 is the receiver), kind and cell of every building, in the order of the input.
    pub fn buildings(&self) -> impl Iterator<Item = (u8, Building, Cell)> + 'g {
        let (state, player) = (self.game.state(), self.player);
        (0..6).flat_map(move |index: u8| {
            let owner = index / 3;
            let player = if owner == 0 { player } else { player.opponent() };
            let owned = state.owned(player);
            let (kind, cells) = match index % 3 {
                0 => (Building::Headquarters, player.headquarters().to_set()),
                1 => (Building::Mine, state.mines() & owned),
                _ => (Building::Tower, state.towers() & owned),
            };
            by_column(cells).map(move |cell| (owner, kind, cell))
        })
    }

    /// Owner (0 is the receiver), id, level and cell of every unit, in the order of the input.
    pub fn units(&self) -> impl Iterator<Item = (u8, u32, Level, Cell)> + 'g {
        let (game, player) = (self.game, self.player);
        (0..2).flat_map(move |owner: u8| {
            let units = game.state().units(if owner == 0 { player } else { player.opponent() });
            let mut last = None;
            core::iter::from_fn(move || {
                let ids = units.iter().filter_map(|cell| Some((game.id(cell)?, cell)));
                let (id, cell) = ids.filter(|&next| last.is_none_or(|last| next > last)).min()?;
                last = Some((id, cell));
                Some((owner, id, game.state().level(cell)?, cell))
            })
        })
    }
}

/// The cells of a set by column, then row.
fn by_column(cells: CellSet) -> impl Iterator<Item = Cell> {
    (0..SIZE)
        .flat_map(|x| (0..SIZE).filter_map(move |y| Cell::at(x, y)))
        .filter(move |&cell| cells.contains(cell))
}

impl fmt::Display for TurnInput<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for number in self.numbers() {
            writeln!(f, "{number}")?;
        }
        for y in 0..SIZE {
            self.row(y).iter().try_for_each(|letter| write!(f, "{letter}"))?;
            writeln!(f)?;
        }
        writeln!(f, "{}", self.buildings().count())?;
        for (owner, kind, cell) in self.buildings() {
            writeln!(f, "{owner} {} {} {}", kind as u8, cell.x(), cell.y())?;
        }
        write!(f, "{}", self.units().count())?;
        for (owner, id, level, cell) in self.units() {
            write!(f, "\n{owner} {id} {} {} {}", level.number(), cell.x(), cell.y())?;
        }
        Ok(())
    }
}

/// The first input of a game: the mine spots. Displays as the lines of the protocol, without the last line end.
#[derive(Clone, Copy, Debug)]
pub struct MineSpotLines(pub CellSet);

impl fmt::Display for MineSpotLines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.len())?;
        self.0.iter().try_for_each(|cell| write!(f, "\n{} {}", cell.x(), cell.y()))
    }
}

/// Why a line of input is refused.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum InputError {
    /// Other than the expected numbers.
    Numbers,
    /// Other than twelve letters out of `#.OoXx`.
    Row,
    /// A cell off the board, or void.
    Cell,
    /// A building of unknown kind or on foreign land, or headquarters on another cell or missing.
    Building,
    /// A unit of unknown level or on foreign land, or two units on one cell.
    Unit,
    /// Land, units and buildings contradict each other.
    Position(StateError),
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InputError::Numbers => f.write_str("other numbers are expected here"),
            InputError::Row => f.write_str("a row is twelve letters out of #.OoXx"),
            InputError::Cell => f.write_str("no such cell"),
            InputError::Building => f.write_str("no such building"),
            InputError::Unit => f.write_str("no such unit, or a second one on a cell"),
            InputError::Position(invalid) => invalid.fmt(f),
        }
    }
}

impl core::error::Error for InputError {}

/// The state of the reader: the line that is expected next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Expected {
    SpotCount,
    MineSpotLines(u32),
    Number(u8),
    Row(u8),
    BuildingCount,
    Buildings(u32),
    UnitCount,
    Units(u32),
}

/// A reader of the input of a game, line by line: the mine spots once, then turn after turn.
///
/// Blank lines are skipped. A refused line is dropped together with its turn; the reader expects the first line of a
/// turn next.
#[derive(Clone, Debug)]
pub struct InputReader {
    expected: Expected,
    spots: CellSet,
    numbers: [i32; 4],
    /// Cells by letter: own land, own active land, the opponent's land, the opponent's active land.
    land: [CellSet; 4],
    state: State,
    ids: [u32; SLOTS],
    headquarters: [Option<Player>; 2],
    turn: u8,
}

impl Default for InputReader {
    fn default() -> InputReader {
        InputReader::new()
    }
}

impl InputReader {
    /// A reader at the start of a game.
    pub const fn new() -> InputReader {
        let map = Map { open: CellSet::EMPTY, mine_spots: CellSet::EMPTY };
        InputReader {
            expected: Expected::SpotCount,
            spots: CellSet::EMPTY,
            numbers: [0; 4],
            land: [CellSet::EMPTY; 4],
            state: State::empty(&map),
            ids: [0; SLOTS],
            headquarters: [None; 2],
            turn: 1,
        }
    }

    /// Reads a line. The last line of a turn returns the game, with the receiver to move.
    pub fn line(&mut self, line: &str) -> Result<Option<Game>, InputError> {
        let line = line.trim();
        if line.is_empty() {
            return Ok(None);
        }
        let result = self.take(line);
        if result.is_err() {
            self.expected = match self.expected {
                Expected::SpotCount | Expected::MineSpotLines(_) => Expected::SpotCount,
                _ => Expected::Number(0),
            };
        }
        result
    }

    fn take(&mut self, line: &str) -> Result<Option<Game>, InputError> {
        self.expected = match self.expected {
            Expected::SpotCount => {
                self.spots = CellSet::EMPTY;
                match count(line)? {
                    0 => Expected::Number(0),
                    more => Expected::MineSpotLines(more),
                }
            }
            Expected::MineSpotLines(left) => {
                let [x, y] = numbers(line)?;
                self.spots.insert(cell(x, y)?);
                if left > 1 { Expected::MineSpotLines(left - 1) } else { Expected::Number(0) }
            }
            Expected::Number(index) => {
                let [number] = numbers(line)?;
                if let Some(slot) = self.numbers.get_mut(usize::from(index)) {
                    *slot = number;
                }
                if index < 3 {
                    Expected::Number(index + 1)
                } else {
                    self.land = [CellSet::EMPTY; 4];
                    self.state = State::empty(&Map { open: CellSet::EMPTY, mine_spots: CellSet::EMPTY });
                    self.headquarters = [None; 2];
                    Expected::Row(0)
                }
            }
            Expected::Row(y) => {
                self.row(line, y)?;
                if y + 1 < SIZE { Expected::Row(y + 1) } else { Expected::BuildingCount }
            }
            Expected::BuildingCount => match count(line)? {
                0 => Expected::UnitCount,
                more => Expected::Buildings(more),
            },
            Expected::Buildings(left) => {
                self.building(numbers(line)?)?;
                if left > 1 { Expected::Buildings(left - 1) } else { Expected::UnitCount }
            }
            Expected::UnitCount => match count(line)? {
                0 => return self.finish().map(Some),
                more => Expected::Units(more),
            },
            Expected::Units(left) => {
                self.unit(numbers(line)?)?;
                if left == 1 {
                    return self.finish().map(Some);
                }
                Expected::Units(left - 1)
            }
        };
        Ok(None)
    }

    fn row(&mut self, line: &str, y: u8) -> Result<(), InputError> {
        if line.len() != usize::from(SIZE) {
            return Err(InputError::Row);
        }
        for (letter, x) in line.bytes().zip(0..) {
            let cell = Cell::at(x, y).ok_or(InputError::Row)?;
            let [own, own_active, other, other_active] = &mut self.land;
            match letter {
                b'#' => continue,
                b'.' => {}
                b'o' => own.insert(cell),
                b'O' => {
                    own.insert(cell);
                    own_active.insert(cell);
                }
                b'x' => other.insert(cell),
                b'X' => {
                    other.insert(cell);
                    other_active.insert(cell);
                }
                _ => return Err(InputError::Row),
            }
            self.state.open.insert(cell);
        }
        Ok(())
    }

    fn building(&mut self, [owner, kind, x, y]: [i32; 4]) -> Result<(), InputError> {
        let cell = cell(x, y)?;
        let player = Player::BOTH.iter().copied().find(|player| player.headquarters() == cell);
        let owned = self.owner(owner).contains(cell);
        let slot = usize::try_from(owner).ok().and_then(|owner| self.headquarters.get_mut(owner));
        match (kind, player, slot) {
            (0, Some(player), Some(slot)) => *slot = Some(player),
            (1, None, _) if owned => self.state.mines.insert(cell),
            (2, None, _) if owned => self.state.towers.insert(cell),
            _ => return Err(InputError::Building),
        }
        Ok(())
    }

    fn unit(&mut self, [owner, id, level, x, y]: [i32; 5]) -> Result<(), InputError> {
        let cell = cell(x, y)?;
        let level = u32::try_from(level).ok().and_then(Level::new).ok_or(InputError::Unit)?;
        let id = u32::try_from(id).map_err(|_| InputError::Unit)?;
        if self.state.level(cell).is_some() || !self.owner(owner).contains(cell) {
            return Err(InputError::Unit);
        }
        self.state.put_unit(cell, level);
        if let Some(slot) = self.ids.get_mut(cell.index()) {
            *slot = id;
        }
        Ok(())
    }

    /// Land of the receiver (0) or of its opponent (1).
    fn owner(&self, owner: i32) -> CellSet {
        match owner {
            0 => self.land[0],
            1 => self.land[2],
            _ => CellSet::EMPTY,
        }
    }

    fn finish(&mut self) -> Result<Game, InputError> {
        let (Some(player), Some(other)) = (self.headquarters[0], self.headquarters[1]) else {
            return Err(InputError::Building);
        };
        if player == other {
            return Err(InputError::Building);
        }
        let [own, own_active, theirs, their_active] = self.land;
        let mut state = self.state;
        state.mine_spots = self.spots & state.open;
        for &(who, land, gold, income) in &[
            (player, own, self.numbers[0], self.numbers[1]),
            (other, theirs, self.numbers[2], self.numbers[3]),
        ] {
            state.owned[who.index()] = land;
            state.gold[who.index()] = gold;
            state.income[who.index()] = income.clamp(i32::from(i16::MIN), i32::from(i16::MAX)) as i16;
        }
        state.active = own_active | their_active;
        state.mover = player;
        state.turn = self.turn;
        state.ready = state.units(player);
        state.check().map_err(InputError::Position)?;
        self.turn = self.turn.saturating_add(1).min(super::rules::TURNS);
        self.expected = Expected::Number(0);
        Ok(Game::from_parts(state, self.ids))
    }
}

fn cell(x: i32, y: i32) -> Result<Cell, InputError> {
    let pair = u8::try_from(x).ok().zip(u8::try_from(y).ok());
    pair.and_then(|(x, y)| Cell::at(x, y)).ok_or(InputError::Cell)
}

/// A number of lines that follow, at most the number of cells.
fn count(line: &str) -> Result<u32, InputError> {
    let [number] = numbers(line)?;
    u32::try_from(number).ok().filter(|&number| number as usize <= super::CELLS).ok_or(InputError::Numbers)
}

fn numbers<const N: usize>(line: &str) -> Result<[i32; N], InputError> {
    let mut words = line.split_ascii_whitespace();
    let mut found = [0; N];
    for number in &mut found {
        *number = words.next().and_then(|word| word.parse().ok()).ok_or(InputError::Numbers)?;
    }
    if words.next().is_some() { Err(InputError::Numbers) } else { Ok(found) }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use crate::contests::ice_and_fire::Rules;
    use std::string::ToString;

    fn some_game() -> Game {
        let mut game = Game::new(&Map::generate(1, &Rules::PERMANENT));
        let lines = ["TRAIN 1 1 0", "TRAIN 1 11 9;MSG hi", "MOVE 1 2 0", "MOVE 2 10 9", "WAIT", "WAIT"];
        for line in lines.into_iter().chain(["BUILD MINE 1 0", "BUILD TOWER 11 10"]) {
            game.execute(&Rules::PERMANENT, line).unwrap();
            game.pass();
        }
        game
    }

    #[test]
    fn ice_and_fire_input_reads_back() {
        let game = some_game();
        let mut reader = InputReader::new();
        for line in MineSpotLines(game.state().mine_spots()).to_string().lines() {
            assert_eq!(reader.line(line), Ok(None));
        }
        let text = TurnInput::new(&game, Player::Zero).to_string();
        let mut read = None;
        for line in text.lines() {
            assert!(read.is_none());
            read = reader.line(line).unwrap();
        }
        let read = read.unwrap();
        assert_eq!(TurnInput::new(&read, Player::Zero).to_string(), text);
        assert_eq!(State { turn: game.state().turn, ..*read.state() }, *game.state());
    }

    #[test]
    fn ice_and_fire_bad_lines_are_told_and_reading_goes_on() {
        let game = some_game();
        let text = TurnInput::new(&game, Player::Zero).to_string();
        let mut reader = InputReader::new();
        assert_eq!(reader.line("x"), Err(InputError::Numbers));
        assert_eq!(reader.line("0"), Ok(None));
        for (number, bad, error) in [
            (2, "1 2", InputError::Numbers),
            (5, "OOO", InputError::Row),
            (5, "?...........", InputError::Row),
            (16, "-1", InputError::Numbers),
            (17, "0 3 0 0", InputError::Building),
            (17, "0 0 12 0", InputError::Cell),
            (22, "0 1 0 2", InputError::Numbers),
        ] {
            for line in text.lines().take(number) {
                assert_eq!(reader.line(line), Ok(None));
            }
            assert_eq!(reader.line(bad), Err(error), "{bad}");
        }
        // Without its spot the mine contradicts the map.
        let last = text.lines().map(|line| reader.line(line)).last();
        assert_eq!(last, Some(Err(InputError::Position(StateError::MineSpot))));
    }
}
