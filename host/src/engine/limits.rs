//! How long a search may take, and what a session tells one that runs.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use barrow_core::minions::Side;

use super::clock::{Clock, Share};

/// How often a search that is done looks whether it may answer.
const NAP: Duration = Duration::from_millis(1);

/// What ends a search. At least one node is searched in any case.
#[derive(Clone, Debug)]
pub struct Limits {
    /// When it began.
    pub started: Instant,
    /// Time after which only a search that is not settled goes on; `None` where there is no time to save.
    pub enough: Option<Duration>,
    /// Time it may take.
    pub time: Duration,
    /// Nodes it may search.
    pub nodes: u64,
    /// What it is told while it runs.
    pub signals: Arc<Signals>,
}

/// What a running search is told by others.
#[derive(Debug, Default)]
pub struct Signals {
    stop: AtomicBool,
    /// Limits do not hold yet, or never.
    patience: AtomicBool,
    /// Whether the opponent is still thinking.
    pondering: AtomicBool,
    /// Microseconds from the start of the search to that of its clock.
    late: AtomicU64,
}

impl Signals {
    /// The search should end at once.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether it should.
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Whether it may not answer before it is told to.
    pub fn waits(&self) -> bool {
        self.patience.load(Ordering::Relaxed) && !self.stopped()
    }
}

/// What is read after `go`.
pub(crate) struct Asked<'a> {
    /// Time when nothing is said about time.
    pub(crate) default_time: Duration,
    /// Time that the way to the host and back takes.
    pub(crate) overhead: Duration,
    /// Who is to move.
    pub(crate) side: Side,
    /// The words.
    pub(crate) words: &'a str,
}

impl Limits {
    /// Limits of a search that begins now.
    pub fn new(time: Duration, nodes: u64) -> Limits {
        Limits { started: Instant::now(), enough: None, time, nodes, signals: Arc::default() }
    }

    /// Reads `nodes N`, `movetime MS`, `wtime MS`, `btime MS`, `winc MS`, `binc MS`, `movestogo N`, `infinite`,
    /// `ponder` and `spells NAMES` in any order; white is Yellow. Whatever limit is reached first ends the search.
    /// The default time holds for node limits too, as in Spooky.
    pub(crate) fn read(asked: &Asked<'_>) -> Result<Limits, String> {
        let mut limits = Limits::new(asked.default_time, u64::MAX);
        let (mut move_time, mut infinite, mut ponder) = (None, false, false);
        let (mut left, mut increments, mut moves_to_go) = ([None; 2], [Duration::ZERO; 2], None);
        let mut words = asked.words.split_ascii_whitespace();
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or_else(|| format!("{word} lacks a value"));
            match word {
                "infinite" => infinite = true,
                "ponder" => ponder = true,
                "movetime" => move_time = Some(read_time(value()?)?),
                "nodes" => limits.nodes = read_number(value()?)?,
                "wtime" => left[0] = Some(read_clock(value()?)?),
                "btime" => left[1] = Some(read_clock(value()?)?),
                "winc" => increments[0] = read_time(value()?)?,
                "binc" => increments[1] = read_time(value()?)?,
                "movestogo" => moves_to_go = Some(read_number(value()?)?),
                // Known from Spooky, which does not look at the names either.
                "spells" => {
                    value()?;
                }
                _ => return Err(format!("no such limit: {}", crate::text::quoted::quoted(word))),
            }
        }
        if limits.nodes == 0 {
            return Err("at least one node is searched".to_owned());
        }
        if moves_to_go == Some(0) {
            return Err("movestogo must not be 0".to_owned());
        }
        let own = asked.side as usize;
        if let Some(left) = left[own] {
            let clock = Clock { left, increment: increments[own], moves_to_go };
            let Share { enough, most } = clock.share(asked.overhead);
            (limits.enough, limits.time) = (Some(enough), most);
        }
        if let Some(time) = move_time {
            limits.time = if limits.enough.is_some() { limits.time.min(time) } else { time };
        }
        if infinite {
            (limits.enough, limits.time, limits.nodes) = (None, Duration::MAX, u64::MAX);
        }
        limits.signals.patience.store(infinite || ponder, Ordering::Relaxed);
        limits.signals.pondering.store(ponder && !infinite, Ordering::Relaxed);
        Ok(limits)
    }

    /// The opponent has played what was expected: from now on the limits hold. False when nobody ponders.
    pub(crate) fn ponder_hit(&self) -> bool {
        let signals = &self.signals;
        if !signals.pondering.swap(false, Ordering::Relaxed) {
            return false;
        }
        signals.late.store(self.started.elapsed().as_micros() as u64, Ordering::Relaxed);
        signals.patience.store(false, Ordering::Relaxed);
        true
    }

    /// Time on the clock of this search: none while it ponders.
    pub fn spent(&self) -> Duration {
        if self.signals.waits() {
            return Duration::ZERO;
        }
        let late = Duration::from_micros(self.signals.late.load(Ordering::Relaxed));
        self.started.elapsed().saturating_sub(late)
    }

    /// Whether a search that has done this many nodes should end, where the next one may take as long as `next`. No
    /// more than a quarter of the time is left unused for it.
    pub fn reached(&self, nodes: u64, next: Duration) -> bool {
        let time = self.time.saturating_sub(next.min(self.time / 4));
        self.signals.stopped() || !self.signals.waits() && (nodes >= self.nodes || self.spent() >= time)
    }

    /// Returns as soon as the search may answer.
    pub(crate) fn hold(&self) {
        while self.signals.waits() {
            thread::sleep(NAP);
        }
    }
}

fn read_number(word: &str) -> Result<u64, String> {
    let digits = word.bytes().all(|byte| byte.is_ascii_digit());
    word.parse()
        .ok()
        .filter(|_| digits)
        .ok_or_else(|| format!("not a number: {}", crate::text::quoted::quoted(word)))
}

fn read_time(word: &str) -> Result<Duration, String> {
    read_number(word).map(Duration::from_millis)
}

/// Some hosts print an overdrawn clock as a negative number.
fn read_clock(word: &str) -> Result<Duration, String> {
    match word.strip_prefix('-') {
        Some(debt) => read_time(debt).map(|_| Duration::ZERO),
        None => read_time(word),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: Duration = Duration::ZERO;

    fn read(words: &str) -> Result<Limits, String> {
        let (default_time, overhead) = (Duration::from_secs(1), Duration::from_millis(30));
        Limits::read(&Asked { default_time, overhead, side: Side::Blue, words })
    }

    #[test]
    fn what_is_not_said_has_its_default() {
        let plain = read("").unwrap();
        assert_eq!((plain.enough, plain.time, plain.nodes), (None, Duration::from_secs(1), u64::MAX));
        let nodes = read("nodes 7 spells shield").unwrap();
        assert_eq!((nodes.time, nodes.nodes), (Duration::from_secs(1), 7));
        assert!(!nodes.reached(6, NONE) && nodes.reached(7, NONE));
        assert_eq!(read("movetime 20").unwrap().time, Duration::from_millis(20));
    }

    #[test]
    fn the_clock_is_that_of_the_side_to_move() {
        let own = read("wtime 1 btime 60000 winc 1 binc 500 movestogo 10").unwrap();
        let other = read("wtime 60000 btime 1 winc 500 binc 1 movestogo 10").unwrap();
        assert!(own.enough.unwrap() > Duration::from_secs(4) && own.time > own.enough.unwrap());
        assert_eq!((other.enough, other.time), (Some(Duration::ZERO), Duration::ZERO));
        // Without a clock of one's own there is none, and a fixed time bounds one.
        assert_eq!(read("wtime 60000").unwrap().time, Duration::from_secs(1));
        assert_eq!(read("btime 60000 movetime 9").unwrap().time, Duration::from_millis(9));
        assert_eq!(read("btime -30").unwrap().time, Duration::ZERO);
    }

    #[test]
    fn limits_wait_for_the_opponent_or_for_ever() {
        let limits = read("ponder nodes 5 movetime 0").unwrap();
        assert!(!limits.reached(1000, NONE) && limits.spent() == Duration::ZERO);
        assert!(limits.ponder_hit() && !limits.ponder_hit());
        assert!(limits.reached(5, NONE));
        let limits = read("infinite nodes 5").unwrap();
        assert!(!limits.ponder_hit() && !limits.reached(1000, NONE));
        limits.signals.stop();
        assert!(limits.reached(1, NONE) && !limits.signals.waits());
    }

    #[test]
    fn an_answer_is_held_back_until_the_word() {
        let limits = read("infinite").unwrap();
        let answered = Arc::new(AtomicBool::new(false));
        let (given, sign) = (limits.clone(), answered.clone());
        let search = thread::spawn(move || {
            given.hold();
            sign.store(true, Ordering::SeqCst);
        });
        thread::sleep(5 * NAP);
        assert!(!answered.load(Ordering::SeqCst));
        limits.signals.stop();
        search.join().unwrap();
        assert!(answered.load(Ordering::SeqCst));
    }

    #[test]
    fn bad_limits_are_refused() {
        for words in ["nodes", "nodes 0", "nodes -1", "movetime x", "movestogo 0", "winc -1", "infinite 3"] {
            assert!(read(words).is_err(), "{words}");
        }
    }
}
