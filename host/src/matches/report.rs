//! The result of a match in words and as JSON.

use anyhow::Result;
use indicatif::ProgressBar;
use serde::Serialize;

use super::elo;
use super::elo::Pentanomial;
use super::lateness::{BOUNDS, Lateness};
use super::runner::{Contest, Faults, Tally};

/// What `--json` prints; all seen from a. `illegal` and `timeouts` count both players, `faults` tells them apart.
#[derive(Serialize)]
struct Summary<'a> {
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
    /// Log-likelihood ratio of the sequential test, if one was asked for.
    llr: Option<f64>,
    /// `H0` or `H1` once the test has decided.
    accepted: Option<&'static str>,
    ruleset: &'a str,
    /// Draws by the limit of turns, the only draws there are.
    ply_limit: u32,
    yellow_wins: u32,
    mean_plies: f64,
    longest: u32,
    faults: [Faults; 2],
    lateness: [Lateness; 2],
    interrupted: bool,
}

/// Moves the bar on.
pub(super) fn show(bar: &ProgressBar, tally: &Tally) {
    bar.set_position(u64::from(tally.games() / 2));
    bar.set_message(format!("+{} -{} ={}", tally.wins, tally.losses, tally.draws));
}

/// Prints the result.
pub(super) fn print(contest: &Contest, tally: &Tally, json: bool) -> Result<()> {
    let elo = elo::elo(&tally.pentanomial);
    let llr = contest.sprt.map(|sprt| sprt.llr(&tally.pentanomial));
    let accepted = contest.sprt.and_then(|sprt| sprt.accepted(&tally.pentanomial));
    let games = tally.games();
    let mean_plies = f64::from(tally.plies) / f64::from(games.max(1));
    if json {
        let all = tally.all_faults();
        let summary = Summary {
            games,
            wins: tally.wins,
            losses: tally.losses,
            draws: tally.draws,
            pentanomial: tally.pentanomial,
            elo: elo.value,
            elo_error: elo.error,
            illegal: all.illegal,
            timeouts: all.timeouts,
            crashes: all.crashes,
            llr,
            accepted,
            ruleset: contest.openings.ruleset().name(),
            ply_limit: tally.draws,
            yellow_wins: tally.yellow_wins,
            mean_plies,
            longest: tally.longest,
            faults: tally.faults,
            lateness: tally.lateness,
            interrupted: tally.interrupted,
        };
        println!("{}", serde_json::to_string(&summary)?);
        return Ok(());
    }
    let [a, b] = &contest.specs;
    println!("a: {a}, b: {b}, ruleset {}", contest.openings.ruleset().name());
    if tally.interrupted {
        println!("interrupted; the result so far:");
    }
    println!("{games} games: a won {}, lost {}, drew {}", tally.wins, tally.losses, tally.draws);
    println!("pairs by a's points 0, 1/2, 1, 3/2, 2: {:?}", tally.pentanomial);
    println!("Elo of a over b: {:+.1} ± {:.1} (95 %)", elo.value, elo.error);
    if let (Some(sprt), Some(llr)) = (contest.sprt, llr) {
        let verdict = accepted.unwrap_or("nothing yet");
        println!("SPRT {} against {} Elo: LLR {llr:+.2}, accepted {verdict}", sprt.elo0, sprt.elo1);
    }
    println!(
        "Yellow won {}; {mean_plies:.1} turns a game, at most {}; {} draws by the limit of {} turns",
        tally.yellow_wins, tally.longest, tally.draws, contest.max_plies
    );
    for (name, faults) in ["a", "b"].into_iter().zip(tally.faults) {
        println!(
            "faults of {name}: {} illegal turns, {} timeouts, {} crashes",
            faults.illegal, faults.timeouts, faults.crashes
        );
    }
    for (name, lateness) in ["a", "b"].into_iter().zip(&tally.lateness).filter(|(_, late)| late.total() > 0) {
        let classes: Vec<String> = lateness.turns.iter().map(u32::to_string).collect();
        println!(
            "turns of {name} by how late they came, up to {BOUNDS:?} ms and later: {}; the latest {:.1} ms",
            classes.join(", "),
            lateness.most_us as f64 / 1000.0
        );
    }
    if let Some(fault) = &tally.first_fault {
        println!("first fault: {fault}");
    }
    Ok(())
}
