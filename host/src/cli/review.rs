//! `barrow analyze --game`: reviews a whole recorded game.

use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::ArgGroup;

use super::usage::refuse_shared_files;
use crate::engine::Engine;
use crate::io::{FileArgument, OutputFile};
use crate::notation::{AnnotatedGame, game_text};
use crate::progress;
use crate::review::{self, ReviewReport, ReviewSettings};
use crate::say_part;
use crate::text::output::print_json;

/// Arguments of a review.
#[derive(clap::Args)]
#[command(group(ArgGroup::new("written").args(["svg", "annotated"]).multiple(true)))]
pub(super) struct ReviewArguments {
    /// With --game: win chance in percent that a blunder gives away; a mistake gives away half of it
    #[arg(long, value_name = "PERCENT", default_value_t = 10.0, requires = "file", conflicts_with_all = ["turn", "fen"], value_parser = parse_percent)]
    blunder: f64,
    /// With --game: file to which the curve of the win chance is drawn as SVG
    #[arg(long, value_name = "FILE", requires = "file", conflicts_with_all = ["turn", "fen"])]
    svg: Option<String>,
    /// With --game: file to which the game is written with the review as comments and candidates (`.mgn`, `.mgn.gz`)
    #[arg(long, value_name = "FILE", requires = "file", conflicts_with_all = ["turn", "fen"])]
    annotated: Option<String>,
    /// With --svg or --annotated: replace files that exist
    #[arg(long, requires = "written")]
    force: bool,
}

fn parse_percent(text: &str) -> Result<f64, String> {
    let percent = text.parse::<f64>().ok().filter(|percent| *percent > 0.0 && *percent <= 100.0);
    percent.ok_or_else(|| "expected more than 0 and at most 100 percent".to_owned())
}

impl ReviewArguments {
    /// Fails when two of the files are one, so that the review would destroy what it has written or is to read. `inputs` are
    /// those that the command reads.
    pub(super) fn refuse_shared_files(&self, inputs: &[FileArgument<'_>]) -> Result<()> {
        let outputs = [("--svg", self.svg.as_deref()), ("--annotated", self.annotated.as_deref())];
        refuse_shared_files(&outputs, inputs)
    }

    /// Threshold of a blunder as a chance.
    pub(super) fn threshold(&self) -> f64 {
        self.blunder / 100.0
    }
}

/// Reviews a game with turns and prints the review, as text or as one JSON object and nothing else.
pub(super) fn run(
    arguments: &ReviewArguments,
    game: &AnnotatedGame,
    engine: &mut Engine,
    settings: &ReviewSettings,
    json: bool,
) -> Result<ExitCode> {
    let open = |name: &Option<String>| -> Result<Option<(String, OutputFile)>> {
        let Some(name) = name else { return Ok(None) };
        let file = OutputFile::create(name, arguments.force).with_context(|| name.clone())?;
        Ok(Some((name.clone(), file)))
    };
    let (svg, annotated) = (open(&arguments.svg)?, open(&arguments.annotated)?);
    let bar = progress::bar(game.turns.len() as u64, "turns");
    let review = review::review(game, engine, settings, |turns| bar.set_position(turns as u64))?;
    bar.finish_and_clear();
    say_part!("{}", review::review_text(game, &review));
    if json {
        print_json(&ReviewReport::new(game, &review, settings))?;
    }
    if let Some((name, mut file)) = svg {
        file.save_text(&review::value_chart(game, &review).svg()).context(name)?;
    }
    if let Some((name, mut file)) = annotated {
        file.save_text(&game_text(&review::annotated(game, &review))).context(name)?;
    }
    Ok(ExitCode::SUCCESS)
}
