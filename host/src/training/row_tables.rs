//! Training of feature tables. A batch uses few rows of a table, so the gradient of a row is gathered from the sums to
//! which the row was added, in a fixed order on any number of threads.
//!
//! A row of the piece table is factorised during training: the sum of a row of its own, a row of the unit type on any
//! hex, and a row of the hex with any unit type. Rare rows thus profit from frequent ones (a "factoriser" in the
//! literature on NNUE). The network holds the sums of the three, so its evaluation costs the same.

use barrow_core::hex::Hex;
use barrow_nnue::format::Block;
use rayon::prelude::*;

use super::adam::{AdamStep, Moments};
use super::params::Params;
use super::vector::add;

/// Learning rate of narrow and global features relative to all other parameters. Most of these features are so rare
/// that large steps make them noisy, and noise adds to the overflow bounds.
pub(super) const RARE_FEATURE_RATE: f32 = 0.3;

/// Occurrences of feature rows in a batch: for every row, the sums to which it was added, in order.
#[derive(Clone, Debug, Default)]
pub(super) struct RowOccurrences {
    /// Start of each row's occurrences in `sums`, and the end of the last.
    starts: Vec<u32>,
    sums: Vec<u32>,
}

impl RowOccurrences {
    /// Fills the occurrences from lists of rows, one list for each sum, by a counting sort.
    pub(super) fn fill<'a>(&mut self, rows: usize, lists: impl Iterator<Item = &'a [u16]> + Clone) {
        self.starts.clear();
        self.starts.resize(rows + 1, 0);
        for &row in lists.clone().flatten() {
            self.starts[usize::from(row) + 1] += 1;
        }
        for row in 0..rows {
            self.starts[row + 1] += self.starts[row];
        }
        self.sums.clear();
        self.sums.resize(self.starts[rows] as usize, 0);
        let mut next = self.starts.clone();
        for (sum, list) in lists.enumerate() {
            for &row in list {
                let place = &mut next[usize::from(row)];
                self.sums[*place as usize] = sum as u32;
                *place += 1;
            }
        }
    }

    fn of(&self, row: usize) -> &[u32] {
        &self.sums[self.starts[row] as usize..self.starts[row + 1] as usize]
    }
}

/// Gradients of the sums of a batch: `width` numbers for each sum, of which a table uses the first.
#[derive(Clone, Copy)]
pub(super) struct SumGradients<'a> {
    pub(super) gradients: &'a [f32],
    pub(super) width: usize,
}

impl SumGradients<'_> {
    /// Gradient of a row: the total of the gradients of the sums in which the row occurs.
    fn gather(&self, occurrences: &[u32], gradient: &mut [f32]) {
        gradient.fill(0.0);
        for &sum in occurrences {
            add(gradient, &self.gradients[sum as usize * self.width..][..gradient.len()]);
        }
    }
}

/// Feature table whose rows are trained independently.
#[derive(Clone, Debug)]
pub(super) struct RowTable {
    block: Block,
    columns: usize,
    moments: Moments,
}

impl RowTable {
    pub(super) fn new(params: &Params, block: Block) -> RowTable {
        let (rows, columns) = params.shape().block(block);
        RowTable { block, columns, moments: Moments::new(rows * columns) }
    }

    /// Moments of all rows.
    pub(super) fn moments(&self) -> &Moments {
        &self.moments
    }

    /// Mutable moments of all rows.
    pub(super) fn moments_mut(&mut self) -> &mut Moments {
        &mut self.moments
    }

    /// Takes one step of Adam on the rows that occur.
    pub(super) fn step(
        &mut self,
        params: &mut Params,
        step: AdamStep,
        occurrences: &RowOccurrences,
        sums: SumGradients<'_>,
    ) {
        let (columns, limit) = (self.columns, params.limit(self.block));
        let weights = params.block_mut(self.block).par_chunks_mut(columns);
        let moments =
            (self.moments.first.par_chunks_mut(columns), self.moments.second.par_chunks_mut(columns));
        weights.zip(moments.0).zip(moments.1).enumerate().with_min_len(256).for_each_init(
            || vec![0.0; columns],
            |gradient, (row, ((weights, first), second))| {
                let occurrences = occurrences.of(row);
                if !occurrences.is_empty() {
                    sums.gather(occurrences, gradient);
                    step.apply(weights, (first, second), gradient, limit);
                }
            },
        );
    }
}

/// Piece table with the factors of its rows, each with its moments.
#[derive(Clone, Debug)]
pub(super) struct FactorisedTable {
    columns: usize,
    /// Rows of their own, one for each unit type on each hex.
    own: (Vec<f32>, Moments),
    /// Rows of unit types of each side on any hex.
    units: (Vec<f32>, Moments),
    /// Rows of hexes with any unit type of each side.
    places: (Vec<f32>, Moments),
    /// Gradients of all rows, valid for rows that occur in the present batch.
    gradients: Vec<f32>,
}

impl FactorisedTable {
    pub(super) fn new(params: &Params) -> FactorisedTable {
        let (rows, columns) = params.shape().block(Block::Wide);
        let units = rows / Hex::COUNT * columns;
        let places = 2 * Hex::COUNT * columns;
        let part = |len| (vec![0.0; len], Moments::new(len));
        let own = (params.block(Block::Wide).to_vec(), Moments::new(rows * columns));
        FactorisedTable { columns, own, units: part(units), places: part(places), gradients: Vec::new() }
    }

    /// Factors and their moments, as lists in a fixed order.
    pub(super) fn numbers(&self) -> impl Iterator<Item = &[f32]> {
        let parts = [&self.own, &self.units, &self.places];
        parts.into_iter().flat_map(|(weights, moments)| [&weights[..], &moments.first, &moments.second])
    }

    /// Factors and their moments to be written to, in the order of [`FactorisedTable::numbers`].
    pub(super) fn numbers_mut(&mut self) -> impl Iterator<Item = &mut [f32]> {
        let parts = [&mut self.own, &mut self.units, &mut self.places];
        parts.into_iter().flat_map(|(weights, moments)| {
            [&mut weights[..], &mut moments.first[..], &mut moments.second[..]]
        })
    }

    /// Takes one step of Adam on the rows that occur and on the factors that they share.
    pub(super) fn step(
        &mut self,
        params: &mut Params,
        step: AdamStep,
        occurrences: &RowOccurrences,
        sums: SumGradients<'_>,
    ) {
        let (columns, limit) = (self.columns, params.limit(Block::Wide));
        let rows = self.own.0.len() / columns;
        self.gradients.resize(rows * columns, 0.0);
        rows_of(&mut self.own, columns)
            .zip(self.gradients.par_chunks_mut(columns))
            .with_min_len(64)
            .for_each(|((row, (weights, moments)), gradient)| {
                let occurrences = occurrences.of(row);
                if !occurrences.is_empty() {
                    sums.gather(occurrences, gradient);
                    step.apply(weights, moments, gradient, limit);
                }
            });
        let gradients = &self.gradients;
        let used = |row: &usize| !occurrences.of(*row).is_empty();
        let shared = |gradient: &mut [f32], rows: &mut dyn Iterator<Item = usize>| {
            let mut any = false;
            for row in rows {
                add(gradient, &gradients[row * columns..][..columns]);
                any = true;
            }
            any
        };
        rows_of(&mut self.units, columns).for_each(|(unit, (weights, moments))| {
            let mut gradient = vec![0.0; columns];
            let rows = unit * Hex::COUNT..(unit + 1) * Hex::COUNT;
            if shared(&mut gradient, &mut rows.filter(used)) {
                step.apply(weights, moments, &gradient, limit);
            }
        });
        let half = rows / 2;
        rows_of(&mut self.places, columns).for_each(|(place, (weights, moments))| {
            let mut gradient = vec![0.0; columns];
            let (owner, hex) = (place / Hex::COUNT, place % Hex::COUNT);
            let rows = (owner * half + hex..(owner + 1) * half).step_by(Hex::COUNT);
            if shared(&mut gradient, &mut rows.filter(used)) {
                step.apply(weights, moments, &gradient, limit);
            }
        });
        self.merge(params);
    }

    /// Writes the sums of the factors into the parameters.
    fn merge(&self, params: &mut Params) {
        let (columns, limit) = (self.columns, params.limit(Block::Wide));
        let half = self.own.0.len() / columns / 2;
        params.block_mut(Block::Wide).par_chunks_mut(columns).enumerate().with_min_len(64).for_each(
            |(row, weights)| {
                let unit = &self.units.0[row / Hex::COUNT * columns..][..columns];
                let place = row / half * Hex::COUNT + row % Hex::COUNT;
                let place = &self.places.0[place * columns..][..columns];
                let own = &self.own.0[row * columns..][..columns];
                for (((weight, own), unit), place) in weights.iter_mut().zip(own).zip(unit).zip(place) {
                    *weight = (own + unit + place).clamp(-limit, limit);
                }
            },
        );
    }
}

/// Row with its first and second moments.
type RowState<'a> = (&'a mut [f32], (&'a mut [f32], &'a mut [f32]));

/// Rows of a table with their numbers and moments.
fn rows_of(
    (weights, moments): &mut (Vec<f32>, Moments),
    columns: usize,
) -> impl IndexedParallelIterator<Item = (usize, RowState<'_>)> {
    let first = moments.first.par_chunks_mut(columns);
    let moments = first.zip(moments.second.par_chunks_mut(columns));
    weights.par_chunks_mut(columns).zip(moments).enumerate()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn occurrences_are_sorted_by_row_and_in_order() {
        let lists: [&[u16]; 4] = [&[2, 0], &[], &[2], &[0, 0, 4]];
        let mut occurrences = RowOccurrences::default();
        occurrences.fill(5, lists.into_iter());
        assert_eq!(
            (occurrences.of(0), occurrences.of(1), occurrences.of(2)),
            (&[0, 3, 3][..], &[][..], &[0, 2][..])
        );
        assert_eq!((occurrences.of(3), occurrences.of(4)), (&[][..], &[3][..]));
    }

    #[test]
    fn a_row_gathers_the_gradients_of_its_sums() {
        let sums = SumGradients { gradients: &[1.0, 2.0, 3.0, 10.0, 20.0, 30.0], width: 3 };
        let mut gradient = [9.0; 2];
        sums.gather(&[0, 1, 1], &mut gradient);
        assert!((gradient[0] - 21.0).abs() < 1e-6 && (gradient[1] - 42.0).abs() < 1e-6);
    }
}
