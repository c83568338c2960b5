//! Who plays an explorer: a built-in player, or a program in a process of its own that speaks the contest's protocol.
//! Either sees what the contest shows, and nothing more.

use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};
use barrow_core::contests::kutulu::bot::{Baseline, NODES, Player};
use barrow_core::contests::kutulu::{Action, Maze, State, Watch};
use barrow_core::rng::Rng;
use barrow_core::search::smitsimax::Node;

use super::spec::{Effort, Kind};
use crate::contests::kit::child::Child;
use crate::contests::kutulu::sent;

/// A player in a game.
pub(super) struct Seat {
    watch: Watch,
    hand: Hand,
}

enum Hand {
    Baseline(Baseline, Rng),
    SmitsiMax(Effort, Player, Vec<Node<Action>>),
    Program(Child, Duration),
}

impl Seat {
    /// Sits down for a game. `patience` is a program's time per turn.
    pub(super) fn new(
        kind: &Kind,
        maze: &Maze,
        state: &State,
        seed: u64,
        patience: Duration,
    ) -> Result<Seat> {
        let hand = match kind {
            Kind::Baseline(baseline) => Hand::Baseline(*baseline, Rng::new(seed)),
            Kind::SmitsiMax(effort, tuning) => {
                Hand::SmitsiMax(*effort, Player::new(maze, **tuning, seed), vec![Node::EMPTY; NODES])
            }
            Kind::Command(words) => {
                let mut child = Child::start(words)?;
                // A program that has ended already will not answer, which is noticed then.
                let _ = child.send(&sent::greeting(maze.map(), state));
                Hand::Program(child, patience)
            }
        };
        Ok(Seat { watch: Watch::new(state.constants, seed), hand })
    }

    /// The answer of an explorer in the game: nothing for a bad one or none in time. Also the simulations that were run.
    pub(super) fn answer(&mut self, maze: &Maze, state: &State, own: usize) -> Result<(Option<Action>, u32)> {
        let entities = state.entities(maze.map(), own);
        self.watch.see(maze, &entities).map_err(|why| anyhow!("turn {}: {why}", state.turn))?;
        let seen = &self.watch.state;
        Ok(match &mut self.hand {
            Hand::Baseline(baseline, rng) => (Some(baseline.choose(maze, seen, own, rng)), 0),
            Hand::SmitsiMax(effort, player, nodes) => {
                let started = Instant::now();
                let in_time = || effort.movetime.is_none_or(|limit| started.elapsed() < limit);
                let more = &mut |simulations| simulations < effort.simulations && in_time();
                let (action, report) = player.choose(maze, seen, own, nodes, more);
                (Some(action), report.simulations)
            }
            Hand::Program(child, patience) => {
                let first = if state.turn == 1 { *patience * 20 } else { *patience };
                let sent = child.send(&sent::turn(maze.map(), state, own)).is_ok();
                let line = if sent { child.receive(Instant::now() + first).ok() } else { None };
                let cell = state.explorers[own].cell;
                (line.and_then(|line| Action::read(line.trim_end_matches('\r'), maze, cell)), 0)
            }
        })
    }
}
