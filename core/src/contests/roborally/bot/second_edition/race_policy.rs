//! Whole turns of the second edition played by a simple strategy: the policy of playouts, and of baseline players.

use super::deck_kinds::{kind_of, kinds_of, take_kinds};
use super::race_evaluator::RaceEvaluator;
use crate::contests::roborally::REGISTERS;
use crate::contests::roborally::bot::Strategy;
use crate::contests::roborally::bot::kinds::REST;
use crate::contests::roborally::bot::programs::best_kinds;
use crate::contests::roborally::bot::solo::place;
use crate::contests::roborally::second_edition::{Pile, PlayCard, Race};
use crate::rng::Rng;

/// A program of the second edition; a register without a card holds a Haywire card, or is that of a hand of fewer than
/// five. Without any card the robot shuts down ([`Race::is_shut_down`]).
pub type RaceProgram = [Option<PlayCard>; REGISTERS];

/// The policy by which playouts draw and play turns.
#[derive(Clone, Copy)]
pub struct RacePolicy<'f> {
    /// Evaluator of the programs that a strategy compares.
    pub evaluator: RaceEvaluator<'f>,
    /// How programs are chosen. [`Strategy::Best`] takes the best program alone.
    pub strategy: Strategy,
}

impl RacePolicy<'_> {
    /// Chooses the program of a hand by the strategy.
    pub fn choose(&self, race: &Race, robot: usize, hand: &Pile, dice: &mut Rng) -> RaceProgram {
        let free = race.free_registers(robot);
        match self.strategy {
            Strategy::Random => random_program(hand, free, dice),
            Strategy::Search(samples) => {
                let mut best = (i32::MIN, [None; REGISTERS]);
                for _ in 0..samples.max(1) {
                    let program = random_program(hand, free, dice);
                    let value = self.value_alone(race, robot, &program);
                    if value > best.0 {
                        best = (value, program);
                    }
                }
                best.1
            }
            Strategy::Best => {
                let Some(from) = start(race, robot) else { return [None; REGISTERS] };
                let locked = (free, haywire_kinds(race, robot));
                let kinds = best_kinds(self.evaluator.solo, from, locked, &mut kinds_of(hand));
                take_kinds(&mut { *hand }, free, &kinds)
            }
        }
    }

    /// Value of a program by itself, in hundredths of a round, higher is better: what the robot should still need after
    /// it if no other were there, and the damage that it puts away.
    pub fn value_alone(&self, race: &Race, robot: usize, program: &RaceProgram) -> i32 {
        let Some(seen) = race.positions().robot(robot) else { return i32::MIN };
        let Some(from) = start(race, robot) else { return i32::MIN };
        let home = place(seen.archive.cell, seen.archive.facing);
        let held = haywire_kinds(race, robot);
        let shuts_down = race.is_shut_down(robot, program);
        let kinds = program.iter().zip(held).map(|(card, held)| card.map(kind_of).or(held));
        let kinds = kinds.map(|kind| if shuts_down { Some(REST) } else { kind });
        let rounds = self.evaluator.solo.rounds_along(from, home, kinds);
        let worn = program.iter().flatten().filter(|&&card| card.is_damage() && card != PlayCard::Worm);
        let in_hand = if shuts_down { race.hand(robot).count(PlayCard::Spam) } else { 0 };
        let worn = worn.count() + usize::from(in_hand) + held.iter().flatten().count();
        self.evaluator.odds.wear * worn as i32 - rounds as i32
    }

    /// Draws and programs for all robots but one, as far as they have no program: for scenarios and playouts, in which
    /// hands are in the decks.
    pub fn program_others(&self, race: &mut Race, robot: usize, dice: &mut Rng) {
        let programming = (0..race.positions().robots()).filter(|&other| other != robot);
        for other in programming {
            race.draw_hand(other, dice);
            let hand = race.hand(other);
            if !hand.is_empty() && !race.is_programmed(other) {
                let program = self.choose(race, other, &hand, dice);
                race.fill(other, &program);
            }
        }
    }

    /// Plays a whole turn of all robots.
    pub fn play_turn(&self, race: &mut Race, dice: &mut Rng) {
        self.program_others(race, usize::MAX, dice);
        self.finish_turn(race, dice);
    }

    /// Runs the registers and cleans up.
    pub fn finish_turn(&self, race: &mut Race, dice: &mut Rng) {
        for register in 0..REGISTERS {
            race.run_register(self.evaluator.floor, register, dice);
        }
        race.clean_up();
    }
}

/// The place and the next flag that a robot starts a turn from.
fn start(race: &Race, robot: usize) -> Option<(u16, u8)> {
    let at = race.place(robot)?;
    Some((place(at.cell, at.facing), race.positions().robot(robot)?.next_flag))
}

/// Kinds of the Haywire cards in a robot's registers. What they do is left to playouts, so they count as rest.
fn haywire_kinds(race: &Race, robot: usize) -> [Option<usize>; REGISTERS] {
    core::array::from_fn(|register| race.haywire(robot, register).map(|_| REST))
}

/// A random program of a hand for the free registers, given as bits.
fn random_program(hand: &Pile, free: u8, dice: &mut Rng) -> RaceProgram {
    let mut hand = *hand;
    let mut program: RaceProgram =
        core::array::from_fn(|place| if free >> place & 1 == 1 { hand.draw(dice) } else { None });
    let first = free.trailing_zeros() as usize % REGISTERS;
    if program[first] == Some(PlayCard::Again) {
        let later = program.iter().position(|&card| card.is_some_and(|card| card != PlayCard::Again));
        match later {
            Some(later) => program.swap(first, later),
            // By the rules of 2023 it may be the only card; by those of 2016 all registers are free.
            None if free.count_ones() as usize == REGISTERS => program[first] = None,
            None => {}
        }
    }
    program
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contests::roborally::bot::Distances;
    use crate::contests::roborally::bot::second_edition::tests;
    use crate::contests::roborally::second_edition::COURSES;

    #[test]
    fn strategies_give_programs_of_the_hand() {
        let mut dice = Rng::new(3);
        for strategy in [Strategy::Random, Strategy::Search(5), Strategy::Best] {
            let policy = tests::policy(strategy);
            let mut race = Race::new(policy.evaluator.floor, 4).expect("docks");
            for _ in 0..20 {
                race.draw_hands(&mut dice);
                for robot in 0..4 {
                    let hand = race.hand(robot);
                    if hand.is_empty() {
                        assert!(race.positions().is_over());
                        continue;
                    }
                    let program = policy.choose(&race, robot, &hand, &mut dice);
                    let cards = program.map(|card| card.expect("nine cards to choose from"));
                    assert_eq!(race.program(robot, &cards), Ok(()), "{strategy:?}");
                }
                policy.finish_turn(&mut race, &mut dice);
            }
        }
    }

    #[test]
    fn the_best_program_alone_is_the_best_of_many() {
        let best = tests::policy(Strategy::Best);
        let mut dice = Rng::new(9);
        for _ in 0..20 {
            let mut race = Race::new(best.evaluator.floor, 2).expect("docks");
            race.draw_hands(&mut dice);
            let hand = race.hand(1);
            let program = best.choose(&race, 1, &hand, &mut dice);
            let value = best.value_alone(&race, 1, &program);
            let random = (0..3000).map(|_| random_program(&hand, 0b1_1111, &mut dice));
            let most = random.map(|program| best.value_alone(&race, 1, &program)).max();
            assert!(most <= Some(value), "{most:?} {value}");
        }
    }

    #[test]
    fn a_robot_by_the_tables_reaches_the_last_flag() {
        let policy = tests::policy(Strategy::Best);
        let mut race = Race::new(policy.evaluator.floor, 1).expect("a dock");
        let mut dice = Rng::new(5);
        while !race.positions().is_over() && race.positions().turn() < 60 {
            policy.play_turn(&mut race, &mut dice);
        }
        assert_eq!(race.positions().winner(), Some(0));
    }

    #[test]
    fn flags_of_every_course_are_reached_from_docks_and_tokens() {
        for course in &COURSES {
            let floor = course.floor().expect("a course");
            let board = floor.board();
            let distances = Distances::new(board);
            let docks = board.docks().iter().map(|dock| dock.cell);
            let tokens = board.cells().filter_map(|cell| floor.token(cell)).map(|token| token.cell);
            for from in docks.chain(tokens).chain(board.flags().iter().copied()) {
                let steps = (1..=board.flags().len() as u8).map(|flag| distances.to_flag(flag, from));
                assert!(steps.max() < Some(60), "{} {from:?}", course.name());
            }
        }
    }
}
