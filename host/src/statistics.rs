//! Constants of statistics that several reports share.

/// Standard errors on either side of an estimate that cover 95 % of a normal distribution.
pub const TWO_SIDED_95: f64 = 1.959_963_984_540_054;
