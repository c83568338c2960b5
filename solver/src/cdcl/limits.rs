//! Limits: the size of each array that a solver takes from the slice of 32-bit words lent to it.

use super::arena::{words_of_bytes, words_of_halves};
use super::at_most_one;
use super::binary;
use super::clauses::Clauses;
use super::linear;
use super::occurrences::LISTS;
use super::order::Order;
use super::scores::Scores;

/// Most variables, constraints and words of constraints that a problem may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Boolean variables, up to [`super::MAX_VARS`].
    pub vars: usize,
    /// Clocks of order constraints, up to [`super::MAX_CLOCKS`].
    pub clocks: usize,
    /// Ticks, from which clocks take their times: as many as clocks always suffice, and so does one more than clocks
    /// have strict order constraints from them, or to them.
    pub ticks: usize,
    /// Order constraints.
    pub edges: usize,
    /// 32-bit words for clauses of three and more literals: three and one per literal each.
    pub clauses: usize,
    /// 32-bit words for binary clauses (four each), at-most-one constraints (one and three per literal) and linear
    /// constraints (three and three per term), learnt ones among them.
    pub store: usize,
    /// 32-bit words for learnt clauses. The search ends with any number, but without enough of them it learns the
    /// same again and again.
    pub learnt: usize,
}

impl Limits {
    /// Words of `store` that a clause of two literals takes.
    pub const fn binary_words() -> usize {
        binary::SIZE
    }

    /// Words of `clauses`, or of `learnt`, that a clause of three or more literals takes.
    pub const fn clause_words(len: usize) -> usize {
        Clauses::size(len)
    }

    /// Words of `store` that an at-most-one constraint takes.
    pub const fn at_most_one_words(len: usize) -> usize {
        at_most_one::size(len)
    }

    /// Words of `store` that a linear constraint takes.
    pub const fn linear_words(terms: usize) -> usize {
        linear::size(terms)
    }

    /// Length in words of the slice that a solver with these limits needs.
    pub const fn words(&self) -> usize {
        let n = self.vars;
        let by_literal = 2 * n * LISTS + words_of_bytes(2 * n);
        let trail = n + 3 * words_of_halves(n) + words_of_halves(2 * n + 2);
        let decision_queue = n + 2 * words_of_halves(n);
        let scores = Scores::words(n);
        let search = 4 * words_of_bytes(n) + 4 * words_of_halves(n) + words_of_halves(n + 1) + n;
        // The sum of a cutting plane, and a mark for each variable.
        let summed = if cfg!(feature = "every-board") { n } else { 0 };
        let cuts = summed + 4 * words_of_halves(summed) + words_of_bytes(summed);
        let order = Order::words(self.clocks, self.ticks, self.edges);
        by_literal
            + trail
            + decision_queue
            + scores
            + search
            + cuts
            + order
            + self.clauses
            + self.store
            + self.learnt
    }
}
