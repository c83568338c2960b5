//! A player during a match: someone who answers a position with a turn, or fails to.

use std::time::Duration;

use barrow_core::minions::players::{Brain, Greedy, Random};
use barrow_core::minions::turn_search::SearchOptions;
use barrow_core::minions::{Game, GameTurn};
use barrow_core::rng::Rng;

use super::player_spec::{Builtin, Settings, Spec};
use super::umi_process::UmiProcess;

use crate::engine::{Engine, EnginePlayer};

/// How long a turn may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// What engines are told, if anything.
    pub movetime: Option<Duration>,
    /// When a turn counts as missing.
    pub deadline: Duration,
}

/// Why a player has no turn to offer. It loses the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Fault {
    /// What it sent is no turn, or the turn is not legal.
    Illegal(String),
    /// No answer in time.
    Timeout,
    /// The engine ended or cannot be started.
    Crash(String),
}

/// One of the two players of a match, as one thread uses it for game after game.
pub(super) enum Player {
    /// A brain in this process; it is made anew for every game.
    Builtin { brain: Builtin, settings: Settings, current: Box<dyn Brain + Send> },
    /// An engine; started when it is first needed and again after a fault.
    Engine { command: Vec<String>, clock: Clock, running: Option<UmiProcess> },
}

impl Player {
    pub(super) fn new(spec: &Spec, clock: Clock) -> Player {
        match spec {
            Spec::Builtin(brain, settings) => {
                Player::Builtin { brain: *brain, settings: *settings, current: make(*brain, settings) }
            }
            Spec::Command(command) => Player::Engine { command: command.clone(), clock, running: None },
        }
    }

    /// Prepares for a game from this position; `seed` is the game's own.
    pub(super) fn begin(&mut self, game: &Game, seed: u64) -> Result<(), Fault> {
        match self {
            Player::Builtin { brain, settings, current } => {
                let seed = Rng::new(settings.seed ^ seed).next_u64();
                *current = make(*brain, &Settings { seed, ..*settings });
                Ok(())
            }
            Player::Engine { command, clock, running } => {
                if running.is_none() {
                    *running = Some(UmiProcess::start(command)?);
                }
                let result = running.as_mut().map_or(Ok(()), |engine| engine.begin(game, *clock));
                if result.is_err() {
                    *running = None;
                }
                result
            }
        }
    }

    /// The time that a turn may take, where that is all that limits it.
    pub(super) fn allowance(&self) -> Option<Duration> {
        match self {
            Player::Builtin { brain: Builtin::Mcts, settings, .. } if settings.nodes == u64::MAX => {
                Some(settings.movetime)
            }
            Player::Builtin { .. } => None,
            Player::Engine { clock, .. } => clock.movetime,
        }
    }

    /// The turn for the side to move.
    pub(super) fn turn(&mut self, game: &Game) -> Result<GameTurn, Fault> {
        match self {
            Player::Builtin { current, .. } => Ok(current.choose(game)),
            Player::Engine { clock, running, .. } => {
                let engine = running.as_mut().ok_or_else(|| Fault::Crash("not running".to_owned()))?;
                let result = engine.turn(game, *clock);
                if result.is_err() {
                    // What it still sends belongs to a game that is over.
                    *running = None;
                }
                result
            }
        }
    }
}

fn make(brain: Builtin, settings: &Settings) -> Box<dyn Brain + Send> {
    match brain {
        Builtin::Greedy => Box::new(Greedy::new(settings.seed)),
        Builtin::Random => Box::new(Random::new(settings.seed)),
        Builtin::Mcts => {
            let options = SearchOptions { seed: settings.seed, ..settings.search };
            let mut engine = Engine::with_threads(settings.hash, options, settings.threads);
            engine.set_net_switches(settings.net_switches);
            Box::new(EnginePlayer { engine, time: settings.movetime, nodes: settings.nodes })
        }
    }
}
