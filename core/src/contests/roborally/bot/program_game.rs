//! One robot's choice of a program as a game for the flat search.

use heapless::Vec;
use heapless::binary_heap::{BinaryHeap, Min};

use super::evaluator::Evaluator;
use super::playout_policy::PlayoutPolicy;
use crate::contests::roborally::numbering::{Classes, Program};
use crate::contests::roborally::{CardSet, State};
use crate::list;
use crate::rng::Rng;
use crate::search::flat::FlatGame;

/// The action space of a choice.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum ActionSpace {
    /// Actions numbered by class: one for each way of filling registers from classes of equivalent cards.
    #[default]
    Classes,
    /// Actions numbered by card: one for each way of filling registers from cards.
    Raw,
}

/// Most actions of a shortlist.
pub const SHORTLIST_CAP: usize = 512;

/// The choice of one robot's program, after the deal and before any program is known.
#[derive(Clone, Debug)]
pub struct ProgramGame<'b> {
    policy: PlayoutPolicy<'b>,
    evaluator: Evaluator<'b>,
    root: State,
    robot: usize,
    hand: CardSet,
    classes: Classes,
    registers: usize,
    /// The searched actions; empty if all are searched.
    shortlist: Vec<u32, SHORTLIST_CAP>,
}

impl<'b> ProgramGame<'b> {
    /// The decision of a robot with this hand: `table` says how playouts are played, `judge` what is good in the
    /// end. `None` if the hand has more than nine cards or the robot programs nothing.
    pub fn new(
        policy: PlayoutPolicy<'b>,
        evaluator: Evaluator<'b>,
        root: State,
        robot: usize,
        hand: CardSet,
        space: ActionSpace,
    ) -> Option<ProgramGame<'b>> {
        let classes = match space {
            ActionSpace::Classes => Classes::of(hand)?,
            ActionSpace::Raw => Classes::raw(hand)?,
        };
        let registers = root.free_registers(robot);
        let decides = root.is_programming(robot) && classes.sizes().count(registers) > 0;
        let shortlist = Vec::new();
        decides.then_some(ProgramGame { policy, evaluator, root, robot, hand, classes, registers, shortlist })
    }

    /// Searches only the `most` actions (at most [`SHORTLIST_CAP`]) with the best values after one turn in which no
    /// other executes cards; of equals any. With hundreds of playouts for thousands of actions, all others would just
    /// be noise. Not in the paper. 0 keeps all actions.
    pub fn shorten(&mut self, most: usize, dice: &mut Rng) {
        let most = most.min(SHORTLIST_CAP);
        let count = self.classes.sizes().count(self.registers);
        if most == 0 || count as usize <= most {
            return;
        }
        // The worst of the list lies on top.
        let mut worst_first: BinaryHeap<(i32, u32, u32), Min, SHORTLIST_CAP> = BinaryHeap::new();
        for action in 0..count {
            let program = self.classes.program(self.registers, action).unwrap_or_default();
            let value = self.policy.value_alone(&self.root, self.robot, &program);
            let entry = (value, dice.next_u64() as u32, action);
            if worst_first.len() < most {
                // There is room: the heap is shorter than its capacity.
                let _ = worst_first.push(entry);
            } else if worst_first.peek().is_some_and(|worst| *worst < entry) {
                worst_first.pop();
                let _ = worst_first.push(entry);
            }
        }
        self.shortlist = list::first(worst_first.into_iter().map(|entry| entry.2));
        self.shortlist.sort_unstable();
    }

    /// The program of an action.
    pub fn program(&self, action: u32) -> Program {
        let number = self.shortlist.get(action as usize).copied().unwrap_or(action);
        self.classes.program(self.registers, number).unwrap_or_default()
    }

    /// Whether to announce power down with a program: the robot is damaged enough, and the program touches no flag
    /// alone (rules §11.4).
    pub fn announces(&self, program: &Program) -> bool {
        let mut alone = self.root;
        alone.fill(self.robot, program);
        alone.run_alone(self.evaluator.board(), self.robot);
        let flag = |state: &State| state.robot(self.robot).map(|seen| seen.next_flag);
        self.policy.power_down.announces(&self.root, self.robot) && flag(&alone) == flag(&self.root)
    }
}

impl FlatGame for ProgramGame<'_> {
    type State = State;

    fn root(&self) -> &State {
        &self.root
    }

    fn actions(&self) -> u32 {
        match self.shortlist.len() {
            0 => self.classes.sizes().count(self.registers),
            listed => listed as u32,
        }
    }

    fn first_turn(&self, state: &mut State, action: u32, dice: &mut Rng) {
        state.fill(self.robot, &self.program(action));
        self.policy.program_others(state, 1 << self.robot, self.hand, dice);
        self.policy.finish_turn(state, 0);
    }

    fn turn(&self, state: &mut State, dice: &mut Rng) {
        self.policy.play_turn(state, dice);
    }

    fn is_over(&self, state: &State) -> bool {
        state.is_over()
    }

    fn value(&self, state: &State) -> i32 {
        self.evaluator.scaled_value(state, self.robot)
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use crate::contests::roborally::bot::{Distances, Evaluation, PowerDownPolicy, Strategy, Weights};
    use crate::contests::roborally::{Card, Course, Profile};
    use crate::search::flat::{ALL_SPENT, Arm, Options, Selection, search};
    use std::vec;

    fn hand(numbers: &[u8]) -> CardSet {
        numbers.iter().filter_map(|&number| Card::new(number)).collect()
    }

    fn decide<T>(cards: &[u8], space: ActionSpace, then: impl FnOnce(Option<ProgramGame<'_>>) -> T) -> T {
        let board = Course::named("checkmate").and_then(|course| course.board().ok()).expect("a course");
        let distances = Distances::new(&board);
        let evaluator = Evaluator::new(&board, &distances, Evaluation::Hodgepodge(Weights::PAPER));
        let policy =
            PlayoutPolicy { evaluator, strategy: Strategy::Random, power_down: PowerDownPolicy::USUAL };
        let root = State::new(&board, Profile::Classic, 4, 3).expect("four docks");
        then(ProgramGame::new(policy, evaluator, root, 1, hand(cards), space))
    }

    const EXAMPLE: [u8; 9] = [11, 83, 57, 49, 35, 21, 3, 50, 4];

    #[test]
    fn actions_are_those_of_the_space() {
        decide(&EXAMPLE, ActionSpace::Classes, |game| {
            assert_eq!(game.expect("it programs").actions(), 1250);
        });
        decide(&EXAMPLE, ActionSpace::Raw, |game| assert_eq!(game.expect("it programs").actions(), 15_120));
        decide(&[1, 2], ActionSpace::Classes, |game| assert!(game.is_none()));
    }

    #[test]
    fn a_shortlist_holds_the_best_by_themselves() {
        decide(&EXAMPLE, ActionSpace::Classes, |game| {
            let mut game = game.expect("it programs");
            let alone = |game: &ProgramGame<'_>, action| {
                game.policy.value_alone(&game.root, 1, &game.program(action))
            };
            let mut all: vec::Vec<i32> = (0..1250).map(|action| alone(&game, action)).collect();
            all.sort_unstable_by(|a, b| b.cmp(a));
            game.shorten(40, &mut Rng::new(1));
            assert_eq!(game.actions(), 40);
            let mut listed: vec::Vec<i32> = (0..40).map(|action| alone(&game, action)).collect();
            listed.sort_unstable_by(|a, b| b.cmp(a));
            assert_eq!(listed, all[..40]);
        });
    }

    #[test]
    fn opponents_never_hold_our_cards_and_playouts_are_valid() {
        decide(&EXAMPLE, ActionSpace::Classes, |game| {
            let game = game.expect("it programs");
            let mut dice = Rng::new(2);
            for action in (0..1250).step_by(50) {
                let mut state = *game.root();
                state.fill(1, &game.program(action));
                game.policy.program_others(&mut state, 1 << 1, game.hand, &mut dice);
                assert_eq!(state.check(game.evaluator.board()), Ok(()));
                for other in [0, 2, 3] {
                    let cards = (0..5).filter_map(|register| state.register(other, register));
                    assert_eq!(cards.filter(|&card| !game.hand.contains(card)).count(), 5);
                }
                let mut state = *game.root();
                game.first_turn(&mut state, action, &mut dice);
                assert_eq!(state.check(game.evaluator.board()), Ok(()));
                assert!((0..=65_536).contains(&game.value(&state)));
            }
        });
    }

    #[test]
    fn the_search_finds_a_program_that_leads_ahead() {
        decide(&EXAMPLE, ActionSpace::Classes, |game| {
            let mut game = game.expect("it programs");
            game.shorten(16, &mut Rng::new(5));
            let mut arms = vec![Arm::default(); 16];
            let options = Options { depth: 2, selection: Selection::Halving };
            let spent =
                |effort: crate::search::flat::Effort| (effort.playouts * u64::from(ALL_SPENT) / 300) as u32;
            let report = search(&game, options, &mut arms, &mut Rng::new(3), spent).expect("enough arms");
            let program = game.program(report.action);
            let before = game.evaluator.value(game.root(), 1);
            assert!(game.policy.value_alone(game.root(), 1, &program) > before);
            assert!(!game.announces(&program), "a robot without damage has no reason to");
        });
    }
}
