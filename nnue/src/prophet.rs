//! Death Prophet: which pieces an attack removes, and which stay out of it.

/// Contexts in each group: hexes, units, then three small groups. A piece has one context of each.
pub const GROUP_SIZES: [usize; 5] = [100, 34, 8, 8, 8];

/// Contexts of all groups.
pub const CONTEXTS: usize = 100 + 34 + 8 + 8 + 8;

/// Rows of Death Prophet: the contexts for each of its three outputs.
pub const PROPHET_ROWS: usize = 3 * CONTEXTS;
