//! Fixed work with a clock: what the rules cost, and how fast and how a brain plays.

mod eval;
mod rules;
mod search;
mod tactics;
pub mod test_positions;

pub use eval::{EvalReport, ProfileReport, measure_eval};
pub use rules::{RulesReport, measure_rules};
pub use search::{SIGNED_NODES, SearchReport, measure_search};
pub use tactics::{TaskReport, measure_tactics};
