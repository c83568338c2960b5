//! Exact questions about an attack on one board. Whether an attack is good is asked elsewhere.
//!
//! [`Survey`] lists what an attack could consist of, [`AttackSolver`] turns wishes about its outcome into an
//! [`AttackPlan`] of actions that the game accepts (seeds 000 and 001). [`Prophecy`] makes such wishes,
//! [`AttackSolver::forbid`] and another plan refine them, [`perft`] counts.
//!
//! Every plan is playable and does what it says. Not every attack that the rules allow is found. Where a move is
//! made at once (ruleset `spooky`) the tests know no exception. Where it may be split (`server`) these are left out:
//! - more than one halt on the way, a halt on a hex that is still blocked when the piece sets out, and more halts to
//!   choose from than six a piece;
//! - a piece that steps aside without fighting and halts on its way.
//!
//! On 20,000 random crowded boards of up to six pieces a side (those with more than 4,000 situations to try were
//! passed over) the tests found what was missed. `spooky`: none of 41,453 sets of removals, none of 347,065 sets of
//! removals and fighters with their hexes, none of 155,895 minimal attacks. `server`: 6 of 35,711 (0.02 %), 171 of
//! 241,115 (0.07 %) and 66 of 114,319 (0.06 %).
//!
//! Furthermore, ways to a hex are not considered beyond the six smallest sets of enemies in the way, and who fights
//! is exact only with [`Economy::Landing`] or [`Economy::Needed`], because otherwise a friend that hits an enemy
//! already dead is left out. What those who do not fight do with their moves is no part of an attack, except where
//! they stand in the way.

mod approach;
mod encode;
mod evacuate;
mod ground;
mod halt;
mod matching;
mod perft;
mod planner;
mod port;
mod prophecy;
mod removal;
mod sink;
mod survey;

pub use matching::{Matching, match_pieces};
pub use perft::perft;
pub use planner::{
    AttackPlan, AttackSolver, PLAN_CAP, Planned, Sameness, Wish, limits_for, memory_for, plan_once,
};
pub use port::{PLANNER_WORDS, Planner};
pub use prophecy::{Chance, Prophecy, Wishes};
pub use survey::{Economy, MODE_CAP, PAIR_CAP, PIECE_CAP, SET_CAP, Survey};
