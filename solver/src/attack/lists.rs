//! Lists of a model in lent memory: a board takes as much of them as its pieces are in contact.

use core::ops::{Deref, DerefMut};

use barrow_core::hex::HexSet;

use super::elements::{Foe, Friend, Mode, Pair};

/// List in a lent slice; it dereferences to a slice.
#[derive(Debug)]
pub(super) struct List<'l, T> {
    slots: &'l mut [T],
    len: usize,
}

impl<'l, T> List<'l, T> {
    /// An empty list.
    pub(super) const fn new(slots: &'l mut [T]) -> List<'l, T> {
        List { slots, len: 0 }
    }

    /// Number of items that the list has room for.
    pub(super) const fn capacity(&self) -> usize {
        self.slots.len()
    }

    /// Appends an item; without room it is returned.
    pub(super) fn push(&mut self, item: T) -> Result<(), T> {
        match self.slots.get_mut(self.len) {
            Some(slot) => {
                *slot = item;
                self.len += 1;
                Ok(())
            }
            None => Err(item),
        }
    }

    /// Drops the items behind the first `len`.
    pub(super) fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }
}

impl<T> Deref for List<'_, T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        self.slots.get(..self.len).unwrap_or(&[])
    }
}

impl<T> DerefMut for List<'_, T> {
    fn deref_mut(&mut self) -> &mut [T] {
        self.slots.get_mut(..self.len).unwrap_or(&mut [])
    }
}

/// Lent slices for the lists of a model: friends, enemies, modes, pairs and sets of enemies that block a path.
#[derive(Debug)]
pub struct ModelLists<'l> {
    /// Friendly pieces that can attack or stand in the way.
    pub friends: &'l mut [Friend],
    /// Enemy pieces that can be attacked.
    pub foes: &'l mut [Foe],
    /// Pairs of a friend and a hex to go to.
    pub modes: &'l mut [Mode],
    /// Pairs of an attacker and a target.
    pub pairs: &'l mut [Pair],
    /// Sets of enemies that block a path.
    pub sets: &'l mut [HexSet],
}

/// Room for the lists of a model.
pub trait ModelRoom {
    /// Lends the lists.
    fn lists(&mut self) -> ModelLists<'_>;
}

impl<R: ModelRoom + ?Sized> ModelRoom for &mut R {
    fn lists(&mut self) -> ModelLists<'_> {
        (**self).lists()
    }
}

/// Room for models of up to so many pieces of a side, modes, pairs and sets. A static of it takes no flash.
#[derive(Clone, Debug)]
pub struct FixedRoom<const PIECES: usize, const MODES: usize, const PAIRS: usize, const SETS: usize> {
    friends: [Friend; PIECES],
    foes: [Foe; PIECES],
    modes: [Mode; MODES],
    pairs: [Pair; PAIRS],
    sets: [HexSet; SETS],
}

/// Room for the boards of ordinary games.
pub type OrdinaryRoom = FixedRoom<48, 1024, 768, 768>;

/// Room for the boards of ordinary games where memory is short: a model that fills it needs more words of a solver than such
/// machines have.
pub type SmallRoom = FixedRoom<40, 288, 256, 112>;

/// Room for every board of a game: a hundred pieces, half of them in contact with the other half.
pub type LargeRoom = FixedRoom<100, 6144, 2560, 8192>;

impl<const PIECES: usize, const MODES: usize, const PAIRS: usize, const SETS: usize>
    FixedRoom<PIECES, MODES, PAIRS, SETS>
{
    /// Room in which there is nothing.
    pub const fn new() -> Self {
        FixedRoom {
            friends: [Friend::EMPTY; PIECES],
            foes: [Foe::EMPTY; PIECES],
            modes: [Mode::EMPTY; MODES],
            pairs: [Pair::EMPTY; PAIRS],
            sets: [HexSet::EMPTY; SETS],
        }
    }
}

impl<const PIECES: usize, const MODES: usize, const PAIRS: usize, const SETS: usize> Default
    for FixedRoom<PIECES, MODES, PAIRS, SETS>
{
    fn default() -> Self {
        FixedRoom::new()
    }
}

impl<const PIECES: usize, const MODES: usize, const PAIRS: usize, const SETS: usize> ModelRoom
    for FixedRoom<PIECES, MODES, PAIRS, SETS>
{
    fn lists(&mut self) -> ModelLists<'_> {
        ModelLists {
            friends: &mut self.friends,
            foes: &mut self.foes,
            modes: &mut self.modes,
            pairs: &mut self.pairs,
            sets: &mut self.sets,
        }
    }
}
