//! `barrow bench`: time and speed of search, rules and nets on fixed positions.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use barrow_core::minions::{Game, GameConfig, Ruleset};
use clap::ValueEnum;
use indicatif::ProgressBar;
use schemars::JsonSchema;
use serde::Serialize;

use super::position::Rules;
use super::usage::refuse_given;
use crate::bench::test_positions::middle_games;
use crate::bench::{
    EvalReport, OptimismReport, RulesReport, SIGNED_NODES, SearchReport, TaskReport, ThreadsCount,
    ThreadsReport, measure_answers, measure_eval, measure_optimism, measure_rules, measure_search,
    measure_tactics, measure_threads,
};
use crate::engine::{MAX_THREADS, VERIFIES};
use crate::io;
use crate::matches::{MatchPlayer, MatchPlayerSpec, TimeControl, TimeLimit, player_help};
use crate::notation::PositionFile;
use crate::quantity::milliseconds;
use crate::tactics::{BUILT_IN, HARD, Tactic, parse_all};
use crate::text::counted::counted;
use crate::text::output::print_json;
use crate::{interrupt, progress, say, say_part};

/// Time to measure each figure of rules and nets.
const FIGURE_TIME: Duration = Duration::from_millis(800);

/// Time for each tactical position.
const TACTIC_TIME: Duration = Duration::from_millis(50);

/// Time for each search of `optimism` and `threads`, where neither time nor nodes are given.
const SEARCH_TIME: Duration = Duration::from_secs(1);

/// Time beyond its own that a UMI engine has for a turn, and to start.
const OVERTIME: Duration = Duration::from_mins(1);

/// Arguments of `bench`.
#[derive(clap::Args)]
#[command(after_long_help = player_help())]
pub(super) struct Arguments {
    /// Subject of the measurement
    #[arg(value_enum, default_value_t = Subject::Search)]
    subject: Subject,
    /// Nodes to search: in all (search, by default 4000), or in each position at most (tactics and optimism)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Milliseconds for each search (tactics without --nodes has 50, optimism without --nodes and threads have 1000), or for
    /// each figure (rules and eval, by default 800)
    #[arg(long, value_name = "MS", value_parser = milliseconds(1))]
    movetime: Option<u64>,
    /// Threads, each on a position of its own (search, by default 1); or on one position, up to so many (threads, by default as
    /// many as the machine runs at once)
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=MAX_THREADS as i64))]
    threads: Option<u16>,
    /// File with one position per line instead of the built-in ones (optimism and threads: FEN, tactics: as in
    /// `host/data/tactics.fen`); `.gz` is read as such, `-` is stdin
    #[arg(long, value_name = "FILE")]
    positions: Option<String>,
    /// The hard positions instead of those with one right idea (tactics)
    #[arg(long, conflicts_with = "positions")]
    hard: bool,
    /// Leave out that the final choice is verified and repaired, as players with `verify=off` do (tactics)
    #[arg(long)]
    unverified: bool,
    /// Player that is to solve the positions, as in `barrow match`, instead of the search with --nodes or --movetime, which is
    /// then the time of a `cmd:` player (tactics)
    #[arg(long, value_name = "PLAYER", conflicts_with_all = ["nodes", "unverified"])]
    player: Option<MatchPlayerSpec>,
    #[command(flatten)]
    rules: Option<Rules>,
    /// Print one JSON object and nothing else on standard output
    #[arg(long)]
    json: bool,
}

impl Arguments {
    /// Fails when an argument is given that has no effect on the subject.
    fn refuse_unused(&self) -> Result<()> {
        let name =
            self.subject.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned());
        let is = |subject| self.subject == subject;
        let (is_search, is_tactics, is_threads) =
            (is(Subject::Search), is(Subject::Tactics), is(Subject::Threads));
        let reads_fen = is(Subject::Optimism) || is_threads;
        let unused = [
            ("--nodes", self.nodes.is_some() && !(is_search || is_tactics || is(Subject::Optimism))),
            ("--movetime", self.movetime.is_some() && is_search),
            ("--threads", self.threads.is_some() && !(is_search || is_threads)),
            ("--positions", self.positions.is_some() && !(is_tactics || reads_fen)),
            ("--hard", self.hard && !is_tactics),
            ("--unverified", self.unverified && !is_tactics),
            ("--player", self.player.is_some() && !is_tactics),
            (
                "--movetime of a built-in player, which is its movetime=MS",
                self.movetime.is_some() && matches!(self.player, Some(MatchPlayerSpec::Builtin(..))),
            ),
            ("--config and no --ruleset", self.rules.is_some() && !reads_fen),
            (
                "--config without --positions",
                self.positions.is_none() && self.rules.as_ref().is_some_and(Rules::has_config),
            ),
        ];
        refuse_given(&format!("bench {name}"), &unused)
    }

    /// Configuration of positions that do not say (optimism and threads).
    fn config(&self) -> Result<GameConfig> {
        match &self.rules {
            Some(rules) => rules.config(Ruleset::Spooky),
            None => Ok(GameConfig::default().with_ruleset(Ruleset::Spooky)),
        }
    }

    /// Positions of the file, or the built-in ones (optimism and threads).
    fn games(&self) -> Result<Vec<Game>> {
        match &self.positions {
            Some(name) => self.read_positions(name),
            None => Ok(middle_games(self.config()?.ruleset)),
        }
    }

    /// Games of a file's positions whose game goes on.
    fn read_positions(&self, name: &str) -> Result<Vec<Game>> {
        let named = || name.to_owned();
        let mut file =
            PositionFile::open(name, self.config()?, &ProgressBar::hidden()).with_context(named)?;
        let mut games = Vec::new();
        while let Some((line, game)) = file.next_position().with_context(named)? {
            if let Some(rules) = &self.rules {
                rules.check_against(&format!("{name}: line {line} is a position"), game.config())?;
            }
            if !game.state().is_over() {
                games.push(game);
            }
        }
        if games.is_empty() {
            bail!("{name}: no position of a game that goes on");
        }
        Ok(games)
    }

    /// Time of a search: the one named; none where nodes are; or otherwise the usual one.
    fn time_or(&self, usual: Duration) -> Duration {
        match (self.movetime, self.nodes) {
            (Some(time), _) => Duration::from_millis(time),
            (None, Some(_)) => Duration::MAX,
            (None, None) => usual,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Subject {
    /// The search in built-in positions, with a signature that changes only when play can change
    Search,
    /// Reading positions, reach of pieces, playing turns and taking them back, random games
    Rules,
    /// The nets: candidate attacks judged, sums from nothing, prophecies
    Eval,
    /// Tactical positions: how many the search solves
    Tactics,
    /// How much more a search promises than a search of the opponent's answer grants
    Optimism,
    /// Threads that grow one search tree: nodes by number of threads, and how long they wait for each other
    Threads,
}

/// Reports of `bench`, each of one subject.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "for its schema: each report is printed where it is made")]
pub(super) enum BenchReport {
    /// `bench search`.
    Search(SearchReport),
    /// `bench rules`.
    Rules(RulesReport),
    /// `bench eval`.
    Eval(EvalReport),
    /// `bench tactics`.
    Tactics(TacticsReport),
    /// `bench optimism`.
    Optimism(OptimismReport),
    /// `bench threads`.
    Threads(ThreadsReport),
}

/// Report of `bench tactics`.
#[derive(Serialize, JsonSchema)]
pub(super) struct TacticsReport {
    /// Tasks in the order in which the positions name them.
    tasks: Vec<TaskReport>,
}

/// Measures and prints.
pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    arguments.refuse_unused()?;
    let time = arguments.movetime.map(Duration::from_millis);
    match arguments.subject {
        Subject::Search => {
            let bar = progress::bar(0, "positions");
            let (nodes, threads) = (arguments.nodes.unwrap_or(SIGNED_NODES), arguments.threads.unwrap_or(1));
            let report = measure_search(nodes, usize::from(threads), &Arc::default(), &bar)?;
            bar.finish_and_clear();
            say!("{} nodes {:.0} nps", report.nodes, report.nps);
            say!("signature {}", report.signature);
            say!("longest request for an attack {} propagations", report.longest_request);
            if arguments.json {
                print_json(&report)?;
            }
        }
        Subject::Rules => {
            let bar = progress::spinner("timing the rules");
            let report = measure_rules(time.unwrap_or(FIGURE_TIME))?;
            bar.finish_and_clear();
            say!("FEN of two boards read        {:8.2} us", report.fen_parse_us);
            say!("reach of all pieces, a board  {:8.2} us", report.reach_board_us);
            say!("two-board turn, there and back{:8.2} us", report.turn_apply_undo_us);
            say!("random games                  {:8.1} per second", report.playouts_per_s);
            if arguments.json {
                print_json(&report)?;
            }
        }
        Subject::Eval => {
            let bar = progress::spinner("timing the nets");
            let report = measure_eval(time.unwrap_or(FIGURE_TIME))?;
            bar.finish_and_clear();
            say!("kernels: {}", report.kernels);
            for profile in &report.profiles {
                say!(
                    "{:<9} {:>4} lanes: {:6.2} million candidates a second, {:6.2} us for two boards from nothing, \
                     {:6.2} us for the fates of a board",
                    profile.name,
                    profile.l1,
                    profile.evals_per_s / 1e6,
                    profile.refresh_us,
                    profile.prophet_us
                );
            }
            if arguments.json {
                print_json(&report)?;
            }
        }
        Subject::Tactics => run_tactics(arguments)?,
        Subject::Optimism => run_optimism(arguments)?,
        Subject::Threads => run_threads(arguments)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn run_tactics(arguments: &Arguments) -> Result<()> {
    let tactics = match &arguments.positions {
        Some(name) => read_tactics(name)?,
        None => parse_all(if arguments.hard { HARD } else { BUILT_IN })?,
    };
    if let Some(name) = arguments.positions.as_ref().filter(|_| tactics.is_empty()) {
        bail!("{name}: no position");
    }
    let bar = progress::bar(tactics.len() as u64, "positions");
    let tasks = match &arguments.player {
        Some(player) => solve_by(player, arguments.movetime, &tactics, &bar)?,
        None => measure_tactics(
            &tactics,
            VERIFIES && !arguments.unverified,
            arguments.time_or(TACTIC_TIME),
            arguments.nodes.unwrap_or(u64::MAX),
            &bar,
        )?,
    };
    bar.finish_and_clear();
    for TaskReport { task, positions, solved, missed } in &tasks {
        say_part!("{task:<6} {solved} of {positions}");
        say!("{}", if missed.is_empty() { String::new() } else { format!(", missed {missed:?}") });
    }
    if arguments.json {
        print_json(&TacticsReport { tasks })?;
    }
    Ok(())
}

/// Lets a player solve tactical positions, a UMI engine with so many milliseconds for a turn. A turn that does not come, or is
/// illegal, solves nothing and is told.
fn solve_by(
    player: &MatchPlayerSpec,
    movetime: Option<u64>,
    tactics: &[Tactic],
    bar: &ProgressBar,
) -> Result<Vec<TaskReport>> {
    let own = TimeControl::own(OVERTIME, OVERTIME);
    let limit = movetime.map_or(own.limit, |time| TimeLimit::Turn(Duration::from_millis(time)));
    let mut player = MatchPlayer::new('a', player, TimeControl { limit, ..own });
    let answer = |number, game: &Game| {
        let found = player.answer(game, 0)?;
        // An engine that ends with this program is not at fault.
        interrupt::check()?;
        if let Err(fault) = &found {
            bar.suspend(|| eprintln!("barrow: position {number}: {fault}"));
        }
        Ok(found.ok())
    };
    measure_answers(tactics, answer, bar)
}

/// Tactical positions of a file.
fn read_tactics(name: &str) -> Result<Vec<Tactic>> {
    let text = io::read_text(name).with_context(|| name.to_owned())?;
    parse_all(&text).with_context(|| name.to_owned())
}

fn run_optimism(arguments: &Arguments) -> Result<()> {
    let games = arguments.games()?;
    let time = arguments.time_or(SEARCH_TIME);
    let bar = progress::bar(games.len() as u64, "positions");
    let report = measure_optimism(&games, time, arguments.nodes.unwrap_or(u64::MAX), &bar)?;
    bar.finish_and_clear();
    say!(
        "{}, {} nodes: optimism {:+.1} +- {:.1} points, too high in {}, difference {:.1} points; \
         of the claims {:+.1} points, none with log odds less {:.3}",
        counted(report.positions, "position"),
        report.nodes,
        report.optimism,
        report.optimism_error,
        report.too_high,
        report.difference,
        report.claimed,
        report.shift
    );
    if arguments.json {
        print_json(&report)?;
    }
    Ok(())
}

fn run_threads(arguments: &Arguments) -> Result<()> {
    let most = match arguments.threads {
        Some(threads) => usize::from(threads),
        None => std::thread::available_parallelism().map_or(1, usize::from).min(MAX_THREADS),
    };
    let bar = progress::bar(0, "searches");
    let report = measure_threads(&arguments.games()?, arguments.time_or(SEARCH_TIME), most, &bar)?;
    bar.finish_and_clear();
    for ThreadsCount { threads, nodes, nps, ratio, waited, .. } in &report.counts {
        say!(
            "{threads:>3} threads {nodes:>9} nodes {nps:>8.0} nps, {ratio:5.2} times those of one, waiting {:4.1} %",
            100.0 * waited
        );
    }
    if arguments.json {
        print_json(&report)?;
    }
    Ok(())
}
