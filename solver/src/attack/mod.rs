//! Exact questions about an attack on one board. Whether an attack is good is asked elsewhere.
//!
//! [`Survey`] lists what an attack could consist of, [`AttackSolver`] turns wishes about its outcome into an
//! [`AttackPlan`] of actions that the game accepts (seeds 000 and 001). [`Prophecy`] makes such wishes,
//! [`AttackSolver::forbid`] and another plan refine them, [`perft`] counts.
//!
//! Every plan is playable and does what it says. Whether every attack that the rules allow is found can only be
//! tested. On 20,000 random crowded boards of up to six pieces a side (those with more than 4,000 situations to try
//! were passed over), about half of them under each ruleset, none of 77,164 sets of removals, none of 195,289 sets of
//! removals and fighters, none of 588,180 of these with the fighters' hexes, and none of 270,214 minimal attacks was
//! missed; and of 399,560 questions such as "can these be killed, that one be spared, this one not fight but go there,
//! all together" each was answered as the rules answer it, 269,610 times with yes.
//!
//! What is left out is left out by design: where moves may be split (ruleset `server`) and so many pieces are in
//! contact that their halts do not fit, they do not halt ([`Survey::is_complete`]). Who fights is exact only with
//! [`Economy::Landing`] or [`Economy::Needed`], because otherwise a friend that hits an enemy already dead is left
//! out. What those who do not fight do with their moves is no part of an attack, except where they stand in the way,
//! or the survey is told that it matters ([`Survey::with_movers`]); then they use a teleporter only for hexes that
//! are free already.

mod constraint_sink;
mod encode;
mod matching;
mod model;
mod occupancy;
mod path_constraints;
mod perft;
mod plan;
mod prophecy;
mod reach;
mod recording;
mod search_port;
mod step_aside;
mod stopover;
mod target_constraints;

pub use matching::{Matching, match_pieces};
pub use model::{Economy, MODE_CAP, PAIR_CAP, PIECE_CAP, SET_CAP, Survey};
pub use perft::perft;
pub use plan::{
    AttackPlan, AttackSolver, PLAN_CAP, Planned, Sameness, Wish, limits_for, memory_for, plan_once,
};
pub use prophecy::{Chance, Prophecy, Wishes};
pub use search_port::{PLANNER_WORDS, Planner};
