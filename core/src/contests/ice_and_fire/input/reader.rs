//! The reader of the protocol's input.

use super::super::rules::{Level, Player, TURNS};
use super::super::{CELLS, Cell, CellSet, Game, Map, SIZE, SLOTS, State};
use super::refusal::{Expected, InputError, InputFault};

/// A reader of the input of a game, line by line: the mine spots once, then turn after turn.
///
/// Blank lines are skipped. A refused line is dropped together with its turn ([`take_lost_turn`]); what follows is passed
/// over without a word up to the next turn, which is known by four lines of one number and a row behind them. Mine spots
/// are read on the way.
///
/// [`take_lost_turn`]: InputReader::take_lost_turn
#[derive(Clone, Debug)]
pub struct InputReader {
    expected: Expected,
    spots: CellSet,
    /// Whether a line of the mine spots was refused, so that some may be missing.
    lacks_spots: bool,
    /// Whether no turn has begun.
    before_turns: bool,
    /// Whether a turn was given up of which the caller does not know.
    lost_turn: bool,
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
            lacks_spots: false,
            before_turns: true,
            lost_turn: false,
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
        if let Expected::Turn { numbers, given_up } = self.expected {
            self.expected = self.seek(line, numbers, given_up);
            return Ok(None);
        }
        let expected = self.expected;
        self.take(line).map_err(|fault| {
            self.refuse(line, expected, fault);
            InputError { fault, expected }
        })
    }

    /// Whether a turn was lost to a refused line and is still to be answered, which can be done without knowing its game
    /// only. True once for each such turn.
    pub fn take_lost_turn(&mut self) -> bool {
        core::mem::replace(&mut self.lost_turn, false)
    }

    /// Goes on behind a refused line.
    fn refuse(&mut self, line: &str, expected: Expected, fault: InputFault) {
        let within = match expected {
            Expected::SpotCount | Expected::MineSpotLines(_) => {
                self.lacks_spots = true;
                false
            }
            // Perhaps a line too many between two turns. If the first of a turn is missing, its rows will tell.
            Expected::Number(0) => false,
            _ => true,
        };
        if within {
            self.give_up();
        }
        self.expected = match fault {
            // All lines of the turn have come.
            InputFault::Headquarters | InputFault::Position(_) => Expected::Number(0),
            _ if numbers::<1>(line).is_ok() || numbers::<2>(line).is_ok() || is_row(line) => {
                self.seek(line, 0, within)
            }
            _ => Expected::Turn { numbers: 0, given_up: within },
        };
    }

    /// Reads a line that stands somewhere behind a refused one. Returns what is expected next.
    fn seek(&mut self, line: &str, count: u8, given_up: bool) -> Expected {
        if let Ok([number]) = numbers(line) {
            let [_, second, third, fourth] = self.numbers;
            self.numbers = [second, third, fourth, number];
            return Expected::Turn { numbers: (count + 1).min(4), given_up };
        }
        if let Ok([x, y]) = numbers(line) {
            if let (true, Ok(spot)) = (self.before_turns, cell(x, y)) {
                self.spots.insert(spot);
            }
        } else if is_row(line) {
            if count == 4 {
                self.begin_turn();
                // Of a line that is a row nothing is refused.
                return self.row(line, 0).map_or(Expected::Number(0), |()| Expected::Row(1));
            }
            if !given_up {
                self.give_up();
            }
            return Expected::Turn { numbers: 0, given_up: true };
        } else if numbers::<4>(line).is_ok() || numbers::<5>(line).is_ok() {
            // Buildings and units stand behind all rows of their turn.
            return Expected::Turn { numbers: 0, given_up: false };
        }
        Expected::Turn { numbers: 0, given_up }
    }

    /// Gives the turn up that is being read.
    fn give_up(&mut self) {
        self.before_turns = false;
        self.lost_turn = true;
        self.count_turn();
    }

    fn count_turn(&mut self) {
        self.turn = self.turn.saturating_add(1).min(TURNS);
    }

    fn begin_turn(&mut self) {
        self.before_turns = false;
        self.land = [CellSet::EMPTY; 4];
        self.state = State::empty(&Map { open: CellSet::EMPTY, mine_spots: CellSet::EMPTY });
        self.headquarters = [None; 2];
    }

    fn take(&mut self, line: &str) -> Result<Option<Game>, InputFault> {
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
                    self.begin_turn();
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
            Expected::Turn { numbers, given_up } => self.seek(line, numbers, given_up),
        };
        Ok(None)
    }

    fn row(&mut self, line: &str, y: u8) -> Result<(), InputFault> {
        if !is_row(line) {
            return Err(InputFault::Row);
        }
        for (letter, x) in line.bytes().zip(0..) {
            let cell = Cell::at(x, y).ok_or(InputFault::Row)?;
            let [own, own_active, other, other_active] = &mut self.land;
            match letter {
                b'#' => continue,
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
                _ => {}
            }
            self.state.open.insert(cell);
        }
        Ok(())
    }

    fn building(&mut self, [owner, kind, x, y]: [i32; 4]) -> Result<(), InputFault> {
        let cell = cell(x, y)?;
        let player = Player::BOTH.iter().copied().find(|player| player.headquarters() == cell);
        let owned = self.owner(owner).contains(cell);
        let slot = usize::try_from(owner).ok().and_then(|owner| self.headquarters.get_mut(owner));
        match (kind, player, slot) {
            (0, Some(player), Some(slot)) => *slot = Some(player),
            (1, None, _) if owned => self.state.mines.insert(cell),
            (2, None, _) if owned => self.state.towers.insert(cell),
            _ => return Err(InputFault::Building),
        }
        Ok(())
    }

    fn unit(&mut self, [owner, id, level, x, y]: [i32; 5]) -> Result<(), InputFault> {
        let cell = cell(x, y)?;
        let level = u32::try_from(level).ok().and_then(Level::new).ok_or(InputFault::Unit)?;
        let id = u32::try_from(id).map_err(|_| InputFault::Unit)?;
        if self.state.level(cell).is_some() || !self.owner(owner).contains(cell) {
            return Err(InputFault::Unit);
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

    fn finish(&mut self) -> Result<Game, InputFault> {
        let (Some(player), Some(other)) = (self.headquarters[0], self.headquarters[1]) else {
            return Err(InputFault::Headquarters);
        };
        if player == other {
            return Err(InputFault::Headquarters);
        }
        let [own, own_active, theirs, their_active] = self.land;
        let mut state = self.state;
        state.mine_spots = self.spots & state.open;
        if self.lacks_spots {
            state.mine_spots |= state.mines;
        }
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
        state.check().map_err(InputFault::Position)?;
        self.count_turn();
        self.expected = Expected::Number(0);
        Ok(Game::from_parts(state, self.ids))
    }
}

fn cell(x: i32, y: i32) -> Result<Cell, InputFault> {
    let pair = u8::try_from(x).ok().zip(u8::try_from(y).ok());
    pair.and_then(|(x, y)| Cell::at(x, y)).ok_or(InputFault::Cell)
}

/// Whether a line is a row of the map.
fn is_row(line: &str) -> bool {
    line.len() == usize::from(SIZE) && line.bytes().all(|letter| b"#.OoXx".contains(&letter))
}

/// A number of lines that follow, at most the number of cells.
fn count(line: &str) -> Result<u32, InputFault> {
    let [number] = numbers(line)?;
    u32::try_from(number).ok().filter(|&number| number as usize <= CELLS).ok_or(InputFault::Numbers)
}

fn numbers<const N: usize>(line: &str) -> Result<[i32; N], InputFault> {
    let mut words = line.split_ascii_whitespace();
    let mut found = [0; N];
    for number in &mut found {
        *number = words.next().and_then(|word| word.parse().ok()).ok_or(InputFault::Numbers)?;
    }
    if words.next().is_some() { Err(InputFault::Numbers) } else { Ok(found) }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::super::{MineSpotLines, TurnInput};
    use super::*;
    use crate::contests::ice_and_fire::Rules;
    use std::string::ToString;
    use std::vec::Vec;

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
    fn ice_and_fire_bad_lines_are_told_with_what_was_expected() {
        let game = some_game();
        let spots = MineSpotLines(game.state().mine_spots()).to_string();
        let text = TurnInput::new(&game, Player::Zero).to_string();
        for (number, bad, told) in [
            (1, "1 2", "expected own income"),
            (3, "", "expected the opponent's income"),
            (5, "OOO", "expected row 1: twelve of #.OoXx"),
            (4, "?...........", "expected row 0: twelve of #.OoXx"),
            (16, "-1", "expected the number of buildings"),
            (17, "0 3 0 0", "unknown building, or not on its owner's land"),
            (17, "0 0 12 0", "no such cell in a building (owner kind column row)"),
            (22, "0 1 0 2", "expected a unit (owner id level column row)"),
            (22, "0 1 4 2 0", "unknown unit, not on its owner's land, or second on its cell"),
        ] {
            let mut reader = InputReader::new();
            for line in spots.lines().chain(text.lines().take(number)) {
                assert_eq!(reader.line(line), Ok(None));
            }
            let bad = if bad.is_empty() { "#..........." } else { bad };
            assert_eq!(reader.line(bad).unwrap_err().to_string(), told, "{bad}");
            assert!(reader.take_lost_turn() && !reader.take_lost_turn());
        }
        // Of a turn whose lines are all as expected the next one is read at once.
        let mut reader = InputReader::new();
        assert_eq!(reader.line("0"), Ok(None));
        for _ in 0..2 {
            let last = text.lines().map(|line| reader.line(line)).last().unwrap();
            let told = "the end of a turn with a mine without a spot, or a spot on a void cell";
            assert_eq!(last.unwrap_err().to_string(), told);
            assert!(reader.take_lost_turn());
        }
    }

    #[test]
    fn ice_and_fire_of_a_bad_line_one_is_told_and_one_turn_is_lost_at_most() {
        let game = some_game();
        let spots = MineSpotLines(game.state().mine_spots()).to_string();
        let text = TurnInput::new(&game, Player::Zero).to_string();
        let (spots, turn): (Vec<&str>, Vec<&str>) = (spots.lines().collect(), text.lines().collect());
        let whole = [&spots[..], &turn, &turn, &turn].concat();
        for place in 0..spots.len() + 2 * turn.len() {
            let (before, after) = whole.split_at(place);
            let (line, rest) = after.split_first().unwrap();
            for instead in [&["?"][..], &["1 2 3"], &[], &["?", line], &["1 2 3", line], &[line, line]] {
                let mut reader = InputReader::new();
                let (mut games, mut lost, mut errors) = (0, 0, 0);
                for line in [before, instead, rest].concat() {
                    match reader.line(line) {
                        Ok(None) => {}
                        Ok(Some(read)) => {
                            games += 1;
                            assert_eq!(TurnInput::new(&read, Player::Zero).to_string(), text);
                        }
                        Err(_) => errors += 1,
                    }
                    lost += u32::from(reader.take_lost_turn());
                }
                let told =
                    std::format!("line {place} as {instead:?}: {games} games, {lost} lost, {errors} errors");
                assert!(
                    errors == 1 && games + lost == 3 && lost <= u32::from(place >= spots.len()),
                    "{told}"
                );
            }
        }
    }
}
