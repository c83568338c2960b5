//! How the openings of an arena went: land and gold in one early turn.

use barrow_core::contests::ice_and_fire::State;

/// The turn in which openings are compared.
pub const OPENING_TURN: u8 = 9;

/// Sums over the openings of a player's games.
#[derive(Clone, Debug, Default)]
pub struct OpeningStats {
    games: u32,
    lead: i64,
    gold: i64,
}

impl OpeningStats {
    /// Counts a position with the player to move, if it is one of [`OPENING_TURN`].
    pub(super) fn see(&mut self, state: &State) {
        if state.turn() != OPENING_TURN {
            return;
        }
        let player = state.mover();
        let cells = |player| i64::from(state.active(player).len());
        self.games += 1;
        self.lead += cells(player) - cells(player.opponent());
        self.gold += i64::from(state.gold(player));
    }

    /// Adds the sums of other games.
    pub(super) fn add(&mut self, other: &OpeningStats) {
        self.games += other.games;
        self.lead += other.lead;
        self.gold += other.gold;
    }

    /// Means of the lead in active cells and of the gold, both before the own move; 0 without games that came so far.
    pub fn means(&self) -> (f64, f64) {
        let games = f64::from(self.games.max(1));
        (self.lead as f64 / games, self.gold as f64 / games)
    }
}
