//! Arguments that several commands share: a recorded game of a file.

use anyhow::{Context, Result};
use barrow_core::minions::text::fen;
use barrow_core::minions::{Game, GameConfig, Ruleset};

use super::usage::UsageError;
use crate::notation::{AnnotatedGame, FileSettings, read_game};

/// Arguments for what a replay of the web server does not say of itself.
#[derive(clap::Args, Debug, Default)]
pub(super) struct WebServerForm {
    /// Points, maps and techs of a replay of the web server, as in UMI; by default those of its replay page
    #[arg(long, value_name = "CONFIG")]
    server_config: Option<String>,
    /// Number that was subtracted from the tech positions in it, 0 or 1; by default the game's positions tell
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=1))]
    tech_offset: Option<u8>,
}

impl WebServerForm {
    /// Settings for files of games.
    pub(super) fn settings(&self) -> Result<FileSettings> {
        let config = match &self.server_config {
            Some(line) => fen::parse_config(line, Ruleset::Server)
                .map_err(|error| UsageError(format!("--server-config: {error}")))?,
            None => GameConfig::default(),
        };
        Ok(FileSettings { config, tech_offset: self.tech_offset, ..FileSettings::default() })
    }

    /// Number that is subtracted from tech positions in output for the web server: 1, as it needs it today, unless named.
    pub(super) fn printed_tech_offset(&self) -> u8 {
        self.tech_offset.unwrap_or(1)
    }
}

/// Arguments for a recorded game.
#[derive(clap::Args, Debug, Default)]
pub(super) struct RecordedGame {
    /// Recorded game, in any form that `convert` knows, instead of a position
    #[arg(long = "game", value_name = "FILE", conflicts_with = "fen")]
    file: Option<String>,
    /// Number of the game in the file, from 1; needed where there are several
    #[arg(long, value_name = "N", requires = "file", conflicts_with = "fen", value_parser = clap::value_parser!(u32).range(1..))]
    number: Option<u32>,
    /// Position after this many turns of the game (default: after the last)
    #[arg(long, value_name = "N", requires = "file", conflicts_with = "fen", value_parser = turns)]
    turn: Option<usize>,
}

/// Number of turns of a game.
pub(super) fn turns(text: &str) -> Result<usize, &'static str> {
    text.parse().map_err(|_| "expected a number of turns, from 0")
}

impl RecordedGame {
    /// The game, if a file is named; a replay of the web server that does not name its configuration has this one.
    pub(super) fn game(&self, config: GameConfig) -> Result<Option<AnnotatedGame>> {
        let Some(name) = &self.file else { return Ok(None) };
        let number = self.number.map(|number| number as usize);
        let settings = FileSettings { config, ..FileSettings::default() };
        read_game(name, number, &settings).map(Some)
    }

    /// The position of the game that the arguments name.
    pub(super) fn position(&self, game: &AnnotatedGame) -> Result<Game> {
        let position = game.position(self.turn.unwrap_or(game.turns.len()));
        position.with_context(|| self.file.clone().unwrap_or_default())
    }

    /// Name of the file, if there is one.
    pub(super) fn file(&self) -> Option<&str> {
        self.file.as_deref()
    }

    /// Whether a game is named and no position of it.
    pub(super) fn is_whole(&self) -> bool {
        self.file.is_some() && self.turn.is_none()
    }

    /// Number of turns after which the position is.
    pub(super) fn turn(&self) -> Option<usize> {
        self.turn
    }
}
