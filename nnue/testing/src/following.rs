//! One board's sums along a path of actions, kept in every way there is, and compared with a refresh that is written
//! out plainly.

use barrow_core::hex::HexSet;
use barrow_core::minions::{Action, Board, Change, Game, MapLabel, Side, UndoLog};
use barrow_nnue::accumulator::{
    BoardAccumulator, Delta, Frame, GlobalAccumulator, GlobalDelta, NeedsRefresh, Stack, touched_by_all,
};
use barrow_nnue::features::Stage;
use barrow_nnue::layout::{Row, board_rows, global_rows};
use barrow_nnue::shape::{GLOBAL, Profile};

use crate::weights::Weights;
use barrow_testing::generators::actions::{Deed, deed};
use barrow_testing::generators::choices::Choices;

/// Longest path.
const ACTIONS: usize = 12;

pub struct Follower<'a, P: Profile, const ROWS: usize> {
    weights: &'a Weights<P>,
    game: Game,
    board: usize,
    stage: Stage,
    /// Hexes that any action since the beginning of the path may have changed.
    touched: HexSet,
    /// Actions that were legal.
    pub actions: usize,
    /// Changes that a delta could not list.
    pub overflows: usize,
}

impl<'a, P: Profile, const ROWS: usize> Follower<'a, P, ROWS> {
    pub fn new(weights: &'a Weights<P>, game: &Game, choices: &mut Choices<'_>) -> Self {
        let board = choices.below(game.config().num_boards());
        let (game, stage) = (game.clone(), Stage::TurnStart);
        Follower { weights, game, board, stage, touched: HexSet::EMPTY, actions: 0, overflows: 0 }
    }

    fn map(&self) -> MapLabel {
        self.game.config().maps()[self.board]
    }

    fn present(&self) -> &Board {
        &self.game.state().boards()[self.board]
    }

    /// What the sums must be: rows added one by one.
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

    /// Takes the position along a path, then back, then through the end of a turn.
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
            // Some steps are taken back before the path goes on.
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
            assert!(candidate == sums, "followed in one go");
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

    /// Plays one legal action, if the choices lead to one, and returns what it changed.
    fn step(
        &mut self,
        choices: &mut Choices<'_>,
        general: &mut GlobalAccumulator,
        log: &mut UndoLog<'_>,
    ) -> Option<Delta<P::Layout, ROWS>> {
        let deed = deed(choices, &self.game);
        let whole = choices.chance(2).then(|| self.game.clone());
        let before = self.present().clone();
        let hexes = match &deed {
            Deed::General(action) => {
                let before = self.game.clone();
                self.game.apply(Action::General(*action), log).ok()?;
                self.follow_general(&before, general);
                HexSet::EMPTY
            }
            Deed::Board(board, actions) => {
                let used = self.game.apply_next(*board, actions, log).ok()?;
                if let Some(before) = whole {
                    self.follow_general(&before, general);
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
            assert!(delta == all, "{deed:?} changes other hexes than {hexes:?}");
        }
        Some(delta)
    }

    fn follow_general(&self, before: &Game, general: &mut GlobalAccumulator) {
        let delta: GlobalDelta<P::Layout> = GlobalDelta::between(before, &self.game);
        general.apply(&self.weights.general(), &delta).expect("an action changes few rows");
        for side in Side::ALL {
            assert_eq!(general.lanes(side), &self.expected_general(side));
        }
        assert!(*general == GlobalAccumulator::of(&self.weights.general(), &self.game));
    }

    fn compare(&self, stack: &mut Stack<'_, P, ROWS>, sums: &BoardAccumulator<P>, choices: &mut Choices<'_>) {
        let tables = self.weights.tables();
        let sides = if choices.chance(8) { [Side::Blue, Side::Yellow] } else { Side::ALL };
        for side in sides {
            let expected = self.expected(side);
            assert!(*sums.lanes(side) == expected, "followed step by step");
            // Often only one perspective of a position is asked for, so that positions are half known.
            let lanes = stack.lanes(&tables, self.map(), self.present(), self.stage, side);
            assert!(*lanes == expected, "followed on demand");
            if choices.chance(6) {
                return;
            }
        }
        assert!(stack.accumulator(&tables, self.map(), self.present(), self.stage) == sums);
    }

    /// The largest change there is, looked at on all hexes.
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
