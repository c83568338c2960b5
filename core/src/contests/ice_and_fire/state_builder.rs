//! Positions built piece by piece, for scenarios, tests and fuzzers.

use super::rules::{Level, Player};
use super::{CellSet, Map, State, StateError};

/// The parts of a position from which all others follow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StateBuilder {
    /// Void cells and mine spots.
    pub map: Map,
    /// Land of each player.
    pub owned: [CellSet; 2],
    /// Units of levels 1, 2 and 3. The owner of the land owns the unit.
    pub units: [CellSet; 3],
    /// Towers. The owner of the land owns the tower.
    pub towers: CellSet,
    /// Mines. The owner of the land owns the mine.
    pub mines: CellSet,
    /// Gold of each player.
    pub gold: [i32; 2],
}

impl StateBuilder {
    /// A map without land, units, buildings and gold of either player.
    pub const fn new(map: Map) -> StateBuilder {
        StateBuilder {
            map,
            owned: [CellSet::EMPTY; 2],
            units: [CellSet::EMPTY; 3],
            towers: CellSet::EMPTY,
            mines: CellSet::EMPTY,
            gold: [0; 2],
        }
    }

    /// The position in turn 1 before a turn has begun, with activity and incomes computed. Fails for parts that
    /// contradict each other.
    pub fn build(&self) -> Result<State, StateError> {
        let mut state = State::empty(&self.map);
        state.owned = self.owned;
        state.towers = self.towers;
        state.mines = self.mines;
        state.gold = self.gold;
        let mut taken = CellSet::EMPTY;
        for (level, &cells) in Level::ALL.iter().zip(&self.units) {
            if cells.intersects(taken) {
                return Err(StateError::Crowded);
            }
            taken |= cells;
            cells.iter().for_each(|cell| state.put_unit(cell, *level));
        }
        state.mover = Player::Zero;
        state.refresh();
        state.check().map(|()| state)
    }
}
