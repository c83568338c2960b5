//! Errors of reading an `action` line.

use core::fmt;

/// Reason why a line is not an action.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum UmiError {
    /// The line ends, or has something else, where this was expected.
    Expected(&'static str),
    /// The line goes on where it should end.
    TooLong,
    /// No action has this name.
    UnknownAction,
    /// There is no board with this index.
    UnknownBoard,
    /// No unit has this letter or name.
    UnknownUnit,
    /// No spell has this name.
    UnknownSpell,
    /// No hex has this name.
    UnknownHex,
    /// No ability has this name.
    UnknownAbility,
    /// No movable terrain has this name.
    UnknownTerrain,
    /// Not a number, or one out of range.
    Number,
    /// No untaken card of this name is in the row.
    NoSuchCard,
    /// More actions than a turn can hold.
    Capacity,
}

impl fmt::Display for UmiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            UmiError::Expected(what) => return write!(f, "expected {what}"),
            UmiError::TooLong => "too many words",
            UmiError::UnknownAction => "no such action",
            UmiError::UnknownBoard => "no such board",
            UmiError::UnknownUnit => "no such unit",
            UmiError::UnknownSpell => "no such spell",
            UmiError::UnknownHex => "no such hex",
            UmiError::UnknownAbility => "no such ability",
            UmiError::UnknownTerrain => "no such movable terrain",
            UmiError::Number => "not a number in range",
            UmiError::NoSuchCard => "no such card left in the row",
            UmiError::Capacity => "more actions than a turn can hold",
        })
    }
}

impl core::error::Error for UmiError {}
