//! Arguments that several commands share: a position in FEN or of a recorded game, and the rules under which it is read.

use std::io::stdin;
use std::path::Path;

use anyhow::{Context, Result, anyhow, ensure};
use barrow_core::minions::text::fen;
use barrow_core::minions::{Game, GameConfig, Ruleset};
use barrow_session::load::{boards_told, has_same_boards};
use clap::parser::ValueSource;
use clap::{ArgMatches, FromArgMatches};

use super::recorded::RecordedGame;
use super::usage::{UsageError, require};
use crate::io::{LINE_CAP, LineEnd, read_line, remove_mark};
use crate::notation::{AnnotatedGame, FEN_SEED};

/// Arguments for what a FEN in Spooky's form does not say.
#[derive(clap::Args)]
struct RulesArguments {
    /// Points, maps (one for each board) and techs of a position, or of a replay of the web server, which does not say, as in
    /// UMI: "1 MidnightLake S,P,W" [default: 2 BlackenedShores,MidnightLake and all 25 techs]
    #[arg(long, value_name = "CONFIG")]
    config: Option<String>,
    /// Rules of a position that does not say: `server` is the full game of the web server, `spooky` the one of the Spooky
    /// engine [default: server for the start position, spooky for a FEN, which is in Spooky's form then]
    #[arg(long, value_name = "server|spooky", value_parser = ruleset)]
    ruleset: Option<Ruleset>,
}

/// Rules and configuration of a position that does not say.
#[derive(Debug)]
pub(super) struct Rules {
    config: Option<String>,
    ruleset: Option<Ruleset>,
    /// Whether the ruleset is a default that a user has configured. It is meant for positions that do not say.
    is_configured: bool,
}

impl FromArgMatches for Rules {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Rules, clap::Error> {
        let RulesArguments { config, ruleset } = RulesArguments::from_arg_matches(matches)?;
        let is_configured = matches.value_source("ruleset") == Some(ValueSource::DefaultValue);
        Ok(Rules { config, ruleset, is_configured })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Rules::from_arg_matches(matches)?;
        Ok(())
    }
}

impl clap::Args for Rules {
    fn group_id() -> Option<clap::Id> {
        RulesArguments::group_id()
    }

    fn augment_args(command: clap::Command) -> clap::Command {
        RulesArguments::augment_args(command)
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        RulesArguments::augment_args_for_update(command)
    }
}

impl Rules {
    /// Rules and configuration of the positions of a file, by arguments of a command that has others beside them.
    pub(super) fn of_file(config: Option<String>, ruleset: Option<Ruleset>) -> Rules {
        Rules { config, ruleset, is_configured: false }
    }

    /// Whether points, maps and techs are named.
    pub(super) const fn has_config(&self) -> bool {
        self.config.is_some()
    }

    /// The configuration; `default` is the ruleset unless the arguments name one.
    pub(super) fn config(&self, default: Ruleset) -> Result<GameConfig> {
        let rules = self.ruleset.unwrap_or(default);
        match &self.config {
            Some(line) => {
                let config = fen::parse_config(line, rules);
                config.map_err(|error| UsageError(format!("--config: {error}")).into())
            }
            None => Ok(GameConfig::default().with_ruleset(rules)),
        }
    }

    /// Fails when the arguments contradict the configuration that a recorded game or a position says itself.
    pub(super) fn check_against(&self, what: &str, said: &GameConfig) -> Result<()> {
        let rules = said.ruleset;
        if let Some(ruleset) = self.ruleset.filter(|_| !self.is_configured) {
            require(ruleset == rules, format!("--ruleset: {what} under the ruleset {}", rules.name()))?;
        }
        if self.config.is_some() {
            let named = self.config(rules)?;
            let is_same = has_same_boards(&named, said);
            require(is_same, format!("--config: {what} of another one: {}", fen::ConfigLine(said)))?;
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
            self.rules.check_against(&format!("{file} is a game"), game.start.config())?;
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
            return Ok(Game::new(config, FEN_SEED));
        }
        let game = fen::parse_seeded(&text, &config, FEN_SEED)
            .map_err(|error| anyhow!("FEN, {error}{}", hint(&text, &config)))?;
        self.rules.check_against("the FEN is a position", game.config())?;
        Ok(game)
    }
}

/// A word on what a text that is no position may have been meant to be.
fn hint(text: &str, config: &GameConfig) -> String {
    if Path::new(text).is_file() {
        return "; that is a file: a recorded game is given by --game".to_owned();
    }
    boards_told(text, config).map_or_else(String::new, |told| format!("; {told}: --config names others"))
}
