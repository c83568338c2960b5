//! The part of a state near an explorer as a game for SmitsiMax, and the depth of its search (rules §12.4).

use crate::contests::kutulu::{Action, Actions, EXPLORERS, MapTables, State};
use crate::contests::lcg48::Lcg48;
use crate::search::smitsimax::Simultaneous;

use super::Tuning;

/// The game of the explorers near the own one, for the search. All other explorers stand still.
#[derive(Clone, Copy, Debug)]
pub struct LocalGame<'m> {
    tables: &'m MapTables,
    /// Bit i is set if explorer i has a tree in the search.
    trees: u8,
}

/// The root of a search: game, state and depth.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchRoot<'m> {
    pub(super) local_game: LocalGame<'m>,
    /// The state without distant wanderers.
    pub(super) state: State,
    /// Depth of the search in turns.
    pub(super) depth: usize,
}

impl<'m> LocalGame<'m> {
    /// A game in which all explorers act.
    pub fn all(tables: &'m MapTables) -> LocalGame<'m> {
        LocalGame { tables, trees: (1 << EXPLORERS) - 1 }
    }

    /// A game in which the own explorer acts, and all whose paths can meet its path within `depth` turns.
    fn near(tables: &'m MapTables, state: &State, own: usize, depth: usize) -> LocalGame<'m> {
        let at = state.point(tables.map(), own);
        let range = 2 * depth as i16 + 2;
        let is_near = |id: &usize| state.point(tables.map(), *id).manhattan(at) <= range;
        let trees = state.living().filter(is_near).fold(0, |trees, id| trees | 1 << id);
        LocalGame { tables, trees }
    }

    /// Number of acting explorers besides the own one.
    fn others(&self) -> u32 {
        self.trees.count_ones().saturating_sub(1)
    }
}

impl<'m> SearchRoot<'m> {
    /// The root for an explorer: the deepest search whose work fits the budget, without distant wanderers.
    pub(super) fn new(tables: &'m MapTables, state: &State, own: usize, tuning: &Tuning) -> SearchRoot<'m> {
        let [least, most] = tuning.depth;
        let widest = cut(tables, state, own, most);
        let entities = LocalGame::near(tables, state, own, most).others() + widest.minions.len() as u32;
        let cell = state.explorers[own].cell;
        let fits = |depth: &usize| tables.branch(cell, *depth) * (4 + entities) <= 4 * tuning.branch_budget;
        let depth = (least..=most).rev().find(fits).unwrap_or(least);
        SearchRoot {
            local_game: LocalGame::near(tables, state, own, depth),
            state: cut(tables, state, own, depth),
            depth,
        }
    }
}

/// The state without the wanderers that cannot come near the own explorer within `depth` turns.
fn cut(tables: &MapTables, state: &State, own: usize, depth: usize) -> State {
    let mut cut = *state;
    let cell = state.explorers[own].cell;
    cut.minions.retain(|minion| {
        let steps = tables.distance(minion.cell, cell).map(usize::from);
        minion.is_slasher || steps.is_some_and(|steps| steps <= 2 * depth)
    });
    cut
}

impl Simultaneous<EXPLORERS> for LocalGame<'_> {
    type World = State;
    type Action = Action;

    fn acts(&self, world: &State, player: usize) -> bool {
        (self.trees & world.alive) >> player & 1 == 1 && !world.is_over()
    }

    fn actions(&self, world: &State, player: usize, add: &mut dyn FnMut(Action)) {
        add(Action::Wait);
        if !world.is_locked(player) {
            let cell = world.explorers[player].cell;
            self.tables.neighbours(cell).for_each(|(direction, _)| add(Action::Step(direction)));
        }
    }

    fn play(&self, world: &mut State, actions: &Actions) {
        // A minion that found no room is too far away to matter.
        let _ = world.play_fast(self.tables, actions);
    }

    fn score(&self, root: &State, end: &State, player: usize) -> i32 {
        i32::from(end.explorers[player].sanity) - i32::from(root.explorers[player].sanity)
    }

    fn reseed(&self, world: &mut State, chance: u64) {
        world.dice = Lcg48::new(chance);
    }
}
