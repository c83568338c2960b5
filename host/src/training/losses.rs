//! Losses: how far the outputs of the three nets are from the training targets, and the gradients of the outputs.
//!
//! | head | target | loss |
//! |---|---|---|
//! | win | a blend of the teacher's win chance (the λ-return of the searches where there were some, else the hand-written one) and the result | cross entropy |
//! | points | final difference of points | squared error |
//! | error | squared difference between the win chance and the teacher's win chance one round later | cross entropy of the square of what is said (D. Wu's short-term error, with another loss) |
//! | contribution | whether the side to move scores the next point on the board; no loss if neither side does | cross entropy |
//! | curve | change of the teacher's win logit by souls spent on the board | squared error |
//! | Death Prophet | killed, unsummoned; passive | cross entropy |
//! | modes of Death Prophet | an attack as a whole | negative log-likelihood of the mixture (see `modes`) |
//! | Dark Seer | the option that a finish takes | cross entropy of a softmax over the options of a choice ([`super::seer_losses`]) |
//! | general's net | shares of the visits of the general's choices ([`super::general_loss`]) | cross entropy |

use barrow_core::search::value::KNOTS;

use super::backprop::{BoardPass, PositionPass};
use super::params::Params;
use super::samples::{BoardSample, PositionSample, Samples};
use super::seer_losses;
use super::vector::{cross_entropy, sigmoid};
use super::{modes, prophet_loss};

/// Share of the game's result in the target of the win chance; the rest is the teacher's win chance.
pub(super) const RESULT_SHARE: f32 = 0.3;

/// Weight of the points loss relative to the win loss.
pub(super) const POINTS_WEIGHT: f32 = 0.1;
/// Weight of the error loss relative to the win loss.
pub(super) const ERROR_WEIGHT: f32 = 0.5;
/// Weight of the contribution loss of a board relative to the win loss.
pub(super) const CONTRIBUTION_WEIGHT: f32 = 0.3;
/// Weight of the loss of a knot of the money curve relative to the win loss.
pub(super) const CURVE_WEIGHT: f32 = 1.0;

/// First row of the money curve among Oracle's outputs. In training these rows are changes of the win logit; in a
/// network file they are win logits.
pub(super) const CURVE: usize = 4;

/// Target of the win chance, 0 to 1.
pub(super) fn win_target(sample: &PositionSample) -> f32 {
    sample.teacher + RESULT_SHARE * (sample.result - sample.teacher)
}

/// Loss of the error head and its slope in the logit. The logit stands for a standard deviation; its square is held
/// against the squared error by cross entropy, which is least where it is the expected square. A likelihood would be so
/// steep where the head is too sure of itself that single positions outweigh all others.
pub(super) fn error_loss(logit: f32, squared: f32) -> (f32, f32) {
    let deviation = sigmoid(logit);
    let variance = (deviation * deviation).clamp(1e-6, 1.0 - 1e-6);
    let loss = -squared * variance.ln() - (1.0 - squared) * (1.0 - variance).ln();
    (loss, 2.0 * (variance - squared) / (1.0 + deviation))
}

/// Loss of a position after its forward pass. Sets the gradients of all outputs in `pass` and adds the gradients of the
/// weights of Death Prophet and Dark Seer to `gradient`.
pub(super) fn apply(
    pass: &mut PositionPass,
    params: &Params,
    gradient: &mut Params,
    samples: &Samples,
    sample: &PositionSample,
) -> f32 {
    let boards = sample.boards.of(&samples.boards);
    let share = 1.0 / boards.len().max(1) as f32;
    let mut loss = 0.0;
    for (pass, board) in pass.boards.iter_mut().zip(boards) {
        loss += oracle(pass, sample, board, share);
        for sample in board.for_prophet.of(&samples.for_prophet) {
            loss += prophet_loss::loss(pass, params, gradient, sample);
        }
        loss += modes::apply(pass, params, gradient, samples, board);
        loss += seer_losses::apply(pass, params, gradient, samples, board);
    }
    loss
}

/// Loss of Dark Seer alone on a position after its forward pass; all other gradients of outputs are 0.
pub(super) fn apply_seer(
    pass: &mut PositionPass,
    params: &Params,
    gradient: &mut Params,
    samples: &Samples,
    sample: &PositionSample,
) -> f32 {
    let boards = sample.boards.of(&samples.boards);
    let both = pass.boards.iter_mut().zip(boards);
    both.map(|(pass, board)| seer_losses::apply(pass, params, gradient, samples, board)).sum()
}

/// Loss of Oracle on a board, whose weight in losses of the whole position is `share`.
pub(super) fn oracle(pass: &mut BoardPass, sample: &PositionSample, board: &BoardSample, share: f32) -> f32 {
    let out = pass.oracle;
    let target = win_target(sample);
    let chance = sigmoid(out[0]);
    let mut d = [0.0; CURVE + KNOTS.len()];
    let mut loss = share * cross_entropy(out[0], target);
    d[0] = share * (chance - target);

    let missed = out[1] - sample.points;
    loss += share * POINTS_WEIGHT * missed * missed;
    d[1] = share * POINTS_WEIGHT * 2.0 * missed;

    let (error, slope) = error_loss(out[2], (sample.later - chance).powi(2));
    loss += share * ERROR_WEIGHT * error;
    d[2] = share * ERROR_WEIGHT * slope;

    if let Some(ours) = board.next_point {
        let target = f32::from(u8::from(ours));
        loss += CONTRIBUTION_WEIGHT * cross_entropy(out[3], target);
        d[3] = CONTRIBUTION_WEIGHT * (sigmoid(out[3]) - target);
    }
    if let Some(curve) = board.curve {
        for (knot, change) in curve.into_iter().enumerate() {
            let missed = out[CURVE + knot] - change;
            loss += CURVE_WEIGHT * missed * missed;
            d[CURVE + knot] = CURVE_WEIGHT * 2.0 * missed;
        }
    }
    pass.d_oracle = d;
    loss
}

#[cfg(test)]
mod tests {
    use barrow_nnue::format::Block;

    use super::*;
    use crate::training::backprop::tests::test_network_and_samples;

    /// Loss of one position, gradients of the weights, and the pass with the gradients of the outputs.
    fn of(params: &Params, samples: &Samples, sample: &PositionSample) -> (f32, Params, PositionPass) {
        let (mut pass, mut gradient) = (PositionPass::default(), Params::without_tables(params.shape()));
        pass.forward(params, samples, sample);
        let loss = apply(&mut pass, params, &mut gradient, samples, sample);
        (loss, gradient, pass)
    }

    #[test]
    fn output_rows_of_the_prophet_and_the_seer_have_the_slopes_of_the_loss() {
        let (mut params, samples) = test_network_and_samples();
        for table in [Block::Seer, Block::Prophet] {
            params.block_mut(table).iter_mut().for_each(|weight| *weight *= 10.0);
        }
        let mut checked = 0;
        for sample in samples.positions.iter().take(12) {
            let (_, gradient, _) = of(&params, &samples, sample);
            for block in [Block::Prophet, Block::Seer, Block::SeerBias, Block::SeerHexes, Block::SeerUnits] {
                let steepest = |list: &[f32]| {
                    (0..list.len()).max_by(|&a, &b| list[a].abs().total_cmp(&list[b].abs())).unwrap()
                };
                let place = steepest(gradient.block(block));
                let claimed = gradient.block(block)[place];
                if claimed.abs() < 1e-3 {
                    continue;
                }
                let mut at = |offset: f32| {
                    params.block_mut(block)[place] += offset;
                    let loss = of(&params, &samples, sample).0;
                    params.block_mut(block)[place] -= offset;
                    loss
                };
                let measured = (at(0.02) - at(-0.02)) / 0.04;
                assert!(
                    (measured - claimed).abs() < 0.05 * claimed.abs() + 1e-3,
                    "{block:?} {measured} {claimed}"
                );
                checked += 1;
            }
        }
        assert!(checked > 10, "{checked}");
    }

    #[test]
    fn the_error_head_is_best_when_it_names_the_error() {
        let squared = 0.04;
        let named = super::super::vector::logit(0.2);
        let best = error_loss(named, squared);
        assert!(best.1.abs() < 1e-3);
        for other in [named - 0.3, named + 0.3] {
            let (loss, slope) = error_loss(other, squared);
            assert!(loss > best.0 && slope * (other - named) > 0.0);
        }
    }
}
