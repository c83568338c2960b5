//! Benchmarks: time and speed of rules, nets, attack planning and search on fixed positions, tactics solved, and optimism.

mod attack;
mod eval;
mod optimism;
mod rules;
mod search;
mod tactics;
pub mod test_positions;

pub use attack::{AttackReport, AttackTimer, Counts, Percentiles};
pub use eval::{EvalReport, ProfileReport, measure_eval};
pub use optimism::{OptimismReport, measure_optimism};
pub use rules::{RulesReport, measure_rules};
pub use search::{SIGNED_NODES, SearchReport, measure_search};
pub use tactics::{TaskReport, measure_tactics};
