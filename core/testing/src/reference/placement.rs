//! Placement of reinforcements and spawner tiles (§11).

use barrow_core::minions::{BoardState, TileType, UnitLabel};

use super::geometry::{Coord, distance};
use super::state::State;

impl State {
    /// Whether a reinforcement of a unit type might be placed on a hex if the side to move had one.
    pub fn may_spawn(&self, b: usize, unit: UnitLabel, at: Coord) -> bool {
        let state_allows = matches!(self.boards[b].state, BoardState::Normal | BoardState::Reset2);
        // Divergence 30: with Spooky only water restricts placement.
        let terrain = if self.is_spooky() {
            self.unit(unit).flying || self.boards[b].tile(at) != TileType::Water
        } else {
            self.may_stand(b, unit, at)
        };
        // Divergence 31: with Spooky exhausted pieces serve as spawners too.
        let spawner = self.friends(b).any(|(place, piece)| {
            let range = self.figures(piece).spawn_range;
            (self.is_spooky() || !piece.exhausted) && range >= 1 && distance(place, at) <= range
        });
        state_allows && !self.awaits_setup(b) && terrain && self.piece(b, at).is_none() && spawner
    }

    /// Places a reinforcement; `None` if that is illegal.
    pub(super) fn spawn(&mut self, b: usize, unit: UnitLabel, at: Coord) -> Option<()> {
        let side = self.side.index();
        if self.boards[b].reserve(self.side, unit) == 0 || !self.may_spawn(b, unit, at) {
            return None;
        }
        *self.boards[b].reserves[side].get_mut(&unit)? -= 1;
        self.boards[b].reserves[side].retain(|_, count| *count > 0);
        self.create(b, unit, at);
        Some(())
    }

    /// Creates a zombie on a spawner tile; `None` if that is illegal.
    pub(super) fn use_tile(&mut self, b: usize, at: Coord) -> Option<()> {
        let board = &self.boards[b];
        if self.is_spooky() || board.tile_used || board.tile(at) != TileType::Spawner {
            return None;
        }
        if self.piece(b, at).is_some() {
            return None;
        }
        self.create(b, UnitLabel::Zombie, at);
        self.boards[b].tile_used = true;
        Some(())
    }
}
