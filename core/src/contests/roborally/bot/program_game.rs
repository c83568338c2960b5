//! Choice of a robot's program as a game for the flat search.

use super::evaluator::Evaluator;
use super::playout_policy::PlayoutPolicy;
use super::scenarios::Scenarios;
use super::shortlist::{Listed, TRIED_AT_ONCE, best_by_value, shuffled};
use crate::contests::roborally::numbering::{Classes, Program};
use crate::contests::roborally::{CardSet, Profile, REGISTERS, ROBOT_CAP, State};
use crate::list;
use crate::rng::Rng;
use crate::search::flat::FlatGame;
use crate::search::smitsimax::SCORE_LIMIT;
use crate::search::value::CERTAIN;

/// The action space of a choice.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum ActionSpace {
    /// Actions numbered by class: one for each way of filling registers from classes of equivalent cards.
    #[default]
    Classes,
    /// Actions numbered by card: one for each way of filling registers from cards.
    Raw,
}

/// The choice of one robot's program, after the deal and before any program is known.
#[derive(Clone)]
pub struct ProgramGame<'b> {
    pub(super) policy: PlayoutPolicy<'b>,
    pub(super) evaluator: Evaluator<'b>,
    pub(super) root: State,
    pub(super) robot: usize,
    pub(super) hand: CardSet,
    pub(super) classes: Classes,
    pub(super) registers: usize,
    /// The searched actions; empty if all are searched.
    shortlist: Listed,
    /// The best action by itself among those tried.
    best_alone: Option<u32>,
    pub(super) scenarios: Scenarios<Registers>,
}

/// The registers of all robots, those of the deciding one as they were.
type Registers = [[u8; ROBOT_CAP]; REGISTERS];

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
        let (shortlist, best_alone, scenarios) = (Listed::new(), None, Scenarios::NONE);
        decides.then_some(ProgramGame {
            policy,
            evaluator,
            root,
            robot,
            hand,
            classes,
            registers,
            shortlist,
            best_alone,
            scenarios,
        })
    }

    /// Searches only the `most` actions (at most [`SHORTLIST_CAP`](super::SHORTLIST_CAP)) with the best values after one turn in which no
    /// other executes cards; of equals any. With hundreds of playouts for thousands of actions, all others would just
    /// be noise. Not in the paper. 0 keeps all actions.
    ///
    /// Actions are tried in random order while `more` says so, some of them in any case; those not tried are not
    /// listed.
    pub fn shorten(&mut self, most: usize, dice: &mut Rng, more: impl FnMut() -> bool) {
        let count = self.classes.sizes().count(self.registers);
        if most == 0 || count as usize <= most {
            return;
        }
        let value = |action| self.value_alone(action);
        (self.shortlist, self.best_alone) = best_by_value((count, most), dice, value, more);
    }

    /// Value of an action by itself.
    fn value_alone(&self, action: u32) -> i32 {
        let program = self.classes.program(self.registers, action).unwrap_or_default();
        self.policy.value_alone(&self.root, self.robot, &program)
    }

    /// Draws up to `most` programs of all others, which the samples of every action then meet in the same order; as
    /// many as `more` allows. Without them each playout deals the others new hands, as in the paper.
    pub fn foresee(&mut self, most: usize, dice: &mut Rng, more: impl FnMut() -> bool) {
        let (policy, root, robot, hand) = (&self.policy, self.root, self.robot, self.hand);
        let program = || {
            let mut state = root;
            policy.program_others(&mut state, 1 << robot, hand, dice);
            state.registers
        };
        self.scenarios.draw(most, program, more);
    }

    /// The actions that are searched, by number; empty if all are.
    pub fn shortlist(&self) -> &[u32] {
        &self.shortlist
    }

    /// Searches only these actions, at most [`SHORTLIST_CAP`](super::SHORTLIST_CAP) of them; none stands for all.
    pub fn list(&mut self, actions: &[u32]) {
        self.shortlist = list::first(actions.iter().copied());
    }

    /// The best program by itself among those tried for the shortlist, or among some without one: what to play where
    /// there was no time for a playout.
    pub fn best_alone(&self, dice: &mut Rng) -> Program {
        let value = |&action: &u32| self.value_alone(action);
        let count = self.classes.sizes().count(self.registers);
        let some = || shuffled(count, dice).take(TRIED_AT_ONCE as usize).max_by_key(value);
        let best = self.best_alone.or_else(some).unwrap_or(0);
        self.classes.program(self.registers, best).unwrap_or_default()
    }

    /// The program of an action.
    pub fn program(&self, action: u32) -> Program {
        let number = self.shortlist.get(action as usize).copied().unwrap_or(action);
        self.classes.program(self.registers, number).unwrap_or_default()
    }

    /// Plays the turns of a simulation after the first one by the policy.
    pub(super) fn play_on(&self, state: &mut State, turns: u32, dice: &mut Rng) {
        for _ in 1..turns {
            if state.is_over() {
                break;
            }
            self.policy.play_turn(state, dice);
        }
    }

    /// Score of the end of a simulation for a robot, for SmitsiMax; 0 for no such robot.
    pub(super) fn score(&self, state: &State, robot: usize) -> i32 {
        if robot < state.robots() {
            self.evaluator.scaled_value(state, robot) / (CERTAIN / SCORE_LIMIT)
        } else {
            0
        }
    }

    /// The policy by which playouts are played.
    pub fn policy(&self) -> PlayoutPolicy<'b> {
        self.policy
    }

    /// Damage of the robot.
    pub fn damage(&self) -> u8 {
        self.root.robot(self.robot).map_or(0, |seen| seen.damage)
    }

    /// Whether the rules allow the robot to announce power down.
    pub fn may_announce(&self) -> bool {
        self.root.profile() == Profile::Classic && self.damage() > 0
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

    fn first_turn(&self, state: &mut State, action: u32, sample: u32, dice: &mut Rng) {
        let foreseen = self.scenarios.of_sample(sample);
        if let Some(registers) = foreseen {
            state.registers = *registers;
        }
        state.fill(self.robot, &self.program(action));
        if foreseen.is_none() {
            self.policy.program_others(state, 1 << self.robot, self.hand, dice);
        }
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
    use crate::contests::roborally::bot::{
        Distances, Evaluation, NEVER, PowerDownPolicy, SCENARIO_CAP, Strategy, Weights,
    };
    use crate::contests::roborally::{Card, Course};
    use crate::search::flat::{ALL_SPENT, Arm, Options, Selection, search};
    use std::vec;

    fn hand(numbers: &[u8]) -> CardSet {
        numbers.iter().filter_map(|&number| Card::new(number)).collect()
    }

    fn decide<T>(cards: &[u8], space: ActionSpace, then: impl FnOnce(Option<ProgramGame<'_>>) -> T) -> T {
        let board = Course::named("checkmate").and_then(|course| course.board().ok()).expect("a course");
        let distances = Distances::new(&board);
        let evaluator = Evaluator::new(&board, &distances, Evaluation::Hodgepodge(Weights::PAPER));
        let policy = PlayoutPolicy {
            evaluator,
            strategy: Strategy::Random,
            power_down: PowerDownPolicy::USUAL,
            is_due: NEVER,
        };
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
            game.shorten(40, &mut Rng::new(1), || true);
            assert_eq!(game.actions(), 40);
            let mut listed: vec::Vec<i32> = (0..40).map(|action| alone(&game, action)).collect();
            listed.sort_unstable_by(|a, b| b.cmp(a));
            assert_eq!(listed, all[..40]);
        });
    }

    #[test]
    fn a_scan_that_is_cut_short_lists_the_best_of_what_it_tried() {
        decide(&EXAMPLE, ActionSpace::Raw, |game| {
            let mut game = game.expect("it programs");
            let mut asked = 0;
            game.shorten(64, &mut Rng::new(1), || {
                asked += 1;
                asked < 3
            });
            assert_eq!((asked, game.actions()), (3, 64));
            let best = game.best_alone(&mut Rng::new(2));
            let value = |program: &Program| game.policy.value_alone(&game.root, 1, program);
            assert!((0..64).all(|action| value(&game.program(action)) <= value(&best)));
        });
    }

    #[test]
    fn equal_samples_of_all_actions_meet_the_same_others() {
        decide(&EXAMPLE, ActionSpace::Classes, |game| {
            let mut game = game.expect("it programs");
            let mut left = 6;
            game.foresee(SCENARIO_CAP, &mut Rng::new(1), || {
                left -= 1;
                left > 0
            });
            let others = |action, sample| {
                let mut state = *game.root();
                state.registers = *game.scenarios.of_sample(sample).expect("a scenario");
                state.fill(1, &game.program(action));
                assert_eq!(state.check(game.evaluator.board()), Ok(()));
                let cards =
                    |robot| core::array::from_fn::<_, 5, _>(|register| state.register(robot, register));
                assert_eq!(cards(1).map(|card| card.map(|card| game.hand.contains(card))), [Some(true); 5]);
                [0, 2, 3].map(cards)
            };
            assert_eq!(others(3, 2), others(1249, 2));
            assert_eq!(others(3, 1), others(3, 6), "five scenarios");
            assert_ne!(others(3, 1), others(3, 2));
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
                game.first_turn(&mut state, action, 0, &mut dice);
                assert_eq!(state.check(game.evaluator.board()), Ok(()));
                assert!((0..=65_536).contains(&game.value(&state)));
            }
        });
    }

    #[test]
    fn the_search_finds_a_program_that_leads_ahead() {
        decide(&EXAMPLE, ActionSpace::Classes, |game| {
            let mut game = game.expect("it programs");
            game.shorten(16, &mut Rng::new(5), || true);
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
