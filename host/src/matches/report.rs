//! Results of a match of two players as text for people and as JSON.

use anyhow::Result;
use schemars::JsonSchema;
use serde::Serialize;

use super::cross_table::CrossTable;
use super::elo;
use super::elo::Pentanomial;
use super::fault::FaultCounts;
use super::lateness::{LATENESS_BOUNDS, Lateness};
use super::runner::Match;
use crate::say;
use crate::text::counted::counted;
use crate::text::output::print_json;

/// Result of a match of two players, from the point of view of player a.
#[derive(Serialize, JsonSchema)]
pub struct MatchReport {
    /// Games that counted.
    games: u32,
    /// Games that a won.
    wins: u32,
    /// Games that a lost.
    losses: u32,
    /// Games that nobody won.
    draws: u32,
    /// Pairs of games by the points of a: 0, 1/2, 1, 3/2, 2.
    pentanomial: Pentanomial,
    /// Strength of a over b in Elo.
    elo: f64,
    /// Half the width of its 95 % confidence interval; where an end of that is cut off, the distance of the farther end.
    elo_error: f64,
    /// Illegal turns of both players.
    illegal: u32,
    /// Turns of both players that did not come in time.
    timeouts: u32,
    /// Times that the process of either player ended.
    crashes: u32,
    /// Log-likelihood ratio of the sequential test; null without a test.
    llr: Option<f64>,
    /// Accepted hypothesis, `H0` or `H1`; null while the test is undecided.
    accepted: Option<&'static str>,
    /// Rules of the games: `server`, `spooky` or `mixed`.
    ruleset: &'static str,
    /// Pairs that began with a handicap.
    handicapped_pairs: usize,
    /// Draws by the limit of plies, which are all draws.
    ply_limit: u32,
    /// Games that Yellow won.
    yellow_wins: u32,
    /// Mean length of a game in turns.
    mean_plies: f64,
    /// Turns of the longest game.
    longest: u32,
    /// Faults of a and of b.
    faults: [FaultCounts; 2],
    /// Lateness of the turns of a and of b.
    lateness: [Lateness; 2],
    /// Propagations of the longest request of a and of b for an attack, 65,535 for more; 0 for a player that does not
    /// tell.
    longest_requests: [u16; 2],
    /// Description of the first fault; null without one.
    first_fault: Option<String>,
    /// Whether Ctrl-C ended the match early.
    interrupted: bool,
}

/// Progress of a match in a few words.
pub fn progress_message(table: &CrossTable) -> String {
    let result = table.first();
    format!("+{} -{} ={}", result.wins, result.losses, result.draws)
}

impl MatchReport {
    /// Report of a match with this table.
    fn new(contest: &Match, table: &CrossTable) -> MatchReport {
        let result = table.first();
        let (games, all, elo) = (result.games(), result.all_faults(), elo::elo(&result.pentanomial));
        let has_handicap = |&pair: &u32| contest.openings.handicap(pair).is_some();
        MatchReport {
            games,
            wins: result.wins,
            losses: result.losses,
            draws: result.draws,
            pentanomial: result.pentanomial,
            elo: elo.value,
            elo_error: elo.error,
            illegal: all.illegal,
            timeouts: all.timeouts,
            crashes: all.crashes,
            llr: contest.sprt.map(|sprt| sprt.llr(&result.pentanomial)),
            accepted: contest.sprt.and_then(|sprt| sprt.accepted(&result.pentanomial)),
            ruleset: contest.openings.rulesets().name(),
            handicapped_pairs: contest.numbers().take(games as usize / 2).filter(has_handicap).count(),
            ply_limit: result.draws,
            yellow_wins: result.yellow_wins,
            mean_plies: f64::from(result.plies) / f64::from(games.max(1)),
            longest: result.longest,
            faults: result.faults,
            lateness: result.lateness,
            longest_requests: result.longest_requests,
            first_fault: result.first_fault,
            interrupted: table.interrupted,
        }
    }
}

/// Prints the result of a match as text, or as one JSON object on one line.
pub fn print(contest: &Match, table: &CrossTable, json: bool) -> Result<()> {
    let report = MatchReport::new(contest, table);
    if json {
        return print_json(&report);
    }
    let MatchReport { games, wins, losses, draws, pentanomial, elo, elo_error, handicapped_pairs, .. } =
        report;
    let names: Vec<String> = ["a: ", "b: "]
        .iter()
        .zip(&contest.players)
        .map(|(letter, player)| format!("{letter}{}", player.name))
        .collect();
    say!("{}, ruleset {}", names.join(", "), report.ruleset);
    if report.interrupted {
        say!("interrupted; the result so far:");
    }
    say!("{}: a won {wins}, lost {losses}, drew {draws}", counted(games, "game"));
    if handicapped_pairs > 0 {
        say!("{handicapped_pairs} of {} pairs began with a handicap", games / 2);
    }
    say!("pairs by a's points 0, 1/2, 1, 3/2, 2: {pentanomial:?}");
    say!("Elo of a over b: {elo:+.1} ± {elo_error:.1} (95 %)");
    if let (Some(sprt), Some(llr)) = (contest.sprt, report.llr) {
        let verdict = report.accepted.unwrap_or("nothing yet");
        say!("SPRT {} against {} Elo: LLR {llr:+.2}, accepted {verdict}", sprt.elo0, sprt.elo1);
    }
    say!(
        "Yellow won {}; {:.1} turns a game, at most {}; {draws} draws by the limit of {} turns",
        report.yellow_wins,
        report.mean_plies,
        report.longest,
        contest.max_plies
    );
    for (name, faults) in ["a", "b"].into_iter().zip(report.faults) {
        let FaultCounts { illegal, timeouts, crashes } = faults;
        say!("faults of {name}: {illegal} illegal turns, {timeouts} timeouts, {crashes} crashes");
    }
    for (name, lateness) in ["a", "b"].into_iter().zip(&report.lateness).filter(|(_, late)| late.total() > 0)
    {
        let figures = |turns: &[u32], most_us: u64| {
            let classes: Vec<String> = turns.iter().map(u32::to_string).collect();
            format!("{}; the latest {:.1} ms", classes.join(", "), most_us as f64 / 1000.0)
        };
        say!(
            "turns of {name} by how late they came, up to {LATENESS_BOUNDS:?} ms and later: {}",
            figures(&lateness.turns, lateness.most_us)
        );
        if lateness.running_turns != lateness.turns {
            say!(
                "the same without waiting for a processor: {}",
                figures(&lateness.running_turns, lateness.running_most_us)
            );
        }
    }
    for (name, longest) in
        ["a", "b"].into_iter().zip(report.longest_requests).filter(|&(_, longest)| longest > 0)
    {
        say!("longest request of {name} for an attack: {longest} propagations");
    }
    if let Some(fault) = &report.first_fault {
        say!("first fault: {fault}");
    }
    Ok(())
}
