//! Rows of unit types, numbered so that a new type moves no row of another.
//!
//! Every network has rows for the first [`BASE_UNITS`] types of the unit table. Each later type has a run of rows of
//! its own behind all other rows of a table, in the order of the unit table. A network for fewer types therefore
//! ends earlier and is otherwise the same: rows that it lacks count as zero, so a piece of a type that the network
//! does not know adds nothing, while the features that name no type (its hex's terrain, damage, the number of its
//! attackers) stay.

use barrow_core::minions::tables::unit::UNIT_COUNT;

/// Unit types for which every network has rows: those of the first network files. Never to be changed.
pub const BASE_UNITS: usize = 34;

/// Places of a tech line for which every network has rows: those of the line when the first network files were made.
/// A tech at a later place counts by its kind alone. Never to be changed.
pub const BASE_LINE_PLACES: usize = 25;

/// Most unit types of a network.
pub const UNIT_CAP: usize = 64;

/// Unit types of the networks that this program trains: all types of the unit table.
pub const UNITS: usize = UNIT_COUNT;

const _: () = assert!(BASE_UNITS <= UNITS && UNITS <= UNIT_CAP);

/// Place of a unit type among the later types, from 0; `None` for the first [`BASE_UNITS`] types.
///
/// ```
/// use barrow_nnue::shape::later_unit;
/// assert_eq!([33, 34, 36].map(later_unit), [None, Some(0), Some(2)]);
/// ```
#[inline]
pub const fn later_unit(unit: usize) -> Option<usize> {
    unit.checked_sub(BASE_UNITS)
}

/// Number of later types among this many unit types.
#[inline]
pub const fn later_units(units: usize) -> usize {
    units.saturating_sub(BASE_UNITS)
}
