//! A differential test of accumulators: along a path of actions the sums of a board are updated step by step, on demand
//! and as candidates of one parent, and compared with sums of all active rows added one by one.

use barrow_core::hex::HexSet;
use barrow_core::minions::{Action, Board, Change, Game, MapLabel, Side, UndoLog};
use barrow_nnue::accumulator::{
    BoardAccumulator, Delta, Frame, GlobalAccumulator, GlobalDelta, NeedsRefresh, Stack, touched_by_all,
};
use barrow_nnue::features::Stage;
use barrow_nnue::layout::{Row, board_rows, global_rows};
use barrow_nnue::shape::{GLOBAL, Profile};

use crate::weights::Weights;
use barrow_testing::generators::actions::{Step, step};
use barrow_testing::generators::choices::Choices;

/// Length of the longest path, in actions.
const ACTIONS: usize = 12;

/// The test of one board on a path of actions. `ROWS` is the capacity of a delta.
pub struct AccumulatorTest<'a, P: Profile, const ROWS: usize> {
    weights: &'a Weights<P>,
    game: Game,
    board: usize,
    stage: Stage,
    /// Hexes that the actions since the start of the path may have changed.
    touched: HexSet,
    /// Number of legal actions.
    pub actions: usize,
    /// Number of changes that exceeded the capacity of a delta.
    pub overflows: usize,
}

impl<'a, P: Profile, const ROWS: usize> AccumulatorTest<'a, P, ROWS> {
    /// Chooses a board of a position to test.
    pub fn new(weights: &'a Weights<P>, game: &Game, choices: &mut Choices<'_>) -> Self {
        let board = choices.below(game.config().num_boards());
        let (game, stage) = (game.clone(), Stage::TurnStart);
        AccumulatorTest { weights, game, board, stage, touched: HexSet::EMPTY, actions: 0, overflows: 0 }
    }

    fn map(&self) -> MapLabel {
        self.game.config().maps()[self.board]
    }

    fn present(&self) -> &Board {
        &self.game.state().boards()[self.board]
    }

    /// Computes the sums of the board from all active rows.
    fn expected(&self, side: Side) -> P::Lanes {
        let tables = self.weights.tables();
        let mut lanes = P::ZERO;
        lanes.as_mut().copy_from_slice(tables.bias);
        board_rows::<P::Layout>(self.map(), self.present(), self.stage, side, |row| {
            let (table, row, length) = match row {
                Row::Wide(row) => (tables.wide, usize::from(row), P::L1),
                Row::Narrow(row) => (tables.narrow, usize::from(row), P::NARROW),
            };
            for (sum, &weight) in lanes.as_mut().iter_mut().zip(&table[row * length..][..length]) {
                *sum = (i32::from(*sum) + weight.into()) as i16;
            }
        });
        lanes
    }

    /// Computes the sums of the general from all active rows.
    fn expected_general(&self, side: Side) -> [i16; GLOBAL] {
        let table = self.weights.general();
        let mut lanes = [0; GLOBAL];
        lanes.copy_from_slice(table.bias);
        global_rows::<P::Layout>(&self.game, side, |row| {
            for (sum, &weight) in lanes.iter_mut().zip(&table.rows[usize::from(row) * GLOBAL..][..GLOBAL]) {
                *sum = (i32::from(*sum) + weight.into()) as i16;
            }
        });
        lanes
    }

    /// Plays a path of actions, undoes it, and sometimes ends the turn. Panics if sums differ on the way. `memory` holds the
    /// undo log.
    pub fn run(&mut self, choices: &mut Choices<'_>, memory: &mut [Change]) {
        let weights = self.weights;
        let tables = weights.tables();
        let mut frames = vec![Frame::<P, ROWS>::EMPTY; ACTIONS + 1];
        let mut stack = Stack::new(&mut frames).unwrap();
        let mut sums = BoardAccumulator::of(&tables, self.map(), self.present(), self.stage);
        let (root, start) = (sums, self.present().clone());
        let mut general = GlobalAccumulator::of(&weights.general(), &self.game);
        let mut log = UndoLog::new(memory);
        let mut path = vec![(log.mark(), self.stage)];
        while path.len() <= ACTIONS && !choices.is_empty() {
            let mark = log.mark();
            let Some(delta) = self.step(choices, &mut general, &mut log) else { continue };
            let parent = sums;
            if sums.apply(&tables, &delta) == Err(NeedsRefresh) {
                self.overflows += 1;
                sums.refresh(&tables, self.map(), self.present(), self.stage);
            } else {
                // A candidate of the same parent, in memory of its own.
                let candidate = BoardAccumulator::from_parent(&tables, &parent, &delta).unwrap();
                assert!(candidate == sums);
            }
            stack.push(&delta).unwrap();
            path.push((mark, self.stage));
            if choices.chance(4) {
                self.compare(&mut stack, &sums, choices);
            }
            // Some steps are undone before the path goes on.
            if choices.chance(3) {
                let (mark, _) = path.pop().unwrap();
                self.game.undo(mark, &mut log);
                stack.pop();
                self.stage = path.last().unwrap().1;
                sums = parent;
                general.refresh(&weights.general(), &self.game);
            }
        }
        self.compare(&mut stack, &sums, choices);
        // The whole path as one candidate.
        let (before, after) = ((&start, Stage::TurnStart), (self.present(), self.stage));
        let delta: Delta<P::Layout, 255> = Delta::between(self.map(), before, after, self.touched);
        if let Ok(candidate) = BoardAccumulator::from_parent(&tables, &root, &delta) {
            assert!(candidate == sums, "updated in one go");
        }
        while path.len() > 1 {
            let (mark, _) = path.pop().unwrap();
            self.game.undo(mark, &mut log);
            assert!(stack.pop());
            self.stage = path.last().unwrap().1;
            if choices.chance(4) || path.len() == 1 {
                sums.refresh(&tables, self.map(), self.present(), self.stage);
                self.compare(&mut stack, &sums, choices);
            }
        }
        if choices.chance(1) {
            self.end_turn(sums);
        }
    }

    /// Plays one step and returns the rows that it changed; `None` if the generated step is illegal.
    fn step(
        &mut self,
        choices: &mut Choices<'_>,
        general: &mut GlobalAccumulator,
        log: &mut UndoLog<'_>,
    ) -> Option<Delta<P::Layout, ROWS>> {
        let step = step(choices, &self.game);
        let whole = choices.chance(2).then(|| self.game.clone());
        let before = self.present().clone();
        let hexes = match &step {
            Step::General(action) => {
                let before = self.game.clone();
                self.game.apply(Action::General(*action), log).ok()?;
                self.update_general(&before, general);
                HexSet::EMPTY
            }
            Step::Board(board, actions) => {
                let used = self.game.apply_next(*board, actions, log).ok()?;
                if let Some(before) = whole {
                    self.update_general(&before, general);
                } else {
                    general.refresh(&self.weights.general(), &self.game);
                }
                if usize::from(*board) == self.board {
                    touched_by_all(&actions[..used])
                } else {
                    HexSet::EMPTY
                }
            }
        };
        self.actions += 1;
        self.touched |= hexes;
        let stage = self.stage;
        if choices.chance(2) {
            self.stage = [Stage::AfterAttack, Stage::AfterSpawn, Stage::TurnStart][choices.below(3)];
        }
        let delta = Delta::between(self.map(), (&before, stage), (self.present(), self.stage), hexes);
        if choices.chance(4) {
            let all = Delta::between(self.map(), (&before, stage), (self.present(), self.stage), HexSet::ALL);
            assert!(delta == all, "{step:?} changes other hexes than {hexes:?}");
        }
        Some(delta)
    }

    /// Updates the sums of the general from the position before, and compares them.
    fn update_general(&self, before: &Game, general: &mut GlobalAccumulator) {
        let delta: GlobalDelta<P::Layout> = GlobalDelta::between(before, &self.game);
        general.apply(&self.weights.general(), &delta).expect("an action changes few rows");
        for side in Side::ALL {
            assert_eq!(general.lanes(side), &self.expected_general(side));
        }
        assert!(*general == GlobalAccumulator::of(&self.weights.general(), &self.game));
    }

    /// Compares the sums of the board with those of all active rows.
    fn compare(&self, stack: &mut Stack<'_, P, ROWS>, sums: &BoardAccumulator<P>, choices: &mut Choices<'_>) {
        let tables = self.weights.tables();
        let sides = if choices.chance(8) { [Side::Blue, Side::Yellow] } else { Side::ALL };
        for side in sides {
            let expected = self.expected(side);
            assert!(*sums.lanes(side) == expected, "updated step by step");
            // Often only one perspective is computed, so that the other one of this position is missing later.
            let lanes = stack.lanes(&tables, self.map(), self.present(), self.stage, side);
            assert!(*lanes == expected, "updated on demand");
            if choices.chance(6) {
                return;
            }
        }
        assert!(stack.accumulator(&tables, self.map(), self.present(), self.stage) == sums);
    }

    /// Ends the turn, the largest change, and compares the updated sums.
    fn end_turn(&mut self, mut sums: BoardAccumulator<P>) {
        let (before, stage) = (self.game.clone(), self.stage);
        if self.game.end_turn().is_err() {
            return;
        }
        self.stage = Stage::TurnStart;
        let tables = self.weights.tables();
        let old = &before.state().boards()[self.board];
        let now = (self.present(), self.stage);
        let delta: Delta<P::Layout, 255> = Delta::between(self.map(), (old, stage), now, HexSet::ALL);
        if sums.apply(&tables, &delta).is_ok() {
            for side in Side::ALL {
                assert!(*sums.lanes(side) == self.expected(side));
            }
        }
        let mut general = GlobalAccumulator::of(&self.weights.general(), &before);
        let delta: GlobalDelta<P::Layout, 200> = GlobalDelta::between(&before, &self.game);
        if general.apply(&self.weights.general(), &delta).is_ok() {
            for side in Side::ALL {
                assert_eq!(general.lanes(side), &self.expected_general(side));
            }
        }
    }
}
