//! Sizes that all profiles share.

use barrow_core::hex::Hex;
use barrow_core::search::value::KNOTS;

use super::unit_rows::{BASE_UNITS, later_units};

/// Values of a board's summary that the other boards see.
pub const EMBED: usize = 16;

/// Lanes of the accumulator of the general's features, for each perspective.
pub const GLOBAL: usize = 16;

/// Neurons of the joined layer, which brings a board, the other boards and the general together.
pub const HIDDEN: usize = 32;

/// Inputs of the joined layer: own summary, sum of the other summaries, the general seen from both sides.
pub const JOINED: usize = 2 * EMBED + 2 * GLOBAL;

/// Most lanes of an accumulator that narrow rows of any profile reach.
pub const MAX_NARROW: usize = 32;

/// Most neurons of the board layer of any profile.
pub const MAX_BOARD_LAYER: usize = 64;

/// Outputs of Oracle: four of their own, and one for each knot of the money curve.
pub const ORACLE_ROWS: usize = 4 + KNOTS.len();

/// Predictions of Death Prophet: killed, unsummoned, passive.
pub const PREDICTIONS: usize = 3;

/// Contexts of a piece in each group: places, the first [`BASE_UNITS`] unit types, numbers, forces, states.
pub const CONTEXT_GROUPS: [usize; 5] = [Hex::COUNT, BASE_UNITS, 8, 8, 8];

/// Contexts of all groups. Later unit types have the contexts from here on.
pub const CONTEXTS: usize = {
    let [places, units, numbers, forces, states] = CONTEXT_GROUPS;
    places + units + numbers + forces + states
};

/// Rows of Death Prophet for this many unit types: the contexts for each prediction, then the later unit types, each
/// with its predictions.
pub const fn prophet_rows(units: usize) -> usize {
    PREDICTIONS.saturating_mul(CONTEXTS.saturating_add(later_units(units)))
}

/// Most modes of Death Prophet.
pub const MODE_CAP: usize = 8;

/// Rows of Death Prophet's modes for this many unit types: for each mode those of Death Prophet and one for the logit of
/// the mode itself.
pub const fn mode_rows(modes: usize, units: usize) -> usize {
    modes.saturating_mul(prophet_rows(units).saturating_add(1))
}

/// Factors of a hex and of a unit type in Dark Seer; the sum of their products is the term of the pair.
pub const FACTORS: usize = 8;

/// Rows of Dark Seer for this many unit types: hexes and the first [`BASE_UNITS`] types for spawning, the same for
/// moving, then the later types, each for spawning and for moving.
pub const fn seer_rows(units: usize) -> usize {
    later_units(units).saturating_add(Hex::COUNT + BASE_UNITS).saturating_mul(2)
}

/// Rows of hex factors: spawning, then moving.
pub const HEX_FACTORS: usize = 2 * Hex::COUNT;

/// Rows of unit factors for this many unit types: the first [`BASE_UNITS`] types for spawning, the same for moving,
/// then the later types, each for spawning and for moving.
pub const fn unit_factors(units: usize) -> usize {
    later_units(units).saturating_add(BASE_UNITS).saturating_mul(2)
}

/// Groups of contexts of a place in Dark Seer: what stands near it, what threatens it, how far things are.
pub const PLACE_GROUPS: usize = 12;

/// Roles of units in Dark Seer, by which each group of contexts is split.
pub const PLACE_ROLES: usize = 5;

/// Levels of each group of contexts of a place.
pub const PLACE_LEVELS: usize = 8;

/// Contexts of a place for one purpose: groups, roles, levels, the last counting fastest.
pub const PLACE_CONTEXTS: usize = PLACE_GROUPS * PLACE_ROLES * PLACE_LEVELS;

/// Rows of the contexts of places: those for spawning, then those for moving.
pub const PLACE_ROWS: usize = 2 * PLACE_CONTEXTS;

/// Outputs of the general's net: the steps of a choice, numbered by [`Step`](crate::nets::general::Step).
pub const GENERAL_OUTPUTS: usize = 5;

/// Techs around a tech whose contexts the general's net reads: three before it in the order of the numbers, itself and
/// three behind it. Among them are all that it beats (1 and 2 before, 3 behind) and all that beat it.
pub const NEIGHBOURS: usize = 7;

/// Contexts of one neighbour in each group: levels of both sides, own units, enemy units.
pub const NEIGHBOUR_GROUPS: [usize; 3] = [9, 5, 5];

/// Contexts of a tech in each group besides those of its neighbours: the kinds of techs that every network has rows
/// for, and the distance to the front of the line.
pub const TECH_GROUPS: [usize; 2] = [BASE_UNITS + 3, 8];

/// Contexts of a position in each group, which all steps share. In order: boards; ruleset; then for the side to move
/// and for its opponent each souls, unit techs, special techs, missing points, front of the line and army; turn; tech
/// points.
pub const POSITION_GROUPS: [usize; 16] = [8, 1, 10, 10, 6, 6, 8, 8, 9, 9, 26, 26, 8, 8, 8, 4];

/// Rows of the general's net for the first [`BASE_UNITS`] unit types.
pub const GENERAL_ROWS: usize =
    NEIGHBOURS * sum(&NEIGHBOUR_GROUPS) + sum(&TECH_GROUPS) + sum(&POSITION_GROUPS);

/// Rows of the general's net for this many unit types: a later type's tech has one row, its kind.
pub const fn general_rows(units: usize) -> usize {
    later_units(units).saturating_add(GENERAL_ROWS)
}

/// Sum of the sizes of groups.
pub const fn sum(sizes: &[usize]) -> usize {
    let (mut total, mut rest) = (0_usize, sizes);
    while let [first, more @ ..] = rest {
        total = total.saturating_add(*first);
        rest = more;
    }
    total
}
