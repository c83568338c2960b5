//! All sizes of the networks: those of one [`Profile`], those that every network shares, and the rows of unit types.

mod profile;
mod sizes;
mod unit_rows;

pub use self::profile::{Desktop, Handheld, Lanes, Profile, Tiny, Trunk, ceiling};
pub use self::sizes::{
    CONTEXT_GROUPS, CONTEXTS, EMBED, FACTORS, GENERAL_OUTPUTS, GENERAL_ROWS, GLOBAL, HEX_FACTORS, HIDDEN,
    JOINED, MAX_BOARD_LAYER, MAX_NARROW, MODE_CAP, NEIGHBOUR_GROUPS, NEIGHBOURS, ORACLE_ROWS, PLACE_CONTEXTS,
    PLACE_GROUPS, PLACE_LEVELS, PLACE_ROLES, PLACE_ROWS, POSITION_GROUPS, PREDICTIONS, TECH_GROUPS,
    general_rows, mode_rows, prophet_rows, seer_rows, sum, unit_factors,
};
pub use self::unit_rows::{BASE_LINE_PLACES, BASE_UNITS, UNIT_CAP, UNITS, later_unit, later_units};
