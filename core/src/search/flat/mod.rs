//! Flat Monte-Carlo search over numbered actions (seed 002): a game is played out for some turns after an action, the
//! position reached is judged, and the action with the best mean is taken.
//!
//! The game is a [`FlatGame`]; its actions are numbers from 0. What is known of each lies in an [`Arm`] that the
//! caller lends. Which action is sampled next says [`Selection`]: any, as in the paper, or the most promising.

mod halving;
mod ucb;

use super::stats::{FULL_WEIGHT, Stats};
use super::value::EVEN;
use crate::rng::Rng;

/// A decision of one player in a game with simultaneous turns, hidden hands, or both.
pub trait FlatGame {
    /// A position between two turns.
    type State: Clone;

    /// The position in which the decision is made.
    fn root(&self) -> &Self::State;

    /// Number of actions to choose from.
    fn actions(&self) -> u32;

    /// Plays the first turn with this action; the others do what the playout strategy says.
    fn first_turn(&self, state: &mut Self::State, action: u32, dice: &mut Rng);

    /// Plays a turn in which everybody does what the playout strategy says.
    fn turn(&self, state: &mut Self::State, dice: &mut Rng);

    /// Whether the game is over.
    fn is_over(&self, state: &Self::State) -> bool;

    /// The judgement of a position, 0..=[`CERTAIN`](super::value::CERTAIN).
    fn value(&self, state: &Self::State) -> i32;
}

/// `SAMPLE-TERMINAL-STATE` of the paper (Algorithm 1), cut off after `depth` turns, at least one. Returns the turns
/// played with the state.
pub fn sample_terminal_state<G: FlatGame>(
    game: &G,
    action: u32,
    depth: u32,
    dice: &mut Rng,
) -> (G::State, u32) {
    let mut state = game.root().clone();
    game.first_turn(&mut state, action, dice);
    let mut turns = 1;
    while turns < depth && !game.is_over(&state) {
        game.turn(&mut state, dice);
        turns += 1;
    }
    (state, turns)
}

/// Which action is sampled next.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Selection {
    /// Any, each equally likely: the paper.
    #[default]
    Uniform,
    /// The one with the highest upper bound (UCB1); `exploration` is in 1/65,536 of a win chance.
    Ucb1 {
        /// The factor of the root in UCB1's bonus.
        exploration: u32,
    },
    /// Rounds of equal effort, after each of which the worse half is dropped.
    Halving,
}

/// How to search.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Options {
    /// Turns of a playout, the first one included.
    pub depth: u32,
    /// Which action is sampled next.
    pub selection: Selection,
}

/// Work done so far.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Effort {
    /// Playouts.
    pub playouts: u64,
    /// Turns in them.
    pub turns: u64,
}

/// What is known of one action, 32 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Arm {
    /// Values of its playouts.
    pub stats: Stats,
    /// Of the selection in use.
    pub(super) key: i32,
    pub(super) link: u32,
}

/// What a search found.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Report {
    /// The best of the actions sampled; 0 if none was.
    pub action: u32,
    /// Its mean value.
    pub value: i32,
    /// The work done.
    pub effort: Effort,
}

/// Fewer arms were lent than there are actions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TooFewArms;

/// One search: the game, the arms of its actions, and the work done.
pub(super) struct Run<'a, G, S> {
    game: &'a G,
    depth: u32,
    arms: &'a mut [Arm],
    dice: &'a mut Rng,
    effort: Effort,
    spent: S,
}

/// The share of the budget at which it is used up.
pub const ALL_SPENT: u32 = 1 << 16;

/// Searches until `spent` says that the work done has used up the budget, that is, returns [`ALL_SPENT`] or more.
/// What it returns below that should grow evenly with the budget used. Arms are overwritten; those of actions can be
/// read afterwards.
pub fn search<G: FlatGame>(
    game: &G,
    options: Options,
    arms: &mut [Arm],
    dice: &mut Rng,
    spent: impl FnMut(Effort) -> u32,
) -> Result<Report, TooFewArms> {
    let count = game.actions() as usize;
    let arms = arms.get_mut(..count).ok_or(TooFewArms)?;
    arms.fill(Arm::default());
    let mut run = Run { game, depth: options.depth.max(1), arms, dice, effort: Effort::default(), spent };
    let best = match options.selection {
        // Nothing to choose between: nothing to find out.
        _ if count < 2 => None,
        Selection::Uniform => {
            while run.spent() < ALL_SPENT {
                let action = run.dice.below(count as u32) as usize;
                run.sample(action);
            }
            best_mean(run.arms)
        }
        Selection::Ucb1 { exploration } => run.ucb1(exploration),
        Selection::Halving => run.halve(),
    };
    let action = best.unwrap_or(0);
    let value = run.arms.get(action).map_or(EVEN, |arm| arm.stats.mean());
    Ok(Report { action: action as u32, value, effort: run.effort })
}

/// The arm with the largest mean among those sampled; of equals the one sampled more often, then the first.
fn best_mean(arms: &[Arm]) -> Option<usize> {
    let sampled = arms.iter().enumerate().filter(|(_, arm)| arm.stats.visits() > 0);
    sampled
        .max_by_key(|(place, arm)| (arm.stats.mean(), arm.stats.visits(), usize::MAX - place))
        .map(|best| best.0)
}

impl<G: FlatGame, S: FnMut(Effort) -> u32> Run<'_, G, S> {
    fn spent(&mut self) -> u32 {
        (self.spent)(self.effort)
    }

    fn sample(&mut self, action: usize) {
        let (state, turns) = sample_terminal_state(self.game, action as u32, self.depth, self.dice);
        self.effort.playouts += 1;
        self.effort.turns += u64::from(turns);
        let value = self.game.value(&state);
        if let Some(arm) = self.arms.get_mut(action) {
            arm.stats.add(value, FULL_WEIGHT);
        }
    }
}

#[cfg(test)]
mod tests;
