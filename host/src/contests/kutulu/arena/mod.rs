//! `barrow kutulu arena`: players against each other, four seats a game, seats rotated.
//!
//! Game numbers are taken in groups of four. The games of a group have one seed, so one map, one set of constants and
//! one generator, and every player sits once on every seat; the order around the table changes from group to group.
//! A game follows from its number, so the result of players without clocks depends on the arguments only.

mod pairs;
mod player;
mod player_spec;

use std::cmp::Ordering;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use barrow_core::contests::kutulu::{EXPLORERS, MapTables, POOL_SIZE, State, pool_map};
use indicatif::ProgressBar;
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;

pub use self::pairs::{Pairs, PairsReport};
use self::player::ArenaPlayer;
pub use self::player_spec::{Kind, PlayerSpec, SearchBudget};
use crate::contests::kit::standings::{PlayerStanding, Standings};
use crate::contests::kit::timing::{HistogramReport, Times};
use crate::contests::kutulu::recording::Recording;
use crate::interrupt;
use crate::processor_time::thread_time;

/// Orders of four players around a table, up to rotation.
const ORDERS: [[usize; EXPLORERS]; 6] =
    [[0, 1, 2, 3], [0, 3, 2, 1], [0, 2, 1, 3], [0, 3, 1, 2], [0, 1, 3, 2], [0, 2, 3, 1]];

/// Games played between two checks for an interrupt.
const ROUND: u32 = 32;

/// The settings of an arena.
#[derive(Clone, Debug)]
pub struct ArenaSettings {
    /// One to four players; with fewer than four some play several seats.
    pub players: Vec<PlayerSpec>,
    /// Number of games, rounded up to groups of four.
    pub games: u32,
    /// Seed of the first group.
    pub seed: u64,
    /// Index of the map of all games; `None` draws a map for each group.
    pub map: Option<usize>,
    /// Time per turn of programs, twentyfold in the first.
    pub patience: Duration,
    /// Whether the games are recorded.
    pub records: bool,
}

/// The result of an arena.
#[derive(Clone, Debug)]
pub struct ArenaResult {
    /// Wins and places of the players.
    pub standings: Standings,
    /// Pairwise results.
    pub pairs: Pairs,
    /// Statistics of each player.
    pub stats: Vec<PlayerStats>,
    /// Sum of the turns of all games.
    pub turns: u64,
    /// Whether Ctrl-C ended the arena early.
    pub interrupted: bool,
}

/// Statistics of a player over all its games.
#[derive(Clone, Debug, Default)]
pub struct PlayerStats {
    /// Number of invalid or late answers, each of which eliminated an explorer.
    pub faults: u64,
    /// Description of the first of them, with the seed of the game and the turn.
    pub first_fault: Option<String>,
    /// Number of simulations of all searches.
    pub simulations: u64,
    /// Number of times that the player was one of the last two, seats of its own on both sides left out.
    pub duels: u32,
    /// Number of them in which it outlived the other; equal scores count half.
    pub duels_won: f64,
    /// Time per answer.
    pub times: Times,
}

/// The result of one game: the player, score and statistics of each seat.
struct GameResult {
    seats: [usize; EXPLORERS],
    scores: [i16; EXPLORERS],
    stats: [PlayerStats; EXPLORERS],
    turns: u16,
    record: Option<Recording>,
}

impl ArenaSettings {
    /// Plays all games. `keep` is called with the record of each in the order of their numbers, if games are recorded.
    pub fn play(&self, bar: &ProgressBar, mut keep: impl FnMut(&str) -> Result<()>) -> Result<ArenaResult> {
        ensure!((1..=EXPLORERS).contains(&self.players.len()), "one to four players");
        let names: Vec<&str> = self.players.iter().map(|player| player.name.as_str()).collect();
        let mut result = ArenaResult {
            standings: Standings::new(names.iter().copied()),
            pairs: Pairs::new(names.len()),
            stats: vec![PlayerStats::default(); names.len()],
            turns: 0,
            interrupted: false,
        };
        let games = self.games.next_multiple_of(EXPLORERS as u32);
        for first in (0..games).step_by(ROUND as usize) {
            let play = |game| {
                let record = self.game(game)?;
                bar.inc(1);
                Ok(record)
            };
            let round: Vec<Option<GameResult>> =
                (first..games.min(first + ROUND)).into_par_iter().map(play).collect::<Result<_>>()?;
            for record in round {
                match record {
                    Some(record) => {
                        if let Some(recording) = &record.record {
                            keep(recording.text())?;
                        }
                        result.add(&record);
                    }
                    None => result.interrupted = true,
                }
            }
            if result.interrupted {
                break;
            }
        }
        Ok(result)
    }

    /// The player on each seat of a game.
    fn seats(&self, game: u32) -> [usize; EXPLORERS] {
        let (group, shift) = ((game / 4) as usize, (game % 4) as usize);
        let order = ORDERS[group % ORDERS.len()];
        [0, 1, 2, 3].map(|seat| order[(seat + shift) % EXPLORERS] % self.players.len())
    }

    /// Plays a game; `None` if Ctrl-C interrupted it.
    fn game(&self, game: u32) -> Result<Option<GameResult>> {
        let seed = self.seed.wrapping_add(u64::from(game / 4));
        let (drawn, constants, dice) = State::draw(seed);
        let map = self.map.unwrap_or(drawn) % POOL_SIZE;
        let tables = Box::new(MapTables::new(&pool_map(map)?));
        let mut state = State::start(tables.map(), constants, dice);
        let seats = self.seats(game);
        let names = seats.map(|player| self.players[player].name.as_str());
        let mut record = self.records.then(|| Recording::new(seed, map, &state, names));
        let mut last_two = None;
        let mut sitting = Vec::new();
        for (id, &player) in seats.iter().enumerate() {
            let seed = seed.wrapping_mul(EXPLORERS as u64).wrapping_add(id as u64);
            sitting.push(ArenaPlayer::new(&self.players[player].kind, &tables, &state, seed, self.patience)?);
        }
        let mut stats: [PlayerStats; EXPLORERS] = Default::default();
        while !state.is_over() {
            let mut actions = [None; EXPLORERS];
            for id in state.living() {
                let clock = (Instant::now(), thread_time());
                let (action, simulations) = sitting[id].answer(&tables, &state, id)?;
                if interrupt::requested() {
                    return Ok(None);
                }
                stats[id].times.record(clock);
                stats[id].simulations += u64::from(simulations);
                match action {
                    Ok(action) => actions[id] = Some(action),
                    Err(reason) => {
                        stats[id].faults += 1;
                        let fault = || format!("seed {seed}, turn {}: {reason}", state.turn);
                        stats[id].first_fault.get_or_insert_with(fault);
                    }
                }
            }
            if let Some(record) = &mut record {
                record.turn(&state, tables.map(), &actions);
            }
            state.play(&tables, &actions).ok();
            last_two = last_two.or_else(|| duel_of(&state));
        }
        let scores = state.scores.map(|score| score.unwrap_or(-1));
        count_duel(&mut stats, last_two.filter(|[one, other]| seats[*one] != seats[*other]), scores);
        if let Some(record) = &mut record {
            record.end(&state, tables.map());
        }
        Ok(Some(GameResult { seats, scores, stats, turns: state.turn - 1, record }))
    }
}

/// The explorers of a state if they are two.
fn duel_of(state: &State) -> Option<[usize; 2]> {
    let mut living = state.living();
    match (living.next(), living.next(), living.next()) {
        (Some(one), Some(other), None) => Some([one, other]),
        _ => None,
    }
}

/// Counts the end among the last two.
fn count_duel(stats: &mut [PlayerStats; EXPLORERS], duel: Option<[usize; 2]>, scores: [i16; EXPLORERS]) {
    let Some([one, other]) = duel else { return };
    for (own, rival) in [(one, other), (other, one)] {
        stats[own].duels += 1;
        stats[own].duels_won += match scores[own].cmp(&scores[rival]) {
            Ordering::Greater => 1.0,
            Ordering::Equal => 0.5,
            Ordering::Less => 0.0,
        };
    }
}

impl ArenaResult {
    fn add(&mut self, record: &GameResult) {
        let place = |score: i16| 1 + record.scores.iter().filter(|&&other| other > score).count() as u32;
        let seats: Vec<(usize, u32)> = record.seats.into_iter().zip(record.scores.map(place)).collect();
        self.standings.record(&seats);
        self.pairs.record(&seats);
        for (&player, stats) in record.seats.iter().zip(&record.stats) {
            let all = &mut self.stats[player];
            all.faults += stats.faults;
            all.first_fault = all.first_fault.take().or_else(|| stats.first_fault.clone());
            all.simulations += stats.simulations;
            all.duels += stats.duels;
            all.duels_won += stats.duels_won;
            all.times.add(&stats.times);
        }
        self.turns += u64::from(record.turns);
    }

    /// Report of the result: the standings with pairwise results and statistics.
    pub fn report(&self) -> ArenaReport {
        let players =
            self.standings.players().into_iter().zip(&self.stats).map(|(standing, stats)| PlayerReport {
                standing,
                faults: stats.faults,
                first_fault: stats.first_fault.clone(),
                simulations: stats.simulations,
                duels: stats.duels,
                duels_won: stats.duels_won,
                wall: stats.times.wall.report(),
                cpu: stats.times.cpu.report(),
            });
        ArenaReport {
            games: self.standings.games(),
            players: players.collect(),
            pairs: self.pairs.report(),
            turns: self.turns,
            interrupted: self.interrupted,
        }
    }
}

/// Report of an arena of Code of Kutulu.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct ArenaReport {
    /// Games.
    games: u32,
    /// Players in the order of the command line.
    players: Vec<PlayerReport>,
    /// Pairwise results.
    pairs: PairsReport,
    /// Turns of all games.
    turns: u64,
    /// Whether Ctrl-C ended the arena early.
    interrupted: bool,
}

/// Report of a player of an arena.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct PlayerReport {
    #[serde(flatten)]
    standing: PlayerStanding,
    /// Faults.
    faults: u64,
    /// First fault; null without one.
    first_fault: Option<String>,
    /// Simulations of the search.
    simulations: u64,
    /// Times that the player was one of the last two, against another.
    duels: u32,
    /// Duels that it won; equal scores count half.
    duels_won: f64,
    /// Time per turn by the wall clock.
    wall: HistogramReport,
    /// Time per turn on a processor.
    cpu: HistogramReport,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contest(players: &[&str], games: u32) -> ArenaSettings {
        let players = players.iter().map(|name| name.parse().unwrap()).collect();
        ArenaSettings { players, games, seed: 3, map: None, patience: Duration::from_secs(5), records: false }
    }

    #[test]
    fn everybody_sits_everywhere() {
        let four = contest(&["wait", "random", "one-turn", "one-turn-random"], 24);
        let mut counts = [[0; EXPLORERS]; EXPLORERS];
        for game in 0..24 {
            let seats = four.seats(game);
            for (seat, player) in seats.into_iter().enumerate() {
                counts[seat][player] += 1;
            }
        }
        assert_eq!(counts, [[6; EXPLORERS]; EXPLORERS]);
        let two = contest(&["wait", "random"], 4);
        let seats: Vec<usize> = (0..24).flat_map(|game| two.seats(game)).collect();
        assert_eq!(seats.iter().sum::<usize>(), 48);
    }

    #[test]
    fn games_follow_from_the_arguments_and_the_search_wins() {
        let contest = contest(&["wait", "smitsimax,simulations=48"], 8);
        let result = contest.play(&ProgressBar::hidden(), |_| Ok(())).unwrap();
        let again = contest.play(&ProgressBar::hidden(), |_| Ok(())).unwrap();
        assert_eq!(result.standings.players(), again.standings.players());
        assert_eq!((result.standings.games(), result.turns), (8, again.turns));
        assert!(result.standings.win_rate(1) > result.standings.win_rate(0));
        assert!(result.pairs.rate(1, 0) > 0.6 && result.stats[1].simulations > 0);
        assert_eq!(result.stats.iter().map(|stats| stats.faults).sum::<u64>(), 0);
    }

    #[test]
    fn a_program_that_says_nothing_is_out_at_once() {
        let result = contest(&["cmd:true", "wait"], 4).play(&ProgressBar::hidden(), |_| Ok(())).unwrap();
        assert_eq!(result.stats[0].faults, 8);
        assert!(result.pairs.rate(1, 0) > 0.999);
    }
}
