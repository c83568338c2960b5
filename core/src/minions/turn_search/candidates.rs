//! What the stages of all positions remember: candidates with their statistics, in slices that the caller lends.
//! A candidate names its actions by their place in one long list.

use super::ports::Outline;
use crate::minions::{Action, BOARD_CAP};
use crate::search::stats::Stats;
use crate::search::value::Curve;

/// No candidate.
pub const NONE: u32 = u32::MAX;

/// A candidate of one stage of one position.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// What came of the turns it was part of, for the side to move; begins with its prior.
    pub stats: Stats,
    /// The next candidate of the same stage.
    pub next: u32,
    /// Of an attack: the first of the finishes found for it.
    pub below: u32,
    /// Its actions.
    pub first: u32,
    /// Their number.
    pub len: u16,
    /// Plausibility before anything was tried, 0..=65,535.
    pub prior: u16,
    /// Of a finish: souls it was given. Of a sum of money: its knot.
    pub given: u16,
    /// Of a finish: souls it spends.
    pub spent: u16,
    /// Of an attack: the prophecy it came from.
    pub family: u8,
    /// Bad beyond doubt; never chosen again.
    pub pruned: bool,
    /// Of an attack: the evaluator has not been asked yet.
    pub unjudged: bool,
    /// Of an attack: its outline.
    pub outline: Outline,
    /// Of an attack: what souls are worth on the board after it.
    pub curve: Curve,
    /// Scratch of the move to a new root, else `NONE`.
    pub(super) link: u32,
}

impl Choice {
    /// A free place.
    pub const EMPTY: Choice = Choice {
        stats: Stats::EMPTY,
        next: NONE,
        below: NONE,
        first: 0,
        len: 0,
        prior: 0,
        given: 0,
        spent: 0,
        family: 0,
        pruned: false,
        unjudged: false,
        outline: Outline {
            killed: crate::hex::HexSet::EMPTY,
            unsummoned: crate::hex::HexSet::EMPTY,
            fighters: crate::hex::HexSet::EMPTY,
        },
        curve: [0; 8],
        link: NONE,
    };

    /// The same, first in a list that went on with `next`.
    pub const fn before(self, next: u32) -> Choice {
        Choice { next, ..self }
    }
}

/// The stages of one board of one position.
#[derive(Clone, Copy, Debug)]
pub struct BoardStages {
    /// The first attack candidate.
    pub attacks: u32,
    /// The first sum of money that was tried.
    pub money: u32,
    /// Candidates asked for so far, for seeds and families.
    pub asked: u8,
    /// Families without further attacks, as bits.
    pub exhausted: u16,
    /// No attack is left that was not found.
    pub complete: bool,
}

impl BoardStages {
    const EMPTY: BoardStages =
        BoardStages { attacks: NONE, money: NONE, asked: 0, exhausted: 0, complete: false };
}

/// The stages of one position.
#[derive(Clone, Copy, Debug)]
pub struct Stages {
    /// The first choice of the general.
    pub general: u32,
    /// Whether all choices of the general are listed, or being listed; before, only that of a whole turn is there.
    pub listed: bool,
    /// The boards.
    pub boards: [BoardStages; BOARD_CAP],
    /// Scratch of the move to a new root, else `NONE`.
    pub(super) link: u32,
}

impl Stages {
    /// Nothing has been tried.
    pub const EMPTY: Stages =
        Stages { general: NONE, listed: false, boards: [BoardStages::EMPTY; BOARD_CAP], link: NONE };
}

/// The lent slices and how much of them is in use.
pub struct Pool<'m> {
    pub(super) stages: &'m mut [Stages],
    pub(super) choices: &'m mut [Choice],
    pub(super) actions: &'m mut [Action],
    pub(super) used: [usize; 3],
}

impl<'m> Pool<'m> {
    /// An empty pool.
    pub fn new(stages: &'m mut [Stages], choices: &'m mut [Choice], actions: &'m mut [Action]) -> Pool<'m> {
        Pool { stages, choices, actions, used: [0; 3] }
    }

    /// Candidates that fit in all.
    pub fn capacity(&self) -> usize {
        self.choices.len()
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.used = [0; 3];
    }

    /// Whether this many stages, candidates and actions would fit.
    pub fn has_room(&self, stages: usize, choices: usize, actions: usize) -> bool {
        let [used_stages, used_choices, used_actions] = self.used;
        used_stages + stages <= self.stages.len()
            && used_choices + choices <= self.choices.len()
            && used_actions + actions <= self.actions.len()
    }

    /// Use of the slice that is fullest, in thousandths.
    pub fn fullness(&self) -> u32 {
        let sizes = [self.stages.len(), self.choices.len(), self.actions.len()];
        let shares = self.used.iter().zip(sizes).map(|(&used, size)| (used * 1000 / size.max(1)) as u32);
        shares.max().unwrap_or(0)
    }

    /// The stages of a position; untouched ones when the index is out of range.
    pub fn stages(&self, index: u32) -> &Stages {
        self.stages.get(index as usize).unwrap_or(&Stages::EMPTY)
    }

    /// The stages of a position, to change.
    pub fn stages_mut(&mut self, index: u32) -> Option<&mut Stages> {
        self.stages.get_mut(index as usize)
    }

    /// Room for the stages of one more position.
    pub fn add_stages(&mut self) -> Option<u32> {
        let index = self.used[0];
        *self.stages.get_mut(index)? = Stages::EMPTY;
        self.used[0] += 1;
        Some(index as u32)
    }

    /// A candidate; an empty one when the index is out of range.
    pub fn choice(&self, index: u32) -> &Choice {
        self.choices.get(index as usize).unwrap_or(&Choice::EMPTY)
    }

    /// A candidate, to change.
    pub fn choice_mut(&mut self, index: u32) -> Option<&mut Choice> {
        self.choices.get_mut(index as usize)
    }

    /// Stores a candidate with its actions.
    pub fn add_choice(&mut self, choice: Choice, actions: impl IntoIterator<Item = Action>) -> Option<u32> {
        let first = self.used[2];
        let mut end = first;
        for action in actions {
            *self.actions.get_mut(end)? = action;
            end += 1;
        }
        let index = self.used[1];
        *self.choices.get_mut(index)? = Choice { first: first as u32, len: (end - first) as u16, ..choice };
        self.used[1] += 1;
        self.used[2] = end;
        Some(index as u32)
    }

    /// The actions of a candidate.
    pub fn actions(&self, index: u32) -> &[Action] {
        let choice = self.choice(index);
        let first = choice.first as usize;
        self.actions.get(first..first + usize::from(choice.len)).unwrap_or(&[])
    }

    /// The candidates of a list.
    pub fn list(&self, first: u32) -> impl Iterator<Item = (u32, &Choice)> + '_ {
        let mut at = first;
        core::iter::from_fn(move || {
            let index = at;
            let choice = self.choices.get(index as usize).filter(|_| index != NONE)?;
            at = choice.next;
            Some((index, choice))
        })
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use crate::minions::GeneralAction;

    #[test]
    fn what_does_not_fit_is_not_stored() {
        let mut stages = [Stages::EMPTY; 1];
        let mut choices = [Choice::EMPTY; 2];
        let mut actions = [Action::General(GeneralAction::March); 3];
        let mut pool = Pool::new(&mut stages, &mut choices, &mut actions);
        assert!(pool.has_room(1, 2, 3) && !pool.has_room(2, 0, 0));
        assert_eq!(pool.add_stages(), Some(0));
        assert_eq!(pool.add_stages(), None);
        let sale = Action::General(GeneralAction::Sell);
        let first = pool.add_choice(Choice::EMPTY, [sale; 2]).unwrap();
        assert_eq!(pool.add_choice(Choice::EMPTY, [sale; 2]), None);
        let second = pool.add_choice(Choice { next: first, ..Choice::EMPTY }, [sale]).unwrap();
        assert_eq!(pool.actions(first), [sale; 2]);
        assert_eq!(pool.list(second).map(|(index, _)| index).collect::<std::vec::Vec<_>>(), [second, first]);
        assert_eq!(pool.fullness(), 1000);
        assert_eq!(pool.choice(77).len, 0);
        assert!(pool.list(NONE).next().is_none());
    }
}
