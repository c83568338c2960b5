//! Why a race cannot begin or a state is impossible.

use core::fmt;

/// Why a race cannot begin or a state is impossible.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum StateError {
    /// No robots, or more than there are docks.
    Robots,
    /// The course has no flags.
    Flags,
    /// No robot has this number.
    NoRobot,
    /// A robot on the board stands outside, in a pit, or on another robot.
    Place,
    /// Damage, lives or next flag out of range, or impossible with the robot's status.
    Number,
    /// A status that the profile does not know.
    Status,
    /// The archive is outside or in a pit.
    Archive,
    /// A card lies in two registers.
    Card,
    /// A robot has other cards than its own and damage (second edition).
    Deck,
}

impl fmt::Display for StateError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            StateError::Robots => "a race has 1 to 8 robots, each with a dock",
            StateError::Flags => "the course has no flags",
            StateError::NoRobot => "no such robot",
            StateError::Place => "a robot stands outside, in a pit, or on another",
            StateError::Number => "damage, lives or next flag out of range",
            StateError::Status => "these rules know no such status",
            StateError::Archive => "the archive is outside or in a pit",
            StateError::Card => "a card lies in two registers",
            StateError::Deck => "a robot has other cards than its twenty and damage",
        })
    }
}

impl core::error::Error for StateError {}
