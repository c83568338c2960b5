//! Spells, discards and terrain abilities (§7.1, §12 to §14).

use barrow_core::minions::{Ability, CastParams, Modifier, Movable, Spell, SpellClass, TileType, UnitLabel};

use super::geometry::{Coord, at, distance};
use super::state::{Piece, State};

/// Returns the mana that casting a spell adds (§7.1).
fn mana_when_played(spell: Spell) -> i32 {
    match spell.class() {
        SpellClass::Normal => 0,
        SpellClass::Cantrip => 1,
        SpellClass::DoubleCantrip => 2,
        SpellClass::Sorcery => -1,
    }
}

/// Returns the mana that discarding a spell adds (§7.1).
pub(super) fn mana_when_discarded(spell: Spell) -> i32 {
    match spell.class() {
        SpellClass::Normal | SpellClass::Cantrip | SpellClass::Sorcery => 1,
        SpellClass::DoubleCantrip => 2,
    }
}

impl State {
    fn hand(&self, b: usize) -> &[Spell] {
        &self.boards[b].hands[self.side.index()]
    }

    /// Removes the oldest card of a spell from the hand of the side to move.
    fn take_card(&mut self, b: usize, spell: Spell) -> Option<()> {
        let place = self.hand(b).iter().position(|&card| card == spell)?;
        self.boards[b].hands[self.side.index()].remove(place);
        Some(())
    }

    /// Returns the mana that discarding the whole hand would add.
    fn discardable(&self, b: usize) -> i32 {
        self.hand(b).iter().map(|&card| mana_when_discarded(card)).sum()
    }

    /// Discards a card; `None` if that is illegal.
    pub(super) fn discard(&mut self, b: usize, spell: Spell) -> Option<()> {
        self.take_card(b, spell)?;
        self.boards[b].mana += mana_when_discarded(spell);
        Some(())
    }

    /// Casts a spell; `None` if that is illegal. Negative mana is paid by discards at the end of the turn.
    pub(super) fn cast(&mut self, b: usize, spell: Spell, params: CastParams) -> Option<()> {
        if self.is_spooky() {
            return None;
        }
        self.take_card(b, spell)?;
        if self.boards[b].mana + self.discardable(b) + mana_when_played(spell) < 0 {
            return None;
        }
        self.boards[b].mana += mana_when_played(spell);
        match params {
            CastParams::None => self.cast_without_target(b, spell),
            CastParams::Piece(hex) => self.cast_at_piece(b, spell, at(hex)),
            CastParams::PieceHex(from, to) => self.cast_at_piece_and_hex(b, spell, at(from), at(to)),
            CastParams::Hex(hex) => self.cast_at_hex(b, spell, at(hex)),
            CastParams::TerrainHex(kind, hex) if spell == Spell::Terraform => {
                self.move_terrain(b, kind, at(hex))
            }
            CastParams::TerrainHex(..) => None,
        }
    }

    fn cast_without_target(&mut self, b: usize, spell: Spell) -> Option<()> {
        match spell {
            Spell::DoubleCantrip => Some(()),
            Spell::RisingHorde => {
                let friends: Vec<Coord> = self.friends(b).map(|(place, _)| place).collect();
                for place in friends {
                    self.modify(b, place, Modifier::Spawner, 1)?;
                }
                Some(())
            }
            _ => None,
        }
    }

    fn modify(&mut self, b: usize, at: Coord, modifier: Modifier, counter: u32) -> Option<()> {
        self.boards[b].pieces.get_mut(&at)?.modifiers.push((modifier, counter));
        Some(())
    }

    fn cast_at_piece(&mut self, b: usize, spell: Spell, at: Coord) -> Option<()> {
        let piece = self.piece(b, at)?;
        let unit = self.unit(piece.unit);
        let friend = piece.owner == self.side;
        let minion = self.is_minion(piece);
        let damaged = piece.damage > 0;
        match spell {
            Spell::Fester if minion && damaged => self.damage(b, at, 1),
            Spell::Dismember if minion && damaged => self.damage(b, at, 3),
            Spell::Unsummon if minion && damaged && !unit.persistent => self.unsummon(b, at),
            Spell::UnholyMight if friend && !minion => self.modify(b, at, Modifier::DoubleAttack, 1)?,
            Spell::Shield if friend && minion => self.modify(b, at, Modifier::Shielded, 2)?,
            Spell::Protection if friend && minion => self.modify(b, at, Modifier::Protected, 2)?,
            Spell::FreezeRay if !friend && minion => self.modify(b, at, Modifier::Frozen, 2)?,
            Spell::Weaken if !friend && minion => self.modify(b, at, Modifier::Weakened, 2)?,
            Spell::Lumbering if !friend && minion => self.modify(b, at, Modifier::Lumbering, 2)?,
            Spell::Shackle if !friend && minion => self.modify(b, at, Modifier::Shackled, 2)?,
            Spell::Spawn if friend && minion && !piece.exhausted => {
                self.modify(b, at, Modifier::Spawner, 1)?;
            }
            Spell::Cleave if self.may_cleave(b, at) => self.damage(b, at, 1),
            Spell::Sunder if self.may_cleave(b, at) => self.damage(b, at, 2),
            Spell::LightningBolt if !friend && minion => self.damage(b, at, 1),
            Spell::Blink if friend && minion && unit.persistent => self.damage(b, at, 1),
            Spell::Blink if friend && minion => self.unsummon(b, at),
            _ => return None,
        }
        Some(())
    }

    /// Whether Cleave and Sunder may target a hex: an enemy minion within the range of a friendly minion that attacked
    /// another piece this turn.
    fn may_cleave(&self, b: usize, at: Coord) -> bool {
        let Some(target) = self.enemy(b, at).filter(|target| self.is_minion(target)) else { return false };
        self.friends(b).any(|(place, piece)| {
            self.is_minion(piece)
                && piece.attacked.iter().any(|&id| id != target.id)
                && distance(place, at) <= self.figures(piece).range
        })
    }

    fn cast_at_piece_and_hex(&mut self, b: usize, spell: Spell, from: Coord, to: Coord) -> Option<()> {
        let piece = self.piece(b, from)?;
        let friend = piece.owner == self.side;
        let suits = match spell {
            Spell::Reposition => friend,
            Spell::Stumble => !friend && piece.damage > 0,
            Spell::Displace => !friend,
            _ => false,
        };
        let fits = distance(from, to) == 1 && self.may_end(b, piece.unit, to);
        if !suits || !self.is_minion(piece) || !fits {
            return None;
        }
        let mut piece: Piece = self.boards[b].pieces.remove(&from)?;
        if spell == Spell::Reposition {
            piece.exhausted = true;
        }
        self.boards[b].pieces.insert(to, piece);
        Some(())
    }

    fn cast_at_hex(&mut self, b: usize, spell: Spell, at: Coord) -> Option<()> {
        match spell {
            Spell::Earthquake => self.move_terrain(b, Movable::Earthquake, at),
            Spell::Firestorm => self.move_terrain(b, Movable::Firestorm, at),
            Spell::Flood => self.move_terrain(b, Movable::Water, at),
            Spell::Whirlwind => self.move_terrain(b, Movable::Whirlwind, at),
            Spell::Normalize => {
                let laid = self.boards[b].movable.iter().find(|&(_, &place)| place == at);
                let kind = *laid?.0;
                self.boards[b].movable.remove(&kind);
                Some(())
            }
            Spell::RaiseZombie => {
                if !self.may_end(b, UnitLabel::Zombie, at) || !self.has_active_friend_near(b, at) {
                    return None;
                }
                self.create(b, UnitLabel::Zombie, at);
                Some(())
            }
            _ => None,
        }
    }

    /// Moves terrain to a hex of plain ground near a friendly piece (§12).
    fn move_terrain(&mut self, b: usize, kind: Movable, at: Coord) -> Option<()> {
        let ground = self.boards[b].tile(at) == TileType::Ground;
        if self.piece(b, at).is_some() || !ground || !self.has_active_friend_near(b, at) {
            return None;
        }
        self.boards[b].movable.insert(kind, at);
        Some(())
    }

    /// Uses the terrain ability of a piece for one mana; `None` if that is illegal.
    pub(super) fn use_ability(
        &mut self,
        b: usize,
        user: Coord,
        ability: Ability,
        terrain: Option<Movable>,
        to: Coord,
    ) -> Option<()> {
        if self.is_spooky() {
            return None;
        }
        let piece = self.friend(b, user)?;
        // Quirk Q17 as recommended: the user must have the ability.
        if self.unit(piece.unit).ability != Some(ability) || piece.exhausted || distance(user, to) > 1 {
            return None;
        }
        if self.boards[b].mana + self.discardable(b) <= 0 {
            return None;
        }
        let kind = match (ability, terrain) {
            (Ability::MoveFlood, None) => Movable::Water,
            (Ability::MoveEarthquake, None) => Movable::Earthquake,
            (Ability::MoveWhirlwind, None) => Movable::Whirlwind,
            (Ability::MoveFirestorm, None) => Movable::Firestorm,
            (Ability::MoveTerrain, Some(kind)) => kind,
            _ => return None,
        };
        self.boards[b].mana -= 1;
        self.move_terrain(b, kind, to)
    }
}
