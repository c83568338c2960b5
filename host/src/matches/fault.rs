//! Faults: reasons for which a player loses a game without being beaten on the boards.

use std::fmt;

/// Fault of a player, by which it loses the game.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Fault {
    /// Answer that is not a turn, or not a legal one, with the reason.
    Illegal(String),
    /// Line `error: …` where a turn was due.
    Refused(String),
    /// Output that is no line of text, with the reason.
    Unreadable(String),
    /// No answer in time.
    Timeout,
    /// Engine process that has ended, with the reason.
    Crash(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Illegal(reason) => write!(f, "illegal turn, {reason}"),
            Fault::Refused(reason) => write!(f, "no turn, {reason}"),
            Fault::Unreadable(reason) => f.write_str(reason),
            Fault::Timeout => f.write_str("no turn in time"),
            Fault::Crash(reason) => write!(f, "crash, {reason}"),
        }
    }
}

/// Fault counts of one player.
#[derive(
    Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
pub struct FaultCounts {
    /// Answers that were not a turn, or not a legal one: errors and output that is not text among them.
    pub illegal: u32,
    /// Turns that did not come in time.
    pub timeouts: u32,
    /// Times that the engine process ended.
    pub crashes: u32,
}

impl FaultCounts {
    /// Counts a fault.
    pub(super) fn count(&mut self, fault: &Fault) {
        match fault {
            Fault::Illegal(_) | Fault::Refused(_) | Fault::Unreadable(_) => self.illegal += 1,
            Fault::Timeout => self.timeouts += 1,
            Fault::Crash(_) => self.crashes += 1,
        }
    }

    /// Adds the counts of others.
    pub fn add(&mut self, other: &FaultCounts) {
        self.illegal += other.illegal;
        self.timeouts += other.timeouts;
        self.crashes += other.crashes;
    }
}
