//! Why lines of input are refused.

use core::fmt;

use super::super::StateError;

/// Fault of a line of input.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum InputFault {
    /// Other than the expected numbers.
    Numbers,
    /// Other than twelve letters out of `#.OoXx`.
    Row,
    /// A cell off the board.
    Cell,
    /// A building of unknown kind or on foreign land, or headquarters on another cell.
    Building,
    /// A unit of unknown level or on foreign land, or two units on one cell.
    Unit,
    /// Headquarters that are missing, or the same for both players.
    Headquarters,
    /// Land, units and buildings contradict each other.
    Position(StateError),
}

/// Refusal of a line of input: its fault, and the line that was expected in its place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct InputError {
    /// Fault of the line.
    pub fault: InputFault,
    pub(super) expected: Expected,
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.fault {
            InputFault::Numbers => write!(f, "expected {}", self.expected),
            InputFault::Row => write!(f, "expected {}: twelve of #.OoXx", self.expected),
            InputFault::Cell => write!(f, "no such cell in {}", self.expected),
            InputFault::Building => f.write_str("unknown building, or not on its owner's land"),
            InputFault::Unit => f.write_str("unknown unit, not on its owner's land, or second on its cell"),
            InputFault::Headquarters => f.write_str("the end of a turn without both headquarters"),
            InputFault::Position(why) => write!(f, "the end of a turn with {why}"),
        }
    }
}

impl core::error::Error for InputError {}

/// The state of the reader: the line that is expected next.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Expected {
    SpotCount,
    MineSpotLines(u32),
    Number(u8),
    Row(u8),
    BuildingCount,
    Buildings(u32),
    UnitCount,
    Units(u32),
    /// Behind a refused line: the first row of a turn with its four numbers before it.
    Turn {
        /// Lines in a row just before with one number each, four at most.
        numbers: u8,
        /// Whether the turn to which further rows belong was given up already.
        given_up: bool,
    },
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Expected::SpotCount => "the number of mine spots",
            Expected::MineSpotLines(_) => "a mine spot (column row)",
            Expected::Number(0) => "own gold",
            Expected::Number(1) => "own income",
            Expected::Number(2) => "the opponent's gold",
            Expected::Number(_) => "the opponent's income",
            Expected::Row(y) => return write!(f, "row {y}"),
            Expected::BuildingCount => "the number of buildings",
            Expected::Buildings(_) => "a building (owner kind column row)",
            Expected::UnitCount => "the number of units",
            Expected::Units(_) => "a unit (owner id level column row)",
            Expected::Turn { .. } => "a turn",
        })
    }
}
