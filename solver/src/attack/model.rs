//! The model of an attack on one board, before it is put into constraints: friends and the hexes they could fight from,
//! now or once enemies in the way are gone; enemies and the friends that could hit them (seed 000, "generate all
//! attacker-defender pairs").

use barrow_core::hex::{Hex, HexSet, flood};
use barrow_core::minions::{Attack, Piece, View};
use heapless::Vec;

use super::reach::{ReachableHex, reachable_hexes};
use crate::cdcl::{Capacity, Lit, Resource};

/// Most pieces of a side that can take part. A side rarely has half as many on a board.
pub const PIECE_CAP: usize = 48;
/// Most pairs of a friend and a hex to fight from.
pub const MODE_CAP: usize = 1024;
/// Most pairs of an attacker and a target.
pub const PAIR_CAP: usize = 768;
/// Most sets of enemies that block a path.
pub const SET_CAP: usize = 768;

/// Number of reinforcements of one type from which on they count as full, so that no plan can fail for want of room
/// there.
const CROWDED: u8 = u8::MAX - PIECE_CAP as u8;

/// A friendly piece that could attack, or that stands where another could fight from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Friend {
    pub(super) at: Hex,
    /// Attacks left this turn; 0 for a friend that can only step aside.
    pub(super) attacks: u8,
    /// Whether the friend can blink away.
    pub(super) blink: bool,
    /// Steps left this turn, 0..=3.
    pub(super) steps: u8,
    /// Hexes whose terrain admits the friend.
    pub(super) open: HexSet,
    pub(super) flying: bool,
    /// Whether the friend may fight only if it has not moved.
    pub(super) lumbering: bool,
    /// Hexes of a first stopover.
    pub(super) first_stopovers: HexSet,
    /// Hexes of a second stopover.
    pub(super) second_stopovers: HexSet,
    /// Modes in which the friend fights, as a range of [`AttackModel::modes`].
    pub(super) first_mode: u16,
    pub(super) num_modes: u16,
    /// Modes in which the friend steps aside, as a range of [`AttackModel::modes`].
    pub(super) first_aside: u16,
    pub(super) num_asides: u16,
    /// Whether another friend could come to this one's hex.
    pub(super) contested: bool,
}

/// Kind of a mode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ModeKind {
    /// The friend goes to the hex, or stays there, and fights.
    Fight,
    /// The friend walks to the hex to get out of the way.
    StepAside,
    /// The friend teleports to the hex to get out of the way.
    Teleport,
}

/// Mode of a friend: fighting from a hex, or stepping aside to it (`m_xs` of seed 000).
#[derive(Clone, Copy, Debug)]
pub(super) struct Mode {
    pub(super) friend: u8,
    pub(super) hex: Hex,
    pub(super) kind: ModeKind,
    /// Sets of enemies of which one must be gone, as a range of [`AttackModel::sets`]; empty when the path is open.
    pub(super) first_set: u16,
    pub(super) num_sets: u8,
}

/// An enemy piece that somebody could attack.
#[derive(Clone, Copy, Debug)]
pub(super) struct Foe {
    pub(super) at: Hex,
    /// Damage that would kill the enemy.
    pub(super) need: u16,
    /// Whether the enemy is unsummoned when it dies (rules §13).
    pub(super) soulbound: bool,
}

/// Attack effect of one hit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Hit {
    /// Damage, at most as much as kills the target.
    Damage(u16),
    /// The target is unsummoned.
    Unsummon,
}

/// Pair of a friend and an enemy that it could hit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub(super) friend: u8,
    pub(super) foe: u8,
    /// Most hits that are of use.
    pub(super) hits: u8,
    pub(super) hit: Hit,
    /// Largest distance from which the friend can hit, in hexes.
    pub(super) range: u8,
}

/// Overkill policy: which hits a plan may contain (seed 000 "no overkill").
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum OverkillPolicy {
    /// Any hits. Hits after the death of their target are left out of the plan, so that a friend that is a fighter in
    /// the model may do nothing in the plan.
    #[default]
    Allowed,
    /// Every hit finds its target alive, so that every fighter of the model fights in the plan. A hit need not be of
    /// use.
    AllHitsLand,
    /// Every hit is needed: without it some enemy would not be removed.
    AllHitsNeeded,
}

/// Model of the attacks on one board: friends, enemies, modes and pairs.
#[derive(Clone, Debug, Default)]
pub struct AttackModel {
    pub(super) friends: Vec<Friend, PIECE_CAP, u8>,
    pub(super) foes: Vec<Foe, PIECE_CAP, u8>,
    pub(super) modes: Vec<Mode, MODE_CAP, u16>,
    pub(super) pairs: Vec<Pair, PAIR_CAP, u16>,
    /// Sets of enemies that block a path.
    pub(super) sets: Vec<HexSet, SET_CAP, u16>,
    /// Overkill policy of the plans.
    pub(super) policy: OverkillPolicy,
    /// Whether stopovers were left out.
    pub(super) cut: bool,
    /// Hexes of friends that nothing can move.
    pub(super) closed: HexSet,
    /// Hexes occupied by friends.
    pub(super) friendly: HexSet,
    /// Hexes occupied by enemies.
    pub(super) hostile: HexSet,
}

/// Error of a full list.
pub(super) fn full(what: Resource, available: usize) -> Capacity {
    Capacity { what, needed: available + 1, available }
}

impl AttackModel {
    /// The model of a board without pieces.
    pub(super) const EMPTY: AttackModel = AttackModel {
        friends: Vec::new(),
        foes: Vec::new(),
        modes: Vec::new(),
        pairs: Vec::new(),
        sets: Vec::new(),
        policy: OverkillPolicy::Allowed,
        cut: false,
        closed: HexSet::EMPTY,
        friendly: HexSet::EMPTY,
        hostile: HexSet::EMPTY,
    };

    /// Models the attacks of the side to move on a board.
    ///
    /// # Errors
    /// When one of the lists is full.
    pub fn new(view: &View<'_>) -> Result<AttackModel, Capacity> {
        AttackModel::with_movers(view, HexSet::EMPTY)
    }

    /// Models the attacks of the side to move on a board, and the ways of these friends to any hex without fighting,
    /// for the goal [`Goal::Occupy`](super::Goal::Occupy).
    ///
    /// # Errors
    /// When one of the lists is full.
    pub fn with_movers(view: &View<'_>, movers: HexSet) -> Result<AttackModel, Capacity> {
        let mut model = AttackModel::default();
        model.fill(view, movers)?;
        Ok(model)
    }

    /// Fills an empty model in place: a model is large, and moving it costs time.
    pub(super) fn fill(&mut self, view: &View<'_>, movers: HexSet) -> Result<(), Capacity> {
        self.friendly = view.board.pieces(view.side);
        self.hostile = view.board.pieces(view.side.opponent());
        if view.board.marks().spawn_phase {
            return Ok(());
        }
        let mut attackers: Vec<(Hex, Piece), PIECE_CAP, u8> = Vec::new();
        for entry in view.board.iter(view.side) {
            if AttackModel::is_immovable(view, entry.0, entry.1) {
                self.closed.insert(entry.0);
            }
            if view.ready_to_attack(entry.1).is_ok() {
                attackers.push(entry).map_err(|_| full(Resource::Pieces, PIECE_CAP))?;
            }
        }
        for &(at, piece) in &attackers {
            self.add_attacker(view, at, piece)?;
        }
        self.add_step_asides(view, movers)
    }

    /// Empties the model in place, but for its policy.
    pub(super) fn clear(&mut self) {
        self.friends.clear();
        self.foes.clear();
        self.modes.clear();
        self.pairs.clear();
        self.sets.clear();
        self.cut = false;
        (self.closed, self.friendly, self.hostile) = (HexSet::EMPTY, HexSet::EMPTY, HexSet::EMPTY);
    }

    /// The same model with another overkill policy.
    #[must_use]
    pub fn with_overkill_policy(mut self, policy: OverkillPolicy) -> AttackModel {
        self.policy = policy;
        self
    }

    /// Whether all stopovers that may matter are considered. If not, there may be attacks with split moves that no plan
    /// contains; this happens on boards with many pieces in contact under rulesets that let moves be split.
    pub fn is_complete(&self) -> bool {
        !self.cut
    }

    /// Number of friends that could attack, and of enemies that could be attacked.
    pub fn size(&self) -> (usize, usize) {
        (self.friends.iter().filter(|friend| friend.attacks > 0).count(), self.foes.len())
    }

    /// Hexes of the enemies that could be attacked.
    pub fn targets(&self) -> impl Iterator<Item = Hex> + '_ {
        self.foes.iter().map(|foe| foe.at)
    }

    /// Hexes of the friends that could attack.
    pub fn attackers(&self) -> impl Iterator<Item = Hex> + '_ {
        self.friends.iter().filter(|friend| friend.attacks > 0).map(|friend| friend.at)
    }

    /// Adds a friend with its modes, and the enemies that it could hit with their pairs.
    fn add_attacker(&mut self, view: &View<'_>, at: Hex, piece: Piece) -> Result<(), Capacity> {
        let Ok(now) = view.ready_to_attack(piece) else { return Ok(()) };
        let unit = view.unit(piece);
        // A lumbering piece fights from where it stands, or moves without fighting.
        let entry = AttackModel::passive_friend(view, at, piece);
        let steps = if now.lumbering { 0 } else { entry.steps };
        let open = entry.open;
        let anywhere = flood(at, steps, open);
        let mut useful = HexSet::EMPTY;
        let mut targets: Vec<(Hex, Piece, u8), PIECE_CAP, u8> = Vec::new();
        let reach = now.range.max(now.range_flying);
        if reach == 0 || !HexSet::ball(at, (steps + reach).min(18)).intersects(self.hostile) {
            return Ok(());
        }
        for target in HexSet::ball(at, (steps + reach).min(18)) & self.hostile {
            let Some(other) = view.board.piece(target) else { continue };
            let foe = view.unit(other);
            let range = if foe.flying { now.range_flying } else { now.range };
            let immune = foe.necromancer && unit.attack == Attack::Deathtouch;
            let zone = HexSet::ball(target, range) & (anywhere - self.closed.without(at));
            let room = view.board.reserve(other.side(), other.unit()) < CROWDED;
            if range > 0 && !immune && room && !zone.is_empty() {
                useful |= zone;
                let overfull = full(Resource::Pieces, PIECE_CAP);
                targets.push((target, other, range)).map_err(|_| overfull)?;
            }
        }
        if targets.is_empty() {
            return Ok(());
        }
        let friend = self.friends.len() as u8;
        let first_mode = self.modes.len() as u16;
        let attacks = now.num_attacks - piece.attacks();
        for reachable in reachable_hexes(at, steps, open, self.hostile, unit.flying, useful) {
            self.add_mode(friend, ModeKind::Fight, &reachable)?;
        }
        let num_modes = self.modes.len() as u16 - first_mode;
        let entry = Friend { attacks, first_mode, num_modes, ..entry };
        self.friends.push(entry).map_err(|_| full(Resource::Pieces, PIECE_CAP))?;
        for (target, other, range) in targets {
            let foe = self.add_foe(view, target, other)?;
            let need = self.foes.get(usize::from(foe)).map_or(1, |foe| foe.need);
            let persistent = view.unit(other).persistent;
            let (hit, most) = match now.attack {
                Attack::None => continue,
                Attack::Damage(amount) => (Hit::Damage(u16::from(amount).min(need)), need),
                Attack::Unsummon if persistent => (Hit::Damage(1), need),
                Attack::Unsummon => (Hit::Unsummon, 1),
                Attack::Deathtouch => (Hit::Damage(need), 1),
            };
            let useful_hits = match hit {
                Hit::Damage(amount) => most.div_ceil(amount.max(1)),
                Hit::Unsummon => 1,
            };
            let hits = useful_hits.min(u16::from(attacks)) as u8;
            let pair = Pair { friend, foe, hits, hit, range };
            self.pairs.push(pair).map_err(|_| full(Resource::Pairs, PAIR_CAP))?;
        }
        Ok(())
    }

    /// A friend without attacks and modes.
    pub(super) fn passive_friend(view: &View<'_>, at: Hex, piece: Piece) -> Friend {
        let unit = view.unit(piece);
        let open = view.board.walkable(view.map, unit);
        let steps = if open.contains(at) { view.steps_left(piece).unwrap_or(0) } else { 0 };
        Friend {
            at,
            attacks: 0,
            blink: AttackModel::may_blink(view, piece),
            steps,
            open,
            flying: unit.flying,
            lumbering: view.current(piece).lumbering,
            first_stopovers: HexSet::EMPTY,
            second_stopovers: HexSet::EMPTY,
            first_mode: 0,
            num_modes: 0,
            first_aside: 0,
            num_asides: 0,
            contested: false,
        }
    }

    /// Hexes that a friend can walk to now without attacking, empty or not; its own is one of them.
    pub(super) fn walks(&self, friend: &Friend) -> HexSet {
        let passable = if friend.flying { friend.open } else { friend.open - self.hostile };
        flood(friend.at, friend.steps, passable)
    }

    /// Adds a mode with the sets of enemies that block its path.
    pub(super) fn add_mode(
        &mut self,
        friend: u8,
        kind: ModeKind,
        reachable: &ReachableHex,
    ) -> Result<(), Capacity> {
        let first_set = self.sets.len() as u16;
        for &set in &reachable.blockers {
            self.sets.push(set).map_err(|_| full(Resource::Pairs, SET_CAP))?;
        }
        let num_sets = reachable.blockers.len() as u8;
        let mode = Mode { friend, hex: reachable.hex, kind, first_set, num_sets };
        self.modes.push(mode).map_err(|_| full(Resource::Pairs, MODE_CAP))
    }

    /// Whether a piece can blink away and has room among the reinforcements.
    fn may_blink(view: &View<'_>, piece: Piece) -> bool {
        view.unit(piece).blink
            && !view.awaits_setup()
            && view.board.reserve(piece.side(), piece.unit()) < CROWDED
    }

    /// Whether a friend can neither walk nor blink nor teleport.
    fn is_immovable(view: &View<'_>, at: Hex, piece: Piece) -> bool {
        let walks =
            view.steps_left(piece).is_ok() && view.board.walkable(view.map, view.unit(piece)).contains(at);
        !walks && !AttackModel::may_blink(view, piece) && view.teleports(at).is_empty()
    }

    /// Position in the list of the enemy on a hex, which is added if need be.
    fn add_foe(&mut self, view: &View<'_>, at: Hex, piece: Piece) -> Result<u8, Capacity> {
        if let Some(known) = self.foes.iter().position(|foe| foe.at == at) {
            return Ok(known as u8);
        }
        let now = view.current(piece);
        let need = now.defense.saturating_sub(piece.damage()).max(1);
        let foe = Foe { at, need, soulbound: now.soulbound };
        self.foes.push(foe).map_err(|_| full(Resource::Pieces, PIECE_CAP))?;
        Ok(self.foes.len() as u8 - 1)
    }

    /// Positions of the modes in which a friend fights, or of those in which it steps aside.
    pub(super) fn mode_range(friend: &Friend, fights: bool) -> core::ops::Range<usize> {
        let (first, count) = if fights {
            (friend.first_mode, friend.num_modes)
        } else {
            (friend.first_aside, friend.num_asides)
        };
        usize::from(first)..usize::from(first) + usize::from(count)
    }

    /// Sets of enemies of which one must be gone before a mode's path is open; none when it is open.
    pub(super) fn sets_of(&self, mode: &Mode) -> &[HexSet] {
        let first = usize::from(mode.first_set);
        self.sets.get(first..first + usize::from(mode.num_sets)).unwrap_or(&[])
    }
}

/// Literals of an encoded model, by position of what they stand for.
pub(super) type Lits<const N: usize> = Vec<Lit, N, u16>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_list_needs_one_place_more() {
        let error = full(Resource::Pairs, 7);
        assert_eq!(error, Capacity { what: Resource::Pairs, needed: 8, available: 7 });
    }
}
