//! Meter of a decision: how much of the budget is spent, in the trial of single actions first and then in the search.

use std::cell::{Cell, RefCell};

use barrow_core::search::flat::{ALL_SPENT, Effort};

use super::budget::Budget;

/// Meter of one decision.
pub(super) struct Meter<'a> {
    spent: RefCell<Box<dyn FnMut(Effort) -> u32>>,
    is_stopped: RefCell<&'a mut dyn FnMut() -> bool>,
    /// Share that was spent when the search began.
    before: Cell<u32>,
}

impl<'a> Meter<'a> {
    /// Starts to measure a decision with a budget, which the host may end before.
    pub(super) fn start(budget: Budget, is_stopped: &'a mut dyn FnMut() -> bool) -> Meter<'a> {
        Meter {
            spent: RefCell::new(Box::new(budget.start())),
            is_stopped: RefCell::new(is_stopped),
            before: Cell::new(0),
        }
    }

    /// Whether the host has asked for the decision.
    fn is_stopped(&self) -> bool {
        (self.is_stopped.borrow_mut())()
    }

    /// Share of the budget that time has spent; work is counted by the search.
    fn share(&self) -> u32 {
        (self.spent.borrow_mut())(Effort::default())
    }

    /// Whether time is over, or the host has asked for the decision.
    pub(super) fn is_due(&self) -> bool {
        self.share() >= ALL_SPENT || self.is_stopped()
    }

    /// Whether there is time for the trial of single actions, which may take half of it.
    pub(super) fn has_time_to_try(&self) -> bool {
        self.share() < ALL_SPENT / 2 && !self.is_stopped()
    }

    /// Begins the search, which is to know the share of what is left, or it would take its first round as over.
    pub(super) fn begin_search(&self) {
        self.before.set(self.share().min(ALL_SPENT - 1));
    }

    /// Share that the search has spent of what was left for it, in 1/[`ALL_SPENT`]; a share of the whole budget is
    /// reserved for what comes after it.
    pub(super) fn share_of_search(&self, effort: Effort, reserved: u32) -> u32 {
        if self.is_stopped() {
            return ALL_SPENT;
        }
        let (share, before) = ((self.spent.borrow_mut())(effort), self.before.get());
        let spent = u64::from(share.saturating_sub(before)) * u64::from(ALL_SPENT);
        let left = ALL_SPENT.saturating_sub(before).saturating_sub(reserved);
        u32::try_from(spent / u64::from(left.max(1))).unwrap_or(u32::MAX)
    }
}
