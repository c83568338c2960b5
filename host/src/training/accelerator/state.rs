//! Numbers of a trainer as tensors: weights with their moments, the factors of the piece table, the running mean; and steps
//! of Adam on them. The formulas are those of `adam.rs` and `row_tables.rs`.

use barrow_core::hex::Hex;
use barrow_nnue::format::Block;
use burn_tensor::Tensor;
use burn_tensor::backend::Backend;

use super::tensors::{column, matrix, numbers};
use super::trunk_plan::TrunkPlan;
use super::weights::{Gradients, LayerPlaces, Weights};
use crate::training::adam::{AdamStep, BETA1, BETA2, EPSILON};
use crate::training::params::{NetworkShape, Params, is_table};
use crate::training::row_tables::RARE_FEATURE_RATE;

/// Weights with their moments.
#[derive(Clone, Debug)]
struct Learnt<B: Backend> {
    weights: Tensor<B, 2>,
    first: Tensor<B, 2>,
    second: Tensor<B, 2>,
}

impl<B: Backend> Learnt<B> {
    /// Step of Adam on the weights whose `used` is 1; the others and their moments stay as they are. Weights are clamped
    /// to `limits`, both ways.
    fn step(&mut self, step: AdamStep, gradient: Tensor<B, 2>, used: &Tensor<B, 2>, limits: &Tensor<B, 2>) {
        // Where the gradient is not used it is 0.
        self.first =
            self.first.clone() * (used.clone() * (BETA1 - 1.0) + 1.0) + gradient.clone() * (1.0 - BETA1);
        self.second = self.second.clone() * (used.clone() * (BETA2 - 1.0) + 1.0)
            + gradient.clone() * gradient * (1.0 - BETA2);
        let spread = (self.second.clone() * step.second_correction).sqrt() + EPSILON;
        let moved = self.weights.clone() - self.first.clone() * step.rate / spread;
        let moved = moved.min_pair(limits.clone()).max_pair(limits.clone().neg());
        self.weights = moved * used.clone() + self.weights.clone() * (used.clone().neg() + 1.0);
    }
}

/// Numbers of a trainer.
pub(super) struct State<B: Backend> {
    /// Weights of the network; those of the piece table are sums of the three factors.
    pub(super) weights: Weights<B>,
    own: Learnt<B>,
    units: Learnt<B>,
    hexes: Learnt<B>,
    narrow: Learnt<B>,
    global: Learnt<B>,
    layers: Learnt<B>,
    /// Largest absolute weights: of the three tables, and of each weight of the layers.
    table_limits: [f32; 3],
    layer_limits: Tensor<B, 2>,
    /// Running mean of the weights, and its decay.
    average: Option<(Weights<B>, f32)>,
}

impl<B: Backend> State<B> {
    /// State of these numbers of a trainer, whose running mean has the decay `average` if it has one.
    pub(super) fn new(
        shape: &NetworkShape,
        lists: &[&[f32]],
        average: Option<f32>,
        device: &B::Device,
    ) -> State<B> {
        let mut lists = lists.iter().copied();
        let mut take = |count: usize| -> Vec<&[f32]> { lists.by_ref().take(count).collect() };
        let places = LayerPlaces::new(shape);
        let row = |lists: &[&[f32]]| matrix(&layers_of(lists), 1, device);
        let table = |list: &[f32], columns: usize| matrix(list, list.len() / columns, device);
        let tables = [Block::Wide, Block::Narrow, Block::Global];
        let columns = tables.map(|block| shape.block(block).1);
        let weights = |lists: &[&[f32]]| {
            let [wide, narrow, global] =
                [0, 1, 2].map(|place| table(lists[tables[place] as usize], columns[place]));
            Weights { wide, narrow, global, layers: row(lists), places }
        };
        let (params, blocks) = (take(Block::ALL.len()), Block::ALL.len());
        let network = weights(&params);
        let average = average.map(|decay| (weights(&take(blocks)), decay));
        let factor = |lists: Vec<&[f32]>| {
            let [weights, first, second] = [0, 1, 2].map(|place| table(lists[place], columns[0]));
            Learnt { weights, first, second }
        };
        let [own, units, hexes] = [(); 3].map(|()| factor(take(3)));
        let with = |weights: &Tensor<B, 2>, lists: Vec<&[f32]>, columns| {
            let [first, second] = [0, 1].map(|place| table(lists[place], columns));
            Learnt { weights: weights.clone(), first, second }
        };
        let narrow = with(&network.narrow, take(2), columns[1]);
        let global = with(&network.global, take(2), columns[2]);
        let moments = take(2 * blocks);
        let moments = [0, 1].map(|which| {
            let lists: Vec<&[f32]> = moments.iter().copied().skip(which).step_by(2).collect();
            row(&lists)
        });
        let [first, second] = moments;
        let layers = Learnt { weights: network.layers.clone(), first, second };
        let limits = Params::without_tables(shape);
        let table_limits = tables.map(|block| limits.limit(block));
        let each: Vec<Vec<f32>> =
            Block::ALL.into_iter().map(|block| vec![limits.limit(block); shape.len(block)]).collect();
        let each: Vec<&[f32]> = each.iter().map(Vec::as_slice).collect();
        let layer_limits = row(&each);
        State {
            weights: network,
            own,
            units,
            hexes,
            narrow,
            global,
            layers,
            table_limits,
            layer_limits,
            average,
        }
    }

    /// Step of Adam number `count` at this rate.
    pub(super) fn step(&mut self, plan: &TrunkPlan, gradients: Gradients<B>, rate: f32, count: u32) {
        let device = self.layers.weights.device();
        let (step, slow) = (AdamStep::new(rate, count), AdamStep::new(RARE_FEATURE_RATE * rate, count));
        let [wide_limit, narrow_limit, global_limit] =
            self.table_limits.map(|limit| matrix::<B>(&[limit], 1, &device));
        if let Some(gradient) = &gradients.wide {
            self.step_pieces(step, gradient.clone(), &column(&plan.wide.used, &device), &wide_limit);
        }
        if let Some(gradient) = &gradients.narrow {
            let used = column(&plan.narrow.used, &device);
            self.narrow.step(slow, gradient.clone(), &used, &narrow_limit);
            self.weights.narrow = self.narrow.weights.clone();
        }
        if let Some(gradient) = &gradients.global {
            let used = column(&plan.global.used, &device);
            self.global.step(slow, gradient.clone(), &used, &global_limit);
            self.weights.global = self.global.weights.clone();
        }
        let gradient = gradients.layers(&self.weights.places, &device);
        let all = matrix(&[1.0], 1, &device);
        self.layers.step(step, gradient, &all, &self.layer_limits);
        self.weights.layers = self.layers.weights.clone();
        if let Some((average, decay)) = &mut self.average {
            // The first parameters are forgotten faster, as by the trainer.
            let steps = count as f32;
            average.approach(&self.weights, 1.0 - decay.min((1.0 + steps) / (10.0 + steps)));
        }
    }

    /// Step on the factors of the piece table, which the weights become the sums of. A row is that of a unit type of a side
    /// on a hex.
    fn step_pieces(
        &mut self,
        step: AdamStep,
        gradient: Tensor<B, 2>,
        used: &Tensor<B, 2>,
        limit: &Tensor<B, 2>,
    ) {
        let [rows, columns] = gradient.dims();
        let units = rows / (2 * Hex::COUNT);
        let by_unit = gradient.clone().reshape([2 * units, Hex::COUNT, columns]).sum_dim(1);
        let by_hex = gradient.clone().reshape([2, units, Hex::COUNT * columns]).sum_dim(1);
        let used_units = used.clone().reshape([2 * units, Hex::COUNT]).max_dim(1);
        let used_hexes = used.clone().reshape([2, units, Hex::COUNT]).max_dim(1).reshape([2 * Hex::COUNT, 1]);
        self.own.step(step, gradient, used, limit);
        self.units.step(step, by_unit.reshape([2 * units, columns]), &used_units, limit);
        self.hexes.step(step, by_hex.reshape([2 * Hex::COUNT, columns]), &used_hexes, limit);
        let own = self.own.weights.clone().reshape([2, units, Hex::COUNT, columns]);
        let of_units = self.units.weights.clone().reshape([2, units, 1, columns]);
        let of_hexes = self.hexes.weights.clone().reshape([2, 1, Hex::COUNT, columns]);
        let sums = (own + of_units + of_hexes).reshape([rows, columns]);
        self.weights.wide = sums.clamp(-self.table_limits[0], self.table_limits[0]);
    }

    /// Writes all numbers into the lists that [`State::new`] reads; those that are empty are passed over.
    pub(super) fn store(&self, lists: Vec<&mut [f32]>) {
        let mut lists = lists.into_iter();
        let mut write = |tensor: &Tensor<B, 2>| {
            if let Some(list) = lists.by_ref().find(|list| !list.is_empty()) {
                list.copy_from_slice(&numbers(tensor.clone()));
            }
        };
        let network = |weights: &Weights<B>, write: &mut dyn FnMut(&Tensor<B, 2>)| {
            for block in Block::ALL.into_iter().filter(|&block| weights.places.shape().len(block) > 0) {
                match block {
                    Block::Wide => write(&weights.wide),
                    Block::Narrow => write(&weights.narrow),
                    Block::Global => write(&weights.global),
                    _ => write(&weights.of(block)),
                }
            }
        };
        network(&self.weights, &mut write);
        if let Some((average, _)) = &self.average {
            network(average, &mut write);
        }
        for Learnt { weights, first, second } in [&self.own, &self.units, &self.hexes] {
            [weights, first, second].into_iter().for_each(&mut write);
        }
        for Learnt { first, second, .. } in [&self.narrow, &self.global] {
            [first, second].into_iter().for_each(&mut write);
        }
        let moments = [&self.layers.first, &self.layers.second]
            .map(|layers| Weights { layers: layers.clone(), ..self.weights.clone() });
        let shape = self.weights.places.shape();
        for block in Block::ALL.into_iter().filter(|&block| !is_table(block) && shape.len(block) > 0) {
            for moments in &moments {
                write(&moments.of(block));
            }
        }
    }
}

impl<B: Backend> Weights<B> {
    /// Moves every weight by a share of its difference towards that of another network.
    fn approach(&mut self, other: &Weights<B>, share: f32) {
        let nearer =
            |own: &Tensor<B, 2>, other: &Tensor<B, 2>| own.clone() + (other.clone() - own.clone()) * share;
        self.wide = nearer(&self.wide, &other.wide);
        self.narrow = nearer(&self.narrow, &other.narrow);
        self.global = nearer(&self.global, &other.global);
        self.layers = nearer(&self.layers, &other.layers);
    }
}

/// Blocks of the layers out of lists of all blocks, as one list.
fn layers_of(lists: &[&[f32]]) -> Vec<f32> {
    let blocks = Block::ALL.into_iter().filter(|&block| !is_table(block));
    blocks.flat_map(|block| lists[block as usize].iter().copied()).collect()
}
