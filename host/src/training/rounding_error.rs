//! Rounding error: how far the outputs of the integer network are from those of the floating-point network, on
//! positions that neither was trained on.

use barrow_core::minions::Side;
use barrow_core::search::value::KNOTS;
use barrow_nnue::kernels::Weight;
use barrow_nnue::nets::Network;
use barrow_nnue::nets::board_layer::BoardLayer;
use barrow_nnue::nets::oracle::{Output, Summary};
use barrow_nnue::nets::seer::{Purpose, Term};
use barrow_nnue::shape::{GLOBAL, Profile};
use schemars::JsonSchema;
use serde::Serialize;

use super::backprop::PositionPass;
use super::losses::{CURVE, win_target};
use super::params::Params;
use super::placements::{ChoiceKind, ChoiceOption};
use super::prophet_loss::{fates, prophet_logit};
use super::samples::{BoardSample, PositionSample, Samples};
use super::seer_losses::Terms;
use super::vector::{cross_entropy, sigmoid};

/// Absolute differences of chances, 0 to 1, between the two networks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct RoundingError {
    /// Number of chances compared.
    pub answers: u64,
    /// Mean absolute difference of chances.
    pub mean: f64,
    /// Largest absolute difference of chances.
    pub largest: f64,
}

/// Rounding errors by net.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct RoundingErrors {
    /// Win chances of Oracle, board by board.
    pub oracle: RoundingError,
    /// Win chances along Oracle's money curve.
    pub curve: RoundingError,
    /// Chances of Death Prophet.
    pub prophet: RoundingError,
    /// Chances of Dark Seer.
    pub seer: RoundingError,
    /// Cross entropy of the positions' win chances and their targets, in nats: floating-point, then integer.
    pub win_loss: [f64; 2],
}

impl RoundingError {
    fn add(&mut self, float: f32, integer: f32) {
        let difference = f64::from((sigmoid(float) - sigmoid(integer)).abs());
        self.answers += 1;
        self.mean += difference;
        self.largest = self.largest.max(difference);
    }

    fn finished(self) -> RoundingError {
        RoundingError { mean: self.mean / self.answers.max(1) as f64, ..self }
    }
}

/// Rounding errors of a network on the first `limit` positions of the samples.
pub fn rounding_errors<P: Profile>(
    network: &Network<'_, P>,
    params: &Params,
    samples: &Samples,
    limit: usize,
) -> RoundingErrors {
    let (mut errors, mut pass) = (RoundingErrors::default(), PositionPass::default());
    for sample in samples.positions.iter().take(limit) {
        pass.forward(params, samples, sample);
        position(network, params, samples, sample, &pass, &mut errors);
    }
    let RoundingErrors { oracle, curve, prophet, seer, win_loss } = errors;
    let positions = samples.len().clamp(1, limit.max(1)) as f64;
    RoundingErrors {
        oracle: oracle.finished(),
        curve: curve.finished(),
        prophet: prophet.finished(),
        seer: seer.finished(),
        win_loss: win_loss.map(|loss| loss / positions),
    }
}

fn position<P: Profile>(
    network: &Network<'_, P>,
    params: &Params,
    samples: &Samples,
    sample: &PositionSample,
    pass: &PositionPass,
    errors: &mut RoundingErrors,
) {
    let boards = sample.boards.of(&samples.boards);
    let lanes: Vec<[P::Lanes; 2]> = boards.iter().map(|board| lanes(network, samples, board)).collect();
    let summaries: Vec<Summary> = lanes.iter().map(|[us, them]| network.summary(us, them)).collect();
    let [us, them] = sample.global.map(|rows| {
        let mut sums = [0; GLOBAL];
        sums.iter_mut().zip(network.global_bias()).for_each(|(sum, bias)| *sum = *bias);
        for &row in rows.of(&samples.rows) {
            P::Weight::add_row(&mut sums, network.global_row(row));
        }
        sums
    });
    let context = network.context(&us, &them, &summaries);
    for (loss, logit) in errors.win_loss.iter_mut().zip([pass.logit(), network.position(&context).to_num()]) {
        *loss += f64::from(cross_entropy(logit, win_target(sample)));
    }
    for (index, (board, pass)) in boards.iter().zip(&pass.boards).enumerate() {
        let joined = network.joined_layer(&context, index, &summaries[index]);
        let win = pass.oracle[0];
        errors.oracle.add(win, network.output(&joined, Output::Win).to_num());
        for knot in 0..KNOTS.len() {
            let integer = network.output(&joined, Output::Curve(knot as u8)).to_num();
            errors.curve.add(win + pass.oracle[CURVE + knot], integer);
        }
        if pass.board_layer.is_empty() {
            continue;
        }
        let [us, them] = &lanes[index];
        let board_layer = network.board_layer(us, them);
        for sample in board.for_prophet.of(&samples.for_prophet) {
            for (fate, _) in fates(sample.fate) {
                let integer = network.predict(&board_layer, &sample.contexts, fate).to_num();
                errors.prophet.add(prophet_logit(params, &pass.board_layer, sample, fate), integer);
            }
        }
        let choices = board.for_seer.of(&samples.for_seer);
        let mut terms = (!choices.is_empty()).then(|| Terms::new(params, &pass.board_layer));
        for sample in choices {
            let Some(terms) = &mut terms else { continue };
            for option in sample.options.of(&samples.options) {
                let integer = network.wish(integer_terms(network, &board_layer, sample.kind, option));
                errors.seer.add(terms.wish(sample.kind, option), integer.to_num());
            }
        }
    }
}

/// Terms of an option of a choice.
fn integer_terms<P: Profile>(
    network: &Network<'_, P>,
    board_layer: &BoardLayer,
    kind: ChoiceKind,
    option: &ChoiceOption,
) -> Term {
    let side = Side::Yellow;
    match kind {
        ChoiceKind::Type => network.unit_term(board_layer, Purpose::Spawn, option.unit),
        ChoiceKind::Place(purpose) => {
            let hex = network.hex_term(board_layer, side, purpose, option.hex);
            let pair = network.pair_term(side, purpose, option.hex, option.unit);
            let rows = option.contexts.rows(purpose).into_iter();
            rows.fold(hex.plus(pair), |sum, row| sum.plus(network.place_term(board_layer, row)))
        }
    }
}

fn lanes<P: Profile>(network: &Network<'_, P>, samples: &Samples, board: &BoardSample) -> [P::Lanes; 2] {
    [0, 1].map(|perspective| {
        let mut lanes = P::ZERO;
        lanes.as_mut().iter_mut().zip(network.board_bias()).for_each(|(lane, bias)| *lane = *bias);
        for &row in board.wide[perspective].of(&samples.rows) {
            P::Weight::add_row(lanes.as_mut(), network.wide_row(row));
        }
        for &row in board.narrow[perspective].of(&samples.rows) {
            P::Weight::add_row(&mut lanes.as_mut()[..P::NARROW], network.narrow_row(row));
        }
        lanes
    })
}
