//! Players of the arena: built-in ones, and programs that speak the contest's protocol. Both see only what the contest
//! shows.

use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};
use barrow_core::contests::kutulu::bot::{Baseline, NODES, SearchPlayer, Sparring};
use barrow_core::contests::kutulu::{Action, MapTables, State, StateTracker};
use barrow_core::rng::Rng;
use barrow_core::search::smitsimax::Node;

use super::player_spec::{Kind, SearchBudget};
use crate::child_process::ChildProcess;
use crate::contests::kutulu::player_input;
use crate::text::quoted::shortened;

/// A player of one explorer in a game.
pub(super) struct ArenaPlayer {
    tracker: StateTracker,
    controller: Controller,
}

enum Controller {
    Baseline(Baseline, Rng),
    Sparring(Sparring),
    SmitsiMax(SearchBudget, SearchPlayer, Vec<Node<Action>>),
    Program(ChildProcess, Duration),
}

impl ArenaPlayer {
    /// A player for a game. `patience` is a program's time per turn.
    pub(super) fn new(
        kind: &Kind,
        tables: &MapTables,
        state: &State,
        seed: u64,
        patience: Duration,
    ) -> Result<ArenaPlayer> {
        let controller = match kind {
            Kind::Baseline(baseline) => Controller::Baseline(*baseline, Rng::new(seed)),
            Kind::Sparring(sparring) => Controller::Sparring(*sparring),
            Kind::SmitsiMax(effort, tuning) => Controller::SmitsiMax(
                *effort,
                SearchPlayer::new(tables, **tuning, seed),
                vec![Node::EMPTY; NODES],
            ),
            Kind::Program(words) => {
                let mut child = ChildProcess::start(words)?;
                // A program that has ended already will not answer, which is noticed then.
                let _ = child.send(&player_input::greeting(tables.map(), state));
                Controller::Program(child, patience)
            }
        };
        Ok(ArenaPlayer { tracker: StateTracker::new(state.constants, seed), controller })
    }

    /// The player's answer for its explorer, or what is wrong with it, and the number of simulations run.
    pub(super) fn answer(
        &mut self,
        tables: &MapTables,
        state: &State,
        own: usize,
    ) -> Result<(Result<Action, String>, u32)> {
        let entities = state.entities(tables.map(), own);
        self.tracker.update(tables, &entities).map_err(|why| anyhow!("turn {}: {why}", state.turn))?;
        let seen = &self.tracker.state;
        Ok(match &mut self.controller {
            Controller::Baseline(baseline, rng) => (Ok(baseline.choose(tables, seen, own, rng)), 0),
            Controller::Sparring(sparring) => (Ok(sparring.choose(tables, seen, own)), 0),
            Controller::SmitsiMax(effort, player, nodes) => {
                let started = Instant::now();
                let in_time = || effort.movetime.is_none_or(|limit| started.elapsed() < limit);
                let more = &mut |simulations| simulations < effort.simulations && in_time();
                let (action, report) = player.choose(tables, seen, own, nodes, more);
                (Ok(action), report.simulations)
            }
            Controller::Program(child, patience) => {
                let first = if state.turn == 1 { *patience * 20 } else { *patience };
                // A program that has ended or reads nothing will not answer, which is noticed then.
                let _ = child.send(&player_input::turn(tables.map(), state, own));
                let cell = state.explorers[own].cell;
                let action = match child.receive(Instant::now() + first) {
                    Ok(line) => Action::read(&line, tables, cell)
                        .ok_or_else(|| format!("not an action: {}", shortened(&line))),
                    Err(error) => Err(error.to_string()),
                };
                (action, 0)
            }
        })
    }
}
