//! Players by search and all that can be set of them.

use std::time::Duration;

use barrow_core::contests::roborally::bot::{
    ActionSpace, Evaluation, Odds, Others, PowerDownPolicy, Strategy, Weights,
};
use barrow_core::search::flat::Selection;
use barrow_core::search::smitsimax::Settings;

use super::budget::Budget;

/// A player by Monte-Carlo search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Search {
    /// Evaluation of positions at the end of playouts.
    pub evaluation: Evaluation,
    /// Strategy of playouts.
    pub strategy: Strategy,
    /// Weights of the evaluation of random search in playouts.
    pub weights: Weights,
    /// Depth of playouts in turns.
    pub depth: u32,
    /// Budget of a decision.
    pub budget: Budget,
    /// Selection of the next action to sample.
    pub selection: Selection,
    /// Action space.
    pub space: ActionSpace,
    /// Length of the shortlist of searched actions; 0 for all actions.
    pub focus: usize,
    /// Programs of the others that are drawn before the search, and that all actions meet; 0 for new ones in each
    /// playout.
    pub foresee: usize,
    /// When the robot powers down.
    pub power_down: PowerDownPolicy,
    /// Playouts that decide about power down and re-entry; `None` for the thresholds alone.
    pub power: Option<PowerAhead>,
    /// Threads of a decision, at least 1.
    pub threads: usize,
}

/// Playouts that decide about power down and re-entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PowerAhead {
    /// Turns of a playout.
    pub turns: u32,
    /// Most playouts of each choice.
    pub trials: u32,
    /// Least damage with which it is asked whether to announce.
    pub least: u8,
}

impl PowerAhead {
    /// The usual playouts.
    pub const USUAL: PowerAhead = PowerAhead { turns: 3, trials: 200, least: 2 };
}

/// Step that a node of SmitsiMax's trees stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Steps {
    /// A whole program.
    Programs,
    /// A card in a register.
    Registers,
}

/// A player by SmitsiMax.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ByTrees {
    /// Settings that the player has in common with Monte-Carlo search; selection and threads are not used.
    pub search: Search,
    /// How the other robots play in the search.
    pub others: Others,
    /// Constants of the trees.
    pub settings: Settings,
    /// Steps of the trees.
    pub steps: Steps,
}

impl Default for ByTrees {
    fn default() -> ByTrees {
        ByTrees {
            search: Search::by_odds(),
            others: Others::Policy,
            settings: Settings { random_visits: 10, exploration: 1 << 14 },
            steps: Steps::Programs,
        }
    }
}

/// Random actions that random search tries: the fast setting of the paper's program.
pub(super) const SAMPLES: u32 = 10;

impl Default for Search {
    fn default() -> Search {
        Search {
            evaluation: Evaluation::Hodgepodge(Weights::PAPER),
            strategy: Strategy::Search(SAMPLES),
            weights: Weights::PAPER,
            depth: 2,
            budget: Budget::Wall(Duration::from_millis(100)),
            selection: Selection::Uniform,
            space: ActionSpace::Classes,
            focus: 0,
            foresee: 0,
            power_down: PowerDownPolicy::USUAL,
            power: None,
            threads: 1,
        }
    }
}

impl Search {
    /// The player by rounds: a long shortlist, and one turn of each action against the same programs of the others,
    /// judged by the chance of winning.
    pub fn by_odds() -> Search {
        Search {
            evaluation: Evaluation::Odds(Odds::USUAL),
            strategy: Strategy::Best,
            depth: 1,
            selection: Selection::Halving,
            focus: 256,
            foresee: 256,
            ..Search::default()
        }
    }

    /// Whether the search asks for the tables of a robot alone.
    pub fn needs_solo(&self) -> bool {
        self.strategy == Strategy::Best
            || matches!(self.evaluation, Evaluation::Odds(_))
            || counts_rounds(&self.weights)
    }

    /// The player with other weights in evaluation and playouts.
    pub fn with_weights(self, weights: Weights) -> Search {
        Search { evaluation: Evaluation::Hodgepodge(weights), weights, ..self }
    }
}

/// Whether weights ask for the tables of a robot alone.
pub(super) fn counts_rounds(weights: &Weights) -> bool {
    weights.rounds != 0 || weights.lead != 0
}
