//! The order of a game: beginnings of turns, bankruptcy, and the end (rules §3 and §8).

use super::rules::{Player, TURNS};
use super::{CellSet, State};

impl State {
    /// What happens before a player is asked (rules §3 steps 1 to 5).
    pub fn begin_turn(&mut self, player: Player) {
        self.mover = player;
        self.refresh();
        let stranded = self.units(player) - self.active;
        self.remove_units(stranded);
        self.count_income();
        let purse = &mut self.gold[player.index()];
        *purse = purse.saturating_add(i32::from(self.income[player.index()]));
        if *purse < 0 {
            *purse = 0;
            // The income shown stays what it was.
            self.remove_units(self.units(player));
        }
        self.ready = self.units(player);
    }

    /// Lets all units of the player to move move again, for looking ahead.
    pub fn make_ready(&mut self) {
        self.ready = self.units(self.mover);
    }

    /// Ends the turn of the player to move and begins the next one. After the last turn nothing begins.
    pub fn end_turn(&mut self) {
        if self.mover == Player::One {
            self.turn = self.turn.saturating_add(1).min(TURNS + 1);
        }
        self.ready = CellSet::EMPTY;
        if self.turn <= TURNS {
            self.begin_turn(self.mover.opponent());
        }
    }

    /// Whether no turn is left, or headquarters have fallen.
    pub fn is_over(&self) -> bool {
        self.turn > TURNS || self.conqueror().is_some()
    }

    fn remove_units(&mut self, cells: CellSet) {
        for plane in &mut self.levels {
            *plane -= cells;
        }
        self.ready -= cells;
    }
}
