//! §10: attacks, damage, dying and being unsummoned.

use barrow_core::minions::Attack;

use super::geometry::{At, distance};
use super::state::State;

impl State {
    pub fn may_attack(&self, b: usize, from: At, to: At) -> bool {
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

    pub fn attack(&mut self, b: usize, from: At, to: At) -> Option<()> {
        if !self.may_attack(b, from, to) {
            return None;
        }
        let target = self.piece(b, to)?.clone();
        let persistent = self.unit(target.unit).persistent;
        let attack = self.figures(self.piece(b, from)?).attack;
        let attacker = self.boards[b].pieces.get_mut(&from)?;
        attacker.attacks += 1;
        attacker.attacked.push(target.name);
        match attack {
            Attack::None => return None,
            Attack::Damage(damage) => self.hurt(b, to, u32::from(damage)),
            Attack::Unsummon if persistent => self.hurt(b, to, 1),
            Attack::Unsummon => self.unsummon(b, to),
            Attack::Deathtouch => self.die(b, to),
        }
        Some(())
    }

    pub fn hurt(&mut self, b: usize, at: At, damage: u32) {
        if let Some(piece) = self.boards[b].pieces.get_mut(&at) {
            piece.damage += damage;
        }
        if self.piece(b, at).is_some_and(|piece| piece.damage >= self.figures(piece).defense) {
            self.die(b, at);
        }
    }

    pub fn die(&mut self, b: usize, at: At) {
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

    pub fn unsummon(&mut self, b: usize, at: At) {
        if let Some(piece) = self.boards[b].pieces.remove(&at) {
            self.add_reserve(b, piece.owner, piece.unit);
        }
    }
}
