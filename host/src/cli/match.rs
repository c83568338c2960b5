//! `barrow match`: plays pairs of games between players and prints their strength differences.

use std::process::ExitCode;
use std::time::Duration;

use anyhow::Result;
use barrow_core::minions::{MapLabel, Ruleset};
use schemars::JsonSchema;

use super::position::Rules;
use super::recorded;
use super::usage::{UsageError, refuse_given, refuse_shared_files, require};
use crate::engine::MAX_THREADS;
use crate::io::journal_name;
use crate::matches::elo::{Sprt, expected_score};
use crate::matches::{
    Contestant, CrossTable, KnownPairs, Match, MatchClock, MatchError, MatchFormat, MatchPlayerSpec,
    MatchRecording, OPENING_PLIES_CAP, OpeningFile, Openings, ResultsFile, Rulesets, TimeControl, TimeLimit,
    player_help, report, tournament_report,
};
use crate::quantity::milliseconds;
use crate::shard::Shard;
use crate::{progress, say};

/// Time after which a turn is a timeout when no time per turn is set.
const UNTIMED_DEADLINE: Duration = Duration::from_mins(1);

/// Time by which an engine may be late when no margin is set.
const MARGIN: Duration = Duration::from_secs(1);

/// Time that an engine has to start when none is set.
const STARTUP: Duration = Duration::from_secs(20);

/// Players of a match at most: each has a letter.
const PLAYER_CAP: usize = 26;

/// Arguments of drawn openings. Those of a file name them too: what an argument requires is not missed beside another
/// that conflicts with it.
const DRAWN: [&str; 4] = ["boards", "maps", "opening_plies", "handicaps"];

/// Arguments of `match`.
#[derive(clap::Args)]
#[command(after_long_help = player_help())]
pub(super) struct Arguments {
    /// First player: `builtin:greedy`, `builtin:random`, `builtin:mcts,nodes=80` or `cmd:COMMAND`, a UMI engine; --help
    /// lists all settings
    #[arg(long, value_name = "SPEC", required_unless_present = "player", requires = "b")]
    a: Option<Contestant>,
    /// Second player
    #[arg(long, value_name = "SPEC", requires = "a")]
    b: Option<Contestant>,
    /// Player of a match of several, instead of --a and --b; to be repeated
    #[arg(long, value_name = "SPEC", conflicts_with_all = ["a", "b", "sprt"])]
    player: Vec<Contestant>,
    /// With --player: who plays whom
    #[arg(long, value_enum, default_value_t, requires = "player", conflicts_with_all = ["a", "b"])]
    format: MatchFormat,
    /// Games of each encounter, rounded up to whole pairs
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// Play only part I of N of the match, from 0, so that several machines can share it; `merge` joins their --results
    #[arg(long, value_name = "I/N", default_value = "0/1", conflicts_with_all = ["sprt", "record"])]
    shard: Shard,
    /// Stop as soon as one of two strengths in Elo is accepted, with an error of 5 % either way
    #[arg(long, num_args = 2, value_names = ["ELO0", "ELO1"])]
    sprt: Option<Vec<f64>>,
    /// Rules: `server`, `spooky` or `mixed`; by default `spooky` when a UMI engine takes part, otherwise `server`. With
    /// --openings those of positions that do not say, by default `spooky`
    #[arg(long, value_parser = parse_rulesets)]
    ruleset: Option<Rulesets>,
    /// Number of boards, or a range such as `1-4` to draw from
    #[arg(long, value_name = "N[-M]", default_value = "1-4", value_parser = parse_boards, conflicts_with = "openings")]
    boards: (u8, u8),
    /// Maps to draw from, separated by commas; by default those of random games
    #[arg(long, value_delimiter = ',', value_parser = parse_map, conflicts_with = "openings")]
    maps: Vec<MapLabel>,
    /// Turns that a random player begins each game with, at most 200
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with = "openings", value_parser = clap::value_parser!(u32).range(..=i64::from(OPENING_PLIES_CAP)))]
    opening_plies: u32,
    /// Chance, 0 to 1, that a pair begins with a random handicap of souls, techs or souls per turn, for one side or both
    #[arg(long, value_name = "CHANCE", default_value_t = 0.0, value_parser = parse_chance, conflicts_with = "openings")]
    handicaps: f64,
    /// Openings instead of drawn ones, each for a side-swapped pair, in an order that follows from the seed: a file with a
    /// position (FEN) a line, or with recorded games (`.mgn`), whose last positions count; `-` is stdin
    #[arg(long, value_name = "FILE")]
    openings: Option<String>,
    /// With --openings: take recorded games after this many turns
    #[arg(long, value_name = "N", requires = "openings", conflicts_with_all = DRAWN, value_parser = recorded::turns)]
    openings_turn: Option<usize>,
    /// With --openings: points, maps and techs of positions that do not say, as in UMI: "2 BlackenedShores,MidnightLake S,P,W"
    #[arg(long, value_name = "CONFIG", requires = "openings", conflicts_with_all = DRAWN)]
    config: Option<String>,
    /// Time per turn of UMI engines in milliseconds
    #[arg(long, value_name = "MS", value_parser = milliseconds(1))]
    movetime: Option<u64>,
    /// Clock of UMI engines for the whole game in seconds, with what is added after each turn, such as `60+0.5`
    #[arg(long, value_name = "SECONDS[+INCREMENT]", conflicts_with = "movetime")]
    clock: Option<MatchClock>,
    /// With --movetime or --clock: milliseconds that an engine may answer later than its time per turn, or than its clock
    /// has left, by default 1000
    #[arg(long, value_name = "MS", value_parser = milliseconds(0))]
    margin: Option<u64>,
    /// Time that a UMI engine has to start, or to be ready for a new game, in milliseconds; one that does not start ends
    /// the match with an error; by default 20000
    #[arg(long, value_name = "MS", value_parser = milliseconds(0))]
    startup: Option<u64>,
    /// Turns after which a game is a draw
    #[arg(long, value_name = "N", default_value_t = 400)]
    max_plies: u32,
    /// Seed of maps, tech lines, cards and built-in players
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Pairs played at once; by default as many as there are cores
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=MAX_THREADS as i64))]
    threads: Option<u16>,
    /// Write the result of each pair to a file as soon as it is finished, so that --resume can go on with the match
    #[arg(long, value_name = "FILE", value_parser = journal_name)]
    results: Option<String>,
    /// Go on with the match of --results that was ended or killed: only the pairs that the file lacks are played. Players,
    /// openings, seed and times must be the same; there may be more games
    #[arg(long, requires = "results", conflicts_with = "force")]
    resume: bool,
    /// Record the games, turn by turn, to a file (`.mgn`, `.mgn.gz`), or each to a file of its own in a folder, whose name
    /// ends in `/` where it is to be made
    #[arg(long, value_name = "FILE|FOLDER/")]
    record: Option<String>,
    /// Replace results and recorded games that exist
    #[arg(long)]
    force: bool,
    /// Print the result as one JSON object and nothing else on standard output
    #[arg(long)]
    json: bool,
}

/// Report of `match`: of two players (`--a`, `--b`) or of several (`--player`).
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "for its schema: each report is printed where it is made")]
pub(super) enum Report {
    /// Two players.
    Match(Box<report::MatchReport>),
    /// Several players.
    Tournament(tournament_report::TournamentReport),
}

/// Plays the match and prints its result. Ctrl-C ends it with the result so far, an engine that does not start with an
/// error.
pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    arguments.refuse_shared_files()?;
    let mut contest = arguments.contest()?;
    let mut results = arguments.results(&contest)?;
    contest.recording = arguments.recording()?;
    let bar = progress::bar(contest.numbers().len() as u64, "pairs");
    let several = !arguments.player.is_empty();
    let watch = |table: &CrossTable| {
        bar.set_position(u64::from(table.pairs()));
        bar.set_message(if several {
            tournament_report::progress_message(table, contest.players.len())
        } else {
            report::progress_message(table)
        });
    };
    let played = match &mut results {
        Some((file, known)) => contest.play_missing(std::mem::take(known), file, watch),
        None => contest.play(watch),
    };
    bar.finish_and_clear();
    let print = |table: &CrossTable| {
        let print = if several { tournament_report::print } else { report::print };
        print(&contest, table, arguments.json)
    };
    match played {
        Ok(table) => {
            print(&table)?;
            if table.interrupted && results.is_some_and(|(file, _)| file.is_begun()) {
                say!("the same command with --resume goes on");
            }
            Ok(ExitCode::SUCCESS)
        }
        Err(MatchError { played, cause }) => {
            if played.pairs() > 0 {
                print(&played)?;
            }
            Err(cause)
        }
    }
}

impl Arguments {
    /// Fails when two of the files are one, so that the match would destroy what it has written or is to read.
    fn refuse_shared_files(&self) -> Result<()> {
        let outputs = [("--results", self.results.as_deref()), ("--record", self.record.as_deref())];
        refuse_shared_files(&outputs, &[("--openings", self.openings.as_deref())])
    }

    /// Match that the arguments describe.
    fn contest(&self) -> Result<Match> {
        let players: Vec<Contestant> = match (&self.a, &self.b) {
            (Some(a), Some(b)) => vec![a.clone(), b.clone()],
            _ => self.player.clone(),
        };
        let count = players.len();
        require(
            (2..=PLAYER_CAP).contains(&count),
            format_args!("--player: a match has 2 to {PLAYER_CAP} players, not {count}"),
        )?;
        let sprt = parse_sprt(self.sprt.as_deref())?;
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        let threads = self.threads.map_or_else(cores, usize::from);
        let limit = match (self.movetime, self.clock) {
            (Some(time), _) => TimeLimit::Turn(Duration::from_millis(time)),
            (None, Some(clock)) => TimeLimit::Clock(clock),
            (None, None) => TimeLimit::Own,
        };
        let overtime = if limit == TimeLimit::Own {
            UNTIMED_DEADLINE
        } else {
            self.margin.map_or(MARGIN, Duration::from_millis)
        };
        let startup = self.startup.map_or(STARTUP, Duration::from_millis);
        self.refuse_unused_times(&players)?;
        let contest = Match {
            openings: self.openings(&players)?,
            players,
            format: self.format,
            pairs: self.games.div_ceil(2),
            shard: self.shard,
            sprt,
            time_control: TimeControl { limit, overtime, startup },
            max_plies: self.max_plies,
            threads,
            recording: None,
        };
        // The numbers of the games are 32 bits long.
        require(contest.total_pairs() < u32::MAX / 2, "--games: too many games")?;
        require(!contest.numbers().is_empty(), "--shard: more parts than pairs of games")?;
        Ok(contest)
    }

    /// Fails when a time is set that no player of the match has.
    fn refuse_unused_times(&self, players: &[Contestant]) -> Result<()> {
        let times = [
            ("--movetime", self.movetime.is_some()),
            ("--clock", self.clock.is_some()),
            ("--margin", self.margin.is_some()),
            ("--startup", self.startup.is_some()),
        ];
        if !has_engine(players) {
            refuse_given("a match without a UMI engine (cmd:COMMAND)", &times)?;
        }
        let timed = self.movetime.is_some() || self.clock.is_some();
        Ok(require(timed || self.margin.is_none(), "--margin needs --movetime or --clock")?)
    }

    /// Openings of a match of these players.
    fn openings(&self, players: &[Contestant]) -> Result<Openings> {
        if let Some(name) = &self.openings {
            let ruleset = match self.ruleset {
                None => None,
                Some(Rulesets::One(ruleset)) => Some(ruleset),
                Some(Rulesets::Mixed) => {
                    let wrong = "--ruleset: positions of --openings are read by server or spooky rules";
                    return Err(UsageError(wrong.to_owned()).into());
                }
            };
            let rules = Rules::of_file(self.config.clone(), ruleset);
            let config = rules.config(Ruleset::Spooky)?;
            let file = OpeningFile { config, turns: self.openings_turn, max_plies: self.max_plies };
            let mut openings = Vec::new();
            for (line, opening) in file.read(name)? {
                rules.check_against(&format!("{name}: line {line} is an opening"), opening.config())?;
                openings.push(opening);
            }
            return Openings::listed(openings, self.seed);
        }
        let by_players = if has_engine(players) { Ruleset::Spooky } else { Ruleset::Server };
        let rulesets = self.ruleset.unwrap_or(Rulesets::One(by_players));
        let openings = Openings::new(rulesets, self.boards, &self.maps, self.opening_plies, self.seed)?;
        openings.with_handicaps(self.handicaps)
    }

    /// Results file with the pairs that it holds already, if one is asked for.
    fn results(&self, contest: &Match) -> Result<Option<(ResultsFile, KnownPairs)>> {
        let Some(name) = &self.results else { return Ok(None) };
        if !self.resume {
            let file = ResultsFile::create(name, self.force, &contest.terms())?;
            return Ok(Some((file, KnownPairs::default())));
        }
        let (file, known, warning) = ResultsFile::go_on(name, &contest.terms())?;
        if let Some(warning) = warning {
            eprintln!("barrow: warning: {warning}");
        }
        Ok(Some((file, known)))
    }

    /// Recording that the arguments ask for. One of a match that is gone on with is written on behind what it holds.
    fn recording(&self) -> Result<Option<MatchRecording>> {
        let name = self.record.as_deref();
        let open = |name| {
            if self.resume { MatchRecording::go_on(name) } else { MatchRecording::create(name, self.force) }
        };
        name.map(open).transpose()
    }
}

/// Whether a UMI engine takes part.
fn has_engine(players: &[Contestant]) -> bool {
    players.iter().any(|contestant| matches!(contestant.player, MatchPlayerSpec::Command(_)))
}

/// Sequential test between the two strengths in Elo of `--sprt`.
pub(super) fn parse_sprt(bounds: Option<&[f64]>) -> Result<Option<Sprt>, UsageError> {
    match bounds {
        None => Ok(None),
        Some(&[elo0, elo1]) => {
            let in_order = elo0.is_finite() && elo1.is_finite() && elo0 < elo1;
            require(in_order, "--sprt: ELO0 must be less than ELO1")?;
            for elo in [elo0, elo1] {
                let score = expected_score(elo);
                require(
                    score > 0.0 && score < 1.0,
                    format_args!(
                        "--sprt: the score expected at {elo} Elo rounds to {score}, which no test can decide"
                    ),
                )?;
            }
            Ok(Some(Sprt::new(elo0, elo1)))
        }
        Some(_) => Err(UsageError("--sprt takes two numbers".to_owned())),
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
