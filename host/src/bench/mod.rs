//! Benchmarks: time and speed of rules, nets, attack planning and search on fixed positions, tactics solved,
//! optimism, and threads on one tree.

mod attack;
mod eval;
mod optimism;
mod rules;
mod search;
mod tactics;
pub mod test_positions;
mod threads;

pub use attack::{AttackReport, AttackTimer, Counts, Percentiles};
pub use eval::{EvalReport, ProfileReport, measure_eval};
pub use optimism::{OptimismReport, measure_optimism};
pub use rules::{RulesReport, measure_rules};
pub use search::{SIGNED_NODES, SearchReport, measure_search};
pub use tactics::{TaskReport, measure_answers, measure_tactics};
pub use threads::{ThreadsCount, ThreadsReport, measure_threads};
