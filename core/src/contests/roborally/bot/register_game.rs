//! Choice of a robot's program as a game for [`smitsimax`](crate::search::smitsimax): a tree for each robot, one node
//! for each register, so that programs with equal beginnings share their statistics. Not in the paper.
//!
//! The deciding robot's actions are the cards of its hand, one for each class of equivalent ones. What the others hold
//! is not known; their actions are kinds of cards, and a hand without the kind plays the one that does nearly the same.

use super::kinds::kind_of;
use super::playout_policy::Deck;
use super::program_game::ProgramGame;
use super::shortlist::SHORTLIST_CAP;
use crate::contests::roborally::numbering::Program;
use crate::contests::roborally::{Card, CardSet, REGISTERS, ROBOT_CAP, State};
use crate::list;
use crate::rng::Rng;
use crate::search::smitsimax::Simultaneous;
use heapless::Vec;

/// How the other robots play in the search.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Others {
    /// Each by a tree of its own; hands are dealt anew for each simulation.
    Trees,
    /// By programs drawn before the search, or by the playout policy without those.
    #[default]
    Policy,
}

/// Action of a robot in a register.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RegisterAction {
    /// A card of the deciding robot.
    Card(Card),
    /// A kind of card of another robot.
    Kind(u8),
}

/// Kinds of cards of the classic rules.
const PLAYED: usize = 7;

/// Kinds that a hand without a kind plays in its place, the nearest first: U-turn, left, right, back, one, two and three.
const NEAREST: [[u8; PLAYED]; PLAYED] = [
    [0, 1, 2, 3, 4, 5, 6],
    [1, 0, 2, 4, 3, 5, 6],
    [2, 0, 1, 4, 3, 5, 6],
    [3, 4, 0, 1, 2, 5, 6],
    [4, 5, 6, 3, 1, 2, 0],
    [5, 4, 6, 1, 2, 3, 0],
    [6, 5, 4, 1, 2, 3, 0],
];

/// State of a simulation: the race between two registers, and the cards that each robot has not played yet.
#[derive(Clone)]
pub struct RegisterWorld {
    state: State,
    hands: [CardSet; ROBOT_CAP],
    register: usize,
    dice: Rng,
}

/// The choice of one robot's program, register by register. See the [module](self).
#[derive(Clone)]
pub struct RegisterGame<'b> {
    decision: ProgramGame<'b>,
    others: Others,
    /// Turns of a simulation; those after the first are played by the policy.
    turns: u32,
    /// Unlocked registers of each robot that programs.
    free: [usize; ROBOT_CAP],
    /// The programs of the decision's shortlist, beyond which the deciding robot does not look; empty for none.
    programs: Vec<Program, SHORTLIST_CAP>,
}

impl<'b> RegisterGame<'b> {
    /// The choice of a decision's robot, among the programs of its shortlist if it has one. A simulation has this many
    /// turns, of which those after the first are played by the decision's policy.
    pub fn new(decision: ProgramGame<'b>, others: Others, turns: u32) -> RegisterGame<'b> {
        let root = &decision.root;
        let free =
            core::array::from_fn(
                |robot| {
                    if root.is_programming(robot) { root.free_registers(robot) } else { 0 }
                },
            );
        let listed = 0..decision.shortlist().len() as u32;
        let programs = list::first(listed.map(|action| decision.program(action)));
        RegisterGame { decision, others, turns, free, programs }
    }

    /// Actions of a simulation: its depth in the trees.
    pub const DEPTH: usize = REGISTERS;

    /// The root of all simulations.
    pub fn root(&self) -> RegisterWorld {
        let mut hands = [CardSet::EMPTY; ROBOT_CAP];
        if let Some(hand) = hands.get_mut(self.decision.robot) {
            *hand = self.decision.hand;
        }
        RegisterWorld { state: self.decision.root, hands, register: 0, dice: Rng::new(0) }
    }

    /// The program that begins with some actions of the deciding robot: with what follows them in the first program of
    /// the shortlist that begins so, or else with its smallest cards.
    pub fn program(&self, actions: impl Iterator<Item = RegisterAction>) -> Program {
        let cards = actions.filter_map(|action| match action {
            RegisterAction::Card(card) => Some(card),
            RegisterAction::Kind(_) => None,
        });
        let mut program: Program = list::first(cards.take(self.decision.registers));
        let listed = self.programs.iter().find(|listed| listed.starts_with(&program));
        if let Some(listed) = listed {
            return listed.clone();
        }
        let played = program.iter().copied().collect::<CardSet>();
        for card in self.decision.hand.minus(played) {
            if program.len() < self.decision.registers {
                // There is room: a program has as many cards as registers.
                let _ = program.push(card);
            }
        }
        program
    }

    /// The decision of which this is the search.
    pub fn decision(&self) -> &ProgramGame<'b> {
        &self.decision
    }

    /// The cards that the deciding robot has in its first registers.
    fn begun(&self, world: &RegisterWorld) -> Program {
        let registers = 0..world.register.min(self.decision.registers);
        list::first(registers.filter_map(|register| world.state.register(self.decision.robot, register)))
    }

    /// The cards of the deciding robot that may come next, one of each class.
    fn next_cards(&self, world: &RegisterWorld, add: &mut dyn FnMut(RegisterAction)) {
        let hand = world.hands.get(self.decision.robot).copied().unwrap_or(CardSet::EMPTY);
        if self.programs.is_empty() {
            for class in self.decision.classes.iter() {
                if let Some(&card) = class.iter().find(|&&card| hand.contains(card)) {
                    add(RegisterAction::Card(card));
                }
            }
            return;
        }
        let begun = self.begun(world);
        let mut seen = CardSet::EMPTY;
        for program in self.programs.iter().filter(|program| program.starts_with(&begun)) {
            if let Some(&card) = program.get(begun.len()).filter(|&&card| !seen.contains(card)) {
                seen = seen.with(card);
                add(RegisterAction::Card(card));
            }
        }
    }

    /// Deals the others hands out of the cards that nobody has seen.
    fn deal(&self, world: &mut RegisterWorld) {
        let seen = world.state.cards_in_registers().union(self.decision.hand);
        let mut deck = Deck::without(seen);
        for robot in (0..world.state.robots().min(ROBOT_CAP)).filter(|&robot| robot != self.decision.robot) {
            world.hands[robot] = deck.hand(world.state.hand_size(robot), &mut world.dice);
        }
    }
}

/// The card that a hand plays for an action; `None` from an empty hand.
fn played(hand: CardSet, action: RegisterAction) -> Option<Card> {
    match action {
        RegisterAction::Card(card) if hand.contains(card) => Some(card),
        RegisterAction::Card(_) => hand.last(),
        RegisterAction::Kind(kind) => {
            let order = NEAREST.get(kind as usize)?;
            let of_kind = |&kind: &u8| hand.iter().find(|&card| kind_of(card) == kind as usize);
            order.iter().find_map(of_kind)
        }
    }
}

impl Simultaneous<ROBOT_CAP> for RegisterGame<'_> {
    type World = RegisterWorld;
    type Action = RegisterAction;

    fn acts(&self, world: &RegisterWorld, robot: usize) -> bool {
        let searches = robot == self.decision.robot || self.others == Others::Trees;
        searches
            && self.free.get(robot).is_some_and(|&free| world.register < free)
            && world.state.is_programming(robot)
            && !world.state.is_over()
    }

    fn actions(&self, world: &RegisterWorld, robot: usize, add: &mut dyn FnMut(RegisterAction)) {
        if robot == self.decision.robot {
            self.next_cards(world, add);
        } else {
            (0..PLAYED as u8).for_each(|kind| add(RegisterAction::Kind(kind)));
        }
    }

    fn play(&self, world: &mut RegisterWorld, actions: &[Option<RegisterAction>; ROBOT_CAP]) {
        let board = self.decision.evaluator.board();
        for (robot, action) in actions.iter().enumerate() {
            let Some(card) = action.and_then(|action| played(world.hands[robot], action)) else { continue };
            world.hands[robot] = world.hands[robot].without(card);
            // The register exists: its robot acts.
            let _ = world.state.set_register(robot, world.register, Some(card));
        }
        world.state.run_register(board, world.register);
        world.register += 1;
        if world.register == REGISTERS {
            let policy = &self.decision.policy;
            policy.clean_up(&mut world.state);
            self.decision.play_on(&mut world.state, self.turns, &mut world.dice);
        }
    }

    fn score(&self, _root: &RegisterWorld, end: &RegisterWorld, robot: usize) -> i32 {
        let searches = robot == self.decision.robot || self.others == Others::Trees;
        if searches { self.decision.score(&end.state, robot) } else { 0 }
    }

    fn reseed(&self, world: &mut RegisterWorld, chance: u64) {
        world.dice = Rng::new(chance);
        if self.others == Others::Trees {
            self.deal(world);
        } else {
            let sample = world.dice.next_u64() as u32;
            if let Some(registers) = self.decision.scenarios.of_sample(sample) {
                world.state.registers = *registers;
            } else {
                let (own, kept) = (1 << self.decision.robot, self.decision.hand);
                self.decision.policy.program_others(&mut world.state, own, kept, &mut world.dice);
            }
        }
        self.decision.policy.announce(&mut world.state, 0);
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use crate::contests::roborally::bot::{
        ActionSpace, Distances, Evaluation, Evaluator, NEVER, PlayoutPolicy, PowerDownPolicy, Strategy,
        Weights,
    };
    use crate::contests::roborally::{Board, BoardBuilder, Direction, Profile};
    use crate::search::smitsimax::{Node, Settings, SmitsiMax};
    use std::vec;

    /// A floor on which the first robot wins by three cells ahead, a turn to the left and one cell.
    fn board() -> Board {
        let mut plan = BoardBuilder::new(12, 4).expect("small");
        plan.flag(3, 0).expect("inside");
        plan.dock(0, 1, Direction::East).expect("inside");
        plan.dock(11, 3, Direction::West).expect("inside");
        plan.finish().expect("a board")
    }

    /// U-turns, a turn to the left, a move of one cell and one of three.
    const HAND: [u8; 9] = [1, 2, 3, 4, 5, 6, 7, 49, 79];

    fn with_game<T>(others: Others, shortlist: usize, then: impl FnOnce(RegisterGame<'_>) -> T) -> T {
        let board = board();
        let distances = Distances::new(&board);
        let judge = Evaluator::new(&board, &distances, Evaluation::WinLoss);
        let evaluator = Evaluator::new(&board, &distances, Evaluation::Hodgepodge(Weights::PAPER));
        let (strategy, power_down) = (Strategy::Random, PowerDownPolicy::USUAL);
        let policy = PlayoutPolicy { evaluator, strategy, power_down, is_due: NEVER };
        let root = State::new(&board, Profile::Classic, 2, 3).expect("two docks");
        let hand = HAND.iter().filter_map(|&card| Card::new(card)).collect();
        let game = ProgramGame::new(policy, judge, root, 0, hand, ActionSpace::Classes);
        let mut game = game.expect("it programs");
        game.shorten(shortlist, &mut Rng::new(1), || true);
        then(RegisterGame::new(game, others, 1))
    }

    fn search(game: &RegisterGame<'_>, seed: u64) -> Program {
        let mut nodes = vec![Node::EMPTY; 1 << 16];
        let mut trees = SmitsiMax::new(&mut nodes, Settings::default(), seed);
        trees.run(game, &game.root(), RegisterGame::DEPTH, 3000);
        game.program(trees.line(0).map(|choice| choice.action))
    }

    #[test]
    fn the_program_that_wins_is_found() {
        for (others, shortlist) in [(Others::Trees, 0), (Others::Policy, 0), (Others::Trees, 64)] {
            with_game(others, shortlist, |game| {
                let program = search(&game, 7);
                assert_eq!(program, search(&game, 7), "equal seeds");
                let mut alone = game.decision.root;
                alone.fill(0, &program);
                alone.run_alone(game.decision.evaluator.board(), 0);
                assert_eq!(alone.winner(), Some(0), "{others:?} {program:?}");
            });
        }
    }

    #[test]
    fn hands_without_a_kind_play_another_card() {
        with_game(Others::Trees, 0, |game| {
            let mut dice = Rng::new(3);
            for _ in 0..300 {
                let mut world = game.root();
                game.reseed(&mut world, dice.next_u64());
                let mut known = world.hands[0].union(world.hands[1]).len();
                for _ in 0..RegisterGame::DEPTH {
                    let mut own = None;
                    game.actions(&world, 0, &mut |action| own = Some(action));
                    let kind = RegisterAction::Kind(dice.below(PLAYED as u32) as u8);
                    let mut actions = [None; ROBOT_CAP];
                    actions[..2].copy_from_slice(&[own, Some(kind)]);
                    game.play(&mut world, &actions);
                    known -= 2;
                    assert_eq!(world.hands[0].union(world.hands[1]).len(), known);
                }
                assert_eq!(world.state.check(game.decision.evaluator.board()), Ok(()));
            }
        });
        assert_eq!(played(CardSet::EMPTY, RegisterAction::Kind(3)), None);
        let hand = |cards: &[u8]| cards.iter().filter_map(|&card| Card::new(card)).collect::<CardSet>();
        assert_eq!(played(hand(&[8, 50, 70]), RegisterAction::Kind(6)), Card::new(70));
        assert_eq!(played(hand(&[1, 8]), RegisterAction::Card(Card::LAST_TURN)), Card::new(8));
    }

    #[test]
    fn a_shortlist_is_all_that_is_searched() {
        with_game(Others::Policy, 12, |game| {
            let listed: vec::Vec<Program> = (0..12).map(|action| game.decision.program(action)).collect();
            let mut dice = Rng::new(5);
            for _ in 0..50 {
                let mut world = game.root();
                let mut actions = vec![];
                for _ in 0..RegisterGame::DEPTH {
                    let mut next = vec![];
                    game.actions(&world, 0, &mut |action| next.push(action));
                    let action = next[dice.below(next.len() as u32) as usize];
                    actions.push(action);
                    let mut all = [None; ROBOT_CAP];
                    all[0] = Some(action);
                    game.play(&mut world, &all);
                }
                let program = game.program(actions.iter().copied());
                assert!(listed.contains(&program), "{program:?}");
                let begun = game.program(actions.iter().copied().take(2));
                assert!(listed.contains(&begun) && begun[..2] == program[..2]);
            }
        });
    }
}
