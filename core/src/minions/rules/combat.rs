//! Attacks, damage, death and unsummoning (rules §10).

use crate::hex::Hex;

use super::illegal::IllegalReason;
use super::undo::Edit;
use crate::minions::position::piece::Piece;
use crate::minions::tables::figures::Attack;

impl Edit<'_, '_> {
    pub(crate) fn attack(&mut self, board: u8, from: Hex, to: Hex) -> Result<(), IllegalReason> {
        let view = self.view(board)?;
        let (attacker, target) = view.attack(from, to)?;
        let attack = view.current(attacker).attack;
        let persistent = view.unit(target).persistent;
        self.reserve_room(board, target)?;
        self.set_piece(board, from, Some(attacker.with_attack(target.origin())));
        match attack {
            Attack::None => {}
            Attack::Damage(amount) => self.damage(board, to, target, u16::from(amount)),
            Attack::Unsummon if persistent => self.damage(board, to, target, 1),
            Attack::Unsummon => self.unsummon(board, to, target),
            Attack::Deathtouch => self.kill(board, to, target),
        }
        Ok(())
    }

    /// Checks that the owner's reinforcements have room for the piece.
    pub(crate) fn reserve_room(&self, board: u8, piece: Piece) -> Result<(), IllegalReason> {
        if self.view(board)?.board.reserve(piece.side(), piece.unit()) == u8::MAX {
            return Err(IllegalReason::Capacity);
        }
        Ok(())
    }

    /// Adds damage; the piece dies when it reaches its current defense.
    pub(crate) fn damage(&mut self, board: u8, at: Hex, piece: Piece, amount: u16) {
        let defense = match self.view(board) {
            Ok(view) => view.current(piece).defense,
            Err(_) => return,
        };
        let hurt = piece.with_damage(piece.damage().saturating_add(amount));
        if hurt.damage() >= defense {
            self.kill(board, at, hurt);
        } else {
            self.set_piece(board, at, Some(hurt));
        }
    }

    /// Kills a piece: a soulbound piece is unsummoned, any other pays its rebate; a necromancer decides the board.
    pub(crate) fn kill(&mut self, board: u8, at: Hex, piece: Piece) {
        let Ok(view) = self.view(board) else { return };
        if view.current(piece).soulbound {
            self.unsummon(board, at, piece);
            return;
        }
        let unit = view.unit(piece);
        self.set_piece(board, at, None);
        if unit.rebate > 0 {
            self.add_pending(board, piece.side(), u16::from(unit.rebate));
        }
        if unit.necromancer {
            self.change_marks(board, |marks| marks.won = true);
        }
    }

    /// Returns a piece to its owner's reinforcements; damage and modifiers are lost.
    pub(crate) fn unsummon(&mut self, board: u8, at: Hex, piece: Piece) {
        let Ok(view) = self.view(board) else { return };
        let count = view.board.reserve(piece.side(), piece.unit());
        self.set_piece(board, at, None);
        self.set_reserve(board, piece.side(), piece.unit(), count.saturating_add(1));
    }
}
