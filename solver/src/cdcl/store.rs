//! The store of binary clauses, at-most-one and linear constraints: records one behind the other, each with its
//! own entries in the occurrence lists, so that satisfied records can be removed and the others compacted.

use super::arena::Arena;
use super::array::Array;
use super::lit::Lit;

/// Kind of a record, in the upper bits of its first word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Binary,
    AtMostOne,
    Linear,
    /// A linear constraint that was learnt.
    Learnt,
}

const KIND_SHIFT: u32 = 30;

impl Kind {
    /// The first word of a record: kind, and a number of 16 bits.
    pub(super) const fn word(self, number: usize) -> u32 {
        (self as u32) << KIND_SHIFT | number as u32
    }
}

/// Records in the order in which they were added.
pub(super) struct Store<'m> {
    pub(super) words: Array<'m, u32>,
    /// Words in use, from the front.
    pub(super) used: usize,
}

impl<'m> Store<'m> {
    pub(super) fn new(arena: &mut Arena<'m>, words: usize) -> Self {
        Store { words: arena.words(words), used: 0 }
    }

    /// Words that are left.
    pub(super) const fn room(&self) -> usize {
        self.words.len() - self.used
    }

    /// Appends a record and returns its place; the caller has made sure of room.
    pub(super) fn append(&mut self, words: impl IntoIterator<Item = u32>) -> u32 {
        let at = self.used;
        for word in words {
            self.words[self.used] = word;
            self.used += 1;
        }
        at as u32
    }

    /// A word of the record at a place.
    #[inline]
    pub(super) fn word(&self, at: u32, offset: usize) -> u32 {
        self.words[at as usize + offset]
    }

    /// The words before an entry of an occurrence list, of its link and behind it.
    #[inline]
    pub(super) fn term(&self, entry: u32) -> [u32; 3] {
        let words = self.words.get((entry as usize).wrapping_sub(1)..).and_then(|words| words.first_chunk());
        words.copied().unwrap_or([u32::MAX; 3])
    }

    /// The first words of the record at a place.
    #[inline]
    pub(super) fn head_mut<const N: usize>(&mut self, at: u32) -> Option<&mut [u32; N]> {
        self.words.get_mut(at as usize..)?.first_chunk_mut()
    }

    /// The number in a record's first word: the length of an at-most-one or a linear constraint.
    #[inline]
    pub(super) fn number(&self, at: u32) -> usize {
        usize::from(self.word(at, 0) as u16)
    }

    /// Kind of the record at a place.
    pub(super) fn kind(&self, at: u32) -> Kind {
        match self.word(at, 0) >> KIND_SHIFT {
            0 => Kind::Binary,
            1 => Kind::AtMostOne,
            2 => Kind::Linear,
            _ => Kind::Learnt,
        }
    }

    /// Puts an entry, whose first word is the link, at the front of an occurrence list.
    pub(super) fn link(&mut self, first: &mut u32, entry: usize) {
        self.words[entry] = *first;
        *first = entry as u32;
    }

    /// The literal in a word of a record.
    #[inline]
    pub(super) fn lit(&self, at: u32, offset: usize) -> Lit {
        Lit::wrapped(self.word(at, offset))
    }
}
