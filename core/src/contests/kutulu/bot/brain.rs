//! The whole bot for a program that speaks the protocol: tables, what was seen, and decisions.

use crate::contests::kutulu::{Action, Constants, Entity, Map, Maze, Point, Watch, WatchError};
use crate::search::smitsimax::Node;

use super::{Player, Report, Tuning};

/// Nodes that the search may use: more than its budget of walks ever fills in the games that were measured.
pub const NODES: usize = 32 << 10;

/// What the whole bot may take, trees included.
const MOST_BYTES: usize = 1 << 20;

const _: () = assert!(size_of::<Brain>() + NODES * size_of::<Node<Action>>() <= MOST_BYTES);

/// The bot. With the memory for [`NODES`] nodes it takes less than 1 MiB.
#[derive(Clone, Debug)]
pub struct Brain {
    maze: Maze,
    watch: Watch,
    player: Player,
}

impl Brain {
    /// A bot for a game, from what players are sent first. This computes the tables.
    pub fn new(map: &Map, constants: Constants, tuning: Tuning, seed: u64) -> Brain {
        let maze = Maze::new(map);
        let player = Player::new(&maze, tuning, seed);
        Brain { maze, watch: Watch::new(constants, seed), player }
    }

    /// Takes the lines of the next turn. After an error the state is the one before.
    pub fn see(&mut self, lines: &[Entity]) -> Result<(), WatchError> {
        self.watch.see(&self.maze, lines)
    }

    /// The action for the turn seen last; see [`Player::choose`].
    pub fn choose(
        &mut self,
        nodes: &mut [Node<Action>],
        more: &mut dyn FnMut(u32) -> bool,
    ) -> (Action, Report) {
        self.player.choose(&self.maze, &self.watch.state, self.watch.own, nodes, more)
    }

    /// Where the own explorer is after an action of this turn if nothing hinders it. `None` before the first turn.
    pub fn place_after(&self, action: Action) -> Option<Point> {
        let state = &self.watch.state;
        let cell = state.explorers.get(self.watch.own)?.cell;
        let cell = match action {
            Action::Step(direction) => self.maze.next(cell, direction)?,
            _ => cell,
        };
        if state.is_alive(self.watch.own) { Some(self.maze.map().point(cell)) } else { None }
    }
}
