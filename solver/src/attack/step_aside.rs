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

use super::matching::match_pieces;
use super::model::{Deed, Friend, PIECE_CAP, Survey, full};
use super::reach::{Approaches, approaches};
use crate::cdcl::{Capacity, Resource};

impl Survey {
    /// Adds the friends that only stand where others want to go, and lets all who do step aside. Where steps need
    /// not be made at once, friends may halt, unless all this would be too much. The `movers` go anywhere they can.
    pub(super) fn evacuate(&mut self, view: &View<'_>, movers: HexSet) -> Result<(), Capacity> {
        let known = (self.friends.len(), self.modes.len(), self.sets.len());
        if view.rules.split_moves {
            let done = self.make_way(view, movers, true);
            if done.is_ok() && self.halts_fit() {
                return done;
            }
            self.friends.truncate(known.0);
            self.modes.truncate(known.1);
            self.sets.truncate(known.2);
            for friend in &mut self.friends {
                (friend.contested, friend.num_asides) = (false, 0);
                (friend.halts, friend.rests) = (HexSet::EMPTY, HexSet::EMPTY);
            }
            self.cut = true;
        }
        self.make_way(view, movers, false)
    }

    fn make_way(&mut self, view: &View<'_>, movers: HexSet, halting: bool) -> Result<(), Capacity> {
        let mut wanted = HexSet::EMPTY;
        for mode in &self.modes {
            if self.friends.get(usize::from(mode.friend)).is_some_and(|friend| friend.at != mode.hex) {
                wanted.insert(mode.hex);
            }
        }
        // Friends in a crowd, as a bit set of their positions in the list.
        let mut crowded = 0_u64;
        for at in movers & self.friendly {
            let index = self.enlist(view, at)?;
            wanted |= self.add_asides(view, index)?;
            crowded |= 1 << index;
        }
        loop {
            self.involve(view, wanted)?;
            if halting {
                let halts = self.add_halts();
                if !halts.is_subset(wanted) {
                    wanted |= halts;
                    continue;
                }
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
        for at in wanted & self.friendly {
            let index = self.enlist(view, at)?;
            if let Some(friend) = self.friends.get_mut(index) {
                friend.contested = true;
            }
        }
        Ok(())
    }

    /// The position in the list of the friend on a hex, which is added if need be.
    fn enlist(&mut self, view: &View<'_>, at: Hex) -> Result<usize, Capacity> {
        if let Some(index) = self.friends.iter().position(|friend| friend.at == at) {
            return Ok(index);
        }
        let full = full(Resource::Pieces, PIECE_CAP);
        let piece = view.board.piece(at).ok_or(full)?;
        self.friends.push(Survey::bystander(view, at, piece)).map_err(|_| full)?;
        Ok(self.friends.len() - 1)
    }

    /// For every friend its possible refuges, and which of them it gets.
    fn refuges(&self, view: &View<'_>, wanted: HexSet, crowded: u64) -> (Reach, Given) {
        let free = !(self.friendly | self.hostile | wanted);
        let (mut reach, mut given) = (Reach::new(), Given::new());
        let (mut taken, mut greedy) = (HexSet::EMPTY, true);
        for (index, friend) in self.friends.iter().enumerate() {
            let asked = friend.contested && crowded >> index & 1 == 0;
            let own =
                if asked { (self.walks(friend) | view.teleports(friend.at)) & free } else { HexSet::EMPTY };
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
            let deed = if self.walks(&friend).contains(hex) { Deed::Aside } else { Deed::Jump };
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
        let Some(&Friend { at, steps, open, flying, .. }) = self.friends.get(index) else {
            return Ok(HexSet::EMPTY);
        };
        let first_aside = self.modes.len() as u16;
        // Where a teleporter leads at once there is no need to walk once a way has opened.
        let walks = self.friends.get(index).map_or(HexSet::EMPTY, |friend| self.walks(friend));
        let jumps = view.teleports(at).without(at) - walks;
        let mut asides = jumps;
        for hex in jumps {
            self.add_mode(index as u8, Deed::Jump, &Approaches { hex, blockers: Vec::new() })?;
        }
        if steps > 0 {
            // Home again after a halt is a hex like any other.
            let home = if view.rules.split_moves && steps > 1 { at.to_set() } else { HexSet::EMPTY };
            let anywhere = (flood(at, steps, open).without(at) | home) - self.closed - jumps;
            for approach in approaches(at, steps, open, self.hostile, flying, anywhere) {
                self.add_mode(index as u8, Deed::Aside, &approach)?;
                asides.insert(approach.hex);
            }
        }
        asides.remove(at);
        if let Some(friend) = self.friends.get_mut(index) {
            (friend.first_aside, friend.num_asides) = (first_aside, self.modes.len() as u16 - first_aside);
        }
        Ok(asides)
    }
}

type Reach = Vec<HexSet, PIECE_CAP, u8>;
type Given = Vec<Option<Hex>, PIECE_CAP, u8>;
