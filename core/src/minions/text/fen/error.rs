//! Errors of reading a text: the reason and the column.

use core::fmt;

use crate::minions::position::validate::Invalid;

/// Reason why a text is not a position or a configuration.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum FenReason {
    /// A character that is not printable ASCII.
    NotAscii,
    /// The text ends, or a field is malformed, where this was expected.
    Expected(&'static str),
    /// Not a decimal number, or one outside the range of its field.
    Number,
    /// As many tech levels as the tech line has techs, 1..=25, were expected.
    TechCount(u8),
    /// A tech level other than `L`, `U` and `A`.
    TechLevel,
    /// A board state other than `f`, `n`, `1` and `2`.
    BoardState,
    /// No unit has this letter or name.
    UnknownUnit,
    /// A row of a board does not add up to ten hexes.
    RowLength,
    /// No spell has this name.
    UnknownSpell,
    /// No map has this name.
    UnknownMap,
    /// No tech has this letter.
    UnknownTech,
    /// No ruleset has this name.
    UnknownRuleset,
    /// No modifier has this name.
    UnknownModifier,
    /// The extended form has no field of this name.
    UnknownField,
    /// A version of the extended form that this program does not know.
    Version,
    /// More of something than fits: boards, techs, units of a type, cards, modifiers.
    Capacity,
    /// More souls are pending than the side has.
    Pending,
    /// Every field can be read, but together they are no position.
    Invalid(Invalid),
}

impl fmt::Display for FenReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FenReason::NotAscii => f.write_str("not printable ASCII"),
            FenReason::Expected(what) => write!(f, "expected {what}"),
            FenReason::Number => f.write_str("not a number in range"),
            FenReason::TechCount(count) => write!(f, "expected {count} tech levels"),
            FenReason::TechLevel => f.write_str("a tech level is L, U or A"),
            FenReason::BoardState => f.write_str("a board state is f, n, 1 or 2"),
            FenReason::UnknownUnit => f.write_str("no such unit"),
            FenReason::RowLength => f.write_str("the row does not add up to ten hexes"),
            FenReason::UnknownSpell => f.write_str("no such spell"),
            FenReason::UnknownMap => f.write_str("no such map"),
            FenReason::UnknownTech => f.write_str("no such tech"),
            FenReason::UnknownRuleset => f.write_str("no such ruleset"),
            FenReason::UnknownModifier => f.write_str("no such modifier"),
            FenReason::UnknownField => f.write_str("no such field"),
            FenReason::Version => f.write_str("unknown version of the extended form"),
            FenReason::Capacity => f.write_str("more than fits"),
            FenReason::Pending => f.write_str("more souls pending than there are"),
            FenReason::Invalid(invalid) => fmt::Display::fmt(invalid, f),
        }
    }
}

/// A text that could not be read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FenError {
    /// Column where the offending part begins, in characters from 1.
    pub column: usize,
    /// Reason for the refusal.
    pub reason: FenReason,
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: {}", self.column, self.reason)
    }
}

impl core::error::Error for FenError {}
