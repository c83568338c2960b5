//! Fixed work with a clock: what the rules cost, and how fast and how a brain plays.

mod rules;
mod search;

pub use rules::{RulesReport, measure_rules};
pub use search::{SIGNED_NODES, SearchReport, measure_search};
