//! Elements of a model: friends, enemies, modes and pairs.

use barrow_core::hex::{Hex, HexSet};

use super::lits::{FoeLits, FriendLits, NO_LIT};
use crate::cdcl::Lit;

/// A friendly piece that could attack, or that stands where another could fight from.
#[derive(Clone, Copy, Debug)]
pub struct Friend {
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
    /// Modes in which the friend fights, as a range of the modes.
    pub(super) first_mode: u16,
    pub(super) num_modes: u16,
    /// Modes in which the friend steps aside, as a range of the modes.
    pub(super) first_aside: u16,
    pub(super) num_asides: u16,
    /// Whether another friend could come to this one's hex.
    pub(super) contested: bool,
    /// Literals and clocks.
    pub(super) lits: FriendLits,
}

impl Friend {
    /// Content of an unused slot of a list.
    pub(super) const EMPTY: Friend = Friend {
        at: Hex::FIRST,
        attacks: 0,
        blink: false,
        steps: 0,
        open: HexSet::EMPTY,
        flying: false,
        lumbering: false,
        first_stopovers: HexSet::EMPTY,
        second_stopovers: HexSet::EMPTY,
        first_mode: 0,
        num_modes: 0,
        first_aside: 0,
        num_asides: 0,
        contested: false,
        lits: FriendLits::NONE,
    };
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
pub struct Mode {
    pub(super) friend: u8,
    pub(super) hex: Hex,
    pub(super) kind: ModeKind,
    /// Sets of enemies of which one must be gone, as a range of the sets; empty when the path is open.
    pub(super) first_set: u16,
    pub(super) num_sets: u8,
    /// Literal that the friend is in this mode.
    pub(super) lit: Lit,
    /// Position in the list of the next mode in which a friend comes to the same hex.
    pub(super) next: u16,
}

impl Mode {
    /// Content of an unused slot of a list.
    pub(super) const EMPTY: Mode = Mode {
        friend: 0,
        hex: Hex::FIRST,
        kind: ModeKind::Fight,
        first_set: 0,
        num_sets: 0,
        lit: NO_LIT,
        next: 0,
    };
}

/// An enemy piece that somebody could attack.
#[derive(Clone, Copy, Debug)]
pub struct Foe {
    pub(super) at: Hex,
    /// Damage that would kill the enemy.
    pub(super) need: u16,
    /// Whether the enemy is unsummoned when it dies (rules §13).
    pub(super) soulbound: bool,
    /// Literals and clock.
    pub(super) lits: FoeLits,
}

impl Foe {
    /// Content of an unused slot of a list.
    pub(super) const EMPTY: Foe = Foe { at: Hex::FIRST, need: 0, soulbound: false, lits: FoeLits::NONE };
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
pub struct Pair {
    pub(super) friend: u8,
    pub(super) foe: u8,
    /// Most hits that are of use.
    pub(super) hits: u8,
    pub(super) hit: Hit,
    /// Largest distance from which the friend can hit, in hexes.
    pub(super) range: u8,
    /// Literal of the first hit (`a_xy`); further hits follow as the next variables.
    pub(super) first: Lit,
    /// Clock of the hits: the friend's, or one of their own.
    pub(super) at: u8,
}

impl Pair {
    /// Content of an unused slot of a list.
    pub(super) const EMPTY: Pair =
        Pair { friend: 0, foe: 0, hits: 0, hit: Hit::Damage(0), range: 0, first: NO_LIT, at: 0 };
}
