//! `barrow tune`: tunes numbers of the search by games against itself.

use std::process::ExitCode;

use anyhow::Result;

use super::usage::UsageError;
use crate::matches::{BuiltinPlayer, Contestant, MatchPlayerSpec, Openings, Rulesets, player_help};
use crate::tuning::{SearchComparer, TuningArgs};

/// Subject of the tuning.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum Subject {
    /// Numbers of the search
    Search,
}

/// Arguments of `tune`.
#[derive(clap::Args)]
#[command(after_long_help = player_help())]
pub(super) struct Arguments {
    /// Subject of the tuning
    #[arg(value_enum, default_value = "search")]
    subject: Subject,
    /// Player whose numbers are tuned, against itself; it begins with the numbers that it names
    #[arg(long, value_name = "SPEC", default_value = "builtin:mcts,nodes=80,hash=16")]
    player: Contestant,
    /// Number of boards, or a range such as `1-4` to draw from
    #[arg(long, value_name = "N[-M]", default_value = "1-4", value_parser = super::r#match::parse_boards)]
    boards: (u8, u8),
    /// Rules: `server`, `spooky` or `mixed`
    #[arg(long, default_value = "server", value_parser = super::r#match::parse_rulesets)]
    ruleset: Rulesets,
    #[command(flatten)]
    tuning: TuningArgs,
}

/// Plays what is missing and prints the numbers. Ctrl-C ends it after the parts that are finished.
pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let Subject::Search = arguments.subject;
    let tuning = &arguments.tuning;
    let openings = Openings::new(arguments.ruleset, arguments.boards, &[], 0, tuning.seed)?;
    let MatchPlayerSpec::Builtin(BuiltinPlayer::Mcts, settings) = &arguments.player.player else {
        return Err(UsageError("--player: numbers of builtin:mcts only can be tuned".to_owned()).into());
    };
    let player = format!("builtin:{}", arguments.player.name);
    let check = |player: &str| player.parse::<MatchPlayerSpec>().map(|_| ());
    let terms = tuning.terms(&player, openings.description(), |name| settings.tuned(name), check);
    let terms = terms.map_err(UsageError)?;
    tuning.run(&terms, SearchComparer { openings, threads: tuning.threads() }, 2)
}
