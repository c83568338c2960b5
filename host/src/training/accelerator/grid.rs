//! Grid of choices of different sizes, one a row, in which a softmax over the options of each choice is one over a row.

use burn_tensor::Tensor;
use burn_tensor::backend::Backend;

use super::tensors::{column, indices, log_softmax};

/// Logit of a cell without an option.
const NOWHERE: f32 = -1e30;

/// Grid of options.
#[derive(Clone, Debug, Default)]
pub(super) struct Grid {
    rows: usize,
    columns: usize,
    /// Option of each cell, counted from 1; 0 for none.
    cells: Vec<i32>,
    /// Cell of each option.
    options: Vec<i32>,
}

impl Grid {
    /// Grid of choices with so many options each; the options are counted through.
    pub(super) fn new(sizes: &[usize]) -> Grid {
        let (rows, columns) = (sizes.len(), sizes.iter().copied().max().unwrap_or(0));
        let mut grid = Grid { rows, columns, cells: vec![0; rows * columns], options: Vec::new() };
        for (row, &size) in sizes.iter().enumerate() {
            for cell in row * columns..row * columns + size {
                grid.options.push(cell as i32);
                grid.cells[cell] = grid.options.len() as i32;
            }
        }
        grid
    }

    /// Number of options.
    pub(super) fn options(&self) -> usize {
        self.options.len()
    }

    /// Logarithms of the chances of all options, from their logits; both are one column.
    pub(super) fn log_chances<B: Backend>(&self, logits: Tensor<B, 2>) -> Tensor<B, 2> {
        let device = logits.device();
        let cells = Tensor::cat(vec![column(&[NOWHERE], &device), logits], 0);
        let cells = cells.select(0, indices(&self.cells, &device)).reshape([self.rows, self.columns]);
        let logs = log_softmax(cells).reshape([self.rows * self.columns, 1]);
        logs.select(0, indices(&self.options, &device))
    }
}
