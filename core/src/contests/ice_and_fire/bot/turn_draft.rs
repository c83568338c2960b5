//! A line of commands under construction, and the position that it leads to.

use crate::contests::ice_and_fire::{Action, CELLS, CellSet, Rules, State};
use crate::list::List;

/// Most actions of a line. A unit moves once, and a cell is trained or built on a few times at most.
pub const LINE_CAP: usize = 3 * CELLS;

/// Actions in the order in which they will be sent.
#[derive(Clone, Debug)]
pub struct TurnDraft {
    state: State,
    actions: List<Action, LINE_CAP>,
}

impl TurnDraft {
    /// Nothing yet.
    pub fn new(state: &State) -> TurnDraft {
        TurnDraft { state: *state, actions: List::new() }
    }

    /// The position after the actions so far.
    pub const fn state(&self) -> &State {
        &self.state
    }

    /// The actions so far.
    pub fn actions(&self) -> &[Action] {
        &self.actions
    }

    /// Adds an action, and says whether the rules accept it; one that they refuse is left out. A full line refuses
    /// everything.
    pub fn play(&mut self, rules: &Rules, action: Action) -> bool {
        if self.actions.len() == LINE_CAP || self.state.apply(rules, action).is_err() {
            return false;
        }
        self.actions.push(action).is_ok()
    }

    /// Cells that units have left since there were `since` actions.
    pub fn vacated(&self, since: usize) -> CellSet {
        let later = self.actions.iter().skip(since);
        later
            .filter_map(|action| if let Action::Move { from, .. } = action { Some(*from) } else { None })
            .collect()
    }

    /// Cells on which units were trained since there were `since` actions.
    pub fn trained(&self, since: usize) -> CellSet {
        let later = self.actions.iter().skip(since);
        later
            .filter_map(|action| if let Action::Train { at, .. } = action { Some(*at) } else { None })
            .collect()
    }
}
