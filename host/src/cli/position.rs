//! Arguments that several commands share: a position in FEN or of a recorded game, and the rules under which it is read.

use std::io::stdin;

use anyhow::{Context, Result, anyhow, ensure};
use barrow_core::minions::text::fen;
use barrow_core::minions::{Game, GameConfig, Ruleset};

use super::recorded::RecordedGame;
use crate::io::{LINE_CAP, LineEnd, read_line};

/// Seed of the cards that a FEN does not name.
const SEED: u64 = 0;

/// Arguments for what a FEN in Spooky's form does not say.
#[derive(clap::Args, Debug)]
pub(super) struct Rules {
    /// Points, maps and techs of a FEN that does not say, as in UMI: "2 BlackenedShores,MidnightLake S,P,W"
    #[arg(long, value_name = "CONFIG")]
    config: Option<String>,
    /// Rules of a FEN that does not say; it is then in Spooky's form and read under Spooky's rules
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
}

/// Arguments for a position.
#[derive(clap::Args)]
pub(super) struct Position {
    /// Position in FEN, as one argument or as several words; `-` is a line of stdin
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
    /// The position of the arguments, a FEN or one of a recorded game, or the start position without any.
    pub(super) fn game(&self) -> Result<Game> {
        if let Some(game) = self.recorded.position()? {
            return Ok(game);
        }
        let text = match self.fen.join(" ").trim() {
            "-" => {
                let mut line = Vec::new();
                let end = read_line(&mut stdin().lock(), LINE_CAP, &mut line).context("stdin")?;
                ensure!(end != LineEnd::TooLong, "stdin: a line of more than {} MiB", LINE_CAP >> 20);
                String::from_utf8(line).context("stdin")?.trim().to_owned()
            }
            text => text.to_owned(),
        };
        let given = !text.is_empty();
        let config = self.rules.config(if given { Ruleset::Spooky } else { Ruleset::Server })?;
        if !given {
            return Ok(Game::new(config, SEED));
        }
        let game = fen::parse_seeded(&text, &config, SEED);
        game.map_err(|error| anyhow!("position, {error}"))
            .with_context(|| format!("FEN of {} boards", config.num_boards()))
    }
}
