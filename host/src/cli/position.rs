//! Arguments that several commands share: a position in FEN or of a recorded game, and the rules under which it is read.

use std::io::stdin;
use std::path::Path;

use anyhow::{Context, Result, anyhow, ensure};
use barrow_core::minions::text::fen;
use barrow_core::minions::{Game, GameConfig, Ruleset};
use barrow_session::load::boards_told;

use super::recorded::RecordedGame;
use crate::io::{LINE_CAP, LineEnd, read_line, remove_mark};
use crate::notation::AnnotatedGame;

/// Seed of the cards that a FEN does not name.
const SEED: u64 = 0;

/// Arguments for what a FEN in Spooky's form does not say.
#[derive(clap::Args, Debug)]
pub(super) struct Rules {
    /// Points, maps (one for each board) and techs of a position or a recorded game that does not say, as in UMI:
    /// "1 MidnightLake S,P,W" [default: 2 BlackenedShores,MidnightLake and all 25 techs]
    #[arg(long, value_name = "CONFIG")]
    config: Option<String>,
    /// Rules of a position or a recorded game that does not say: `server` is the full game of the web server, `spooky` the
    /// one of the Spooky engine [default: server for the start position, spooky for a FEN, which is in Spooky's form then]
    #[arg(long, value_name = "server|spooky", value_parser = ruleset)]
    ruleset: Option<Ruleset>,
}

impl Rules {
    /// The configuration; `default` is the ruleset unless the arguments name one.
    pub(super) fn config(&self, default: Ruleset) -> Result<GameConfig> {
        let rules = self.ruleset.unwrap_or(default);
        match &self.config {
            Some(line) => fen::parse_config(line, rules).map_err(|error| anyhow!("--config: {error}")),
            None => Ok(GameConfig::default().with_ruleset(rules)),
        }
    }

    /// Fails when the arguments contradict the configuration of the recorded game of a file.
    fn check_recorded(&self, file: &str, recorded: &GameConfig) -> Result<()> {
        let rules = recorded.ruleset;
        if let Some(ruleset) = self.ruleset {
            ensure!(ruleset == rules, "--ruleset: {file} is a game under the ruleset {}", rules.name());
        }
        if self.config.is_some() {
            let named = self.config(rules)?;
            let is_same = (named.maps(), &named.techline, named.points_needed)
                == (recorded.maps(), &recorded.techline, recorded.points_needed);
            ensure!(is_same, "--config: {file} is a game of another one: {}", fen::ConfigLine(recorded));
        }
        Ok(())
    }
}

/// Arguments for a position.
#[derive(clap::Args)]
pub(super) struct Position {
    /// Position in FEN, as one argument or as several words; `-` is a line of stdin; without it the start position
    ///
    /// `fen` in `barrow play`, `getfen` in UMI and `barrow show --json` print one.
    #[arg(value_name = "FEN")]
    fen: Vec<String>,
    #[command(flatten)]
    rules: Rules,
    #[command(flatten)]
    pub(super) recorded: RecordedGame,
}

fn ruleset(name: &str) -> Result<Ruleset> {
    Ruleset::from_name(name).ok_or_else(|| anyhow!("no such ruleset"))
}

impl Position {
    /// Whether a position or its rules are named.
    pub(super) fn is_given(&self) -> bool {
        !self.fen.is_empty() || self.rules.config.is_some() || self.rules.ruleset.is_some()
    }

    /// The recorded game that the arguments name. A replay of the web server, which says nothing of its configuration, has that
    /// of the arguments; those that contradict the game are refused.
    pub(super) fn recorded_game(&self) -> Result<Option<AnnotatedGame>> {
        let Some(file) = self.recorded.file() else { return Ok(None) };
        let config = self.rules.config(Ruleset::Server)?.with_ruleset(Ruleset::Server);
        let game = self.recorded.game(config)?;
        if let Some(game) = &game {
            self.rules.check_recorded(file, game.start.config())?;
        }
        Ok(game)
    }

    /// The position of the arguments, a FEN or one of a recorded game, or the start position without any.
    pub(super) fn game(&self) -> Result<Game> {
        if let Some(game) = self.recorded_game()? {
            return self.recorded.position(&game);
        }
        let text = match self.fen.join(" ").trim() {
            "-" => {
                let mut line = Vec::new();
                let end = read_line(&mut stdin().lock(), LINE_CAP, &mut line).context("stdin")?;
                remove_mark(&mut line);
                ensure!(end != LineEnd::TooLong, "stdin: a line of more than {} MiB", LINE_CAP >> 20);
                String::from_utf8(line).context("stdin")?.trim().to_owned()
            }
            text => text.to_owned(),
        };
        let given = !self.fen.is_empty();
        ensure!(!given || !text.is_empty(), "FEN: empty");
        let config = self.rules.config(if given { Ruleset::Spooky } else { Ruleset::Server })?;
        if !given {
            return Ok(Game::new(config, SEED));
        }
        let game = fen::parse_seeded(&text, &config, SEED);
        game.map_err(|error| anyhow!("FEN, {error}{}", hint(&text, &config)))
    }
}

/// A word on what a text that is no position may have been meant to be.
fn hint(text: &str, config: &GameConfig) -> String {
    if Path::new(text).is_file() {
        return "; that is a file: a recorded game is given by --game".to_owned();
    }
    boards_told(text, config).map_or_else(String::new, |told| format!("; {told}: --config names others"))
}
