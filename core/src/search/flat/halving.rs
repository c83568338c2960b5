//! Sequential halving (Z. Karnin, T. Koren, O. Somekh, "Almost optimal exploration in multi-armed bandits", 2013) for
//! a budget that may be time: rounds end by the share of the budget that is spent.
//!
//! With more actions than samples not all can take part. The first round draws as many as it can without
//! replacement, and only those go on.

use super::{ALL_SPENT, Effort, FlatGame, Run};

/// Share of the budget that the first round may use.
const FIRST_ROUND: u32 = ALL_SPENT / 4;

impl<G: FlatGame, S: FnMut(Effort) -> u32> Run<'_, G, S> {
    /// Samples in rounds of sequential halving. Returns the best arm of the last round.
    pub(super) fn halve(&mut self) -> Option<usize> {
        // `link` of the i-th arm is the i-th contestant.
        for place in 0..self.arms.len() {
            self.arms[place].link = place as u32;
        }
        self.shuffle();
        let mut left = self.arms.len();
        let seen = self.round(left, FIRST_ROUND);
        if seen == 0 {
            return None;
        }
        left = self.keep_better(seen.min(left));
        let rounds = left.max(2).next_power_of_two().trailing_zeros();
        for round in 1..=rounds {
            let share = u64::from(ALL_SPENT - FIRST_ROUND) * u64::from(round) / u64::from(rounds);
            self.round(left, FIRST_ROUND + share as u32);
            left = self.keep_better(left);
        }
        self.arms.first().map(|arm| arm.link as usize)
    }

    /// Samples the first `left` arms by turns until this share of the budget is spent. Returns the number of samples.
    fn round(&mut self, left: usize, share: u32) -> usize {
        let mut samples = 0;
        while self.spent() < share.min(ALL_SPENT) {
            let contestant = self.arms[samples % left].link as usize;
            self.sample(contestant);
            samples += 1;
        }
        samples
    }

    /// Sorts the first `left` arms and keeps the better half, at least one. Returns how many stay.
    fn keep_better(&mut self, left: usize) -> usize {
        // A heap sort on links: they cannot be sorted as a slice, for what they are compared by lies in the same one.
        for root in (0..left / 2).rev() {
            self.sift(root, left);
        }
        for end in (1..left).rev() {
            self.swap(0, end);
            self.sift(0, end);
        }
        left.div_ceil(2).max(1)
    }

    /// Restores the heap below one arm; the worst arm is on top.
    fn sift(&mut self, mut root: usize, end: usize) {
        loop {
            let mut worst = root;
            for child in [2 * root + 1, 2 * root + 2] {
                if child < end && self.rank(child) < self.rank(worst) {
                    worst = child;
                }
            }
            if worst == root {
                return;
            }
            self.swap(root, worst);
            root = worst;
        }
    }

    /// Order of arms: by mean, then by samples, then the smaller number first.
    fn rank(&self, contestant: usize) -> (i32, u32, u32) {
        let link = self.arms[contestant].link;
        let stats = &self.arms[link as usize].stats;
        (stats.mean(), stats.visits(), u32::MAX - link)
    }

    fn swap(&mut self, one: usize, other: usize) {
        let link = self.arms[one].link;
        self.arms[one].link = self.arms[other].link;
        self.arms[other].link = link;
    }

    fn shuffle(&mut self) {
        for last in (1..self.arms.len()).rev() {
            let other = self.dice.below(last as u32 + 1) as usize;
            self.swap(last, other);
        }
    }
}
