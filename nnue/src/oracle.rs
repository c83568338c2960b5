//! Oracle: what a position is worth.

/// Outputs of Oracle.
pub const ORACLE_ROWS: usize = 12;
