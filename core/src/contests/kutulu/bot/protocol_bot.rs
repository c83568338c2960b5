//! The whole bot for a program that speaks the protocol: tables, what was seen, and decisions.

use crate::contests::kutulu::{Action, Constants, Entity, Map, MapTables, Point, StateTracker, TrackError};
use crate::search::smitsimax::Node;

use super::{DecisionReport, SearchPlayer, Tuning};

/// Nodes that the search may use: more than its budget of walks ever fills in the games that were measured.
pub const NODES: usize = 32 << 10;

/// What the whole bot may take, trees included.
const MOST_BYTES: usize = 1 << 20;

const _: () = assert!(size_of::<ProtocolBot>() + NODES * size_of::<Node<Action>>() <= MOST_BYTES);

/// The bot. With the memory for [`NODES`] nodes it takes less than 1 MiB.
#[derive(Clone, Debug)]
pub struct ProtocolBot {
    tables: MapTables,
    tracker: StateTracker,
    player: SearchPlayer,
}

impl ProtocolBot {
    /// A bot for a game, from what players are sent first. This computes the tables.
    pub fn new(map: &Map, constants: Constants, tuning: Tuning, seed: u64) -> ProtocolBot {
        let tables = MapTables::new(map);
        let player = SearchPlayer::new(&tables, tuning, seed);
        ProtocolBot { tables, tracker: StateTracker::new(constants, seed), player }
    }

    /// Takes the lines of the next turn. After an error the state is the one before.
    pub fn update(&mut self, lines: &[Entity]) -> Result<(), TrackError> {
        self.tracker.update(&self.tables, lines)
    }

    /// The action for the turn seen last; see [`SearchPlayer::choose`].
    pub fn choose(
        &mut self,
        nodes: &mut [Node<Action>],
        more: &mut dyn FnMut(u32) -> bool,
    ) -> (Action, DecisionReport) {
        self.player.choose(&self.tables, &self.tracker.state, self.tracker.own, nodes, more)
    }

    /// Where the own explorer is after an action of this turn if nothing hinders it. `None` before the first turn.
    pub fn place_after(&self, action: Action) -> Option<Point> {
        let state = &self.tracker.state;
        let cell = state.explorers.get(self.tracker.own)?.cell;
        let cell = match action {
            Action::Step(direction) => self.tables.next(cell, direction)?,
            _ => cell,
        };
        if state.is_alive(self.tracker.own) { Some(self.tables.map().point(cell)) } else { None }
    }
}
