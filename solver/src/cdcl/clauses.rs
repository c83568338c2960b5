//! Clauses of three and more literals in a flat store, learnt ones with their literal block distance.

use super::arena::Arena;
use super::array::Array;
use super::lit::Lit;
use super::occurrences::List;

/// Words before the literals; a proof also needs the clause's number.
pub(super) const HEADER: usize = if cfg!(feature = "proof") { 4 } else { 3 };

/// Bits of a clause's first word that hold its length.
const LENGTH_BITS: u32 = 16;

/// A store of clauses. Layout of a clause: length and literal block distance, link of watch 0, link of watch 1, number
/// in the proof if there is one, literals.
pub(super) struct Clauses<'m> {
    pub(super) words: Array<'m, u32>,
    /// Words in use, from the front.
    pub(super) used: usize,
    /// The watch lists of these clauses.
    pub(super) list: List,
}

impl<'m> Clauses<'m> {
    pub(super) fn new(arena: &mut Arena<'m>, words: usize, list: List) -> Self {
        Clauses { words: arena.words(words), used: 0, list }
    }

    /// Words that a clause of this length takes.
    pub(super) const fn size(len: usize) -> usize {
        HEADER.saturating_add(len)
    }

    /// Words that are left.
    pub(super) const fn room(&self) -> usize {
        self.words.len() - self.used
    }

    /// Number of literals of a clause.
    pub(super) fn len(&self, at: u32) -> usize {
        (self.words[at as usize] & ((1 << LENGTH_BITS) - 1)) as usize
    }

    /// Literal block distance of a clause: the number of decision levels of its literals when it was learnt.
    pub(super) fn lbd(&self, at: u32) -> u16 {
        (self.words[at as usize] >> LENGTH_BITS) as u16
    }

    /// Literal of a clause.
    #[inline]
    pub(super) fn lit(&self, at: u32, index: usize) -> Lit {
        Lit::wrapped(self.words[at as usize + HEADER + index])
    }

    /// All literals of a clause.
    pub(super) fn lits(&self, at: u32) -> impl Iterator<Item = Lit> + '_ {
        let first = at as usize + HEADER;
        self.words[first..first + self.len(at)].iter().map(|&word| Lit::wrapped(word))
    }

    /// Appends a clause of at least two literals, given by their numbers, and returns its place. It is not watched
    /// yet, and the caller has made sure of room.
    pub(super) fn append(&mut self, lits: &[u16], lbd: u16) -> u32 {
        let at = self.used as u32;
        self.words[self.used] = lits.len() as u32 | u32::from(lbd) << LENGTH_BITS;
        for (index, &lit) in lits.iter().enumerate() {
            self.words[self.used + HEADER + index] = u32::from(lit);
        }
        self.used += Clauses::size(lits.len());
        at
    }

    /// Stores the number of a clause in the proof.
    pub(super) fn set_proof_number(&mut self, at: u32, number: u32) {
        if cfg!(feature = "proof") {
            self.words[at as usize + HEADER - 1] = number;
        }
    }

    /// Number of a clause in the proof; 0 when no proof is written.
    pub(super) fn proof_number(&self, at: u32) -> u32 {
        if cfg!(feature = "proof") { self.words[at as usize + HEADER - 1] } else { 0 }
    }

    /// Places of all clauses.
    pub(super) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        let mut at = 0;
        core::iter::from_fn(move || {
            if at >= self.used {
                return None;
            }
            let here = at as u32;
            at += Clauses::size(self.len(here));
            Some(here)
        })
    }
}
