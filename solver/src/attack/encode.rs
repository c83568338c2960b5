//! The attack model of seeds 000 and 001 as constraints.
//!
//! The seeds' names, and what stands for them here. For a friend x: `p_x` is [`FriendLits::passive`], `m_xs` a
//! mode's literal, `ta_x` its attack clock. For an enemy y: `r_y`, `k_y`, `u_y` are removed, killed, unsummoned,
//! `tr_y` its clock. For a pair: `a_xy` is the first of its hits, and `d_xy` the weighted number of them.
//!
//! Where the rules ask for more than the seeds say, the rules win:
//! - a piece moves and attacks at different moments (rules §23, 5), so it has a clock for each: otherwise a piece
//!   could not make room for another whose attack must come before its own;
//! - friends may change places at one moment (§9.2), so entering a friend's hex is "not before" its leaving;
//! - a friend in the way may step aside without fighting, or blink away, even after its own attack (§23, 9).

use heapless::Vec;

use super::sink::Sink;
use super::survey::{Friend, Hit, Lits, MODE_CAP, Mode, PAIR_CAP, PIECE_CAP, Survey};
use crate::cdcl::{Capacity, Lit, Resource};

/// Literals and clocks of a friend.
#[derive(Clone, Copy, Debug)]
pub(super) struct FriendLits {
    /// It does not fight.
    pub(super) passive: Lit,
    /// It does not fight and stays where it is; the same as `passive` when it has nowhere to step aside to.
    pub(super) stays: Lit,
    /// It blinks away, after its attacks if it fights.
    pub(super) blinks: Option<Lit>,
    /// When it moves.
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
    pub(super) killed: Lit,
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
}

/// Most literals in one constraint.
const WIDTH: usize = 128;
type Row = Vec<Lit, WIDTH, u8>;

fn push(row: &mut Row, lit: Lit) -> Result<(), Capacity> {
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
        let (killed, unsummoned) =
            if unsummonable { (sink.new_var()?, Some(sink.new_var()?)) } else { (removed, None) };
        let lits = FoeLits { removed, killed, unsummoned, removed_at: sink.new_clock()? };
        meaning.foes.push(lits).map_err(|_| full)?;
    }
    for friend in &survey.friends {
        let passive = sink.new_var()?;
        let stays = if friend.num_asides > 0 { sink.new_var()? } else { passive };
        let blinks = if friend.blink { Some(sink.new_var()?) } else { None };
        let moves_at = sink.new_clock()?;
        let fights_at = if friend.attacks > 0 { sink.new_clock()? } else { moves_at };
        let blinks_at = if friend.blink { sink.new_clock()? } else { moves_at };
        let lits = FriendLits { passive, stays, blinks, moves_at, fights_at, blinks_at };
        meaning.friends.push(lits).map_err(|_| full)?;
    }
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
    }
    let encoder = Encoder { survey, meaning: &meaning };
    encoder.friends(sink)?;
    encoder.hexes(sink)?;
    encoder.ways(sink)?;
    encoder.pairs(sink)?;
    encoder.foes(sink)?;
    Ok(meaning)
}

struct Encoder<'a> {
    survey: &'a Survey,
    meaning: &'a Meaning,
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
                for (_, lit) in self.modes(friend, false) {
                    push(&mut row, lit)?;
                    sink.clause(&[!lit, lits.passive])?;
                    if let Some(blinks) = lits.blinks {
                        sink.clause(&[!lit, !blinks])?;
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

    fn modes(&self, friend: &Friend, fights: bool) -> impl Iterator<Item = (&Mode, Lit)> {
        let range = Survey::mode_range(friend, fights);
        let modes = self.survey.modes.get(range.clone()).unwrap_or(&[]);
        let lits = self.meaning.modes.get(range).unwrap_or(&[]);
        modes.iter().zip(lits.iter().copied())
    }

    fn arrivals(&self) -> impl Iterator<Item = (&Mode, Lit)> {
        let all = self.survey.modes.iter().zip(self.meaning.modes.iter().copied());
        all.filter(|(mode, _)| self.friend_of(mode).is_some_and(|(friend, _)| friend.at != mode.hex))
    }

    fn friend_of(&self, mode: &Mode) -> Option<(&Friend, &FriendLits)> {
        let index = usize::from(mode.friend);
        Some((self.survey.friends.get(index)?, self.meaning.friends.get(index)?))
    }

    /// atMostOne(m_xs) on every hex, and friends who stand there leave in time.
    fn hexes(&self, sink: &mut impl Sink) -> Result<(), Capacity> {
        let mut wanted = barrow_core::hex::HexSet::EMPTY;
        for (mode, _) in self.arrivals() {
            wanted.insert(mode.hex);
        }
        for hex in wanted {
            let mut row = Row::new();
            let mut comers: Vec<&FriendLits, WIDTH, u8> = Vec::new();
            for (mode, lit) in self.arrivals().filter(|(mode, _)| mode.hex == hex) {
                push(&mut row, lit)?;
                if let Some((_, lits)) = self.friend_of(mode) {
                    let _ = comers.push(lits);
                }
            }
            if comers.iter().any(|lits| lits.blinks.is_some()) {
                take_turns(&row, &comers, sink)?;
            } else {
                sink.at_most_one(&row)?;
            }
            let occupant =
                self.survey.friends.iter().zip(&self.meaning.friends).find(|(friend, _)| friend.at == hex);
            if let Some((friend, lits)) = occupant {
                self.make_room(friend, lits, &row, &comers, sink)?;
            }
        }
        Ok(())
    }

    /// Who comes to a friend's hex comes not before the friend has left it, or after it has blinked away.
    fn make_room(
        &self,
        friend: &Friend,
        lits: &FriendLits,
        row: &Row,
        comers: &[&FriendLits],
        sink: &mut impl Sink,
    ) -> Result<(), Capacity> {
        let leaves = sink.new_var()?;
        sink.clause(&[!leaves, !lits.stays])?;
        for (mode, lit) in self.modes(friend, true) {
            if mode.hex == friend.at {
                sink.clause(&[!leaves, !lit])?;
            }
        }
        for (&lit, comer) in row.iter().zip(comers) {
            let Some(blinks) = lits.blinks else {
                sink.clause(&[!lit, leaves])?;
                sink.order(lit, lits.moves_at, comer.moves_at, false)?;
                continue;
            };
            let (walked, blinked) = (sink.new_var()?, sink.new_var()?);
            sink.clause(&[!lit, walked, blinked])?;
            sink.clause(&[!walked, leaves])?;
            sink.order(walked, lits.moves_at, comer.moves_at, false)?;
            sink.clause(&[!blinked, blinks])?;
            sink.order(blinked, lits.blinks_at, comer.moves_at, true)?;
        }
        Ok(())
    }

    /// m_xs => f_x: one of the sets of enemies in the way is gone before x moves.
    fn ways(&self, sink: &mut impl Sink) -> Result<(), Capacity> {
        // "x moves after y is removed", made once for each pair.
        let mut after: Vec<(u8, u8, Lit), PAIR_CAP, u16> = Vec::new();
        for (mode, lit) in self.survey.modes.iter().zip(self.meaning.modes.iter().copied()) {
            let sets = self.survey.sets_of(mode);
            if sets.is_empty() {
                continue;
            }
            let mut ways = Row::new();
            push(&mut ways, !lit)?;
            for &set in sets {
                let mut gone = Row::new();
                let mut open = true;
                for hex in set {
                    match self.survey.foes.iter().position(|foe| foe.at == hex) {
                        Some(foe) => {
                            push(&mut gone, self.moves_after(mode.friend, foe as u8, &mut after, sink)?)?;
                        }
                        None => open = false,
                    }
                }
                match (open, gone.as_slice()) {
                    (false, _) => {}
                    (true, [single]) => push(&mut ways, *single)?,
                    (true, all) => {
                        let way = sink.new_var()?;
                        for &lit in all {
                            sink.clause(&[!way, lit])?;
                        }
                        push(&mut ways, way)?;
                    }
                }
            }
            sink.clause(&ways)?;
        }
        Ok(())
    }

    fn moves_after(
        &self,
        friend: u8,
        foe: u8,
        known: &mut Vec<(u8, u8, Lit), PAIR_CAP, u16>,
        sink: &mut impl Sink,
    ) -> Result<Lit, Capacity> {
        if let Some(&(_, _, lit)) = known.iter().find(|entry| (entry.0, entry.1) == (friend, foe)) {
            return Ok(lit);
        }
        let lit = sink.new_var()?;
        let full = Capacity { what: Resource::Pairs, needed: PAIR_CAP + 1, available: PAIR_CAP };
        let foe_lits = self.meaning.foes.get(usize::from(foe)).ok_or(full)?;
        let friend_lits = self.meaning.friends.get(usize::from(friend)).ok_or(full)?;
        sink.clause(&[!lit, foe_lits.removed])?;
        sink.order(lit, foe_lits.removed_at, friend_lits.moves_at, true)?;
        known.push((friend, foe, lit)).map_err(|_| full)?;
        Ok(lit)
    }

    /// a_xy => some m_xs in range, a_xy => ta_x <= tr_y, and num(a_xy) <= maxAttacks(x).
    fn pairs(&self, sink: &mut impl Sink) -> Result<(), Capacity> {
        for (pair, &hit) in self.survey.pairs.iter().zip(&self.meaning.hits) {
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
            sink.order(hit, lits.fights_at, foe_lits.removed_at, false)?;
            for more in 1..pair.hits {
                sink.clause(&[!following(hit, more), following(hit, more - 1)])?;
            }
        }
        for (index, friend) in self.survey.friends.iter().enumerate() {
            let mut row: Vec<(i32, Lit), WIDTH, u8> = Vec::new();
            for (pair, &hit) in self.survey.pairs.iter().zip(&self.meaning.hits) {
                if usize::from(pair.friend) == index {
                    for more in 0..pair.hits {
                        // More hits than fit could never be made, so the rest is simply not counted on.
                        let _ = row.push((-1, following(hit, more)));
                    }
                }
            }
            if row.len() > usize::from(friend.attacks) {
                sink.at_least(&row, -i32::from(friend.attacks))?;
            }
        }
        Ok(())
    }

    /// k_y = (sum of d_xy >= what is missing), u_y = some unsummoning hit, r_y = k_y or u_y, never both.
    fn foes(&self, sink: &mut impl Sink) -> Result<(), Capacity> {
        for (index, (foe, lits)) in self.survey.foes.iter().zip(&self.meaning.foes).enumerate() {
            let need = i32::from(foe.need);
            let mut terms: Vec<(i32, Lit), { WIDTH + 1 }, u8> = Vec::new();
            let mut unsummoning = Row::new();
            for (pair, &hit) in self.survey.pairs.iter().zip(&self.meaning.hits) {
                if usize::from(pair.foe) != index {
                    continue;
                }
                match pair.hit {
                    Hit::Unsummon => push(&mut unsummoning, hit)?,
                    Hit::Damage(amount) => {
                        for more in 0..pair.hits {
                            if terms.len() < WIDTH {
                                let _ = terms.push((i32::from(amount), following(hit, more)));
                            }
                        }
                    }
                }
            }
            let most: i32 = terms.iter().map(|(amount, _)| amount).sum();
            if most < need {
                sink.clause(&[!lits.killed])?;
            } else {
                let _ = terms.push((need, !lits.killed));
                sink.at_least(&terms, need)?;
                terms.pop();
                for (amount, lit) in &mut terms {
                    (*amount, *lit) = (*amount, !*lit);
                }
                let _ = terms.push((most - need + 1, lits.killed));
                sink.at_least(&terms, most - need + 1)?;
            }
            if let Some(unsummoned) = lits.unsummoned {
                sink.at_most_one(&unsummoning)?;
                for &hit in &unsummoning {
                    sink.clause(&[!hit, unsummoned])?;
                }
                push(&mut unsummoning, !unsummoned)?;
                sink.clause(&unsummoning)?;
                sink.clause(&[!unsummoned, !lits.killed])?;
                sink.clause(&[!lits.removed, lits.killed, unsummoned])?;
                sink.clause(&[!lits.killed, lits.removed])?;
                sink.clause(&[!unsummoned, lits.removed])?;
            }
        }
        Ok(())
    }
}

/// Several may fight from one hex if all but the last blink away.
fn take_turns(row: &Row, comers: &[&FriendLits], sink: &mut impl Sink) -> Result<(), Capacity> {
    for (second, (&b, b_lits)) in row.iter().zip(comers).enumerate() {
        for (&a, a_lits) in row.iter().zip(comers).take(second) {
            let mut clause = Row::new();
            push(&mut clause, !a)?;
            push(&mut clause, !b)?;
            for (first, then) in [(a_lits, b_lits), (b_lits, a_lits)] {
                if let Some(blinks) = first.blinks {
                    let gone = sink.new_var()?;
                    sink.clause(&[!gone, blinks])?;
                    sink.order(gone, first.blinks_at, then.moves_at, true)?;
                    push(&mut clause, gone)?;
                }
            }
            sink.clause(&clause)?;
        }
    }
    Ok(())
}
