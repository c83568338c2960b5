//! Turn search with the attack planner of `barrow-solver` and the fallback policies: the turns that it lists, several
//! threads on one shared tree, and little memory.

mod least_memory;
mod shared_tree;
mod small_memory;
mod turns;

use barrow_core::search::value::Clock;

/// A clock that ends a search after a number of nodes.
struct NodeLimit(u64);

impl Clock for NodeLimit {
    fn is_over(&mut self, nodes: u64) -> bool {
        nodes >= self.0
    }
}
