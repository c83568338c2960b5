//! The whole bot behind the contest's protocol: tables of the map, state tracker, and decisions.

use crate::contests::kutulu::{Action, Constants, Entity, Map, MapTables, Point, StateTracker, TrackError};
use crate::search::smitsimax::Node;

use super::{DecisionReport, SearchPlayer, Tuning};

/// Nodes of the search trees: more than were ever used in measured games.
pub const NODES: usize = 32 << 10;

/// Memory bound of the whole bot in bytes, trees included.
const MOST_BYTES: usize = 1 << 20;

const _: () = assert!(size_of::<ProtocolBot>() + NODES * size_of::<Node<Action>>() <= MOST_BYTES);

/// The bot for one game. With [`NODES`] nodes of search memory the bot takes less than 1 MiB.
#[derive(Clone, Debug)]
pub struct ProtocolBot {
    tables: MapTables,
    tracker: StateTracker,
    player: SearchPlayer,
}

impl ProtocolBot {
    /// A bot for a game, from the map and constants of the protocol. Computes the map's tables.
    pub fn new(map: &Map, constants: Constants, tuning: Tuning, seed: u64) -> ProtocolBot {
        let tables = MapTables::new(map);
        let player = SearchPlayer::new(&tables, tuning, seed);
        ProtocolBot { tables, tracker: StateTracker::new(constants, seed), player }
    }

    /// Updates the tracked state with the lines of the next turn. After an error the state is that of the turn before.
    pub fn update(&mut self, lines: &[Entity]) -> Result<(), TrackError> {
        self.tracker.update(&self.tables, lines)
    }

    /// The action for the turn tracked last; see [`SearchPlayer::choose`].
    pub fn choose(
        &mut self,
        nodes: &mut [Node<Action>],
        more: &mut dyn FnMut(u32) -> bool,
    ) -> (Action, DecisionReport) {
        self.player.choose(&self.tables, &self.tracker.state, self.tracker.own, nodes, more)
    }

    /// Position of the own explorer after an unhindered action of this turn. `None` before the first turn.
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
