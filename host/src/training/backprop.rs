//! A network at work on one position, in floating point, with all that the way back needs.
//!
//! The layers are those of the integer networks: lanes are clipped sums of rows; each board has a summary; summary,
//! the other boards' summaries and the general are joined; Oracle reads the joined layer. The scene, another layer
//! on the lanes, is computed only for boards that Death Prophet or Dark Seer are asked about.

use barrow_nnue::format::Block;
use barrow_nnue::nets::oracle::ORACLE_ROWS;
use barrow_nnue::shape::{EMBED, GLOBAL, HIDDEN, JOINED};

use super::params::Params;
use super::samples::{BoardSample, Sample, Samples};
use super::vector::{add, add_scaled, dot};

/// Part of a gradient that still gets through a clipped neuron when it points back into the range.
const LEAK: f32 = 0.05;

/// What was computed of one board. Sums are taken before clipping. Everything beginning with `d_` is a gradient.
#[derive(Clone, Debug, Default)]
pub(super) struct BoardTape {
    sums: Vec<f32>,
    lanes: Vec<f32>,
    summary_sums: [f32; EMBED],
    summary: [f32; EMBED],
    joined: Vec<f32>,
    hidden_sums: [f32; HIDDEN],
    hidden: [f32; HIDDEN],
    scene_sums: Vec<f32>,
    /// Outputs of Oracle.
    pub(super) oracle: [f32; ORACLE_ROWS],
    /// What Death Prophet and Dark Seer read; empty if nobody asks.
    pub(super) scene: Vec<f32>,
    pub(super) d_oracle: [f32; ORACLE_ROWS],
    pub(super) d_scene: Vec<f32>,
    d_summary: [f32; EMBED],
    /// Gradient of the sums of both perspectives.
    pub(super) d_sums: Vec<f32>,
}

/// What was computed of one position.
#[derive(Clone, Debug, Default)]
pub(super) struct Tape {
    /// The boards in order.
    pub(super) boards: Vec<BoardTape>,
    general_sums: [f32; 2 * GLOBAL],
    general: [f32; 2 * GLOBAL],
    /// Gradient of the general's sums of both perspectives.
    pub(super) d_general: [f32; 2 * GLOBAL],
}

impl Tape {
    /// Computes all outputs.
    pub(super) fn forward(&mut self, params: &Params, samples: &Samples, sample: &Sample) {
        let boards = sample.boards.of(&samples.boards);
        self.boards.resize_with(boards.len(), BoardTape::default);
        for (tape, board) in self.boards.iter_mut().zip(boards) {
            tape.look(params, samples, board);
        }
        for (sums, rows) in self.general_sums.chunks_exact_mut(GLOBAL).zip(sample.general) {
            sums.copy_from_slice(params.block(Block::GlobalBias));
            for &row in rows.of(&samples.rows) {
                add(sums, params.row(Block::Global, usize::from(row)));
            }
        }
        clip(&self.general_sums, &mut self.general);
        let mut total = [0.0; EMBED];
        for tape in &self.boards {
            add(&mut total, &tape.summary);
        }
        for tape in &mut self.boards {
            tape.judge(params, &total, &self.general);
        }
    }

    /// Win chance of the position as the integer networks have it: from the mean of the boards' logits.
    pub(super) fn logit(&self) -> f32 {
        self.boards.iter().map(|board| board.oracle[0]).sum::<f32>() / self.boards.len().max(1) as f32
    }

    /// Takes the outputs' gradients back to the sums; those of the layers' weights are added to `gradient`.
    pub(super) fn backward(&mut self, params: &Params, gradient: &mut Params) {
        let mut d_total = [0.0; EMBED];
        let mut d_general = [0.0; 2 * GLOBAL];
        for tape in &mut self.boards {
            let mut d_hidden = [0.0; HIDDEN];
            let (outputs, inputs) = (Gate::Open(&tape.d_oracle), &tape.hidden);
            back(params, gradient, [Block::Oracle, Block::OracleBias], outputs, inputs, &mut d_hidden);
            let mut d_joined = [0.0; JOINED];
            let outputs = Gate::Clipped(&d_hidden, &tape.hidden_sums);
            back(params, gradient, [Block::Join, Block::JoinBias], outputs, &tape.joined, &mut d_joined);
            let (own, rest) = d_joined.split_at(EMBED);
            let (others, general) = rest.split_at(EMBED);
            add(&mut d_total, others);
            add(&mut d_general, general);
            // What the total brings back below is not its own.
            for ((d, own), other) in tape.d_summary.iter_mut().zip(own).zip(others) {
                *d = own - other;
            }
        }
        for tape in &mut self.boards {
            add(&mut tape.d_summary, &d_total);
            tape.back_to_sums(params, gradient);
        }
        for ((d, through), sum) in self.d_general.iter_mut().zip(d_general).zip(self.general_sums) {
            *d = gated(through, sum);
        }
        for d_sums in self.d_general.chunks_exact(GLOBAL) {
            add(gradient.block_mut(Block::GlobalBias), d_sums);
        }
    }
}

impl BoardTape {
    fn look(&mut self, params: &Params, samples: &Samples, board: &BoardSample) {
        let lanes = params.shape().lanes();
        let narrow = params.shape().block(Block::Narrow).1;
        self.sums.resize(2 * lanes, 0.0);
        self.lanes.resize(2 * lanes, 0.0);
        for (place, sums) in self.sums.chunks_exact_mut(lanes).enumerate() {
            sums.copy_from_slice(params.block(Block::BoardBias));
            for &row in board.wide[place].of(&samples.rows) {
                add(sums, params.row(Block::Wide, usize::from(row)));
            }
            for &row in board.narrow[place].of(&samples.rows) {
                add(&mut sums[..narrow], params.row(Block::Narrow, usize::from(row)));
            }
        }
        clip(&self.sums, &mut self.lanes);
        layer(params, [Block::Embed, Block::EmbedBias], &self.lanes, &mut self.summary_sums);
        clip(&self.summary_sums, &mut self.summary);
        let asked = !board.omens.is_empty() || board.wishes.iter().any(|wishes| !wishes.is_empty());
        let scene = if asked { params.shape().scene() } else { 0 };
        self.scene_sums.resize(scene, 0.0);
        self.scene.resize(scene, 0.0);
        self.d_scene.clear();
        self.d_scene.resize(scene, 0.0);
        if asked {
            layer(params, [Block::BoardLayer, Block::BoardLayerBias], &self.lanes, &mut self.scene_sums);
            clip(&self.scene_sums, &mut self.scene);
        }
    }

    fn judge(&mut self, params: &Params, total: &[f32; EMBED], general: &[f32]) {
        self.joined.clear();
        self.joined.extend_from_slice(&self.summary);
        self.joined.extend(total.iter().zip(self.summary).map(|(total, own)| total - own));
        self.joined.extend_from_slice(general);
        layer(params, [Block::Join, Block::JoinBias], &self.joined, &mut self.hidden_sums);
        clip(&self.hidden_sums, &mut self.hidden);
        layer(params, [Block::Oracle, Block::OracleBias], &self.hidden, &mut self.oracle);
    }

    fn back_to_sums(&mut self, params: &Params, gradient: &mut Params) {
        self.d_sums.clear();
        self.d_sums.resize(self.sums.len(), 0.0);
        let outputs = Gate::Clipped(&self.d_summary, &self.summary_sums);
        back(params, gradient, [Block::Embed, Block::EmbedBias], outputs, &self.lanes, &mut self.d_sums);
        if !self.scene.is_empty() {
            let outputs = Gate::Clipped(&self.d_scene, &self.scene_sums);
            back(
                params,
                gradient,
                [Block::BoardLayer, Block::BoardLayerBias],
                outputs,
                &self.lanes,
                &mut self.d_sums,
            );
        }
        for (d, &sum) in self.d_sums.iter_mut().zip(&self.sums) {
            *d = gated(*d, sum);
        }
        for d_sums in self.d_sums.chunks_exact(params.shape().lanes()) {
            add(gradient.block_mut(Block::BoardBias), d_sums);
        }
    }
}

fn clip(sums: &[f32], activations: &mut [f32]) {
    for (activation, sum) in activations.iter_mut().zip(sums) {
        *activation = sum.clamp(0.0, 1.0);
    }
}

fn layer(params: &Params, [weights, bias]: [Block; 2], inputs: &[f32], sums: &mut [f32]) {
    let rows = params.block(weights).chunks_exact(inputs.len());
    for ((sum, row), bias) in sums.iter_mut().zip(rows).zip(params.block(bias)) {
        *sum = bias + dot(inputs, row);
    }
}

/// The gradient of a clipped sum, from that of its activation.
#[inline]
fn gated(gradient: f32, sum: f32) -> f32 {
    let inside = sum > 0.0 && sum < 1.0;
    let back_in = (sum <= 0.0 && gradient < 0.0) || (sum >= 1.0 && gradient > 0.0);
    if inside {
        gradient
    } else if back_in {
        LEAK * gradient
    } else {
        0.0
    }
}

/// Gradients of a layer's outputs.
#[derive(Clone, Copy)]
enum Gate<'a> {
    /// Of the sums themselves.
    Open(&'a [f32]),
    /// Of the clipped sums, and the sums.
    Clipped(&'a [f32], &'a [f32]),
}

/// Takes gradients of a layer's outputs back to its weights and inputs; both are added.
fn back(
    params: &Params,
    gradient: &mut Params,
    [weights, bias]: [Block; 2],
    outputs: Gate<'_>,
    inputs: &[f32],
    d_inputs: &mut [f32],
) {
    let (d_outputs, sums) = match outputs {
        Gate::Open(d_outputs) => (d_outputs, None),
        Gate::Clipped(d_outputs, sums) => (d_outputs, Some(sums)),
    };
    for (output, &d) in d_outputs.iter().enumerate() {
        let d = sums.map_or(d, |sums| gated(d, sums[output]));
        if d != 0.0 {
            gradient.block_mut(bias)[output] += d;
            add_scaled(gradient.row_mut(weights, output), d, inputs);
            add_scaled(d_inputs, d, params.row(weights, output));
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use barrow_nnue::layout::Folded;
    use barrow_nnue::shape::Tiny;

    use super::*;
    use crate::training::{SelfPlay, Shape, Thrift, lessons};

    /// Samples of a few games on several boards, and a network whose neurons are mostly inside their range.
    pub(in crate::training) fn scenery() -> (Params, Samples) {
        let mut samples = Samples::default();
        for number in 0..3 {
            let record = SelfPlay::new(21).unwrap().play(number).unwrap().unwrap();
            let thrift = Thrift { turn: 64, placed: 64, curve: 256 };
            samples.learn::<Folded>(&lessons(&record, thrift, 5).unwrap(), 6);
        }
        let mut params = Params::initial(&Shape::of::<Tiny>(), 3);
        let mut dice = barrow_core::rng::Rng::new(8);
        for table in [Block::Wide, Block::Narrow, Block::Global] {
            for weight in params.block_mut(table) {
                *weight = (dice.below(2001) as f32 - 1000.0) * 2e-5;
            }
        }
        (params, samples)
    }

    /// A fixed linear function of all outputs.
    fn mixture(tape: &Tape) -> f64 {
        let of = |values: &[f32]| -> f64 {
            values.iter().enumerate().map(|(i, &value)| f64::from(value) * slope(i)).sum()
        };
        tape.boards.iter().map(|board| of(&board.oracle) + of(&board.scene)).sum()
    }

    fn slope(output: usize) -> f64 {
        [0.7, -0.4, 1.1, -0.9, 0.3][output % 5]
    }

    #[test]
    fn gradients_are_the_slopes_of_the_outputs() {
        let (mut params, samples) = scenery();
        let sample =
            samples.positions.iter().max_by_key(|sample| sample.boards.of(&samples.boards).len()).unwrap();
        assert!(sample.boards.of(&samples.boards).len() > 1);
        let (mut tape, mut gradient) = (Tape::default(), Params::without_tables(params.shape()));
        tape.forward(&params, &samples, sample);
        for board in &mut tape.boards {
            board.d_oracle = std::array::from_fn(|output| slope(output) as f32);
            board.d_scene = (0..board.scene.len()).map(|output| slope(output) as f32).collect();
        }
        tape.backward(&params, &mut gradient);
        let (mut checked, step) = (0, 1e-3_f32);
        for block in Block::ALL.into_iter().filter(|&block| !gradient.block(block).is_empty()) {
            if matches!(block, Block::Prophet | Block::ProphetBias | Block::Seer | Block::SeerBias)
                || matches!(block, Block::SeerHexes | Block::SeerUnits)
            {
                continue;
            }
            let len = params.block(block).len();
            for place in (0..len).step_by(len.div_ceil(40)) {
                let mut at = |offset: f32| {
                    let kept = params.block(block)[place];
                    params.block_mut(block)[place] = kept + offset;
                    tape.forward(&params, &samples, sample);
                    params.block_mut(block)[place] = kept;
                    mixture(&tape)
                };
                let measured = (at(step) - at(-step)) / f64::from(2.0 * step);
                let claimed = f64::from(gradient.block(block)[place]);
                // Neurons at the edge of their range have no slope; few are.
                let off = (measured - claimed).abs() / (0.02 + measured.abs());
                assert!(off < 0.6, "{block:?} {place}: {measured} is not {claimed}");
                checked += usize::from(off < 0.05);
            }
        }
        assert!(checked > 240, "{checked}");
    }

    #[test]
    fn gradients_of_sums_are_the_slopes_along_a_row() {
        let (mut params, samples) = scenery();
        let sample = &samples.positions[4];
        let (mut tape, mut gradient) = (Tape::default(), Params::without_tables(params.shape()));
        tape.forward(&params, &samples, sample);
        for board in &mut tape.boards {
            board.d_oracle = std::array::from_fn(|output| slope(output) as f32);
            board.d_scene = vec![0.0; board.scene.len()];
        }
        tape.backward(&params, &mut gradient);
        let first = sample.boards.of(&samples.boards)[0];
        let row = usize::from(first.wide[0].of(&samples.rows)[0]);
        let claimed: f32 = tape.boards[0].d_sums[..params.shape().lanes()].iter().sum();
        let elsewhere = sample
            .boards
            .of(&samples.boards)
            .iter()
            .skip(1)
            .any(|board| board.wide.iter().any(|span| span.of(&samples.rows).contains(&(row as u16))));
        assert!(!elsewhere && !first.wide[1].of(&samples.rows).contains(&(row as u16)));
        let step = 1e-3;
        let mut at = |offset: f32| {
            params.row_mut(Block::Wide, row).iter_mut().for_each(|weight| *weight += offset);
            tape.forward(&params, &samples, sample);
            let of = |board: &BoardTape| -> f64 {
                board.oracle.iter().enumerate().map(|(i, &value)| f64::from(value) * slope(i)).sum()
            };
            tape.boards.iter().map(of).sum::<f64>()
        };
        let measured = (at(step) - at(-2.0 * step)) / f64::from(2.0 * step);
        assert!(
            (measured - f64::from(claimed)).abs() < 0.05 * (0.1 + measured.abs()),
            "{measured} {claimed}"
        );
    }
}
