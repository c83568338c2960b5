//! Bounds of a search by several threads: what exists only where several threads may share a tree, and how many turns of
//! the root are chosen under one lock.

use heapless::Vec;

use crate::minions::BOARD_CAP;

/// Number of what a search has only where several threads may share its tree: 1, and 0 on machines of two boards, which have
/// one thread and little memory.
pub(super) const THREADED: usize = (BOARD_CAP > 2) as usize;

/// Turns of the root that are chosen at a time where several threads search: looking at all of them takes longer than
/// anything else under the root's lock.
pub(super) const BATCH: usize = if THREADED > 0 { 16 } else { 4 };

/// Turns of the root that are chosen at a time while it has few visits, so that values count sooner for the next choice.
pub(super) const EARLY_BATCH: usize = 4;

/// Visits of the root from which on more of its turns are chosen at a time, threads draw some of them, and compositions of known
/// turns count as turns there: with fewer visits threads wait little.
pub(super) const MANY_VISITS: u32 = 512;

/// The turns that are followed next, the last of them first.
pub(super) type Batch = Vec<u32, BATCH, u8>;
