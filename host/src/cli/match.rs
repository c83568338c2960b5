//! `barrow match`: plays pairs of games between two players and prints their strength difference.

use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Result, bail, ensure};
use barrow_core::minions::{MapLabel, Ruleset};

use crate::matches::elo::Sprt;
use crate::matches::report;
use crate::matches::{Match, MatchError, MatchPlayerSpec, MatchRecording, Openings, Rulesets, TimeControl};
use crate::progress;

/// Time after which a turn is a timeout when no time per turn is set.
const UNTIMED_DEADLINE: Duration = Duration::from_mins(1);

/// Arguments of `match`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// First player: `builtin:greedy`, `builtin:random` (with `,seed=N`) or `cmd:COMMAND`, a UMI engine
    #[arg(long, value_name = "SPEC")]
    a: MatchPlayerSpec,
    /// Second player
    #[arg(long, value_name = "SPEC")]
    b: MatchPlayerSpec,
    /// Games, rounded up to whole pairs
    #[arg(long, value_name = "N", default_value_t = 100)]
    games: u32,
    /// Stop as soon as one of two strengths in Elo is accepted, with an error of 5 % either way
    #[arg(long, num_args = 2, value_names = ["ELO0", "ELO1"], allow_negative_numbers = true)]
    sprt: Option<Vec<f64>>,
    /// Rules: `server`, `spooky` or `mixed`; by default `spooky` when a UMI engine takes part, otherwise `server`
    #[arg(long, value_parser = parse_rulesets)]
    ruleset: Option<Rulesets>,
    /// Number of boards, or a range such as `1-4` to draw from
    #[arg(long, value_name = "N[-M]", default_value = "1-4", value_parser = parse_boards)]
    boards: (u8, u8),
    /// Maps to draw from, separated by commas; by default those of random games
    #[arg(long, value_delimiter = ',', value_parser = parse_map)]
    maps: Vec<MapLabel>,
    /// Turns that a random player begins each game with
    #[arg(long, value_name = "N", default_value_t = 0)]
    opening_plies: u32,
    /// Chance, 0 to 1, that a pair begins with a random handicap of souls, techs or souls per turn, for one side or both
    #[arg(long, value_name = "CHANCE", default_value_t = 0.0, value_parser = parse_chance)]
    handicaps: f64,
    /// Time per turn of UMI engines in milliseconds
    #[arg(long, value_name = "MS")]
    movetime: Option<u64>,
    /// How much later than the time per turn an engine may answer, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 1000)]
    margin: u64,
    /// Time that a UMI engine has to start, or to be ready for a new game, in milliseconds; one that does not start ends
    /// the match with an error
    #[arg(long, value_name = "MS", default_value_t = 20_000)]
    startup: u64,
    /// Turns after which a game is a draw
    #[arg(long, value_name = "N", default_value_t = 400)]
    max_plies: u32,
    /// Seed of maps, tech lines, cards and built-in players
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Pairs played at once; by default as many as there are cores
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Record the games, turn by turn, to a file (`.mgn`, `.mgn.gz`), or each to a file of its own in a folder, whose name
    /// ends in `/` where it is to be made
    #[arg(long, value_name = "FILE|FOLDER/")]
    record: Option<String>,
    /// Replace recorded games that exist
    #[arg(long)]
    force: bool,
    /// Print the result as one JSON object and nothing else on standard output
    #[arg(long)]
    json: bool,
}

/// Plays the match and prints its result. Ctrl-C ends it with the result so far, an engine that does not start with an
/// error.
pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let contest = arguments.contest()?;
    let bar = progress::bar(u64::from(contest.pairs), "pairs");
    let result = contest.play(|result| report::update(&bar, result));
    bar.finish_and_clear();
    match result {
        Ok(result) => report::print(&contest, &result, arguments.json).map(|()| ExitCode::SUCCESS),
        Err(MatchError { played, cause }) => {
            if played.games() > 0 {
                report::print(&contest, &played, arguments.json)?;
            }
            Err(cause)
        }
    }
}

impl Arguments {
    /// Match that the arguments describe.
    fn contest(&self) -> Result<Match> {
        let umi = [&self.a, &self.b].into_iter().any(|spec| matches!(spec, MatchPlayerSpec::Command(_)));
        let by_players = if umi { Ruleset::Spooky } else { Ruleset::Server };
        let rulesets = self.ruleset.unwrap_or(Rulesets::One(by_players));
        let openings = Openings::new(rulesets, self.boards, &self.maps, self.opening_plies, self.seed)?;
        let sprt = match self.sprt.as_deref() {
            None => None,
            Some(&[elo0, elo1]) => {
                ensure!(
                    elo0.is_finite() && elo1.is_finite() && elo0 < elo1,
                    "--sprt: ELO0 must be less than ELO1"
                );
                Some(Sprt::new(elo0, elo1))
            }
            Some(_) => bail!("--sprt takes two numbers"),
        };
        ensure!(self.games > 0, "--games must not be 0");
        ensure!(self.movetime != Some(0), "--movetime must not be 0");
        let threads = match self.threads {
            Some(0) => bail!("--threads must not be 0"),
            Some(threads) => threads,
            None => std::thread::available_parallelism().map_or(1, usize::from),
        };
        let movetime = self.movetime.map(Duration::from_millis);
        let margin = Duration::from_millis(self.margin);
        Ok(Match {
            players: [self.a.clone(), self.b.clone()],
            pairs: self.games.div_ceil(2),
            openings: openings.with_handicaps(self.handicaps)?,
            sprt,
            time_control: TimeControl {
                movetime,
                deadline: movetime.map_or(UNTIMED_DEADLINE, |time| time + margin),
                startup: Duration::from_millis(self.startup),
            },
            max_plies: self.max_plies,
            threads,
            recording: self
                .record
                .as_deref()
                .map(|name| MatchRecording::create(name, self.force))
                .transpose()?,
        })
    }
}

pub(super) fn parse_rulesets(text: &str) -> Result<Rulesets, String> {
    Rulesets::from_name(text).ok_or_else(|| "expected server, spooky or mixed".to_owned())
}

pub(super) fn parse_chance(text: &str) -> Result<f64, String> {
    let chance = text.parse().ok().filter(|chance| (0.0..=1.0).contains(chance));
    chance.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

fn parse_map(text: &str) -> Result<MapLabel, String> {
    MapLabel::from_name(text).ok_or_else(|| {
        let names: Vec<&str> = MapLabel::ALL.iter().map(|label| label.name()).collect();
        format!("no such map; known are {}", names.join(", "))
    })
}

pub(super) fn parse_boards(text: &str) -> Result<(u8, u8), String> {
    let (least, most) = text.split_once('-').unwrap_or((text, text));
    match (least.parse::<u8>(), most.parse::<u8>()) {
        (Ok(least), Ok(most)) if 1 <= least && least <= most && most <= 8 => Ok((least, most)),
        _ => Err("expected a number of boards from 1 to 8, or a range of such".to_owned()),
    }
}
