//! Candidates of the stages of all positions, with their statistics, in slices that the caller lends: one slice for
//! each type of candidate, and one for the actions of all.

use super::arena::{Arena, Index, Slot};
use super::candidate_usage::{CandidateUsage, Demand};
use super::card_progress::CardProgress;
use super::family::{Family, FamilySet};
use super::main_effect::MainEffect;
use super::ports::Outline;
use crate::hex::HexSet;
use crate::minions::{Action, BOARD_CAP};
use crate::search::stats::Stats;
use crate::search::value::{Curve, KNOTS};

/// Index of a general candidate.
pub type GeneralIndex = Index<GeneralCandidate>;

/// Index of an attack candidate.
pub type AttackIndex = Index<AttackCandidate>;

/// Index of a money candidate.
pub type MoneyIndex = Index<MoneyCandidate>;

/// Index of a spawn candidate.
pub type SpawnIndex = Index<SpawnCandidate>;

/// Actions of a candidate: a range of the slice of all actions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ActionRange {
    pub(super) first: u32,
    pub(super) len: u16,
}

impl ActionRange {
    const EMPTY: ActionRange = ActionRange { first: 0, len: 0 };
}

/// A choice of the general in one position: techs, extra spells and cards.
#[derive(Clone, Copy, Debug)]
pub struct GeneralCandidate {
    /// Statistics of the turns with this candidate, for the side to move, on top of the prior.
    pub stats: Stats,
    /// Main effect: what the candidate adds to the values of turns, whatever the others are.
    pub(super) main_effect: MainEffect,
    /// Actions of the general.
    pub actions: ActionRange,
    /// Plausibility before any visit, 0..=65,535.
    pub prior: u16,
}

impl GeneralCandidate {
    /// A candidate without visits and actions.
    pub const EMPTY: GeneralCandidate = GeneralCandidate {
        stats: Stats::EMPTY,
        main_effect: MainEffect::NONE,
        actions: ActionRange::EMPTY,
        prior: 0,
    };
}

/// An attack on one board.
#[derive(Clone, Copy, Debug)]
pub struct AttackCandidate {
    /// Statistics of the turns with this candidate, for the side to move, on top of the prior.
    pub stats: Stats,
    /// Main effect: what the candidate adds to the values of turns, whatever the others are.
    pub(super) main_effect: MainEffect,
    /// Actions on the board up to the last one of the attack.
    pub actions: ActionRange,
    /// The newest of the spawn candidates that follow this attack.
    pub spawns: SpawnIndex,
    /// Plausibility as a share of all attacks of the board, 0..=65,535.
    pub prior: u16,
    /// Family of the request that the attack answers.
    pub family: Family,
    /// Whether the attack is bad beyond doubt, so that it is never chosen again.
    pub pruned: bool,
    /// Whether the evaluator has valued the attack; `curve` counts only then.
    pub evaluated: bool,
    /// Enemies removed and friends fighting.
    pub outline: Outline,
    /// Win chance for each of the [`KNOTS`] of money spent on the board after the attack.
    pub curve: Curve,
}

impl AttackCandidate {
    /// A candidate without visits and actions, not evaluated.
    pub const EMPTY: AttackCandidate = AttackCandidate {
        stats: Stats::EMPTY,
        main_effect: MainEffect::NONE,
        actions: ActionRange::EMPTY,
        spawns: Index::NONE,
        prior: 0,
        family: Family::Foretold,
        pruned: false,
        evaluated: false,
        outline: Outline { killed: HexSet::EMPTY, unsummoned: HexSet::EMPTY, fighters: HexSet::EMPTY },
        curve: [0; KNOTS.len()],
    };
}

/// A sum of money for one board, rounded down to a knot.
#[derive(Clone, Copy, Debug)]
pub struct MoneyCandidate {
    /// Statistics of the turns that gave the board this much, for the side to move.
    pub stats: Stats,
    /// Context of the sum: what the other candidates add to the values of these turns.
    pub(super) main_effect: MainEffect,
    /// Index of one of the [`KNOTS`].
    pub knot: u8,
}

impl MoneyCandidate {
    /// The candidate of no money, without visits.
    pub const EMPTY: MoneyCandidate =
        MoneyCandidate { stats: Stats::EMPTY, main_effect: MainEffect::NONE, knot: 0 };
}

/// Actions of a board after its attack: moves, spells and units placed.
#[derive(Clone, Copy, Debug)]
pub struct SpawnCandidate {
    /// Statistics of the turns with this candidate, for the side to move.
    pub stats: Stats,
    /// Actions on the board after the attack.
    pub actions: ActionRange,
    /// The general candidate that the actions were composed with.
    pub general: GeneralIndex,
    /// Souls that the board was given.
    pub given: u16,
    /// Souls that the actions spend.
    pub spent: u16,
}

impl SpawnCandidate {
    /// A candidate without visits and actions.
    pub const EMPTY: SpawnCandidate = SpawnCandidate {
        stats: Stats::EMPTY,
        actions: ActionRange::EMPTY,
        general: Index::NONE,
        given: 0,
        spent: 0,
    };
}

/// A candidate of any of the four types.
pub trait StageCandidate: Copy + 'static {
    /// A candidate without visits and actions, in place of one that is not there.
    const NONE: &'static Self;

    /// The slice of this type.
    fn arena<'c, 'm>(candidates: &'c Candidates<'m>) -> &'c Arena<'m, Self>;

    /// The slice of this type, to change.
    fn arena_mut<'c, 'm>(candidates: &'c mut Candidates<'m>) -> &'c mut Arena<'m, Self>;

    /// The statistics, to update.
    fn stats_mut(&mut self) -> &mut Stats;

    /// The actions; none where a type has no actions.
    fn actions(&self) -> ActionRange {
        ActionRange::EMPTY
    }

    /// Sets the actions; without effect where a type has no actions.
    fn set_actions(&mut self, _actions: ActionRange) {}
}

macro_rules! candidate {
    ($name:ident, $slice:ident $(, $actions:ident)?) => {
        impl StageCandidate for $name {
            const NONE: &'static $name = &$name::EMPTY;

            fn arena<'c, 'm>(candidates: &'c Candidates<'m>) -> &'c Arena<'m, $name> {
                &candidates.$slice
            }

            fn arena_mut<'c, 'm>(candidates: &'c mut Candidates<'m>) -> &'c mut Arena<'m, $name> {
                &mut candidates.$slice
            }

            fn stats_mut(&mut self) -> &mut Stats {
                &mut self.stats
            }

            $(
                fn actions(&self) -> ActionRange {
                    self.$actions
                }

                fn set_actions(&mut self, actions: ActionRange) {
                    self.$actions = actions;
                }
            )?
        }

        impl Slot<$name> {
            /// A slot to fill memory with.
            pub const EMPTY: Slot<$name> = Slot::new($name::EMPTY);
        }
    };
}

candidate!(GeneralCandidate, generals, actions);
candidate!(AttackCandidate, attacks, actions);
candidate!(MoneyCandidate, money);
candidate!(SpawnCandidate, spawns, actions);

/// The stages of one board of one position.
#[derive(Clone, Copy, Debug)]
pub struct BoardStages {
    /// The newest attack candidate.
    pub attacks: AttackIndex,
    /// The newest money candidate.
    pub money: MoneyIndex,
    /// Requests for a new attack so far.
    pub asked: u8,
    /// Families without further attacks.
    pub exhausted: FamilySet,
    /// Whether every attack that needs no card is a candidate.
    pub complete: bool,
}

impl BoardStages {
    const EMPTY: BoardStages = BoardStages {
        attacks: Index::NONE,
        money: Index::NONE,
        asked: 0,
        exhausted: FamilySet::EMPTY,
        complete: false,
    };
}

/// The stages of one position.
#[derive(Clone, Copy, Debug)]
pub struct Stages {
    /// The general candidate at the front of the list.
    pub general: GeneralIndex,
    /// Whether all choices of the general are listed, or being listed; before, at most that of a whole turn is there.
    pub listed: bool,
    /// Compositions that found a turn which was known, at most 65,535.
    pub(super) found_again: u16,
    /// Progress of the search for a card that decides the game.
    pub(super) cards: CardProgress,
    /// The boards, in index order.
    pub boards: [BoardStages; BOARD_CAP],
    /// New index of stages that stay; used only during a compaction.
    pub(super) forward: u32,
}

impl Stages {
    /// Stages without candidates.
    pub const EMPTY: Stages = Stages {
        general: Index::NONE,
        listed: false,
        found_again: 0,
        cards: CardProgress::BEGIN,
        boards: [BoardStages::EMPTY; BOARD_CAP],
        forward: u32::MAX,
    };
}

/// Candidates of the stages of all positions, in lent slices.
pub struct Candidates<'m> {
    pub(super) stages: &'m mut [Stages],
    pub(super) used_stages: usize,
    pub(super) generals: Arena<'m, GeneralCandidate>,
    pub(super) attacks: Arena<'m, AttackCandidate>,
    pub(super) money: Arena<'m, MoneyCandidate>,
    pub(super) spawns: Arena<'m, SpawnCandidate>,
    pub(super) actions: &'m mut [Action],
    pub(super) used_actions: usize,
}

impl Candidates<'_> {
    /// Removes all candidates.
    pub(super) fn clear(&mut self) {
        self.generals.clear();
        self.attacks.clear();
        self.money.clear();
        self.spawns.clear();
        (self.used_stages, self.used_actions) = (0, 0);
    }

    /// Fill of the slices.
    pub(super) fn usage(&self) -> CandidateUsage {
        CandidateUsage {
            stages: self.used_stages,
            generals: self.generals.used(),
            attacks: self.attacks.used(),
            money: self.money.used(),
            spawns: self.spawns.used(),
            actions: self.used_actions,
        }
    }

    /// Whether that much more fits.
    pub(super) fn has_room(&self, demand: Demand) -> bool {
        self.used_stages + demand.stages <= self.stages.len()
            && self.generals.has_room(demand.generals)
            && self.attacks.has_room(demand.boards)
            && self.money.has_room(demand.boards)
            && self.spawns.has_room(demand.boards)
            && self.used_actions + demand.actions <= self.actions.len()
    }

    /// Use of the fullest slice in thousandths.
    pub fn fullness(&self) -> u32 {
        let used = self.usage();
        let shares = [
            (used.stages, self.stages.len()),
            (used.generals, self.generals.capacity()),
            (used.attacks, self.attacks.capacity()),
            (used.money, self.money.capacity()),
            (used.spawns, self.spawns.capacity()),
            (used.actions, self.actions.len()),
        ];
        shares.iter().map(|&(used, size)| (used * 1000 / size.max(1)) as u32).max().unwrap_or(0)
    }

    /// The stages of a position; stages without candidates when the index is out of range.
    pub fn stages(&self, index: u32) -> &Stages {
        self.stages.get(index as usize).unwrap_or(&Stages::EMPTY)
    }

    /// The stages of a position, to change.
    pub(super) fn stages_mut(&mut self, index: u32) -> Option<&mut Stages> {
        self.stages.get_mut(index as usize)
    }

    /// The stages of one board of a position; stages without candidates when an index is out of range.
    pub(super) fn board(&self, stages: u32, board: usize) -> &BoardStages {
        self.stages(stages).boards.get(board).unwrap_or(&BoardStages::EMPTY)
    }

    /// The stages of one board of a position, to change.
    pub(super) fn board_mut(&mut self, stages: u32, board: usize) -> Option<&mut BoardStages> {
        self.stages_mut(stages)?.boards.get_mut(board)
    }

    /// Adds the stages of one more position. `None` when all places are in use.
    pub(super) fn add_stages(&mut self) -> Option<u32> {
        let index = self.used_stages;
        *self.stages.get_mut(index)? = Stages::EMPTY;
        self.used_stages += 1;
        Some(index as u32)
    }

    /// The candidate with this index; an empty one when the index is out of range.
    pub fn get<T: StageCandidate>(&self, index: Index<T>) -> &T {
        T::arena(self).get(index).unwrap_or(T::NONE)
    }

    /// The candidate with this index, to change.
    pub(super) fn get_mut<T: StageCandidate>(&mut self, index: Index<T>) -> Option<&mut T> {
        T::arena_mut(self).get_mut(index)
    }

    /// Calls `change` with each candidate of a list, the newest first.
    pub(super) fn for_each<T: StageCandidate>(&mut self, first: Index<T>, change: impl FnMut(&mut T)) {
        T::arena_mut(self).for_each(first, change);
    }

    /// Adds a candidate with its actions in front of the list that begins with `next`. `None` when the candidate or
    /// its actions do not fit.
    pub(super) fn add<T: StageCandidate>(
        &mut self,
        mut candidate: T,
        next: Index<T>,
        actions: impl IntoIterator<Item = Action>,
    ) -> Option<Index<T>> {
        let first = self.used_actions;
        let mut end = first;
        for action in actions {
            *self.actions.get_mut(end)? = action;
            end += 1;
        }
        candidate.set_actions(ActionRange { first: first as u32, len: (end - first) as u16 });
        let index = T::arena_mut(self).push(candidate, next)?;
        self.used_actions = end;
        Some(index)
    }

    /// Adds a general candidate in front of the list of a position. `None` when it does not fit.
    pub(super) fn add_general(
        &mut self,
        stages: u32,
        candidate: GeneralCandidate,
        actions: impl IntoIterator<Item = Action>,
    ) -> Option<GeneralIndex> {
        let index = self.add(candidate, self.stages(stages).general, actions)?;
        self.stages_mut(stages)?.general = index;
        Some(index)
    }

    /// Adds a spawn candidate in front of the list of an attack. `None` when it does not fit.
    pub(super) fn add_spawn(
        &mut self,
        attack: AttackIndex,
        candidate: SpawnCandidate,
        actions: impl IntoIterator<Item = Action>,
    ) -> Option<SpawnIndex> {
        let index = self.add(candidate, self.get(attack).spawns, actions)?;
        self.get_mut(attack)?.spawns = index;
        Some(index)
    }

    /// The actions of a candidate.
    pub fn actions<T: StageCandidate>(&self, index: Index<T>) -> &[Action] {
        let ActionRange { first, len } = self.get(index).actions();
        let first = first as usize;
        self.actions.get(first..first + usize::from(len)).unwrap_or(&[])
    }

    /// The candidates of a list with their indices, the newest first.
    pub fn list<T: StageCandidate>(&self, first: Index<T>) -> impl Iterator<Item = (Index<T>, &T)> + '_ {
        T::arena(self).list(first)
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::vec::Vec;

    use super::super::picks::Picks;
    use super::super::slices::{MemoryUsage, SearchSlices};
    use super::*;
    use crate::minions::GeneralAction;
    use crate::search::tree::{Edge, Node};

    #[test]
    fn what_does_not_fit_is_not_stored() {
        let sale = Action::General(GeneralAction::Sell);
        let memory = SearchSlices {
            nodes: &mut [Node::EMPTY],
            edges: &mut [Edge::vacant(Picks::default())],
            table: &mut [0; 2],
            stages: &mut [Stages::EMPTY],
            generals: &mut [Slot::<GeneralCandidate>::EMPTY; 2],
            attacks: &mut [Slot::<AttackCandidate>::EMPTY],
            money: &mut [Slot::<MoneyCandidate>::EMPTY],
            spawns: &mut [Slot::<SpawnCandidate>::EMPTY],
            actions: &mut [sale; 3],
        };
        let mut all = memory.into_parts(MemoryUsage::default()).1;
        assert!(all.has_room(Demand { stages: 1, generals: 2, boards: 1, actions: 3 }));
        for more in [
            Demand { stages: 2, ..Demand::default() },
            Demand { generals: 3, ..Demand::default() },
            Demand { boards: 2, ..Demand::default() },
            Demand { actions: 4, ..Demand::default() },
        ] {
            assert!(!all.has_room(more), "{more:?}");
        }
        assert_eq!((all.add_stages(), all.add_stages()), (Some(0), None));
        let first = all.add(GeneralCandidate::EMPTY, GeneralIndex::NONE, [sale; 2]).unwrap();
        assert_eq!(all.add(GeneralCandidate::EMPTY, first, [sale; 2]), None);
        let second = all.add(GeneralCandidate::EMPTY, first, [sale]).unwrap();
        assert_eq!(all.add(GeneralCandidate::EMPTY, second, []), None);
        assert_eq!((all.actions(first), all.actions(second)), (&[sale; 2][..], &[sale][..]));
        assert_eq!(all.list(second).map(|(index, _)| index).collect::<Vec<_>>(), [second, first]);
        assert_eq!(all.fullness(), 1000);
        assert!(all.actions(AttackIndex::NONE).is_empty() && all.list(GeneralIndex::NONE).next().is_none());
    }
}
