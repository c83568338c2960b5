//! Stepping aside: which friends are in the way of an attack, and where they could go.
//!
//! A refuge is a free hex that no attacker wants and that a friend can walk to right now: a friend that goes there
//! disturbs no other, at whatever time. So a friend with a refuge of its own ([`match_pieces`]) needs no other mode of
//! stepping aside. Only friends in such a crowd that there are not refuges enough get a mode for every hex they could
//! step to, hexes that enemies still block and hexes that other friends would have to leave included.

use barrow_core::hex::{Hex, HexSet, flood};
use barrow_core::list;
use barrow_core::minions::View;
use heapless::Vec;

use super::elements::{Friend, ModeKind};
use super::encode::WIDTH;
use super::matching::match_pieces;
use super::model::{AttackModel, PIECE_CAP};
use super::reach::{ReachableHex, reachable_hexes};
use crate::cdcl::Resource;

// A friend has one mode for each hex that it could step to, all of which are in one constraint.
const _: () = assert!(Hex::COUNT < WIDTH);

impl AttackModel<'_> {
    /// Adds the friends in the way of others to the model, with their modes of stepping aside, and stopovers where
    /// moves may be split, unless these are too many. The `movers` get a mode for every hex they could go to.
    pub(super) fn add_step_asides(&mut self, view: &View<'_>, movers: HexSet) {
        let known = (self.friends.len(), self.modes.len(), self.sets.len());
        let (lacking, closed) = (self.lacking, self.closed);
        if view.rules.split_moves {
            self.try_step_asides(view, movers, true);
            if self.lacking == lacking && self.stopovers_fit() {
                return;
            }
            self.friends.truncate(known.0);
            self.modes.truncate(known.1);
            self.sets.truncate(known.2);
            for friend in self.friends.iter_mut() {
                (friend.contested, friend.num_asides) = (false, 0);
                (friend.first_stopovers, friend.second_stopovers) = (HexSet::EMPTY, HexSet::EMPTY);
            }
            (self.lacking, self.closed) = (lacking, closed);
            self.cut = true;
        }
        self.try_step_asides(view, movers, false);
    }

    /// Adds modes of stepping aside until every friend in the way has enough of them.
    fn try_step_asides(&mut self, view: &View<'_>, movers: HexSet, with_stopovers: bool) {
        let mut wanted = HexSet::EMPTY;
        for mode in self.modes.iter() {
            if self.friends.get(usize::from(mode.friend)).is_some_and(|friend| friend.at != mode.hex) {
                wanted.insert(mode.hex);
            }
        }
        // Bit set of the friends, by position in the list, that get a mode for every hex.
        let mut crowded = 0_u128;
        for at in movers & self.friendly {
            let Some(index) = self.find_or_add_friend(view, at) else { continue };
            wanted |= self.add_asides(view, index);
            crowded |= 1 << index;
        }
        loop {
            self.mark_contested(view, wanted);
            if with_stopovers {
                let stopovers = self.add_stopovers();
                if !stopovers.is_subset(wanted) {
                    wanted |= stopovers;
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
                    wanted |= self.add_asides(view, index);
                }
            }
            crowded |= late;
        }
    }

    /// Marks the friends on wanted hexes as contested, and adds those that are not yet part of the model.
    fn mark_contested(&mut self, view: &View<'_>, wanted: HexSet) {
        for at in wanted & self.friendly {
            let index = self.find_or_add_friend(view, at);
            if let Some(friend) = index.and_then(|index| self.friends.get_mut(index)) {
                friend.contested = true;
            }
        }
    }

    /// Position in the list of the friend on a hex, which is added if need be. A friend for whom there is no room does
    /// not move.
    fn find_or_add_friend(&mut self, view: &View<'_>, at: Hex) -> Option<usize> {
        if let Some(index) = self.friends.iter().position(|friend| friend.at == at) {
            return Some(index);
        }
        let piece = view.board.piece(at)?;
        if self.friends.push(AttackModel::passive_friend(view, at, piece)).is_err() {
            self.closed.insert(at);
            self.lacks(Resource::Pieces, self.friends.capacity());
            return None;
        }
        Some(self.friends.len() - 1)
    }

    /// Possible refuges of every friend, and the one assigned to it.
    fn refuges(&self, view: &View<'_>, wanted: HexSet, crowded: u128) -> (Refuges, Assignment) {
        let free = !(self.friendly | self.hostile | wanted);
        let (mut reach, mut given) = (Refuges::new(), Assignment::new());
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
        // Assigning the first free refuge mostly serves all friends; otherwise an exact matching decides.
        if !greedy && let Some(matching) = match_pieces(&reach) {
            // As many as before: one for each friend.
            given = list::first(matching.iter().copied());
        }
        (reach, given)
    }

    /// Bit set of the friends without a refuge, and of those that would have to share one with them.
    fn without_refuge(&self, reach: &Refuges, given: &Assignment, crowded: u128) -> u128 {
        let mut late = 0_u128;
        let mut shared = HexSet::EMPTY;
        loop {
            let before = late;
            for (index, friend) in self.friends.iter().enumerate() {
                let hex = given.get(index).copied().flatten();
                // A friend that can blink away needs no refuge.
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

    /// Adds the mode of stepping aside to its refuge for every friend that has one.
    fn assign(&mut self, given: &Assignment) {
        for (index, hex) in given.iter().enumerate() {
            let (Some(hex), Some(&friend)) = (*hex, self.friends.get(index)) else { continue };
            let kind =
                if self.walks(&friend).contains(hex) { ModeKind::StepAside } else { ModeKind::Teleport };
            let first_aside = self.modes.len();
            self.add_mode(index as u8, kind, &ReachableHex { hex, blockers: Vec::new() });
            self.set_asides(index, first_aside);
        }
    }

    /// Notes that the modes from this one on are those in which a friend steps aside.
    fn set_asides(&mut self, index: usize, first_aside: usize) {
        let count = self.modes.len() - first_aside;
        if let Some(friend) = self.friends.get_mut(index) {
            (friend.first_aside, friend.num_asides) = (first_aside as u16, count as u16);
        }
    }

    /// Adds modes for all hexes to which a friend could step aside, and returns these hexes.
    fn add_asides(&mut self, view: &View<'_>, index: usize) -> HexSet {
        let Some(&Friend { at, steps, open, flying, .. }) = self.friends.get(index) else {
            return HexSet::EMPTY;
        };
        let first_aside = self.modes.len();
        // To a hex that a teleporter reaches at once there is no need to walk once a path has opened.
        let walks = self.friends.get(index).map_or(HexSet::EMPTY, |friend| self.walks(friend));
        let jumps = view.teleports(at).without(at) - walks;
        let mut asides = jumps;
        for hex in jumps {
            self.add_mode(index as u8, ModeKind::Teleport, &ReachableHex { hex, blockers: Vec::new() });
        }
        let mut anywhere = flood(at, steps, open).without(at);
        if view.rules.split_moves && steps > 1 {
            // After a stopover the friend's own hex is a hex like any other.
            anywhere.insert(at);
        }
        for reachable in
            reachable_hexes(at, steps, open, self.hostile, flying, anywhere - self.closed - jumps)
        {
            self.add_mode(index as u8, ModeKind::StepAside, &reachable);
            asides.insert(reachable.hex);
        }
        asides.remove(at);
        self.set_asides(index, first_aside);
        asides
    }
}

/// Hexes by friend.
type Refuges = Vec<HexSet, PIECE_CAP, u8>;
/// At most one hex by friend.
type Assignment = Vec<Option<Hex>, PIECE_CAP, u8>;
