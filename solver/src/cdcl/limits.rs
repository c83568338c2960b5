//! Limits: the size of each array that a solver takes from the slice of 32-bit words lent to it.

use super::arena::{words_of_bytes, words_of_halves};
use super::at_most_one;
use super::binary;
use super::capacity::{Capacity, Resource};
use super::clauses::Clauses;
use super::clock_set::MAX_CLOCKS;
use super::linear;
use super::lit::MAX_VARS;
use super::occurrences::LISTS;
use super::order::{MAX_TICKS, MOST_EDGES, MOST_PUSHES, Order, most_pushes, most_ticks};
use super::scores::Scores;

/// Most words of `clauses`, of `store` and of `learnt`: a reason is a place there and three bits.
pub const MAX_WORDS: usize = 1 << 29;

/// Most variables, constraints and words of constraints that a problem may have.
///
/// Words of a constraint depend on what it comes to over the literals that are free when it is added: a linear constraint may
/// be a clause, and what is a fact takes no room. A constraint of a group has a literal or a term more than it was given, and
/// an at-most-one constraint of a group is a linear one, or a clause. So there is enough room for any constraint where
/// `clauses` has what its literals take as a clause and `store` what they take as linear terms.
///
/// ```
/// use barrow_solver::cdcl::{Capacity, Limits, Resource, Solver};
/// let (clauses, store) = (Limits::clause_words(3), Limits::linear_words(3));
/// let limits = Limits { vars: 3, clocks: 0, ticks: 0, edges: 0, clauses, store, learnt: 0 };
/// let mut memory = vec![0; limits.words()];
/// let mut solver = Solver::new(&mut memory, &limits)?;
/// let [a, b, c] = [(); 3].map(|()| solver.new_var().unwrap().positive());
/// solver.add_linear(&[(2, a), (2, b), (1, c)], 3)?;
/// assert_eq!(solver.used_words(), [0, store, 0]);
/// // This says no more than that one of them holds.
/// solver.add_linear(&[(2, a), (2, b), (2, c)], 2)?;
/// assert_eq!(solver.used_words(), [clauses, store, 0]);
/// let refused = solver.add_clause(&[!a, !b, !c]);
/// assert_eq!(refused, Err(Capacity { what: Resource::Clauses, needed: clauses, available: 0 }));
/// # Ok::<(), Capacity>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Boolean variables, up to [`super::MAX_VARS`].
    pub vars: usize,
    /// Clocks of order constraints, up to [`super::MAX_CLOCKS`].
    pub clocks: usize,
    /// Ticks, from which clocks take their times: as many as clocks always suffice, and so does one more than clocks
    /// have strict order constraints from them, or to them. Up to [`super::MAX_TICKS`], and so many that twice the clocks
    /// times the ticks but one are below 2<sup>16</sup> - 1.
    pub ticks: usize,
    /// Order constraints.
    pub edges: usize,
    /// 32-bit words for clauses of three and more literals, and for constraints that come to such: three and one per literal
    /// each. Up to [`super::MAX_WORDS`], as `store` and `learnt`.
    pub clauses: usize,
    /// 32-bit words for binary clauses (four each), at-most-one constraints (one and three per literal) and linear
    /// constraints (three and three per term), learnt ones among them.
    pub store: usize,
    /// 32-bit words for learnt clauses. A search without a budget ends with any number, but without enough of them it
    /// learns the same again and again, and one that is given a small budget again and again may then never end.
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

    /// Words of `store` that an at-most-one constraint of three or more literals takes, which is in no group.
    pub const fn at_most_one_words(len: usize) -> usize {
        at_most_one::size(len)
    }

    /// Words of `store` that a linear constraint takes; one that comes to a clause takes what the clause does.
    pub const fn linear_words(terms: usize) -> usize {
        linear::size(terms)
    }

    /// Whether a solver can number everything within these limits.
    #[inline]
    pub(super) const fn can_be_numbered(&self) -> bool {
        self.vars <= MAX_VARS
            && self.clocks <= MAX_CLOCKS
            && self.ticks <= MAX_TICKS
            && most_pushes(self.clocks, self.ticks) <= MOST_PUSHES
            && self.edges <= MOST_EDGES
            && self.clauses <= MAX_WORDS
            && self.store <= MAX_WORDS
            && self.learnt <= MAX_WORDS
    }

    /// The first limit that is above what a solver can number, with the most.
    #[cold]
    pub(super) fn excess(&self) -> Capacity {
        let bounds = [
            (Resource::Vars, self.vars, MAX_VARS),
            (Resource::Clocks, self.clocks, MAX_CLOCKS),
            (Resource::Ticks, self.ticks, most_ticks(self.clocks)),
            (Resource::Edges, self.edges, MOST_EDGES),
            (Resource::Clauses, self.clauses, MAX_WORDS),
            (Resource::Store, self.store, MAX_WORDS),
        ];
        let above = bounds.into_iter().find(|&(_, needed, available)| needed > available);
        let (what, needed, available) = above.unwrap_or((Resource::Learnt, self.learnt, MAX_WORDS));
        Capacity { what, needed, available }
    }

    /// Length in words of the slice that a solver with these limits needs; `usize::MAX` where one is above what a solver
    /// can number.
    pub const fn words(&self) -> usize {
        if !self.can_be_numbered() {
            return usize::MAX;
        }
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
