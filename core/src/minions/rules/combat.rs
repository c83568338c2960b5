//! Attacks, damage, death and unsummoning (rules §10).

use crate::hex::Hex;

use super::illegal::IllegalReason;
use super::undo::Edit;
use crate::minions::position::piece::Piece;
use crate::minions::tables::figures::Attack;

impl Edit<'_, '_> {
    pub(crate) fn attack(&mut self, board: u8, from: Hex, to: Hex) -> Result<(), IllegalReason> {
        let view = self.view(board)?;
        let (attacker, target, attack) = view.check_attack(from, to)?;
        let persistent = view.unit(target).persistent;
        // First, since it is refused where a piece that goes back has no room.
        match attack {
            Attack::None => {}
            Attack::Damage(amount) => self.damage(board, to, target, u16::from(amount))?,
            Attack::Unsummon if persistent => self.damage(board, to, target, 1)?,
            Attack::Unsummon => self.unsummon(board, to, target)?,
            Attack::Deathtouch => self.kill(board, to, target)?,
        }
        self.set_piece(board, from, Some(attacker.with_attack(target.origin())));
        Ok(())
    }

    /// Adds damage; the piece dies when it reaches its current defense.
    pub(crate) fn damage(
        &mut self,
        board: u8,
        at: Hex,
        piece: Piece,
        amount: u16,
    ) -> Result<(), IllegalReason> {
        let defense = self.view(board)?.current(piece).defense;
        let hurt = piece.with_damage(piece.damage().saturating_add(amount));
        if hurt.damage() >= defense {
            self.kill(board, at, hurt)
        } else {
            self.set_piece(board, at, Some(hurt));
            Ok(())
        }
    }

    /// Kills a piece: a soulbound piece is unsummoned, any other pays its rebate; a necromancer decides the board.
    pub(crate) fn kill(&mut self, board: u8, at: Hex, piece: Piece) -> Result<(), IllegalReason> {
        let view = self.view(board)?;
        if view.current(piece).soulbound {
            return self.unsummon(board, at, piece);
        }
        let unit = view.unit(piece);
        self.set_piece(board, at, None);
        if unit.rebate > 0 {
            self.add_pending(board, piece.side(), u16::from(unit.rebate));
        }
        if unit.necromancer {
            self.change_marks(board, |marks| marks.won = true);
        }
        Ok(())
    }

    /// Returns a piece to its owner's reinforcements, if there is room for it; damage and modifiers are lost.
    pub(crate) fn unsummon(&mut self, board: u8, at: Hex, piece: Piece) -> Result<(), IllegalReason> {
        let count = self.view(board)?.board.reserve(piece.side(), piece.unit());
        let more = count.checked_add(1).ok_or(IllegalReason::Capacity)?;
        self.set_piece(board, at, None);
        self.set_reserve(board, piece.side(), piece.unit(), more);
        Ok(())
    }
}
