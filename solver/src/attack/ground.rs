//! Constraints on hexes: who comes to one when, and which enemies must be gone before.

use barrow_core::hex::HexSet;
use heapless::Vec;

use super::encode::{Encoder, FriendLits, Row, WIDTH, push};
use super::sink::Sink;
use super::survey::{Friend, Mode, PAIR_CAP};
use crate::cdcl::{Capacity, Lit, Resource};

impl Encoder<'_> {
    fn arrivals(&self) -> impl Iterator<Item = (&Mode, Lit)> {
        let all = self.survey.modes.iter().zip(self.meaning.modes.iter().copied());
        all.filter(|(mode, _)| self.friend_of(mode).is_some_and(|(friend, _)| friend.at != mode.hex))
    }

    /// atMostOne(m_xs) on every hex, and friends who stand there leave in time.
    pub(super) fn hexes(&self, sink: &mut impl Sink) -> Result<(), Capacity> {
        let mut wanted = HexSet::EMPTY;
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
    pub(super) fn ways(&self, sink: &mut impl Sink) -> Result<(), Capacity> {
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
