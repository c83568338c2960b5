//! What an attack on one board could consist of: friends and the hexes they could fight from, now or once enemies
//! in the way are gone; enemies and who could hit them (seed 000, "generate all attacker-defender pairs").

use barrow_core::hex::{Hex, HexSet, flood};
use barrow_core::minions::{Attack, Piece, View};
use heapless::Vec;

use super::reach::{Approaches, approaches};
use crate::cdcl::{Capacity, Lit, Resource};

/// Most pieces of a side that can take part. A side rarely has half as many on a board.
pub const PIECE_CAP: usize = 48;
/// Most pairs of a friend and a hex to fight from.
pub const MODE_CAP: usize = 1024;
/// Most pairs of an attacker and a target.
pub const PAIR_CAP: usize = 768;
/// Most sets of enemies that must go before a way is open.
pub const SET_CAP: usize = 768;

/// Reinforcements of one type from here on count as full, so that no plan can fail for want of room there.
const CROWDED: u8 = u8::MAX - PIECE_CAP as u8;

/// A friendly piece that could attack, or that stands where another could fight from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Friend {
    pub(super) at: Hex,
    /// Attacks left this turn; 0 for those that can only step aside.
    pub(super) attacks: u8,
    pub(super) blink: bool,
    /// Steps it has left, 0..=3, and the terrain that admits it.
    pub(super) steps: u8,
    pub(super) open: HexSet,
    pub(super) flying: bool,
    /// It fights only if it has not moved.
    pub(super) lumbering: bool,
    /// Hexes on which it may stop on its way, and those on which it may stop a second time.
    pub(super) halts: HexSet,
    pub(super) rests: HexSet,
    pub(super) first_mode: u16,
    pub(super) num_modes: u16,
    pub(super) first_aside: u16,
    pub(super) num_asides: u16,
    /// Another piece could fight from its hex.
    pub(super) contested: bool,
}

/// What a friend does on a hex.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Deed {
    /// It comes there, or stays there, to fight.
    Fight,
    /// It steps aside to it.
    Aside,
    /// It uses a teleporter to get out of the way.
    Jump,
}

/// A friend fighting from a hex, or stepping aside to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mode {
    pub(super) friend: u8,
    pub(super) hex: Hex,
    pub(super) deed: Deed,
    /// Sets of enemies of which one must be gone; none when the way is open.
    pub(super) first_set: u16,
    pub(super) num_sets: u8,
}

/// An enemy piece that somebody could attack.
#[derive(Clone, Copy, Debug)]
pub(super) struct Foe {
    pub(super) at: Hex,
    /// Damage that is still missing.
    pub(super) need: u16,
    /// It is unsummoned when it dies (rules §13).
    pub(super) soulbound: bool,
}

/// What one hit does to the target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Hit {
    /// This much damage, at most what is missing.
    Damage(u16),
    /// Removes it, alive.
    Unsummon,
}

/// A friend hitting an enemy up to a number of times.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub(super) friend: u8,
    pub(super) foe: u8,
    pub(super) hits: u8,
    pub(super) hit: Hit,
    /// Hexes from which it is in range.
    pub(super) range: u8,
}

/// What the hits of a plan must be good for (seed 000 "no overkill").
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Economy {
    /// Nothing. Hits that come after the death of their target are left out of the plan, so that a friend that was
    /// free to fight may do nothing in the end.
    #[default]
    Loose,
    /// Every hit that is counted on finds its target alive, so that every friend that is to fight does. Such a hit
    /// need not be of use.
    Landing,
    /// Every hit is needed: without it some enemy would not be removed.
    Needed,
}

/// All there is to an attack on one board, before it is put into constraints.
#[derive(Clone, Debug, Default)]
pub struct Survey {
    pub(super) friends: Vec<Friend, PIECE_CAP, u8>,
    pub(super) foes: Vec<Foe, PIECE_CAP, u8>,
    pub(super) modes: Vec<Mode, MODE_CAP, u16>,
    pub(super) pairs: Vec<Pair, PAIR_CAP, u16>,
    pub(super) sets: Vec<HexSet, SET_CAP, u16>,
    /// What the hits of a plan must be good for.
    pub(super) economy: Economy,
    /// Halts were left out.
    pub(super) cut: bool,
    /// Hexes of friends that nothing can move.
    pub(super) closed: HexSet,
    /// Hexes occupied by friends and by enemies.
    pub(super) friendly: HexSet,
    pub(super) hostile: HexSet,
}

pub(super) fn full(what: Resource, available: usize) -> Capacity {
    Capacity { what, needed: available + 1, available }
}

impl Survey {
    /// Looks at a board from the side to move.
    pub fn new(view: &View<'_>) -> Result<Survey, Capacity> {
        Survey::with_movers(view, HexSet::EMPTY)
    }

    /// The same where it matters to which hexes these friends go without fighting
    /// ([`Wish::Occupy`](super::Wish::Occupy)).
    pub fn with_movers(view: &View<'_>, movers: HexSet) -> Result<Survey, Capacity> {
        let mut survey = Survey::default();
        survey.look(view, movers)?;
        Ok(survey)
    }

    /// Fills in an empty survey, for those who do not want to move one about.
    pub(super) fn look(&mut self, view: &View<'_>, movers: HexSet) -> Result<(), Capacity> {
        self.friendly = view.board.pieces(view.side);
        self.hostile = view.board.pieces(view.side.opponent());
        if view.board.marks().spawn_phase {
            return Ok(());
        }
        let mut attackers: Vec<(Hex, Piece), PIECE_CAP, u8> = Vec::new();
        for entry in view.board.iter(view.side) {
            if Survey::is_rooted(view, entry.0, entry.1) {
                self.closed.insert(entry.0);
            }
            if view.ready_to_attack(entry.1).is_ok() {
                attackers.push(entry).map_err(|_| full(Resource::Pieces, PIECE_CAP))?;
            }
        }
        for (at, piece) in attackers {
            self.add_attacker(view, at, piece)?;
        }
        self.evacuate(view, movers)
    }

    /// The same board with another demand on the hits of its plans.
    #[must_use]
    pub fn with_economy(mut self, economy: Economy) -> Survey {
        self.economy = economy;
        self
    }

    /// Whether all halts that may matter are considered. If not, there may be attacks in which pieces split their
    /// moves that no plan makes; this happens on boards with many pieces in contact, where steps need not be made at
    /// once.
    pub fn is_complete(&self) -> bool {
        !self.cut
    }

    /// Number of friends that could attack, and of enemies that could be attacked.
    pub fn size(&self) -> (usize, usize) {
        (self.friends.iter().filter(|friend| friend.attacks > 0).count(), self.foes.len())
    }

    /// Enemies that somebody could attack, with the hexes they stand on.
    pub fn targets(&self) -> impl Iterator<Item = Hex> + '_ {
        self.foes.iter().map(|foe| foe.at)
    }

    /// Friends that could attack.
    pub fn attackers(&self) -> impl Iterator<Item = Hex> + '_ {
        self.friends.iter().filter(|friend| friend.attacks > 0).map(|friend| friend.at)
    }

    fn add_attacker(&mut self, view: &View<'_>, at: Hex, piece: Piece) -> Result<(), Capacity> {
        let Ok(now) = view.ready_to_attack(piece) else { return Ok(()) };
        let unit = view.unit(piece);
        // A lumbering piece fights from where it stands, or moves without fighting.
        let entry = Survey::bystander(view, at, piece);
        let steps = if now.lumbering { 0 } else { entry.steps };
        let open = entry.open;
        let anywhere = if steps > 0 { flood(at, steps, open) } else { at.to_set() };
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
        for approach in approaches(at, steps, open, self.hostile, unit.flying, useful) {
            self.add_mode(friend, Deed::Fight, &approach)?;
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

    /// A friend that cannot fight.
    pub(super) fn bystander(view: &View<'_>, at: Hex, piece: Piece) -> Friend {
        let unit = view.unit(piece);
        let open = view.board.walkable(view.map, unit);
        let steps = if open.contains(at) { view.steps_left(piece).unwrap_or(0) } else { 0 };
        Friend {
            at,
            attacks: 0,
            blink: Survey::may_blink(view, piece),
            steps,
            open,
            flying: unit.flying,
            lumbering: view.current(piece).lumbering,
            halts: HexSet::EMPTY,
            rests: HexSet::EMPTY,
            first_mode: 0,
            num_modes: 0,
            first_aside: 0,
            num_asides: 0,
            contested: false,
        }
    }

    /// Hexes that a friend can walk to now without attacking, empty or not.
    pub(super) fn walks(&self, friend: &Friend) -> HexSet {
        let passable = if friend.flying { friend.open } else { friend.open - self.hostile };
        if friend.steps > 0 { flood(friend.at, friend.steps, passable) } else { HexSet::EMPTY }
    }

    pub(super) fn add_mode(&mut self, friend: u8, deed: Deed, approach: &Approaches) -> Result<(), Capacity> {
        let first_set = self.sets.len() as u16;
        for &set in &approach.blockers {
            self.sets.push(set).map_err(|_| full(Resource::Pairs, SET_CAP))?;
        }
        let num_sets = approach.blockers.len() as u8;
        let mode = Mode { friend, hex: approach.hex, deed, first_set, num_sets };
        self.modes.push(mode).map_err(|_| full(Resource::Pairs, MODE_CAP))
    }

    fn may_blink(view: &View<'_>, piece: Piece) -> bool {
        view.unit(piece).blink && view.board.reserve(piece.side(), piece.unit()) < CROWDED
    }

    /// Whether a friend will stay where it is whatever happens.
    fn is_rooted(view: &View<'_>, at: Hex, piece: Piece) -> bool {
        let walks =
            view.steps_left(piece).is_ok() && view.board.walkable(view.map, view.unit(piece)).contains(at);
        !walks && !Survey::may_blink(view, piece) && view.teleports(at).is_empty()
    }

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

    /// Positions of a friend's modes: those in which it fights, then those in which it steps aside.
    pub(super) fn mode_range(friend: &Friend, fights: bool) -> core::ops::Range<usize> {
        let (first, count) = if fights {
            (friend.first_mode, friend.num_modes)
        } else {
            (friend.first_aside, friend.num_asides)
        };
        usize::from(first)..usize::from(first) + usize::from(count)
    }

    pub(super) fn sets_of(&self, mode: &Mode) -> &[HexSet] {
        self.some_sets(mode.first_set, mode.num_sets)
    }

    pub(super) fn some_sets(&self, first: u16, count: u8) -> &[HexSet] {
        let first = usize::from(first);
        self.sets.get(first..first + usize::from(count)).unwrap_or(&[])
    }
}

/// What the literals of an encoded survey mean.
pub(super) type Lits<const N: usize> = Vec<Lit, N, u16>;
