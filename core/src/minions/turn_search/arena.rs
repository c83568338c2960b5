//! Slices of candidates of one type, linked into lists, and the indices that name them.

use core::cmp::Ordering;
use core::fmt;
use core::marker::PhantomData;

/// Index of a candidate of type `T` in the slice of its type; [`Index::NONE`] stands for no candidate. An index holds
/// until the next compaction.
pub struct Index<T> {
    number: u32,
    kind: PhantomData<fn() -> T>,
}

impl<T> Index<T> {
    /// No candidate.
    pub const NONE: Index<T> = Index::new(u32::MAX);

    const fn new(number: u32) -> Index<T> {
        Index { number, kind: PhantomData }
    }

    /// Whether the index stands for no candidate.
    pub const fn is_none(self) -> bool {
        self.number == u32::MAX
    }

    const fn place(self) -> usize {
        self.number as usize
    }
}

// Derived implementations would ask the same of `T`.
impl<T> Clone for Index<T> {
    fn clone(&self) -> Index<T> {
        *self
    }
}

impl<T> Copy for Index<T> {}

impl<T> PartialEq for Index<T> {
    fn eq(&self, other: &Index<T>) -> bool {
        self.number == other.number
    }
}

impl<T> Eq for Index<T> {}

impl<T> PartialOrd for Index<T> {
    fn partial_cmp(&self, other: &Index<T>) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> Ord for Index<T> {
    fn cmp(&self, other: &Index<T>) -> Ordering {
        self.number.cmp(&other.number)
    }
}

impl<T> Default for Index<T> {
    fn default() -> Index<T> {
        Index::NONE
    }
}

impl<T> fmt::Debug for Index<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_none() { f.write_str("none") } else { write!(f, "{}", self.number) }
    }
}

/// Place for one candidate, with its links.
#[derive(Clone, Copy, Debug)]
pub struct Slot<T> {
    candidate: T,
    /// The candidate that was first in the list before this one was added.
    next: Index<T>,
    /// New index of a candidate that stays; used only during a compaction.
    forward: Index<T>,
}

impl<T> Slot<T> {
    /// A slot with an unlinked candidate, to fill memory with.
    pub const fn new(candidate: T) -> Slot<T> {
        Slot { candidate, next: Index::NONE, forward: Index::NONE }
    }
}

/// Candidates of one type in a lent slice. Candidates of one stage form a list that begins with the newest.
pub struct Arena<'m, T> {
    slots: &'m mut [Slot<T>],
    used: usize,
}

impl<'m, T: Copy> Arena<'m, T> {
    /// An arena of which this many slots are in use; more than there are count as all.
    pub(super) fn new(slots: &'m mut [Slot<T>], used: usize) -> Arena<'m, T> {
        let used = used.min(slots.len());
        Arena { slots, used }
    }

    /// Slots in use.
    pub(super) fn used(&self) -> usize {
        self.used
    }

    /// Slots in all.
    pub(super) fn capacity(&self) -> usize {
        self.slots.len()
    }

    /// Whether that many more candidates fit.
    pub(super) fn has_room(&self, candidates: usize) -> bool {
        self.slots.len() - self.used >= candidates
    }

    /// Removes all candidates.
    pub(super) fn clear(&mut self) {
        self.used = 0;
    }

    /// The candidate with this index.
    pub(super) fn get(&self, index: Index<T>) -> Option<&T> {
        self.slots.get(index.place()).map(|slot| &slot.candidate)
    }

    /// The candidate with this index, to change.
    pub(super) fn get_mut(&mut self, index: Index<T>) -> Option<&mut T> {
        self.slots.get_mut(index.place()).map(|slot| &mut slot.candidate)
    }

    /// Adds a candidate in front of the list that begins with `next`. `None` when all slots are in use.
    pub(super) fn push(&mut self, candidate: T, next: Index<T>) -> Option<Index<T>> {
        let index = u32::try_from(self.used).ok().filter(|&number| number < u32::MAX).map(Index::new)?;
        *self.slots.get_mut(self.used)? = Slot { next, ..Slot::new(candidate) };
        self.used += 1;
        Some(index)
    }

    /// The candidates of a list with their indices, the newest first.
    pub(super) fn list(&self, first: Index<T>) -> impl Iterator<Item = (Index<T>, &T)> + '_ {
        let mut at = first;
        core::iter::from_fn(move || {
            let index = at;
            let slot = self.slots.get(index.place()).filter(|_| !index.is_none())?;
            at = slot.next;
            Some((index, &slot.candidate))
        })
    }
}

impl<T: Copy> Arena<'_, T> {
    /// Calls `change` with each candidate of a list, the newest first.
    pub(super) fn for_each(&mut self, first: Index<T>, mut change: impl FnMut(&mut T)) {
        let mut at = first;
        while let Some(slot) = self.slots.get_mut(at.place()).filter(|_| !at.is_none()) {
            change(&mut slot.candidate);
            at = slot.next;
        }
    }
}

/// The steps of a compaction: unmark all, mark what stays, number, relink, slide.
impl<T: Copy> Arena<'_, T> {
    fn in_use(&mut self) -> impl Iterator<Item = &mut Slot<T>> {
        self.slots.iter_mut().take(self.used)
    }

    /// Removes all marks.
    pub(super) fn unmark(&mut self) {
        self.in_use().for_each(|slot| slot.forward = Index::NONE);
    }

    /// Marks the candidates of a list up to the first that is marked already, and calls `visit` with each.
    pub(super) fn mark_list(&mut self, first: Index<T>, mut visit: impl FnMut(&T)) {
        let mut at = first;
        while let Some(slot) = self.slots.get_mut(at.place()).filter(|slot| slot.forward.is_none()) {
            slot.forward = Index::new(0);
            visit(&slot.candidate);
            at = slot.next;
        }
    }

    /// Gives every marked candidate its new index.
    pub(super) fn number(&mut self) {
        let marked = self.in_use().filter(|slot| !slot.forward.is_none());
        marked.zip(0..).for_each(|(slot, number)| slot.forward = Index::new(number));
    }

    /// The new index of a candidate; [`Index::NONE`] when it does not stay.
    pub(super) fn renumbered(&self, index: Index<T>) -> Index<T> {
        self.slots.get(index.place()).map_or(Index::NONE, |slot| slot.forward)
    }

    /// Turns all links into new indices and calls `renumber` with every candidate, which may hold indices itself.
    pub(super) fn relink(&mut self, mut renumber: impl FnMut(&mut T)) {
        for place in 0..self.used {
            let Some(next) = self.slots.get(place).map(|slot| self.renumbered(slot.next)) else { break };
            if let Some(slot) = self.slots.get_mut(place) {
                slot.next = next;
                renumber(&mut slot.candidate);
            }
        }
    }

    /// The first marked candidate in slot `place` or after it, and `place` moved there.
    pub(super) fn marked_from(&mut self, place: &mut usize) -> Option<&mut T> {
        let rest = self.slots.get_mut(..self.used)?.get_mut(*place..)?;
        let (skipped, slot) = rest.iter_mut().enumerate().find(|(_, slot)| !slot.forward.is_none())?;
        *place += skipped;
        Some(&mut slot.candidate)
    }

    /// Moves the marked candidates to the front in their old order and frees the others.
    pub(super) fn slide(&mut self) {
        let mut kept = 0;
        for place in 0..self.used {
            let Some(&slot) = self.slots.get(place).filter(|slot| !slot.forward.is_none()) else { continue };
            if let Some(to) = self.slots.get_mut(kept) {
                *to = Slot { forward: Index::NONE, ..slot };
                kept += 1;
            }
        }
        self.used = kept;
    }
}
