//! The attack model of seeds 000 and 001 as constraints.
//!
//! The seeds' names, and what stands for them here. For a friend x: `p_x` is [`FriendLits::passive`], `m_xs` a
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

use super::constraint_sink::Sink;
use super::model::{Economy, Friend, Hit, Lits, MODE_CAP, Mode, PAIR_CAP, PIECE_CAP, Survey};
use crate::cdcl::{Capacity, Lit, MAX_CLOCKS, Resource};

/// Literals and clocks of a friend.
#[derive(Clone, Copy, Debug)]
pub(super) struct FriendLits {
    /// It does not fight.
    pub(super) passive: Lit,
    /// It does not fight and stays where it is; the same as `passive` when it has nowhere to step aside to.
    pub(super) stays: Lit,
    /// It blinks away, after its attacks if it fights.
    pub(super) blinks: Option<Lit>,
    /// It halts on its way, and where: the literals of its halts follow as the next variables.
    pub(super) halts: Option<Lit>,
    /// It halts a second time, and where, in the same way.
    pub(super) rests: Option<Lit>,
    /// When it leaves its hex.
    pub(super) leaves_at: u8,
    /// When it goes on from its first halt; the same as `leaves_at` unless it halts.
    pub(super) goes_on_at: u8,
    /// When it comes to where it goes; the same as `goes_on_at` unless it halts a second time.
    pub(super) moves_at: u8,
    /// When it attacks.
    pub(super) fights_at: u8,
    /// When it blinks.
    pub(super) blinks_at: u8,
}

/// Literals and clock of an enemy.
#[derive(Clone, Copy, Debug)]
pub(super) struct FoeLits {
    pub(super) removed: Lit,
    /// The damage is enough.
    pub(super) felled: Lit,
    /// A hit unsummons it; none when nobody could do that.
    pub(super) sent: Option<Lit>,
    /// It is removed for good; none when that cannot be.
    pub(super) killed: Option<Lit>,
    /// It returns to the reinforcements; none when that cannot be.
    pub(super) unsummoned: Option<Lit>,
    pub(super) removed_at: u8,
}

/// Which literal says what.
#[derive(Clone, Debug, Default)]
pub(super) struct Meaning {
    pub(super) friends: Vec<FriendLits, PIECE_CAP, u8>,
    pub(super) foes: Vec<FoeLits, PIECE_CAP, u8>,
    pub(super) modes: Lits<MODE_CAP>,
    /// First hit of each pair; the further ones follow as the next variables.
    pub(super) hits: Lits<PAIR_CAP>,
    /// When each pair's hits strike: the friend's clock, or one of their own.
    pub(super) hits_at: Vec<u8, PAIR_CAP, u16>,
}

/// Most literals in one constraint.
pub(super) const WIDTH: usize = 128;
pub(super) type Row = Vec<Lit, WIDTH, u8>;

pub(super) fn push(row: &mut Row, lit: Lit) -> Result<(), Capacity> {
    row.push(lit).map_err(|_| Capacity { what: Resource::Pairs, needed: WIDTH + 1, available: WIDTH })
}

/// The literal `offset` variables after `lit`.
pub(super) fn following(lit: Lit, offset: u8) -> Lit {
    Lit::new(lit.index() + 2 * usize::from(offset)).unwrap_or(lit)
}

/// Puts a survey into constraints. The result is the same for every sink.
pub(super) fn encode(survey: &Survey, sink: &mut impl Sink) -> Result<Meaning, Capacity> {
    let mut meaning = Meaning::default();
    let full = Capacity { what: Resource::Pieces, needed: PIECE_CAP + 1, available: PIECE_CAP };
    for foe in &survey.foes {
        let unsummonable = survey.pairs.iter().any(|pair| {
            pair.hit == Hit::Unsummon
                && survey.foes.get(usize::from(pair.foe)).is_some_and(|other| other.at == foe.at)
        });
        let removed = sink.new_var()?;
        let (felled, sent) =
            if unsummonable { (sink.new_var()?, Some(sink.new_var()?)) } else { (removed, None) };
        let (killed, unsummoned) = if foe.soulbound { (None, Some(removed)) } else { (Some(felled), sent) };
        let lits = FoeLits { removed, felled, sent, killed, unsummoned, removed_at: sink.new_clock()? };
        meaning.foes.push(lits).map_err(|_| full)?;
    }
    for friend in &survey.friends {
        let passive = sink.new_var()?;
        let stays = if friend.num_asides > 0 { sink.new_var()? } else { passive };
        let blinks = if friend.blink { Some(sink.new_var()?) } else { None };
        let moves_at = sink.new_clock()?;
        let fights_at = if friend.attacks > 0 { sink.new_clock()? } else { moves_at };
        let blinks_at = if friend.blink { sink.new_clock()? } else { moves_at };
        let (halts, leaves_at) = stops(friend.halts, moves_at, sink)?;
        let (rests, goes_on_at) = stops(friend.rests, moves_at, sink)?;
        let lits = FriendLits {
            passive,
            stays,
            blinks,
            halts,
            rests,
            leaves_at,
            goes_on_at,
            moves_at,
            fights_at,
            blinks_at,
        };
        meaning.friends.push(lits).map_err(|_| full)?;
    }
    // Blows that find their target alive may have to be struck at different moments; those that only have to be
    // struck in time may all be struck as early as the earliest.
    let mut clocks = survey.num_clocks();
    for _ in &survey.modes {
        let lit = sink.new_var()?;
        meaning.modes.push(lit).map_err(|_| full)?;
    }
    for pair in &survey.pairs {
        let first = sink.new_var()?;
        for _ in 1..pair.hits {
            sink.new_var()?;
        }
        meaning.hits.push(first).map_err(|_| full)?;
        let Some(lits) = meaning.friends.get(usize::from(pair.friend)) else { continue };
        let several = survey.friends.get(usize::from(pair.friend)).is_some_and(|friend| friend.attacks > 1);
        let apart = survey.economy == Economy::Landing && several && clocks < MAX_CLOCKS;
        let at = if apart { sink.new_clock()? } else { lits.fights_at };
        clocks += usize::from(apart);
        meaning.hits_at.push(at).map_err(|_| full)?;
    }
    let encoder = Encoder { survey, meaning: &meaning };
    encoder.friends(sink)?;
    encoder.hexes(sink)?;
    encoder.ways(sink)?;
    encoder.pairs(sink)?;
    encoder.foes(sink)?;
    Ok(meaning)
}

/// For a friend that may halt on these hexes: whether it does, followed by one variable for each hex, and the clock of
/// its leaving before that.
fn stops(hexes: HexSet, then: u8, sink: &mut impl Sink) -> Result<(Option<Lit>, u8), Capacity> {
    if hexes.is_empty() {
        return Ok((None, then));
    }
    let stops = sink.new_var()?;
    for _ in hexes {
        sink.new_var()?;
    }
    Ok((Some(stops), sink.new_clock()?))
}

/// The hexes on which a friend may halt, with their literals.
pub(super) fn stops_of(hexes: HexSet, stops: Option<Lit>) -> impl Iterator<Item = (Hex, Lit)> {
    let lits = stops.into_iter().flat_map(|stops| (1..=u8::MAX).map(move |offset| following(stops, offset)));
    hexes.into_iter().zip(lits)
}

pub(super) struct Encoder<'a> {
    pub(super) survey: &'a Survey,
    pub(super) meaning: &'a Meaning,
}

impl Encoder<'_> {
    /// exactlyOne(p_x, m_xs); a fighter moves before it attacks, attacks before it blinks, and hits somebody.
    fn friends(&self, sink: &mut impl Sink) -> Result<(), Capacity> {
        for (index, (friend, lits)) in self.survey.friends.iter().zip(&self.meaning.friends).enumerate() {
            let mut row = Row::new();
            push(&mut row, lits.passive)?;
            for (_, lit) in self.modes(friend, true) {
                push(&mut row, lit)?;
            }
            sink.clause(&row)?;
            sink.at_most_one(&row)?;
            if friend.num_asides > 0 {
                // exactlyOne(p_x, stays, steps aside) in the same way, for the passive.
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
                        let halts = lits.halts.unwrap_or(!lit);
                        sink.clause(&[!lit, halts])?;
                    }
                }
                sink.clause(&row)?;
                sink.at_most_one(row.get(1..).unwrap_or(&[]))?;
            }
            if friend.attacks > 0 {
                sink.order(!lits.passive, lits.moves_at, lits.fights_at, false)?;
                row.clear();
                push(&mut row, lits.passive)?;
                for (pair, &hit) in self.survey.pairs.iter().zip(&self.meaning.hits) {
                    if usize::from(pair.friend) == index {
                        push(&mut row, hit)?;
                    }
                }
                sink.clause(&row)?;
                if lits.blinks.is_some() {
                    sink.order(!lits.passive, lits.fights_at, lits.blinks_at, false)?;
                }
            }
        }
        Ok(())
    }

    pub(super) fn modes(&self, friend: &Friend, fights: bool) -> impl Iterator<Item = (&Mode, Lit)> {
        let range = Survey::mode_range(friend, fights);
        let modes = self.survey.modes.get(range.clone()).unwrap_or(&[]);
        let lits = self.meaning.modes.get(range).unwrap_or(&[]);
        modes.iter().zip(lits.iter().copied())
    }

    /// All that a friend can do, fighting or not.
    pub(super) fn goals(&self, friend: &Friend) -> impl Iterator<Item = (&Mode, Lit)> {
        self.modes(friend, true).chain(self.modes(friend, false))
    }

    pub(super) fn friend_of(&self, mode: &Mode) -> Option<(&Friend, &FriendLits)> {
        let index = usize::from(mode.friend);
        Some((self.survey.friends.get(index)?, self.meaning.friends.get(index)?))
    }

    /// a_xy => some m_xs in range, a_xy => ta_x <= tr_y, and num(a_xy) <= maxAttacks(x).
    fn pairs(&self, sink: &mut impl Sink) -> Result<(), Capacity> {
        let hits = self.meaning.hits.iter().zip(&self.meaning.hits_at);
        for (pair, (&hit, &at)) in self.survey.pairs.iter().zip(hits) {
            let indices = (usize::from(pair.friend), usize::from(pair.foe));
            let (Some(friend), Some(lits)) =
                (self.survey.friends.get(indices.0), self.meaning.friends.get(indices.0))
            else {
                continue;
            };
            let (Some(foe), Some(foe_lits)) =
                (self.survey.foes.get(indices.1), self.meaning.foes.get(indices.1))
            else {
                continue;
            };
            let mut row = Row::new();
            push(&mut row, !hit)?;
            for (mode, lit) in self.modes(friend, true) {
                if mode.hex.distance(foe.at) <= pair.range {
                    push(&mut row, lit)?;
                }
            }
            sink.clause(&row)?;
            sink.order(hit, at, foe_lits.removed_at, false)?;
            if at != lits.fights_at {
                sink.order(hit, lits.fights_at, at, false)?;
                if lits.blinks.is_some() {
                    sink.order(hit, at, lits.blinks_at, false)?;
                }
            }
            for more in 1..pair.hits {
                sink.clause(&[!following(hit, more), following(hit, more - 1)])?;
            }
        }
        for (index, friend) in self.survey.friends.iter().enumerate() {
            let mut row: Vec<(i32, Lit), { 4 * WIDTH }, u16> = Vec::new();
            for (pair, &hit) in self.survey.pairs.iter().zip(&self.meaning.hits) {
                if usize::from(pair.friend) == index {
                    for more in 0..pair.hits {
                        let lit = following(hit, more);
                        if row.push((-1, lit)).is_err() {
                            // Hits that cannot be counted must not be made.
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
