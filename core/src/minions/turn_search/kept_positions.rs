//! Positions of a search that are kept, so that the turns which lead to them need not be played again. They lie in lent
//! memory, each at the place that its key gives it; where there is none, every turn of a path is played anew.

use heapless::Vec;

use crate::minions::GameState;

use super::path::PathKeys;

/// Place for a position of a search. It is empty at first, so that a static of it takes no flash.
#[derive(Clone, Debug, Default)]
pub struct KeptPosition {
    key: u64,
    /// Whether the position belongs to the present search.
    valid: bool,
    state: Vec<GameState, 1, u8>,
}

impl KeptPosition {
    /// A place without a position.
    pub const fn new() -> KeptPosition {
        KeptPosition { key: 0, valid: false, state: Vec::new() }
    }
}

/// Positions that one search keeps, in lent places.
pub(super) struct KeptPositions<'s>(&'s mut [KeptPosition]);

impl<'s> KeptPositions<'s> {
    /// No positions, in these places.
    pub(super) fn new(places: &'s mut [KeptPosition]) -> KeptPositions<'s> {
        // The positions of an earlier search stay, to be copied over.
        for place in places.iter_mut() {
            place.valid = false;
        }
        KeptPositions(places)
    }

    /// Number of the place of a key; `None` where there is no place at all.
    fn place(&self, key: u64) -> Option<usize> {
        (key as usize).checked_rem(self.0.len())
    }

    /// Position with this key after so many turns of the game, which are no part of the key.
    pub(super) fn get(&self, key: u64, turn: u32) -> Option<&GameState> {
        let place = self.0.get(self.place(key)?).filter(|place| place.valid && place.key == key)?;
        place.state.first().filter(|state| state.turn() == turn)
    }

    /// Keeps a position in which the game goes on, in the place of another.
    pub(super) fn keep(&mut self, key: u64, state: &GameState) {
        let Some(place) = self.place(key).and_then(|place| self.0.get_mut(place)) else { return };
        if state.is_over() {
            return;
        }
        (place.key, place.valid) = (key, true);
        match place.state.first_mut() {
            Some(known) => known.clone_from(state),
            None => fill(&mut place.state, state),
        }
    }

    /// Keeps a position whose key is still to be computed, if there is a place at all.
    pub(super) fn keep_new(&mut self, state: &GameState) {
        if self.0.is_empty() {
            return;
        }
        let key = state.key();
        if self.get(key, state.turn()).is_none() {
            self.keep(key, state);
        }
    }

    /// The last of the positions with these keys that is kept: how many turns of the path lead to it, and its key. The first
    /// key is that of the position after `played` turns and one more; `turn` is that of the root.
    pub(super) fn last_of(&self, keys: &PathKeys, played: usize, turn: u32) -> Option<(usize, u64)> {
        if self.0.is_empty() {
            return None;
        }
        keys.iter().enumerate().rev().find_map(|(place, &key)| {
            let turns = played + 1 + place;
            self.get(key, turn.wrapping_add(turns as u32)).is_some().then_some((turns, key))
        })
    }
}

/// The first position of a place, which is made on the stack.
#[cold]
#[inline(never)]
fn fill(place: &mut Vec<GameState, 1, u8>, state: &GameState) {
    let _ = place.push(state.clone());
}
