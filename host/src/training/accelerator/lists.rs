//! Sums of lists of rows, as a tensor computes them: the rows of a list are gathered in groups of fixed width, each group
//! is summed, and so are the groups of a list, until one row is left of every list (an "embedding bag"). The order of the
//! additions is fixed. Gradients are sums of lists too, of the inverse lists, so that nothing is ever scattered onto the
//! same place twice.

use std::ops::Range;

use burn_tensor::Tensor;
use burn_tensor::backend::Backend;

use super::tensors::indices;

/// Rows of a group. Groups are filled up with a row of zeros.
const GROUP: usize = 8;

/// Lists of places in another list.
#[derive(Clone, Debug, Default)]
pub(super) struct Lists {
    /// End of each list in `places`.
    ends: Vec<u32>,
    places: Vec<u32>,
}

impl Lists {
    /// Adds a list.
    pub(super) fn push(&mut self, places: impl IntoIterator<Item = usize>) {
        self.places.extend(places.into_iter().map(|place| place as u32));
        self.ends.push(self.places.len() as u32);
    }

    /// Number of lists.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The lists in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &[u32]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.places[start as usize..end as usize])
    }

    /// Inverse lists: for each of `places` places, the numbers of the lists that it is in, in order, as often as it is in
    /// them.
    pub(super) fn inverse(&self, places: usize) -> Lists {
        let mut ends = vec![0; places + 1];
        for &place in &self.places {
            ends[place as usize + 1] += 1;
        }
        for place in 0..places {
            ends[place + 1] += ends[place];
        }
        let mut next = ends.clone();
        let mut numbers = vec![0; self.places.len()];
        for (number, list) in self.iter().enumerate() {
            for &place in list {
                let slot = &mut next[place as usize];
                numbers[*slot as usize] = number as u32;
                *slot += 1;
            }
        }
        ends.remove(0);
        Lists { ends, places: numbers }
    }

    /// 1 for each list that is not empty, 0 for the others.
    pub(super) fn used(&self) -> Vec<f32> {
        self.iter().map(|list| if list.is_empty() { 0.0 } else { 1.0 }).collect()
    }
}

/// Plan of the sums of lists.
#[derive(Clone, Debug)]
pub(super) struct Sums {
    /// Groups of each round, one behind the other; 0 is the row of zeros, other places are counted from 1, in the first
    /// round among the rows, later among all sums so far.
    rounds: Vec<Vec<i32>>,
    /// Place of each list's sum among all sums.
    results: Vec<i32>,
}

impl Sums {
    /// Plan for these lists.
    pub(super) fn new(lists: &Lists) -> Sums {
        let mut plan = Sums { rounds: Vec::new(), results: vec![0; lists.len()] };
        let (mut round, mut sums) = (Vec::new(), 0);
        // Lists that are not done, with the places of their sums so far.
        let mut open = Vec::new();
        for (number, list) in lists.iter().enumerate() {
            let places = add_groups(&mut round, &mut sums, list.iter().map(|&place| place as i32 + 1));
            plan.note(number, places, &mut open);
        }
        while !round.is_empty() {
            plan.rounds.push(std::mem::take(&mut round));
            for (number, places) in std::mem::take(&mut open) {
                let places = add_groups(&mut round, &mut sums, places);
                plan.note(number, places, &mut open);
            }
        }
        plan
    }

    /// Notes the places of the sums of a list, which is done when there is but one.
    fn note(&mut self, list: usize, places: Range<i32>, open: &mut Vec<(usize, Range<i32>)>) {
        if places.len() > 1 {
            open.push((list, places));
        } else if !places.is_empty() {
            self.results[list] = places.start;
        }
    }

    /// Sum of each list of rows; zeros for an empty list.
    pub(super) fn of<B: Backend>(&self, rows: Tensor<B, 2>) -> Tensor<B, 2> {
        let (device, [_, columns]) = (rows.device(), rows.dims());
        let zero = Tensor::zeros([1, columns], &device);
        let mut source = Tensor::cat(vec![zero.clone(), rows], 0);
        let mut all = zero;
        for round in &self.rounds {
            let groups = source.select(0, indices(round, &device));
            let sums = groups.reshape([round.len() / GROUP, GROUP, columns]).sum_dim(1);
            all = Tensor::cat(vec![all, sums.reshape([round.len() / GROUP, columns])], 0);
            source = all.clone();
        }
        all.select(0, indices(&self.results, &device))
    }
}

/// Adds places to a round in groups. Returns the places of the sums of these groups, of which there were `sums` before.
fn add_groups(
    round: &mut Vec<i32>,
    sums: &mut i32,
    places: impl ExactSizeIterator<Item = i32>,
) -> Range<i32> {
    let (first, groups) = (*sums + 1, places.len().div_ceil(GROUP));
    let end = round.len() + groups * GROUP;
    round.extend(places);
    round.resize(end, 0);
    *sums += groups as i32;
    first..*sums + 1
}

#[cfg(test)]
mod tests {
    use burn_flex::{Flex, FlexDevice};

    use super::*;
    use crate::training::accelerator::tensors::{matrix, numbers};

    #[test]
    fn lists_of_any_length_are_summed_and_turned_around() {
        let mut dice = barrow_core::rng::Rng::new(4);
        let rows = 40;
        let values: Vec<f32> = (0..rows * 3).map(|_| dice.below(100) as f32).collect();
        let mut lists = Lists::default();
        for len in [0, 1, 7, 8, 9, 64, 65, 600, 0, 2] {
            lists.push((0..len).map(|_| dice.below(rows as u32) as usize).collect::<Vec<_>>());
        }
        let sums = |lists: &Lists, values: &[f32]| -> Vec<f32> {
            let tensor = matrix::<Flex>(values, values.len() / 3, &FlexDevice);
            numbers(Sums::new(lists).of(tensor))
        };
        let expected: Vec<f32> = lists
            .iter()
            .flat_map(|list| {
                [0, 1, 2].map(|c| list.iter().map(|&row| values[row as usize * 3 + c]).sum::<f32>())
            })
            .collect();
        assert_eq!(sums(&lists, &values), expected);
        let inverse = lists.inverse(rows);
        assert_eq!(inverse.len(), rows);
        for (row, numbers) in inverse.iter().enumerate() {
            let of = lists.iter().enumerate();
            let expected: Vec<u32> = of
                .flat_map(|(number, list)| {
                    list.iter().filter(move |&&place| place as usize == row).map(move |_| number as u32)
                })
                .collect();
            assert_eq!(numbers, expected);
        }
        // A sum and its inverse are adjoint.
        let other: Vec<f32> = (0..lists.len() * 3).map(|_| dice.below(100) as f32).collect();
        let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
        let (forward, backward) = (sums(&lists, &values), sums(&inverse, &other));
        assert!((dot(&forward, &other) - dot(&values, &backward)).abs() < 1e-4 * dot(&forward, &other));
    }
}
