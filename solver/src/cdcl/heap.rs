//! Which variable to decide next: activities that grow with every conflict (VSIDS, Moskewicz et al. 2001) in a
//! binary heap with positions. Integers only, so that every target decides alike.

use super::lit::Var;
use super::memory::Carver;

const ABSENT: u16 = u16::MAX;
const RESCALE_AT: u32 = 1 << 30;

/// Free variables by activity; variables that have been assigned may linger until they are popped.
pub(super) struct Heap<'m> {
    activity: &'m mut [u32],
    order: &'m mut [u16],
    places: &'m mut [u16],
    len: usize,
    bump: u32,
}

impl<'m> Heap<'m> {
    pub(super) fn new(carver: &mut Carver<'m>, vars: usize) -> Self {
        let places = carver.halves(vars);
        places.fill(ABSENT);
        let activity = carver.words(vars);
        activity.fill(0);
        Heap { activity, order: carver.halves(vars), places, len: 0, bump: 1 << 10 }
    }

    fn swap(&mut self, a: usize, b: usize) {
        self.order.swap(a, b);
        self.places[usize::from(self.order[a])] = a as u16;
        self.places[usize::from(self.order[b])] = b as u16;
    }

    fn activity_at(&self, place: usize) -> (u32, core::cmp::Reverse<u16>) {
        let var = self.order[place];
        (self.activity[usize::from(var)], core::cmp::Reverse(var))
    }

    fn rise(&mut self, mut place: usize) {
        while place > 0 {
            let parent = (place - 1) / 2;
            if self.activity_at(parent) >= self.activity_at(place) {
                return;
            }
            self.swap(place, parent);
            place = parent;
        }
    }

    fn sink(&mut self, mut place: usize) {
        loop {
            let mut best = place;
            for child in [2 * place + 1, 2 * place + 2] {
                if child < self.len && self.activity_at(child) > self.activity_at(best) {
                    best = child;
                }
            }
            if best == place {
                return;
            }
            self.swap(place, best);
            place = best;
        }
    }

    /// Puts a variable in, if it is not there.
    pub(super) fn insert(&mut self, var: Var) {
        if self.places[var.index()] != ABSENT {
            return;
        }
        self.order[self.len] = var.index() as u16;
        self.places[var.index()] = self.len as u16;
        self.len += 1;
        self.rise(self.len - 1);
    }

    /// Takes the most active variable out; ties go to the lower number.
    pub(super) fn pop(&mut self) -> Option<Var> {
        self.len = self.len.checked_sub(1)?;
        let top = self.order[0];
        self.swap(0, self.len);
        self.places[usize::from(top)] = ABSENT;
        self.sink(0);
        Var::new(usize::from(top))
    }

    /// Raises a variable's activity.
    pub(super) fn bump(&mut self, var: Var) {
        let activity = &mut self.activity[var.index()];
        *activity += self.bump;
        let place = self.places[var.index()];
        if place != ABSENT {
            self.rise(usize::from(place));
        }
        if self.activity[var.index()] >= RESCALE_AT {
            for activity in self.activity.iter_mut() {
                *activity >>= 16;
            }
            self.bump = (self.bump >> 16).max(16);
            // Shifting may make neighbours equal, and equal ones are ordered by number.
            for place in (0..self.len / 2).rev() {
                self.sink(place);
            }
        }
    }

    /// Makes what comes later weigh more.
    pub(super) fn decay(&mut self) {
        self.bump += (self.bump >> 4).max(1);
        self.bump = self.bump.min(RESCALE_AT >> 2);
    }
}
