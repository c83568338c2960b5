//! Best-first search over sequences of steps, for one side, in memory that the caller lends.
//!
//! From a state one may stop, which has a value, or take one of some steps. The search always expands the state whose
//! value is highest among those not expanded yet, as the A algorithm of N. Nilsson ("Principles of Artificial
//! Intelligence", 1980, section 2.4) does without an estimate of what is still to come. Running out of nodes ends the
//! search.

/// A problem of steps: states, their values, and the steps between them.
///
/// ```
/// use barrow_core::search::best_first::{Node, Steps, best_first};
/// /// Things by weight and worth, for a bag that holds ten.
/// struct Bag([(u32, i32); 4]);
/// impl Steps for Bag {
///     type State = Vec<usize>;
///     fn value(&mut self, bag: &Vec<usize>) -> i32 {
///         bag.iter().map(|&thing| self.0[thing].1).sum()
///     }
///     fn expand(&mut self, bag: &Vec<usize>, found: &mut dyn FnMut(Vec<usize>) -> bool) {
///         let weight: u32 = bag.iter().map(|&thing| self.0[thing].0).sum();
///         let more = bag.last().map_or(0, |last| last + 1)..4;
///         let mut fitting = more.filter(|&thing| weight + self.0[thing].0 <= 10);
///         fitting.all(|thing| found([bag.as_slice(), &[thing]].concat()));
///     }
///     fn is_over(&mut self) -> bool {
///         false
///     }
/// }
/// let mut nodes = vec![Node::EMPTY; 20];
/// let mut bag = Bag([(6, 7), (5, 5), (4, 4), (1, 1)]);
/// let found = best_first(&mut bag, Vec::new(), &mut nodes).unwrap();
/// assert_eq!((found.value, nodes[found.place].state()), (11, Some(&vec![0, 2])));
/// ```
pub trait Steps {
    /// State after some steps.
    type State: Clone;

    /// Value of stopping in a state; more is better. Called once for each state.
    fn value(&mut self, state: &Self::State) -> i32;

    /// Calls `found` with every state one step further, the most promising first, until `found` returns false.
    fn expand(&mut self, state: &Self::State, found: &mut dyn FnMut(Self::State) -> bool);

    /// Whether to stop the search. Called before every value but that of the start.
    fn is_over(&mut self) -> bool;
}

/// A state that the search has reached, with its value.
#[derive(Clone, Debug)]
pub struct Node<S> {
    state: Option<S>,
    value: i32,
    depth: u16,
    open: bool,
}

impl<S> Node<S> {
    /// A node without a state, to fill memory with.
    pub const EMPTY: Node<S> = Node { state: None, value: i32::MIN, depth: 0, open: false };

    /// The state, if a search has used the node.
    pub const fn state(&self) -> Option<&S> {
        self.state.as_ref()
    }
}

/// Result of a search.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Found {
    /// Value of the best state.
    pub value: i32,
    /// Steps from the start to the best state.
    pub depth: u16,
    /// Index of the node that holds the best state, among those lent.
    pub place: usize,
    /// Number of states valued.
    pub valued: usize,
}

/// Searches from `start`, using up to all of `nodes`. `None` if there is not one node.
///
/// Of several states with the best value the one reached first counts.
pub fn best_first<P: Steps>(problem: &mut P, start: P::State, nodes: &mut [Node<P::State>]) -> Option<Found> {
    let value = problem.value(&start);
    *nodes.first_mut()? = Node { state: Some(start), value, depth: 0, open: true };
    let mut used = 1;
    let mut best = Found { value, depth: 0, place: 0, valued: 1 };
    loop {
        let known = nodes.get_mut(..used)?;
        let next = known.iter_mut().rev().filter(|node| node.open).max_by_key(|node| node.value);
        let Some(node) = next else { return Some(best) };
        node.open = false;
        let depth = node.depth.saturating_add(1);
        let Some(state) = node.state.clone() else { continue };
        // New states are stored first and valued afterwards: both need the problem.
        let first = used;
        problem.expand(&state, &mut |state| {
            let Some(slot) = nodes.get_mut(used) else { return false };
            *slot = Node { state: Some(state), value: i32::MIN, depth, open: true };
            used += 1;
            true
        });
        for index in first..used {
            if problem.is_over() {
                return Some(best);
            }
            let Some(node) = nodes.get_mut(index) else { continue };
            let Some(state) = &node.state else { continue };
            node.value = problem.value(state);
            best.valued += 1;
            if node.value > best.value {
                best = Found { value: node.value, depth, place: index, ..best };
            }
        }
        if problem.is_over() || used == nodes.len() {
            return Some(best);
        }
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use proptest::prelude::*;
    use std::vec::Vec;

    /// Words over 0..width of at most `depth` letters, valued by a table.
    struct Words<'t> {
        width: u8,
        depth: usize,
        table: &'t [i32],
        valued: Vec<Vec<u8>>,
        patience: usize,
    }

    impl Words<'_> {
        fn worth(&self, word: &[u8]) -> i32 {
            let place = word.iter().fold(1, |place, &letter| place * 5 + usize::from(letter) + 1);
            self.table[place % self.table.len()]
        }

        fn all(&self) -> Vec<Vec<u8>> {
            let mut all: Vec<Vec<u8>> = std::vec![Vec::new()];
            let mut next = 0;
            while next < all.len() {
                if all[next].len() < self.depth {
                    for letter in 0..self.width {
                        let mut longer = all[next].clone();
                        longer.push(letter);
                        all.push(longer);
                    }
                }
                next += 1;
            }
            all
        }
    }

    impl Steps for Words<'_> {
        type State = Vec<u8>;

        fn value(&mut self, state: &Vec<u8>) -> i32 {
            self.valued.push(state.clone());
            self.worth(state)
        }

        fn expand(&mut self, state: &Vec<u8>, found: &mut dyn FnMut(Vec<u8>) -> bool) {
            if state.len() < self.depth {
                let longer = |letter| [state.as_slice(), &[letter]].concat();
                let _ = (0..self.width).all(|letter| found(longer(letter)));
            }
        }

        fn is_over(&mut self) -> bool {
            self.valued.len() >= self.patience
        }
    }

    proptest! {
        #[test]
        fn with_memory_it_finds_the_best_of_all(
            width in 1_u8..4, depth in 0_usize..4, table in prop::collection::vec(-50..50, 1..40),
        ) {
            let mut words = Words { width, depth, table: &table, valued: Vec::new(), patience: usize::MAX };
            let all = words.all();
            let mut nodes = std::vec![Node::EMPTY; all.len()];
            let found = best_first(&mut words, Vec::new(), &mut nodes).unwrap();
            prop_assert_eq!(found.value, all.iter().map(|word| words.worth(word)).max().unwrap());
            prop_assert_eq!(found.valued, all.len());
            let best = nodes[found.place].state().unwrap();
            prop_assert_eq!((words.worth(best), best.len()), (found.value, usize::from(found.depth)));
            let mut valued = words.valued.clone();
            valued.sort();
            valued.dedup();
            prop_assert_eq!(valued.len(), all.len());
        }

        #[test]
        fn little_memory_and_little_patience_end_it(
            nodes in 0_usize..9, patience in 1_usize..9, table in prop::collection::vec(-50..50, 1..40),
        ) {
            let mut words = Words { width: 3, depth: 9, table: &table, valued: Vec::new(), patience };
            let mut memory = std::vec![Node::EMPTY; nodes];
            let found = best_first(&mut words, Vec::new(), &mut memory);
            if nodes == 0 {
                prop_assert!(found.is_none());
            } else {
                let found = found.unwrap();
                prop_assert_eq!(found.valued, words.valued.len());
                prop_assert_eq!(found.valued, nodes.min(patience));
                let best = words.valued.iter().map(|word| words.worth(word)).max();
                prop_assert_eq!(Some(found.value), best);
            }
        }
    }

    #[test]
    fn it_goes_on_from_the_best() {
        // The root, 0 and 1 in the table by place: 1, 6 and 7; below 1 the values rise.
        let mut table = std::vec![0; 200];
        table[7] = 5;
        let mut words = Words { width: 2, depth: 2, table: &table, valued: Vec::new(), patience: 4 };
        let mut nodes = std::vec![Node::EMPTY; 10];
        let found = best_first(&mut words, Vec::new(), &mut nodes).unwrap();
        assert_eq!((found.value, found.depth), (5, 1));
        assert_eq!(words.valued.last().map(Vec::as_slice), Some([1, 0].as_slice()));
    }
}
