//! `barrow roborally arena`: many races on all cores, seats rotated.

use std::sync::atomic::{AtomicU32, Ordering};

use anyhow::{Context, Result};
use barrow_core::contests::roborally::State;
use indicatif::ProgressBar;
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;

use super::ground::Ground;
use super::lengths::LengthsReport;
use super::pace::{Pace, PaceReport};
use super::player::Player;
use super::player_spec::PlayerSpec;
use super::race::{self, RaceSettings};
use super::recording::Recording;
use super::second_edition::floor_player::RacePlayer;
use super::second_edition::floor_player_spec::RacePlayerSpec;
use super::second_edition::floor_race;
use super::second_edition::floor_record::RaceRecord;
use crate::contests::kit::standings::{PlayerStanding, Standings};
use crate::interrupt;

/// The settings of an arena.
pub struct ArenaSettings {
    /// Grounds, raced on in turn.
    pub grounds: Vec<Ground>,
    /// Name and player of each seat; seats with equal names are one player.
    pub seats: Vec<(String, PlayerSpec)>,
    /// Number of races.
    pub games: u32,
    /// Seed of all deals and players.
    pub seed: u64,
    /// Lives of each robot; `None` for those of the rules.
    pub lives: Option<u8>,
    /// Turns after which a race ends without a winner.
    pub turn_limit: u16,
    /// Names of the courses, if the races are recorded.
    pub recorded: Option<Vec<String>>,
}

/// The result of an arena.
pub struct ArenaResult {
    /// Wins and places of the players.
    pub standings: Standings,
    /// Paces of the players.
    pub paces: Vec<PaceReport>,
    /// Number of races without a winner.
    pub unwon: u32,
    /// Sum of the turns of all races.
    pub turns: u64,
    /// Lengths of the races; `None` if none was run to its end.
    pub lengths: Option<LengthsReport>,
    /// Whether Ctrl-C ended the arena early.
    pub interrupted: bool,
}

impl ArenaResult {
    /// Report of the result.
    pub fn report(&self) -> ArenaReport {
        ArenaReport {
            games: self.standings.games(),
            players: self.standings.players(),
            paces: self.paces.clone(),
            unwon: self.unwon,
            turns: self.turns,
            lengths: self.lengths.clone(),
            interrupted: self.interrupted,
        }
    }
}

/// Report of an arena of RoboRally.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct ArenaReport {
    /// Races.
    games: u32,
    /// Standings of the players.
    players: Vec<PlayerStanding>,
    /// Paces of the players that decide by search.
    paces: Vec<PaceReport>,
    /// Races without a winner.
    unwon: u32,
    /// Turns of all races.
    turns: u64,
    /// Lengths of the races; null if none was run to its end.
    lengths: Option<LengthsReport>,
    /// Whether Ctrl-C ended the arena early.
    interrupted: bool,
}

/// Runs the races. Equal seeds give equal results unless players have time budgets. `keep` is called with the record of
/// each race in the order of their numbers, if races are recorded.
pub fn run(
    plan: &ArenaSettings,
    bar: &ProgressBar,
    mut keep: impl FnMut(&str) -> Result<()>,
) -> Result<ArenaResult> {
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in &plan.seats {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    let mut results = ArenaResult {
        standings: Standings::new(names.iter().copied()),
        paces: Vec::new(),
        unwon: 0,
        turns: 0,
        lengths: None,
        interrupted: false,
    };
    let done = AtomicU32::new(0);
    let races: Vec<Option<Race>> = (0..plan.games)
        .into_par_iter()
        .map(|game| {
            if interrupt::requested() {
                return Ok(None);
            }
            let played = play(plan, game)?;
            bar.set_position(u64::from(done.fetch_add(1, Ordering::Relaxed) + 1));
            Ok(Some(played))
        })
        .collect::<Result<_>>()?;
    let (mut lengths, mut cut) = (Vec::new(), 0);
    let mut paces = vec![Pace::default(); names.len()];
    for race in races {
        let Some(Race { order, places, state, record, paces: own }) = race else {
            results.interrupted = true;
            continue;
        };
        if let Some(record) = record {
            keep(&record)?;
        }
        let player = |seat: usize| names.iter().position(|&name| name == plan.seats[seat].0).unwrap_or(0);
        let seats: Vec<(usize, u32)> =
            order.iter().zip(&places).map(|(&seat, &place)| (player(seat), place)).collect();
        for (&seat, pace) in order.iter().zip(&own) {
            paces[player(seat)].add(pace);
        }
        results.turns += u64::from(state.turn());
        lengths.push(state.turn());
        if state.winner().is_some() {
            results.standings.record(&seats);
        } else {
            results.unwon += 1;
            results.standings.record_unwon(&seats);
            cut += u32::from(!state.is_over() && state.turn() >= plan.turn_limit);
        }
    }
    let reports = names.iter().zip(&paces).map(|(name, pace)| pace.report(name));
    results.lengths = LengthsReport::new(lengths, cut);
    results.paces = reports.filter(|report| !report.is_empty()).collect();
    Ok(results)
}

/// A race that was run.
struct Race {
    /// The seat of each robot.
    order: Vec<usize>,
    places: Vec<u32>,
    /// State at the end; of the second edition, the positions.
    state: State,
    record: Option<String>,
    /// Pace of each robot's player.
    paces: Vec<Pace>,
}

/// Runs one race. Races that differ only by the rotation of seats have
/// equal deals.
fn play(plan: &ArenaSettings, game: u32) -> Result<Race> {
    let count = plan.seats.len();
    let (round, rotation) = (game as usize / count, game as usize % count);
    let ground = &plan.grounds[round % plan.grounds.len()];
    let order: Vec<usize> = (0..count).map(|robot| (robot + rotation) % count).collect();
    let seed = plan.seed.wrapping_mul(1_000_003).wrapping_add(round as u64);
    let names: Vec<String> = order.iter().map(|&seat| plan.seats[seat].0.clone()).collect();
    let name = plan.recorded.as_ref().and_then(|courses| courses.get(round % plan.grounds.len()));
    match ground {
        Ground::Board(course, profile) => {
            let mut players: Vec<Player> =
                order.iter().map(|&seat| Player::new(plan.seats[seat].1.clone())).collect();
            let settings = RaceSettings {
                profile: *profile,
                lives: plan.lives.unwrap_or(State::usual_lives(count)),
                turn_limit: plan.turn_limit,
                seed,
            };
            let mut record = name.map(|name| Recording::new(name, *profile, settings.lives, &names));
            let race::RaceResult { state, places } =
                race::run_recorded(course, &mut players, settings, record.as_mut(), &mut |_| ())?;
            let paces = players.iter().map(|player| player.pace().clone()).collect();
            let record = record.map(|record| record.text().to_owned());
            Ok(Race { order, places, state, record, paces })
        }
        Ground::Floor(course) => {
            let spec = |&seat: &usize| {
                RacePlayerSpec::try_from(&plan.seats[seat].1).context(plan.seats[seat].0.clone())
            };
            let players = order.iter().map(|seat| Ok(RacePlayer::new(spec(seat)?)));
            let mut players: Vec<RacePlayer> = players.collect::<Result<_>>()?;
            let mut record = name.map(|name| RaceRecord::new(name, course.rules, &names));
            let terms = (seed, plan.turn_limit);
            let race = floor_race::run(course, &mut players, terms, record.as_mut(), &mut |_| ())?;
            let state = *race.positions();
            let paces = players.iter().map(|player| player.pace().clone()).collect();
            let record = record.map(|record| record.text().to_owned());
            Ok(Race { order, places: floor_race::places(course, &state), state, record, paces })
        }
    }
}

#[cfg(test)]
mod tests {
    use barrow_core::contests::roborally::Profile;

    use super::super::course::Course;
    use super::*;

    #[test]
    fn races_of_the_second_edition_are_counted_and_recorded() {
        let names = ["vault", "twister"];
        let grounds = names.map(|name| Ground::named(name).expect("sound").expect("a course"));
        let seats =
            ["search:samples=3", "random"].map(|name| (name.to_owned(), name.parse().expect("a player")));
        let mut plan = ArenaSettings {
            grounds: grounds.into(),
            seats: seats.to_vec(),
            games: 4,
            seed: 2,
            lives: None,
            turn_limit: 6,
            recorded: Some(names.map(str::to_owned).to_vec()),
        };
        let mut heads = Vec::new();
        let results = run(&plan, &ProgressBar::hidden(), |record| {
            heads.extend(record.lines().nth(1).map(str::to_owned));
            Ok(())
        });
        let results = results.expect("races");
        assert_eq!((results.standings.games(), results.paces.len()), (4, 0));
        let lengths = results.lengths.expect("races").to_string();
        // One of the races on twister ends in the fourth turn.
        assert!(
            lengths.contains("shortest 4,") && lengths.ends_with("longest 6; 3 cut by the limit"),
            "{lengths}"
        );
        assert_eq!(heads, ["FLOOR vault", "FLOOR vault", "COURSE twister", "COURSE twister"]);
        plan.seats[0].1 = "mc:playouts=3".parse().expect("a player");
        let wrong = run(&plan, &ProgressBar::hidden(), |_| Ok(())).err().expect("eval=hodgepodge is classic");
        assert!(format!("{wrong:#}").contains("eval=odds alone"), "{wrong:#}");
    }

    #[test]
    fn rotating_seats_makes_equal_players_equal() {
        let board = barrow_core::contests::roborally::Course::named("dizzy-dash").expect("a course").board();
        let spec: PlayerSpec = "search:samples=4".parse().expect("a player");
        let plan = ArenaSettings {
            grounds: vec![Ground::Board(Course::new(board.expect("a board")), Profile::Classic)],
            seats: vec![("a".to_owned(), spec.clone()), ("b".to_owned(), spec)],
            games: 8,
            seed: 3,
            lives: Some(1),
            turn_limit: 40,
            recorded: None,
        };
        let results = run(&plan, &ProgressBar::hidden(), |_| Ok(())).expect("races");
        // The generators belong to the robots, so that in each pair of races both players do the same once.
        let rates = [0, 1].map(|player| results.standings.win_rate(player));
        assert!((rates[0] - rates[1]).abs() < 1e-12, "{rates:?}");
        assert_eq!(results.report().games, 8);
    }
}
