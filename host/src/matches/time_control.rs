//! Time control of UMI engines in a match.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use barrow_core::minions::Side;

use crate::text::quoted::quoted;

/// Time control: what time engines are given, and how much more of it loses the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeControl {
    /// Time that is sent to an engine.
    pub limit: TimeLimit,
    /// Time beyond the limit after which a turn counts as a timeout; without a limit, all of the time.
    pub overtime: Duration,
    /// Time that an engine has to start, or to answer `isready` in a new game.
    pub startup: Duration,
}

/// Time that an engine is given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TimeLimit {
    /// No limit: the engine decides for itself.
    Own,
    /// Time per turn.
    Turn(Duration),
    /// Clock for the whole game, one for each side.
    Clock(MatchClock),
}

/// Clock of a side for a whole game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MatchClock {
    /// Time at the start of the game.
    pub start: Duration,
    /// Time added after each turn.
    pub increment: Duration,
}

impl TimeControl {
    /// Time control without a limit.
    pub fn own(overtime: Duration, startup: Duration) -> TimeControl {
        TimeControl { limit: TimeLimit::Own, overtime, startup }
    }

    /// Time for one turn of a side whose clock has so much left; `None` without a limit.
    pub(super) fn allowed(&self, left: Duration) -> Option<Duration> {
        match self.limit {
            TimeLimit::Own => None,
            TimeLimit::Turn(time) => Some(time),
            TimeLimit::Clock(_) => Some(left),
        }
    }

    /// Time after which a turn of a side whose clock has so much left counts as a timeout.
    pub(super) fn deadline(&self, left: Duration) -> Duration {
        self.allowed(left).unwrap_or_default().saturating_add(self.overtime)
    }

    /// The command that asks for a turn when the clocks of Yellow and Blue have so much left.
    pub(super) fn command(&self, left: [Duration; 2]) -> String {
        match self.limit {
            TimeLimit::Own => "play".to_owned(),
            TimeLimit::Turn(time) => format!("play movetime {}", time.as_millis()),
            TimeLimit::Clock(clock) => {
                let [yellow, blue] = left.map(|left| left.as_millis());
                let increment = clock.increment.as_millis();
                format!("play wtime {yellow} btime {blue} winc {increment} binc {increment}")
            }
        }
    }
}

/// Clocks of both sides during a game.
pub(super) struct GameClocks {
    /// Time left of Yellow and of Blue.
    pub(super) left: [Duration; 2],
    /// Time added after each turn; `None` for a side without a clock.
    increments: [Option<Duration>; 2],
}

impl GameClocks {
    /// Clocks at the start of a game between players with these limits. A side without a clock has always as much as the
    /// other one begins with.
    pub(super) fn new(limits: [TimeLimit; 2]) -> GameClocks {
        let clocks = limits.map(|limit| match limit {
            TimeLimit::Clock(clock) => Some(clock),
            TimeLimit::Own | TimeLimit::Turn(_) => None,
        });
        let [yellow, blue] = clocks;
        let start = |clock: Option<MatchClock>| clock.map_or(Duration::ZERO, |clock| clock.start);
        GameClocks {
            left: [yellow.or(blue), blue.or(yellow)].map(start),
            increments: clocks.map(|clock| clock.map(|clock| clock.increment)),
        }
    }

    /// Counts a turn of a side against its clock.
    pub(super) fn spend(&mut self, side: Side, time: Duration) {
        if let Some(increment) = self.increments[side as usize] {
            let left = &mut self.left[side as usize];
            *left = left.saturating_sub(time).saturating_add(increment);
        }
    }
}

/// Form of [`MatchClock`] on the command line, `SECONDS[+INCREMENT]`, both in seconds with or without a fraction.
impl FromStr for MatchClock {
    type Err = String;

    fn from_str(text: &str) -> Result<MatchClock, String> {
        let (start, increment) = text.split_once('+').unwrap_or((text, "0"));
        if [start, increment].contains(&"") {
            return Err(
                "expected seconds, or seconds for the game and for each turn with + between them".to_owned()
            );
        }
        let time = |part: &str| {
            let seconds = part.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
            let days = Duration::from_hours(24 * 365);
            seconds
                .filter(|&time| time <= days)
                .ok_or_else(|| format!("no time in seconds: {}", quoted(part)))
        };
        let (start, increment) = (time(start)?, time(increment)?);
        if start.is_zero() {
            return Err("a clock without time".to_owned());
        }
        Ok(MatchClock { start, increment })
    }
}

impl fmt::Display for MatchClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}+{}", self.start.as_secs_f64(), self.increment.as_secs_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn clocks_are_read_and_printed() {
        let clock: MatchClock = "60+0.5".parse().unwrap();
        assert_eq!((clock.start, clock.increment), (60 * SECOND, SECOND / 2));
        assert_eq!(clock.to_string(), "60+0.5");
        assert_eq!("0.25".parse::<MatchClock>().unwrap().to_string(), "0.25+0");
        for bad in ["", "0", "0+1", "x", "-1", "1+", "1+x", "1+-1", "nan", "inf", "1e300", "1+2+3"] {
            let error = bad.parse::<MatchClock>().unwrap_err();
            assert!(!error.ends_with([' ', ':']), "{bad}: {error}");
        }
    }

    #[test]
    fn a_clock_runs_only_for_the_side_that_has_one() {
        let clock = MatchClock { start: 10 * SECOND, increment: SECOND };
        let mut clocks = GameClocks::new([TimeLimit::Clock(clock), TimeLimit::Own]);
        assert_eq!(clocks.left, [10 * SECOND; 2]);
        clocks.spend(Side::Yellow, 4 * SECOND);
        clocks.spend(Side::Blue, 4 * SECOND);
        assert_eq!(clocks.left, [7 * SECOND, 10 * SECOND]);
        clocks.spend(Side::Yellow, 8 * SECOND);
        assert_eq!(clocks.left[0], SECOND);
        let control = TimeControl { limit: TimeLimit::Clock(clock), overtime: SECOND, startup: SECOND };
        assert_eq!(control.command(clocks.left), "play wtime 1000 btime 10000 winc 1000 binc 1000");
        assert_eq!((control.allowed(SECOND), control.deadline(SECOND)), (Some(SECOND), 2 * SECOND));
        let mut none = GameClocks::new([TimeLimit::Own, TimeLimit::Turn(SECOND)]);
        none.spend(Side::Blue, SECOND);
        assert_eq!(none.left, [Duration::ZERO; 2]);
    }

    #[test]
    fn without_a_clock_a_turn_has_its_own_time() {
        let [own, turn] = [TimeLimit::Own, TimeLimit::Turn(SECOND)].map(|limit| TimeControl {
            limit,
            overtime: 2 * SECOND,
            startup: SECOND,
        });
        assert_eq!((own.command([SECOND; 2]).as_str(), own.deadline(SECOND)), ("play", 2 * SECOND));
        assert_eq!(
            (turn.command([SECOND; 2]).as_str(), turn.deadline(9 * SECOND)),
            ("play movetime 1000", 3 * SECOND)
        );
        assert_eq!(TimeControl::own(2 * SECOND, SECOND), own);
    }
}
