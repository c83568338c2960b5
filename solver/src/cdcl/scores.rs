//! Decision heuristic of long searches: variable scores that decay (VSIDS: Moskewicz et al., "Chaff: engineering an
//! efficient SAT solver", 2001; exponential increments as in MiniSat, 2003), in whole numbers and a binary heap.
//!
//! A search begins with the queue of [`super::vmtf`], which costs less and on ordinary boards is all that is needed. It
//! is where refutations take hundreds of conflicts that scores find the variables which matter. They come with target
//! phases: the values that variables had when the most were assigned without a conflict are tried first (Biere & Fleury,
//! "Chasing target phases", 2020).

use super::arena::{Arena, words_of_bytes, words_of_halves};
use super::array::Array;
use super::lit::Var;
use super::trail::Trail;

/// Conflicts since a solver was made after which scores choose its decisions instead of the queue.
pub(super) const PATIENCE: u64 = 400;

/// Whether there is memory for scores. Where there is not, the queue decides for good.
const ENABLED: bool = cfg!(feature = "every-board");

/// Mark of a variable that is not in the heap.
const NOWHERE: u16 = u16::MAX;

/// Increment at the start.
const FIRST_INCREMENT: u32 = 1 << 8;

/// Increments grow by one part of so many with each conflict.
const GROWTH: u32 = 16;

/// Bound of scores, and the bits by which all of them are shifted when one exceeds it.
const BOUND: u32 = 1 << 30;
const SHIFT: u32 = 16;

/// Mark of a variable without a target phase.
const NO_TARGET: u8 = 2;

/// Scores by variable, and the heap of those that may be free, the highest score first.
pub(super) struct Scores<'m> {
    /// Score by variable.
    values: Array<'m, u32>,
    heap: Array<'m, u16>,
    /// Position in the heap by variable.
    places: Array<'m, u16>,
    len: usize,
    increment: u32,
    is_on: bool,
    /// Target phase by variable, 0 or 1, or [`NO_TARGET`].
    targets: Array<'m, u8>,
    /// Number of variables that were assigned when the target phases were saved.
    target_len: usize,
}

impl<'m> Scores<'m> {
    const fn capacity(vars: usize) -> usize {
        if ENABLED { vars } else { 0 }
    }

    /// Words that [`Scores::new`] takes.
    pub(super) const fn words(vars: usize) -> usize {
        let n = Scores::capacity(vars);
        n + 2 * words_of_halves(n) + words_of_bytes(n)
    }

    pub(super) fn new(arena: &mut Arena<'m>, vars: usize) -> Self {
        let n = Scores::capacity(vars);
        Scores {
            values: arena.words(n),
            heap: arena.halves(n),
            places: arena.halves(n),
            len: 0,
            increment: FIRST_INCREMENT,
            is_on: false,
            targets: arena.bytes(n),
            target_len: 0,
        }
    }

    /// Whether scores choose decisions.
    #[inline]
    pub(super) const fn is_on(&self) -> bool {
        ENABLED && self.is_on
    }

    /// Begins to choose decisions, the first of this order of all variables first. Which of those with equal scores comes next
    /// is the heap's affair.
    pub(super) fn start(&mut self, order: impl Iterator<Item = Var>) {
        self.is_on = ENABLED;
        if self.is_on() {
            order.for_each(|var| self.push(var));
            self.clear_targets();
        }
    }

    /// Adds a new variable, without a score.
    pub(super) fn push(&mut self, var: Var) {
        if self.is_on() {
            self.values[var.index()] = 0;
            self.places[var.index()] = NOWHERE;
            self.insert(var);
        }
    }

    /// Makes a variable that was unassigned available again.
    #[inline]
    pub(super) fn insert(&mut self, var: Var) {
        if self.is_on() && self.places[var.index()] == NOWHERE {
            self.len += 1;
            self.rise(self.len - 1, var.index() as u16);
        }
    }

    /// The free variable with the highest score.
    pub(super) fn pop(&mut self, trail: &Trail<'_>) -> Option<Var> {
        while self.len > 0 {
            let top = self.heap[0];
            let var = Var::new(usize::from(top))?;
            if trail.is_free(var.positive()) {
                return Some(var);
            }
            self.len -= 1;
            self.places[usize::from(top)] = NOWHERE;
            if self.len > 0 {
                self.sink(self.heap[self.len]);
            }
        }
        None
    }

    /// Raises the score of a variable that took part in a conflict.
    #[inline]
    pub(super) fn bump(&mut self, var: Var) {
        if !self.is_on() {
            return;
        }
        let score = self.values[var.index()].saturating_add(self.increment);
        self.values[var.index()] = score;
        if score > BOUND {
            self.values.iter_mut().for_each(|score| *score >>= SHIFT);
            self.increment = (self.increment >> SHIFT).max(1);
        }
        let place = self.places[var.index()];
        if place != NOWHERE {
            self.rise(usize::from(place), var.index() as u16);
        }
    }

    /// Ends a conflict: what is bumped later counts for more.
    pub(super) const fn decay(&mut self) {
        self.increment += self.increment / GROWTH + 1;
    }

    /// Target phase of a variable, if scores choose decisions and it has one.
    pub(super) fn target(&self, var: Var) -> Option<bool> {
        let target = if self.is_on() { self.targets[var.index()] } else { NO_TARGET };
        (target < NO_TARGET).then_some(target != 0)
    }

    /// Forgets the target phases.
    pub(super) fn clear_targets(&mut self) {
        if self.is_on() {
            self.targets.fill(NO_TARGET);
            self.target_len = 0;
        }
    }

    /// Saves the assignment before the conflict's level as target phases, if it is the largest since they were forgotten.
    pub(super) fn save_targets(&mut self, trail: &Trail<'_>) {
        let end = trail.end_of(trail.level().saturating_sub(1));
        if self.is_on() && end > self.target_len {
            self.target_len = end;
            for lit in (0..end).filter_map(|position| trail.at(position)) {
                self.targets[lit.var().index()] = u8::from(lit.is_positive());
            }
        }
    }

    /// Whether one variable has a higher score than another.
    fn is_above(&self, a: u16, b: u16) -> bool {
        self.values[usize::from(a)] > self.values[usize::from(b)]
    }

    fn put(&mut self, at: usize, var: u16) {
        self.heap[at] = var;
        self.places[usize::from(var)] = at as u16;
    }

    /// Puts a variable at a place of the heap, or above it.
    fn rise(&mut self, at: usize, var: u16) {
        let mut at = at;
        while at > 0 {
            let parent = (at - 1) / 2;
            let other = self.heap[parent];
            if !self.is_above(var, other) {
                break;
            }
            self.put(at, other);
            at = parent;
        }
        self.put(at, var);
    }

    /// Puts a variable at the top of the heap, or below it.
    fn sink(&mut self, var: u16) {
        let mut at = 0;
        loop {
            let mut child = 2 * at + 1;
            if child >= self.len {
                break;
            }
            // Behind the last stands the variable that sinks, which is not above itself.
            if self.is_above(self.heap[child + 1], self.heap[child]) {
                child += 1;
            }
            let other = self.heap[child];
            if !self.is_above(other, var) {
                break;
            }
            self.put(at, other);
            at = child;
        }
        self.put(at, var);
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::vec::Vec;

    use barrow_core::rng::Rng;

    use super::super::trail::Reason;
    use super::*;

    /// Scores as fractions of the present increment, looked through from the first to the last.
    #[test]
    #[cfg_attr(not(feature = "every-board"), ignore = "there is no memory for scores")]
    fn the_highest_score_is_chosen_through_all_bounds() {
        const VARS: usize = 40;
        let mut memory = std::vec![0; 4096];
        let arena = &mut Arena::new(&mut memory);
        let (mut scores, mut trail) = (Scores::new(arena, VARS), Trail::new(arena, VARS));
        let vars: Vec<Var> = (0..VARS).filter_map(Var::new).collect();
        scores.start(vars.iter().copied());
        let (mut rng, mut slow) = (Rng::new(1), std::vec![0.0_f64; VARS]);
        let mut shifted = 0;
        for _ in 0..2_000 {
            for _ in 0..=rng.below(5) {
                let var = *rng.choose(&vars).unwrap();
                slow[var.index()] += 1.0;
                scores.bump(var);
            }
            let before = scores.increment;
            scores.decay();
            let grown = f64::from(scores.increment) / f64::from(before);
            for score in &mut slow {
                *score /= grown;
            }
            shifted += usize::from(scores.increment < FIRST_INCREMENT << 4);
            trail.push_level();
            while trail.len() < rng.below(VARS as u32) as usize {
                let var = scores.pop(&trail).unwrap();
                let free = vars.iter().filter(|var| trail.is_free(var.positive()));
                let highest = free.clone().map(|var| scores.values[var.index()]).max();
                assert_eq!(Some(scores.values[var.index()]), highest);
                let best = free.map(|var| slow[var.index()]).fold(0.0, f64::max);
                assert!(slow[var.index()] > 0.9 * best - 0.01, "{} {best}", slow[var.index()]);
                trail.assign(var.positive(), Reason::None);
            }
            while let Some(lit) = trail.pop() {
                scores.insert(lit.var());
            }
            trail.drop_levels(0);
        }
        assert!(shifted > 1, "no score met the bound");
        // A score may reach the bound and not pass it.
        scores.increment = 1;
        scores.values.fill(0);
        scores.values[3] = BOUND - 1;
        scores.bump(vars[3]);
        assert_eq!(scores.values[3], BOUND);
        scores.bump(vars[3]);
        assert_eq!(scores.values[3], (BOUND + 1) >> SHIFT);
    }
}
