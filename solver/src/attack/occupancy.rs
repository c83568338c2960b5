//! Occupancy constraints: which friend is on a hex at which time.

use barrow_core::hex::{Hex, HexSet};
use heapless::Vec;
use heapless::index_map::FnvIndexMap;

use super::constraint_sink::ConstraintSink;
use super::elements::Friend;
use super::encode::{Encoder, Row, WIDTH, push, stopover_lits};
use super::lits::FriendLits;
use crate::cdcl::{Capacity, Lit};

/// Arrival of a friend on a hex, if the literal holds.
#[derive(Clone, Copy)]
struct Arrival {
    friend: u8,
    lit: Lit,
    arrives_at: u8,
    /// Clock of leaving, for a stopover.
    departs_at: Option<u8>,
    /// Literal and clock of blinking away, for a friend that can.
    blinks: Option<(Lit, u8)>,
}

impl Arrival {
    /// Whether the friend can neither go on nor blink away.
    fn stays(&self) -> bool {
        self.departs_at.is_none() && self.blinks.is_none()
    }
}

type Arrivals = Vec<Arrival, WIDTH, u8>;

/// Most arrivals on a hex whose pairs are clauses each; of more, those that stay are in one constraint.
const FEW_ARRIVALS: usize = 24;

/// Literals that one clock is not after another, for the pairs of clocks that have one.
#[derive(Default)]
struct OrderLits {
    known: FnvIndexMap<(u8, u8), Lit, 512>,
}

impl OrderLits {
    /// Literal that `earlier` is not after `later`, or before it if `strict`, and whether the literal is new.
    fn get(
        &mut self,
        earlier: u8,
        later: u8,
        strict: bool,
        sink: &mut impl ConstraintSink,
    ) -> Result<(Lit, bool), Capacity> {
        if let Some(&lit) = self.known.get(&(earlier, later)) {
            return Ok((lit, false));
        }
        let lit = sink.new_var()?;
        sink.order(lit, earlier, later, strict)?;
        // Without room in the map a literal is made again when it is asked for.
        let _ = self.known.insert((earlier, later), lit);
        Ok((lit, true))
    }
}

impl Encoder<'_> {
    /// Arrivals on a hex. `stopovers` are the hexes of all friends' stopovers.
    fn arrivals(&self, hex: Hex, stopovers: HexSet) -> impl Iterator<Item = Arrival> + '_ {
        let stay = self.model.modes_to(hex).filter_map(|mode| {
            let lits = &self.friend_of(mode)?.lits;
            let (friend, lit) = (mode.friend, mode.lit);
            let blinks = lits.blinks.map(|blinks| (blinks, lits.blinks_at));
            Some(Arrival { friend, lit, arrives_at: lits.arrives_at, departs_at: None, blinks })
        });
        let all = if stopovers.contains(hex) { self.model.friends.len() } else { 0 };
        let pass = self.model.friends.iter().enumerate().take(all).flat_map(move |(index, friend)| {
            let lits = &friend.lits;
            let arrival = move |lit, arrives_at, departs_at| Arrival {
                friend: index as u8,
                lit,
                arrives_at,
                departs_at: Some(departs_at),
                blinks: None,
            };
            let of = move |hexes: HexSet, stops| {
                let there = if hexes.contains(hex) { stops } else { None };
                stopover_lits(hexes, there).find(|(stop, _)| *stop == hex).map(|(_, lit)| lit)
            };
            let first = of(friend.first_stopovers, lits.first_stopover)
                .map(|lit| arrival(lit, lits.leaves_at, lits.continues_at));
            let second = of(friend.second_stopovers, lits.second_stopover)
                .map(|lit| arrival(lit, lits.continues_at, lits.arrives_at));
            first.into_iter().chain(second)
        });
        stay.chain(pass)
    }

    /// Encodes hexes: atMostOne(m_xs) on every hex, and a friend that stands there leaves in time.
    pub(super) fn hexes(&self, sink: &mut impl ConstraintSink) -> Result<(), Capacity> {
        let mut stopovers = HexSet::EMPTY;
        for friend in self.model.friends.iter() {
            stopovers |= friend.first_stopovers | friend.second_stopovers;
        }
        let mut orders = None;
        for hex in Hex::all().filter(|&hex| self.model.is_come_to(hex) || stopovers.contains(hex)) {
            let mut arrivals: Arrivals = Vec::new();
            let mut row = Row::new();
            for arrival in self.arrivals(hex, stopovers) {
                push(&mut row, arrival.lit)?;
                let _ = arrivals.push(arrival);
            }
            let occupant = self.model.friends.iter().position(|friend| friend.at == hex);
            if let Some(index) = occupant
                && let Some(friend) = self.model.friends.get(index)
            {
                self.make_room(index, friend, &friend.lits, &arrivals, sink)?;
                if let Some(back) = self.returning(index, friend, &friend.lits, sink)? {
                    push(&mut row, back.lit)?;
                    let _ = arrivals.push(back);
                }
            }
            if arrivals.iter().any(|arrival| arrival.blinks.is_some() || arrival.departs_at.is_some()) {
                take_turns(&arrivals, orders.get_or_insert_with(OrderLits::default), sink)?;
            } else {
                sink.at_most_one(&row)?;
            }
        }
        Ok(())
    }

    /// Arrival of a friend on its own hex, after a stopover elsewhere.
    fn returning(
        &self,
        index: usize,
        friend: &Friend,
        lits: &FriendLits,
        sink: &mut impl ConstraintSink,
    ) -> Result<Option<Arrival>, Capacity> {
        let Some(stops) = lits.first_stopover else { return Ok(None) };
        let lit = sink.new_var()?;
        for (_, own) in self.all_modes(friend).filter(|(mode, _)| mode.hex == friend.at) {
            sink.clause(&[!stops, !own, lit])?;
        }
        let blinks = lits.blinks.map(|blinks| (blinks, lits.blinks_at));
        Ok(Some(Arrival { friend: index as u8, lit, arrives_at: lits.arrives_at, departs_at: None, blinks }))
    }

    /// Encodes that nobody comes to a friend's hex before the friend has left, or before it has blinked away.
    fn make_room(
        &self,
        index: usize,
        friend: &Friend,
        lits: &FriendLits,
        arrivals: &[Arrival],
        sink: &mut impl ConstraintSink,
    ) -> Result<(), Capacity> {
        let leaves = sink.new_var()?;
        sink.clause(&[!leaves, !lits.stays])?;
        for (mode, lit) in self.modes(friend, true) {
            if mode.hex == friend.at {
                match lits.first_stopover {
                    Some(stops) => sink.clause(&[!leaves, !lit, stops])?,
                    None => sink.clause(&[!leaves, !lit])?,
                }
            }
        }
        for arrival in arrivals.iter().filter(|arrival| usize::from(arrival.friend) != index) {
            let Some(blinks) = lits.blinks else {
                sink.clause(&[!arrival.lit, leaves])?;
                sink.order(arrival.lit, lits.leaves_at, arrival.arrives_at, false)?;
                continue;
            };
            let (walked, blinked) = (sink.new_var()?, sink.new_var()?);
            sink.clause(&[!arrival.lit, walked, blinked])?;
            sink.clause(&[!walked, leaves])?;
            sink.order(walked, lits.leaves_at, arrival.arrives_at, false)?;
            sink.clause(&[!blinked, blinks])?;
            sink.order(blinked, lits.blinks_at, arrival.arrives_at, true)?;
        }
        Ok(())
    }
}

/// Encodes that several friends may be on one hex one after the other, if all but the last go on or blink away.
fn take_turns(
    arrivals: &[Arrival],
    orders: &mut OrderLits,
    sink: &mut impl ConstraintSink,
) -> Result<(), Capacity> {
    let mut rest = Row::new();
    if arrivals.len() > FEW_ARRIVALS {
        for arrival in arrivals.iter().filter(|arrival| arrival.stays()) {
            push(&mut rest, arrival.lit)?;
        }
        sink.at_most_one(&rest)?;
    }
    for (second, b) in arrivals.iter().enumerate() {
        let told = |a: &Arrival| !rest.is_empty() && a.stays() && b.stays();
        for a in arrivals.iter().take(second).filter(|a| a.friend != b.friend && !told(a)) {
            let mut clause = Row::new();
            push(&mut clause, !a.lit)?;
            push(&mut clause, !b.lit)?;
            for (first, then) in [(a, b), (b, a)] {
                if let Some((blinks, blinks_at)) = first.blinks {
                    let (gone, new) = orders.get(blinks_at, then.arrives_at, true, sink)?;
                    if new {
                        sink.clause(&[!gone, blinks])?;
                    }
                    push(&mut clause, gone)?;
                } else if let Some(departs_at) = first.departs_at {
                    push(&mut clause, orders.get(departs_at, then.arrives_at, false, sink)?.0)?;
                }
            }
            sink.clause(&clause)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::vec::Vec as Heap;

    use super::super::constraint_sink::{CountingSink, SolverSink};
    use super::*;
    use crate::cdcl::{Answer, Limits, Solver};

    /// Arrivals of so many friends at one time, of whom every third goes on and every fifth blinks away at another time.
    fn arrivals(count: usize, new_lit: &mut impl FnMut() -> Lit) -> Arrivals {
        let mut all = Arrivals::new();
        for friend in 0..count as u8 {
            let lit = new_lit();
            let departs_at = friend.is_multiple_of(3).then_some(1);
            let blinks = (friend % 5 == 1 && departs_at.is_none()).then(|| (new_lit(), 1));
            let _ = all.push(Arrival { friend, lit, arrives_at: 0, departs_at, blinks });
        }
        all
    }

    #[test]
    fn only_those_that_leave_are_followed_by_others() {
        for count in [FEW_ARRIVALS, FEW_ARRIVALS + 3] {
            let limits = Limits {
                vars: 200,
                clocks: 2,
                ticks: 2,
                edges: 200,
                clauses: 8000,
                store: 4000,
                learnt: 500,
            };
            let mut memory = std::vec![0; limits.words()];
            let mut solver = Solver::new(&mut memory, &limits).unwrap();
            let all = arrivals(count, &mut || solver.new_var().unwrap().positive());
            let mut sink = SolverSink { solver: &mut solver };
            take_turns(&all, &mut OrderLits::default(), &mut sink).unwrap();
            for (index, a) in all.iter().enumerate() {
                for b in &all[..index] {
                    let leaves = |one: &Arrival| one.departs_at.or(one.blinks.map(|(_, at)| at)).is_some();
                    let answer = solver.solve(&[a.lit, b.lit]).unwrap();
                    assert_eq!(answer == Answer::Sat, leaves(a) || leaves(b), "{index} of {count}");
                }
            }
        }
    }

    #[test]
    fn many_that_stay_are_in_one_constraint() {
        let words = |count: usize| {
            let mut sink = CountingSink::new();
            let lits: Heap<Lit> = (0..count).map(|_| sink.new_var().unwrap()).collect();
            let staying = |(friend, &lit): (usize, &Lit)| Arrival {
                friend: friend as u8,
                lit,
                arrives_at: 0,
                departs_at: None,
                blinks: None,
            };
            let all: Heap<Arrival> = lits.iter().enumerate().map(staying).collect();
            take_turns(&all, &mut OrderLits::default(), &mut sink).unwrap();
            sink.limits.store
        };
        let pairs = FEW_ARRIVALS * (FEW_ARRIVALS - 1) / 2;
        assert_eq!(words(FEW_ARRIVALS), pairs * Limits::binary_words());
        for count in [FEW_ARRIVALS + 1, 60] {
            assert_eq!(words(count), Limits::at_most_one_words(count));
        }
    }
}
