//! Forward and backward pass of Death Prophet, its modes and Dark Seer for a batch at once. The formulas are those of
//! `prophet_loss.rs`, `modes.rs` and `seer_losses.rs`.

use barrow_nnue::format::Block;
use burn_tensor::activation::sigmoid;
use burn_tensor::backend::Backend;
use burn_tensor::{IndexingUpdateOp, Tensor};

use super::lists::{Lists, Sums};
use super::tensors::{column, cross_entropy, indices, log_softmax};
use super::term_plan::{Columns, ModesPlan, PROPHET_TERMS, SEER_TERMS, SeerPlan, TermPlan};
use super::weights::{Gradients, Weights};

/// Losses and gradient of a batch.
pub(super) struct HeadsLoss<B: Backend> {
    /// Losses of Death Prophet, of its modes and of Dark Seer; none where nothing is asked.
    pub(super) losses: [Option<Tensor<B, 1>>; 3],
    /// Gradient of the board layers of all boards.
    pub(super) d_board_layer: Tensor<B, 2>,
}

/// Losses of the heads on board layers, one row a board. Sets the gradients of the heads' weights.
pub(super) fn learn<B: Backend>(
    plan: &TermPlan,
    weights: &Weights<B>,
    board_layer: Tensor<B, 2>,
    gradients: &mut Gradients<B>,
) -> HeadsLoss<B> {
    let device = board_layer.device();
    let layer = board_layer.select(0, indices(&plan.asked, &device));
    let (asked, neurons) = (plan.asked.len(), layer.dims()[1]);
    let blocks: Vec<[Block; 2]> =
        Columns::BLOCKS.into_iter().filter(|[block, _]| weights.places.shape().len(*block) > 0).collect();
    let mut rows: Vec<_> = blocks.iter().map(|[block, _]| weights.of(*block)).collect();
    rows.push(Tensor::zeros([1, neurons], &device));
    let mut bias: Vec<_> = blocks.iter().map(|[_, bias]| weights.of(*bias)).collect();
    bias.push(Tensor::zeros([1, 1], &device));
    let rows = Tensor::cat(rows, 0);
    let terms = layer.clone().matmul(rows.clone().transpose()) + Tensor::cat(bias, 1);
    let terms = terms.reshape([asked * plan.columns.len, 1]);

    let mut parts = Vec::new();
    let mut losses = [const { None }; 3];
    if !plan.prophet.targets.is_empty() {
        let logits = sums_of(&terms, &plan.prophet.terms, PROPHET_TERMS);
        let targets = column(&plan.prophet.targets, &device);
        parts.push((sigmoid(logits.clone()) - targets.clone()) * plan.prophet_weight);
        losses[0] = Some(cross_entropy(logits.clone(), targets).sum() * plan.prophet_weight);
        if !plan.modes.weights.is_empty() {
            let (loss, d_logits, d_shares) = learn_modes(&plan.modes, &terms, logits);
            parts.extend([d_logits, d_shares]);
            losses[1] = Some(loss);
        }
    }
    if plan.choices.options() > 0 {
        let (loss, d_options) = learn_choices(plan, weights, &terms, gradients);
        parts.push(d_options);
        losses[2] = Some(loss);
    }
    let d_read = plan.readers.of(Tensor::cat(parts, 0));
    let read = indices(&plan.read, &device).reshape([plan.read.len(), 1]);
    let d_terms = Tensor::<B, 2>::zeros([asked * plan.columns.len, 1], &device);
    let d_terms = d_terms.scatter_nd(read, d_read, IndexingUpdateOp::Add).reshape([asked, plan.columns.len]);

    let d_rows = d_terms.clone().transpose().matmul(layer);
    let d_bias = d_terms.clone().sum_dim(0);
    let mut first = 0;
    for [block, bias] in blocks {
        let end = first + weights.places.shape().block(block).0;
        gradients.set(block, d_rows.clone().slice([first..end, 0..neurons]));
        gradients.set(bias, d_bias.clone().slice([0..1, first..end]));
        first = end;
    }
    let d_layer = Tensor::cat(vec![Tensor::zeros([1, neurons], &device), d_terms.matmul(rows)], 0);
    HeadsLoss { losses, d_board_layer: d_layer.select(0, indices(&plan.place_of, &device)) }
}

/// Sums of so many terms each.
fn sums_of<B: Backend>(terms: &Tensor<B, 2>, places: &[i32], each: usize) -> Tensor<B, 2> {
    let gathered = terms.clone().select(0, indices(places, &terms.device()));
    gathered.reshape([places.len() / each, each]).sum_dim(1)
}

/// Loss of the modes, and the gradients of their logits and of those of their shares. The logits without a mode are taken as
/// given.
fn learn_modes<B: Backend>(
    plan: &ModesPlan,
    terms: &Tensor<B, 2>,
    marginals: Tensor<B, 2>,
) -> (Tensor<B, 1>, Tensor<B, 2>, Tensor<B, 2>) {
    let device = terms.device();
    let (modes, outputs, boards) = (plan.modes, plan.marginals.len(), plan.shares.len() / plan.modes);
    let weights = column(&plan.weights, &device);
    let shares = terms.clone().select(0, indices(&plan.shares, &device)).reshape([boards, modes]);
    let shares = log_softmax(shares);
    let board_of = indices(&plan.boards, &device);
    let own = sums_of(terms, &plan.terms, PROPHET_TERMS).reshape([outputs, modes]);
    let logits = own + marginals.select(0, indices(&plan.marginals, &device));
    let logits = logits.select(0, indices(&plan.cell_outputs, &device));
    let truths = column(&plan.truths, &device);
    let unlikely = cross_entropy(logits.clone(), truths.clone());
    let unlikely = sums_by(&plan.cell_attacks, plan.boards.len()).of(unlikely);
    let after = shares.clone().select(0, board_of.clone()) - unlikely;
    let most = after.clone().max_dim(1);
    let all = (after.clone() - most.clone()).exp().sum_dim(1).log() + most;
    let loss = (all.clone() * weights.clone()).sum().neg();
    let after = (after - all).exp();
    let d_shares = (shares.exp().select(0, board_of) - after.clone()) * weights.clone();
    let d_shares = sums_by(&plan.boards, boards).of(d_shares).reshape([boards * modes, 1]);
    let weighed = (after * weights).select(0, indices(&plan.cell_attacks, &device));
    let d_logits = sums_by(&plan.cell_outputs, outputs).of((sigmoid(logits) - truths) * weighed);
    let d_logits = d_logits.reshape([outputs * modes, 1]);
    (loss, d_logits, d_shares)
}

/// Loss of Dark Seer, and the gradient of the logits of its options. Sets the gradients of the factors.
fn learn_choices<B: Backend>(
    plan: &TermPlan,
    weights: &Weights<B>,
    terms: &Tensor<B, 2>,
    gradients: &mut Gradients<B>,
) -> (Tensor<B, 1>, Tensor<B, 2>) {
    let device = terms.device();
    let SeerPlan { terms: places, hands, shares, pairs, .. } = &plan.seer;
    let factors = [Block::SeerHexes, Block::SeerUnits].map(|block| {
        let rows = weights.of(block);
        let none = Tensor::zeros([1, rows.dims()[1]], &device);
        Tensor::cat(vec![none, rows], 0)
    });
    let [hexes, units] = factors;
    let rows = [hexes.dims()[0], units.dims()[0]];
    let hexes = hexes.select(0, indices(&pairs[0], &device));
    let units = units.select(0, indices(&pairs[1], &device));
    let wish = sums_of(terms, places, SEER_TERMS) + (hexes.clone() * units.clone()).sum_dim(1);
    let logs = plan.choices.log_chances(wish + column(hands, &device));
    let shares = column(shares, &device);
    let loss = (logs.clone() * shares.clone()).sum() * -plan.seer_weight;
    let d_options = (logs.exp() - shares) * plan.seer_weight;
    let blocks = [(Block::SeerHexes, units), (Block::SeerUnits, hexes)];
    for (((block, others), places), rows) in blocks.into_iter().zip(pairs).zip(rows) {
        let columns = others.dims()[1];
        let sums = sums_by(places, rows).of(others * d_options.clone());
        gradients.set(block, sums.slice([1..rows, 0..columns]));
    }
    (loss, d_options)
}

/// Sums of the rows that belong to the same of `groups` groups.
fn sums_by(group_of: &[i32], groups: usize) -> Sums {
    let mut lists = Lists::default();
    for &group in group_of {
        lists.push([group as usize]);
    }
    Sums::new(&lists.inverse(groups))
}
