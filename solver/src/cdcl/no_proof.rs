//! A proof log that writes nothing, for builds without the feature `proof`.
// The methods are those of the proof log, which uses `self`.
#![allow(clippy::unused_self)]

use core::marker::PhantomData;

use super::lit::Lit;
use super::premise::Premise;
use super::propagator::{Conflict, Propagator};
use super::trail::Trail;

/// A proof log without texts.
pub(super) struct Log<'m>(PhantomData<&'m ()>);

impl Log<'_> {
    /// Whether a log can be written at all.
    pub(super) const WRITES: bool = false;

    pub(super) const fn new() -> Self {
        Log(PhantomData)
    }

    pub(super) fn clause(&mut self, _lits: impl Iterator<Item = Lit> + Clone) {}

    pub(super) fn linear(
        &mut self,
        _terms: impl Iterator<Item = (i32, Lit)> + Clone,
        _degree: i32,
        _unless: Option<Lit>,
    ) {
    }

    pub(super) fn record(
        &mut self,
        (_trail, _facts): (&Trail<'_>, usize),
        (_terms, _degree): (impl Iterator<Item = (i32, Lit)> + Clone, i32),
        _unless: Option<Lit>,
    ) -> u32 {
        0
    }

    pub(super) fn begin_clause(&mut self) {}

    pub(super) fn state(&mut self, _lit: Lit) {}

    pub(super) fn end_clause(&mut self) {}

    pub(super) fn begin_sum(&mut self, _premise: Premise) {}

    pub(super) fn add_premise(&mut self, _premise: Premise) {}

    pub(super) fn begin_round(&mut self) {}

    pub(super) fn weaken(&mut self, _lit: Lit, _amount: i64) {}

    pub(super) fn divide(&mut self, _divisor: i32) {}

    pub(super) fn end_premise(&mut self, _premise: Premise, _times: i32) {}

    pub(super) fn end_round(&mut self) {}

    pub(super) fn drop_fact(&mut self, _fact: Lit, _amount: i64) {}

    pub(super) fn keep_sum(&mut self) -> u32 {
        0
    }

    pub(super) fn forget_sum(&mut self) {}

    pub(super) fn order(&mut self, _guard: Lit, _earlier: u8, _later: u8, _strict: bool, _ticks: usize) {}

    pub(super) fn explained(&mut self, _engine: &Propagator<'_>, _lit: Lit) {}

    pub(super) fn conflict(&mut self, _engine: &Propagator<'_>, _conflict: Conflict) {}

    pub(super) fn facts(&mut self, _engine: &Propagator<'_>) {}

    pub(super) fn learn(&mut self, _lits: impl Iterator<Item = Lit> + Clone) -> u32 {
        0
    }

    pub(super) fn forget(&mut self, _number: u32) {}

    pub(super) fn core(&mut self, _core: impl Iterator<Item = Lit> + Clone) {}

    pub(super) fn refuted(&mut self) {}
}
