//! Constraints on hexes: who stands on one when.

use barrow_core::hex::{Hex, HexSet};
use heapless::Vec;
use heapless::index_map::FnvIndexMap;

use super::constraint_sink::Sink;
use super::encode::{Encoder, FriendLits, Row, WIDTH, push, stops_of};
use super::model::{Friend, MODE_CAP};
use crate::cdcl::{Capacity, Lit};

/// A friend that comes to a hex if the literal holds.
#[derive(Clone, Copy)]
struct Comer {
    friend: u8,
    lit: Lit,
    comes_at: u8,
    /// When it goes on, if it only halts.
    goes_at: Option<u8>,
    /// Whether and when it blinks away, if it can.
    blinks: Option<(Lit, u8)>,
}

type Comers = Vec<Comer, WIDTH, u8>;

/// The literals for "this clock is not after that one", as far as there are any.
#[derive(Default)]
struct Orders {
    known: FnvIndexMap<(u8, u8), Lit, 512>,
}

impl Orders {
    fn get(
        &mut self,
        earlier: u8,
        later: u8,
        strict: bool,
        sink: &mut impl Sink,
    ) -> Result<(Lit, bool), Capacity> {
        if let Some(&lit) = self.known.get(&(earlier, later)) {
            return Ok((lit, false));
        }
        let lit = sink.new_var()?;
        sink.order(lit, earlier, later, strict)?;
        // Those for which there is no room are made again.
        let _ = self.known.insert((earlier, later), lit);
        Ok((lit, true))
    }
}

/// Positions of the modes in which a friend comes to a hex from another, listed by hex.
struct Arrivals {
    first: [u16; Hex::COUNT],
    next: Vec<u16, MODE_CAP, u16>,
    hexes: HexSet,
}

/// The end of a list.
const END: u16 = u16::MAX;

impl Arrivals {
    fn new(encoder: &Encoder<'_>) -> Arrivals {
        let mut arrivals = Arrivals { first: [END; Hex::COUNT], next: Vec::new(), hexes: HexSet::EMPTY };
        let _ = arrivals.next.resize(encoder.survey.modes.len(), END);
        // From the last on, so that each list begins with the first.
        for (index, mode) in encoder.survey.modes.iter().enumerate().rev() {
            let comes = encoder.friend_of(mode).is_some_and(|(friend, _)| friend.at != mode.hex);
            if let Some(first) = arrivals.first.get_mut(mode.hex.index()).filter(|_| comes)
                && let Some(next) = arrivals.next.get_mut(index)
            {
                *next = core::mem::replace(first, index as u16);
                arrivals.hexes.insert(mode.hex);
            }
        }
        arrivals
    }

    fn at(&self, hex: Hex) -> impl Iterator<Item = usize> {
        let first = self.first.get(hex.index()).copied();
        let listed = |index: u16| Some(index).filter(|&index| index != END);
        let after = move |index: &u16| self.next.get(usize::from(*index)).copied().and_then(listed);
        core::iter::successors(first.and_then(listed), after).map(usize::from)
    }
}

impl Encoder<'_> {
    /// The friends that come to a hex, and when they come and go. `halts` are the hexes on which anybody halts.
    fn comers<'a>(
        &'a self,
        arrivals: &'a Arrivals,
        hex: Hex,
        halts: HexSet,
    ) -> impl Iterator<Item = Comer> + 'a {
        let stay = arrivals.at(hex).filter_map(|index| {
            let (mode, &lit) = (self.survey.modes.get(index)?, self.meaning.modes.get(index)?);
            let (_, lits) = self.friend_of(mode)?;
            let blinks = lits.blinks.map(|blinks| (blinks, lits.blinks_at));
            Some(Comer { friend: mode.friend, lit, comes_at: lits.moves_at, goes_at: None, blinks })
        });
        let all = if halts.contains(hex) { self.survey.friends.len() } else { 0 };
        let friends = self.survey.friends.iter().zip(&self.meaning.friends).enumerate().take(all);
        let pass = friends.flat_map(move |(index, (friend, lits))| {
            let comer = move |lit, comes_at, goes_at| Comer {
                friend: index as u8,
                lit,
                comes_at,
                goes_at: Some(goes_at),
                blinks: None,
            };
            let of = move |hexes: HexSet, stops| {
                let there = if hexes.contains(hex) { stops } else { None };
                stops_of(hexes, there).find(|(stop, _)| *stop == hex).map(|(_, lit)| lit)
            };
            let first = of(friend.halts, lits.halts).map(|lit| comer(lit, lits.leaves_at, lits.goes_on_at));
            let second = of(friend.rests, lits.rests).map(|lit| comer(lit, lits.goes_on_at, lits.moves_at));
            first.into_iter().chain(second)
        });
        stay.chain(pass)
    }

    /// atMostOne(m_xs) on every hex, and friends who stand there leave in time.
    pub(super) fn hexes(&self, sink: &mut impl Sink) -> Result<(), Capacity> {
        let mut halts = HexSet::EMPTY;
        for friend in &self.survey.friends {
            halts |= friend.halts | friend.rests;
        }
        let arrivals = Arrivals::new(self);
        let mut orders = None;
        for hex in halts | arrivals.hexes {
            let mut comers: Comers = Vec::new();
            let mut row = Row::new();
            for comer in self.comers(&arrivals, hex, halts) {
                push(&mut row, comer.lit)?;
                let _ = comers.push(comer);
            }
            let occupant = self.survey.friends.iter().position(|friend| friend.at == hex);
            if let Some(index) = occupant
                && let (Some(friend), Some(lits)) =
                    (self.survey.friends.get(index), self.meaning.friends.get(index))
            {
                self.make_room(index, friend, lits, &comers, sink)?;
                if let Some(back) = self.returning(index, friend, lits, sink)? {
                    push(&mut row, back.lit)?;
                    let _ = comers.push(back);
                }
            }
            if comers.iter().any(|comer| comer.blinks.is_some() || comer.goes_at.is_some()) {
                take_turns(&comers, orders.get_or_insert_with(Orders::default), sink)?;
            } else {
                sink.at_most_one(&row)?;
            }
        }
        Ok(())
    }

    /// A friend that halts elsewhere may come back to its hex.
    fn returning(
        &self,
        index: usize,
        friend: &Friend,
        lits: &FriendLits,
        sink: &mut impl Sink,
    ) -> Result<Option<Comer>, Capacity> {
        let Some(halts) = lits.halts else { return Ok(None) };
        let lit = sink.new_var()?;
        for (_, own) in self.goals(friend).filter(|(mode, _)| mode.hex == friend.at) {
            sink.clause(&[!halts, !own, lit])?;
        }
        let blinks = lits.blinks.map(|blinks| (blinks, lits.blinks_at));
        Ok(Some(Comer { friend: index as u8, lit, comes_at: lits.moves_at, goes_at: None, blinks }))
    }

    /// Who comes to a friend's hex comes not before the friend has left it, or after it has blinked away.
    fn make_room(
        &self,
        index: usize,
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
                    Some(halts) => sink.clause(&[!leaves, !lit, halts])?,
                    None => sink.clause(&[!leaves, !lit])?,
                }
            }
        }
        for comer in comers.iter().filter(|comer| usize::from(comer.friend) != index) {
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
}

/// Several may stand on one hex one after the other, if all but the last go on or blink away.
fn take_turns(comers: &[Comer], orders: &mut Orders, sink: &mut impl Sink) -> Result<(), Capacity> {
    for (second, b) in comers.iter().enumerate() {
        for a in comers.iter().take(second).filter(|a| a.friend != b.friend) {
            let mut clause = Row::new();
            push(&mut clause, !a.lit)?;
            push(&mut clause, !b.lit)?;
            for (first, then) in [(a, b), (b, a)] {
                if let Some((blinks, blinks_at)) = first.blinks {
                    let (gone, new) = orders.get(blinks_at, then.comes_at, true, sink)?;
                    if new {
                        sink.clause(&[!gone, blinks])?;
                    }
                    push(&mut clause, gone)?;
                } else if let Some(goes_at) = first.goes_at {
                    push(&mut clause, orders.get(goes_at, then.comes_at, false, sink)?.0)?;
                }
            }
            sink.clause(&clause)?;
        }
    }
    Ok(())
}
