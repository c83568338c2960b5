//! Recording of a match: its games as annotated games, to one file or to a folder.

use std::path::Path;

use anyhow::Result;
use barrow_core::minions::{Game, GameTurn};

use super::openings::Opening;
use super::player_settings::BuiltinSettings;
use super::player_spec::{BuiltinPlayer, MatchPlayerSpec};
use super::time_control::{TimeControl, TimeLimit};
use crate::engine::network::EngineNetwork;
use crate::notation::{
    AnnotatedGame, AnnotatedTurn, Ending, GameWriter, RecordingFile, RecordingFolder, Tags, TurnNotes,
    network_name, now,
};

/// Place to which the games of a match are recorded.
#[derive(Clone, Debug)]
pub enum MatchRecording {
    /// File with all games, several of which are written at once.
    File(RecordingFile),
    /// Folder with a file for each game.
    Folder(RecordingFolder),
}

impl MatchRecording {
    /// Opens a file, or a folder if the name is that of one or ends in a slash. Fails when there are recorded games already,
    /// unless `force` says that they are to be replaced.
    pub fn create(name: &str, force: bool) -> Result<MatchRecording> {
        if name.ends_with('/') || Path::new(name).is_dir() {
            return RecordingFolder::create(name, force).map(MatchRecording::Folder);
        }
        RecordingFile::create(name, force).map(MatchRecording::File)
    }

    /// Opens the file or folder of a match that is gone on with: a file is written behind what it holds, and in a folder
    /// games are replaced that are played again.
    pub fn go_on(name: &str) -> Result<MatchRecording> {
        if name.ends_with('/') || Path::new(name).is_dir() {
            return RecordingFolder::create(name, true).map(MatchRecording::Folder);
        }
        // Another match numbers its games as this one does.
        RecordingFile::append(name, false).map(MatchRecording::File)
    }

    /// Begins the game with this number, from 1, between these players, Yellow first.
    pub(super) fn begin(
        &self,
        number: u32,
        opening: &Opening,
        players: [(char, &MatchPlayerSpec); 2],
        time_control: &TimeControl,
    ) -> Result<GameRecording> {
        let mut tags = Tags::of_event("match", &now());
        tags.set(Tags::ROUND, &number.to_string());
        let names = [
            [Tags::YELLOW, Tags::YELLOW_LIMITS, Tags::YELLOW_NETWORK],
            [Tags::BLUE, Tags::BLUE_LIMITS, Tags::BLUE_NETWORK],
        ];
        for ([player, limits, network], (letter, spec)) in names.into_iter().zip(players) {
            tags.set(player, &format!("{letter} {spec}"));
            if let Some(text) = limits_of(spec, time_control) {
                tags.set(limits, &text);
            }
            if let Some(text) = network_of(spec) {
                tags.set(network, &text);
            }
        }
        let game = AnnotatedGame::new(tags, opening.game.clone());
        let writer = match self {
            MatchRecording::File(file) => file.begin(Some(&number.to_string()), &game)?,
            MatchRecording::Folder(folder) => folder.begin(number, &game)?,
        };
        Ok(GameRecording { writer })
    }
}

/// Limits of a player for a turn; `None` where there are none.
fn limits_of(spec: &MatchPlayerSpec, time_control: &TimeControl) -> Option<String> {
    let time = |name: &str, time: std::time::Duration| format!("{name} {} ms", time.as_millis());
    let mut limits = Vec::new();
    match spec {
        MatchPlayerSpec::Builtin(BuiltinPlayer::Mcts, settings) => {
            let BuiltinSettings { nodes, movetime, cputime, threads, .. } = *settings;
            limits.extend((nodes < u64::MAX).then(|| format!("nodes {nodes}")));
            limits.extend((movetime < std::time::Duration::MAX).then(|| time("movetime", movetime)));
            limits.extend(cputime.map(|cputime| time("cputime", cputime)));
            limits.extend((threads > 1).then(|| format!("threads {threads}")));
        }
        MatchPlayerSpec::Builtin(..) => {}
        MatchPlayerSpec::Command(_) => match time_control.limit {
            TimeLimit::Own => {}
            TimeLimit::Turn(movetime) => limits.push(time("movetime", movetime)),
            TimeLimit::Clock(clock) => limits.push(format!("clock {clock} s")),
        },
    }
    (!limits.is_empty()).then(|| limits.join(", "))
}

/// Network of a player, where it is known.
fn network_of(spec: &MatchPlayerSpec) -> Option<String> {
    match spec {
        MatchPlayerSpec::Builtin(BuiltinPlayer::Mcts, settings) => {
            settings.network.or_else(EngineNetwork::embedded).map(network_name)
        }
        _ => None,
    }
}

/// Recording of one game.
pub(super) struct GameRecording {
    writer: GameWriter,
}

impl GameRecording {
    /// Writes a legal turn before it is played.
    pub(super) fn turn(&self, game: &Game, turn: &GameTurn, notes: TurnNotes) -> Result<()> {
        self.writer.turn(&AnnotatedTurn::new(game, turn, notes))
    }

    /// Writes how the game ended.
    pub(super) fn end(&self, ending: &Ending) -> Result<()> {
        self.writer.end(ending)
    }
}
