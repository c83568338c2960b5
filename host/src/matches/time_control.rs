//! Time control of UMI engines in a match.

use std::time::Duration;

/// Time control: the time per turn that an engine is given, and the time after which it loses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeControl {
    /// Time per turn that is sent to the engine; `None` when the engine decides for itself.
    pub movetime: Option<Duration>,
    /// Time after which a turn counts as a timeout.
    pub deadline: Duration,
    /// Time that an engine has to start, or to answer `isready` in a new game.
    pub startup: Duration,
}
