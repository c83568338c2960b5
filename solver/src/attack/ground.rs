//! Constraints on hexes: who comes to one when, and which enemies must be gone before.

use barrow_core::hex::{Hex, HexSet};
use heapless::Vec;

use super::encode::{Encoder, FriendLits, Row, WIDTH, push};
use super::sink::Sink;
use super::survey::{Friend, Mode, PAIR_CAP};
use crate::cdcl::{Capacity, Lit, Resource};

/// A friend that comes to a hex if the literal holds.
#[derive(Clone, Copy)]
struct Comer {
    lit: Lit,
    comes_at: u8,
    /// When it goes on, if it only halts.
    goes_at: Option<u8>,
    /// Whether and when it blinks away, if it can.
    blinks: Option<(Lit, u8)>,
}

type Comers = Vec<Comer, WIDTH, u8>;

/// Friend, enemy, and the literal that says that the first moves after the second is removed.
type Known = Vec<(u8, u8, Lit), PAIR_CAP, u16>;

impl Encoder<'_> {
    fn arrivals(&self) -> impl Iterator<Item = (&Mode, Lit)> {
        let all = self.survey.modes.iter().zip(self.meaning.modes.iter().copied());
        all.filter(|(mode, _)| self.friend_of(mode).is_some_and(|(friend, _)| friend.at != mode.hex))
    }

    /// The friends that come to a hex, and when they come and go.
    fn comers(&self, hex: Hex) -> impl Iterator<Item = Comer> + '_ {
        let stay = self.arrivals().filter(move |(mode, _)| mode.hex == hex).filter_map(|(mode, lit)| {
            let (_, lits) = self.friend_of(mode)?;
            let blinks = lits.blinks.map(|blinks| (blinks, lits.blinks_at));
            Some(Comer { lit, comes_at: lits.moves_at, goes_at: None, blinks })
        });
        let halts = self.survey.halts.iter().zip(&self.meaning.halts);
        let pass = halts.filter(move |(halt, _)| halt.hex == hex).filter_map(|(halt, &lit)| {
            let lits = self.meaning.friends.get(usize::from(halt.friend))?;
            Some(Comer { lit, comes_at: lits.leaves_at, goes_at: Some(lits.moves_at), blinks: None })
        });
        stay.chain(pass)
    }

    /// atMostOne(m_xs) on every hex, and friends who stand there leave in time.
    pub(super) fn hexes(&self, sink: &mut impl Sink) -> Result<(), Capacity> {
        let mut wanted: HexSet = self.survey.halts.iter().map(|halt| halt.hex).collect();
        for (mode, _) in self.arrivals() {
            wanted.insert(mode.hex);
        }
        for hex in wanted {
            let mut comers: Comers = Vec::new();
            let mut row = Row::new();
            for comer in self.comers(hex) {
                push(&mut row, comer.lit)?;
                let _ = comers.push(comer);
            }
            let occupant =
                self.survey.friends.iter().zip(&self.meaning.friends).find(|(friend, _)| friend.at == hex);
            if let Some((friend, lits)) = occupant {
                self.make_room(friend, lits, &comers, sink)?;
                if let Some(back) = self.returning(friend, lits, sink)? {
                    push(&mut row, back.lit)?;
                    let _ = comers.push(back);
                }
            }
            if comers.iter().any(|comer| comer.blinks.is_some() || comer.goes_at.is_some()) {
                take_turns(&comers, sink)?;
            } else {
                sink.at_most_one(&row)?;
            }
        }
        Ok(())
    }

    /// A friend that halts elsewhere may come back to its hex.
    fn returning(
        &self,
        friend: &Friend,
        lits: &FriendLits,
        sink: &mut impl Sink,
    ) -> Result<Option<Comer>, Capacity> {
        let own = self.modes(friend, true).find(|(mode, _)| mode.hex == friend.at);
        let (Some(waits), Some((_, fights))) = (lits.halts, own) else { return Ok(None) };
        let lit = sink.new_var()?;
        sink.clause(&[!waits, !fights, lit])?;
        let blinks = lits.blinks.map(|blinks| (blinks, lits.blinks_at));
        Ok(Some(Comer { lit, comes_at: lits.moves_at, goes_at: None, blinks }))
    }

    /// Who comes to a friend's hex comes not before the friend has left it, or after it has blinked away.
    fn make_room(
        &self,
        friend: &Friend,
        lits: &FriendLits,
        comers: &[Comer],
        sink: &mut impl Sink,
    ) -> Result<(), Capacity> {
        let leaves = sink.new_var()?;
        sink.clause(&[!leaves, !lits.stays])?;
        for (mode, lit) in self.modes(friend, true) {
            if mode.hex == friend.at {
                match lits.halts {
                    Some(waits) => sink.clause(&[!leaves, !lit, waits])?,
                    None => sink.clause(&[!leaves, !lit])?,
                }
            }
        }
        for comer in comers {
            let Some(blinks) = lits.blinks else {
                sink.clause(&[!comer.lit, leaves])?;
                sink.order(comer.lit, lits.leaves_at, comer.comes_at, false)?;
                continue;
            };
            let (walked, blinked) = (sink.new_var()?, sink.new_var()?);
            sink.clause(&[!comer.lit, walked, blinked])?;
            sink.clause(&[!walked, leaves])?;
            sink.order(walked, lits.leaves_at, comer.comes_at, false)?;
            sink.clause(&[!blinked, blinks])?;
            sink.order(blinked, lits.blinks_at, comer.comes_at, true)?;
        }
        Ok(())
    }

    /// A friend halts on at most one hex, on its way to a hex to fight from, and leaves before it goes on.
    pub(super) fn halts(&self, sink: &mut impl Sink) -> Result<(), Capacity> {
        for (index, lits) in self.meaning.friends.iter().enumerate() {
            let Some(waits) = lits.halts else { continue };
            let mut row = Row::new();
            let halts = self.survey.halts.iter().zip(&self.meaning.halts);
            for (_, &lit) in halts.filter(|(halt, _)| usize::from(halt.friend) == index) {
                push(&mut row, lit)?;
                sink.clause(&[!lit, waits])?;
            }
            sink.at_most_one(&row)?;
            push(&mut row, !waits)?;
            sink.clause(&row)?;
            sink.clause(&[!waits, !lits.passive])?;
            sink.order(waits, lits.leaves_at, lits.moves_at, true)?;
            sink.order(!waits, lits.leaves_at, lits.moves_at, false)?;
            sink.order(!waits, lits.moves_at, lits.leaves_at, false)?;
        }
        Ok(())
    }

    /// m_xs => f_x: one of the sets of enemies in the way is gone before x moves.
    pub(super) fn ways(&self, sink: &mut impl Sink) -> Result<(), Capacity> {
        let mut known = Known::new();
        for (mode, lit) in self.survey.modes.iter().zip(self.meaning.modes.iter().copied()) {
            let sets = self.survey.sets_of(mode);
            if !sets.is_empty() {
                let mut row = Row::new();
                push(&mut row, !lit)?;
                if let Some(waits) = self.friend_of(mode).and_then(|(_, lits)| lits.halts) {
                    push(&mut row, waits)?;
                }
                self.one_open(mode.friend, sets, &mut row, &mut known, sink)?;
            }
        }
        for (halt, &stop) in self.survey.halts.iter().zip(&self.meaning.halts) {
            let Some(friend) = self.survey.friends.get(usize::from(halt.friend)) else { continue };
            let legs = self.survey.legs.iter().skip(usize::from(halt.first_leg));
            for ((_, lit), leg) in self.modes(friend, true).zip(legs) {
                let mut row = Row::new();
                push(&mut row, !stop)?;
                push(&mut row, !lit)?;
                let sets = self.survey.some_sets(leg.first_set, leg.num_sets);
                if !leg.exists {
                    sink.clause(&row)?;
                } else if !sets.is_empty() {
                    self.one_open(halt.friend, sets, &mut row, &mut known, sink)?;
                }
            }
        }
        Ok(())
    }

    /// Completes a clause: or all enemies of one of the sets are gone before the friend moves.
    fn one_open(
        &self,
        friend: u8,
        sets: &[HexSet],
        row: &mut Row,
        known: &mut Known,
        sink: &mut impl Sink,
    ) -> Result<(), Capacity> {
        for &set in sets {
            let mut gone = Row::new();
            let mut open = true;
            for hex in set {
                match self.survey.foes.iter().position(|foe| foe.at == hex) {
                    Some(foe) => push(&mut gone, self.moves_after(friend, foe as u8, known, sink)?)?,
                    None => open = false,
                }
            }
            match (open, gone.as_slice()) {
                (false, _) => {}
                (true, [single]) => push(row, *single)?,
                (true, all) => {
                    let way = sink.new_var()?;
                    for &lit in all {
                        sink.clause(&[!way, lit])?;
                    }
                    push(row, way)?;
                }
            }
        }
        sink.clause(row)
    }

    /// The literal for "x moves after y is removed", made once for each pair.
    fn moves_after(
        &self,
        friend: u8,
        foe: u8,
        known: &mut Known,
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
}

/// Several may stand on one hex one after the other, if all but the last go on or blink away.
fn take_turns(comers: &[Comer], sink: &mut impl Sink) -> Result<(), Capacity> {
    for (second, b) in comers.iter().enumerate() {
        for a in comers.iter().take(second) {
            let mut clause = Row::new();
            push(&mut clause, !a.lit)?;
            push(&mut clause, !b.lit)?;
            for (first, then) in [(a, b), (b, a)] {
                if first.blinks.is_none() && first.goes_at.is_none() {
                    continue;
                }
                let gone = sink.new_var()?;
                if let Some((blinks, blinks_at)) = first.blinks {
                    sink.clause(&[!gone, blinks])?;
                    sink.order(gone, blinks_at, then.comes_at, true)?;
                } else if let Some(goes_at) = first.goes_at {
                    sink.order(gone, goes_at, then.comes_at, false)?;
                }
                push(&mut clause, gone)?;
            }
            sink.clause(&clause)?;
        }
    }
    Ok(())
}
