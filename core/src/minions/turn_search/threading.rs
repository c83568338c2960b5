//! Bounds of a search by several threads: what exists only where several threads may share a tree, and how many turns are
//! chosen and drawn under one lock.

use heapless::Vec;

use crate::minions::BOARD_CAP;

/// Number of what a search has only where several threads may share its tree: 1, and 0 on machines of two boards, which have
/// one thread and little memory.
pub(super) const THREADED: usize = (BOARD_CAP > 2) as usize;

/// Turns of the root that are chosen at a time where several threads search, at most: looking at all of them takes longer than
/// anything else under the root's lock.
pub(super) const BATCH: usize = if THREADED > 0 { 256 } else { 4 };

/// Different turns among those chosen at a time, at most.
pub(super) const DIFFERENT: usize = if THREADED > 0 { 64 } else { 4 };

/// Turns of the root that are chosen at a time while it has few visits, so that values count sooner for the next choice.
const EARLY_BATCH: usize = 4;

/// Turns of the root that are chosen at a time after this many visits of the root. The more visits there are the less it matters
/// that a value counts a little later.
pub(super) fn batch_after(visits: u32) -> usize {
    let many = visits as usize;
    if visits < MANY_VISITS { EARLY_BATCH } else { (many / 64).clamp(16, 64).max(many / 256).min(BATCH) }
}

/// Visits of a position from which on threads draw turns of it, compositions of known turns count as turns there, and more turns
/// of the root are chosen at a time: with fewer visits threads wait little.
pub(super) const MANY_VISITS: u32 = 512;

/// Turns that a thread has drawn at a time at most, beside those that it follows: those of the root, at most as many answers to
/// these, and at most as many answers to the answers.
pub(super) const DRAWN: usize = 96;

/// Turns of the root that a thread draws beside the one that it follows, after this many visits of the root.
pub(super) fn draws_of_root(visits: u32) -> usize {
    let visits = visits as usize;
    (visits / 128).clamp(4, 16).max((visits / 512).min(32)) - 1
}

/// The turns that are followed next, the last of them first.
pub(super) type Batch = Vec<u32, BATCH, u16>;
