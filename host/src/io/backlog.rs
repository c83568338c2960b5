//! Commands of a protocol that wait for the end of a search.

use std::collections::VecDeque;

/// Largest number of commands that wait.
const LINES_CAP: usize = 4096;

/// Length of all commands that wait, in bytes: four of the longest lines.
const BYTES_CAP: usize = 4 << 20;

/// Commands that wait for the end of a search, in the order in which they came.
#[derive(Clone, Debug, Default)]
pub struct Backlog {
    lines: VecDeque<String>,
    bytes: usize,
}

impl Backlog {
    /// Adds a command at the end. Returns false, and keeps things as they are, when too many wait.
    pub fn push(&mut self, line: &str) -> bool {
        let fits = self.lines.len() < LINES_CAP && self.bytes + line.len() <= BYTES_CAP;
        if fits {
            self.bytes += line.len();
            self.lines.push_back(line.to_owned());
        }
        fits
    }

    /// Takes the command that has waited longest.
    pub fn pop(&mut self) -> Option<String> {
        let line = self.lines.pop_front()?;
        self.bytes -= line.len();
        Some(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_wait_in_order_as_long_as_they_fit() {
        let mut backlog = Backlog::default();
        assert!((0..LINES_CAP).all(|number| backlog.push(&number.to_string())) && !backlog.push("more"));
        assert_eq!(backlog.pop().as_deref(), Some("0"));
        assert!(backlog.push("more"));
        let mut backlog = Backlog::default();
        let long = "x".repeat(BYTES_CAP / 4);
        assert!((0..4).all(|_| backlog.push(&long)) && !backlog.push("x"));
        assert!(backlog.pop().is_some() && backlog.push("x"));
    }
}
