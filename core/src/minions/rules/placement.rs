//! Placing reinforcements and using spawner tiles (rules §11).

use crate::hex::Hex;

use super::illegal::IllegalReason;
use super::undo::Edit;
use super::view::View;
use crate::minions::position::piece::Piece;
use crate::minions::tables::terrain::TileType;
use crate::minions::tables::unit::UnitLabel;

impl View<'_> {
    pub(crate) fn check_spawn(&self, unit: UnitLabel, at: Hex) -> Result<(), IllegalReason> {
        if !self.board.state().allows_spawn() {
            return Err(IllegalReason::BoardState);
        }
        self.check_set_up()?;
        if self.board.reserve(self.side, unit) == 0 {
            return Err(IllegalReason::NotInReserve);
        }
        self.check_free(unit, at)?;
        if self.is_in_spawn_zone(at) { Ok(()) } else { Err(IllegalReason::NoFriendNear) }
    }

    /// Whether a hex is free and its terrain lets this type be placed.
    pub(crate) fn check_free(&self, unit: UnitLabel, at: Hex) -> Result<(), IllegalReason> {
        if self.board.all_pieces().contains(at) {
            Err(IllegalReason::Occupied)
        } else if self.placeable(unit).contains(at) {
            Ok(())
        } else {
            Err(IllegalReason::Terrain)
        }
    }

    pub(crate) fn check_tile(&self, at: Hex) -> Result<(), IllegalReason> {
        if !self.rules.special_tiles || self.board.tile(self.map, at) != TileType::Spawner {
            return Err(IllegalReason::NoSuchTile);
        }
        if self.board.marks().tile_used {
            return Err(IllegalReason::TileUsed);
        }
        if self.board.all_pieces().contains(at) { Err(IllegalReason::Occupied) } else { Ok(()) }
    }
}

impl Edit<'_, '_> {
    pub(crate) fn spawn(&mut self, board: u8, unit: UnitLabel, at: Hex) -> Result<(), IllegalReason> {
        let view = self.view(board)?;
        view.check_spawn(unit, at)?;
        let (side, count) = (view.side, view.board.reserve(view.side, unit));
        self.set_reserve(board, side, unit, count - 1);
        self.set_piece(board, at, Some(Piece::created(side, unit)));
        Ok(())
    }

    pub(crate) fn use_tile(&mut self, board: u8, at: Hex) -> Result<(), IllegalReason> {
        let view = self.view(board)?;
        view.check_tile(at)?;
        let side = view.side;
        self.set_piece(board, at, Some(Piece::created(side, UnitLabel::Zombie)));
        self.change_marks(board, |marks| marks.tile_used = true);
        Ok(())
    }
}
