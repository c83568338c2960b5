//! A differential test of accumulators: along a path of actions the sums of a board are updated step by step and
//! as candidates of one parent, and compared with sums of all active rows added one by one.

use barrow_core::minions::{Action, Board, Change, Game, MapLabel, Side, UndoLog};
use barrow_nnue::accumulator::{BoardAccumulator, Delta, GlobalAccumulator, NeedsRefresh};
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
        AccumulatorTest { weights, game, board, stage, actions: 0, overflows: 0 }
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
        let mut sums = BoardAccumulator::of(&tables, self.map(), self.present(), self.stage);
        let (root, start) = (sums, self.present().clone());
        let mut log = UndoLog::new(memory);
        let mut path = vec![(log.mark(), self.stage)];
        while path.len() <= ACTIONS && !choices.is_empty() {
            let mark = log.mark();
            let Some(delta) = self.step(choices, &mut log) else { continue };
            let parent = sums;
            if sums.apply(&tables, &delta) == Err(NeedsRefresh) {
                self.overflows += 1;
                sums.refresh(&tables, self.map(), self.present(), self.stage);
            } else {
                // A candidate of the same parent, in memory of its own.
                let candidate = BoardAccumulator::from_parent(&tables, &parent, &delta).unwrap();
                assert!(candidate == sums);
            }
            path.push((mark, self.stage));
            if choices.chance(4) {
                self.compare(&sums);
            }
            // Some steps are undone before the path goes on.
            if choices.chance(3) {
                let (mark, _) = path.pop().unwrap();
                self.game.undo(mark, &mut log);
                self.stage = path.last().unwrap().1;
                sums = parent;
                self.compare_general();
            }
        }
        self.compare(&sums);
        // The whole path as one candidate.
        let (before, after) = ((&start, Stage::TurnStart), (self.present(), self.stage));
        let delta: Delta<P::Layout, 255> = Delta::between(self.map(), before, after);
        if let Ok(candidate) = BoardAccumulator::from_parent(&tables, &root, &delta) {
            assert!(candidate == sums, "updated in one go");
        }
        while path.len() > 1 {
            let (mark, _) = path.pop().unwrap();
            self.game.undo(mark, &mut log);
            self.stage = path.last().unwrap().1;
            if choices.chance(4) || path.len() == 1 {
                sums.refresh(&tables, self.map(), self.present(), self.stage);
                self.compare(&sums);
            }
        }
        if choices.chance(1) {
            self.end_turn(sums);
        }
    }

    /// Plays one step and returns the delta of the board; `None` if the generated step is illegal.
    fn step(&mut self, choices: &mut Choices<'_>, log: &mut UndoLog<'_>) -> Option<Delta<P::Layout, ROWS>> {
        let step = step(choices, &self.game);
        let before = self.present().clone();
        match &step {
            Step::General(action) => self.game.apply(Action::General(*action), log).ok()?,
            Step::Board(board, actions) => {
                self.game.apply_next(*board, actions, log).ok()?;
            }
        }
        self.actions += 1;
        if choices.chance(4) || matches!(step, Step::General(_)) {
            self.compare_general();
        }
        let stage = self.stage;
        if choices.chance(2) {
            self.stage = [Stage::AfterAttack, Stage::AfterSpawn, Stage::TurnStart][choices.below(3)];
        }
        Some(Delta::between(self.map(), (&before, stage), (self.present(), self.stage)))
    }

    fn compare_general(&self) {
        let general = GlobalAccumulator::of(&self.weights.general(), &self.game);
        for side in Side::ALL {
            assert_eq!(general.lanes(side), &self.expected_general(side));
        }
    }

    fn compare(&self, sums: &BoardAccumulator<P>) {
        for side in Side::ALL {
            assert!(*sums.lanes(side) == self.expected(side), "updated step by step");
        }
    }

    /// Updates the sums through the end of a turn, the largest change.
    fn end_turn(&mut self, mut sums: BoardAccumulator<P>) {
        let (before, stage) = (self.game.clone(), self.stage);
        if self.game.end_turn().is_err() {
            return;
        }
        self.stage = Stage::TurnStart;
        let tables = self.weights.tables();
        let old = &before.state().boards()[self.board];
        let now = (self.present(), self.stage);
        let delta: Delta<P::Layout, 255> = Delta::between(self.map(), (old, stage), now);
        if sums.apply(&tables, &delta).is_ok() {
            for side in Side::ALL {
                assert!(*sums.lanes(side) == self.expected(side));
            }
        }
        self.compare_general();
    }
}
