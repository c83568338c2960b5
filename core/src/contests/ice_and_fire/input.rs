//! The input of a player's turn in the protocol (rules §4), written and read.

use core::fmt;

use super::rules::{Level, Player};
use super::{Cell, CellSet, Game, SIZE};

pub mod reader;
mod refusal;

pub use self::reader::InputReader;
pub use self::refusal::{InputError, InputFault};

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
