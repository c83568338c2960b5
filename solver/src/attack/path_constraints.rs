//! Constraints on ways: which enemies must be gone before a friend takes one.

use barrow_core::hex::{Hex, HexSet};
use heapless::Vec;

use super::constraint_sink::Sink;
use super::encode::{Encoder, FriendLits, Row, push, stops_of};
use super::model::{Deed, Friend, PAIR_CAP};
use crate::cdcl::{Capacity, Lit, Resource};

/// Clock, enemy, and the literal that says that the clock comes after the enemy's removal.
type Known = Vec<(u8, u8, Lit), PAIR_CAP, u16>;

impl Encoder<'_> {
    /// m_xs => f_x: one of the sets of enemies in the way is gone before x moves.
    pub(super) fn ways(&self, sink: &mut impl Sink) -> Result<(), Capacity> {
        let mut known = Known::new();
        for (mode, lit) in self.survey.modes.iter().zip(self.meaning.modes.iter().copied()) {
            let sets = self.survey.sets_of(mode);
            if !sets.is_empty()
                && let Some((_, lits)) = self.friend_of(mode)
            {
                let mut row = Row::new();
                push(&mut row, !lit)?;
                if let Some(halts) = lits.halts {
                    push(&mut row, halts)?;
                    self.free_by(mode.hex, lits.moves_at, lit, &mut known, sink)?;
                }
                self.one_open(lits.moves_at, sets, &mut row, &mut known, sink)?;
            }
        }
        for (friend, lits) in self.survey.friends.iter().zip(&self.meaning.friends) {
            if let Some(halts) = lits.halts {
                self.halting(friend, lits, halts, sink)?;
                self.ways_to_halts(friend, lits, &mut known, sink)?;
                self.ways_on(friend, lits, &mut known, sink)?;
            }
        }
        Ok(())
    }

    /// A friend halts on one hex at most, and then on one more at most, and leaves before it goes on.
    fn halting(
        &self,
        friend: &Friend,
        lits: &FriendLits,
        halts: Lit,
        sink: &mut impl Sink,
    ) -> Result<(), Capacity> {
        let after = (lits.goes_on_at, lits.moves_at);
        one_if(halts, friend.halts, lits.leaves_at, after.0, sink)?;
        if let Some(rests) = lits.rests {
            one_if(rests, friend.rests, after.0, after.1, sink)?;
            sink.clause(&[!rests, halts])?;
        }
        sink.clause(&[!halts, !lits.stays])?;
        if friend.lumbering {
            sink.clause(&[!halts, lits.passive])?;
        }
        for (_, lit) in self.modes(friend, false).filter(|(mode, _)| mode.deed == Deed::Jump) {
            sink.clause(&[!halts, !lit])?;
        }
        Ok(())
    }

    /// The way to a first halt, and from there to a second.
    fn ways_to_halts(
        &self,
        friend: &Friend,
        lits: &FriendLits,
        known: &mut Known,
        sink: &mut impl Sink,
    ) -> Result<(), Capacity> {
        for (halt, lit) in stops_of(friend.halts, lits.halts) {
            self.free_by(halt, lits.leaves_at, lit, known, sink)?;
            if let Some(sets) = self.in_between(friend, friend.at, halt) {
                let mut row = Row::new();
                push(&mut row, !lit)?;
                self.one_open(lits.leaves_at, &sets, &mut row, known, sink)?;
            }
        }
        let Some(rests) = lits.rests else { return Ok(()) };
        for (rest, lit) in stops_of(friend.rests, lits.rests) {
            self.free_by(rest, lits.goes_on_at, lit, known, sink)?;
        }
        for (halt, lit) in stops_of(friend.halts, lits.halts) {
            let mut row = Row::new();
            push(&mut row, !lit)?;
            push(&mut row, !rests)?;
            for (rest, next) in stops_of(friend.rests, lits.rests) {
                if friend.at.distance(halt) == 1 && halt.distance(rest) == 1 {
                    push(&mut row, next)?;
                }
            }
            sink.clause(&row)?;
        }
        Ok(())
    }

    /// The way from the last halt.
    fn ways_on(
        &self,
        friend: &Friend,
        lits: &FriendLits,
        known: &mut Known,
        sink: &mut impl Sink,
    ) -> Result<(), Capacity> {
        for (halt, stop) in stops_of(friend.halts, lits.halts) {
            let onward = friend.onward(halt);
            let mut start = Row::new();
            push(&mut start, !stop)?;
            if let Some(rests) = lits.rests {
                push(&mut start, rests)?;
            }
            let mut row = start.clone();
            for (mode, lit) in self.goals(friend).filter(|(mode, _)| onward.contains(mode.hex)) {
                push(&mut row, lit)?;
                if let Some(sets) = self.in_between(friend, halt, mode.hex) {
                    let mut way = start.clone();
                    push(&mut way, !lit)?;
                    self.one_open(lits.moves_at, &sets, &mut way, known, sink)?;
                }
            }
            sink.clause(&row)?;
        }
        for (rest, stop) in stops_of(friend.rests, lits.rests) {
            let mut row = Row::new();
            push(&mut row, !stop)?;
            for (_, lit) in self.goals(friend).filter(|(mode, _)| mode.hex.distance(rest) == 1) {
                push(&mut row, lit)?;
            }
            sink.clause(&row)?;
        }
        Ok(())
    }

    /// If the literal holds, an enemy on this hex is gone before the clock.
    fn free_by(
        &self,
        hex: Hex,
        clock: u8,
        lit: Lit,
        known: &mut Known,
        sink: &mut impl Sink,
    ) -> Result<(), Capacity> {
        if !self.survey.hostile.contains(hex) {
            return Ok(());
        }
        let mut row = Row::new();
        push(&mut row, !lit)?;
        self.one_open(clock, &[hex.to_set()], &mut row, known, sink)
    }

    /// The enemies of whom one must be gone before a friend can go two steps from one hex to another, the last one
    /// apart; nothing when there is a way already.
    fn in_between(&self, friend: &Friend, from: Hex, to: Hex) -> Option<Vec<HexSet, 2, u8>> {
        let between = friend.between(from, to);
        let free = if friend.flying { between } else { between - self.survey.hostile };
        let blocked = from.distance(to) > 1 && free.is_empty();
        blocked.then(|| between.into_iter().take(2).map(Hex::to_set).collect())
    }

    /// Completes a clause: or all enemies of one of the sets are gone before the clock.
    fn one_open(
        &self,
        clock: u8,
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
                    Some(foe) => push(&mut gone, self.after_removal(clock, foe as u8, known, sink)?)?,
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

    /// The literal for "the clock comes after y is removed", made once for each pair.
    fn after_removal(
        &self,
        clock: u8,
        foe: u8,
        known: &mut Known,
        sink: &mut impl Sink,
    ) -> Result<Lit, Capacity> {
        if let Some(&(_, _, lit)) = known.iter().find(|entry| (entry.0, entry.1) == (clock, foe)) {
            return Ok(lit);
        }
        let lit = sink.new_var()?;
        let full = Capacity { what: Resource::Pairs, needed: PAIR_CAP + 1, available: PAIR_CAP };
        let foe_lits = self.meaning.foes.get(usize::from(foe)).ok_or(full)?;
        sink.clause(&[!lit, foe_lits.removed])?;
        sink.order(lit, foe_lits.removed_at, clock, true)?;
        known.push((clock, foe, lit)).map_err(|_| full)?;
        Ok(lit)
    }
}

/// Just one of the hexes if the literal holds, else none; the clocks of coming and leaving differ just then.
fn one_if(
    stops: Lit,
    hexes: HexSet,
    comes_at: u8,
    leaves_at: u8,
    sink: &mut impl Sink,
) -> Result<(), Capacity> {
    let mut row = Row::new();
    for (_, lit) in stops_of(hexes, Some(stops)) {
        push(&mut row, lit)?;
        sink.clause(&[!lit, stops])?;
    }
    sink.at_most_one(&row)?;
    push(&mut row, !stops)?;
    sink.clause(&row)?;
    sink.order(stops, comes_at, leaves_at, true)?;
    sink.order(!stops, comes_at, leaves_at, false)?;
    sink.order(!stops, leaves_at, comes_at, false)
}
