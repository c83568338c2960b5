//! How the openings of an arena went: land and gold in one early turn.

use barrow_core::contests::ice_and_fire::State;

/// The turn in which openings are compared.
pub const OPENING_TURN: u8 = 9;

/// Opening of one player in one game: its land and gold in [`OPENING_TURN`], before its own move, so that both players
/// have moved equally often.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Opening {
    cells: i64,
    gold: i64,
}

impl Opening {
    /// The opening of the player to move, if the position is one of [`OPENING_TURN`].
    pub(super) fn of(state: &State) -> Option<Opening> {
        let player = state.mover();
        let cells = state.active(player).len().into();
        (state.turn() == OPENING_TURN).then(|| Opening { cells, gold: state.gold(player).into() })
    }
}

/// Sums over the openings of a player's games.
#[derive(Clone, Debug, Default)]
pub struct OpeningStats {
    games: u32,
    lead: i64,
    gold: i64,
}

impl OpeningStats {
    /// Counts the opening of a game beside that of the opponent.
    pub(super) fn compare(&mut self, own: Opening, other: Opening) {
        self.games += 1;
        self.lead += own.cells - other.cells;
        self.gold += own.gold;
    }

    /// Adds the sums of other games.
    pub(super) fn add(&mut self, other: &OpeningStats) {
        self.games += other.games;
        self.lead += other.lead;
        self.gold += other.gold;
    }

    /// Means of the lead in active cells and of the gold; 0 without games that came so far.
    pub fn means(&self) -> (f64, f64) {
        let games = f64::from(self.games.max(1));
        (self.lead as f64 / games, self.gold as f64 / games)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ice_and_fire_leads_add_up_to_nothing() {
        let (one, other) = (Opening { cells: 30, gold: 4 }, Opening { cells: 27, gold: 9 });
        let mut stats = [OpeningStats::default(), OpeningStats::default()];
        stats[0].compare(one, other);
        stats[1].compare(other, one);
        assert!((stats[0].means().0 - 3.0).abs() < 1e-12 && (stats[1].means().1 - 9.0).abs() < 1e-12);
        let (last, first) = (stats[1].clone(), &mut stats[0]);
        first.add(&last);
        assert!(first.means().0.abs() < 1e-12 && (first.means().1 - 6.5).abs() < 1e-12);
    }
}
