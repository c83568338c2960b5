//! Scratch memory of one search: games and turns that are tried out.

use crate::minions::{DraftMemory, GameCopy};

/// Scratch of a search, lent to [`Search::new`](super::Search::new): the game that paths are played on, and the memory
/// in which turns are drafted. Searches of one tree on several threads have one each. A static of it takes no flash.
#[derive(Clone, Debug, Default)]
pub struct SearchScratch {
    /// Game that paths are played on.
    pub(super) below: GameCopy,
    /// Memory of drafts.
    pub(super) draft: DraftMemory,
}

impl SearchScratch {
    /// Scratch that no search has used.
    pub const fn new() -> SearchScratch {
        SearchScratch { below: GameCopy::new(), draft: DraftMemory::new() }
    }

    /// The memory of drafts, for players that do not search.
    pub fn draft(&mut self) -> &mut DraftMemory {
        &mut self.draft
    }
}
