//! Why a search cannot begin.

use core::fmt;

/// Slice of a search's memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SearchSlice {
    /// Positions.
    Nodes,
    /// Turns.
    Edges,
    /// Hash table of positions.
    Table,
    /// Stages of expanded positions.
    Stages,
    /// General candidates.
    Generals,
    /// Attack candidates.
    Attacks,
    /// Money candidates.
    Money,
    /// Spawn candidates.
    Spawns,
    /// Actions of all candidates.
    Actions,
}

/// Reason why a search cannot begin.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SearchError {
    /// The game is over.
    GameOver,
    /// A slice is too short for a single turn.
    TooShort {
        /// The slice.
        slice: SearchSlice,
        /// Length that suffices, the other slices being as they are.
        least: usize,
    },
}

impl SearchError {
    /// Not one node has room.
    pub(super) const NO_NODE: SearchError = SearchError::TooShort { slice: SearchSlice::Nodes, least: 2 };
}

impl fmt::Display for SearchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (slice, least) = match self {
            SearchError::GameOver => return f.write_str("the game is over"),
            SearchError::TooShort { slice, least } => (slice, least),
        };
        let name = match slice {
            SearchSlice::Nodes => "nodes",
            SearchSlice::Edges => "edges",
            SearchSlice::Table => "slots of the table",
            SearchSlice::Stages => "stages",
            SearchSlice::Generals => "general candidates",
            SearchSlice::Attacks => "attack candidates",
            SearchSlice::Money => "money candidates",
            SearchSlice::Spawns => "spawn candidates",
            SearchSlice::Actions => "actions",
        };
        write!(f, "the memory of the search has too few {name} for one turn, which takes {least}")
    }
}

impl core::error::Error for SearchError {}
