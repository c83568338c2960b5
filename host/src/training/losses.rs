//! What the outputs should have been: losses of the three nets and their gradients.
//!
//! | head | target | loss |
//! |---|---|---|
//! | win | a blend of the teacher's chance and the result | cross entropy |
//! | points | final difference of points | squared error |
//! | error | squared difference between the win chance and the teacher's chance one round later | likelihood of a normal distribution of this width (as KataGo's short-term error) |
//! | contribution | whether we score the next point on the board; nothing if nobody does | cross entropy |
//! | curve | change of the teacher's logit for money spent here | squared error |
//! | Death Prophet | killed, unsummoned; passive | cross entropy |
//! | Dark Seer | placed here, or not; walked here, or not | cross entropy |

use barrow_nnue::format::Block;
use barrow_nnue::nets::oracle::KNOTS;
use barrow_nnue::nets::prophet::Fate;
use barrow_nnue::nets::seer::FACTORS;

use super::backprop::{BoardTape, Tape};
use super::params::Params;
use super::samples::{BoardSample, Omen, PURPOSES, Sample, Samples, Wish};
use super::targets::Lot;
use super::vector::{add_scaled, cross_entropy, dot, sigmoid};

/// Share of the game's result in the target of the win chance.
pub(super) const RESULT_SHARE: f32 = 0.3;

/// Smallest squared error that is told apart from none.
const LEAST_ERROR: f32 = 1e-4;

const POINTS_WEIGHT: f32 = 0.1;
const ERROR_WEIGHT: f32 = 0.05;
const CONTRIBUTION_WEIGHT: f32 = 0.3;
const CURVE_WEIGHT: f32 = 1.0;
const PROPHET_WEIGHT: f32 = 0.06;
const SEER_WEIGHT: f32 = 0.03;

/// First row of the curve among Oracle's outputs. In training these are changes of the win logit; a network file has
/// the sums.
pub(super) const CURVE: usize = 4;

/// Chance that a network should have named.
pub(super) fn win_target(sample: &Sample) -> f32 {
    (1.0 - RESULT_SHARE) * sample.teacher + RESULT_SHARE * sample.result
}

/// Negative log-likelihood of a squared error when this logit was named, up to a constant, and its slope.
pub(super) fn error_loss(logit: f32, squared: f32) -> (f32, f32) {
    let named = sigmoid(logit);
    let (variance, squared) = (named * named + LEAST_ERROR, squared + LEAST_ERROR);
    let loss = 0.5 * (squared / variance + variance.ln());
    let slope = named * named * (1.0 - named) * (1.0 / variance - squared / (variance * variance));
    (loss, slope.clamp(-3.0, 3.0))
}

/// The fates that are foretold of a piece, and whether they came true.
pub(super) fn fates(lot: Lot) -> &'static [(Fate, bool)] {
    match lot {
        Lot::Stayed => &[(Fate::Killed, false), (Fate::Unsummoned, false)],
        Lot::Killed => &[(Fate::Killed, true), (Fate::Unsummoned, false)],
        Lot::Unsummoned => &[(Fate::Killed, false), (Fate::Unsummoned, true)],
        Lot::Passive => &[(Fate::Passive, true)],
        Lot::Fought => &[(Fate::Passive, false)],
    }
}

/// Logit of a fate of a piece.
pub(super) fn fate_logit(params: &Params, scene: &[f32], omen: &Omen, fate: Fate) -> f32 {
    let rows = omen.contexts.rows(fate).map(usize::from);
    let bias = params.block(Block::ProphetBias);
    rows.into_iter().map(|row| bias[row] + dot(scene, params.row(Block::Prophet, row))).sum()
}

/// Rows of a wish: hex, unit, hex factors, unit factors.
fn wish_rows(purpose: usize, wish: &Wish) -> [usize; 4] {
    // Hexes are stored as the side to move sees them, which is how Yellow sees all.
    let yellow = barrow_core::minions::Side::Yellow;
    let purpose = PURPOSES[purpose];
    [
        purpose.hex_row(yellow, wish.hex),
        purpose.unit_row(wish.unit),
        purpose.hex_factors(yellow, wish.hex),
        purpose.unit_factors(wish.unit),
    ]
}

/// Logit of a unit's being placed on, or walking to, a hex.
pub(super) fn wish_logit(params: &Params, scene: &[f32], purpose: usize, wish: &Wish) -> f32 {
    let [hex, unit, hex_factors, unit_factors] = wish_rows(purpose, wish);
    let bias = params.block(Block::SeerBias);
    let terms = [hex, unit].map(|row| bias[row] + dot(scene, params.row(Block::Seer, row)));
    let pair = dot(params.row(Block::SeerHexes, hex_factors), params.row(Block::SeerUnits, unit_factors));
    terms[0] + terms[1] + pair
}

/// Sets the gradients of all outputs of a position, adds those of the output rows of Death Prophet and Dark Seer,
/// and returns the loss.
pub(super) fn apply(
    tape: &mut Tape,
    params: &Params,
    gradient: &mut Params,
    samples: &Samples,
    sample: &Sample,
) -> f32 {
    let boards = sample.boards.of(&samples.boards);
    let share = 1.0 / boards.len().max(1) as f32;
    let mut loss = 0.0;
    for (tape, board) in tape.boards.iter_mut().zip(boards) {
        loss += oracle(tape, sample, board, share);
        for omen in board.omens.of(&samples.omens) {
            loss += prophet(tape, params, gradient, omen);
        }
        for (purpose, wishes) in board.wishes.iter().enumerate() {
            for wish in wishes.of(&samples.wishes) {
                loss += seer(tape, params, gradient, purpose, wish);
            }
        }
    }
    loss
}

fn oracle(tape: &mut BoardTape, sample: &Sample, board: &BoardSample, share: f32) -> f32 {
    let out = tape.oracle;
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
    tape.d_oracle = d;
    loss
}

fn prophet(tape: &mut BoardTape, params: &Params, gradient: &mut Params, omen: &Omen) -> f32 {
    let mut loss = 0.0;
    for &(fate, came_true) in fates(omen.lot) {
        let logit = fate_logit(params, &tape.scene, omen, fate);
        let target = f32::from(u8::from(came_true));
        loss += PROPHET_WEIGHT * cross_entropy(logit, target);
        let d = PROPHET_WEIGHT * (sigmoid(logit) - target);
        for row in omen.contexts.rows(fate).map(usize::from) {
            gradient.block_mut(Block::ProphetBias)[row] += d;
            add_scaled(gradient.row_mut(Block::Prophet, row), d, &tape.scene);
            add_scaled(&mut tape.d_scene, d, params.row(Block::Prophet, row));
        }
    }
    loss
}

fn seer(tape: &mut BoardTape, params: &Params, gradient: &mut Params, purpose: usize, wish: &Wish) -> f32 {
    let logit = wish_logit(params, &tape.scene, purpose, wish);
    let target = f32::from(u8::from(wish.came_true));
    let weight = SEER_WEIGHT * wish.weight;
    let d = weight * (sigmoid(logit) - target);
    let [hex, unit, hex_factors, unit_factors] = wish_rows(purpose, wish);
    for row in [hex, unit] {
        gradient.block_mut(Block::SeerBias)[row] += d;
        add_scaled(gradient.row_mut(Block::Seer, row), d, &tape.scene);
        add_scaled(&mut tape.d_scene, d, params.row(Block::Seer, row));
    }
    let factors: [f32; FACTORS] = std::array::from_fn(|k| params.row(Block::SeerHexes, hex_factors)[k]);
    add_scaled(
        gradient.row_mut(Block::SeerHexes, hex_factors),
        d,
        params.row(Block::SeerUnits, unit_factors),
    );
    add_scaled(gradient.row_mut(Block::SeerUnits, unit_factors), d, &factors);
    weight * cross_entropy(logit, target)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training::backprop::tests::scenery;

    /// Loss and gradients of one position.
    fn of(params: &Params, samples: &Samples, sample: &Sample) -> (f32, Params, Tape) {
        let (mut tape, mut gradient) = (Tape::default(), Params::without_tables(params.shape()));
        tape.forward(params, samples, sample);
        let loss = apply(&mut tape, params, &mut gradient, samples, sample);
        (loss, gradient, tape)
    }

    #[test]
    fn output_rows_of_the_prophet_and_the_seer_have_the_slopes_of_the_loss() {
        let (mut params, samples) = scenery();
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

    #[test]
    fn an_outcome_says_as_much_as_it_should() {
        assert_eq!(fates(Lot::Killed), [(Fate::Killed, true), (Fate::Unsummoned, false)]);
        assert_eq!(fates(Lot::Passive), [(Fate::Passive, true)]);
        assert!(fates(Lot::Stayed).iter().all(|(_, came_true)| !came_true));
    }
}
