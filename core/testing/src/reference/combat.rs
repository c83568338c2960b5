//! Attacks, damage, kills and unsummoning (§10).

use barrow_core::minions::Attack;

use super::geometry::{Coord, distance};
use super::state::State;

impl State {
    /// Whether the friendly piece on `from` may attack the enemy piece on `to`.
    pub fn may_attack(&self, b: usize, from: Coord, to: Coord) -> bool {
        let (Some(attacker), Some(target)) = (self.friend(b, from), self.enemy(b, to)) else { return false };
        let now = self.figures(attacker);
        let target_unit = self.unit(target.unit);
        let range = if target_unit.flying { now.range_flying } else { now.range };
        // A printed `kill` attack cannot hurt necromancers even while a modifier replaces it.
        let harmless = target_unit.necromancer && self.unit(attacker.unit).attack == Attack::Deathtouch;
        now.attack != Attack::None
            && !attacker.exhausted
            && attacker.attacks < now.attacks
            && !(now.lumbering && attacker.moved)
            && distance(from, to) <= range
            && !harmless
    }

    /// Attacks; `None` if that is illegal.
    pub(super) fn attack(&mut self, b: usize, from: Coord, to: Coord) -> Option<()> {
        if !self.may_attack(b, from, to) {
            return None;
        }
        let target = self.piece(b, to)?.clone();
        let persistent = self.unit(target.unit).persistent;
        let attack = self.figures(self.piece(b, from)?).attack;
        let attacker = self.boards[b].pieces.get_mut(&from)?;
        attacker.attacks += 1;
        attacker.attacked.push(target.id);
        match attack {
            Attack::None => return None,
            Attack::Damage(damage) => self.damage(b, to, u32::from(damage)),
            Attack::Unsummon if persistent => self.damage(b, to, 1),
            Attack::Unsummon => self.unsummon(b, to),
            Attack::Deathtouch => self.kill(b, to),
        }
        Some(())
    }

    /// Adds damage to the piece on a hex and kills the piece if its defense is reached.
    pub(super) fn damage(&mut self, b: usize, at: Coord, damage: u32) {
        if let Some(piece) = self.boards[b].pieces.get_mut(&at) {
            piece.damage += damage;
        }
        if self.piece(b, at).is_some_and(|piece| piece.damage >= self.figures(piece).defense) {
            self.kill(b, at);
        }
    }

    /// Kills the piece on a hex: its owner is owed the rebate; a soulbound piece is unsummoned instead.
    fn kill(&mut self, b: usize, at: Coord) {
        let Some(piece) = self.piece(b, at).cloned() else { return };
        if self.figures(&piece).soulbound {
            self.unsummon(b, at);
            return;
        }
        let unit = self.unit(piece.unit);
        self.boards[b].pieces.remove(&at);
        self.boards[b].pending[piece.owner.index()] += u32::from(unit.rebate);
        if unit.necromancer {
            self.boards[b].won = true;
        }
    }

    /// Returns the piece on a hex to the reinforcements of its owner.
    pub(super) fn unsummon(&mut self, b: usize, at: Coord) {
        if let Some(piece) = self.boards[b].pieces.remove(&at) {
            self.add_reserve(b, piece.owner, piece.unit);
        }
    }
}
