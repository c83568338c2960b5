//! Decision heuristic: variable move-to-front (Ryan 2004; Biere & Fröhlich, "Evaluating CDCL variable scoring
//! schemes", 2015). The next decision is the free variable that took part in a conflict last, found in a linked list.

use super::arena::Arena;
use super::array::Array;
use super::lit::Var;
use super::trail::Trail;

/// End of the linked list.
const END: u16 = u16::MAX;

/// All variables in a linked list, the one to decide first at the front; variables that never took part in a conflict
/// stand at the back, by number.
pub(super) struct DecisionQueue<'m> {
    /// The neighbour nearer to the front.
    before: Array<'m, u16>,
    /// The neighbour nearer to the back.
    after: Array<'m, u16>,
    /// Time of a variable's last move to the front; falls from front to back.
    stamps: Array<'m, u32>,
    front: u16,
    back: u16,
    /// All variables before this one are assigned.
    next: u16,
    stamp: u32,
}

impl<'m> DecisionQueue<'m> {
    pub(super) fn new(arena: &mut Arena<'m>, vars: usize) -> Self {
        DecisionQueue {
            before: arena.halves(vars),
            after: arena.halves(vars),
            stamps: arena.words(vars),
            front: END,
            back: END,
            next: END,
            stamp: 0,
        }
    }

    /// Puts a new variable at the back.
    pub(super) fn push(&mut self, var: Var) {
        let word = var.index() as u16;
        self.before[var.index()] = self.back;
        self.after[var.index()] = END;
        self.stamps[var.index()] = 0;
        match self.after.get_mut(usize::from(self.back)) {
            Some(after) => *after = word,
            None => self.front = word,
        }
        self.back = word;
        if self.next == END {
            self.next = word;
        }
    }

    /// Whether one variable stands nearer to the front than another.
    fn is_before(&self, a: u16, b: u16) -> bool {
        let key = |word: u16| (self.stamps[usize::from(word)], core::cmp::Reverse(word));
        key(a) > key(b)
    }

    /// Makes a variable that was unassigned available again.
    #[inline]
    pub(super) fn insert(&mut self, var: Var) {
        let word = var.index() as u16;
        if self.next == END || self.is_before(word, self.next) {
            self.next = word;
        }
    }

    /// The free variable nearest to the front.
    pub(super) fn pop(&mut self, trail: &Trail<'_>) -> Option<Var> {
        while let Some(var) = Var::new(usize::from(self.next)) {
            if trail.is_free(var.positive()) {
                return Some(var);
            }
            self.next = self.after[var.index()];
        }
        None
    }

    /// All variables, from front to back.
    pub(super) fn iter(&self) -> impl Iterator<Item = Var> + '_ {
        let at = |word: u16| Var::new(usize::from(word));
        core::iter::successors(at(self.front), move |var| at(self.after[var.index()]))
    }

    /// Moves a variable to the front.
    pub(super) fn bump(&mut self, var: Var) {
        let word = var.index() as u16;
        if self.stamp == u32::MAX {
            self.renumber_stamps();
        }
        self.stamp += 1;
        self.stamps[var.index()] = self.stamp;
        if self.front == word {
            return;
        }
        let (before, after) = (self.before[var.index()], self.after[var.index()]);
        if self.next == word {
            // Variables in front of it are assigned, and so is this one, as it took part in a conflict.
            self.next = after;
        }
        self.after[usize::from(before)] = after;
        match self.before.get_mut(usize::from(after)) {
            Some(place) => *place = before,
            None => self.back = before,
        }
        self.before[usize::from(self.front)] = word;
        self.before[var.index()] = END;
        self.after[var.index()] = self.front;
        self.front = word;
    }

    /// Numbers the stamps from 1 on, in the same order, when they have run out.
    fn renumber_stamps(&mut self) {
        let mut word = self.back;
        self.stamp = 0;
        while let Some(stamp) = self.stamps.get_mut(usize::from(word)) {
            self.stamp += 1;
            *stamp = self.stamp;
            word = self.before[usize::from(word)];
        }
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::vec::Vec;

    use barrow_core::rng::Rng;

    use super::super::trail::Reason;
    use super::*;

    #[test]
    fn variables_of_conflicts_move_to_the_front_whatever_the_time() {
        const VARS: usize = 12;
        let mut memory = std::vec![0; 1024];
        let arena = &mut Arena::new(&mut memory);
        let (mut queue, mut trail) = (DecisionQueue::new(arena, VARS), Trail::new(arena, VARS));
        let mut order: Vec<Var> = (0..VARS).filter_map(Var::new).collect();
        for &var in &order {
            queue.push(var);
        }
        // The stamps run out soon.
        queue.stamp = u32::MAX - 700;
        let mut rng = Rng::new(2);
        for _ in 0..600 {
            trail.push_level();
            for _ in 0..rng.below(VARS as u32) {
                let var = queue.pop(&trail).unwrap();
                let first = order.iter().find(|var| trail.is_free(var.positive()));
                assert_eq!(Some(&var), first);
                trail.assign(var.positive(), Reason::None);
            }
            for _ in 0..rng.below(4) {
                let assigned = order.iter().filter(|var| !trail.is_free(var.positive())).copied();
                let assigned: Vec<Var> = assigned.collect();
                let Some(&var) = rng.choose(&assigned) else { break };
                queue.bump(var);
                order.retain(|other| *other != var);
                order.insert(0, var);
            }
            assert!(queue.iter().eq(order.iter().copied()));
            while let Some(lit) = trail.pop() {
                queue.insert(lit.var());
            }
            trail.drop_levels(0);
        }
        assert!(queue.stamp < 1_000, "the stamps did not run out");
    }
}
