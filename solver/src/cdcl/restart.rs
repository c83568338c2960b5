//! The restart schedule: intervals in the Luby sequence (Luby, Sinclair & Zuckerman, "Optimal speedup of Las Vegas
//! algorithms", 1993).

/// Conflicts between restarts are this many times the Luby sequence.
const UNIT: u32 = 64;

/// Countdown to the next restart of a search.
#[derive(Default)]
pub(super) struct Restart {
    conflicts_left: u32,
    index: u32,
}

impl Restart {
    /// Counts a conflict.
    pub(super) const fn count(&mut self) {
        self.conflicts_left = self.conflicts_left.saturating_sub(1);
    }

    /// Whether a restart is due; if so, begins the next interval. The first call always begins one.
    pub(super) const fn is_due(&mut self) -> bool {
        let due = self.conflicts_left == 0;
        if due {
            self.index += 1;
            self.conflicts_left = UNIT * luby(self.index);
        }
        due
    }
}

/// The Luby sequence 1, 1, 2, 1, 1, 2, 4, …, counted from 1.
const fn luby(index: u32) -> u32 {
    let mut index = index;
    loop {
        let size = (u32::BITS - index.leading_zeros()).saturating_sub(1);
        if index + 1 == 1 << (size + 1) {
            return 1 << size;
        }
        if index == 0 {
            return 1;
        }
        index -= (1 << size) - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_is_lubys() {
        let expected = [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8, 1];
        for (index, value) in (1..).zip(expected) {
            assert_eq!(luby(index), value, "{index}");
        }
    }

    #[test]
    fn a_restart_is_due_after_as_many_conflicts_as_the_sequence_says() {
        let mut restart = Restart::default();
        assert!(restart.is_due());
        for index in 1..8 {
            for _ in 0..UNIT * luby(index) {
                assert!(!restart.is_due());
                restart.count();
            }
            assert!(restart.is_due());
        }
    }
}
