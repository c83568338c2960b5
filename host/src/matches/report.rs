//! Match results as text for people and as JSON.

use anyhow::Result;
use indicatif::ProgressBar;
use serde::Serialize;

use super::elo;
use super::elo::Pentanomial;
use super::fault::FaultCounts;
use super::lateness::{LATENESS_BOUNDS, Lateness};
use super::result::MatchResult;
use super::runner::Match;
use crate::say;

/// JSON object of a match result, from the point of view of player a. `illegal`, `timeouts` and `crashes` are sums over
/// both players.
#[derive(Serialize)]
struct JsonResult<'a> {
    games: u32,
    wins: u32,
    losses: u32,
    draws: u32,
    pentanomial: Pentanomial,
    elo: f64,
    elo_error: f64,
    illegal: u32,
    timeouts: u32,
    crashes: u32,
    /// Log-likelihood ratio of the sequential test; null without a test.
    llr: Option<f64>,
    /// Accepted hypothesis, `H0` or `H1`; null while the test is undecided.
    accepted: Option<&'static str>,
    ruleset: &'a str,
    /// Pairs that began with a handicap.
    handicapped_pairs: usize,
    /// Draws by the limit of plies, which are all draws.
    ply_limit: u32,
    yellow_wins: u32,
    mean_plies: f64,
    longest: u32,
    faults: [FaultCounts; 2],
    lateness: [Lateness; 2],
    /// Description of the first fault; null without one.
    first_fault: Option<&'a str>,
    interrupted: bool,
}

/// Updates a progress bar over the pairs.
pub fn update(bar: &ProgressBar, result: &MatchResult) {
    bar.set_position(u64::from(result.games() / 2));
    bar.set_message(format!("+{} -{} ={}", result.wins, result.losses, result.draws));
}

/// Prints the result of a match as text, or as one JSON object on one line.
pub fn print(contest: &Match, result: &MatchResult, json: bool) -> Result<()> {
    let elo = elo::elo(&result.pentanomial);
    let llr = contest.sprt.map(|sprt| sprt.llr(&result.pentanomial));
    let accepted = contest.sprt.and_then(|sprt| sprt.accepted(&result.pentanomial));
    let games = result.games();
    let handicapped_pairs = (0..games / 2).filter(|&pair| contest.openings.handicap(pair).is_some()).count();
    let mean_plies = f64::from(result.plies) / f64::from(games.max(1));
    if json {
        let all = result.all_faults();
        let summary = JsonResult {
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
            llr,
            accepted,
            ruleset: contest.openings.rulesets().name(),
            handicapped_pairs,
            ply_limit: result.draws,
            yellow_wins: result.yellow_wins,
            mean_plies,
            longest: result.longest,
            faults: result.faults,
            lateness: result.lateness,
            first_fault: result.first_fault.as_deref(),
            interrupted: result.interrupted,
        };
        println!("{}", serde_json::to_string(&summary)?);
        return Ok(());
    }
    let [a, b] = &contest.players;
    say!("a: {a}, b: {b}, ruleset {}", contest.openings.rulesets().name());
    if result.interrupted {
        say!("interrupted; the result so far:");
    }
    say!("{games} games: a won {}, lost {}, drew {}", result.wins, result.losses, result.draws);
    if handicapped_pairs > 0 {
        say!("{handicapped_pairs} of {} pairs began with a handicap", games / 2);
    }
    say!("pairs by a's points 0, 1/2, 1, 3/2, 2: {:?}", result.pentanomial);
    say!("Elo of a over b: {:+.1} ± {:.1} (95 %)", elo.value, elo.error);
    if let (Some(sprt), Some(llr)) = (contest.sprt, llr) {
        let verdict = accepted.unwrap_or("nothing yet");
        say!("SPRT {} against {} Elo: LLR {llr:+.2}, accepted {verdict}", sprt.elo0, sprt.elo1);
    }
    say!(
        "Yellow won {}; {mean_plies:.1} turns a game, at most {}; {} draws by the limit of {} turns",
        result.yellow_wins,
        result.longest,
        result.draws,
        contest.max_plies
    );
    for (name, faults) in ["a", "b"].into_iter().zip(result.faults) {
        say!(
            "faults of {name}: {} illegal turns, {} timeouts, {} crashes",
            faults.illegal,
            faults.timeouts,
            faults.crashes
        );
    }
    for (name, lateness) in ["a", "b"].into_iter().zip(&result.lateness).filter(|(_, late)| late.total() > 0)
    {
        let classes: Vec<String> = lateness.turns.iter().map(u32::to_string).collect();
        say!(
            "turns of {name} by how late they came, up to {LATENESS_BOUNDS:?} ms and later: {}; the latest {:.1} ms",
            classes.join(", "),
            lateness.most_us as f64 / 1000.0
        );
    }
    if let Some(fault) = &result.first_fault {
        say!("first fault: {fault}");
    }
    Ok(())
}
