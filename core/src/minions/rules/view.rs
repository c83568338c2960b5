//! View of one board for the side to move: where a piece may go, what it may attack, where units may be placed (rules
//! §9 to §12). A view changes nothing; the rules that change a position check with it first.

use crate::hex::{Hex, HexSet, flood};

use super::illegal::IllegalReason;
use crate::minions::position::board::Board;
use crate::minions::position::modifier::Current;
use crate::minions::position::piece::Piece;
use crate::minions::tables::config::GameConfig;
use crate::minions::tables::figures::{Attack, Unit};
use crate::minions::tables::map::Map;
use crate::minions::tables::ruleset::{ResetChoice, Rules};
use crate::minions::tables::side::Side;
use crate::minions::tables::terrain::{Movable, TileType};
use crate::minions::tables::unit::UnitLabel;
use crate::minions::tables::unit::WIDEST_SPAWN;

/// View of a board for the side to move.
#[derive(Clone, Copy)]
pub struct View<'a> {
    /// Switches in force.
    pub rules: &'a Rules,
    /// Fixed terrain.
    pub map: &'a Map,
    /// The board.
    pub board: &'a Board,
    /// The side to move.
    pub side: Side,
}

impl<'a> View<'a> {
    /// The board with this index. `None` when there is no such board.
    pub fn new(config: &'a GameConfig, boards: &'a [Board], index: usize, side: Side) -> Option<View<'a>> {
        Some(View { rules: &config.rules, map: config.map(index), board: boards.get(index)?, side })
    }

    /// Whether the side has yet to set the board up, where that is mandatory (divergence 41).
    pub fn awaits_setup(&self) -> bool {
        self.rules.reset_choice == ResetChoice::Mandatory
            && self.board.state().is_reset()
            && !self.board.marks().set_up
    }

    /// Printed figures of a piece's type.
    #[inline]
    pub fn unit(&self, piece: Piece) -> &'static Unit {
        self.rules.unit(piece.unit())
    }

    /// A piece's characteristics with modifiers.
    #[inline]
    pub fn current(&self, piece: Piece) -> Current {
        Current::new(self.unit(piece), piece.modifiers())
    }

    /// The friendly piece on a hex.
    pub fn friend(&self, hex: Hex) -> Result<Piece, IllegalReason> {
        let piece = self.board.piece(hex).ok_or(IllegalReason::NoPiece)?;
        if piece.side() == self.side { Ok(piece) } else { Err(IllegalReason::WrongSide) }
    }

    /// The enemy piece on a hex.
    pub fn enemy(&self, hex: Hex) -> Result<Piece, IllegalReason> {
        let piece = self.board.piece(hex).ok_or(IllegalReason::NoPiece)?;
        if piece.side() == self.side { Err(IllegalReason::WrongSide) } else { Ok(piece) }
    }

    /// Hexes a piece of this type and side may pass: terrain that admits it, without enemies unless it flies.
    #[inline]
    pub fn passable(&self, side: Side, unit: &Unit) -> HexSet {
        let open = self.board.walkable(self.map, unit);
        if unit.flying { open } else { open - self.board.pieces(side.opponent()) }
    }

    /// Steps a friendly piece may still take this turn, or why it takes none (rules §9.1).
    pub fn steps_left(&self, piece: Piece) -> Result<u8, IllegalReason> {
        if piece.exhausted() {
            return Err(IllegalReason::Exhausted);
        }
        if piece.attacks() > 0 {
            return Err(IllegalReason::HasAttacked);
        }
        if !self.rules.split_moves && piece.moved() {
            return Err(IllegalReason::HasMoved);
        }
        match self.current(piece).speed.saturating_sub(piece.steps()) {
            0 => Err(IllegalReason::TooFar),
            steps => Ok(steps),
        }
    }

    /// Hexes a friendly piece can walk to by one move action that moves nobody else. Empty when it cannot move.
    pub fn reach(&self, from: Hex) -> HexSet {
        let Ok(piece) = self.friend(from) else { return HexSet::EMPTY };
        self.walks(from, piece) - self.board.all_pieces()
    }

    /// Hexes within a friendly piece's steps, occupied or not; its own hex is among them when it can move.
    pub fn walks(&self, from: Hex, piece: Piece) -> HexSet {
        let Ok(steps) = self.steps_left(piece) else { return HexSet::EMPTY };
        let passable = self.passable(self.side, self.unit(piece));
        if !passable.contains(from) {
            return HexSet::EMPTY;
        }
        flood(from, steps, passable)
    }

    /// Whether a piece of the side to move on `from` may attack the enemy on `to` right now, and if not, why not.
    pub fn attack(&self, from: Hex, to: Hex) -> Result<(Piece, Piece), IllegalReason> {
        let (attacker, target, attack) = self.check_attack(from, to)?;
        if !self.has_reserve(target) && self.is_returned(target, attack) {
            return Err(IllegalReason::Capacity);
        }
        Ok((attacker, target))
    }

    /// Whether an attack is legal, room for what it sends back apart, and its effect.
    pub(crate) fn check_attack(&self, from: Hex, to: Hex) -> Result<(Piece, Piece, Attack), IllegalReason> {
        let attacker = self.friend(from)?;
        let target = self.enemy(to)?;
        let now = self.ready_to_attack(attacker)?;
        let unit = self.unit(target);
        if unit.necromancer && self.unit(attacker).attack == Attack::Deathtouch {
            return Err(IllegalReason::NecromancerImmune);
        }
        let range = if unit.flying { now.range_flying } else { now.range };
        if from.distance(to) > range {
            return Err(IllegalReason::OutOfRange);
        }
        Ok((attacker, target, now.attack))
    }

    /// Whether the owner's reinforcements have room for the piece.
    #[inline]
    pub(crate) fn has_reserve(&self, piece: Piece) -> bool {
        self.board.reserve(piece.side(), piece.unit()) < u8::MAX
    }

    /// Whether an attack sends this piece to its owner's reinforcements: by unsummoning it, or by killing what is soulbound (rules
    /// §10).
    #[cold]
    fn is_returned(&self, target: Piece, attack: Attack) -> bool {
        match attack {
            Attack::None => false,
            Attack::Damage(amount) => self.returns_by_damage(target, u16::from(amount)),
            Attack::Unsummon => !self.unit(target).persistent || self.returns_by_damage(target, 1),
            Attack::Deathtouch => self.current(target).soulbound,
        }
    }

    /// Whether this much damage kills a soulbound piece, which goes to its owner's reinforcements (rules §10).
    #[cold]
    pub(crate) fn returns_by_damage(&self, target: Piece, amount: u16) -> bool {
        let now = self.current(target);
        now.soulbound && target.damage().saturating_add(amount) >= now.defense
    }

    /// A friendly piece's characteristics if it may still attack this turn.
    #[inline]
    pub fn ready_to_attack(&self, attacker: Piece) -> Result<Current, IllegalReason> {
        if attacker.exhausted() {
            return Err(IllegalReason::Exhausted);
        }
        let now = self.current(attacker);
        if now.attack == Attack::None || attacker.attacks() >= now.num_attacks {
            return Err(IllegalReason::NoAttack);
        }
        if now.lumbering && attacker.moved() {
            return Err(IllegalReason::HasMoved);
        }
        Ok(now)
    }

    /// Enemy pieces a friendly piece may attack right now from where it stands.
    pub fn targets(&self, from: Hex) -> HexSet {
        let Ok(attacker) = self.friend(from) else { return HexSet::EMPTY };
        let Ok(now) = self.ready_to_attack(attacker) else { return HexSet::EMPTY };
        let reach =
            HexSet::ball(from, now.range.max(now.range_flying)) & self.board.pieces(self.side.opponent());
        let immune = self.unit(attacker).attack == Attack::Deathtouch;
        let mut targets = HexSet::EMPTY;
        for hex in reach {
            let Some(target) = self.board.piece(hex) else { continue };
            let unit = self.unit(target);
            let range = if unit.flying { now.range_flying } else { now.range };
            if from.distance(hex) <= range
                && !(immune && unit.necromancer)
                && (self.has_reserve(target) || !self.is_returned(target, now.attack))
            {
                targets.insert(hex);
            }
        }
        targets
    }

    /// Distance within which a friendly piece lets units be placed now, 0 if it does not (rules §11).
    #[inline]
    fn spawn_range(&self, piece: Piece) -> u8 {
        if !self.rules.chain_spawn && piece.exhausted() {
            0
        } else if piece.modifiers().is_empty() {
            self.unit(piece).spawn_range
        } else {
            self.current(piece).spawn_range
        }
    }

    /// Hexes near enough to a piece that lets units be placed (rules §11), terrain and occupation ignored.
    pub fn spawn_zone(&self) -> HexSet {
        let mut zone = HexSet::EMPTY;
        for (hex, piece) in self.board.iter(self.side) {
            let range = self.spawn_range(piece);
            if range > 0 {
                zone |= HexSet::ball(hex, range);
            }
        }
        zone
    }

    /// Whether a hex is in the [`View::spawn_zone`], without computing the whole zone.
    pub fn is_in_spawn_zone(&self, at: Hex) -> bool {
        let near = self.board.pieces(self.side) & HexSet::ball(at, WIDEST_SPAWN);
        near.into_iter().any(|hex| {
            let range = self.board.piece(hex).map_or(0, |piece| self.spawn_range(piece));
            range > 0 && at.distance(hex) <= range
        })
    }

    /// Free hexes whose terrain lets this type be placed.
    pub fn placeable(&self, unit: UnitLabel) -> HexSet {
        let unit = self.rules.unit(unit);
        let open = if self.rules.spawn_terrain_all {
            self.board.walkable(self.map, unit)
        } else if unit.flying {
            HexSet::ALL
        } else {
            let moved = self.board.movable(Movable::Water).map_or(HexSet::EMPTY, HexSet::single);
            !(self.map.all(TileType::Water) | moved)
        };
        open - self.board.all_pieces()
    }

    /// Hexes where a `Spawn` of this type is legal now, provided that the reinforcements hold one.
    pub fn spawn_hexes(&self, unit: UnitLabel) -> HexSet {
        self.spawn_hexes_in(self.spawn_zone(), unit)
    }

    /// Spawn hexes of a board whose [`View::spawn_zone`] is known.
    pub fn spawn_hexes_in(&self, zone: HexSet, unit: UnitLabel) -> HexSet {
        if self.board.state().allows_spawn() && !self.awaits_setup() {
            zone & self.placeable(unit)
        } else {
            HexSet::EMPTY
        }
    }

    /// Hexes to which a movable tile may be moved: free ground next to a friendly piece that is not exhausted
    /// (rules §12).
    pub fn terrain_hexes(&self) -> HexSet {
        let mut ground = self.map.all(TileType::Ground);
        for kind in Movable::ALL {
            if let Some(hex) = self.board.movable(kind) {
                ground.remove(hex);
            }
        }
        self.active_friends().grown() & (ground - self.board.all_pieces())
    }

    /// Friendly pieces that are not exhausted.
    pub fn active_friends(&self) -> HexSet {
        let active = self.board.iter(self.side).filter(|(_, piece)| !piece.exhausted());
        active.map(|(hex, _)| hex).collect::<HexSet>()
    }

    /// Whether Cleave or Sunder may hit this enemy: it is within the current range of a friendly minion that
    /// attacked another piece this turn (rules §14).
    pub fn is_cleavable(&self, at: Hex, target: Piece) -> bool {
        self.board.iter(self.side).any(|(hex, piece)| {
            piece.attacks() > 0
                && !self.unit(piece).necromancer
                && piece.attacked_other_than(target.origin())
                && hex.distance(at) <= self.current(piece).range
        })
    }

    /// Mana that would be available if these cards were discarded: mana plus the discard values of the hand.
    pub fn mana_reserve(&self) -> i16 {
        let hand = self.board.hand(self.side).iter();
        hand.fold(self.board.mana(), |mana, spell| mana.saturating_add(spell.mana_on_discard()))
    }
}
