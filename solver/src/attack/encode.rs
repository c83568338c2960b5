//! Encoding of the attack model of seeds 000 and 001 as constraints.
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

use core::ops::Deref;

use barrow_core::hex::{Hex, HexSet};
use heapless::Vec;

use super::constraint_sink::ConstraintSink;
use super::model::{
    AttackModel, Friend, Hit, Lits, MODE_CAP, Mode, OverkillPolicy, PAIR_CAP, PIECE_CAP, full,
};
use crate::cdcl::{Capacity, Lit, MAX_CLOCKS, Resource};

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

/// Variable map: the literals and clocks of friends, enemies, modes and pairs.
#[derive(Clone, Debug, Default)]
pub struct VariableMap {
    pub(super) friends: Vec<FriendLits, PIECE_CAP, u8>,
    pub(super) foes: Vec<FoeLits, PIECE_CAP, u8>,
    pub(super) modes: Lits<MODE_CAP>,
    /// Literal of each pair's first hit; further hits follow as the next variables.
    pub(super) hits: Lits<PAIR_CAP>,
    /// Clock of each pair's hits: the friend's, or one of their own.
    pub(super) hits_at: Vec<u8, PAIR_CAP, u16>,
}

impl VariableMap {
    /// The map of a model without pieces.
    pub(super) const EMPTY: VariableMap = VariableMap {
        friends: Vec::new(),
        foes: Vec::new(),
        modes: Vec::new(),
        hits: Vec::new(),
        hits_at: Vec::new(),
    };

    /// Empties the map in place: it is large, and moving it costs time and stack.
    fn clear(&mut self) {
        self.friends.clear();
        self.foes.clear();
        self.modes.clear();
        self.hits.clear();
        self.hits_at.clear();
    }
}

/// A variable map that belongs to its solver, in place of a borrowed one.
#[derive(Clone, Debug, Default)]
pub struct OwnVariables(pub(super) VariableMap);

impl Deref for OwnVariables {
    type Target = VariableMap;

    fn deref(&self) -> &VariableMap {
        &self.0
    }
}

/// Most literals in one constraint.
pub(super) const WIDTH: usize = 128;
/// Literals of one constraint.
pub(super) type Row = Vec<Lit, WIDTH, u8>;

/// Appends a literal to a constraint.
pub(super) fn push(row: &mut Row, lit: Lit) -> Result<(), Capacity> {
    row.push(lit).map_err(|_| full(Resource::Pairs, WIDTH))
}

/// The literal `offset` variables after `lit`.
pub(super) fn following(lit: Lit, offset: u8) -> Lit {
    Lit::new(lit.index() + 2 * usize::from(offset)).unwrap_or(lit)
}

/// Encodes a model as constraints. The variable map, whatever it held before, is the same for every sink.
// Apart, so that the stack of the caller does not hold what only encoding needs.
#[inline(never)]
pub(super) fn encode(
    model: &AttackModel,
    variables: &mut VariableMap,
    sink: &mut impl ConstraintSink,
) -> Result<(), Capacity> {
    variables.clear();
    let full = full(Resource::Pieces, PIECE_CAP);
    for foe in &model.foes {
        let unsummonable = model.pairs.iter().any(|pair| {
            pair.hit == Hit::Unsummon
                && model.foes.get(usize::from(pair.foe)).is_some_and(|other| other.at == foe.at)
        });
        let removed = sink.new_var()?;
        let (dies, hit_by_unsummon) =
            if unsummonable { (sink.new_var()?, Some(sink.new_var()?)) } else { (removed, None) };
        let (killed, unsummoned) =
            if foe.soulbound { (None, Some(removed)) } else { (Some(dies), hit_by_unsummon) };
        let lits =
            FoeLits { removed, dies, hit_by_unsummon, killed, unsummoned, removed_at: sink.new_clock()? };
        variables.foes.push(lits).map_err(|_| full)?;
    }
    for friend in &model.friends {
        let passive = sink.new_var()?;
        let stays = if friend.num_asides > 0 { sink.new_var()? } else { passive };
        let blinks = if friend.blink { Some(sink.new_var()?) } else { None };
        let arrives_at = sink.new_clock()?;
        let attacks_at = if friend.attacks > 0 { sink.new_clock()? } else { arrives_at };
        let blinks_at = if friend.blink { sink.new_clock()? } else { arrives_at };
        let (first_stopover, leaves_at) = stopover_vars(friend.first_stopovers, arrives_at, sink)?;
        let (second_stopover, continues_at) = stopover_vars(friend.second_stopovers, arrives_at, sink)?;
        let lits = FriendLits {
            passive,
            stays,
            blinks,
            first_stopover,
            second_stopover,
            leaves_at,
            continues_at,
            arrives_at,
            attacks_at,
            blinks_at,
        };
        variables.friends.push(lits).map_err(|_| full)?;
    }
    // Hits that must find their target alive may have to be made at different times; hits that only have to come in
    // time may all be made as early as the earliest.
    let mut clocks = model.num_clocks();
    for _ in &model.modes {
        let lit = sink.new_var()?;
        variables.modes.push(lit).map_err(|_| full)?;
    }
    for pair in &model.pairs {
        let first = sink.new_var()?;
        for _ in 1..pair.hits {
            sink.new_var()?;
        }
        variables.hits.push(first).map_err(|_| full)?;
        let Some(lits) = variables.friends.get(usize::from(pair.friend)) else { continue };
        let several = model.friends.get(usize::from(pair.friend)).is_some_and(|friend| friend.attacks > 1);
        let apart = model.policy == OverkillPolicy::AllHitsLand && several && clocks < MAX_CLOCKS;
        let at = if apart { sink.new_clock()? } else { lits.attacks_at };
        clocks += usize::from(apart);
        variables.hits_at.push(at).map_err(|_| full)?;
    }
    let encoder = Encoder { model, variables };
    encoder.friends(sink)?;
    encoder.hexes(sink)?;
    encoder.paths(sink)?;
    encoder.pairs(sink)?;
    encoder.foes(sink)
}

/// Makes the literal that a friend makes a stopover, followed by one variable for each hex of it, and the clock of
/// leaving for the stopover. Without hexes there is no literal, and the clock is `then`.
fn stopover_vars(
    hexes: HexSet,
    then: u8,
    sink: &mut impl ConstraintSink,
) -> Result<(Option<Lit>, u8), Capacity> {
    if hexes.is_empty() {
        return Ok((None, then));
    }
    let stops = sink.new_var()?;
    for _ in hexes {
        sink.new_var()?;
    }
    Ok((Some(stops), sink.new_clock()?))
}

/// Hexes of a friend's stopover, with their literals.
pub(super) fn stopover_lits(hexes: HexSet, stops: Option<Lit>) -> impl Iterator<Item = (Hex, Lit)> {
    let lits = stops.into_iter().flat_map(|stops| (1..=u8::MAX).map(move |offset| following(stops, offset)));
    hexes.into_iter().zip(lits)
}

/// Encoder of a model; the constraints of hexes, paths and targets are in files of their own.
pub(super) struct Encoder<'a> {
    pub(super) model: &'a AttackModel,
    pub(super) variables: &'a VariableMap,
}

impl Encoder<'_> {
    /// Encodes friends: exactlyOne(p_x, m_xs); a fighter moves before it attacks, attacks before it blinks, and hits an
    /// enemy.
    fn friends(&self, sink: &mut impl ConstraintSink) -> Result<(), Capacity> {
        for (index, (friend, lits)) in self.model.friends.iter().zip(&self.variables.friends).enumerate() {
            let mut row = Row::new();
            push(&mut row, lits.passive)?;
            for (_, lit) in self.modes(friend, true) {
                push(&mut row, lit)?;
            }
            sink.clause(&row)?;
            sink.at_most_one(&row)?;
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
                for (pair, &hit) in self.model.pairs.iter().zip(&self.variables.hits) {
                    if usize::from(pair.friend) == index {
                        push(&mut row, hit)?;
                    }
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
        let range = AttackModel::mode_range(friend, fights);
        let modes = self.model.modes.get(range.clone()).unwrap_or(&[]);
        let lits = self.variables.modes.get(range).unwrap_or(&[]);
        modes.iter().zip(lits.iter().copied())
    }

    /// All modes of a friend with their literals, fighting or not.
    pub(super) fn all_modes(&self, friend: &Friend) -> impl Iterator<Item = (&Mode, Lit)> {
        self.modes(friend, true).chain(self.modes(friend, false))
    }

    /// Friend of a mode, with its literals.
    pub(super) fn friend_of(&self, mode: &Mode) -> Option<(&Friend, &FriendLits)> {
        let index = usize::from(mode.friend);
        Some((self.model.friends.get(index)?, self.variables.friends.get(index)?))
    }

    /// Encodes pairs: a_xy => some m_xs in range, a_xy => ta_x <= tr_y, and num(a_xy) <= maxAttacks(x).
    fn pairs(&self, sink: &mut impl ConstraintSink) -> Result<(), Capacity> {
        let hits = self.variables.hits.iter().zip(&self.variables.hits_at);
        for (pair, (&hit, &at)) in self.model.pairs.iter().zip(hits) {
            let indices = (usize::from(pair.friend), usize::from(pair.foe));
            let (Some(friend), Some(lits)) =
                (self.model.friends.get(indices.0), self.variables.friends.get(indices.0))
            else {
                continue;
            };
            let (Some(foe), Some(foe_lits)) =
                (self.model.foes.get(indices.1), self.variables.foes.get(indices.1))
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
            let mut row: Vec<(i32, Lit), { 4 * WIDTH }, u16> = Vec::new();
            for (pair, &hit) in self.model.pairs.iter().zip(&self.variables.hits) {
                if usize::from(pair.friend) == index {
                    for more in 0..pair.hits {
                        let lit = following(hit, more);
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
