//! Forward and backward pass of the layers that all nets but the general's share, and of Oracle, for a batch at once.
//! The formulas are those of `backprop.rs` and `losses.rs`.

use barrow_nnue::format::Block;
use barrow_nnue::shape::{EMBED, GLOBAL, JOINED, ORACLE_ROWS};
use burn_tensor::activation::sigmoid;
use burn_tensor::backend::Backend;
use burn_tensor::{Int, Tensor};

use super::tensors::{clip, column, cross_entropy, indices, matrix, through_clip};
use super::trunk_plan::{OracleTargets, TrunkPlan};
use super::weights::{Gradients, Weights};

const EMBED_LAYER: [Block; 2] = [Block::Embed, Block::EmbedBias];
const JOIN_LAYER: [Block; 2] = [Block::Join, Block::JoinBias];
const ORACLE_LAYER: [Block; 2] = [Block::Oracle, Block::OracleBias];
const BOARD_LAYER: [Block; 2] = [Block::BoardLayer, Block::BoardLayerBias];

/// Output of Oracle that is the logit of the error.
const ERROR: usize = 2;

/// Activations of a batch; fields in `_sums` hold values before clipping.
pub(super) struct TrunkPass<'a, B: Backend> {
    plan: &'a TrunkPlan,
    weights: &'a Weights<B>,
    /// Position of each board.
    position_of: Tensor<B, 1, Int>,
    /// Sums of the lanes, one row a board and perspective.
    lane_sums: Tensor<B, 2>,
    /// Lanes, one row a board, like everything of boards below.
    lanes: Tensor<B, 2>,
    summary_sums: Tensor<B, 2>,
    /// Sums of the general, one row a position and perspective.
    global_sums: Tensor<B, 2>,
    joined: Tensor<B, 2>,
    hidden_sums: Tensor<B, 2>,
    hidden: Tensor<B, 2>,
    board_layer_sums: Tensor<B, 2>,
    /// Board layers.
    pub(super) board_layer: Tensor<B, 2>,
    /// Outputs of Oracle.
    oracle: Tensor<B, 2>,
}

impl<'a, B: Backend> TrunkPass<'a, B> {
    /// Forward pass.
    pub(super) fn new(plan: &'a TrunkPlan, weights: &'a Weights<B>) -> TrunkPass<'a, B> {
        let device = weights.layers.device();
        let (lanes, narrow) = (weights.wide.dims()[1], weights.narrow.dims()[1]);
        let wide_sums = plan.wide.forward.of(weights.wide.clone()) + weights.of(Block::BoardBias);
        let narrow_sums = plan.narrow.forward.of(weights.narrow.clone());
        let rest = Tensor::zeros([2 * plan.boards, lanes - narrow], &device);
        let lane_sums = wide_sums + Tensor::cat(vec![narrow_sums, rest], 1);
        let global_sums = plan.global.forward.of(weights.global.clone()) + weights.of(Block::GlobalBias);
        let lanes = clip(lane_sums.clone()).reshape([plan.boards, 2 * lanes]);
        let summary_sums = weights.layer(EMBED_LAYER, lanes.clone());
        let summary = clip(summary_sums.clone());
        let position_of = indices(&plan.position_of, &device);
        let total = plan.boards_of.of(summary.clone()).select(0, position_of.clone());
        let global = clip(global_sums.clone()).reshape([plan.positions, 2 * GLOBAL]);
        let global = global.select(0, position_of.clone());
        let joined = Tensor::cat(vec![summary.clone(), total - summary, global], 1);
        let hidden_sums = weights.layer(JOIN_LAYER, joined.clone());
        let hidden = clip(hidden_sums.clone());
        let oracle = weights.layer(ORACLE_LAYER, hidden.clone());
        let board_layer_sums = weights.layer(BOARD_LAYER, lanes.clone());
        let board_layer = clip(board_layer_sums.clone());
        TrunkPass {
            plan,
            weights,
            position_of,
            lane_sums,
            lanes,
            summary_sums,
            global_sums,
            joined,
            hidden_sums,
            hidden,
            board_layer_sums,
            board_layer,
            oracle,
        }
    }

    /// Loss of Oracle and the gradient of its outputs.
    pub(super) fn oracle_loss(&self) -> (Tensor<B, 1>, Tensor<B, 2>) {
        let (boards, device) = (self.plan.boards, self.oracle.device());
        let OracleTargets { targets, chances, squares, later, errors } = &self.plan.oracle;
        let [targets, chances, squares] =
            [targets, chances, squares].map(|list| matrix(list, boards, &device));
        let [later, errors] = [later, errors].map(|list| column(list, &device));
        let output = |place: usize| self.oracle.clone().slice([0..boards, place..place + 1]);
        let said = sigmoid(self.oracle.clone());
        let missed = self.oracle.clone() - targets.clone();
        let entropies = cross_entropy(self.oracle.clone(), targets.clone()) * chances.clone();
        let misses = missed.clone() * missed.clone() * squares.clone();
        let error = later - sigmoid(output(0));
        let squared = error.clone() * error;
        let deviation = sigmoid(output(ERROR));
        let variance = (deviation.clone() * deviation.clone()).clamp(1e-6, 1.0 - 1e-6);
        let rest = variance.clone().neg().add_scalar(1.0);
        let surprise =
            squared.clone() * variance.clone().log() + squared.clone().neg().add_scalar(1.0) * rest.log();
        let loss = entropies.sum() + misses.sum() - (surprise * errors.clone()).sum();
        let slope = (variance - squared) * 2.0 / deviation.add_scalar(1.0) * errors;
        let before = Tensor::zeros([boards, ERROR], &device);
        let behind = Tensor::zeros([boards, ORACLE_ROWS - ERROR - 1], &device);
        let d_error = Tensor::cat(vec![before, slope, behind], 1);
        (loss, (said - targets) * chances + missed * squares * 2.0 + d_error)
    }

    /// Backward pass, from the gradients of Oracle's outputs and of the board layers, none where nothing reads those.
    pub(super) fn backward(
        self,
        d_oracle: Tensor<B, 2>,
        d_board_layer: Option<Tensor<B, 2>>,
        gradients: &mut Gradients<B>,
    ) {
        let TrunkPlan { boards, positions, .. } = *self.plan;
        let weights = self.weights;
        let d_hidden = gradients.layer(weights, ORACLE_LAYER, d_oracle, self.hidden);
        let d_hidden = through_clip(d_hidden, self.hidden_sums);
        let d_joined = gradients.layer(weights, JOIN_LAYER, d_hidden, self.joined);
        let part = |from: usize, to: usize| d_joined.clone().slice([0..boards, from..to]);
        let (own, others) = (part(0, EMBED), part(EMBED, 2 * EMBED));
        // The total of a position includes the own summary, which is not among the others.
        let d_total = self.plan.boards_of.of(others.clone()).select(0, self.position_of);
        let d_summary = through_clip(own - others + d_total, self.summary_sums);
        let d_global = self.plan.boards_of.of(part(2 * EMBED, JOINED)).reshape([2 * positions, GLOBAL]);
        let d_global = through_clip(d_global, self.global_sums);
        gradients.set(Block::GlobalBias, d_global.clone().sum_dim(0));
        gradients.global = Some(self.plan.global.backward.of(d_global));
        let mut d_lanes = gradients.layer(weights, EMBED_LAYER, d_summary, self.lanes.clone());
        if let Some(d_board_layer) = d_board_layer {
            let d_sums = through_clip(d_board_layer, self.board_layer_sums);
            d_lanes = d_lanes + gradients.layer(weights, BOARD_LAYER, d_sums, self.lanes);
        }
        let [_, lanes] = self.lane_sums.dims();
        let d_sums = through_clip(d_lanes.reshape([2 * boards, lanes]), self.lane_sums);
        gradients.set(Block::BoardBias, d_sums.clone().sum_dim(0));
        let narrow = weights.narrow.dims()[1];
        gradients.narrow =
            Some(self.plan.narrow.backward.of(d_sums.clone().slice([0..2 * boards, 0..narrow])));
        gradients.wide = Some(self.plan.wide.backward.of(d_sums));
    }
}
