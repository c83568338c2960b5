//! Forward and backward pass of a network on one position, in floating point.
//!
//! The layers are those of the integer networks: lanes are clipped sums of feature rows; each board has a summary; a
//! board's summary, the sum of the other boards' summaries and the global accumulators are joined; Oracle reads the
//! joined layer. The board layer, a second layer on the lanes, is computed only for boards that have samples of Death
//! Prophet or Dark Seer.

use barrow_nnue::format::Block;
use barrow_nnue::shape::{EMBED, GLOBAL, HIDDEN, JOINED, ORACLE_ROWS};

use super::params::Params;
use super::samples::{BoardSample, PositionSample, Samples};
use super::vector::{add, add_scaled, dot};

/// Slope of the clipped activation outside its range, for gradients that point back into the range.
pub(super) const LEAKY_SLOPE: f32 = 0.05;

/// Activations and gradients of one board. Fields in `_sums` hold values before clipping, fields in `d_` gradients of
/// the loss.
#[derive(Clone, Debug, Default)]
pub(super) struct BoardPass {
    sums: Vec<f32>,
    lanes: Vec<f32>,
    summary_sums: [f32; EMBED],
    summary: [f32; EMBED],
    joined: Vec<f32>,
    hidden_sums: [f32; HIDDEN],
    hidden: [f32; HIDDEN],
    board_layer_sums: Vec<f32>,
    /// Outputs of Oracle, one a row.
    pub(super) oracle: [f32; ORACLE_ROWS],
    /// Board layer, the input of Death Prophet and Dark Seer; empty for a board without samples of either.
    pub(super) board_layer: Vec<f32>,
    pub(super) d_oracle: [f32; ORACLE_ROWS],
    pub(super) d_board_layer: Vec<f32>,
    d_summary: [f32; EMBED],
    /// Gradient of the lane sums in both perspectives.
    pub(super) d_sums: Vec<f32>,
}

/// Activations and gradients of one position.
#[derive(Clone, Debug, Default)]
pub(super) struct PositionPass {
    /// Boards in order.
    pub(super) boards: Vec<BoardPass>,
    global_sums: [f32; 2 * GLOBAL],
    global: [f32; 2 * GLOBAL],
    /// Gradient of the global accumulators in both perspectives, before clipping.
    pub(super) d_global: [f32; 2 * GLOBAL],
}

impl PositionPass {
    /// Forward pass: computes all layers, and the outputs of Oracle.
    pub(super) fn forward(&mut self, params: &Params, samples: &Samples, sample: &PositionSample) {
        let boards = sample.boards.of(&samples.boards);
        self.boards.resize_with(boards.len(), BoardPass::default);
        for (pass, board) in self.boards.iter_mut().zip(boards) {
            pass.forward_lanes(params, samples, board);
        }
        for (sums, rows) in self.global_sums.chunks_exact_mut(GLOBAL).zip(sample.global) {
            sums.copy_from_slice(params.block(Block::GlobalBias));
            for &row in rows.of(&samples.rows) {
                add(sums, params.row(Block::Global, usize::from(row)));
            }
        }
        clip(&self.global_sums, &mut self.global);
        let mut total = [0.0; EMBED];
        for pass in &self.boards {
            add(&mut total, &pass.summary);
        }
        for pass in &mut self.boards {
            pass.forward_oracle(params, &total, &self.global);
        }
    }

    /// Win logit of the position: the mean of the boards' win logits, as in the integer networks.
    pub(super) fn logit(&self) -> f32 {
        self.boards.iter().map(|board| board.oracle[0]).sum::<f32>() / self.boards.len().max(1) as f32
    }

    /// Backward pass: propagates the gradients of the outputs to the lane and global sums, and adds the gradients of
    /// the layers' weights to `gradient`.
    pub(super) fn backward(&mut self, params: &Params, gradient: &mut Params) {
        let mut d_total = [0.0; EMBED];
        let mut d_global = [0.0; 2 * GLOBAL];
        for pass in &mut self.boards {
            let mut d_hidden = [0.0; HIDDEN];
            let (outputs, inputs) = (OutputGradient::Linear(&pass.d_oracle), &pass.hidden);
            backward_layer(
                params,
                gradient,
                [Block::Oracle, Block::OracleBias],
                outputs,
                inputs,
                &mut d_hidden,
            );
            let mut d_joined = [0.0; JOINED];
            let outputs = OutputGradient::Clipped(&d_hidden, &pass.hidden_sums);
            backward_layer(
                params,
                gradient,
                [Block::Join, Block::JoinBias],
                outputs,
                &pass.joined,
                &mut d_joined,
            );
            let (own, rest) = d_joined.split_at(EMBED);
            let (others, global) = rest.split_at(EMBED);
            add(&mut d_total, others);
            add(&mut d_global, global);
            // The total below includes the own summary, which is not among the others.
            for ((d, own), other) in pass.d_summary.iter_mut().zip(own).zip(others) {
                *d = own - other;
            }
        }
        for pass in &mut self.boards {
            add(&mut pass.d_summary, &d_total);
            pass.backward_lanes(params, gradient);
        }
        for ((d, through), sum) in self.d_global.iter_mut().zip(d_global).zip(self.global_sums) {
            *d = through_clip(through, sum);
        }
        for d_sums in self.d_global.chunks_exact(GLOBAL) {
            add(gradient.block_mut(Block::GlobalBias), d_sums);
        }
    }
}

impl BoardPass {
    fn forward_lanes(&mut self, params: &Params, samples: &Samples, board: &BoardSample) {
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
        forward_layer(params, [Block::Embed, Block::EmbedBias], &self.lanes, &mut self.summary_sums);
        clip(&self.summary_sums, &mut self.summary);
        let has_samples = !board.for_prophet.is_empty() || !board.for_seer.is_empty();
        let neurons = if has_samples { params.shape().board_layer() } else { 0 };
        self.board_layer_sums.resize(neurons, 0.0);
        self.board_layer.resize(neurons, 0.0);
        self.d_board_layer.clear();
        self.d_board_layer.resize(neurons, 0.0);
        if has_samples {
            forward_layer(
                params,
                [Block::BoardLayer, Block::BoardLayerBias],
                &self.lanes,
                &mut self.board_layer_sums,
            );
            clip(&self.board_layer_sums, &mut self.board_layer);
        }
    }

    fn forward_oracle(&mut self, params: &Params, total: &[f32; EMBED], global: &[f32]) {
        self.joined.clear();
        self.joined.extend_from_slice(&self.summary);
        self.joined.extend(total.iter().zip(self.summary).map(|(total, own)| total - own));
        self.joined.extend_from_slice(global);
        forward_layer(params, [Block::Join, Block::JoinBias], &self.joined, &mut self.hidden_sums);
        clip(&self.hidden_sums, &mut self.hidden);
        forward_layer(params, [Block::Oracle, Block::OracleBias], &self.hidden, &mut self.oracle);
    }

    fn backward_lanes(&mut self, params: &Params, gradient: &mut Params) {
        self.d_sums.clear();
        self.d_sums.resize(self.sums.len(), 0.0);
        let outputs = OutputGradient::Clipped(&self.d_summary, &self.summary_sums);
        backward_layer(
            params,
            gradient,
            [Block::Embed, Block::EmbedBias],
            outputs,
            &self.lanes,
            &mut self.d_sums,
        );
        if !self.board_layer.is_empty() {
            let outputs = OutputGradient::Clipped(&self.d_board_layer, &self.board_layer_sums);
            backward_layer(
                params,
                gradient,
                [Block::BoardLayer, Block::BoardLayerBias],
                outputs,
                &self.lanes,
                &mut self.d_sums,
            );
        }
        for (d, &sum) in self.d_sums.iter_mut().zip(&self.sums) {
            *d = through_clip(*d, sum);
        }
        for d_sums in self.d_sums.chunks_exact(params.shape().lanes()) {
            add(gradient.block_mut(Block::BoardBias), d_sums);
        }
    }
}

pub(super) fn clip(sums: &[f32], activations: &mut [f32]) {
    for (activation, sum) in activations.iter_mut().zip(sums) {
        *activation = sum.clamp(0.0, 1.0);
    }
}

fn forward_layer(params: &Params, [weights, bias]: [Block; 2], inputs: &[f32], sums: &mut [f32]) {
    let rows = params.block(weights).chunks_exact(inputs.len());
    for ((sum, row), bias) in sums.iter_mut().zip(rows).zip(params.block(bias)) {
        *sum = bias + dot(inputs, row);
    }
}

/// Gradient of a sum before clipping, from the gradient of its activation.
#[inline]
pub(super) fn through_clip(gradient: f32, sum: f32) -> f32 {
    let inside = sum > 0.0 && sum < 1.0;
    let points_back = (sum <= 0.0 && gradient < 0.0) || (sum >= 1.0 && gradient > 0.0);
    if inside {
        gradient
    } else if points_back {
        LEAKY_SLOPE * gradient
    } else {
        0.0
    }
}

/// Gradient of the outputs of a layer.
#[derive(Clone, Copy)]
enum OutputGradient<'a> {
    /// Gradient of the sums of a layer without clipping.
    Linear(&'a [f32]),
    /// Gradient of the clipped sums, and the sums.
    Clipped(&'a [f32], &'a [f32]),
}

/// Backward pass of a layer: adds the gradients of its weights and bias to `gradient` and of its inputs to `d_inputs`.
fn backward_layer(
    params: &Params,
    gradient: &mut Params,
    [weights, bias]: [Block; 2],
    outputs: OutputGradient<'_>,
    inputs: &[f32],
    d_inputs: &mut [f32],
) {
    let (d_outputs, sums) = match outputs {
        OutputGradient::Linear(d_outputs) => (d_outputs, None),
        OutputGradient::Clipped(d_outputs, sums) => (d_outputs, Some(sums)),
    };
    for (output, &d) in d_outputs.iter().enumerate() {
        let d = sums.map_or(d, |sums| through_clip(d, sums[output]));
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
    use crate::training::general_loss::GENERAL_BLOCKS;
    use crate::training::params::SEER_BLOCKS;
    use crate::training::{NetworkShape, SamplingRates, SelfPlay, position_targets};

    /// Samples of a few games on several boards, and a network whose neurons are mostly inside their range.
    pub(in crate::training) fn test_network_and_samples() -> (Params, Samples) {
        let mut samples = Samples::default();
        for number in 0..3 {
            let record = SelfPlay::new(21).unwrap().play(number).unwrap().unwrap();
            let rates = SamplingRates { turn: 64, after_spawn: 64, curve: 256, ..SamplingRates::default() };
            samples.add_positions::<Folded>(&position_targets(&record, rates, 5).unwrap());
        }
        let mut params = Params::initial(&NetworkShape::of::<Tiny>(), 3);
        let mut dice = barrow_core::rng::Rng::new(8);
        for table in [Block::Wide, Block::Narrow, Block::Global] {
            for weight in params.block_mut(table) {
                *weight = (dice.below(2001) as f32 - 1000.0) * 2e-5;
            }
        }
        (params, samples)
    }

    /// Fixed linear function of all outputs.
    fn mixture(pass: &PositionPass) -> f64 {
        let of = |values: &[f32]| -> f64 {
            values.iter().enumerate().map(|(i, &value)| f64::from(value) * slope(i)).sum()
        };
        pass.boards.iter().map(|board| of(&board.oracle) + of(&board.board_layer)).sum()
    }

    fn slope(output: usize) -> f64 {
        [0.7, -0.4, 1.1, -0.9, 0.3][output % 5]
    }

    #[test]
    fn gradients_are_the_slopes_of_the_outputs() {
        let (mut params, samples) = test_network_and_samples();
        let sample =
            samples.positions.iter().max_by_key(|sample| sample.boards.of(&samples.boards).len()).unwrap();
        assert!(sample.boards.of(&samples.boards).len() > 1);
        let (mut pass, mut gradient) = (PositionPass::default(), Params::without_tables(params.shape()));
        pass.forward(&params, &samples, sample);
        for board in &mut pass.boards {
            board.d_oracle = std::array::from_fn(|output| slope(output) as f32);
            board.d_board_layer = (0..board.board_layer.len()).map(|output| slope(output) as f32).collect();
        }
        pass.backward(&params, &mut gradient);
        let (mut checked, step) = (0, 1e-3_f32);
        for block in Block::ALL.into_iter().filter(|&block| !gradient.block(block).is_empty()) {
            let others = [&SEER_BLOCKS[..], &GENERAL_BLOCKS].concat();
            if matches!(block, Block::Prophet | Block::ProphetBias) || others.contains(&block) {
                continue;
            }
            let len = params.block(block).len();
            for place in (0..len).step_by(len.div_ceil(40)) {
                let mut at = |offset: f32| {
                    let kept = params.block(block)[place];
                    params.block_mut(block)[place] = kept + offset;
                    pass.forward(&params, &samples, sample);
                    params.block_mut(block)[place] = kept;
                    mixture(&pass)
                };
                let measured = (at(step) - at(-step)) / f64::from(2.0 * step);
                let claimed = f64::from(gradient.block(block)[place]);
                // Neurons at the edge of their range have no slope, and those outside it a leaky one; few are.
                let off = (measured - claimed).abs() / (0.03 + measured.abs());
                assert!(off < 0.6, "{block:?} {place}: {measured} is not {claimed}");
                checked += usize::from(off < 0.05);
            }
        }
        assert!(checked > 240, "{checked}");
    }

    #[test]
    fn gradients_of_sums_are_the_slopes_along_a_row() {
        let (mut params, samples) = test_network_and_samples();
        let sample = &samples.positions[4];
        let (mut pass, mut gradient) = (PositionPass::default(), Params::without_tables(params.shape()));
        pass.forward(&params, &samples, sample);
        for board in &mut pass.boards {
            board.d_oracle = std::array::from_fn(|output| slope(output) as f32);
            board.d_board_layer = vec![0.0; board.board_layer.len()];
        }
        pass.backward(&params, &mut gradient);
        let first = sample.boards.of(&samples.boards)[0];
        let row = usize::from(first.wide[0].of(&samples.rows)[0]);
        let claimed: f32 = pass.boards[0].d_sums[..params.shape().lanes()].iter().sum();
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
            pass.forward(&params, &samples, sample);
            let of = |board: &BoardPass| -> f64 {
                board.oracle.iter().enumerate().map(|(i, &value)| f64::from(value) * slope(i)).sum()
            };
            pass.boards.iter().map(of).sum::<f64>()
        };
        let measured = (at(step) - at(-2.0 * step)) / f64::from(2.0 * step);
        assert!(
            (measured - f64::from(claimed)).abs() < 0.05 * (0.1 + measured.abs()),
            "{measured} {claimed}"
        );
    }
}
