//! Choice of a robot's program as a game for [`smitsimax`](crate::search::smitsimax) with a tree for each robot whose
//! actions are whole programs. Not in the paper.
//!
//! The deciding robot's actions are those of its decision, a shortlist by default; those of another robot are programs
//! that were foreseen for it, each the best one of a hand that it may hold. Without foreseen programs the others play by
//! the policy.

use super::program_game::ProgramGame;
use super::register_game::Others;
use crate::contests::roborally::{ROBOT_CAP, State};
use crate::rng::Rng;
use crate::search::flat::FlatGame;
use crate::search::smitsimax::Simultaneous;

/// Most programs of a tree of another robot.
const MOST_FORESEEN: u32 = 64;

/// State of a simulation.
#[derive(Clone)]
pub struct WholeWorld {
    state: State,
    /// Which of the foreseen programs robots without a tree play.
    sample: u32,
    dice: Rng,
}

/// The choice of one robot's program as a whole. See the [module](self).
#[derive(Clone)]
pub struct WholeGame<'b> {
    decision: ProgramGame<'b>,
    others: Others,
    turns: u32,
}

impl<'b> WholeGame<'b> {
    /// The choice of a decision's robot. A simulation has this many turns, of which those after the first are played by
    /// the decision's policy.
    pub const fn new(decision: ProgramGame<'b>, others: Others, turns: u32) -> WholeGame<'b> {
        WholeGame { decision, others, turns }
    }

    /// Actions of a simulation: its depth in the trees.
    pub const DEPTH: usize = 1;

    /// The root of all simulations.
    pub fn root(&self) -> WholeWorld {
        WholeWorld { state: self.decision.root, sample: 0, dice: Rng::new(0) }
    }

    /// The decision of which this is the search.
    pub const fn decision(&self) -> &ProgramGame<'b> {
        &self.decision
    }

    /// Whether a robot has a tree.
    fn searches(&self, robot: usize) -> bool {
        robot == self.decision.robot || self.others == Others::Trees && !self.decision.scenarios.is_empty()
    }
}

impl Simultaneous<ROBOT_CAP> for WholeGame<'_> {
    type World = WholeWorld;
    type Action = u16;

    fn acts(&self, world: &WholeWorld, robot: usize) -> bool {
        self.searches(robot) && world.state.is_programming(robot) && world.state.hand_size(robot) > 0
    }

    fn actions(&self, _world: &WholeWorld, robot: usize, add: &mut dyn FnMut(u16)) {
        let count = if robot == self.decision.robot {
            self.decision.actions()
        } else {
            MOST_FORESEEN.min(self.decision.scenarios.len() as u32)
        };
        (0..u16::try_from(count).unwrap_or(u16::MAX)).for_each(add);
    }

    fn play(&self, world: &mut WholeWorld, actions: &[Option<u16>; ROBOT_CAP]) {
        let decision = &self.decision;
        if let Some(foreseen) = decision.scenarios.of_sample(world.sample) {
            world.state.registers = *foreseen;
        }
        for (robot, action) in actions.iter().enumerate().filter(|&(robot, _)| robot != decision.robot) {
            let foreseen = action.and_then(|action| decision.scenarios.of_sample(u32::from(action)));
            for (register, row) in foreseen.iter().flat_map(|foreseen| foreseen.iter().enumerate()) {
                world.state.registers[register][robot] = row[robot];
            }
        }
        let own = actions[decision.robot & (ROBOT_CAP - 1)].unwrap_or(0);
        world.state.fill(decision.robot, &decision.program(u32::from(own)));
        if decision.scenarios.is_empty() {
            let served = 1 << decision.robot;
            decision.policy.program_others(&mut world.state, served, decision.hand, &mut world.dice);
        }
        decision.policy.finish_turn(&mut world.state, 0);
        decision.play_on(&mut world.state, self.turns, &mut world.dice);
    }

    fn score(&self, _root: &WholeWorld, end: &WholeWorld, robot: usize) -> i32 {
        if self.searches(robot) { self.decision.score(&end.state, robot) } else { 0 }
    }

    fn reseed(&self, world: &mut WholeWorld, chance: u64) {
        world.dice = Rng::new(chance);
        world.sample = world.dice.next_u64() as u32;
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
    use crate::contests::roborally::{BoardBuilder, Card, CardSet, Direction, Profile};
    use crate::search::smitsimax::{Node, Settings, SmitsiMax};
    use std::vec;

    #[test]
    fn the_program_that_wins_is_found() {
        let mut plan = BoardBuilder::new(12, 4).expect("small");
        plan.flag(3, 0).expect("inside");
        plan.dock(0, 1, Direction::East).expect("inside");
        plan.dock(11, 3, Direction::West).expect("inside");
        let board = plan.finish().expect("a board");
        let distances = Distances::new(&board);
        let judge = Evaluator::new(&board, &distances, Evaluation::WinLoss);
        let evaluator = Evaluator::new(&board, &distances, Evaluation::Hodgepodge(Weights::PAPER));
        let (strategy, power_down) = (Strategy::Random, PowerDownPolicy::USUAL);
        let policy = PlayoutPolicy { evaluator, strategy, power_down, is_due: NEVER };
        let root = State::new(&board, Profile::Classic, 2, 3).expect("two docks");
        // U-turns, a turn to the left, a move of one cell and one of three.
        let hand: CardSet = [1, 2, 3, 4, 5, 6, 7, 49, 79].into_iter().filter_map(Card::new).collect();
        for (others, focus, foreseen) in
            [(Others::Policy, 0, 0), (Others::Trees, 64, 20), (Others::Policy, 64, 20)]
        {
            let game = ProgramGame::new(policy, judge, root, 0, hand, ActionSpace::Classes);
            let mut game = game.expect("it programs");
            game.shorten(focus, &mut Rng::new(1), || true);
            game.foresee(foreseen, &mut Rng::new(2), || true);
            let game = WholeGame::new(game, others, 1);
            let mut nodes = vec![Node::EMPTY; 1 << 14];
            let mut trees = SmitsiMax::<_, ROBOT_CAP>::new(&mut nodes, Settings::default(), 7);
            trees.run(&game, &game.root(), WholeGame::DEPTH, 12_000);
            assert!(!trees.is_full());
            let best = trees.best(0).expect("simulations");
            let mut alone = game.decision.root;
            alone.fill(0, &game.decision.program(u32::from(best.action)));
            alone.run_alone(&board, 0);
            assert_eq!(alone.winner(), Some(0), "{others:?}");
            let tried: u32 = trees.choices(1).map(|choice| choice.visits).sum();
            assert_eq!(tried > 0, others == Others::Trees);
            let mut lines = 0;
            trees.each_line(0, |line, last| {
                assert!(line.len() == 1 && last.visits > 0);
                lines += 1;
            });
            assert_eq!(lines, trees.choices(0).filter(|choice| choice.visits > 0).count());
        }
    }
}
