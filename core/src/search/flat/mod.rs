//! Flat Monte-Carlo search over numbered actions (seed 002): a game is played out for some turns after an action, the
//! final position is evaluated, and the action with the best mean value is chosen.
//!
//! The game is a [`FlatGame`]; its actions are numbers from 0. The statistics of each are an [`Arm`] in memory that
//! the caller lends. [`Selection`] decides which action is sampled next: any, as in the paper, or the most promising.

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

    /// Plays the first turn with this action; the other players follow the playout strategy. `sample` counts the
    /// playouts of the action before this one: a game that gives equal samples of all actions equal chances makes
    /// their difference surer.
    fn first_turn(&self, state: &mut Self::State, action: u32, sample: u32, dice: &mut Rng);

    /// Plays a turn in which all players follow the playout strategy.
    fn turn(&self, state: &mut Self::State, dice: &mut Rng);

    /// Whether the game is over.
    fn is_over(&self, state: &Self::State) -> bool;

    /// Value of a position, 0..=[`CERTAIN`](super::value::CERTAIN).
    fn value(&self, state: &Self::State) -> i32;
}

/// Turns of a playout between two questions whether to cut it off: playouts of usual depth are never cut off.
const UNCUT_TURNS: u32 = 16;

/// `SAMPLE-TERMINAL-STATE` of the paper (Algorithm 1) for an action and the number of its sample, cut off after `depth`
/// turns, at least one, or where `is_late` says so of the turns played, which it is asked after every sixteenth.
/// Returns the turns played with the state.
pub fn sample_terminal_state<G: FlatGame>(
    game: &G,
    (action, sample): (u32, u32),
    depth: u32,
    dice: &mut Rng,
    mut is_late: impl FnMut(u32) -> bool,
) -> (G::State, u32) {
    let mut state = game.root().clone();
    game.first_turn(&mut state, action, sample, dice);
    let mut turns = 1;
    while turns < depth && !game.is_over(&state) {
        if turns.is_multiple_of(UNCUT_TURNS) && is_late(turns) {
            break;
        }
        game.turn(&mut state, dice);
        turns += 1;
    }
    (state, turns)
}

/// Rule by which the next action to sample is selected.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Selection {
    /// Every action is equally likely, as in the paper.
    #[default]
    Uniform,
    /// The action with the highest upper bound (UCB1); `exploration` is in 1/65,536 of a win chance.
    Ucb1 {
        /// Exploration constant of UCB1, in 1/65,536 of a win chance.
        exploration: u32,
    },
    /// Sequential halving: rounds of equal effort, after each of which the worse half is dropped.
    Halving,
}

/// Constants of a flat search.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Options {
    /// Turns of a playout, the first one included.
    pub depth: u32,
    /// Rule by which the next action to sample is selected.
    pub selection: Selection,
}

/// Work done so far.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Effort {
    /// Playouts.
    pub playouts: u64,
    /// Turns of all playouts.
    pub turns: u64,
}

/// Statistics of one action, 32 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Arm {
    /// Values of the playouts that began with the action.
    pub stats: Stats,
    /// Sort key of the selection in use.
    pub(super) key: i32,
    pub(super) link: u32,
}

/// Result of a flat search.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Report {
    /// Best of the sampled actions; 0 if none was sampled.
    pub action: u32,
    /// Mean value of the best action.
    pub value: i32,
    /// The work done.
    pub effort: Effort,
}

/// Error of a search whose slice of arms is shorter than the number of actions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TooFewArms;

/// Search: the game, the arms of its actions, and the work done.
pub(super) struct Run<'a, G, S> {
    game: &'a G,
    depth: u32,
    arms: &'a mut [Arm],
    dice: &'a mut Rng,
    effort: Effort,
    spent: S,
}

/// Share of the budget that stands for all of it.
pub const ALL_SPENT: u32 = 1 << 16;

/// Searches until `spent`, the share of the budget used by the work done, is [`ALL_SPENT`] or more; a long playout is
/// then cut off and judged where it stands. Shares below that should grow evenly with the budget used, whether that is
/// playouts, turns or time. Arms are overwritten; afterwards they hold the statistics of the actions.
///
/// ```
/// use barrow_core::rng::Rng;
/// use barrow_core::search::flat::{ALL_SPENT, Arm, Effort, FlatGame, Options, Selection, search};
/// use barrow_core::search::value::CERTAIN;
/// /// One, two or three dice are thrown; a one among them makes all worthless.
/// struct Dice;
/// impl FlatGame for Dice {
///     type State = i32;
///     fn root(&self) -> &i32 {
///         &0
///     }
///     fn actions(&self) -> u32 {
///         3
///     }
///     fn first_turn(&self, points: &mut i32, action: u32, _sample: u32, dice: &mut Rng) {
///         let thrown: Vec<i32> = (0..=action).map(|_| 1 + dice.below(6) as i32).collect();
///         *points = if thrown.contains(&1) { 0 } else { thrown.iter().sum() };
///     }
///     fn turn(&self, _: &mut i32, _: &mut Rng) {}
///     fn is_over(&self, _: &i32) -> bool {
///         true
///     }
///     fn value(&self, points: &i32) -> i32 {
///         points * CERTAIN / 18
///     }
/// }
/// let options = Options { depth: 1, selection: Selection::Halving };
/// let playouts = |effort: Effort| (effort.playouts * u64::from(ALL_SPENT) / 20_000) as u32;
/// let report = search(&Dice, options, &mut [Arm::default(); 3], &mut Rng::new(1), playouts).unwrap();
/// // Three dice bring 6.9 points on average, two 5.6, one 3.3.
/// assert_eq!((report.action, report.effort.playouts), (2, 20_000));
/// ```
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

/// The sampled arm with the largest mean; of equals the arm with more samples, then the first.
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
        let Effort { playouts, turns } = self.effort;
        let spent = &mut self.spent;
        let is_late = |more| spent(Effort { playouts, turns: turns + u64::from(more) }) >= ALL_SPENT;
        let sample = self.arms.get(action).map_or(0, |arm| arm.stats.visits());
        let numbers = (action as u32, sample);
        let (state, turns) = sample_terminal_state(self.game, numbers, self.depth, self.dice, is_late);
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
