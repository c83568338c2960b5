//! `barrow ice-and-fire arena`: players against each other on generated maps, both seats on every map.

mod opening;
mod player;
mod player_spec;

use std::time::{Duration, Instant};

use anyhow::Result;
use barrow_core::contests::ice_and_fire::{Ending, Game, Map, Player, Rules};
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;

use self::opening::Opening;
pub use self::opening::{OPENING_TURN, OpeningStats};
use self::player::ArenaPlayer;
pub use self::player_spec::{Kind, PlayerSpec};
use crate::contests::ice_and_fire::recording::Recording;
use crate::contests::kit::standings::{PlayerStanding, Standings};
use crate::contests::kit::timing::{HistogramReport, Times};
use crate::interrupt;
use crate::matches::elo::{Pentanomial, Sprt, elo};
use crate::processor_time::thread_time;
use crate::text::quoted::shortened;

/// The settings of an arena.
#[derive(Clone, Debug)]
pub struct ArenaSettings {
    /// The players; every player meets every other.
    pub players: Vec<PlayerSpec>,
    /// Maps per pair of players; on each they play two games.
    pub maps: u32,
    /// Seed of the first map.
    pub seed: u64,
    /// The variant of the game.
    pub rules: Rules,
    /// Time per turn after which built-in players begin nothing optional. Arenas with less than [`Duration::MAX`] do
    /// not repeat exactly.
    pub movetime: Duration,
    /// Test that ends an arena of two players early.
    pub sprt: Option<Sprt>,
    /// Whether the games are recorded.
    pub records: bool,
}

/// The result of an arena.
#[derive(Clone, Debug)]
pub struct ArenaResult {
    /// Wins and places of the players.
    pub standings: Standings,
    /// Number of pairs of games on one map by the first player's half points, over all pairs of players.
    pub pentanomial: Pentanomial,
    /// Statistics of each player.
    pub stats: Vec<PlayerStats>,
    /// Number of games that ended by captured headquarters, by a fault, and by the limit of turns.
    pub endings: [u32; 3],
    /// Whether Ctrl-C ended the arena early.
    pub interrupted: bool,
}

/// Statistics of a player over all its games.
#[derive(Clone, Debug, Default)]
pub struct PlayerStats {
    /// Number of executed commands.
    pub done: u64,
    /// Number of commands that the referee rejected.
    pub rejected: u64,
    /// Number of unrecognised or missing lines.
    pub faults: u64,
    /// The first rejected command or fault, with its seed.
    pub first_fault: Option<String>,
    /// Number of cuts evaluated.
    pub evaluated: u64,
    /// How the openings went.
    pub opening: OpeningStats,
    /// Time per turn.
    pub times: Times,
}

impl PlayerStats {
    fn add(&mut self, other: PlayerStats) {
        self.done += other.done;
        self.rejected += other.rejected;
        self.faults += other.faults;
        self.first_fault = self.first_fault.take().or(other.first_fault);
        self.evaluated += other.evaluated;
        self.opening.add(&other.opening);
        self.times.add(&other.times);
    }
}

/// The result of one game.
struct GameResult {
    /// Points of the players in seat order: 2 for a win, 1 for a draw.
    points: [u32; 2],
    ending: usize,
    stats: [PlayerStats; 2],
    record: Option<Recording>,
}

impl ArenaSettings {
    /// Plays the arena. `watch` is called with the result so far after each batch of games, and `keep` with the record of
    /// each game, if games are recorded. Fails when a program cannot be started.
    pub fn play(
        &self,
        mut watch: impl FnMut(&ArenaResult),
        mut keep: impl FnMut(&str) -> Result<()>,
    ) -> Result<ArenaResult> {
        let mut result = ArenaResult {
            standings: Standings::new(self.players.iter().map(|player| player.name.clone())),
            pentanomial: [0; 5],
            stats: vec![PlayerStats::default(); self.players.len()],
            endings: [0; 3],
            interrupted: false,
        };
        let count = self.players.len();
        let pairs: Vec<(usize, usize)> =
            (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b))).collect();
        let rounds: Vec<(usize, usize, u64)> = (0..u64::from(self.maps))
            .flat_map(|map| pairs.iter().map(move |&(a, b)| (a, b, self.seed.wrapping_add(map))))
            .collect();
        let batch = 4 * rayon::current_num_threads().max(1);
        for rounds in rounds.chunks(batch) {
            let records: Vec<Option<(GameResult, GameResult)>> = rounds
                .par_iter()
                .map(|&(a, b, seed)| Ok(self.game(a, b, seed)?.zip(self.game(b, a, seed)?)))
                .collect::<Result<_>>()?;
            for (&(a, b, _), records) in rounds.iter().zip(records) {
                match records {
                    Some((first, second)) => {
                        for recording in [&first, &second].into_iter().filter_map(|game| game.record.as_ref())
                        {
                            keep(recording.text())?;
                        }
                        result.add(a, b, [first, second]);
                    }
                    None => result.interrupted = true,
                }
            }
            watch(&result);
            if result.interrupted || interrupt::requested() {
                result.interrupted = true;
                break;
            }
            if count == 2 && self.sprt.is_some_and(|sprt| sprt.accepted(&result.pentanomial).is_some()) {
                break;
            }
        }
        Ok(result)
    }

    /// Plays a game. Returns `None` when Ctrl-C interrupted it; fails when a program cannot be started.
    fn game(&self, first: usize, second: usize, seed: u64) -> Result<Option<GameResult>> {
        let mut game = Game::new(&Map::generate(seed, &self.rules));
        let seat = |player: usize| {
            let kind = self.players.get(player).map(|spec| &spec.kind);
            kind.map_or(Ok(ArenaPlayer::Wait), |kind| {
                ArenaPlayer::new(kind, &game, seed ^ (player as u64) << 32)
            })
        };
        let mut seats = [seat(first)?, seat(second)?];
        let mut stats = [PlayerStats::default(), PlayerStats::default()];
        let mut openings = [None; 2];
        let names = [first, second].map(|player| self.players.get(player).map_or("", |spec| &spec.name));
        let mut record = self.records.then(|| Recording::new(seed, &self.rules, &game, names));
        while game.outcome().is_none() {
            let mover = game.state().mover();
            let stats = &mut stats[mover.index()];
            let started = (Instant::now(), thread_time());
            let answer = seats[mover.index()].line(&game, &self.rules, self.movetime);
            if interrupt::requested() {
                return Ok(None);
            }
            stats.times.record(started);
            openings[mover.index()] = openings[mover.index()].or(Opening::of(game.state()));
            if let Some(record) = &mut record {
                record.turn(&game, answer.as_ref().map_or("", |(line, _)| line));
            }
            let told = match answer {
                Ok((line, evaluated)) => {
                    stats.evaluated += u64::from(evaluated);
                    match game.execute(&self.rules, &line) {
                        Ok(report) => {
                            stats.done += u64::from(report.done);
                            stats.rejected += u64::from(report.rejected);
                            report.first.map(|why| format!("seed {seed}: {why}: {}", shortened(&line)))
                        }
                        Err(error) => {
                            stats.faults += 1;
                            Some(format!("seed {seed}: {error}: {}", shortened(&line)))
                        }
                    }
                }
                Err(error) => {
                    stats.faults += 1;
                    game.forfeit(mover);
                    Some(format!("seed {seed}: {error:#}"))
                }
            };
            stats.first_fault = stats.first_fault.take().or(told);
            game.pass();
        }
        if let [Some(one), Some(other)] = openings {
            stats[0].opening.compare(one, other);
            stats[1].opening.compare(other, one);
        }
        let (points, ending) = match game.outcome() {
            Some(outcome) => {
                let points = match outcome.winner() {
                    Some(Player::Zero) => [2, 0],
                    Some(Player::One) => [0, 2],
                    None => [1, 1],
                };
                let ending = match outcome.ending {
                    Ending::Captured(_) => 0,
                    Ending::Fault(_) => 1,
                    Ending::Limit => 2,
                };
                (points, ending)
            }
            None => ([1, 1], 2),
        };
        if let Some(record) = &mut record {
            record.end(&game);
        }
        Ok(Some(GameResult { points, ending, stats, record }))
    }
}

impl ArenaResult {
    fn add(&mut self, a: usize, b: usize, records: [GameResult; 2]) {
        let mut points = 0;
        for (record, seats) in records.into_iter().zip([[a, b], [b, a]]) {
            points += record.points[usize::from(seats[0] != a)];
            // Equal points share the first place.
            let place = |own: u32, other: u32| if own < other { 2 } else { 1 };
            let [own, other] = record.points;
            self.standings.record(&[(seats[0], place(own, other)), (seats[1], place(other, own))]);
            self.endings[record.ending] += 1;
            for (stats, player) in record.stats.into_iter().zip(seats) {
                if let Some(all) = self.stats.get_mut(player) {
                    all.add(stats);
                }
            }
        }
        self.pentanomial[points as usize] += 1;
    }

    /// Report of the result: the standings with Elo, endings and statistics.
    pub fn report(&self, contest: &ArenaSettings) -> ArenaReport {
        let strength = elo(&self.pentanomial);
        let [captured, fault, limit] = self.endings;
        ArenaReport {
            games: self.standings.games(),
            players: self.standings.players(),
            pentanomial: self.pentanomial,
            elo: strength.value,
            elo_error: strength.error,
            llr: contest.sprt.map(|sprt| sprt.llr(&self.pentanomial)),
            accepted: contest.sprt.and_then(|sprt| sprt.accepted(&self.pentanomial)),
            endings: Endings { captured, fault, limit },
            deeds: self.stats.iter().map(PlayerStats::report).collect(),
            interrupted: self.interrupted,
        }
    }
}

impl PlayerStats {
    fn report(&self) -> PlayerReport {
        PlayerReport {
            commands: self.done,
            rejected: self.rejected,
            faults: self.faults,
            first_fault: self.first_fault.clone(),
            cuts_evaluated: self.evaluated,
            cells_ahead: self.opening.means().0,
            gold_unspent: self.opening.means().1,
            wall: self.times.wall.report(),
            cpu: self.times.cpu.report(),
        }
    }
}

/// Report of an arena of A Code of Ice and Fire.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct ArenaReport {
    /// Games.
    games: u32,
    /// Standings in the order of the command line.
    players: Vec<PlayerStanding>,
    /// Pairs of games on one map by the first player's points 0, 1/2, 1, 3/2, 2, over all pairs of players.
    pentanomial: Pentanomial,
    /// Strength of the first over the second in Elo.
    elo: f64,
    /// Half the width of its 95 % confidence interval.
    elo_error: f64,
    /// Log-likelihood ratio of the sequential test; null without a test.
    llr: Option<f64>,
    /// Accepted hypothesis, `H0` or `H1`; null while the test is undecided.
    accepted: Option<&'static str>,
    /// Games by how they ended.
    endings: Endings,
    /// Deeds of the players, in the order of the command line.
    deeds: Vec<PlayerReport>,
    /// Whether Ctrl-C ended the arena early.
    interrupted: bool,
}

/// Games by how they ended.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Endings {
    /// Games that ended by captured headquarters.
    captured: u32,
    /// Games that ended by a fault.
    fault: u32,
    /// Games that ended by the limit of turns.
    limit: u32,
}

/// Report of what a player did.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct PlayerReport {
    /// Executed commands.
    commands: u64,
    /// Commands that the referee rejected.
    rejected: u64,
    /// Unrecognised or missing lines.
    faults: u64,
    /// First rejected command or fault; null without one.
    first_fault: Option<String>,
    /// Cuts evaluated.
    cuts_evaluated: u64,
    /// Mean lead in active cells in the ninth turn, each player's before its own move.
    cells_ahead: f64,
    /// Mean gold in the ninth turn, before the own move.
    gold_unspent: f64,
    /// Time per turn by the wall clock.
    wall: HistogramReport,
    /// Time per turn on a processor.
    cpu: HistogramReport,
}
