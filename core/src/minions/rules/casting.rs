//! Spells, discards and terrain abilities (rules §7.1, §12 to §14).

use crate::hex::Hex;

use super::action::CastParams;
use super::illegal::IllegalReason;
use super::undo::Edit;
use super::view::View;
use crate::minions::position::modifier::Modifier;
use crate::minions::position::piece::Piece;
use crate::minions::tables::figures::Ability;
use crate::minions::tables::spell::Spell;
use crate::minions::tables::terrain::Movable;
use crate::minions::tables::unit::UnitLabel;

/// Effect of a legal cast, determined before mana and card are paid.
#[derive(Clone, Copy)]
enum Effect {
    Damage(Hex, Piece, u16),
    Unsummon(Hex, Piece),
    Modify(Hex, Piece),
    Shift { from: Hex, to: Hex, piece: Piece },
    Raise(Hex),
    Tile(Movable, Hex),
    Normalize(Movable),
    ModifyAll(Modifier, u8),
    Nothing,
}

impl View<'_> {
    fn friendly_minion(&self, at: Hex) -> Result<Piece, IllegalReason> {
        self.minion(self.friend(at)?)
    }

    fn enemy_minion(&self, at: Hex) -> Result<Piece, IllegalReason> {
        self.minion(self.enemy(at)?)
    }

    fn minion(&self, piece: Piece) -> Result<Piece, IllegalReason> {
        if self.unit(piece).necromancer { Err(IllegalReason::BadTarget) } else { Ok(piece) }
    }

    fn damaged_minion(&self, at: Hex) -> Result<Piece, IllegalReason> {
        let piece = self.minion(self.board.piece(at).ok_or(IllegalReason::NoPiece)?)?;
        if piece.damage() == 0 { Err(IllegalReason::BadTarget) } else { Ok(piece) }
    }

    /// Whether a hex next to a piece is one where that piece may end.
    fn check_shift(&self, from: Hex, to: Hex, piece: Piece) -> Result<Effect, IllegalReason> {
        if from.distance(to) != 1 {
            return Err(IllegalReason::TooFar);
        }
        if self.board.all_pieces().contains(to) {
            return Err(IllegalReason::Occupied);
        }
        if !self.board.walkable(self.map, self.unit(piece)).contains(to) {
            return Err(IllegalReason::Terrain);
        }
        Ok(Effect::Shift { from, to, piece })
    }

    fn check_terrain_move(&self, kind: Movable, to: Hex) -> Result<Effect, IllegalReason> {
        if self.terrain_hexes().contains(to) {
            return Ok(Effect::Tile(kind, to));
        }
        if self.board.all_pieces().contains(to) {
            return Err(IllegalReason::Occupied);
        }
        if self.active_friends().grown().contains(to) {
            return Err(IllegalReason::Terrain);
        }
        Err(IllegalReason::NoFriendNear)
    }

    fn check_modify(at: Hex, piece: Piece, modifier: Modifier, turns: u8) -> Result<Effect, IllegalReason> {
        let modifiers = piece.modifiers().with(modifier, turns).ok_or(IllegalReason::Capacity)?;
        Ok(Effect::Modify(at, piece.with_modifiers(modifiers)))
    }

    /// Effect of a spell on a target of its own shape (rules §14); a target of another shape is refused.
    fn effect(&self, spell: Spell, params: CastParams) -> Result<Effect, IllegalReason> {
        match params {
            CastParams::None => self.untargeted_effect(spell),
            CastParams::Piece(at) => self.piece_effect(spell, at),
            CastParams::PieceHex(from, to) => self.shift_effect(spell, from, to),
            CastParams::Hex(at) => self.hex_effect(spell, at),
            CastParams::TerrainHex(kind, at) if spell == Spell::Terraform => {
                self.check_terrain_move(kind, at)
            }
            CastParams::TerrainHex(..) => Err(IllegalReason::BadTarget),
        }
    }

    /// Effect of a spell without a target.
    fn untargeted_effect(&self, spell: Spell) -> Result<Effect, IllegalReason> {
        match spell {
            Spell::RisingHorde => {
                let mut friends = self.board.iter(self.side);
                let full = friends.any(|(_, piece)| piece.modifiers().with(Modifier::Spawner, 1).is_none());
                if full { Err(IllegalReason::Capacity) } else { Ok(Effect::ModifyAll(Modifier::Spawner, 1)) }
            }
            Spell::DoubleCantrip => Ok(Effect::Nothing),
            _ => Err(IllegalReason::BadTarget),
        }
    }

    /// Effect of a spell on the piece on a hex.
    fn piece_effect(&self, spell: Spell, at: Hex) -> Result<Effect, IllegalReason> {
        let bad = Err(IllegalReason::BadTarget);
        match spell {
            Spell::Fester => Ok(Effect::Damage(at, self.damaged_minion(at)?, 1)),
            Spell::Dismember => Ok(Effect::Damage(at, self.damaged_minion(at)?, 3)),
            Spell::Unsummon => {
                let piece = self.damaged_minion(at)?;
                if self.unit(piece).persistent { bad } else { Ok(Effect::Unsummon(at, piece)) }
            }
            Spell::UnholyMight => {
                let piece = self.friend(at)?;
                if !self.unit(piece).necromancer {
                    return bad;
                }
                View::check_modify(at, piece, Modifier::DoubleAttack, 1)
            }
            Spell::Shield => View::check_modify(at, self.friendly_minion(at)?, Modifier::Shielded, 2),
            Spell::Protection => View::check_modify(at, self.friendly_minion(at)?, Modifier::Protected, 2),
            Spell::FreezeRay => View::check_modify(at, self.enemy_minion(at)?, Modifier::Frozen, 2),
            Spell::Weaken => View::check_modify(at, self.enemy_minion(at)?, Modifier::Weakened, 2),
            Spell::Lumbering => View::check_modify(at, self.enemy_minion(at)?, Modifier::Lumbering, 2),
            Spell::Shackle => View::check_modify(at, self.enemy_minion(at)?, Modifier::Shackled, 2),
            Spell::Spawn => {
                let piece = self.friendly_minion(at)?;
                if piece.exhausted() {
                    return Err(IllegalReason::Exhausted);
                }
                View::check_modify(at, piece, Modifier::Spawner, 1)
            }
            Spell::Cleave => self.cleave(at, 1),
            Spell::Sunder => self.cleave(at, 2),
            Spell::LightningBolt => Ok(Effect::Damage(at, self.enemy_minion(at)?, 1)),
            Spell::Blink => {
                let piece = self.friendly_minion(at)?;
                // Quirk Q5: the unsummon effect is one damage to persistent pieces.
                if self.unit(piece).persistent {
                    Ok(Effect::Damage(at, piece, 1))
                } else {
                    Ok(Effect::Unsummon(at, piece))
                }
            }
            _ => bad,
        }
    }

    /// Effect of a spell that moves the piece on `from` to `to`.
    fn shift_effect(&self, spell: Spell, from: Hex, to: Hex) -> Result<Effect, IllegalReason> {
        let piece = match spell {
            Spell::Reposition => self.friendly_minion(from)?.with_exhaustion(),
            Spell::Stumble => self.enemy_minion(from).and_then(|piece| match piece.damage() {
                0 => Err(IllegalReason::BadTarget),
                _ => Ok(piece),
            })?,
            Spell::Displace => self.enemy_minion(from)?,
            _ => return Err(IllegalReason::BadTarget),
        };
        self.check_shift(from, to, piece)
    }

    /// Effect of a spell on a hex.
    fn hex_effect(&self, spell: Spell, at: Hex) -> Result<Effect, IllegalReason> {
        match spell {
            Spell::RaiseZombie => {
                if self.board.all_pieces().contains(at) {
                    return Err(IllegalReason::Occupied);
                }
                let zombie = self.rules.unit(UnitLabel::Zombie);
                if !self.board.walkable(self.map, zombie).contains(at) {
                    return Err(IllegalReason::Terrain);
                }
                if !self.active_friends().grown().contains(at) {
                    return Err(IllegalReason::NoFriendNear);
                }
                Ok(Effect::Raise(at))
            }
            Spell::Earthquake => self.check_terrain_move(Movable::Earthquake, at),
            Spell::Firestorm => self.check_terrain_move(Movable::Firestorm, at),
            Spell::Flood => self.check_terrain_move(Movable::Water, at),
            Spell::Whirlwind => self.check_terrain_move(Movable::Whirlwind, at),
            Spell::Normalize => {
                self.board.movable_at(at).map(Effect::Normalize).ok_or(IllegalReason::BadTarget)
            }
            _ => Err(IllegalReason::BadTarget),
        }
    }

    fn cleave(&self, at: Hex, damage: u16) -> Result<Effect, IllegalReason> {
        let target = self.enemy_minion(at)?;
        if self.is_cleavable(at, target) {
            Ok(Effect::Damage(at, target, damage))
        } else {
            Err(IllegalReason::BadTarget)
        }
    }

    /// Checks a cast: the spell is in the hand, its target fits, and the mana suffices (rules §7.1).
    fn check_cast(&self, spell: Spell, params: CastParams) -> Result<(usize, Effect), IllegalReason> {
        let place = self.check_card(spell)?;
        let effect = self.effect(spell, params)?;
        let change = spell.mana_on_play() - spell.mana_on_discard();
        if self.mana_reserve().saturating_add(change) < 0 {
            return Err(IllegalReason::Mana);
        }
        let has_room = match effect {
            Effect::Damage(_, piece, amount) => {
                self.has_reserve(piece) || !self.returns_by_damage(piece, amount)
            }
            Effect::Unsummon(_, piece) => self.has_reserve(piece),
            _ => true,
        };
        if has_room { Ok((place, effect)) } else { Err(IllegalReason::Capacity) }
    }

    /// Whether the side to move could cast this now, phases apart.
    pub fn can_cast(&self, spell: Spell, params: CastParams) -> bool {
        self.check_cast(spell, params).is_ok()
    }

    /// Position of the oldest card of this name in the hand.
    fn check_card(&self, spell: Spell) -> Result<usize, IllegalReason> {
        if !self.rules.spells {
            return Err(IllegalReason::NoSpells);
        }
        self.board.hand(self.side).iter().position(|&card| card == spell).ok_or(IllegalReason::NotInHand)
    }

    pub(crate) fn check_ability(
        &self,
        user: Hex,
        ability: Ability,
        terrain: Option<Movable>,
        to: Hex,
    ) -> Result<Movable, IllegalReason> {
        if !self.rules.spells {
            return Err(IllegalReason::NoSpells);
        }
        let piece = self.friend(user)?;
        if self.unit(piece).ability != Some(ability) {
            return Err(IllegalReason::NoAbility);
        }
        if piece.exhausted() {
            return Err(IllegalReason::Exhausted);
        }
        let kind = match (ability, terrain) {
            (Ability::MoveFlood, None) => Movable::Water,
            (Ability::MoveEarthquake, None) => Movable::Earthquake,
            (Ability::MoveWhirlwind, None) => Movable::Whirlwind,
            (Ability::MoveFirestorm, None) => Movable::Firestorm,
            (Ability::MoveTerrain, Some(kind)) => kind,
            _ => return Err(IllegalReason::BadTarget),
        };
        if self.mana_reserve() <= 0 {
            return Err(IllegalReason::Mana);
        }
        if user.distance(to) > 1 {
            return Err(IllegalReason::TooFar);
        }
        self.check_terrain_move(kind, to)?;
        Ok(kind)
    }
}

impl Edit<'_, '_> {
    pub(crate) fn cast(&mut self, board: u8, spell: Spell, params: CastParams) -> Result<(), IllegalReason> {
        let view = self.view(board)?;
        let side = view.side;
        let (place, effect) = view.check_cast(spell, params)?;
        self.remove_card(board, side, place);
        if spell.mana_on_play() != 0 {
            self.add_mana(board, spell.mana_on_play());
        }
        match effect {
            Effect::Damage(at, piece, amount) => self.damage(board, at, piece, amount)?,
            Effect::Unsummon(at, piece) => self.unsummon(board, at, piece)?,
            Effect::Modify(at, piece) => self.set_piece(board, at, Some(piece)),
            Effect::Shift { from, to, piece } => {
                self.set_piece(board, from, None);
                self.set_piece(board, to, Some(piece));
            }
            Effect::Raise(at) => self.set_piece(board, at, Some(Piece::created(side, UnitLabel::Zombie))),
            Effect::Tile(kind, at) => self.set_movable(board, kind, Some(at)),
            Effect::Normalize(kind) => self.set_movable(board, kind, None),
            Effect::ModifyAll(modifier, turns) => self.modify_all(board, modifier, turns),
            Effect::Nothing => {}
        }
        Ok(())
    }

    fn modify_all(&mut self, board: u8, modifier: Modifier, turns: u8) {
        let Ok(view) = self.view(board) else { return };
        for hex in view.board.pieces(view.side) {
            let piece = self.view(board).ok().and_then(|view| view.board.piece(hex));
            if let Some(piece) = piece
                && let Some(modifiers) = piece.modifiers().with(modifier, turns)
            {
                self.set_piece(board, hex, Some(piece.with_modifiers(modifiers)));
            }
        }
    }

    pub(crate) fn discard(&mut self, board: u8, spell: Spell) -> Result<(), IllegalReason> {
        let view = self.view(board)?;
        let side = view.side;
        let place = view.check_card(spell)?;
        self.remove_card(board, side, place);
        self.add_mana(board, spell.mana_on_discard());
        Ok(())
    }

    pub(crate) fn use_ability(
        &mut self,
        board: u8,
        user: Hex,
        ability: Ability,
        terrain: Option<Movable>,
        to: Hex,
    ) -> Result<(), IllegalReason> {
        let kind = self.view(board)?.check_ability(user, ability, terrain, to)?;
        self.add_mana(board, -1);
        self.set_movable(board, kind, Some(to));
        Ok(())
    }
}
