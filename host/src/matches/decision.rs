//! Decisions of players: turns, with what the players tell of them.

use barrow_core::minions::GameTurn;

use crate::notation::TurnNotes;
use crate::records::root_record::RootRecord;

/// Turn that a player has chosen.
#[derive(Clone, Debug)]
pub(crate) struct Decision {
    /// The turn.
    pub(crate) turn: GameTurn,
    /// Root of the search that chose the turn, where there was one and it was asked for.
    pub(crate) root: Option<RootRecord>,
    /// Notes of the player on the turn; the time is not among them.
    pub(crate) notes: TurnNotes,
    /// Propagations of the longest request for an attack so far in the game; 65,535 stands for more, 0 for a player that
    /// does not tell.
    pub(crate) longest_request: u16,
    /// Name of the winner that the player says there is after the turn.
    pub(crate) said_winner: Option<String>,
}

impl From<GameTurn> for Decision {
    fn from(turn: GameTurn) -> Decision {
        Decision { turn, root: None, notes: TurnNotes::default(), longest_request: 0, said_winner: None }
    }
}
