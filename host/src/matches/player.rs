//! Players of a match: each answers a position with a turn or a fault.

use std::time::Duration;

use anyhow::{Context, Result};
use barrow_core::minions::players::{Brain, Greedy, Random};
use barrow_core::minions::turn_search::SearchOptions;
use barrow_core::minions::{Game, GameTurn};
use barrow_core::rng::Rng;

use super::decision::Decision;
use super::fault::Fault;
use super::player_settings::BuiltinSettings;
use super::player_spec::{BuiltinPlayer, EngineCommand, MatchPlayerSpec};
use super::time_control::{TimeControl, TimeLimit};
use super::umi_process::UmiProcess;
use crate::engine::{Engine, EnginePlayer, TinyPlayer};
use crate::notation::notes_of_search;

/// Nodes of a turn of the player of small machines where none are given.
const TINY_NODES: u64 = 60;

/// Player of a match, used by one thread for one game after another.
pub(crate) enum MatchPlayer {
    /// Player in this process; `current` is made anew for every game.
    Builtin { kind: BuiltinPlayer, settings: BuiltinSettings, current: BuiltinBrain, records: bool },
    /// UMI engine in a process, which is started for the first game and again after a fault. The name is that of the
    /// player in the match.
    Umi { name: char, command: EngineCommand, time_control: TimeControl, running: Option<UmiProcess> },
}

/// Built-in player in a game.
pub(crate) enum BuiltinBrain {
    /// A player that does not search.
    Plain(Box<dyn Brain + Send>),
    /// The engine.
    Search(Box<EnginePlayer>),
}

impl MatchPlayer {
    pub(crate) fn new(name: char, spec: &MatchPlayerSpec, time_control: TimeControl) -> MatchPlayer {
        match spec {
            MatchPlayerSpec::Builtin(kind, settings) => MatchPlayer::Builtin {
                kind: *kind,
                settings: *settings,
                current: make(*kind, settings, false),
                records: false,
            },
            MatchPlayerSpec::Command(command) => {
                MatchPlayer::Umi { name, command: command.clone(), time_control, running: None }
            }
        }
    }

    /// Player like this one whose decisions hold the roots of its searches from the next game on.
    pub(crate) fn recording(mut self) -> MatchPlayer {
        if let MatchPlayer::Builtin { records, .. } = &mut self {
            *records = true;
        }
        self
    }

    /// Starts the engine if there is one that does not run. Fails when it does not start.
    pub(super) fn start(&mut self) -> Result<()> {
        if let MatchPlayer::Umi { name, command, time_control, running } = self
            && running.is_none()
        {
            let engine = UmiProcess::start(command, time_control.startup);
            *running = Some(engine.with_context(|| format!("player {name} does not start"))?);
        }
        Ok(())
    }

    /// Starts a game from this position, with the seed of the game. Fails when an engine does not start at all; a fault
    /// is that of one which does.
    pub(crate) fn begin(&mut self, game: &Game, seed: u64) -> Result<Result<(), Fault>> {
        self.start()?;
        match self {
            MatchPlayer::Builtin { kind, settings, current, records } => {
                let seed = Rng::new(settings.seed ^ seed).next_u64();
                *current = make(*kind, &BuiltinSettings { seed, ..*settings }, *records);
                Ok(Ok(()))
            }
            MatchPlayer::Umi { time_control, running, .. } => {
                let result = running.as_mut().map_or(Ok(()), |engine| engine.begin(game, *time_control));
                if result.is_err() {
                    *running = None;
                }
                Ok(result)
            }
        }
    }

    /// Turn of the player in a position of a game that is not over: the first one of a game that begins there with this seed,
    /// without a clock.
    pub(crate) fn answer(&mut self, game: &Game, seed: u64) -> Result<Result<GameTurn, Fault>> {
        let begun = self.begin(game, seed)?;
        Ok(begun.and_then(|()| self.turn(game, [Duration::ZERO; 2])).map(|decision| decision.turn))
    }

    /// Time of a turn for a player that has no other limit, when its clock has so much left.
    pub(super) fn allowance(&self, left: Duration) -> Option<Duration> {
        match self {
            MatchPlayer::Builtin { kind: BuiltinPlayer::Mcts, settings, .. }
                if settings.nodes == u64::MAX && settings.cputime.is_none() =>
            {
                Some(settings.movetime)
            }
            MatchPlayer::Builtin { .. } => None,
            MatchPlayer::Umi { time_control, .. } => time_control.allowed(left),
        }
    }

    /// Whether its turns are searched by the thread that asks for them, and by no other.
    pub(super) fn is_single_thread(&self) -> bool {
        matches!(self, MatchPlayer::Builtin { settings, .. } if settings.threads == 1)
    }

    /// Time that the match gives the player.
    pub(super) fn limit(&self) -> TimeLimit {
        match self {
            MatchPlayer::Builtin { .. } => TimeLimit::Own,
            MatchPlayer::Umi { time_control, .. } => time_control.limit,
        }
    }

    /// Lets the player think before its opponent's turn, if it ponders.
    pub(super) fn ponder(&mut self) {
        if let MatchPlayer::Builtin { current: BuiltinBrain::Search(player), .. } = self {
            player.ponder();
        }
    }

    /// Asks the player for the turn of the side to move, when the clocks of Yellow and Blue have so much left.
    pub(crate) fn turn(&mut self, game: &Game, left: [Duration; 2]) -> Result<Decision, Fault> {
        match self {
            MatchPlayer::Builtin { current: BuiltinBrain::Plain(brain), .. } => Ok(brain.choose(game).into()),
            MatchPlayer::Builtin { current: BuiltinBrain::Search(player), .. } => {
                let mut found = player.search(game);
                let notes = notes_of_search(game, &found);
                let turn = found.candidates.swap_remove(0).turn;
                let longest_request = found.statistics.longest_request;
                Ok(Decision { root: found.root, notes, longest_request, ..turn.into() })
            }
            MatchPlayer::Umi { time_control, running, .. } => {
                let engine = running.as_mut().ok_or_else(|| Fault::Crash("not running".to_owned()))?;
                let result = engine.turn(game, *time_control, left);
                if result.is_err() {
                    // A late answer of this process would be read in the next game.
                    *running = None;
                }
                result
            }
        }
    }
}

fn make(kind: BuiltinPlayer, settings: &BuiltinSettings, records: bool) -> BuiltinBrain {
    match kind {
        BuiltinPlayer::Greedy => BuiltinBrain::Plain(Box::new(Greedy::new(settings.seed))),
        BuiltinPlayer::Random => BuiltinBrain::Plain(Box::new(Random::new(settings.seed))),
        BuiltinPlayer::Tiny => {
            let options = SearchOptions { seed: settings.seed, ..SearchOptions::with_little_stack() };
            let nodes = if settings.nodes == u64::MAX { TINY_NODES } else { settings.nodes };
            BuiltinBrain::Plain(Box::new(TinyPlayer::new(options, nodes)))
        }
        BuiltinPlayer::Mcts => {
            let options = SearchOptions { seed: settings.seed, ..settings.search };
            let mut engine = Engine::with_threads(settings.hash, options, settings.threads);
            engine.set_network(settings.network);
            engine.set_net_switches(settings.net_switches);
            engine.set_verifies(settings.verify);
            engine.set_records(records);
            let BuiltinSettings { movetime, cputime, nodes, watched, ponder, .. } = *settings;
            let mut player = EnginePlayer::new(engine, movetime);
            (player.processor, player.nodes) = (cputime, nodes);
            (player.watched, player.ponders) = (watched, ponder);
            BuiltinBrain::Search(Box::new(player))
        }
    }
}
