//! Choice of a robot's program of the second edition as a game for the flat search.

use super::race_evaluator::RaceEvaluator;
use super::race_policy::{RacePolicy, RaceProgram};
use crate::contests::roborally::bot::scenarios::Scenarios;
use crate::contests::roborally::bot::shortlist::{Listed, TRIED_AT_ONCE, best_by_value, shuffled};
use crate::contests::roborally::numbering::Sizes;
use crate::contests::roborally::second_edition::{PlayCard, Race};
use crate::contests::roborally::{HAND_CAP, REGISTERS, ROBOT_CAP};
use crate::list;
use crate::rng::Rng;
use crate::search::flat::FlatGame;

/// The programs of all robots, that of the deciding one empty.
type Programs = [RaceProgram; ROBOT_CAP];

/// The choice of one robot's program, after the hands are drawn and before any program is known.
#[derive(Clone)]
pub struct RaceGame<'f> {
    policy: RacePolicy<'f>,
    evaluator: RaceEvaluator<'f>,
    root: Race,
    robot: usize,
    /// The kinds of cards in the hand. [`PlayCard::Again`] is the last one: actions that begin with it have the highest
    /// numbers.
    classes: heapless::Vec<PlayCard, HAND_CAP>,
    sizes: Sizes,
    /// Free registers, as bits.
    free: u8,
    /// Number of actions that do not begin with [`PlayCard::Again`]. Where the robot may shut down with a gain, that is
    /// one action more.
    actions: u32,
    may_shut_down: bool,
    shortlist: Listed,
    best_alone: Option<u32>,
    scenarios: Scenarios<Programs>,
}

impl<'f> RaceGame<'f> {
    /// The decision of a robot with its hand in a race; hands of others are not looked at. `None` if the robot has
    /// nothing to choose from.
    pub fn new(
        policy: RacePolicy<'f>,
        evaluator: RaceEvaluator<'f>,
        race: &Race,
        robot: usize,
    ) -> Option<RaceGame<'f>> {
        let mut root = *race;
        root.conceal_hands(robot);
        let hand = root.hand(robot);
        let in_hand = PlayCard::ALL.into_iter().filter(|&card| card != PlayCard::Again);
        let in_hand = in_hand.chain([PlayCard::Again]).filter(|&card| hand.count(card) > 0);
        let classes: heapless::Vec<PlayCard, HAND_CAP> = list::first(in_hand);
        let counts: heapless::Vec<u8, HAND_CAP> = list::first(classes.iter().map(|&card| hand.count(card)));
        let sizes = Sizes::new(&counts)?;
        let again: Option<u8> = match classes.last() {
            Some(PlayCard::Again) => u8::try_from(classes.len() - 1).ok(),
            _ => None,
        };
        let free = root.free_registers(robot);
        let registers = free.count_ones() as usize;
        let first = match again {
            Some(class) if registers > 0 => sizes.count_after(class, registers - 1),
            _ => 0,
        };
        let actions = sizes.count(registers).saturating_sub(first);
        let is_damaged = hand.count(PlayCard::Spam) > 0 || registers < REGISTERS;
        let may_shut_down = root.is_shut_down(robot, &[None; REGISTERS]) && is_damaged;
        (actions > 0).then_some(RaceGame {
            policy,
            evaluator,
            root,
            robot,
            classes,
            sizes,
            free,
            actions,
            may_shut_down,
            shortlist: Listed::new(),
            best_alone: None,
            scenarios: Scenarios::NONE,
        })
    }

    /// Searches only the `most` actions with the best values by themselves, as
    /// [`ProgramGame::shorten`](crate::contests::roborally::bot::ProgramGame::shorten) does. 0 keeps all actions.
    pub fn shorten(&mut self, most: usize, dice: &mut Rng, more: impl FnMut() -> bool) {
        if most > 0 && self.all_actions() as usize > most {
            let value = |action| self.value_alone(action);
            (self.shortlist, self.best_alone) = best_by_value((self.all_actions(), most), dice, value, more);
        }
    }

    /// Draws up to `most` programs of all others, which the samples of every action then meet in the same order; as
    /// many as `more` allows.
    pub fn foresee(&mut self, most: usize, dice: &mut Rng, more: impl FnMut() -> bool) {
        let (policy, root, robot) = (&self.policy, &self.root, self.robot);
        let programs = || {
            let mut race = *root;
            policy.program_others(&mut race, robot, dice);
            core::array::from_fn(|other| race.registers_of(other))
        };
        self.scenarios.draw(most, programs, more);
    }

    /// The best program by itself among those tried for the shortlist, or among some without one.
    pub fn best_alone(&self, dice: &mut Rng) -> RaceProgram {
        let some = || {
            let some = shuffled(self.actions, dice).take(TRIED_AT_ONCE as usize);
            some.max_by_key(|&action| self.value_alone(action))
        };
        self.numbered(self.best_alone.or_else(some).unwrap_or(0))
    }

    /// The program of an action.
    pub fn program(&self, action: u32) -> RaceProgram {
        self.numbered(self.shortlist.get(action as usize).copied().unwrap_or(action))
    }

    /// Number of actions, shutting down included.
    fn all_actions(&self) -> u32 {
        self.actions + u32::from(self.may_shut_down)
    }

    fn value_alone(&self, action: u32) -> i32 {
        self.policy.value_alone(&self.root, self.robot, &self.numbered(action))
    }

    /// The program of an action's number among all actions.
    fn numbered(&self, number: u32) -> RaceProgram {
        if self.may_shut_down && number >= self.actions {
            return [None; REGISTERS];
        }
        let registers = self.free.count_ones() as usize;
        let action = self.sizes.action(registers, number).unwrap_or_default();
        let mut classes = action.iter();
        core::array::from_fn(|register| {
            let class = if self.free >> register & 1 == 1 { classes.next() } else { None };
            self.classes.get(usize::from(*class?)).copied()
        })
    }
}

impl FlatGame for RaceGame<'_> {
    type State = Race;

    fn root(&self) -> &Race {
        &self.root
    }

    fn actions(&self) -> u32 {
        match self.shortlist.len() {
            0 => self.all_actions(),
            listed => listed as u32,
        }
    }

    fn first_turn(&self, race: &mut Race, action: u32, sample: u32, dice: &mut Rng) {
        match self.scenarios.of_sample(sample) {
            Some(programs) => {
                for (other, program) in programs.iter().enumerate().filter(|&(other, _)| other != self.robot)
                {
                    race.fill(other, program);
                }
            }
            None => self.policy.program_others(race, self.robot, dice),
        }
        race.fill(self.robot, &self.program(action));
        self.policy.finish_turn(race, dice);
    }

    fn turn(&self, race: &mut Race, dice: &mut Rng) {
        self.policy.play_turn(race, dice);
    }

    fn is_over(&self, race: &Race) -> bool {
        race.positions().is_over()
    }

    fn value(&self, race: &Race) -> i32 {
        self.evaluator.chance(race, self.robot)
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use crate::contests::roborally::bot::Strategy;
    use crate::contests::roborally::bot::second_edition::tests;
    use crate::search::flat::{ALL_SPENT, Arm, Effort, Options, Selection, search};
    use std::collections::HashSet;
    use std::vec;

    fn decide(seed: u64, then: impl FnOnce(RaceGame<'_>, &Race)) {
        let policy = tests::policy(Strategy::Best);
        let mut race = Race::new(policy.evaluator.floor, 3).expect("docks");
        race.draw_hands(&mut Rng::new(seed));
        then(RaceGame::new(policy, policy.evaluator, &race, 1).expect("nine cards"), &race);
    }

    #[test]
    fn actions_are_all_programs_that_do_not_begin_with_again() {
        for seed in 0..12 {
            decide(seed, |game, race| {
                let programs: HashSet<RaceProgram> =
                    (0..game.actions()).map(|action| game.program(action)).collect();
                assert_eq!(programs.len(), game.actions() as usize);
                for program in &programs {
                    let cards = program.map(|card| card.expect("a full program"));
                    assert_eq!({ *race }.program(1, &cards), Ok(()), "{cards:?}");
                }
                let total = game.sizes.count(REGISTERS);
                let starts_again = |number: &u32| game.numbered(*number)[0] == Some(PlayCard::Again);
                assert_eq!((0..total).filter(starts_again).count() as u32, total - game.actions());
            });
        }
    }

    #[test]
    fn hands_of_others_are_not_known() {
        decide(4, |game, race| {
            assert!(game.root().hand(0).is_empty() && game.root().hand(1) == race.hand(1));
            let mut other = *race;
            other.conceal_hands(1);
            other.draw_hands(&mut Rng::new(77));
            assert_ne!(other.hand(0), race.hand(0));
            let again = RaceGame::new(game.policy, game.evaluator, &other, 1).expect("nine cards");
            assert_eq!(again.root(), game.root());
        });
    }

    #[test]
    fn playouts_lose_no_card_and_foreseen_programs_are_the_same_for_all_actions() {
        decide(8, |mut game, race| {
            game.shorten(40, &mut Rng::new(1), || true);
            game.foresee(5, &mut Rng::new(2), || true);
            for (action, sample) in [(0, 0), (39, 3), (17, 9)] {
                let mut played = *game.root();
                game.first_turn(&mut played, action, sample, &mut Rng::new(6));
                assert_eq!(played.cards(), race.cards());
                assert_eq!(played.positions().turn(), 1);
                assert!((0..=65_536).contains(&game.value(&played)));
            }
            assert_eq!(game.scenarios.of_sample(1), game.scenarios.of_sample(6));
            assert_ne!(game.scenarios.of_sample(1), game.scenarios.of_sample(2));
        });
    }

    #[test]
    fn the_search_is_better_than_a_random_program() {
        decide(3, |mut game, race| {
            game.shorten(64, &mut Rng::new(5), || true);
            game.foresee(32, &mut Rng::new(6), || true);
            let mut arms = vec![Arm::default(); 64];
            let options = Options { depth: 1, selection: Selection::Halving };
            let spent = |effort: Effort| (effort.playouts * u64::from(ALL_SPENT) / 1500) as u32;
            let report = search(&game, options, &mut arms, &mut Rng::new(3), spent).expect("enough arms");
            let found = game.policy.value_alone(race, 1, &game.program(report.action));
            let mean: i32 = (0..game.actions).map(|action| game.value_alone(action)).sum::<i32>();
            assert!(found > mean / game.actions as i32 + 20, "{found}");
            assert!(report.value > 0);
        });
    }
}
