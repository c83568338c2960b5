//! Modes of Death Prophet: the loss of a mixture of attacks (C. Bishop, "Mixture density networks", 1994).
//!
//! A mode gives every piece a chance of its own for each fate, and a share of the attacks to itself. The likelihood of
//! an attack is the mean over the modes, by their shares, of the product of the chances of what happened to the pieces.
//! The loss of a board is the negative logarithm of that, averaged over the attacks by their visits.

use barrow_nnue::format::Block;
use barrow_nnue::nets::prophet::PredictionKind;
use barrow_nnue::shape::{UNITS, mode_rows};

use super::backprop::BoardPass;
use super::params::Params;
use super::prophet_loss::{PROPHET_WEIGHT, fates, prophet_logit};
use super::samples::{AttackSample, BoardSample, ProphetSample, Samples};
use super::vector::{add_scaled, cross_entropy, dot, sigmoid};

/// Output of a mode: a fate of a piece.
pub(super) struct ModeOutput<'a> {
    pub(super) sample: &'a ProphetSample,
    piece: usize,
    pub(super) kind: PredictionKind,
}

/// Outputs of every mode on a board.
pub(super) fn outputs<'a>(samples: &'a Samples, board: &BoardSample) -> Vec<ModeOutput<'a>> {
    let pieces = board.for_prophet.of(&samples.for_prophet).iter().enumerate();
    let kinds = |(piece, sample): (usize, &'a ProphetSample)| {
        fates(sample.fate).map(move |(kind, _)| ModeOutput { sample, piece, kind })
    };
    pieces.flat_map(kinds).collect()
}

/// Whether an output came true in an attack: 0 or 1.
pub(super) fn truth(samples: &Samples, attack: &AttackSample, output: &ModeOutput<'_>) -> f32 {
    let outcome = attack.outcomes.of(&samples.outcomes).get(output.piece);
    let target = outcome.and_then(|&outcome| fates(outcome.into()).find(|&(kind, _)| kind == output.kind));
    target.map_or(0.0, |(_, target)| target)
}

/// Row of the block of modes that holds the logit of a mode.
pub(super) fn share_row(mode: usize) -> usize {
    mode_rows(mode + 1, UNITS) - 1
}

/// Mixture of modes on one board.
struct Mixture {
    /// Logarithms of the modes' shares.
    shares: Vec<f32>,
    /// Logits, mode by mode.
    logits: Vec<Vec<f32>>,
}

impl Mixture {
    fn new(params: &Params, board_layer: &[f32], outputs: &[ModeOutput<'_>]) -> Mixture {
        let bias = params.block(Block::ModesBias);
        let value = |row: usize| bias[row] + dot(board_layer, params.row(Block::Modes, row));
        let modes = 0..params.shape().extent().modes;
        let marginal: Vec<f32> = outputs
            .iter()
            .map(|output| prophet_logit(params, board_layer, output.sample, output.kind))
            .collect();
        let logits = modes.clone().map(|mode| {
            let first = mode_rows(mode, UNITS);
            let own = |output: &ModeOutput<'_>| -> f32 {
                let rows = output.sample.contexts.rows(output.kind);
                rows.into_iter().map(|row| value(first + usize::from(row))).sum()
            };
            outputs.iter().zip(&marginal).map(|(output, marginal)| marginal + own(output)).collect()
        });
        let logits = logits.collect();
        let mut shares: Vec<f32> = modes.map(|mode| value(share_row(mode))).collect();
        let all = log_sum(&shares);
        for share in &mut shares {
            *share -= all;
        }
        Mixture { shares, logits }
    }

    /// Negative log-likelihood of an attack, given what came true; the chances of the modes after it become `after`.
    fn surprise(&self, truths: &[f32], after: &mut Vec<f32>) -> f32 {
        after.clear();
        after.extend(self.shares.iter().zip(&self.logits).map(|(share, logits)| {
            share - logits.iter().zip(truths).map(|(&logit, &truth)| cross_entropy(logit, truth)).sum::<f32>()
        }));
        let all = log_sum(after);
        for part in after.iter_mut() {
            *part = (*part - all).exp();
        }
        -all
    }
}

/// Logarithm of the sum of exponentials.
fn log_sum(logs: &[f32]) -> f32 {
    let most = logs.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    most + logs.iter().map(|log| (log - most).exp()).sum::<f32>().ln()
}

/// Loss of the modes on a board. Adds the gradients of their weights to `gradient`, and that of the board layer in `pass`.
/// The marginal predictions are taken as given: they have a loss of their own.
pub(super) fn apply(
    pass: &mut BoardPass,
    params: &Params,
    gradient: &mut Params,
    samples: &Samples,
    board: &BoardSample,
) -> f32 {
    let attacks = board.for_modes.of(&samples.for_modes);
    if attacks.is_empty() || params.shape().extent().modes == 0 {
        return 0.0;
    }
    let outputs = outputs(samples, board);
    let mixture = Mixture::new(params, &pass.board_layer, &outputs);
    let mut loss = 0.0;
    let mut slopes: Vec<Vec<f32>> = mixture.logits.iter().map(|logits| vec![0.0; logits.len()]).collect();
    let mut share_slopes = vec![0.0; mixture.shares.len()];
    let mut after = Vec::new();
    for attack in attacks {
        let truths: Vec<f32> = outputs.iter().map(|output| truth(samples, attack, output)).collect();
        let weight = PROPHET_WEIGHT * attack.share;
        loss += weight * mixture.surprise(&truths, &mut after);
        for (mode, &after) in after.iter().enumerate() {
            share_slopes[mode] += weight * (mixture.shares[mode].exp() - after);
            let places = slopes[mode].iter_mut().zip(&mixture.logits[mode]).zip(&truths);
            places.for_each(|((slope, &logit), truth)| *slope += weight * after * (sigmoid(logit) - truth));
        }
    }
    let mut add = |block: [Block; 2], row: usize, slope: f32| {
        gradient.block_mut(block[1])[row] += slope;
        add_scaled(gradient.row_mut(block[0], row), slope, &pass.board_layer);
        add_scaled(&mut pass.d_board_layer, slope, params.row(block[0], row));
    };
    let modes = [Block::Modes, Block::ModesBias];
    for (mode, share_slope) in share_slopes.into_iter().enumerate() {
        add(modes, share_row(mode), share_slope);
        for (output, &slope) in outputs.iter().zip(&slopes[mode]) {
            for row in output.sample.contexts.rows(output.kind).map(usize::from) {
                add(modes, mode_rows(mode, UNITS) + row, slope);
            }
        }
    }
    loss
}

/// Mean negative log-likelihood of the attacks of a board by the modes, and by the marginal predictions alone, in nats;
/// `None` without attacks or modes.
pub(super) fn surprises(
    params: &Params,
    board_layer: &[f32],
    samples: &Samples,
    board: &BoardSample,
) -> Option<[f32; 2]> {
    let attacks = board.for_modes.of(&samples.for_modes);
    if attacks.is_empty() || params.shape().extent().modes == 0 {
        return None;
    }
    let outputs = outputs(samples, board);
    let mixture = Mixture::new(params, board_layer, &outputs);
    let mut sums = [0.0; 2];
    let mut after = Vec::new();
    for attack in attacks {
        let truths: Vec<f32> = outputs.iter().map(|output| truth(samples, attack, output)).collect();
        sums[0] += attack.share * mixture.surprise(&truths, &mut after);
        let marginal = outputs.iter().zip(&truths).map(|(output, &truth)| {
            cross_entropy(prophet_logit(params, board_layer, output.sample, output.kind), truth)
        });
        sums[1] += attack.share * marginal.sum::<f32>();
    }
    Some(sums)
}

#[cfg(test)]
mod tests {
    use barrow_nnue::format::Extent;
    use barrow_nnue::layout::Folded;
    use barrow_nnue::shape::Tiny;

    use super::*;
    use crate::training::backprop::PositionPass;
    use crate::training::piece_outcomes::{PieceOutcome, PieceOutcomes};
    use crate::training::{
        NetworkShape, PieceFate, PositionTargets, SamplingRates, SelfPlay, position_targets,
    };

    /// Two attacks: what was played, and that with every other piece's part the other way round.
    fn attacks(fates: &[(barrow_core::hex::Hex, PieceFate)]) -> Vec<(f32, PieceOutcomes)> {
        let outcome = |fate: PieceFate, turned: bool| match fate {
            PieceFate::Enemy { killed, .. } if (killed > 0.5) != turned => PieceOutcome::Killed,
            PieceFate::Enemy { .. } => PieceOutcome::Stayed,
            PieceFate::Friend { passive } if (passive > 0.5) != turned => PieceOutcome::Passive,
            PieceFate::Friend { .. } => PieceOutcome::Fought,
        };
        let attack = |turned: bool| {
            let places = fates.iter().enumerate();
            places.map(|(place, &(hex, fate))| (hex, outcome(fate, turned && place % 2 == 0))).collect()
        };
        vec![(0.75, attack(false)), (0.25, attack(true))]
    }

    fn samples_and_params() -> (Samples, Params) {
        let record = SelfPlay::new(21).unwrap().play(1).unwrap().unwrap();
        let rates = SamplingRates { turn: 64, after_spawn: 0, curve: 0, ..SamplingRates::default() };
        let mut positions: Vec<PositionTargets> = position_targets(&record, rates, 5).unwrap();
        for board in positions.iter_mut().flat_map(|position| &mut position.boards) {
            if !board.fates.is_empty() {
                board.attacks = attacks(&board.fates);
            }
        }
        let mut samples = Samples::default();
        samples.add_positions::<Folded>(&positions);
        let shape = NetworkShape::with_extent::<Tiny>(Extent { modes: 3, ..UNITS.into() });
        let mut params = Params::initial(&shape, 3);
        params.block_mut(Block::Prophet).iter_mut().for_each(|weight| *weight *= 10.0);
        (samples, params)
    }

    #[test]
    fn gradients_are_the_slopes_of_the_loss() {
        let (samples, mut params) = samples_and_params();
        let mut checked = 0;
        for sample in &samples.positions {
            let boards = sample.boards.of(&samples.boards);
            let mut pass = PositionPass::default();
            pass.forward(&params, &samples, sample);
            let loss = |params: &Params, pass: &mut PositionPass| -> (f32, Params) {
                let mut gradient = Params::without_tables(params.shape());
                let parts = pass.boards.iter_mut().zip(boards);
                let loss =
                    parts.map(|(pass, board)| apply(pass, params, &mut gradient, &samples, board)).sum();
                (loss, gradient)
            };
            let (_, gradient) = loss(&params, &mut pass.clone());
            for block in [Block::Modes, Block::ModesBias] {
                let slopes = gradient.block(block);
                let steepest = (0..slopes.len()).max_by(|&a, &b| slopes[a].abs().total_cmp(&slopes[b].abs()));
                let place = steepest.unwrap();
                if slopes[place].abs() < 1e-3 {
                    continue;
                }
                let mut at = |offset: f32| {
                    params.block_mut(block)[place] += offset;
                    let moved = loss(&params, &mut pass.clone()).0;
                    params.block_mut(block)[place] -= offset;
                    moved
                };
                let (claimed, measured) = (slopes[place], (at(0.02) - at(-0.02)) / 0.04);
                assert!(
                    (measured - claimed).abs() < 0.05 * claimed.abs() + 1e-3,
                    "{block:?} {measured} {claimed}"
                );
                checked += 1;
            }
            // And that of the board layer.
            let mut moved = pass.clone();
            loss(&params, &mut moved);
            for board in 0..boards.len() {
                let slopes = moved.boards[board].d_board_layer.clone();
                let Some(neuron) =
                    (0..slopes.len()).max_by(|&a, &b| slopes[a].abs().total_cmp(&slopes[b].abs()))
                else {
                    continue;
                };
                // The marginal predictions are taken as given, so their part is taken out of the difference.
                let mut fixed = params.clone();
                fixed.block_mut(Block::Prophet).fill(0.0);
                let mut exact = pass.clone();
                loss(&fixed, &mut exact);
                let claimed = exact.boards[board].d_board_layer[neuron];
                let at = |offset: f32| {
                    let mut pass = pass.clone();
                    pass.boards[board].board_layer[neuron] += offset;
                    loss(&fixed, &mut pass).0
                };
                let measured = (at(0.02) - at(-0.02)) / 0.04;
                assert!((measured - claimed).abs() < 0.05 * claimed.abs() + 2e-3, "{measured} {claimed}");
                checked += 1;
            }
        }
        assert!(checked > 10, "{checked}");
    }

    #[test]
    fn a_mixture_of_equal_modes_is_as_surprised_as_the_marginal_predictions() {
        let (samples, mut params) = samples_and_params();
        params.block_mut(Block::Modes).fill(0.0);
        params.block_mut(Block::ModesBias).fill(0.0);
        let mut compared = 0;
        for sample in &samples.positions {
            let mut pass = PositionPass::default();
            pass.forward(&params, &samples, sample);
            for (pass, board) in pass.boards.iter().zip(sample.boards.of(&samples.boards)) {
                let Some([modes, marginal]) = surprises(&params, &pass.board_layer, &samples, board) else {
                    continue;
                };
                assert!((modes - marginal).abs() < 1e-3 * marginal.abs() + 1e-3, "{modes} {marginal}");
                compared += 1;
            }
        }
        assert!(compared > 3, "{compared}");
    }
}
