//! The error of an exhausted capacity. Nothing is allocated after a solver is made: a problem that does not fit is
//! refused, except that learnt clauses are forgotten instead.

use core::fmt;

/// A capacity that may be exhausted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Resource {
    /// Words of the lent slice: it is shorter than the limits need.
    Memory,
    /// Boolean variables.
    Vars,
    /// Clocks of order constraints.
    Clocks,
    /// Ticks of order constraints.
    Ticks,
    /// Order constraints.
    Edges,
    /// Words for clauses of three and more literals.
    Clauses,
    /// Words for binary clauses, at-most-one and linear constraints.
    Store,
    /// Words for learnt clauses.
    Learnt,
    /// Pieces of a side that take part in an attack.
    Pieces,
    /// Pairs of pieces in an attack, or literals in one of its constraints.
    Pairs,
    /// Pairs of a piece and a hex to go to in an attack.
    Modes,
    /// Sets of pieces that block a path in an attack.
    Sets,
    /// Actions of one attack.
    Actions,
    /// A coefficient or degree above 65,535.
    Coefficient,
}

/// The error of an exhausted capacity. The problem is as it was before the call.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Capacity {
    /// Capacity that is exhausted.
    pub what: Resource,
    /// Amount needed, in units of that resource.
    pub needed: usize,
    /// Amount available, in the same units.
    pub available: usize,
}

impl fmt::Display for Capacity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} exhausted: {} needed, {} available", self.what, self.needed, self.available)
    }
}

impl core::error::Error for Capacity {}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::string::ToString;

    use super::*;

    #[test]
    fn an_error_says_what_there_was_too_little_of() {
        let error = Capacity { what: Resource::Clocks, needed: 9, available: 4 };
        assert_eq!(error.to_string(), "Clocks exhausted: 9 needed, 4 available");
    }
}
