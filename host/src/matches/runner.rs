//! Match runner: pairs of games on several threads, counted in order.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use anyhow::Result;

use super::elo::Sprt;
use super::game;
use super::openings::Openings;
use super::player::MatchPlayer;
use super::player_spec::MatchPlayerSpec;
use super::recording::MatchRecording;
use super::result::{GamePair, MatchResult};
use super::time_control::TimeControl;
use crate::interrupt;

/// Match between two players.
#[derive(Clone, Debug)]
pub struct Match {
    /// First player, a, and second player, b.
    pub players: [MatchPlayerSpec; 2],
    /// Largest number of pairs of games.
    pub pairs: u32,
    /// Openings of the pairs.
    pub openings: Openings,
    /// Sequential test that ends the match early once it decides.
    pub sprt: Option<Sprt>,
    /// Time control of UMI engines.
    pub time_control: TimeControl,
    /// Plies after which a game is a draw.
    pub max_plies: u32,
    /// Number of pairs played at once.
    pub threads: usize,
    /// Where the games are recorded; `None` for nowhere. Those of pairs that do not count any more are recorded too.
    pub recording: Option<MatchRecording>,
}

/// Match that could not be played to its end.
#[derive(Debug)]
pub struct MatchError {
    /// Result of the pairs before.
    pub played: Box<MatchResult>,
    /// Reason.
    pub cause: anyhow::Error,
}

/// Number of a pair and its games; no games when Ctrl-C interrupted them.
type NumberedPair = (u32, Result<Option<GamePair>>);

impl Match {
    /// Plays the match; `watch` is called with the result after every pair. Pairs count in the order of their numbers,
    /// so neither the result nor the pair on which the test decides depends on the speed of the threads. Fails when an
    /// engine does not start, or an opening cannot be made.
    pub fn play(&self, watch: impl FnMut(&MatchResult)) -> Result<MatchResult, MatchError> {
        self.go_on(MatchResult::default(), watch)
    }

    /// Plays the rest of a match of which a result is known, that of its first pairs; otherwise as [`Match::play`].
    pub fn go_on(
        &self,
        played: MatchResult,
        watch: impl FnMut(&MatchResult),
    ) -> Result<MatchResult, MatchError> {
        let played = MatchResult { interrupted: false, ..played };
        if self.is_decided(&played) {
            return Ok(played);
        }
        let next = AtomicU32::new(played.games() / 2);
        let stop = AtomicBool::new(false);
        let (sender, pairs) = channel();
        thread::scope(|scope| {
            for _ in 0..self.threads.min(self.pairs as usize).max(1) {
                let sender = sender.clone();
                let (next, stop) = (&next, &stop);
                scope.spawn(move || self.play_pairs(next, stop, &sender));
            }
            drop(sender);
            self.count(played, pairs, &stop, watch)
        })
    }

    /// Whether the sequential test decides.
    fn is_decided(&self, result: &MatchResult) -> bool {
        self.sprt.is_some_and(|sprt| sprt.accepted(&result.pentanomial).is_some())
    }

    /// Plays pairs, each with the next free number, until the match stops.
    fn play_pairs(&self, next: &AtomicU32, stop: &AtomicBool, sender: &Sender<NumberedPair>) {
        let [a, b] = &self.players;
        let mut a = MatchPlayer::new('a', a, self.time_control);
        let mut b = MatchPlayer::new('b', b, self.time_control);
        while !stop.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= self.pairs || sender.send((number, self.play_pair(number, &mut a, &mut b))).is_err()
            {
                return;
            }
        }
    }

    /// Counts pairs in the order of their numbers until all threads have ended or the sequential test decides. The
    /// receiver is dropped at the end, so that threads stop after an error as well.
    fn count(
        &self,
        mut result: MatchResult,
        pairs: Receiver<NumberedPair>,
        stop: &AtomicBool,
        mut watch: impl FnMut(&MatchResult),
    ) -> Result<MatchResult, MatchError> {
        let mut early = BTreeMap::new();
        let mut due = result.games() / 2;
        for (number, pair) in pairs {
            if pair.is_err() {
                stop.store(true, Ordering::Relaxed);
            }
            early.insert(number, pair);
            while let Some(pair) = early.remove(&due) {
                due += 1;
                let pair = match pair {
                    Ok(Some(pair)) => pair,
                    Ok(None) => {
                        stop.store(true, Ordering::Relaxed);
                        result.interrupted = true;
                        break;
                    }
                    Err(cause) => return Err(MatchError { played: Box::new(result), cause }),
                };
                result.add(&pair);
                watch(&result);
                if self.is_decided(&result) {
                    stop.store(true, Ordering::Relaxed);
                    return Ok(result);
                }
            }
            if interrupt::requested() {
                stop.store(true, Ordering::Relaxed);
                result.interrupted |= due < self.pairs;
            }
        }
        Ok(result)
    }

    /// Plays both games of a pair. Returns `None` when Ctrl-C interrupts them.
    fn play_pair(&self, number: u32, a: &mut MatchPlayer, b: &mut MatchPlayer) -> Result<Option<GamePair>> {
        let opening = self.openings.of_pair(number)?;
        let seats = [('a', &self.players[0]), ('b', &self.players[1])];
        let begin = |game: u32, seats| {
            let recording = self.recording.as_ref();
            recording.map(|to| to.begin(game, &opening, seats, &self.time_control)).transpose()
        };
        let recording = begin(2 * number + 1, seats)?;
        let Some(first) = game::play(&opening, a, b, self.max_plies, recording.as_ref())? else {
            return Ok(None);
        };
        let recording = begin(2 * number + 2, [seats[1], seats[0]])?;
        let second = game::play(&opening, b, a, self.max_plies, recording.as_ref())?;
        Ok(second.map(|second| [first, second]))
    }
}
