//! The whole match: pairs on several threads, counted in order.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::channel;
use std::thread;

use anyhow::Result;
use barrow_core::minions::Side;

use super::elo::{Pentanomial, Sprt};
use super::game::{self, Ending, Record};
use super::lateness::Lateness;
use super::openings::Openings;
use super::player::{Clock, Fault, Player};
use super::player_spec::Spec;
use crate::interrupt;

/// A match to be played.
#[derive(Clone, Debug)]
pub struct Contest {
    /// The first player, a, and the second, b.
    pub specs: [Spec; 2],
    /// Pairs of games at most.
    pub pairs: u32,
    /// What they start from.
    pub openings: Openings,
    /// When to stop early.
    pub sprt: Option<Sprt>,
    /// Time per turn of engines.
    pub clock: Clock,
    /// Turns after which a game is a draw.
    pub max_plies: u32,
    /// Pairs played at once.
    pub threads: usize,
}

/// Faults of one player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize)]
pub struct Faults {
    /// Turns that were not legal or not readable.
    pub illegal: u32,
    /// Turns that did not come in time.
    pub timeouts: u32,
    /// Times the engine ended or could not be started.
    pub crashes: u32,
}

/// The result of a match, seen from a.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Games won, lost, drawn.
    pub wins: u32,
    /// Games lost.
    pub losses: u32,
    /// Games drawn, which is by the limit of turns only.
    pub draws: u32,
    /// Pairs by points.
    pub pentanomial: Pentanomial,
    /// Games that Yellow won.
    pub yellow_wins: u32,
    /// Turns of all games.
    pub plies: u32,
    /// Turns of the longest game.
    pub longest: u32,
    /// Faults of a and of b.
    pub faults: [Faults; 2],
    /// How late the turns of a and of b came, for those with a time per turn.
    pub lateness: [Lateness; 2],
    /// What the first fault was, in words.
    pub first_fault: Option<String>,
    /// Whether Ctrl-C ended the match early.
    pub interrupted: bool,
}

/// The two games of a pair; a has Yellow in the first.
type Pair = [Record; 2];

impl Contest {
    /// Plays the match; `watch` sees the tally after every pair. Pairs count in the order of their numbers, so
    /// that neither the result nor the moment the test decides depends on which thread is faster.
    pub fn play(&self, mut watch: impl FnMut(&Tally)) -> Result<Tally> {
        let next = AtomicU32::new(0);
        let stop = AtomicBool::new(false);
        let (sender, results) = channel::<(u32, Result<Option<Pair>>)>();
        let mut tally = Tally::default();
        thread::scope(|scope| {
            for _ in 0..self.threads.min(self.pairs as usize).max(1) {
                let sender = sender.clone();
                let (next, stop) = (&next, &stop);
                scope.spawn(move || {
                    let [mut a, mut b] = self.specs.each_ref().map(|spec| Player::new(spec, self.clock));
                    while !stop.load(Ordering::Relaxed) {
                        let pair = next.fetch_add(1, Ordering::Relaxed);
                        if pair >= self.pairs || sender.send((pair, self.pair(pair, &mut a, &mut b))).is_err()
                        {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            let mut early = BTreeMap::new();
            let mut due = 0;
            for (pair, result) in results {
                early.insert(pair, result?);
                while let Some(result) = early.remove(&due) {
                    due += 1;
                    let Some(records) = result else {
                        stop.store(true, Ordering::Relaxed);
                        break;
                    };
                    tally.add(&records);
                    watch(&tally);
                    if self.sprt.is_some_and(|sprt| sprt.accepted(&tally.pentanomial).is_some()) {
                        stop.store(true, Ordering::Relaxed);
                        return Ok(());
                    }
                }
                if interrupt::requested() {
                    stop.store(true, Ordering::Relaxed);
                    tally.interrupted = due < self.pairs;
                }
            }
            Ok::<(), anyhow::Error>(())
        })?;
        Ok(tally)
    }

    /// Plays both games of a pair; `None` when Ctrl-C came in between.
    fn pair(&self, pair: u32, a: &mut Player, b: &mut Player) -> Result<Option<Pair>> {
        let opening = self.openings.of_pair(pair)?;
        let Some(first) = game::play(&opening, a, b, self.max_plies) else { return Ok(None) };
        Ok(game::play(&opening, b, a, self.max_plies).map(|second| [first, second]))
    }
}

impl Tally {
    /// Games counted.
    pub fn games(&self) -> u32 {
        self.wins + self.losses + self.draws
    }

    /// Faults of both players together.
    pub fn all_faults(&self) -> Faults {
        let [a, b] = self.faults;
        Faults {
            illegal: a.illegal + b.illegal,
            timeouts: a.timeouts + b.timeouts,
            crashes: a.crashes + b.crashes,
        }
    }

    fn add(&mut self, records: &Pair) {
        let mut points = 0;
        for (record, side_of_a) in records.iter().zip(Side::ALL) {
            match record.winner {
                Some(winner) if winner == side_of_a => {
                    self.wins += 1;
                    points += 2;
                }
                Some(_) => self.losses += 1,
                None => {
                    self.draws += 1;
                    points += 1;
                }
            }
            self.yellow_wins += u32::from(record.winner == Some(Side::Yellow));
            self.plies += record.plies;
            self.longest = self.longest.max(record.plies);
            let [yellow, blue] = &record.lateness;
            let sides = if side_of_a == Side::Yellow { [yellow, blue] } else { [blue, yellow] };
            for (lateness, more) in self.lateness.iter_mut().zip(sides) {
                lateness.add(more);
            }
            if let Ending::Fault(side, fault) = &record.ending {
                self.blame(usize::from(*side != side_of_a), record.plies, fault);
            }
        }
        if let Some(count) = self.pentanomial.get_mut(points) {
            *count += 1;
        }
    }

    fn blame(&mut self, player: usize, plies: u32, fault: &Fault) {
        let Some(faults) = self.faults.get_mut(player) else { return };
        let what = match fault {
            Fault::Illegal(what) => {
                faults.illegal += 1;
                format!("illegal turn, {what}")
            }
            Fault::Timeout => {
                faults.timeouts += 1;
                "no turn in time".to_owned()
            }
            Fault::Crash(what) => {
                faults.crashes += 1;
                format!("crash, {what}")
            }
        };
        let name = if player == 0 { "a" } else { "b" };
        self.first_fault.get_or_insert_with(|| format!("{name} after {plies} turns: {what}"));
    }
}
