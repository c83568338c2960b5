//! A turn in the making: its actions so far, and the position after them.

use crate::contests::ice_and_fire::{Action, CELLS, CellSet, Rules, State};
use crate::list::List;

/// Most actions of a turn. A unit moves once, and few trainings and buildings share a cell.
pub const LINE_CAP: usize = 3 * CELLS;

/// The actions of a turn in the order of the line that is sent, and the position after them.
#[derive(Clone, Debug)]
pub struct TurnDraft {
    state: State,
    actions: List<Action, LINE_CAP>,
}

impl TurnDraft {
    /// A turn without actions.
    pub fn new(state: &State) -> TurnDraft {
        TurnDraft { state: *state, actions: List::new() }
    }

    /// Position after the actions so far.
    pub const fn state(&self) -> &State {
        &self.state
    }

    /// The actions so far.
    pub fn actions(&self) -> &[Action] {
        &self.actions
    }

    /// Plays and adds an action. Returns whether the rules accept the action and there is room; otherwise nothing
    /// changes.
    pub fn play(&mut self, rules: &Rules, action: Action) -> bool {
        if self.actions.len() == LINE_CAP || self.state.apply(rules, action).is_err() {
            return false;
        }
        self.actions.push(action).is_ok()
    }

    /// Cells that units left in the actions from number `since` on, counted from 0.
    pub fn vacated(&self, since: usize) -> CellSet {
        let later = self.actions.iter().skip(since);
        later
            .filter_map(|action| if let Action::Move { from, .. } = action { Some(*from) } else { None })
            .collect::<CellSet>()
    }

    /// Cells on which units were trained in the actions from number `since` on, counted from 0.
    pub fn trained(&self, since: usize) -> CellSet {
        let later = self.actions.iter().skip(since);
        later
            .filter_map(|action| if let Action::Train { at, .. } = action { Some(*at) } else { None })
            .collect::<CellSet>()
    }
}
