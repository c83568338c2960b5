//! `barrow convert`: recorded games from one form into another.

use std::process::ExitCode;

use anyhow::{Context, Result, bail, ensure};
use barrow_core::minions::GameConfig;
use barrow_core::minions::text::fen::ConfigLine;
use clap::ValueEnum;
use schemars::JsonSchema;
use serde::Serialize;

use super::recorded::WebServerForm;
use super::usage::{refuse_second_stdin, require};
use crate::io::OutputFile;
use crate::notation::{AnnotatedGame, GameFile, game_text, json_form, self_play, server_form};
use crate::text::counted::counted;
use crate::text::output::print_json;
use crate::{interrupt, progress, say};

/// Arguments of `convert`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// Files of recorded games, whose first line tells the form; `.gz` is read as such, `-` is stdin
    #[arg(required = true)]
    files: Vec<String>,
    /// Form to write
    #[arg(long, value_enum, default_value_t = Form::Mgn)]
    to: Form,
    /// File to write; `.gz` is compressed, `-` is stdout
    #[arg(long, value_name = "FILE", default_value = "-")]
    out: String,
    /// Convert only the game with this number, from 1, counted over all files
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    number: Option<u64>,
    #[command(flatten)]
    web_server: WebServerForm,
    /// Replace the file if it exists
    #[arg(long)]
    force: bool,
    /// Print {"games","turns"} and nothing else on standard output
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// Annotated games as text
    Mgn,
    /// Annotated games as JSON, one a line, for pages in a browser
    Json,
    /// Replay of the Minions web server, one game
    WebServer,
    /// Game records of self-play, to learn from; tags, notes and comments are lost
    Selfplay,
}

/// Converts the games. A game with a turn that is not legal is an error.
pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    refuse_second_stdin(&arguments.files)?;
    let settings = arguments.web_server.settings()?;
    require(!(arguments.json && arguments.out == "-"), "--json needs --out: both would go to stdout")?;
    let mut output = OutputFile::create(&arguments.out, arguments.force).context(arguments.out.clone())?;
    let bar = progress::bytes_bar(&arguments.files);
    let (mut seen, mut games, mut turns, mut config) = (0, 0_u64, 0, String::new());
    for name in &arguments.files {
        let named = || name.clone();
        let mut file = GameFile::open(name, settings.clone(), &bar).with_context(named)?;
        while let Some(read) = file.next_game().with_context(named)? {
            interrupt::check()?;
            seen += 1;
            if arguments.number.is_some_and(|number| number != seen) {
                continue;
            }
            let line = read.line;
            ensure!(
                games == 0 || arguments.to != Form::WebServer,
                "{name}: line {line}: the web server's form holds one game; --number names one"
            );
            let converted = read.legal().and_then(|game| {
                turns += game.turns.len();
                config = ConfigLine(game.start.config()).to_string();
                arguments.convert(&game).with_context(|| format!("line {line}"))
            });
            let text = converted.with_context(named)?;
            games += 1;
            output.write_text_part(&text).context(arguments.out.clone())?;
        }
    }
    let names = || arguments.files.join(", ");
    match arguments.number {
        Some(number) if games == 0 => bail!("{}: there is no game {number}, only {seen}", names()),
        _ => ensure!(games > 0, "{}: there are no games", names()),
    }
    output.save(&[]).context(arguments.out.clone())?;
    bar.finish_and_clear();
    let page = ConfigLine(&GameConfig::default()).to_string();
    if arguments.to == Form::WebServer && config != page {
        eprintln!(
            "barrow: warning: the web server's replay page knows one configuration only, {page}; this is {config}"
        );
    }
    if arguments.out != "-" {
        say!("{}, {}", counted(games, "game"), counted(turns, "turn"));
    }
    if arguments.json {
        print_json(&Converted { games, turns })?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Report of `convert`.
#[derive(Serialize, JsonSchema)]
pub(super) struct Converted {
    /// Games written.
    games: u64,
    /// Turns of these games.
    turns: usize,
}

impl Arguments {
    fn convert(&self, game: &AnnotatedGame) -> Result<String> {
        match self.to {
            Form::Mgn => Ok(game_text(game)),
            Form::Json => json_form::to_line(game).map(|line| line + "\n"),
            Form::Selfplay => self_play::record(game)?.to_line().map(|line| line + "\n"),
            Form::WebServer => server_form::to_text(game, self.web_server.printed_tech_offset()),
        }
    }
}
