//! Premises of cutting planes, as a proof calls them.

use super::linear;
use super::store::{Kind, Store};

/// What is added to a sum, as a proof calls it.
// Without the feature `proof` nobody asks for the numbers.
#[cfg_attr(not(feature = "proof"), allow(dead_code))]
#[derive(Clone, Copy, Debug)]
pub(super) enum Premise {
    /// The clause stated last.
    Clause,
    /// An at-most-one or a linear constraint of the problem, by its number.
    Record(u32),
    /// A learnt constraint, by its number.
    Learnt(u32),
}

impl Premise {
    /// The name of a linear constraint, by its place.
    pub(super) fn linear(store: &Store<'_>, at: u32) -> Premise {
        let number = linear::proof_number(store, at);
        if store.kind(at) == Kind::Learnt { Premise::Learnt(number) } else { Premise::Record(number) }
    }
}
