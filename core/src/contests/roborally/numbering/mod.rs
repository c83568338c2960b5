//! Numbering of the programs of a hand, where programs with equal effects count once (seed 002, "The action space").
//!
//! [`Classes`] sorts a hand into equivalent cards, [`Sizes`] numbers the actions: densely from 0 to |A| - 1, which is
//! for tables and uniform draws, and by the paper's mixed radix with its errors corrected.

mod classes;
mod sampler;
mod shapes;
mod sizes;

pub use classes::{Classes, Program};
pub use sampler::ActionSampler;
pub use sizes::{Action, Sizes};

/// Most actions of a hand: 9! / 4!, when no two cards are equivalent.
pub const ACTION_CAP: usize = 15_120;
