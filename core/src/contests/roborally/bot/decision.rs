//! One robot's choice of a program as a game for the flat search.

use heapless::Vec;
use heapless::binary_heap::{BinaryHeap, Min};

use super::judge::Judge;
use super::table::Table;
use crate::contests::roborally::numbering::{Classes, Program};
use crate::contests::roborally::{CardSet, State};
use crate::rng::Rng;
use crate::search::flat::FlatGame;

/// Which actions there are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Space {
    /// One for each way of filling registers from classes of equivalent cards.
    #[default]
    Classes,
    /// One for each way of filling registers from cards.
    Raw,
}

/// Most actions on a shortlist.
pub const SHORTLIST_CAP: usize = 512;

/// A decision: after the deal, before anybody's program is known.
#[derive(Clone, Debug)]
pub struct Decision<'b> {
    table: Table<'b>,
    judge: Judge<'b>,
    root: State,
    robot: usize,
    hand: CardSet,
    classes: Classes,
    registers: usize,
    /// The actions that are searched, if not all are.
    shortlist: Vec<u32, SHORTLIST_CAP>,
}

impl<'b> Decision<'b> {
    /// The decision of a robot with this hand: `table` says how playouts are played, `judge` what is good in the
    /// end. `None` if the hand has more than nine cards or the robot programs nothing.
    pub fn new(
        table: Table<'b>,
        judge: Judge<'b>,
        root: State,
        robot: usize,
        hand: CardSet,
        space: Space,
    ) -> Option<Decision<'b>> {
        let classes = match space {
            Space::Classes => Classes::of(hand)?,
            Space::Raw => Classes::raw(hand)?,
        };
        let registers = root.free_registers(robot);
        let decides = root.is_programming(robot) && classes.sizes().count(registers) > 0;
        let shortlist = Vec::new();
        decides.then_some(Decision { table, judge, root, robot, hand, classes, registers, shortlist })
    }

    /// Searches only the `most` actions (at most [`SHORTLIST_CAP`]) that look best after one turn in which nobody else
    /// executes cards; of equals any. With hundreds of playouts for thousands of actions, all others would just be
    /// noise. Not in the paper. 0 keeps all actions.
    pub fn shorten(&mut self, most: usize, dice: &mut Rng) {
        let most = most.min(SHORTLIST_CAP);
        let count = self.classes.sizes().count(self.registers);
        if most == 0 || count as usize <= most {
            return;
        }
        // The worst of the list lies on top.
        let mut list: BinaryHeap<(i32, u32, u32), Min, SHORTLIST_CAP> = BinaryHeap::new();
        for action in 0..count {
            let program = self.classes.program(self.registers, action).unwrap_or_default();
            let value = self.table.value_alone(&self.root, self.robot, &program);
            let entry = (value, dice.next_u64() as u32, action);
            if list.len() < most {
                // There is room: the list is shorter than its capacity.
                let _ = list.push(entry);
            } else if list.peek().is_some_and(|worst| *worst < entry) {
                list.pop();
                let _ = list.push(entry);
            }
        }
        self.shortlist = list.into_iter().map(|entry| entry.2).collect();
        self.shortlist.sort_unstable();
    }

    /// The cards of an action.
    pub fn program(&self, action: u32) -> Program {
        let number = self.shortlist.get(action as usize).copied().unwrap_or(action);
        self.classes.program(self.registers, number).unwrap_or_default()
    }

    /// Whether to announce power down along with this program: damaged enough, and no flag touched by it as far as
    /// one can tell alone (rules §11.4).
    pub fn announces(&self, program: &Program) -> bool {
        let mut alone = self.root;
        alone.fill(self.robot, program);
        alone.run_alone(self.judge.board(), self.robot);
        let flag = |state: &State| state.robot(self.robot).map(|seen| seen.next_flag);
        self.table.power.announces(&self.root, self.robot) && flag(&alone) == flag(&self.root)
    }
}

impl FlatGame for Decision<'_> {
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
        self.table.program_others(state, 1 << self.robot, self.hand, dice);
        self.table.finish_turn(state, 0);
    }

    fn turn(&self, state: &mut State, dice: &mut Rng) {
        self.table.play_turn(state, dice);
    }

    fn is_over(&self, state: &State) -> bool {
        state.is_over()
    }

    fn value(&self, state: &State) -> i32 {
        self.judge.chance(state, self.robot)
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use crate::contests::roborally::bot::{Distances, Evaluation, Power, Strategy, Weights};
    use crate::contests::roborally::{Card, Course, Profile};
    use crate::search::flat::{ALL_SPENT, Arm, Options, Selection, search};
    use std::vec;

    fn hand(numbers: &[u8]) -> CardSet {
        numbers.iter().filter_map(|&number| Card::new(number)).collect()
    }

    fn decide<T>(cards: &[u8], space: Space, then: impl FnOnce(Option<Decision<'_>>) -> T) -> T {
        let board = Course::named("checkmate").and_then(|course| course.board().ok()).expect("a course");
        let distances = Distances::new(&board);
        let judge = Judge::new(&board, &distances, Evaluation::Hodgepodge(Weights::PAPER));
        let table = Table { judge, strategy: Strategy::Random, power: Power::USUAL };
        let root = State::new(&board, Profile::Classic, 4, 3).expect("four docks");
        then(Decision::new(table, judge, root, 1, hand(cards), space))
    }

    const EXAMPLE: [u8; 9] = [11, 83, 57, 49, 35, 21, 3, 50, 4];

    #[test]
    fn actions_are_those_of_the_space() {
        decide(&EXAMPLE, Space::Classes, |decision| {
            assert_eq!(decision.expect("it programs").actions(), 1250);
        });
        decide(&EXAMPLE, Space::Raw, |decision| assert_eq!(decision.expect("it programs").actions(), 15_120));
        decide(&[1, 2], Space::Classes, |decision| assert!(decision.is_none()));
    }

    #[test]
    fn a_shortlist_holds_the_best_by_themselves() {
        decide(&EXAMPLE, Space::Classes, |decision| {
            let mut decision = decision.expect("it programs");
            let alone = |decision: &Decision<'_>, action| {
                decision.table.value_alone(&decision.root, 1, &decision.program(action))
            };
            let mut all: vec::Vec<i32> = (0..1250).map(|action| alone(&decision, action)).collect();
            all.sort_unstable_by(|a, b| b.cmp(a));
            decision.shorten(40, &mut Rng::new(1));
            assert_eq!(decision.actions(), 40);
            let mut listed: vec::Vec<i32> = (0..40).map(|action| alone(&decision, action)).collect();
            listed.sort_unstable_by(|a, b| b.cmp(a));
            assert_eq!(listed, all[..40]);
        });
    }

    #[test]
    fn opponents_never_hold_our_cards_and_playouts_are_valid() {
        decide(&EXAMPLE, Space::Classes, |decision| {
            let decision = decision.expect("it programs");
            let mut dice = Rng::new(2);
            for action in (0..1250).step_by(50) {
                let mut state = *decision.root();
                state.fill(1, &decision.program(action));
                decision.table.program_others(&mut state, 1 << 1, decision.hand, &mut dice);
                assert_eq!(state.check(decision.judge.board()), Ok(()));
                for other in [0, 2, 3] {
                    let cards = (0..5).filter_map(|register| state.register(other, register));
                    assert_eq!(cards.filter(|&card| !decision.hand.contains(card)).count(), 5);
                }
                let mut state = *decision.root();
                decision.first_turn(&mut state, action, &mut dice);
                assert_eq!(state.check(decision.judge.board()), Ok(()));
                assert!((0..=65_536).contains(&decision.value(&state)));
            }
        });
    }

    #[test]
    fn the_search_finds_a_program_that_leads_ahead() {
        decide(&EXAMPLE, Space::Classes, |decision| {
            let mut decision = decision.expect("it programs");
            decision.shorten(16, &mut Rng::new(5));
            let mut arms = vec![Arm::default(); 16];
            let options = Options { depth: 2, selection: Selection::Halving };
            let spent =
                |effort: crate::search::flat::Effort| (effort.playouts * u64::from(ALL_SPENT) / 300) as u32;
            let report = search(&decision, options, &mut arms, &mut Rng::new(3), spent).expect("enough arms");
            let program = decision.program(report.action);
            let before = decision.judge.value(decision.root(), 1);
            assert!(decision.table.value_alone(decision.root(), 1, &program) > before);
            assert!(!decision.announces(&program), "a robot without damage has no reason to");
        });
    }
}
