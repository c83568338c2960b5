//! The memory of a search: buffers that grow, memory for each thread, and the tree that stays for the next search.

use std::time::Duration;

use barrow_core::minions::GameConfig;
use barrow_core::minions::turn_search::{KeptPosition, MemoryUsage, SearchScratch, SearchSlices};
use barrow_session::search_buffers::{self, FIRST_NODES};
use barrow_solver::attack::{LargeRoom, PLANNER_WORDS};

use super::address_space;
use super::threads::STACK_BYTES;
pub use barrow_session::search_buffers::MAX_MIB;

/// Default memory of a search, in MiB.
pub const DEFAULT_MIB: usize = 256;

/// Positions that a thread keeps: 6 MiB, of which the usual number of boards takes a quarter.
const KEPT_POSITIONS: usize = 512;

/// Stripes of a tree of several threads at least.
const LEAST_STRIPES: usize = 16;

/// Stripes of a tree at most.
const MAX_STRIPES: usize = 128;

/// Nodes for which a stripe has memory at first, at least: room for several turns on eight boards at once.
const STRIPE_NODES: usize = 512;

/// Address space in bytes that a thread takes once it runs, besides its memory here: its stack, and what the allocator sets
/// aside for each thread, 64 MiB in glibc.
const RUNNING_BYTES: usize = STACK_BYTES + (64 << 20);

/// Bytes that are left to the rest of the program, the solver that verifies among it, when threads get their memory.
const SPARE: usize = 64 << 20;

/// Memory that belongs to one thread of a search.
pub(super) struct ThreadMemory {
    /// Words of the attack planner.
    pub(super) words: Vec<u32>,
    /// Room for the planner's models.
    pub(super) room: Box<LargeRoom>,
    /// Games and turns that are tried out.
    pub(super) scratch: Box<SearchScratch>,
    /// Places for positions that the search meets again.
    pub(super) kept: Vec<KeptPosition>,
}

impl ThreadMemory {
    fn new() -> ThreadMemory {
        ThreadMemory {
            words: vec![0; 2 * PLANNER_WORDS],
            room: Box::default(),
            scratch: Box::default(),
            kept: vec![KeptPosition::new(); KEPT_POSITIONS],
        }
    }

    /// Memory for this many threads, at least one; for fewer where there is no address space for all, so that a search goes
    /// on with those instead of ending the program.
    fn of_threads(count: usize) -> Vec<ThreadMemory> {
        let first = ThreadMemory::new();
        let each = first.bytes() + KEPT_POSITIONS * size_of::<KeptPosition>() + RUNNING_BYTES;
        let room = address_space::left().map_or(count, |left| 1 + left.saturating_sub(SPARE) / each);
        if room < count {
            tracing::info!("address space for {room} threads of {count} only");
        }
        let others = (1..count.min(room)).map(|_| ThreadMemory::new());
        std::iter::once(first).chain(others).collect()
    }

    /// Bytes apart from the kept positions, which no search takes longer to begin for.
    fn bytes(&self) -> usize {
        size_of_val(self.words.as_slice()) + size_of::<LargeRoom>() + size_of::<SearchScratch>()
    }
}

/// Buffers of a search tree, as much for each of its stripes, and the memory of the threads that grow it.
pub(super) struct SearchBuffers {
    stripes: Vec<search_buffers::SearchBuffers>,
    threads: Vec<ThreadMemory>,
}

impl SearchBuffers {
    /// Buffers for `first_nodes` nodes that may grow up to about `mib` MiB, with memory for each thread, or for as
    /// many as there is address space for.
    fn new(first_nodes: usize, mib: usize, threads: usize) -> SearchBuffers {
        let count = stripes(first_nodes, mib, threads);
        let stripe = || search_buffers::SearchBuffers::part(count, first_nodes, mib);
        SearchBuffers {
            stripes: (0..count).map(|_| stripe()).collect(),
            threads: ThreadMemory::of_threads(threads),
        }
    }

    /// Whether the buffers may grow.
    pub(super) fn can_grow(&self) -> bool {
        self.stripes.iter().any(search_buffers::SearchBuffers::can_grow)
    }

    /// Doubles the buffers, as far as allowed. Their contents stay.
    pub(super) fn grow(&mut self) {
        self.stripes.iter_mut().for_each(search_buffers::SearchBuffers::grow);
    }

    /// Upper bound of the time that [`SearchBuffers::grow`] takes.
    pub(super) fn growing_time(&self) -> Duration {
        let tree: usize = self.stripes.iter().map(search_buffers::SearchBuffers::bytes).sum();
        let threads: usize = self.threads.iter().map(ThreadMemory::bytes).sum();
        Duration::from_millis(2 * ((tree + threads) >> 20) as u64)
    }

    /// Converts a fullness of the allocated memory into a fullness of the memory allowed, both in thousandths.
    pub(super) fn share_of_allowed(&self, fullness: u32) -> u32 {
        self.stripes.first().map_or(0, |stripe| stripe.share_of_allowed(fullness))
    }

    /// Number of threads that the memory is made for.
    pub(super) fn threads(&self) -> usize {
        self.threads.len()
    }

    /// Borrows the slices of the stripes of a search, and the memory of its threads.
    pub(super) fn borrow(&mut self) -> (impl Iterator<Item = SearchSlices<'_>>, &mut [ThreadMemory]) {
        (self.stripes.iter_mut().map(search_buffers::SearchBuffers::borrow), &mut self.threads)
    }
}

/// Number of stripes of a tree that so many threads grow, a power of two: one for one thread, else as many as have memory
/// at first, and the square of the number of threads at most. Each of them may meet each other one, so that threads that are not at
/// one position hardly meet (docs/search.md).
fn stripes(first_nodes: usize, mib: usize, threads: usize) -> usize {
    let nodes = search_buffers::SearchBuffers::nodes_at_first(first_nodes, mib);
    let most = (nodes / STRIPE_NODES).clamp(1, MAX_STRIPES);
    let wanted = if threads > 1 { threads.saturating_pow(2).max(LEAST_STRIPES) } else { 1 };
    1 << wanted.min(most).ilog2()
}

/// The memory of an engine: buffers, and what of them the tree of the last search occupies.
pub(super) struct SearchMemory {
    pub(super) buffers: SearchBuffers,
    kept: Option<(Vec<MemoryUsage>, GameConfig)>,
}

impl SearchMemory {
    /// Memory without a tree that may grow up to about `mib` MiB, for this many threads. Many threads get more at first, 128
    /// MiB at most, so that it suffices for many stripes.
    pub(super) fn new(mib: usize, threads: usize) -> SearchMemory {
        SearchMemory::starting_with(FIRST_NODES * (threads / 2).clamp(1, 8), mib, threads)
    }

    /// Memory without a tree, allocated for `first_nodes` nodes.
    pub(super) fn starting_with(first_nodes: usize, mib: usize, threads: usize) -> SearchMemory {
        SearchMemory { buffers: SearchBuffers::new(first_nodes, mib, threads), kept: None }
    }

    /// Drops the tree.
    pub(super) fn clear(&mut self) {
        self.kept = None;
    }

    /// Keeps the tree of a search, the fill of each stripe, for the next search.
    pub(super) fn keep(&mut self, kept: Vec<MemoryUsage>, config: &GameConfig) {
        self.kept = Some((kept, config.clone()));
    }

    /// Takes the tree out, if its game had the same configuration.
    pub(super) fn take_kept(&mut self, config: &GameConfig) -> Option<Vec<MemoryUsage>> {
        self.kept.take().filter(|(_, known)| known == config).map(|(kept, _)| kept)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thread_has_one_stripe_and_many_threads_have_many() {
        let count = |mib, threads| SearchMemory::new(mib, threads).buffers.stripes.len();
        let found = [1, 2, 4, 8, 16].map(|threads| count(256, threads));
        assert_eq!(found, [1, 16, 16, 64, 128]);
        assert_eq!((count(1, 2), count(2, 2)), (1, 2));
    }
}
