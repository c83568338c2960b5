//! `barrow roborally arena`: many races on all cores, seats rotated.

use std::sync::atomic::{AtomicU32, Ordering};

use anyhow::Result;
use barrow_core::contests::roborally::{Profile, State};
use indicatif::ProgressBar;
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;

use super::course::Course;
use super::player::Player;
use super::player_spec::PlayerSpec;
use super::race::{self, RaceSettings};
use super::recording::Recording;
use crate::contests::kit::standings::{PlayerStanding, Standings};
use crate::interrupt;

/// The settings of an arena.
pub struct ArenaSettings {
    /// Courses, raced on in turn, each with its variant of the rules.
    pub courses: Vec<(Course, Profile)>,
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
    /// Number of races without a winner.
    pub unwon: u32,
    /// Sum of the turns of all races.
    pub turns: u64,
    /// Whether Ctrl-C ended the arena early.
    pub interrupted: bool,
}

impl ArenaResult {
    /// Report of the result.
    pub fn report(&self) -> ArenaReport {
        ArenaReport {
            games: self.standings.games(),
            players: self.standings.players(),
            unwon: self.unwon,
            turns: self.turns,
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
    /// Races without a winner.
    unwon: u32,
    /// Turns of all races.
    turns: u64,
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
        unwon: 0,
        turns: 0,
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
    for race in races {
        let Some(Race { order, finish, record }) = race else {
            results.interrupted = true;
            continue;
        };
        if let Some(record) = record {
            keep(record.text())?;
        }
        let player = |seat: usize| names.iter().position(|&name| name == plan.seats[seat].0).unwrap_or(0);
        let seats: Vec<(usize, u32)> =
            order.iter().zip(&finish.places).map(|(&seat, &place)| (player(seat), place)).collect();
        results.turns += u64::from(finish.state.turn());
        if finish.state.winner().is_some() {
            results.standings.record(&seats);
        } else {
            results.unwon += 1;
            results.standings.record_unwon(&seats);
        }
    }
    Ok(results)
}

/// A race that was run.
struct Race {
    /// The seat of each robot.
    order: Vec<usize>,
    finish: race::RaceResult,
    record: Option<Recording>,
}

/// Runs one race. Races that differ only by the rotation of seats have
/// equal deals.
fn play(plan: &ArenaSettings, game: u32) -> Result<Race> {
    let count = plan.seats.len();
    let (round, rotation) = (game as usize / count, game as usize % count);
    let (course, profile) = &plan.courses[round % plan.courses.len()];
    let order: Vec<usize> = (0..count).map(|robot| (robot + rotation) % count).collect();
    let mut players: Vec<Player> =
        order.iter().map(|&seat| Player::new(plan.seats[seat].1.clone())).collect();
    let settings = RaceSettings {
        profile: *profile,
        lives: plan.lives.unwrap_or(State::usual_lives(count)),
        turn_limit: plan.turn_limit,
        seed: plan.seed.wrapping_mul(1_000_003).wrapping_add(round as u64),
    };
    let names: Vec<String> = order.iter().map(|&seat| plan.seats[seat].0.clone()).collect();
    let name = plan.recorded.as_ref().and_then(|courses| courses.get(round % plan.courses.len()));
    let mut record = name.map(|name| Recording::new(name, *profile, settings.lives, &names));
    let finish = race::run_recorded(course, &mut players, settings, record.as_mut(), &mut |_| ())?;
    Ok(Race { order, finish, record })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotating_seats_makes_equal_players_equal() {
        let board = barrow_core::contests::roborally::Course::named("dizzy-dash").expect("a course").board();
        let spec: PlayerSpec = "search:samples=4".parse().expect("a player");
        let plan = ArenaSettings {
            courses: vec![(Course::new(board.expect("a board")), Profile::Classic)],
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
