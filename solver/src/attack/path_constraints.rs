//! Path constraints: which enemies must be gone before a friend takes a path.

use barrow_core::hex::{Hex, HexSet};
use barrow_core::list;
use heapless::Vec;

use super::constraint_sink::ConstraintSink;
use super::elements::{Friend, ModeKind};
use super::encode::{Encoder, Row, push, stopover_lits};
use super::lits::FriendLits;
use super::model::{PIECE_CAP, full};
use crate::cdcl::{Capacity, Lit, Resource};

/// Literals that a clock comes after the removal of an enemy, in lists by enemy.
struct Known {
    /// By enemy its newest entry.
    newest: [u16; PIECE_CAP],
    /// Clock, literal, and the entry of the same enemy before this one.
    entries: Vec<(u8, Lit, u16), KNOWN_CAP, u16>,
}

/// Most literals that are known; without room they are made again.
const KNOWN_CAP: usize = 8 * PIECE_CAP;

impl Known {
    const NOTHING: Known = Known { newest: [u16::MAX; PIECE_CAP], entries: Vec::new() };

    /// Literal of a clock and an enemy.
    fn find(&self, clock: u8, foe: u8) -> Option<Lit> {
        let entry = |index: u16| self.entries.get(usize::from(index)).copied();
        let newest = self.newest.get(usize::from(foe)).copied().and_then(entry);
        let mut entries = core::iter::successors(newest, |&(_, _, before)| entry(before));
        entries.find(|entry| entry.0 == clock).map(|entry| entry.1)
    }

    /// Notes the literal of a clock and an enemy.
    fn add(&mut self, clock: u8, foe: u8, lit: Lit) {
        let index = self.entries.len() as u16;
        if let Some(newest) = self.newest.get_mut(usize::from(foe))
            && self.entries.push((clock, lit, *newest)).is_ok()
        {
            *newest = index;
        }
    }
}

impl Encoder<'_> {
    /// Encodes paths: m_xs => f_x, one of the sets of enemies in the way is gone before x moves.
    pub(super) fn paths(&self, sink: &mut impl ConstraintSink) -> Result<(), Capacity> {
        let mut known = Known::NOTHING;
        for mode in self.model.modes.iter() {
            let (lit, sets) = (mode.lit, self.model.sets_of(mode));
            if !sets.is_empty()
                && let Some(friend) = self.friend_of(mode)
            {
                let lits = &friend.lits;
                let mut row = Row::new();
                push(&mut row, !lit)?;
                if let Some(first_stopover) = lits.first_stopover {
                    push(&mut row, first_stopover)?;
                    self.free_by(mode.hex, lits.arrives_at, lit, &mut known, sink)?;
                }
                self.one_open(lits.arrives_at, sets, &mut row, &mut known, sink)?;
            }
        }
        for friend in self.model.friends.iter() {
            let lits = &friend.lits;
            if let Some(first_stopover) = lits.first_stopover {
                self.stopovers(friend, lits, first_stopover, sink)?;
                self.paths_to_stopovers(friend, lits, &mut known, sink)?;
                self.paths_onward(friend, lits, &mut known, sink)?;
            }
        }
        Ok(())
    }

    /// Encodes stopovers: a friend makes one first and one second stopover at most, and leaves before it goes on.
    fn stopovers(
        &self,
        friend: &Friend,
        lits: &FriendLits,
        first_stopover: Lit,
        sink: &mut impl ConstraintSink,
    ) -> Result<(), Capacity> {
        let after = (lits.continues_at, lits.arrives_at);
        one_if(first_stopover, friend.first_stopovers, lits.leaves_at, after.0, sink)?;
        if let Some(second_stopover) = lits.second_stopover {
            one_if(second_stopover, friend.second_stopovers, after.0, after.1, sink)?;
            sink.clause(&[!second_stopover, first_stopover])?;
        }
        sink.clause(&[!first_stopover, !lits.stays])?;
        if friend.lumbering {
            sink.clause(&[!first_stopover, lits.passive])?;
        }
        for (_, lit) in self.modes(friend, false).filter(|(mode, _)| mode.kind == ModeKind::Teleport) {
            sink.clause(&[!first_stopover, !lit])?;
        }
        Ok(())
    }

    /// Encodes the path to a first stopover, and from there to a second.
    fn paths_to_stopovers(
        &self,
        friend: &Friend,
        lits: &FriendLits,
        known: &mut Known,
        sink: &mut impl ConstraintSink,
    ) -> Result<(), Capacity> {
        for (first, lit) in stopover_lits(friend.first_stopovers, lits.first_stopover) {
            self.free_by(first, lits.leaves_at, lit, known, sink)?;
            if let Some(sets) = self.in_between(friend, friend.at, first) {
                let mut row = Row::new();
                push(&mut row, !lit)?;
                self.one_open(lits.leaves_at, &sets, &mut row, known, sink)?;
            }
        }
        let Some(second_stopover) = lits.second_stopover else { return Ok(()) };
        for (second, lit) in stopover_lits(friend.second_stopovers, lits.second_stopover) {
            self.free_by(second, lits.continues_at, lit, known, sink)?;
        }
        for (first, lit) in stopover_lits(friend.first_stopovers, lits.first_stopover) {
            let mut row = Row::new();
            push(&mut row, !lit)?;
            push(&mut row, !second_stopover)?;
            for (second, next) in stopover_lits(friend.second_stopovers, lits.second_stopover) {
                if friend.at.distance(first) == 1 && first.distance(second) == 1 {
                    push(&mut row, next)?;
                }
            }
            sink.clause(&row)?;
        }
        Ok(())
    }

    /// Encodes the path from the last stopover to the mode's hex.
    fn paths_onward(
        &self,
        friend: &Friend,
        lits: &FriendLits,
        known: &mut Known,
        sink: &mut impl ConstraintSink,
    ) -> Result<(), Capacity> {
        for (first, stop) in stopover_lits(friend.first_stopovers, lits.first_stopover) {
            let onward = friend.onward(first);
            let mut start = Row::new();
            push(&mut start, !stop)?;
            if let Some(second_stopover) = lits.second_stopover {
                push(&mut start, second_stopover)?;
            }
            let mut row = start.clone();
            for (mode, lit) in self.all_modes(friend).filter(|(mode, _)| onward.contains(mode.hex)) {
                push(&mut row, lit)?;
                if let Some(sets) = self.in_between(friend, first, mode.hex) {
                    let mut way = start.clone();
                    push(&mut way, !lit)?;
                    self.one_open(lits.arrives_at, &sets, &mut way, known, sink)?;
                }
            }
            sink.clause(&row)?;
        }
        for (second, stop) in stopover_lits(friend.second_stopovers, lits.second_stopover) {
            let mut row = Row::new();
            push(&mut row, !stop)?;
            for (_, lit) in self.all_modes(friend).filter(|(mode, _)| mode.hex.distance(second) == 1) {
                push(&mut row, lit)?;
            }
            sink.clause(&row)?;
        }
        Ok(())
    }

    /// Encodes that an enemy on this hex is gone before the clock if the literal holds.
    fn free_by(
        &self,
        hex: Hex,
        clock: u8,
        lit: Lit,
        known: &mut Known,
        sink: &mut impl ConstraintSink,
    ) -> Result<(), Capacity> {
        if !self.model.hostile.contains(hex) {
            return Ok(());
        }
        let mut row = Row::new();
        push(&mut row, !lit)?;
        self.one_open(clock, &[hex.to_set()], &mut row, known, sink)
    }

    /// Enemies between two hexes of which one must be gone before a friend can go the two steps from the first to the
    /// second; nothing when there is an open path already.
    fn in_between(&self, friend: &Friend, from: Hex, to: Hex) -> Option<Vec<HexSet, 2, u8>> {
        let between = friend.between(from, to);
        let free = if friend.flying { between } else { between - self.model.hostile };
        let blocked = from.distance(to) > 1 && free.is_empty();
        blocked.then(|| list::first(between.into_iter().map(Hex::to_set)))
    }

    /// Completes and adds a clause: or all enemies of one of the sets are gone before the clock.
    fn one_open(
        &self,
        clock: u8,
        sets: &[HexSet],
        row: &mut Row,
        known: &mut Known,
        sink: &mut impl ConstraintSink,
    ) -> Result<(), Capacity> {
        for &set in sets {
            let mut gone = Row::new();
            let mut open = true;
            for hex in set {
                match self.model.foes.iter().position(|foe| foe.at == hex) {
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

    /// Literal that a clock comes after the removal of an enemy, made once for each clock and enemy.
    fn after_removal(
        &self,
        clock: u8,
        foe: u8,
        known: &mut Known,
        sink: &mut impl ConstraintSink,
    ) -> Result<Lit, Capacity> {
        if let Some(lit) = known.find(clock, foe) {
            return Ok(lit);
        }
        let lit = sink.new_var()?;
        let missing = full(Resource::Pieces, self.model.foes.len());
        let lits = self.model.foes.get(usize::from(foe)).ok_or(missing)?.lits;
        sink.clause(&[!lit, lits.removed])?;
        sink.order(lit, lits.removed_at, clock, true)?;
        known.add(clock, foe, lit);
        Ok(lit)
    }
}

/// Encodes exactly one hex of a stopover if the literal holds, else none; the clocks of arriving and leaving differ
/// only then.
fn one_if(
    stops: Lit,
    hexes: HexSet,
    arrives_at: u8,
    leaves_at: u8,
    sink: &mut impl ConstraintSink,
) -> Result<(), Capacity> {
    let mut row = Row::new();
    for (_, lit) in stopover_lits(hexes, Some(stops)) {
        push(&mut row, lit)?;
        sink.clause(&[!lit, stops])?;
    }
    sink.at_most_one(&row)?;
    push(&mut row, !stops)?;
    sink.clause(&row)?;
    sink.order(stops, arrives_at, leaves_at, true)?;
    sink.order(!stops, arrives_at, leaves_at, false)?;
    sink.order(!stops, leaves_at, arrives_at, false)
}

#[cfg(test)]
mod tests {
    extern crate std;

    use barrow_core::minions::{Builder, GameConfig, MapLabel, Ruleset};

    use super::super::elements::Mode;
    use super::super::lists::OrdinaryRoom;
    use super::super::model::AttackModel;
    use super::super::plan::AttackSolver;
    use super::*;

    #[test]
    fn a_teleport_needs_no_stopover_and_allows_none() {
        let builder = Builder::new(GameConfig::new(Ruleset::Server, &[MapLabel::AllLand]).unwrap(), 1);
        let mut room = OrdinaryRoom::new();
        let mut model = AttackModel::new(&builder.build().unwrap().view(0).unwrap(), &mut room).unwrap();
        let hex = |name| Hex::named(name).unwrap();
        let stopovers = [hex("c3"), hex("d2")].into_iter().collect();
        let friend = Friend {
            at: hex("c2"),
            steps: 2,
            open: HexSet::ALL,
            first_stopovers: stopovers,
            num_asides: 2,
            ..Friend::EMPTY
        };
        model.friends.push(friend).unwrap();
        for (to, kind) in [("d3", ModeKind::StepAside), ("h8", ModeKind::Teleport)] {
            model.modes.push(Mode { hex: hex(to), kind, ..Mode::EMPTY }).unwrap();
        }
        model.number();
        let lits = model.friends[0].lits;
        let [walks, jumps] = [model.modes[0].lit, model.modes[1].lit];
        let mut memory = std::vec![0; 1 << 14];
        let mut solver = AttackSolver::prepare(&model, &mut memory).unwrap();
        let stops = lits.first_stopover.unwrap();
        for (wanted, possible) in [
            (&[walks, stops][..], true),
            (&[walks, !stops], true),
            (&[jumps, !stops], true),
            (&[jumps, stops], false),
            (&[lits.stays, !stops], true),
            (&[lits.stays, stops], false),
        ] {
            assert_eq!(solver.can_hold(wanted).unwrap(), possible, "{wanted:?}");
        }
    }
}
