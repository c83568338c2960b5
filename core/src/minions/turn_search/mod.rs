//! The staged search over whole turns of Minions (seeds 000 and 001): Monte-Carlo tree search in which every ply is
//! composed by stages. General and attacks come first and do not depend on each other, the split of money depends on
//! both, spawning on all three. Every stage keeps statistics of its candidates, which all turns that used them feed,
//! and makes a new candidate only when it is asked for one.
//!
//! Composing turns from candidates that are judged one by one is the sampling of Ontañón, "The combinatorial
//! multi-armed bandit problem and its application to real-time strategy games" (2013).

mod attack_families;
mod attack_stage;
mod backup;
mod candidates;
mod compact;
mod compose;
mod general_stage;
mod money_stage;
pub mod ports;
mod search;
mod shared_tree;
mod spawn_stage;
mod spell_finish;

use crate::minions::{Action, BOARD_CAP};

pub use attack_families::{DEFENCE, FAMILIES, FIRST_NOISE, PEACE, RESIGNATION, SPELLS};
pub use candidates::{BoardStages, Choice, NONE, Pool, Stages};
pub use compact::Kept;
pub use general_stage::{CHOICE_CAP, Choices, choices};
pub use search::{Report, Search};
pub use shared_tree::{Access, Forest, Line};
pub use spawn_stage::{FINISH_CAP, Finish, Style, finish};

use crate::search::tree::{Edge, Node};

/// Everything the search asks of others, one field for each port.
pub struct Team<E, A, P, S, G> {
    /// Judges positions.
    pub evaluator: E,
    /// Foretells attacks.
    pub prophet: A,
    /// Makes them legal.
    pub planner: P,
    /// Places units.
    pub spawner: S,
    /// Chooses techs.
    pub general: G,
}

/// What a turn is made of: one candidate of each stage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Picks {
    /// The general's choice.
    pub general: u32,
    /// Attack and finish of each board.
    pub boards: [(u32, u32); BOARD_CAP],
    /// How plausible the turn was when it was composed, as a share of the most plausible one: 0..=65,535.
    pub plausibility: u16,
    /// Whether the turn is known to win the game at once.
    pub wins: bool,
}

impl Picks {
    /// Whether these are the same candidates.
    pub fn same(&self, other: &Picks) -> bool {
        self.general == other.general && self.boards == other.boards
    }
}

impl Default for Picks {
    fn default() -> Self {
        Picks { general: NONE, boards: [(NONE, NONE); BOARD_CAP], plausibility: 0, wins: false }
    }
}

/// Switches and constants. Each switch takes one idea away, to measure what it is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Stages learn from the turns their candidates were part of; otherwise they go by their priors.
    pub feedback: bool,
    /// Attacks are asked for again with those known forbidden.
    pub fine: bool,
    /// Attacks are asked for with noise on the prophecy.
    pub coarse: bool,
    /// Candidates that are bad beyond doubt are dropped, and doubtful values count less.
    pub confidence: bool,
    /// Money is split by convolution; otherwise evenly.
    pub convolution: bool,
    /// Pieces are placed by assignment; otherwise one by one.
    pub assignment: bool,
    /// Equal positions share a node.
    pub transpositions: bool,
    /// Attacks on what threatens the own necromancer, or holds too many graveyards, are asked for.
    pub defence: bool,
    /// Spells are cast; otherwise never.
    pub spells: bool,
    /// The evaluator's opinion of techs counts beside the general's.
    pub counsel: bool,
    /// Boards in danger may be given up.
    pub resignation: bool,
    /// Weight of exploration in the choice of turns, in 1/65,536 of a win chance.
    pub exploration: u32,
    /// How many turns the position searched has: their square is at most this many quarters of its visits.
    pub breadth: u32,
    /// The same for those that follow. Few turns looked at again and again are worth more than many seen once.
    pub widening: u32,
    /// Noise on worths in the spawn stage, in hundredths of a soul.
    pub noise: i32,
    /// Turns looked ahead at most.
    pub depth: u8,
    /// Seed of everything that is left to chance.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            feedback: true,
            fine: true,
            coarse: true,
            confidence: true,
            convolution: true,
            assignment: true,
            transpositions: true,
            defence: true,
            spells: true,
            counsel: true,
            resignation: true,
            exploration: 20_000,
            breadth: 24,
            widening: 1,
            noise: 60,
            depth: 24,
            seed: 0,
        }
    }
}

/// The slices that a search works in. Their lengths bound what it can remember; none of them may be empty.
pub struct Memory<'m> {
    /// Positions.
    pub nodes: &'m mut [Node],
    /// Turns.
    pub edges: &'m mut [Edge<Picks>],
    /// Positions by key; twice as long as `nodes` is a good length.
    pub table: &'m mut [u32],
    /// Stages of positions that were expanded.
    pub stages: &'m mut [Stages],
    /// Candidates.
    pub choices: &'m mut [Choice],
    /// Their actions.
    pub actions: &'m mut [Action],
}
