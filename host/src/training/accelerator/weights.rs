//! Weights of a network and their gradients as tensors: one for each feature table, and one row for all layers.

use barrow_nnue::format::Block;
use burn_tensor::Tensor;
use burn_tensor::backend::Backend;

use crate::training::params::{BLOCKS, NetworkShape, is_table};

/// Places of the blocks of all layers in one row, in the order of a network file.
#[derive(Clone, Copy, Debug)]
pub(super) struct LayerPlaces {
    shape: NetworkShape,
    starts: [usize; BLOCKS],
}

impl LayerPlaces {
    /// Places for networks of this shape.
    pub(super) fn new(shape: &NetworkShape) -> LayerPlaces {
        let (mut starts, mut len) = ([0; BLOCKS], 0);
        for block in Block::ALL.into_iter().filter(|&block| !is_table(block)) {
            starts[block as usize] = len;
            len += shape.len(block);
        }
        LayerPlaces { shape: *shape, starts }
    }

    /// Shape of the network.
    pub(super) fn shape(&self) -> &NetworkShape {
        &self.shape
    }
}

/// Weights of a network.
#[derive(Clone, Debug)]
pub(super) struct Weights<B: Backend> {
    pub(super) wide: Tensor<B, 2>,
    pub(super) narrow: Tensor<B, 2>,
    pub(super) global: Tensor<B, 2>,
    /// Weights of all layers as one row.
    pub(super) layers: Tensor<B, 2>,
    pub(super) places: LayerPlaces,
}

impl<B: Backend> Weights<B> {
    /// Weights of a block of a layer.
    pub(super) fn of(&self, block: Block) -> Tensor<B, 2> {
        let (rows, columns) = self.places.shape.block(block);
        let start = self.places.starts[block as usize];
        self.layers.clone().slice([0..1, start..start + rows * columns]).reshape([rows, columns])
    }

    /// Sums of a layer for inputs, one row each.
    pub(super) fn layer(&self, [weights, bias]: [Block; 2], inputs: Tensor<B, 2>) -> Tensor<B, 2> {
        inputs.matmul(self.of(weights).transpose()) + self.of(bias)
    }
}

/// Gradients of the weights of a network.
#[derive(Clone, Debug)]
pub(super) struct Gradients<B: Backend> {
    /// Gradients of the tables, none where nothing reads them.
    pub(super) wide: Option<Tensor<B, 2>>,
    pub(super) narrow: Option<Tensor<B, 2>>,
    pub(super) global: Option<Tensor<B, 2>>,
    layers: Vec<Option<Tensor<B, 2>>>,
}

impl<B: Backend> Gradients<B> {
    /// Gradients of which none is known yet.
    pub(super) fn new() -> Gradients<B> {
        Gradients { wide: None, narrow: None, global: None, layers: vec![None; BLOCKS] }
    }

    /// Sets the gradient of a block of a layer.
    pub(super) fn set(&mut self, block: Block, gradient: Tensor<B, 2>) {
        self.layers[block as usize] = Some(gradient);
    }

    /// Sets the gradients of a layer's weights and bias, from those of its sums and from its inputs. Returns the gradient
    /// of the inputs.
    pub(super) fn layer(
        &mut self,
        weights: &Weights<B>,
        blocks: [Block; 2],
        d_sums: Tensor<B, 2>,
        inputs: Tensor<B, 2>,
    ) -> Tensor<B, 2> {
        self.set(blocks[0], d_sums.clone().transpose().matmul(inputs));
        self.set(blocks[1], d_sums.clone().sum_dim(0));
        d_sums.matmul(weights.of(blocks[0]))
    }

    /// Gradients of all layers as one row; 0 for blocks without one.
    pub(super) fn layers(self, places: &LayerPlaces, device: &B::Device) -> Tensor<B, 2> {
        let blocks = Block::ALL.into_iter().filter(|&block| !is_table(block) && places.shape.len(block) > 0);
        let row = |block: Block| {
            let len = places.shape.len(block);
            match &self.layers[block as usize] {
                Some(gradient) => gradient.clone().reshape([1, len]),
                None => Tensor::zeros([1, len], device),
            }
        };
        Tensor::cat(blocks.map(row).collect(), 1)
    }
}
