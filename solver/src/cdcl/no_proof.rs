//! What stands in for the proof log when it is left out.
// The methods are those of the log, which does use what it is given.
#![allow(clippy::unused_self)]

use core::marker::PhantomData;

use super::lit::Lit;
use super::propagator::{Conflict, Engine};

pub(super) struct Log<'m>(PhantomData<&'m ()>);

impl Log<'_> {
    pub(super) const fn new() -> Self {
        Log(PhantomData)
    }

    pub(super) fn clause(&mut self, _lits: impl Iterator<Item = Lit> + Clone) {}

    pub(super) fn sum(
        &mut self,
        _terms: impl Iterator<Item = (i32, Lit)> + Clone,
        _degree: i32,
        _unless: Option<Lit>,
    ) {
    }

    pub(super) fn order(&mut self, _guard: Lit, _earlier: u8, _later: u8, _strict: bool, _clocks: usize) {}

    pub(super) fn explained(&mut self, _engine: &Engine<'_>, _lit: Lit) {}

    pub(super) fn conflict(&mut self, _engine: &Engine<'_>, _conflict: Conflict) {}

    pub(super) fn facts(&mut self, _engine: &Engine<'_>) {}

    pub(super) fn learn(&mut self, _lits: impl Iterator<Item = Lit> + Clone) -> u32 {
        0
    }

    pub(super) fn forget(&mut self, _number: u32) {}

    pub(super) fn core(&mut self, _core: impl Iterator<Item = Lit> + Clone) {}

    pub(super) fn refuted(&mut self) {}
}
