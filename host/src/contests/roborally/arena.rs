//! `barrow roborally arena`: many races on all cores, seats rotated.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

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
    /// Faults of the programs that have committed any.
    pub faults: Vec<FaultReport>,
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
            faults: self.faults.clone(),
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
    /// Faults of the programs that have committed any: each cost its robot the race.
    faults: Vec<FaultReport>,
    /// Races without a winner.
    unwon: u32,
    /// Turns of all races.
    turns: u64,
    /// Lengths of the races; null if none was run to its end.
    lengths: Option<LengthsReport>,
    /// Whether Ctrl-C ended the arena early.
    interrupted: bool,
}

/// Faults of a player.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct FaultReport {
    /// Name of the player.
    pub name: String,
    /// Races that it lost by a fault, each of its robots counted.
    pub faults: u32,
    /// First of them, with the seed of the race and the turn.
    pub first_fault: String,
}

/// Runs the races. Equal seeds give equal results unless players have time budgets. `keep` is called with the record of
/// each race in the order of their numbers, if races are recorded, as soon as those before it have ended.
pub fn run(
    plan: &ArenaSettings,
    bar: &ProgressBar,
    keep: impl FnMut(&str) -> Result<()> + Send,
) -> Result<ArenaResult> {
    let count = Mutex::new(Count::new(plan, keep));
    // One race after the other is handed out, so that few wait for those before them.
    (0..plan.games).par_bridge().try_for_each(|game| {
        if interrupt::requested() {
            return Ok(());
        }
        match play(plan, game) {
            // Errors of an interrupt: what was played remains.
            Err(_) if interrupt::requested() => Ok(()),
            Err(error) => Err(error),
            Ok(race) => {
                bar.inc(1);
                count.lock().unwrap_or_else(PoisonError::into_inner).add(game, race)
            }
        }
    })?;
    count.into_inner().unwrap_or_else(PoisonError::into_inner).finish()
}

/// Count of races, which are added in the order in which they end and counted in that of their numbers.
struct Count<'a, K> {
    plan: &'a ArenaSettings,
    names: Vec<&'a str>,
    keep: K,
    /// Number of the next race to count.
    next: u32,
    /// Races that have ended before one with a smaller number.
    waiting: BTreeMap<u32, Race>,
    result: ArenaResult,
    /// Pace of each player.
    paces: Vec<Pace>,
    /// Turns of each race that was run to its end.
    lengths: Vec<u16>,
    /// Races that the limit of turns has ended.
    cut: u32,
}

impl<'a, K: FnMut(&str) -> Result<()>> Count<'a, K> {
    fn new(plan: &'a ArenaSettings, keep: K) -> Self {
        let mut names: Vec<&str> = Vec::new();
        for (name, _) in &plan.seats {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        let result = ArenaResult {
            standings: Standings::new(names.iter().copied()),
            paces: Vec::new(),
            faults: Vec::new(),
            unwon: 0,
            turns: 0,
            lengths: None,
            interrupted: false,
        };
        let paces = vec![Pace::default(); names.len()];
        let waiting = BTreeMap::new();
        Count { plan, names, keep, next: 0, waiting, result, paces, lengths: Vec::new(), cut: 0 }
    }

    fn add(&mut self, game: u32, race: Race) -> Result<()> {
        self.waiting.insert(game, race);
        while let Some(race) = self.waiting.remove(&self.next) {
            self.next += 1;
            self.count(race)?;
        }
        Ok(())
    }

    fn count(&mut self, race: Race) -> Result<()> {
        let places = race.places_with_faults();
        let Race { order, state, record, paces, faults, seed, .. } = race;
        if let Some(record) = record {
            (self.keep)(&record)?;
        }
        let names = &self.names;
        let player =
            |seat: usize| names.iter().position(|&name| name == self.plan.seats[seat].0).unwrap_or(0);
        let seats: Vec<(usize, u32)> =
            order.iter().zip(&places).map(|(&seat, &place)| (player(seat), place)).collect();
        for (&seat, pace) in order.iter().zip(&paces) {
            self.paces[player(seat)].add(pace);
        }
        for (&seat, fault) in order.iter().zip(&faults) {
            let Some(fault) = fault else { continue };
            let name = names[player(seat)];
            match self.result.faults.iter_mut().find(|report| report.name == name) {
                Some(report) => report.faults += 1,
                None => self.result.faults.push(FaultReport {
                    name: name.to_owned(),
                    faults: 1,
                    first_fault: format!("seed {seed}, {fault}"),
                }),
            }
        }
        self.result.turns += u64::from(state.turn());
        let is_cut = !state.is_over() && state.turn() >= self.plan.turn_limit;
        // One that a fault has ended says nothing of how long races are.
        if is_cut || state.is_over() {
            self.lengths.push(state.turn());
        }
        let sound = || faults.iter().filter(|fault| fault.is_none()).count();
        let is_won = match state.winner() {
            Some(winner) => faults[winner].is_none(),
            None => sound() == 1 && faults.len() > 1,
        };
        if is_won {
            self.result.standings.record(&seats);
        } else {
            self.result.unwon += 1;
            self.result.standings.record_unwon(&seats);
            self.cut += u32::from(is_cut);
        }
        Ok(())
    }

    /// The result, with the races that have ended behind a gap.
    fn finish(mut self) -> Result<ArenaResult> {
        for (_, race) in std::mem::take(&mut self.waiting) {
            self.count(race)?;
        }
        let mut result = self.result;
        let reports = self.names.iter().zip(&self.paces).map(|(name, pace)| pace.report(name));
        result.interrupted = result.standings.games() < self.plan.games;
        result.lengths = LengthsReport::new(self.lengths, self.cut);
        result.paces = reports.filter(|report| !report.is_empty()).collect();
        Ok(result)
    }
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
    /// Fault of each robot's player, if it has committed one.
    faults: Vec<Option<String>>,
    /// Seed of the deals.
    seed: u64,
}

impl Race {
    /// Places, in which those who have committed a fault share the last one.
    fn places_with_faults(&self) -> Vec<u32> {
        let ranks: Vec<u32> = self
            .places
            .iter()
            .zip(&self.faults)
            .map(|(&place, fault)| if fault.is_some() { u32::MAX } else { place })
            .collect();
        ranks.iter().map(|own| 1 + ranks.iter().filter(|&other| other < own).count() as u32).collect()
    }
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
            let faults = players.iter().map(|player| player.fault().map(str::to_owned)).collect();
            let record = record.map(|record| record.text().to_owned());
            Ok(Race { order, places, state, record, paces, faults, seed })
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
            let faults = players.iter().map(|player| player.fault().map(str::to_owned)).collect();
            let record = record.map(|record| record.text().to_owned());
            let places = floor_race::places(course, &state);
            Ok(Race { order, places, state, record, paces, faults, seed })
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
    fn a_program_that_fails_is_last_and_the_races_go_on() {
        for (name, count) in [("dizzy-dash", 2), ("vault", 3)] {
            let ground = Ground::named(name).expect("sound").expect("a course");
            let names = ["cmd:true", "random", "search:samples=2"];
            let seats =
                names[..count].iter().map(|name| ((*name).to_owned(), name.parse().expect("a player")));
            let plan = ArenaSettings {
                grounds: vec![ground],
                seats: seats.collect(),
                games: 6,
                seed: 3,
                lives: None,
                turn_limit: 4,
                recorded: Some(vec![name.to_owned()]),
            };
            let mut text = String::new();
            let keep = |record: &str| {
                text.push_str(record);
                Ok(())
            };
            let result = run(&plan, &ProgressBar::hidden(), keep).expect("races");
            assert_eq!((result.standings.games(), result.interrupted), (6, false));
            assert!((result.standings.mean_place(0) - count as f64).abs() < 1e-12, "{}", result.standings);
            let [report] = &result.faults[..] else { panic!("{:?}", result.faults) };
            assert_eq!((report.name.as_str(), report.faults), ("cmd:true", 6));
            assert_eq!(report.first_fault, "seed 3000009, turn 1: the program has ended");
            // Where one rival is left he has won; two go on.
            let expected = if count == 2 { (0, 6, false) } else { (6, 24, true) };
            assert_eq!((result.unwon, result.turns, result.lengths.is_some()), expected);
            let mut tally = crate::replay::Tally::default();
            super::super::replay::text("record", &text, &mut tally).expect("a record");
            assert!(tally.steps > 20 && tally.mismatches == 0, "{} of {}", tally.mismatches, tally.steps);
        }
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
