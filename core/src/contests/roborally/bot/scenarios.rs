//! Programs that the other robots may have, drawn once for a decision and then tried with every action: what an action
//! is better by shows sooner if all meet the same others, and strong programs take longer to find than to run.

use heapless::Vec;

/// Most scenarios of a decision.
pub const SCENARIO_CAP: usize = 512;

/// The scenarios of a decision; `R` holds the programs of one.
#[derive(Clone)]
pub(super) struct Scenarios<R>(Vec<R, SCENARIO_CAP>);

impl<R> Scenarios<R> {
    /// No scenarios.
    pub(super) const NONE: Scenarios<R> = Scenarios(Vec::new());

    /// Draws up to `most` scenarios by `program` while `more` says so.
    pub(super) fn draw(
        &mut self,
        most: usize,
        mut program: impl FnMut() -> R,
        mut more: impl FnMut() -> bool,
    ) {
        self.0.clear();
        while self.0.len() < most && more() {
            if self.0.push(program()).is_err() {
                return;
            }
        }
    }

    /// Number of scenarios.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The scenario of a sample; the last one is followed by the first. `None` without scenarios.
    pub(super) fn of_sample(&self, sample: u32) -> Option<&R> {
        self.0.get((sample as usize).checked_rem(self.0.len())?)
    }
}
