//! The limits after `go` and `play` (UMI §13).

use std::time::Duration;

use barrow_core::minions::Side;

use crate::engine::{GameClock, Limits, TimeBounds};
use crate::text::quoted::quoted;

/// Context that the words after `go` depend on.
pub(super) struct GoDefaults {
    /// Time for a turn when the words name none.
    pub(super) move_time: Duration,
    /// Time that the way to the host and back takes.
    pub(super) overhead: Duration,
    /// The side to move.
    pub(super) side: Side,
}

/// Reads `nodes N`, `movetime MS`, `wtime MS`, `btime MS`, `winc MS`, `binc MS`, `movestogo N`, `infinite`, `ponder`
/// and `spells NAMES` in any order; white is Yellow. The first limit that is reached ends the search. The default time
/// holds for node limits too, as in Spooky.
pub(super) fn read_limits(words: &str, defaults: &GoDefaults) -> Result<Limits, String> {
    let mut limits = Limits::new(defaults.move_time, u64::MAX);
    let (mut move_time, mut infinite, mut ponder) = (None, false, false);
    let (mut left, mut increments, mut moves_to_go) = ([None; 2], [Duration::ZERO; 2], None);
    let mut words = words.split_ascii_whitespace();
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
            _ => return Err(format!("no such limit: {}", quoted(word))),
        }
    }
    if limits.nodes == 0 {
        return Err("at least one node is searched".to_owned());
    }
    if moves_to_go == Some(0) {
        return Err("movestogo must not be 0".to_owned());
    }
    let own = defaults.side as usize;
    if let Some(left) = left[own] {
        let clock = GameClock { left, increment: increments[own], moves_to_go };
        let TimeBounds { soft, hard } = clock.bounds(defaults.overhead);
        (limits.soft_bound, limits.hard_bound) = (Some(soft), hard);
    }
    if let Some(time) = move_time {
        limits.hard_bound = if limits.soft_bound.is_some() { limits.hard_bound.min(time) } else { time };
    }
    if infinite {
        (limits.soft_bound, limits.hard_bound, limits.nodes) = (None, Duration::MAX, u64::MAX);
        limits.wait_for_stop();
    } else if ponder {
        limits.wait_for_ponder_hit();
    }
    Ok(limits)
}

/// Time on the clock of a side by the words after `go`.
pub(super) fn clock_left(words: &str, side: Side) -> Option<Duration> {
    let name = if side == Side::Yellow { "wtime" } else { "btime" };
    let mut words = words.split_ascii_whitespace().skip_while(|word| *word != name);
    words.nth(1).and_then(|left| read_clock(left).ok())
}

fn read_number(word: &str) -> Result<u64, String> {
    let digits = word.bytes().all(|byte| byte.is_ascii_digit());
    word.parse().ok().filter(|_| digits).ok_or_else(|| format!("not a number: {}", quoted(word)))
}

fn read_time(word: &str) -> Result<Duration, String> {
    read_number(word).map(Duration::from_millis)
}

/// The time on a clock. Some hosts print an overdrawn clock as a negative number, which counts as no time left.
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
        let (move_time, overhead) = (Duration::from_secs(1), Duration::from_millis(30));
        read_limits(words, &GoDefaults { move_time, overhead, side: Side::Blue })
    }

    #[test]
    fn what_is_not_said_has_its_default() {
        let plain = read("").unwrap();
        assert_eq!(
            (plain.soft_bound, plain.hard_bound, plain.nodes),
            (None, Duration::from_secs(1), u64::MAX)
        );
        let nodes = read("nodes 7 spells shield").unwrap();
        assert_eq!((nodes.hard_bound, nodes.nodes), (Duration::from_secs(1), 7));
        assert!(!nodes.reached(6, NONE) && nodes.reached(7, NONE));
        assert_eq!(read("movetime 20").unwrap().hard_bound, Duration::from_millis(20));
    }

    #[test]
    fn the_clock_is_that_of_the_side_to_move() {
        let own = read("wtime 1 btime 60000 winc 1 binc 500 movestogo 10").unwrap();
        let other = read("wtime 60000 btime 1 winc 500 binc 1 movestogo 10").unwrap();
        let soft = own.soft_bound.unwrap();
        assert!(soft > Duration::from_secs(4) && own.hard_bound > soft);
        assert_eq!((other.soft_bound, other.hard_bound), (Some(Duration::ZERO), Duration::ZERO));
        // Without a clock of one's own there is none, and a fixed time bounds one.
        assert_eq!(read("wtime 60000").unwrap().hard_bound, Duration::from_secs(1));
        assert_eq!(read("btime 60000 movetime 9").unwrap().hard_bound, Duration::from_millis(9));
        assert_eq!(read("btime -30").unwrap().hard_bound, Duration::ZERO);
        let words = "nodes 3 wtime 1 btime 60000";
        assert_eq!(clock_left(words, Side::Blue), Some(Duration::from_mins(1)));
        assert_eq!(clock_left(words, Side::Yellow), Some(Duration::from_millis(1)));
        assert_eq!(clock_left("nodes 3", Side::Yellow), None);
    }

    #[test]
    fn limits_wait_for_the_opponent_or_for_ever() {
        let limits = read("ponder nodes 5 movetime 0").unwrap();
        assert!(!limits.reached(1000, NONE) && limits.spent() == Duration::ZERO);
        assert!(limits.ponder_hit() && !limits.ponder_hit());
        assert!(limits.reached(5, NONE));
        for words in ["infinite nodes 5", "infinite ponder nodes 5"] {
            let limits = read(words).unwrap();
            assert!(!limits.ponder_hit() && !limits.reached(1000, NONE));
            limits.signals.stop();
            assert!(limits.reached(1, NONE) && !limits.signals.is_waiting());
        }
    }

    #[test]
    fn bad_limits_are_refused() {
        for words in ["nodes", "nodes 0", "nodes -1", "movetime x", "movestogo 0", "winc -1", "infinite 3"] {
            assert!(read(words).is_err(), "{words}");
        }
    }
}
