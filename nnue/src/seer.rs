//! Dark Seer: where units are placed and where pieces go.

/// Factors of a hex and of a unit whose products are added to their goodness together.
pub const FACTORS: usize = 8;

/// Rows of Dark Seer: hexes and units for spawning, then hexes and units for moving.
pub const SEER_ROWS: usize = 2 * (100 + 34);

/// Rows of hex factors: spawning, then moving.
pub const HEX_FACTORS: usize = 2 * 100;

/// Rows of unit factors: spawning, then moving.
pub const UNIT_FACTORS: usize = 2 * 34;
