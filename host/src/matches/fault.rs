//! Faults: reasons for which a player loses a game without being beaten on the boards.

/// Fault of a player, by which it loses the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Fault {
    /// Answer that is not a turn, or not a legal one, with the reason.
    Illegal(String),
    /// No answer in time.
    Timeout,
    /// Engine process that has ended or cannot be started, with the reason.
    Crash(String),
}

/// Fault counts of one player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize)]
pub struct FaultCounts {
    /// Answers that were not a turn, or not a legal one.
    pub illegal: u32,
    /// Turns that did not come in time.
    pub timeouts: u32,
    /// Times that the engine process ended or could not be started.
    pub crashes: u32,
}

impl FaultCounts {
    /// Counts a fault and returns its description.
    pub(super) fn count(&mut self, fault: &Fault) -> String {
        match fault {
            Fault::Illegal(reason) => {
                self.illegal += 1;
                format!("illegal turn, {reason}")
            }
            Fault::Timeout => {
                self.timeouts += 1;
                "no turn in time".to_owned()
            }
            Fault::Crash(reason) => {
                self.crashes += 1;
                format!("crash, {reason}")
            }
        }
    }
}
