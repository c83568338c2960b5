//! Exact questions about an attack on one board. Whether an attack is good is asked elsewhere.
//!
//! [`Survey`] lists what an attack could consist of, [`AttackSolver`] turns wishes about its outcome into an
//! [`AttackPlan`] of actions that the game accepts (seeds 000 and 001).

mod approach;
mod encode;
mod evacuate;
mod ground;
mod halt;
mod matching;
mod perft;
mod planner;
mod prophecy;
mod removal;
mod sink;
mod survey;

pub use matching::{Matching, match_pieces};
pub use perft::perft;
pub use planner::{
    AttackPlan, AttackSolver, PLAN_CAP, Planned, Sameness, Wish, limits_for, memory_for, plan_once,
};
pub use prophecy::{Chance, Prophecy, Wishes};
pub use survey::{Economy, MODE_CAP, PAIR_CAP, PIECE_CAP, SET_CAP, Survey};
