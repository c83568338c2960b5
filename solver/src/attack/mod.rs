//! The attack model: exact questions about an attack on one board. Whether an attack is good is asked elsewhere.
//!
//! [`AttackModel`] lists everything an attack could consist of, and [`AttackSolver`] turns goals for its outcome into
//! an [`AttackPlan`] of actions that the game accepts (seeds 000 and 001). [`AttackSolver::forbid`] and another plan
//! refine an attack, [`perft`] counts attacks.
//!
//! [`AttackSolver::best_plan`] plans within a budget and says how far its plan is proved the best.
//!
//! Every plan is playable and does what it says. Whether every attack that the rules allow is found can only be
//! tested. On 20,000 random crowded boards of up to six pieces a side (those with more than 4,000 situations to try
//! were passed over), about half of them under each ruleset, none of 77,164 sets of removals, none of 195,289 sets of
//! removals and fighters, none of 588,180 of these with the fighters' hexes, and none of 270,214 minimal attacks was
//! missed; and of 399,560 questions such as "can these be killed, that one be spared, this one not fight but go there,
//! all together" each was answered as the rules answer it, 269,610 times with yes.
//!
//! ```
//! use barrow_core::hex::Hex;
//! use barrow_core::minions::{Ruleset, UndoLog, text::fen};
//! use barrow_solver::attack::{
//!     AttackModel, AttackSolver, Equivalence, Goal, OrdinaryRoom, PlanAnswer, memory_for,
//! };
//!
//! // A warg on c4, a zombie of the enemy on d4.
//! let config = fen::parse_config("1 MidnightLake S,P,W", Ruleset::Server)?;
//! let mut game = fen::parse("0|0 0|0 LLL|LLL n|||||0/0/2N7/0/2Wz6/0/0/7n2/0/0 0 5", &config)?;
//! let (warg, zombie) = (Hex::named("c4").unwrap(), Hex::named("d4").unwrap());
//!
//! let mut room = OrdinaryRoom::new();
//! let model = AttackModel::new(&game.view(0).unwrap(), &mut room)?;
//! let mut memory = vec![0; memory_for(&model)?];
//! let mut solver = AttackSolver::prepare(&model, &mut memory)?;
//!
//! // What matters most comes first; the second goal excludes nothing that the first needs.
//! let goals = [Goal::Remove(zombie), Goal::FightFrom(warg, Hex::named("c5").unwrap())];
//! let best = solver.best_plan(&goals, 100_000)?;
//! assert!(best.is_proved() && best.plan.killed.contains(zombie));
//! assert!(goals.iter().all(|&goal| solver.grants(goal)));
//!
//! // Another plan, which removes something else: here nothing.
//! solver.forbid(Equivalence::Removals)?;
//! let PlanAnswer::Plan(other) = solver.plan(&goals, 100)? else { panic!("there is one") };
//! assert!(other.killed.is_empty());
//!
//! // The game accepts the actions in their order.
//! let mut rest = &best.plan.actions[..];
//! while !rest.is_empty() {
//!     rest = &rest[game.apply_next(0, rest, &mut UndoLog::off())?..];
//! }
//! assert_eq!(game.view(0).unwrap().board.piece(zombie), None);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Omissions by design:
//! - Where moves may be split (ruleset `server`) and so many pieces are in contact that their stopovers do not fit, no
//!   stopovers are considered ([`AttackModel::is_complete`]).
//! - Which friends fight is exact only with [`OverkillPolicy::AllHitsLand`] or [`OverkillPolicy::AllHitsNeeded`]:
//!   otherwise a friend that hits an enemy already dead is left out.
//! - Moves of friends that do not fight are no part of an attack, except of those that stand in the way and of those
//!   that the model was asked to move ([`AttackModel::with_movers`]); a teleporter takes them only to hexes that are
//!   free already.

mod anytime;
mod constraint_sink;
mod elements;
mod encode;
mod fighters;
mod lists;
mod lits;
mod long_search;
mod margin;
mod matching;
mod model;
mod numbering;
mod occupancy;
mod path_constraints;
mod perft;
mod plan;
#[cfg(feature = "proof")]
mod proof;
mod reach;
mod recording;
mod search_port;
mod step_aside;
mod stopover;
mod target_constraints;

pub use anytime::BestPlan;
pub use elements::{Foe, Friend, Mode, Pair};
pub use lists::{FixedRoom, LargeRoom, ModelLists, ModelRoom, OrdinaryRoom, SmallRoom};
pub use matching::{Matching, match_pieces};
pub use model::{AttackModel, OverkillPolicy, PIECE_CAP};
pub use perft::perft;
pub use plan::{AttackPlan, AttackSolver, Equivalence, Goal, PLAN_CAP, PlanAnswer, limits_for, memory_for};
pub use search_port::{PLANNER_WORDS, Planner, PlannerWorkspace};
