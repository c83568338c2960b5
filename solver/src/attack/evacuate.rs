//! Friends in the way: who they are, and where they could step aside to.
//!
//! A free hex that nobody wants to fight from and that a friend can walk to right now is a refuge: who goes there
//! disturbs nobody, at whatever moment. So a friend that has a refuge of its own ([`match_pieces`]) needs no other
//! choice, and the constraints need not speak of one. Only those in such a crowd that there are not refuges enough
//! get every hex they could step to, those that enemies still block and those that other friends would have to
//! leave in turn included.

use barrow_core::hex::{Hex, HexSet, flood};
use barrow_core::minions::View;
use heapless::Vec;

use super::approach::{Approaches, approaches};
use super::matching::match_pieces;
use super::survey::{Deed, Friend, PIECE_CAP, Survey, full};
use crate::cdcl::{Capacity, Resource};

impl Survey {
    /// Adds the friends that only stand where others want to go, and lets all who do step aside.
    pub(super) fn evacuate(&mut self, view: &View<'_>) -> Result<(), Capacity> {
        let mut wanted = HexSet::EMPTY;
        for mode in &self.modes {
            if self.friends.get(usize::from(mode.friend)).is_some_and(|friend| friend.at != mode.hex) {
                wanted.insert(mode.hex);
            }
        }
        // Friends in a crowd, as a bit set of their positions in the list.
        let mut crowded = 0_u64;
        // Friends whose halts are known, in the same way.
        let mut halted = 0_u64;
        loop {
            self.involve(view, wanted)?;
            let mut more = HexSet::EMPTY;
            for index in 0..self.friends.len() {
                let contested = self.friends.get(index).is_some_and(|friend| friend.contested);
                if contested && halted >> index & 1 == 0 {
                    halted |= 1 << index;
                    more |= self.add_halts(view, index);
                }
            }
            if !more.is_empty() {
                wanted |= more;
                continue;
            }
            let refuges = self.refuges(view, wanted, crowded);
            let late = self.without_refuge(&refuges.0, &refuges.1, crowded);
            if late == 0 {
                return self.assign(&refuges.1);
            }
            for index in 0..self.friends.len() {
                if late >> index & 1 != 0 {
                    wanted |= self.add_asides(view, index)?;
                }
            }
            crowded |= late;
        }
    }

    /// Marks the friends on wanted hexes, and adds those that were not part of the survey so far.
    fn involve(&mut self, view: &View<'_>, wanted: HexSet) -> Result<(), Capacity> {
        let mut strangers = wanted & self.friendly;
        for friend in &mut self.friends {
            strangers.remove(friend.at);
            friend.contested |= wanted.contains(friend.at);
        }
        for at in strangers {
            let Some(piece) = view.board.piece(at) else { continue };
            let friend = Friend {
                at,
                attacks: 0,
                walks: view.walks(at, piece),
                blink: Survey::may_blink(view, piece),
                first_mode: 0,
                num_modes: 0,
                first_aside: 0,
                num_asides: 0,
                contested: true,
            };
            self.friends.push(friend).map_err(|_| full(Resource::Pieces, PIECE_CAP))?;
        }
        Ok(())
    }

    /// For every friend its possible refuges, and which of them it gets.
    fn refuges(&self, view: &View<'_>, wanted: HexSet, crowded: u64) -> (Reach, Given) {
        let free = !(self.friendly | self.hostile | wanted);
        let (mut reach, mut given) = (Reach::new(), Given::new());
        let (mut taken, mut greedy) = (HexSet::EMPTY, true);
        for (index, friend) in self.friends.iter().enumerate() {
            let asked = friend.contested && crowded >> index & 1 == 0;
            let own = if asked { (friend.walks | view.teleports(friend.at)) & free } else { HexSet::EMPTY };
            let hex = (own - taken).first();
            taken |= hex.map_or(HexSet::EMPTY, Hex::to_set);
            greedy &= hex.is_some() || own.is_empty();
            let _ = reach.push(own);
            let _ = given.push(hex);
        }
        // Taking the first that is left mostly serves all; otherwise an exact matching decides.
        if !greedy && let Some(matching) = match_pieces(&reach) {
            given.clear();
            given.extend(matching.iter().copied());
        }
        (reach, given)
    }

    /// The friends that found no refuge, and those who would have to share with these.
    fn without_refuge(&self, reach: &Reach, given: &Given, crowded: u64) -> u64 {
        let mut late = 0_u64;
        let mut shared = HexSet::EMPTY;
        loop {
            let before = late;
            for (index, friend) in self.friends.iter().enumerate() {
                let hex = given.get(index).copied().flatten();
                // Who can blink away is never at a loss.
                let content = !friend.contested || friend.blink || crowded >> index & 1 != 0;
                if !content && hex.is_none_or(|hex| shared.contains(hex)) {
                    late |= 1 << index;
                    shared |= reach.get(index).copied().unwrap_or(HexSet::EMPTY);
                }
            }
            if late == before {
                return late;
            }
        }
    }

    /// One hex to step aside to for everybody who was given a refuge.
    fn assign(&mut self, given: &Given) -> Result<(), Capacity> {
        for (index, hex) in given.iter().enumerate() {
            let (Some(hex), Some(&friend)) = (*hex, self.friends.get(index)) else { continue };
            let deed = if friend.walks.contains(hex) { Deed::Aside } else { Deed::Jump };
            let first_aside = self.modes.len() as u16;
            self.add_mode(index as u8, deed, &Approaches { hex, blockers: Vec::new() })?;
            if let Some(friend) = self.friends.get_mut(index) {
                (friend.first_aside, friend.num_asides) = (first_aside, 1);
            }
        }
        Ok(())
    }

    /// Everywhere a friend could step aside to. The answer is these hexes.
    fn add_asides(&mut self, view: &View<'_>, index: usize) -> Result<HexSet, Capacity> {
        let Some(&Friend { at, .. }) = self.friends.get(index) else { return Ok(HexSet::EMPTY) };
        let Some(piece) = view.board.piece(at) else { return Ok(HexSet::EMPTY) };
        let first_aside = self.modes.len() as u16;
        let unit = view.unit(piece);
        let open = view.board.walkable(view.map, unit);
        let mut asides = HexSet::EMPTY;
        if let Ok(steps) = view.steps_left(piece)
            && open.contains(at)
        {
            let anywhere = flood(at, steps, open).without(at) - self.closed;
            for approach in approaches(at, steps, open, self.hostile, unit.flying, anywhere) {
                self.add_mode(index as u8, Deed::Aside, &approach)?;
                asides.insert(approach.hex);
            }
        }
        for hex in view.teleports(at).without(at) - asides {
            self.add_mode(index as u8, Deed::Jump, &Approaches { hex, blockers: Vec::new() })?;
            asides.insert(hex);
        }
        if let Some(friend) = self.friends.get_mut(index) {
            (friend.first_aside, friend.num_asides) = (first_aside, self.modes.len() as u16 - first_aside);
        }
        Ok(asides)
    }
}

type Reach = Vec<HexSet, PIECE_CAP, u8>;
type Given = Vec<Option<Hex>, PIECE_CAP, u8>;
