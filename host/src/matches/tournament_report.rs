//! Results of a match of several players as text for people and as JSON: standings, cross table, encounters.

use anyhow::Result;
use schemars::JsonSchema;
use serde::Serialize;

use super::cross_table::CrossTable;
use super::elo::{self, Pentanomial};
use super::fault::FaultCounts;
use super::lateness::Lateness;
use super::runner::Match;
use super::schedule::letter;
use crate::say;
use crate::text::output::print_json;

/// Result of a match of several players.
#[derive(Serialize, JsonSchema)]
pub struct TournamentReport {
    /// Format of the match, who played whom: `round-robin` or `gauntlet`.
    format: &'static str,
    /// Games that counted.
    games: u32,
    /// Rules of the games: `server`, `spooky` or `mixed`.
    ruleset: &'static str,
    /// Players in the order of the command line.
    players: Vec<PlayerReport>,
    /// Encounters in the order in which they are played.
    encounters: Vec<EncounterReport>,
    /// Description of the first fault; null without one.
    first_fault: Option<String>,
    /// Whether Ctrl-C ended the match early.
    interrupted: bool,
}

/// Player of a match of several players.
#[derive(Serialize, JsonSchema)]
pub struct PlayerReport {
    /// Letter by which the other keys call the player.
    player: char,
    /// Player as the command line names it.
    name: String,
    /// Games.
    games: u32,
    /// Games won.
    wins: u32,
    /// Games lost.
    losses: u32,
    /// Games drawn.
    draws: u32,
    /// Points: one for a win, a half for a draw.
    points: f64,
    /// Strength over the first player in Elo; null while no games connect both.
    elo: Option<f64>,
    /// Half the width of its 95 % confidence interval.
    elo_error: Option<f64>,
    /// Faults.
    faults: FaultCounts,
    /// Lateness of the turns; empty for a player without a time per turn.
    lateness: Lateness,
}

/// Encounter of two players.
#[derive(Serialize, JsonSchema)]
pub struct EncounterReport {
    /// Letters of both players; the figures are from the point of view of the first.
    players: [char; 2],
    /// Games won.
    wins: u32,
    /// Games lost.
    losses: u32,
    /// Games drawn.
    draws: u32,
    /// Pairs of games by points: 0, 1/2, 1, 3/2, 2.
    pentanomial: Pentanomial,
    /// Strength over the other player by these games alone, in Elo.
    elo: f64,
    /// Half the width of its 95 % confidence interval; where an end of that is cut off, the distance of the farther end.
    elo_error: f64,
}

impl TournamentReport {
    /// Report of a match with this table.
    pub fn new(contest: &Match, table: &CrossTable) -> TournamentReport {
        let ratings = table.ratings(contest.players.len());
        let player = |(index, rating): (usize, &Option<elo::Elo>)| {
            let score = table.score(index);
            PlayerReport {
                player: letter(index),
                name: contest.players[index].name.clone(),
                games: score.games,
                wins: score.wins,
                losses: score.losses,
                draws: score.draws,
                points: score.points(),
                elo: rating.map(|elo| elo.value),
                elo_error: rating.map(|elo| elo.error),
                faults: score.faults,
                lateness: score.lateness,
            }
        };
        let encounters = table.encounters.iter().map(|(players, result)| {
            let elo = elo::elo(&result.pentanomial);
            EncounterReport {
                players: players.map(letter),
                wins: result.wins,
                losses: result.losses,
                draws: result.draws,
                pentanomial: result.pentanomial,
                elo: elo.value,
                elo_error: elo.error,
            }
        });
        TournamentReport {
            format: contest.format.name(),
            games: 2 * table.pairs(),
            ruleset: contest.openings.rulesets().name(),
            players: ratings.iter().enumerate().map(player).collect(),
            encounters: encounters.collect(),
            first_fault: table.first_fault().map(str::to_owned),
            interrupted: table.interrupted,
        }
    }
}

/// Progress of a match in a few words: the points of all players.
pub fn progress_message(table: &CrossTable, players: usize) -> String {
    let points = |player| {
        let score = table.score(player);
        format!("{} {}/{}", letter(player), score.points(), score.games)
    };
    (0..players).map(points).collect::<Vec<_>>().join("  ")
}

/// Prints the result of a match as text, or as one JSON object on one line.
pub fn print(contest: &Match, table: &CrossTable, json: bool) -> Result<()> {
    let report = TournamentReport::new(contest, table);
    if json {
        return print_json(&report);
    }
    let TournamentReport { format, games, ruleset, players, encounters, .. } = &report;
    if report.interrupted {
        say!("interrupted; the result so far:");
    }
    say!("{format} of {} players, {games} games, ruleset {ruleset}\n", players.len());
    say!("   {:>13}  {:>17}  faults  player", "points", "Elo over a (95 %)");
    let mut order: Vec<&PlayerReport> = players.iter().collect();
    order.sort_by(|one, other| {
        let strength = |player: &PlayerReport| player.elo.unwrap_or(f64::NEG_INFINITY);
        strength(other).total_cmp(&strength(one))
    });
    for player in &order {
        let elo = match (player.elo, player.elo_error) {
            (Some(elo), Some(error)) => format!("{elo:+.1} ± {error:.1}"),
            _ => "no games with a".to_owned(),
        };
        let points = format!("{} of {}", player.points, player.games);
        let FaultCounts { illegal, timeouts, crashes } = player.faults;
        say!(
            "{}  {points:>13}  {elo:>17}  {:>6}  {}",
            player.player,
            illegal + timeouts + crashes,
            player.name
        );
    }
    print_cross_table(table, &order);
    say!("\nencounters, pairs by the first one's points 0, 1/2, 1, 3/2, 2:");
    for encounter in encounters {
        let EncounterReport { players: [first, second], wins, losses, draws, pentanomial, elo, elo_error } =
            encounter;
        say!(
            "{first} - {second}: +{wins} -{losses} ={draws}, pairs {pentanomial:?}, {elo:+.1} ± {elo_error:.1} Elo"
        );
    }
    for player in order.iter().filter(|player| player.faults != FaultCounts::default()) {
        let FaultCounts { illegal, timeouts, crashes } = player.faults;
        say!("faults of {}: {illegal} illegal turns, {timeouts} timeouts, {crashes} crashes", player.player);
    }
    if let Some(fault) = &report.first_fault {
        say!("first fault: {fault}");
    }
    Ok(())
}

/// Prints the points of each player against each other one.
fn print_cross_table(table: &CrossTable, order: &[&PlayerReport]) {
    let index = |player: &PlayerReport| (player.player as usize).saturating_sub('a' as usize);
    let row = |first: &str, cells: Vec<String>| {
        let cells: Vec<String> = cells.iter().map(|cell| format!("{cell:>10}")).collect();
        say!("{first:<14} {}", cells.join(" "));
    };
    say!();
    row("points against", order.iter().map(|player| player.player.to_string()).collect());
    for player in order {
        let cell = |opponent: &&PlayerReport| match table.between(index(player), index(opponent)) {
            Some((score, _)) => format!("{} of {}", score.points(), score.games),
            None => ".".to_owned(),
        };
        row(&player.player.to_string(), order.iter().map(cell).collect());
    }
}
