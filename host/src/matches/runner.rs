//! Match runner: pairs of games on several threads, counted in order.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use anyhow::Result;
use barrow_core::minions::Side;

use super::cross_table::CrossTable;
use super::elo::Sprt;
use super::game;
use super::openings::Openings;
use super::player::MatchPlayer;
use super::player_spec::{Contestant, MatchPlayerSpec};
use super::recording::MatchRecording;
use super::result::{GamePair, MatchResult};
use super::results_file::{KnownPairs, MatchTerms, ResultsFile};
use super::schedule::{MatchFormat, letter};
use super::time_control::{TimeControl, TimeLimit};
use crate::interrupt;
use crate::shard::Shard;

/// Match between two players or more.
#[derive(Clone, Debug)]
pub struct Match {
    /// Players, at least two.
    pub players: Vec<Contestant>,
    /// Format: who plays whom.
    pub format: MatchFormat,
    /// Largest number of pairs of games of each encounter.
    pub pairs: u32,
    /// Shard of the match that is played: pairs one after another.
    pub shard: Shard,
    /// Openings of the pairs.
    pub openings: Openings,
    /// Sequential test of the first encounter that ends the match early once it decides.
    pub sprt: Option<Sprt>,
    /// Time control of UMI engines.
    pub time_control: TimeControl,
    /// Plies after which a game is a draw.
    pub max_plies: u32,
    /// Number of pairs played at once.
    pub threads: usize,
    /// Record of the games; `None` for none. Those of pairs that do not count any more are recorded too.
    pub recording: Option<MatchRecording>,
}

/// Match that could not be played to its end.
#[derive(Debug)]
pub struct MatchError {
    /// Results of the pairs before.
    pub played: Box<CrossTable>,
    /// Reason.
    pub cause: anyhow::Error,
}

/// Number of a pair and its games; no games when Ctrl-C interrupted them.
type NumberedPair = (u32, Result<Option<GamePair>>);

/// Players of one thread, each made when it is first needed.
type Bench = Vec<Option<MatchPlayer>>;

impl Match {
    /// Plays the match; `watch` is called with the table after every pair. Pairs count in the order of their numbers,
    /// so neither the result nor the pair on which the test decides depends on the speed of the threads. Fails when an
    /// engine does not start, or an opening cannot be made.
    pub fn play(&self, watch: impl FnMut(&CrossTable)) -> Result<CrossTable, MatchError> {
        self.run(self.table(), KnownPairs::default(), None, watch)
    }

    /// Plays the rest of a match of two players of which a result is known, that of its first pairs; otherwise as
    /// [`Match::play`].
    pub fn go_on(
        &self,
        played: MatchResult,
        watch: impl FnMut(&CrossTable),
    ) -> Result<CrossTable, MatchError> {
        self.run(CrossTable::of_two(played), KnownPairs::default(), None, watch)
    }

    /// Plays the match but for the pairs that are known, and adds every other one to a file as soon as it is finished;
    /// otherwise as [`Match::play`].
    pub fn play_missing(
        &self,
        known: KnownPairs,
        results: &mut ResultsFile,
        watch: impl FnMut(&CrossTable),
    ) -> Result<CrossTable, MatchError> {
        self.run(self.table(), known, Some(results), watch)
    }

    /// Number of pairs of games of all encounters together, in all parts.
    pub fn total_pairs(&self) -> u32 {
        self.pairs.saturating_mul(self.format.encounters(self.players.len()).len() as u32)
    }

    /// Numbers of the pairs that are played.
    pub fn numbers(&self) -> Range<u32> {
        self.shard.range(self.total_pairs())
    }

    /// Terms of the match, on which its games depend.
    pub fn terms(&self) -> MatchTerms {
        MatchTerms {
            players: self.players.iter().map(|contestant| contestant.name.clone()).collect(),
            format: self.format.name().to_owned(),
            openings: self.openings.description(),
            seed: self.openings.seed(),
            movetime: match self.time_control.limit {
                TimeLimit::Turn(time) => Some(time.as_millis() as u64),
                TimeLimit::Own | TimeLimit::Clock(_) => None,
            },
            clock: match self.time_control.limit {
                TimeLimit::Clock(clock) => Some(clock.to_string()),
                TimeLimit::Own | TimeLimit::Turn(_) => None,
            },
            max_plies: self.max_plies,
        }
    }

    fn table(&self) -> CrossTable {
        CrossTable::new(self.format.encounters(self.players.len()))
    }

    fn run(
        &self,
        table: CrossTable,
        known: KnownPairs,
        results: Option<&mut ResultsFile>,
        watch: impl FnMut(&CrossTable),
    ) -> Result<CrossTable, MatchError> {
        let range = self.numbers();
        let due = range.start + table.pairs();
        let next = AtomicU32::new(due);
        let stop = AtomicBool::new(false);
        let numbers: BTreeSet<u32> = known.0.keys().copied().collect();
        let mut count = Count { contest: self, due, table, early: BTreeMap::new(), watch };
        if count.is_decided() {
            return Ok(count.table);
        }
        for (number, pair) in known.0.into_iter().filter(|(number, _)| range.contains(number)) {
            if count.add((number, Ok(Some(pair))))? {
                return Ok(count.table);
            }
        }
        let (sender, pairs) = channel();
        thread::scope(|scope| {
            for _ in 0..self.threads.min(range.len()).max(1) {
                let sender = sender.clone();
                let (next, stop, numbers) = (&next, &stop, &numbers);
                scope.spawn(move || self.play_pairs(next, stop, numbers, &sender));
            }
            drop(sender);
            count.all(pairs, results, &stop)
        })
    }

    /// Plays pairs, each with the next free number that is not known, until the match stops.
    fn play_pairs(
        &self,
        next: &AtomicU32,
        stop: &AtomicBool,
        known: &BTreeSet<u32>,
        sender: &Sender<NumberedPair>,
    ) {
        let mut bench: Bench = self.players.iter().map(|_| None).collect();
        let encounters = self.format.encounters(self.players.len());
        while !stop.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= self.numbers().end {
                return;
            }
            if known.contains(&number) {
                continue;
            }
            let round = number / encounters.len() as u32;
            let both = encounters[number as usize % encounters.len()];
            if sender.send((number, self.play_pair([number, round], both, &mut bench))).is_err() {
                return;
            }
        }
    }

    /// Plays both games of the pair with a number, in a round, between two players. Returns `None` when Ctrl-C interrupts
    /// them.
    fn play_pair(
        &self,
        [number, round]: [u32; 2],
        both: [usize; 2],
        bench: &mut Bench,
    ) -> Result<Option<GamePair>> {
        let opening = self.openings.of_pair(round)?;
        let [first, second] = both;
        let seats = both.map(|index| (letter(index), &self.players[index].player));
        let (left, right) = bench.split_at_mut(second);
        let (a, b) = (self.seated(first, &mut left[first]), self.seated(second, &mut right[0]));
        // A recording begins, and replaces what it is to replace, when its players have started.
        a.start()?;
        b.start()?;
        let begin = |game: u32, seats: [(char, &MatchPlayerSpec); 2]| {
            let recording = self.recording.as_ref();
            recording.map(|to| to.begin(game, &opening, seats, &self.time_control)).transpose()
        };
        let recording = begin(2 * number + 1, seats)?;
        let Some(first) = game::play(&opening, a, b, self.max_plies, recording.as_ref())? else {
            return Ok(None);
        };
        let recording = begin(2 * number + 2, [seats[1], seats[0]])?;
        let second = game::play(&opening, b, a, self.max_plies, recording.as_ref())?;
        if let Some(second) = &second {
            let letters: String = both.map(letter).iter().collect();
            for (game, played) in (2 * number + 1..).zip([&first, second]) {
                let (winner, ending) = (played.winner.map_or("nobody", Side::name), &played.ending);
                tracing::info!(
                    "game {game} of {letters}: {winner} wins after {} turns, {ending:?}",
                    played.plies
                );
            }
        }
        Ok(second.map(|second| [first, second]))
    }

    /// Player with this index on its place of a thread's bench.
    fn seated<'b>(&self, index: usize, place: &'b mut Option<MatchPlayer>) -> &'b mut MatchPlayer {
        let spec = &self.players[index].player;
        place.get_or_insert_with(|| MatchPlayer::new(letter(index), spec, self.time_control))
    }
}

/// Count of the pairs of a match in the order of their numbers.
struct Count<'a, W> {
    contest: &'a Match,
    table: CrossTable,
    /// Number of the pair that counts next.
    due: u32,
    /// Pairs that were finished before it.
    early: BTreeMap<u32, Result<Option<GamePair>>>,
    watch: W,
}

impl<W: FnMut(&CrossTable)> Count<'_, W> {
    /// Whether the sequential test decides.
    fn is_decided(&self) -> bool {
        self.contest.sprt.is_some_and(|sprt| sprt.accepted(&self.table.first().pentanomial).is_some())
    }

    /// Counts a pair, and those that waited for it. True when the match is over: the test decides, or Ctrl-C has ended it.
    fn add(&mut self, (number, pair): NumberedPair) -> Result<bool, MatchError> {
        self.early.insert(number, pair);
        while let Some(pair) = self.early.remove(&self.due) {
            match pair {
                Ok(Some(pair)) => self.table.add(self.due, &pair),
                Ok(None) => {
                    self.table.interrupted = true;
                    return Ok(true);
                }
                Err(cause) => {
                    return Err(MatchError { played: Box::new(self.table.clone()), cause });
                }
            }
            self.due += 1;
            (self.watch)(&self.table);
            if self.is_decided() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Counts pairs until all threads have ended or the match is over, and writes them to a file. The receiver is dropped at
    /// the end, so that threads stop after an error as well.
    fn all(
        mut self,
        pairs: Receiver<NumberedPair>,
        mut results: Option<&mut ResultsFile>,
        stop: &AtomicBool,
    ) -> Result<CrossTable, MatchError> {
        let mut is_over = false;
        for (number, pair) in pairs {
            if pair.is_err() {
                stop.store(true, Ordering::Relaxed);
            }
            if let (Some(file), Ok(Some(pair))) = (&mut results, &pair)
                && let Err(cause) = file.add(number, pair)
            {
                stop.store(true, Ordering::Relaxed);
                return Err(MatchError { played: Box::new(self.table), cause });
            }
            if is_over {
                continue;
            }
            let added = self.add((number, pair));
            if !matches!(added, Ok(false)) {
                stop.store(true, Ordering::Relaxed);
            }
            is_over = added?;
            // Other threads finish their pairs after Ctrl-C: what is whole goes to the file.
            if is_over && (!self.table.interrupted || results.is_none()) {
                return Ok(self.table);
            }
            if interrupt::requested() {
                stop.store(true, Ordering::Relaxed);
                self.table.interrupted |= self.due < self.contest.numbers().end;
            }
        }
        Ok(self.table)
    }
}
