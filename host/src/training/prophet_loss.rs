//! Death Prophet in training: its logits, and the loss of its marginal predictions.

use barrow_nnue::format::Block;
use barrow_nnue::nets::prophet::PredictionKind;

use super::backprop::BoardPass;
use super::params::Params;
use super::piece_outcomes::PieceFate;
use super::samples::ProphetSample;
use super::vector::{add_scaled, cross_entropy, dot, sigmoid};

/// Weight of the loss of a Death Prophet output relative to the win loss.
pub(super) const PROPHET_WEIGHT: f32 = 0.06;

/// Outputs of Death Prophet that a piece has, each with its target, 0 to 1.
pub(super) fn fates(fate: PieceFate) -> impl Iterator<Item = (PredictionKind, f32)> {
    let (first, second) = match fate {
        PieceFate::Enemy { killed, unsummoned } => {
            ((PredictionKind::Killed, killed), Some((PredictionKind::Unsummoned, unsummoned)))
        }
        PieceFate::Friend { passive } => ((PredictionKind::Passive, passive), None),
    };
    std::iter::once(first).chain(second)
}

/// Logit of Death Prophet for a fate of a piece.
pub(super) fn prophet_logit(
    params: &Params,
    board_layer: &[f32],
    sample: &ProphetSample,
    fate: PredictionKind,
) -> f32 {
    let rows = sample.contexts.rows(fate).map(usize::from);
    let bias = params.block(Block::ProphetBias);
    rows.into_iter().map(|row| bias[row] + dot(board_layer, params.row(Block::Prophet, row))).sum()
}

/// Loss of Death Prophet on a piece.
pub(super) fn loss(
    pass: &mut BoardPass,
    params: &Params,
    gradient: &mut Params,
    sample: &ProphetSample,
) -> f32 {
    let mut loss = 0.0;
    for (fate, target) in fates(sample.fate) {
        let logit = prophet_logit(params, &pass.board_layer, sample, fate);
        loss += PROPHET_WEIGHT * cross_entropy(logit, target);
        let d = PROPHET_WEIGHT * (sigmoid(logit) - target);
        for row in sample.contexts.rows(fate).map(usize::from) {
            gradient.block_mut(Block::ProphetBias)[row] += d;
            add_scaled(gradient.row_mut(Block::Prophet, row), d, &pass.board_layer);
            add_scaled(&mut pass.d_board_layer, d, params.row(Block::Prophet, row));
        }
    }
    loss
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fate_says_as_much_as_it_should() {
        use crate::training::piece_outcomes::PieceOutcome;

        let of = |outcome: PieceOutcome| fates(outcome.into()).collect::<Vec<_>>();
        assert_eq!(
            of(PieceOutcome::Killed),
            [(PredictionKind::Killed, 1.0), (PredictionKind::Unsummoned, 0.0)]
        );
        assert_eq!(of(PieceOutcome::Passive), [(PredictionKind::Passive, 1.0)]);
        assert!(of(PieceOutcome::Stayed).iter().all(|&(_, target)| target == 0.0));
    }
}
