//! The store of pairs, at-most-ones and sums: records one behind the other, each with its own entries in the lists
//! by literal, so that records can be forgotten and the others moved together.

use super::binary::Pairs;
use super::limits::Carver;
use super::linear::Linear;
use super::lit::Lit;
use super::occurrences::{Heads, List};
use super::trail::Trail;

/// What a record is, in the upper bits of its first word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Pair,
    AtMostOne,
    Sum,
}

const KIND_SHIFT: u32 = 30;

impl Kind {
    /// The first word of a record: kind, and a number of 16 bits.
    pub(super) const fn word(self, number: usize) -> u32 {
        (self as u32) << KIND_SHIFT | number as u32
    }
}

/// Records in order of arrival.
pub(super) struct Lists<'m> {
    pub(super) words: &'m mut [u32],
    used: usize,
}

impl<'m> Lists<'m> {
    pub(super) fn new(carver: &mut Carver<'m>, words: usize) -> Self {
        Lists { words: carver.words(words), used: 0 }
    }

    pub(super) const fn room(&self) -> usize {
        self.words.len() - self.used
    }

    pub(super) fn capacity(&self) -> usize {
        self.words.len()
    }

    /// Appends words and returns where; the caller has made sure of room.
    pub(super) fn append(&mut self, words: impl IntoIterator<Item = u32>) -> u32 {
        let at = self.used;
        for word in words {
            self.words[self.used] = word;
            self.used += 1;
        }
        at as u32
    }

    #[inline]
    pub(super) fn word(&self, at: u32, offset: usize) -> u32 {
        self.words[at as usize + offset]
    }

    /// The number in a record's first word: the length of an at-most-one or a sum.
    #[inline]
    pub(super) fn number(&self, at: u32) -> usize {
        usize::from(self.word(at, 0) as u16)
    }

    pub(super) fn kind(&self, at: u32) -> Kind {
        match self.word(at, 0) >> KIND_SHIFT {
            0 => Kind::Pair,
            1 => Kind::AtMostOne,
            _ => Kind::Sum,
        }
    }

    fn size(&self, at: u32) -> usize {
        match self.kind(at) {
            Kind::Pair => Pairs::PAIR_SIZE,
            Kind::AtMostOne => Pairs::group_size(self.number(at)),
            Kind::Sum => Linear::size(self.number(at)),
        }
    }

    /// Walks over all records.
    #[cfg(feature = "check")]
    pub(super) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        let mut at = 0;
        core::iter::from_fn(move || {
            let here = at as u32;
            (at < self.used).then(|| {
                at += self.size(here);
                here
            })
        })
    }

    /// Forgets the records that hold whatever happens above level 0, where the trail must be, moves the others
    /// together and links them anew.
    pub(super) fn sweep(&mut self, heads: &mut Heads<'_>, trail: &Trail<'_>) {
        for list in [List::Pairs, List::AtMostOnes, List::Sums] {
            heads.clear(list);
        }
        let (mut from, end) = (0, self.used);
        self.used = 0;
        while from < end {
            let at = from as u32;
            let (kind, size) = (self.kind(at), self.size(at));
            let holds = match kind {
                Kind::Pair => Pairs::lits(self, at).iter().any(|&lit| trail.is_true(lit)),
                Kind::AtMostOne => Pairs::members(self, at).filter(|&lit| !trail.is_false(lit)).count() <= 1,
                Kind::Sum => Linear::holds(self, at, trail),
            };
            if !holds {
                let to = self.used;
                self.words.copy_within(from..from + size, to);
                self.used += size;
                match kind {
                    Kind::Pair => Pairs::link_pair(self, heads, to as u32),
                    Kind::AtMostOne => Pairs::link_group(self, heads, to as u32),
                    Kind::Sum => Linear::link(self, heads, to as u32),
                }
            }
            from += size;
        }
    }

    /// Puts an entry, whose first word is the link, at the front of a list.
    pub(super) fn link(&mut self, head: &mut u32, entry: usize) {
        self.words[entry] = *head;
        *head = entry as u32;
    }

    /// The literal in a word of a record.
    #[inline]
    pub(super) fn lit(&self, at: u32, offset: usize) -> Lit {
        Lit::wrapped(self.word(at, offset))
    }
}
