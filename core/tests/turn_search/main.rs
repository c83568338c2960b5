//! Turn search with the attack planner of `barrow-solver` and the fallback policies: the turns that it lists, several
//! threads on one shared tree, and little memory.

mod card_turn;
mod extremes;
mod first_turn;
mod least_memory;
mod refinements;
mod shared_tree;
mod small_memory;
mod turns;

use barrow_core::minions::players::FallbackPolicies;
use barrow_core::minions::turn_search::ports::{Evaluator, JoinedPorts, Ports};
use barrow_solver::attack::Planner;

/// Ports with an evaluator, a planner in so many words, and the fallback policies.
fn fallback_ports<'m>(evaluator: impl Evaluator + 'm, words: &'m mut [u32]) -> impl Ports + 'm {
    JoinedPorts {
        evaluator,
        attack_policy: FallbackPolicies::default(),
        attack_planner: Planner::new(words),
        spawn_policy: FallbackPolicies::default(),
        general_policy: FallbackPolicies::default(),
    }
}
