//! The order of turns: beginning of a turn, bankruptcy, and the end of the game (rules §3, §8).

use super::rules::{Player, TURNS};
use super::{CellSet, State};

impl State {
    /// Begins the turn of a player, up to the player's commands (rules §3, steps 1 to 5).
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

    /// Makes all units of the player to move ready again, for searches.
    pub fn make_ready(&mut self) {
        self.ready = self.units(self.mover);
    }

    /// Ends the turn of the player to move and begins the next one, unless the turn was the last.
    pub fn end_turn(&mut self) {
        if self.mover == Player::One {
            self.turn = self.turn.saturating_add(1).min(TURNS + 1);
        }
        self.ready = CellSet::EMPTY;
        if self.turn <= TURNS {
            self.begin_turn(self.mover.opponent());
        }
    }

    /// Whether the last turn was played or headquarters have fallen.
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
