//! Attack effects: the damage or removal that one attack brings, and which pieces can attack from where.

use crate::hex::{Hex, HexSet, STORED_RADIUS};
use crate::minions::{Attack, Current, Piece, View};

/// Attackers considered on one board at most; armies are smaller.
pub(super) const ATTACKER_CAP: usize = 64;

/// Fighter: an own piece that can still attack this turn.
#[derive(Clone, Copy)]
pub(super) struct Fighter {
    pub(super) from: Hex,
    pub(super) piece: Piece,
    pub(super) now: Current,
}

impl Fighter {
    /// Attacks left this turn.
    pub(super) fn hits(&self) -> u8 {
        hits(&self.now, self.piece)
    }

    /// Whether the piece could hit one of these hexes if nothing were in its way. It may be true of others, too.
    pub(super) fn is_near(&self, hexes: HexSet) -> bool {
        let walk = if self.now.lumbering { 0 } else { self.now.speed };
        let radius = walk.saturating_add(self.now.range.max(self.now.range_flying));
        // Larger balls are in no table.
        radius > STORED_RADIUS || HexSet::ball(self.from, radius).intersects(hexes)
    }

    /// Hexes from which the piece could attack: its own and, unless moving would keep it from attacking, all that it can
    /// walk to, occupied by friends or not.
    pub(super) fn walks(&self, view: &View<'_>) -> HexSet {
        let stay = self.from.to_set();
        if self.now.lumbering { stay } else { stay | view.walks(self.from, self.piece) }
    }
}

/// Attacker: a fighter with its walks.
#[derive(Clone, Copy)]
pub(super) struct Attacker {
    pub(super) from: Hex,
    pub(super) piece: Piece,
    pub(super) now: Current,
    /// Hexes from which the piece could attack; see [`Fighter::walks`].
    pub(super) walks: HexSet,
}

impl Attacker {
    /// Hexes from which the piece can attack without a friend making room.
    pub(super) fn spots(&self, view: &View<'_>) -> HexSet {
        (self.walks - view.board.all_pieces()).with(self.from)
    }

    /// Attacks left this turn.
    pub(super) fn hits(&self) -> u8 {
        hits(&self.now, self.piece)
    }
}

/// Attacks that a piece with these characteristics has left this turn.
pub(super) fn hits(now: &Current, piece: Piece) -> u8 {
    now.num_attacks.saturating_sub(piece.attacks())
}

/// Removal of the target by a single attack, whatever its defense.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Removal {
    /// No removal; the attack does damage.
    None,
    /// The target goes to its owner's reinforcements.
    Unsummoned,
    /// The target dies.
    Killed,
}

/// Effect of one attack of an attacker on a target.
#[derive(Clone, Copy)]
pub(super) struct AttackEffect {
    pub(super) damage: u16,
    pub(super) removal: Removal,
}

impl AttackEffect {
    /// Effect of an attack by a piece with these characteristics, `None` where it cannot hurt the target at all.
    pub(super) fn new(view: &View<'_>, attacker: &Current, target: Piece) -> Option<AttackEffect> {
        let unit = view.unit(target);
        match attacker.attack {
            Attack::None => None,
            Attack::Damage(amount) => {
                Some(AttackEffect { damage: u16::from(amount), removal: Removal::None })
            }
            Attack::Unsummon if unit.persistent => Some(AttackEffect { damage: 1, removal: Removal::None }),
            Attack::Unsummon => Some(AttackEffect { damage: 0, removal: Removal::Unsummoned }),
            Attack::Deathtouch if unit.necromancer => None,
            Attack::Deathtouch => Some(AttackEffect { damage: 0, removal: Removal::Killed }),
        }
    }
}

/// Damage that a piece can still take before it is removed.
pub(super) fn resistance(view: &View<'_>, target: Piece) -> u16 {
    view.current(target).defense.saturating_sub(target.damage())
}

/// Own pieces that can still attack.
pub(super) fn fighters<'a>(view: &View<'a>) -> impl Iterator<Item = Fighter> + use<'a> {
    let view = *view;
    view.board.iter(view.side).filter_map(move |(from, piece)| {
        if piece.exhausted() {
            return None;
        }
        let now = view.current(piece);
        let idle = now.attack == Attack::None || piece.attacks() >= now.num_attacks;
        let fights = !idle && now.range > 0 && !(now.lumbering && piece.moved());
        fights.then_some(Fighter { from, piece, now })
    })
}

/// Own pieces that can still attack, with their walks.
pub(super) fn attackers<'a>(view: &View<'a>) -> impl Iterator<Item = Attacker> + use<'a> {
    let view = *view;
    fighters(&view).take(ATTACKER_CAP).map(move |fighter| {
        let Fighter { from, piece, now } = fighter;
        Attacker { from, piece, now, walks: fighter.walks(&view) }
    })
}

/// Hexes within the range of a piece with these characteristics from a target.
pub(super) fn ring_of_fire(view: &View<'_>, attacker: &Current, at: Hex, target: Piece) -> HexSet {
    let range = if view.unit(target).flying { attacker.range_flying } else { attacker.range };
    HexSet::ball(at, range)
}
