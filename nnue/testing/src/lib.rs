//! Development crate: random weight tables of a network ([`weights`]), and a differential test of incremental
//! accumulators against sums computed from the position ([`incremental`]).

#![forbid(unsafe_code)]
// A test stops at the first fault.
#![allow(clippy::missing_panics_doc)]

pub mod incremental;
pub mod weights;
