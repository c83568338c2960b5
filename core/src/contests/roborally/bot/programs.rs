//! The best program of a hand by the tables of a course for a robot alone.

use super::kinds::{HAND_KINDS, HandKinds, executed, kind_of};
use super::solo::{FALLEN, Solo, place};
use crate::contests::roborally::numbering::Program;
use crate::contests::roborally::{CardSet, REGISTERS, State};
use crate::rng::Rng;

/// The search for a hand's best program.
struct Best<'s> {
    solo: &'s Solo,
    /// Kinds of the cards in locked registers, and the free ones as bits.
    locked: [Option<usize>; REGISTERS],
    free: u8,
    kinds: [usize; REGISTERS],
    found: (u32, [usize; REGISTERS]),
}

impl Best<'_> {
    /// Tries all programs from a register on, where `before` is what was executed last.
    fn deepen(
        &mut self,
        (register, before): (usize, Option<usize>),
        (at, next): (u16, u8),
        hand: &mut HandKinds,
    ) {
        if register == REGISTERS {
            self.offer(100 + self.solo.rounds_left(next, at));
            return;
        }
        if self.free >> register & 1 == 0 {
            match self.locked[register % REGISTERS] {
                Some(kind) => self.play(register, (at, next), kind, hand),
                None => self.deepen((register + 1, before), (at, next), hand),
            }
            return;
        }
        for kind in 0..HAND_KINDS {
            let Some(done) = executed(kind, before) else { continue };
            if hand.take(kind) {
                self.kinds[register % REGISTERS] = kind;
                self.play(register, (at, next), done, hand);
                hand.put_back(kind);
            }
        }
    }

    fn play(&mut self, register: usize, (at, next): (u16, u8), kind: usize, hand: &mut HandKinds) {
        let to = self.solo.step(register, at, kind);
        if to == FALLEN {
            self.fall(register, at, next, hand);
            return;
        }
        let next = if self.solo.is_flag(to, next) { next + 1 } else { next };
        if next > self.solo.flags() {
            self.finish(register, hand);
        } else {
            self.deepen((register + 1, Some(kind)), (to, next), hand);
        }
    }

    /// Values a fall; the registers after it get any cards.
    fn fall(&mut self, register: usize, at: u16, next: u8, hand: &mut HandKinds) {
        let home = self.solo.home(at);
        let home = if home == FALLEN { at } else { home };
        let value = 100 + self.solo.fall() + self.solo.rounds_left(next, home);
        if value < self.found.0 {
            self.fill(register, hand);
            self.offer(value);
        }
    }

    /// Values the end of the race; the registers after it get any cards.
    fn finish(&mut self, register: usize, hand: &mut HandKinds) {
        let value = 20 * (register as u32 + 1);
        if value < self.found.0 {
            self.fill(register, hand);
            self.offer(value);
        }
    }

    fn fill(&mut self, register: usize, hand: &HandKinds) {
        let mut hand = hand.clone();
        for later in (register + 1..REGISTERS).filter(|later| self.free >> later & 1 == 1) {
            if let Some(kind) = (0..HAND_KINDS).find(|&kind| hand.take(kind)) {
                self.kinds[later] = kind;
            }
        }
    }

    fn offer(&mut self, value: u32) {
        if value < self.found.0 {
            self.found = (value, self.kinds);
        }
    }
}

/// The kinds of cards, register by register, after which a robot alone needs the fewest rounds from a place with a next
/// flag; registers that are not among the bits of `free` are locked, `None` without a card.
pub(super) fn best_kinds(
    solo: &Solo,
    from: (u16, u8),
    (free, locked): (u8, [Option<usize>; REGISTERS]),
    hand: &mut HandKinds,
) -> [usize; REGISTERS] {
    let kinds = [HAND_KINDS; REGISTERS];
    let mut search = Best { solo, locked, free, kinds, found: (u32::MAX, kinds) };
    search.deepen((0, None), from, hand);
    search.found.1
}

/// The program of a hand after which a robot alone needs the fewest rounds; which card of a kind is drawn.
pub(super) fn best_program(
    solo: &Solo,
    state: &State,
    robot: usize,
    hand: CardSet,
    dice: &mut Rng,
) -> Program {
    let Some(seen) = state.robot(robot) else { return Program::new() };
    let free = state.free_registers(robot).min(hand.len());
    let locked = core::array::from_fn(|register| state.register(robot, register).map(kind_of));
    let from = (place(seen.cell, seen.facing), seen.next_flag);
    let first = (1 << free) - 1;
    let kinds = best_kinds(solo, from, (first, locked), &mut HandKinds::of(hand));
    let mut left = hand;
    let mut program = Program::new();
    for &kind in kinds.iter().take(free) {
        let of_kind = left.iter().filter(|&card| kind_of(card) == kind).count() as u32;
        let number = if of_kind > 1 { dice.below(of_kind) } else { 0 };
        let card =
            left.iter().filter(|&card| kind_of(card) == kind).nth(number as usize).or_else(|| left.last());
        let Some(card) = card else { break };
        left = left.without(card);
        // As many as there are free registers.
        let _ = program.push(card);
    }
    program
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use crate::contests::roborally::numbering::Classes;
    use crate::contests::roborally::{Card, Course, Profile};
    use std::boxed::Box;

    #[test]
    fn no_program_of_the_hand_is_better() {
        let board = Course::named("checkmate").and_then(|course| course.board().ok()).expect("a course");
        let mut solo = Box::new(Solo::EMPTY);
        solo.load(&board, Profile::Classic);
        let state = State::new(&board, Profile::Classic, 2, 3).expect("docks");
        let mut dice = Rng::new(8);
        for _ in 0..20 {
            let mut hand = CardSet::EMPTY;
            while hand.len() < 9 {
                let card = Card::new(1 + dice.below(84) as u8).expect("a card");
                hand = hand.union([card].into_iter().collect::<CardSet>());
            }
            let program = best_program(&solo, &state, 1, hand, &mut dice);
            assert_eq!(program.len(), 5);
            let found = solo.rounds_after(&state, 1, &program);
            let classes = Classes::of(hand).expect("nine cards");
            let all = (0..classes.sizes().count(5)).filter_map(|number| classes.program(5, number));
            let least = all.map(|program| solo.rounds_after(&state, 1, &program)).min();
            assert_eq!(Some(found), least);
        }
    }
}
