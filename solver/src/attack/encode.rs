//! Encoding of the attack model of seeds 000 and 001 as constraints.
//!
//! The seeds' names, and what stands for them here. For a friend x: `p_x` is [`passive`](super::lits::FriendLits::passive), `m_xs` a
//! mode's literal, `ta_x` its attack clock. For an enemy y: `r_y`, `k_y`, `u_y` are removed, killed, unsummoned,
//! `tr_y` its clock. For a pair: `a_xy` is the first of its hits, and `d_xy` the weighted number of them.
//!
//! Where the rules ask for more than the seeds say, the rules win:
//! - a piece moves and attacks at different moments (rules §23, item 5), so it has a clock for each: otherwise a piece
//!   could not make room for another whose attack must come before its own;
//! - friends may change places at one moment (rules §9.2), so entering a friend's hex is "not before" its leaving;
//! - a shielded enemy that dies is unsummoned (rules §13), so `k_y` and `u_y` are not always what damage and star
//!   attacks make of it;
//! - a friend in the way may step aside without fighting, or blink away, even after its own attack (rules §23,
//!   item 9).

use barrow_core::hex::{Hex, HexSet};
use heapless::Vec;

use super::constraint_sink::ConstraintSink;
use super::elements::{Friend, Mode};
use super::lits::following;
use super::model::{AttackModel, full};
use crate::cdcl::{Capacity, Lit, Resource};

/// Most literals in one constraint.
pub(super) const WIDTH: usize = 128;

/// Hits of a friend that are counted at most: fewer on small machines, which have fewer pieces and less stack.
pub(super) const HITS: usize = if cfg!(feature = "every-board") { 4 * WIDTH } else { 3 * WIDTH };
/// Literals of one constraint.
pub(super) type Row = Vec<Lit, WIDTH, u8>;

/// Appends a literal to a constraint.
pub(super) fn push(row: &mut Row, lit: Lit) -> Result<(), Capacity> {
    row.push(lit).map_err(|_| full(Resource::Pairs, WIDTH))
}

/// Encodes a model as constraints.
// Apart, so that the stack of the caller does not hold what only encoding needs.
#[inline(never)]
pub(super) fn encode(model: &AttackModel<'_>, sink: &mut impl ConstraintSink) -> Result<(), Capacity> {
    sink.new_vars(model.numbers.vars)?;
    sink.new_clocks(model.numbers.clocks)?;
    let encoder = Encoder { model };
    encoder.friends(sink)?;
    encoder.hexes(sink)?;
    encoder.paths(sink)?;
    encoder.pairs(sink)?;
    encoder.foes(sink)
}

/// Hexes of a friend's stopover, with their literals.
pub(super) fn stopover_lits(hexes: HexSet, stops: Option<Lit>) -> impl Iterator<Item = (Hex, Lit)> {
    let lits = stops.into_iter().flat_map(|stops| (1..=u8::MAX).map(move |offset| following(stops, offset)));
    hexes.into_iter().zip(lits)
}

/// Encoder of a model; the constraints of hexes, paths and targets are in files of their own.
pub(super) struct Encoder<'a> {
    pub(super) model: &'a AttackModel<'a>,
}

impl Encoder<'_> {
    /// Encodes friends: exactlyOne(p_x, m_xs); a fighter moves before it attacks, attacks before it blinks, and hits an
    /// enemy.
    fn friends(&self, sink: &mut impl ConstraintSink) -> Result<(), Capacity> {
        for (index, friend) in self.model.friends.iter().enumerate() {
            let lits = &friend.lits;
            let mut row = Row::new();
            push(&mut row, lits.passive)?;
            for (_, lit) in self.modes(friend, true) {
                push(&mut row, lit)?;
            }
            sink.clause(&row)?;
            sink.at_most_one(&row)?;
            for (mode, lit) in self.all_modes(friend) {
                // Somebody for whom there was no room in the model stands there.
                if mode.hex != friend.at && self.model.closed.contains(mode.hex) {
                    sink.clause(&[!lit])?;
                }
            }
            if friend.num_asides > 0 {
                // exactlyOne(p_x, stays, steps aside) in the same way, for friends that do not fight.
                row.clear();
                push(&mut row, !lits.passive)?;
                push(&mut row, lits.stays)?;
                sink.clause(&[!lits.stays, lits.passive])?;
                for (mode, lit) in self.modes(friend, false) {
                    push(&mut row, lit)?;
                    sink.clause(&[!lit, lits.passive])?;
                    if let Some(blinks) = lits.blinks {
                        sink.clause(&[!lit, !blinks])?;
                    }
                    if mode.hex == friend.at {
                        let stops = lits.first_stopover.unwrap_or(!lit);
                        sink.clause(&[!lit, stops])?;
                    }
                }
                sink.clause(&row)?;
                sink.at_most_one(row.get(1..).unwrap_or(&[]))?;
            }
            if friend.attacks > 0 {
                sink.order(!lits.passive, lits.arrives_at, lits.attacks_at, false)?;
                row.clear();
                push(&mut row, lits.passive)?;
                for pair in self.model.pairs.iter().filter(|pair| usize::from(pair.friend) == index) {
                    push(&mut row, pair.first)?;
                }
                sink.clause(&row)?;
                if lits.blinks.is_some() {
                    sink.order(!lits.passive, lits.attacks_at, lits.blinks_at, false)?;
                }
            }
        }
        Ok(())
    }

    /// Modes of a friend with their literals: those in which it fights, or those in which it steps aside.
    pub(super) fn modes(&self, friend: &Friend, fights: bool) -> impl Iterator<Item = (&Mode, Lit)> {
        let modes = self.model.modes.get(AttackModel::mode_range(friend, fights)).unwrap_or(&[]);
        modes.iter().map(|mode| (mode, mode.lit))
    }

    /// All modes of a friend with their literals, fighting or not.
    pub(super) fn all_modes(&self, friend: &Friend) -> impl Iterator<Item = (&Mode, Lit)> {
        self.modes(friend, true).chain(self.modes(friend, false))
    }

    /// Friend of a mode.
    pub(super) fn friend_of(&self, mode: &Mode) -> Option<&Friend> {
        self.model.friends.get(usize::from(mode.friend))
    }

    /// Encodes pairs: a_xy => some m_xs in range, a_xy => ta_x <= tr_y, and num(a_xy) <= maxAttacks(x).
    fn pairs(&self, sink: &mut impl ConstraintSink) -> Result<(), Capacity> {
        for pair in self.model.pairs.iter() {
            let (hit, at) = (pair.first, pair.at);
            let (Some(friend), Some(foe)) = (
                self.model.friends.get(usize::from(pair.friend)),
                self.model.foes.get(usize::from(pair.foe)),
            ) else {
                continue;
            };
            let lits = &friend.lits;
            let mut row = Row::new();
            push(&mut row, !hit)?;
            for (mode, lit) in self.modes(friend, true) {
                let late = self.model.for_long_searches && self.model.must_be_gone(foe.at, mode);
                if mode.hex.distance(foe.at) <= pair.range && !late {
                    push(&mut row, lit)?;
                }
            }
            sink.clause(&row)?;
            sink.order(hit, at, foe.lits.removed_at, false)?;
            if at != lits.attacks_at {
                sink.order(hit, lits.attacks_at, at, false)?;
                if lits.blinks.is_some() {
                    sink.order(hit, at, lits.blinks_at, false)?;
                }
            }
            for more in 1..pair.hits {
                sink.clause(&[!following(hit, more), following(hit, more - 1)])?;
            }
        }
        for (index, friend) in self.model.friends.iter().enumerate() {
            let mut row: Vec<(i32, Lit), HITS, u16> = Vec::new();
            for pair in self.model.pairs.iter() {
                if usize::from(pair.friend) == index {
                    for more in 0..pair.hits {
                        let lit = following(pair.first, more);
                        if row.push((-1, lit)).is_err() {
                            // Hits beyond the width of a constraint cannot be counted and are forbidden.
                            sink.clause(&[!lit])?;
                        }
                    }
                }
            }
            if row.len() > usize::from(friend.attacks) {
                sink.at_least(&row, -i32::from(friend.attacks))?;
            }
        }
        Ok(())
    }
}
