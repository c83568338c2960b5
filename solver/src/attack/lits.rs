//! Literals and clocks of the pieces of a model.

use barrow_core::hex::HexSet;

use crate::cdcl::Lit;

/// The variable that stands where none has been numbered yet.
pub(super) const NO_LIT: Lit = Lit::wrapped(0);

/// Literals and clocks of a friend.
#[derive(Clone, Copy, Debug)]
pub(super) struct FriendLits {
    /// The friend does not fight.
    pub(super) passive: Lit,
    /// The friend does not fight and stays on its hex; the same as `passive` when it has nowhere to step aside to.
    pub(super) stays: Lit,
    /// The friend blinks away, after its attacks if it fights.
    pub(super) blinks: Option<Lit>,
    /// The friend makes a first stopover; one literal for each hex of it follows as the next variables.
    pub(super) first_stopover: Option<Lit>,
    /// The friend makes a second stopover; one literal for each hex of it follows as the next variables.
    pub(super) second_stopover: Option<Lit>,
    /// Clock of leaving the friend's hex.
    pub(super) leaves_at: u8,
    /// Clock of leaving the first stopover; the same as `leaves_at` without one.
    pub(super) continues_at: u8,
    /// Clock of arriving at the mode's hex; the same as `continues_at` without a second stopover.
    pub(super) arrives_at: u8,
    /// Clock of the friend's attacks.
    pub(super) attacks_at: u8,
    /// Clock of blinking away.
    pub(super) blinks_at: u8,
}

impl FriendLits {
    /// Literals of a friend that has not been numbered yet.
    pub(super) const NONE: FriendLits = FriendLits {
        passive: NO_LIT,
        stays: NO_LIT,
        blinks: None,
        first_stopover: None,
        second_stopover: None,
        leaves_at: 0,
        continues_at: 0,
        arrives_at: 0,
        attacks_at: 0,
        blinks_at: 0,
    };
}

/// Literals and clock of an enemy.
#[derive(Clone, Copy, Debug)]
pub(super) struct FoeLits {
    /// The enemy is removed, by whatever means.
    pub(super) removed: Lit,
    /// The damage kills the enemy.
    pub(super) dies: Lit,
    /// A hit unsummons the enemy; none when no friend could do that.
    pub(super) hit_by_unsummon: Option<Lit>,
    /// The enemy is removed for good; none when that cannot be.
    pub(super) killed: Option<Lit>,
    /// The enemy returns to the reinforcements; none when that cannot be.
    pub(super) unsummoned: Option<Lit>,
    /// Clock of the removal.
    pub(super) removed_at: u8,
}

impl FoeLits {
    /// Literals of an enemy that has not been numbered yet.
    pub(super) const NONE: FoeLits = FoeLits {
        removed: NO_LIT,
        dies: NO_LIT,
        hit_by_unsummon: None,
        killed: None,
        unsummoned: None,
        removed_at: 0,
    };
}

/// The literal `offset` variables after `lit`.
pub(super) fn following(lit: Lit, offset: u8) -> Lit {
    Lit::new(lit.index() + 2 * usize::from(offset)).unwrap_or(lit)
}

/// Variables and clocks numbered so far.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Numbers {
    pub(super) vars: usize,
    pub(super) clocks: usize,
}

impl Numbers {
    /// Positive literal of the next variable. Beyond the last variable there is none, and no encoding.
    pub(super) fn var(&mut self) -> Lit {
        self.vars += 1;
        Lit::new(2 * (self.vars - 1)).unwrap_or(NO_LIT)
    }

    /// The next clock. Beyond the last clock there is none, and no encoding.
    pub(super) fn clock(&mut self) -> u8 {
        self.clocks += 1;
        (self.clocks - 1) as u8
    }

    /// Literal that a friend makes a stopover, followed by one variable for each hex of it, and the clock of leaving for
    /// the stopover. Without hexes there is no literal, and the clock is `then`.
    pub(super) fn stopover(&mut self, hexes: HexSet, then: u8) -> (Option<Lit>, u8) {
        if hexes.is_empty() {
            return (None, then);
        }
        let stops = self.var();
        self.vars += hexes.len();
        (Some(stops), self.clock())
    }
}
