//! How far the integer network is from the floating-point one, on positions that neither has learnt from.

use barrow_nnue::kernels::Weight;
use barrow_nnue::nets::Network;
use barrow_nnue::nets::oracle::{Output, Summary};
use barrow_nnue::shape::{GLOBAL, Profile};
use serde::Serialize;

use super::backprop::Tape;
use super::losses::{CURVE, fate_logit, fates, win_target, wish_logit};
use super::money_curve::KNOTS;
use super::params::Params;
use super::samples::{BoardSample, PURPOSES, Sample, Samples};
use super::vector::{cross_entropy, sigmoid};

/// Distances of chances, 0 to 1, between the two networks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Gap {
    /// Chances compared.
    pub answers: u64,
    /// Mean distance.
    pub mean: f64,
    /// Largest distance.
    pub largest: f64,
}

/// Distances by net.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Gaps {
    /// Oracle's win chance, board by board.
    pub oracle: Gap,
    /// Oracle's chances along the value curve.
    pub curve: Gap,
    /// Death Prophet's chances.
    pub prophet: Gap,
    /// Dark Seer's chances.
    pub seer: Gap,
    /// Cross entropy of the positions' win chances and their targets, in nats: floating-point, then integer.
    pub win_loss: [f64; 2],
}

impl Gap {
    fn add(&mut self, float: f32, integer: f32) {
        let gap = f64::from((sigmoid(float) - sigmoid(integer)).abs());
        self.answers += 1;
        self.mean += gap;
        self.largest = self.largest.max(gap);
    }

    fn finished(self) -> Gap {
        Gap { mean: self.mean / self.answers.max(1) as f64, ..self }
    }
}

/// Compares the two on the first `limit` positions.
pub fn compare<P: Profile>(
    network: &Network<'_, P>,
    params: &Params,
    samples: &Samples,
    limit: usize,
) -> Gaps {
    let (mut gaps, mut tape) = (Gaps::default(), Tape::default());
    for sample in samples.positions.iter().take(limit) {
        tape.forward(params, samples, sample);
        position(network, params, samples, sample, &tape, &mut gaps);
    }
    let Gaps { oracle, curve, prophet, seer, win_loss } = gaps;
    let positions = samples.len().clamp(1, limit.max(1)) as f64;
    Gaps {
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
    sample: &Sample,
    tape: &Tape,
    gaps: &mut Gaps,
) {
    let boards = sample.boards.of(&samples.boards);
    let lanes: Vec<[P::Lanes; 2]> = boards.iter().map(|board| lanes(network, samples, board)).collect();
    let summaries: Vec<Summary> = lanes.iter().map(|[us, them]| network.summary(us, them)).collect();
    let [us, them] = sample.general.map(|rows| {
        let mut sums = [0; GLOBAL];
        sums.iter_mut().zip(network.global_bias()).for_each(|(sum, bias)| *sum = *bias);
        for &row in rows.of(&samples.rows) {
            P::Weight::add_row(&mut sums, network.global_row(row));
        }
        sums
    });
    let context = network.context(&us, &them, &summaries);
    for (loss, logit) in gaps.win_loss.iter_mut().zip([tape.logit(), network.position(&context).to_num()]) {
        *loss += f64::from(cross_entropy(logit, win_target(sample)));
    }
    for (index, (board, tape)) in boards.iter().zip(&tape.boards).enumerate() {
        let judgement = network.judge(&context, index, &summaries[index]);
        let win = tape.oracle[0];
        gaps.oracle.add(win, network.output(&judgement, Output::Win).to_num());
        for knot in 0..KNOTS.len() {
            let integer = network.output(&judgement, Output::Curve(knot as u8)).to_num();
            gaps.curve.add(win + tape.oracle[CURVE + knot], integer);
        }
        if tape.scene.is_empty() {
            continue;
        }
        let [us, them] = &lanes[index];
        let scene = network.board_layer(us, them);
        for omen in board.omens.of(&samples.omens) {
            for &(fate, _) in fates(omen.lot) {
                let integer = network.fate(&scene, &omen.contexts, fate).to_num();
                gaps.prophet.add(fate_logit(params, &tape.scene, omen, fate), integer);
            }
        }
        for (purpose, wishes) in board.wishes.iter().enumerate() {
            for wish in wishes.of(&samples.wishes) {
                let (side, kind) = (barrow_core::minions::Side::Yellow, PURPOSES[purpose]);
                let hex = network.hex_term(&scene, side, kind, wish.hex);
                let unit = network.unit_term(&scene, kind, wish.unit);
                let pair = network.pair_term(side, kind, wish.hex, wish.unit);
                let integer = network.wish(hex, unit, pair).to_num();
                gaps.seer.add(wish_logit(params, &tape.scene, purpose, wish), integer);
            }
        }
    }
}

fn lanes<P: Profile>(network: &Network<'_, P>, samples: &Samples, board: &BoardSample) -> [P::Lanes; 2] {
    [0, 1].map(|place| {
        let mut lanes = P::ZERO;
        lanes.as_mut().iter_mut().zip(network.board_bias()).for_each(|(lane, bias)| *lane = *bias);
        for &row in board.wide[place].of(&samples.rows) {
            P::Weight::add_row(lanes.as_mut(), network.wide_row(row));
        }
        for &row in board.narrow[place].of(&samples.rows) {
            P::Weight::add_row(&mut lanes.as_mut()[..P::NARROW], network.narrow_row(row));
        }
        lanes
    })
}
