//! Plan of a batch for the layers that Oracle reads: which rows are added to which sums, and Oracle's targets.

use barrow_core::search::value::KNOTS;
use barrow_nnue::format::Block;
use barrow_nnue::shape::ORACLE_ROWS;

use super::lists::{Lists, Sums};
use crate::training::losses::{
    CONTRIBUTION_WEIGHT, CURVE, CURVE_WEIGHT, ERROR_WEIGHT, POINTS_WEIGHT, win_target,
};
use crate::training::params::NetworkShape;
use crate::training::samples::{BoardSample, PositionSample, Samples};

/// Additions of the rows of a table to sums, and of the sums' gradients to rows.
pub(super) struct TablePlan {
    /// Rows of each sum.
    pub(super) forward: Sums,
    /// Sums of each row.
    pub(super) backward: Sums,
    /// 1 for a row that occurs in the batch, else 0.
    pub(super) used: Vec<f32>,
}

impl TablePlan {
    fn new(lists: &Lists, rows: usize) -> TablePlan {
        let inverse = lists.inverse(rows);
        TablePlan { forward: Sums::new(lists), backward: Sums::new(&inverse), used: inverse.used() }
    }
}

/// Targets of Oracle and the weights of its losses, board by board.
#[derive(Default)]
pub(super) struct OracleTargets {
    /// Targets of all outputs but the error's.
    pub(super) targets: Vec<f32>,
    /// Weights of the losses that are cross entropies.
    pub(super) chances: Vec<f32>,
    /// Weights of the losses that are squared errors.
    pub(super) squares: Vec<f32>,
    /// Later win chances, which the error is measured against.
    pub(super) later: Vec<f32>,
    /// Weights of the losses of the error.
    pub(super) errors: Vec<f32>,
}

/// Plan of a batch.
pub(super) struct TrunkPlan {
    /// Number of boards.
    pub(super) boards: usize,
    /// Number of positions.
    pub(super) positions: usize,
    /// Rows of the lanes of each board, in the perspective of the side to move and then of the opponent.
    pub(super) wide: TablePlan,
    pub(super) narrow: TablePlan,
    /// Rows of the global sums of each position, likewise.
    pub(super) global: TablePlan,
    /// Position of each board.
    pub(super) position_of: Vec<i32>,
    /// Boards of each position.
    pub(super) boards_of: Sums,
    pub(super) oracle: OracleTargets,
}

impl TrunkPlan {
    /// Plan for these positions.
    pub(super) fn new(samples: &Samples, picked: &[&PositionSample], shape: &NetworkShape) -> TrunkPlan {
        let [mut wide, mut narrow, mut global, mut boards_of] =
            [const { None }; 4].map(|list: Option<Lists>| list.unwrap_or_default());
        let (mut position_of, mut oracle) = (Vec::new(), OracleTargets::default());
        let rows =
            |span: crate::training::span::Span| span.of(&samples.rows).iter().map(|&row| usize::from(row));
        for (position, sample) in picked.iter().enumerate() {
            let boards = sample.boards.of(&samples.boards);
            boards_of.push(position_of.len()..position_of.len() + boards.len());
            for board in boards {
                position_of.push(position as i32);
                board.wide.into_iter().for_each(|span| wide.push(rows(span)));
                board.narrow.into_iter().for_each(|span| narrow.push(rows(span)));
                oracle.add(sample, board, boards.len(), 1.0 / picked.len() as f32);
            }
            sample.global.into_iter().for_each(|span| global.push(rows(span)));
        }
        let table = |lists: &Lists, block| TablePlan::new(lists, shape.block(block).0);
        TrunkPlan {
            boards: position_of.len(),
            positions: picked.len(),
            wide: table(&wide, Block::Wide),
            narrow: table(&narrow, Block::Narrow),
            global: table(&global, Block::Global),
            position_of,
            boards_of: Sums::new(&boards_of),
            oracle,
        }
    }
}

impl OracleTargets {
    /// Adds a board of a position with so many boards; `scale` is the weight of a position.
    fn add(&mut self, sample: &PositionSample, board: &BoardSample, boards: usize, scale: f32) {
        let share = scale / boards as f32;
        let [mut targets, mut chances, mut squares] = [[0.0; ORACLE_ROWS]; 3];
        (targets[0], chances[0]) = (win_target(sample), share);
        (targets[1], squares[1]) = (sample.points, share * POINTS_WEIGHT);
        if let Some(ours) = board.next_point {
            (targets[3], chances[3]) = (f32::from(u8::from(ours)), scale * CONTRIBUTION_WEIGHT);
        }
        if let Some(curve) = board.curve {
            targets[CURVE..CURVE + KNOTS.len()].copy_from_slice(&curve);
            squares[CURVE..CURVE + KNOTS.len()].fill(scale * CURVE_WEIGHT);
        }
        self.targets.extend(targets);
        self.chances.extend(chances);
        self.squares.extend(squares);
        self.later.push(sample.later);
        self.errors.push(share * ERROR_WEIGHT);
    }
}
