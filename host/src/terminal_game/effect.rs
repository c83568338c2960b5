//! Effects: what the game asks of the world outside it.

use barrow_core::minions::{Game, GameTurn, Side};

use super::engine_thread::SearchRequest;
use crate::engine::SearchResult;

/// Effect that the game asks of the world outside it.
pub enum Effect {
    /// Searches a position.
    Search(SearchRequest),
    /// Ends the search that runs.
    StopSearch,
    /// Records a turn.
    Record(Box<RecordedTurn>),
    /// Begins a new game, and leaves the present one as it is.
    NewGame,
    /// Saves the game to a new file.
    Save(String),
    /// Saves the game to a file, which is replaced if it exists.
    SaveOver(String),
    /// Saves the game to a file with a name of its own, and leaves.
    SaveAndLeave,
    /// Reads the game of a file.
    Open(String),
    /// Leaves.
    Leave,
}

/// Turn to be recorded.
pub struct RecordedTurn {
    /// Position before the turn.
    pub before: Game,
    /// The turn.
    pub turn: GameTurn,
    /// Side that played it.
    pub side: Side,
    /// Time of the turn in milliseconds.
    pub millis: u64,
    /// The search that found it, if one did.
    pub found: Option<SearchResult>,
}
