//! Learning of the tables of rows. A batch uses few of their rows, so gradients are gathered row by row: for every
//! row the list of sums that it was added to, in order, whatever the number of threads.
//!
//! A row of the piece table is the sum of three: one of its own, one of its unit wherever it stands, one of its hex
//! whoever stands there. What is rare thus shares in what is common ("factoriser" in the literature on NNUE). The
//! three are added up when the network is used, so this costs nothing then.

use barrow_core::hex::Hex;
use barrow_nnue::format::Block;
use rayon::prelude::*;

use super::adam::{Moments, Step};
use super::params::Params;
use super::vector::add;

/// The rows that were added to each sum of a batch, sorted by row.
#[derive(Clone, Debug, Default)]
pub(super) struct Uses {
    /// For each row, where its uses begin in `sums`; one more at the end.
    starts: Vec<u32>,
    sums: Vec<u32>,
}

impl Uses {
    /// Sorts lists of rows, one for each sum, by counting.
    pub(super) fn sort<'a>(&mut self, rows: usize, lists: impl Iterator<Item = &'a [u16]> + Clone) {
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

/// Gradients of the sums of a batch: `width` numbers each, of which a table takes the first.
#[derive(Clone, Copy)]
pub(super) struct Sums<'a> {
    pub(super) gradients: &'a [f32],
    pub(super) width: usize,
}

impl Sums<'_> {
    /// Adds up the gradients of the sums that a row was added to.
    fn gather(&self, uses: &[u32], gradient: &mut [f32]) {
        gradient.fill(0.0);
        for &sum in uses {
            add(gradient, &self.gradients[sum as usize * self.width..][..gradient.len()]);
        }
    }
}

/// A table whose rows are learnt one by one.
#[derive(Clone, Debug)]
pub(super) struct Table {
    block: Block,
    columns: usize,
    moments: Moments,
}

impl Table {
    pub(super) fn new(params: &Params, block: Block) -> Table {
        let (rows, columns) = params.shape().block(block);
        Table { block, columns, moments: Moments::new(rows * columns) }
    }

    /// One step for the rows that were used.
    pub(super) fn step(&mut self, params: &mut Params, step: Step, uses: &Uses, sums: Sums<'_>) {
        let (columns, limit) = (self.columns, params.limit(self.block));
        let weights = params.block_mut(self.block).par_chunks_mut(columns);
        let moments =
            (self.moments.first.par_chunks_mut(columns), self.moments.second.par_chunks_mut(columns));
        weights.zip(moments.0).zip(moments.1).enumerate().with_min_len(256).for_each_init(
            || vec![0.0; columns],
            |gradient, (row, ((weights, first), second))| {
                let uses = uses.of(row);
                if !uses.is_empty() {
                    sums.gather(uses, gradient);
                    step.apply(weights, (first, second), gradient, limit);
                }
            },
        );
    }
}

/// The piece table with its shared parts.
#[derive(Clone, Debug)]
pub(super) struct PieceTable {
    columns: usize,
    own: (Vec<f32>, Moments),
    units: (Vec<f32>, Moments),
    places: (Vec<f32>, Moments),
    gradients: Vec<f32>,
}

impl PieceTable {
    pub(super) fn new(params: &Params) -> PieceTable {
        let (rows, columns) = params.shape().block(Block::Wide);
        let units = rows / Hex::COUNT * columns;
        let places = 2 * Hex::COUNT * columns;
        let part = |len| (vec![0.0; len], Moments::new(len));
        let own = (params.block(Block::Wide).to_vec(), Moments::new(rows * columns));
        PieceTable { columns, own, units: part(units), places: part(places), gradients: Vec::new() }
    }

    /// One step for the rows that were used and for all that share in them.
    pub(super) fn step(&mut self, params: &mut Params, step: Step, uses: &Uses, sums: Sums<'_>) {
        let (columns, limit) = (self.columns, params.limit(Block::Wide));
        let rows = self.own.0.len() / columns;
        self.gradients.resize(rows * columns, 0.0);
        rows_of(&mut self.own, columns)
            .zip(self.gradients.par_chunks_mut(columns))
            .with_min_len(64)
            .for_each(|((row, (weights, moments)), gradient)| {
                let uses = uses.of(row);
                if !uses.is_empty() {
                    sums.gather(uses, gradient);
                    step.apply(weights, moments, gradient, limit);
                }
            });
        let gradients = &self.gradients;
        let used = |row: &usize| !uses.of(*row).is_empty();
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

    /// Writes the sums of the parts into the network.
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

/// A row with its two moments.
type RowState<'a> = (&'a mut [f32], (&'a mut [f32], &'a mut [f32]));

/// The rows of a part with their numbers and moments.
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
    fn uses_are_sorted_by_row_and_in_order() {
        let lists: [&[u16]; 4] = [&[2, 0], &[], &[2], &[0, 0, 4]];
        let mut uses = Uses::default();
        uses.sort(5, lists.into_iter());
        assert_eq!((uses.of(0), uses.of(1), uses.of(2)), (&[0, 3, 3][..], &[][..], &[0, 2][..]));
        assert_eq!((uses.of(3), uses.of(4)), (&[][..], &[3][..]));
    }

    #[test]
    fn a_row_gathers_the_gradients_of_its_sums() {
        let sums = Sums { gradients: &[1.0, 2.0, 3.0, 10.0, 20.0, 30.0], width: 3 };
        let mut gradient = [9.0; 2];
        sums.gather(&[0, 1, 1], &mut gradient);
        assert!((gradient[0] - 21.0).abs() < 1e-6 && (gradient[1] - 42.0).abs() < 1e-6);
    }
}
