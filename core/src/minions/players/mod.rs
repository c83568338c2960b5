//! Hand-written players: whole turns chosen by rules of thumb, without a search over the opponent's replies.
//!
//! [`Random`] draws among legal actions and is the floor of every comparison. [`Greedy`] is the frozen baseline that
//! other players are measured against. [`FallbackPolicies`] serve the search where no net is loaded.
//!
//! `turn_draft` and `appraisal` hold what follows from the rules and serve all of them; `heuristics` holds judgements
//! that may improve. `greedy` is a leaf: it uses no heuristics, and of its files only [`Greedy`] is used elsewhere.
//! A test holds it to the signature of a thousand games.

mod appraisal;
mod brain;
mod fallback;
mod greedy;
pub mod heuristics;
mod random;
#[cfg(test)]
mod tests;
mod turn_draft;

pub use brain::Brain;
pub use fallback::{FallbackEvaluator, FallbackPolicies};
pub use greedy::Greedy;
pub use random::Random;
