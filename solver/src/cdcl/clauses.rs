//! Clauses of three and more literals with two watches each (Moskewicz et al., Chaff, 2001), in a flat store.
//!
//! The watch lists are threaded through the clauses themselves: a clause has a link for each of its two watched
//! literals, so that a list needs no memory of its own and the other watch, which serves as blocker, is at hand.

use super::limits::Carver;
use super::lit::Lit;
use super::occurrences::{END, Heads, List};
use super::trail::{Reason, Trail};

/// Words before the literals; a proof also needs the clause's number.
const HEADER: usize = if cfg!(feature = "proof") { 4 } else { 3 };

/// A store of clauses. Layout of a clause: length and tag, link of watch 0, link of watch 1, literals.
pub(super) struct Clauses<'m> {
    words: &'m mut [u32],
    used: usize,
    list: List,
}

const LENGTH_BITS: u32 = 16;

impl<'m> Clauses<'m> {
    pub(super) fn new(carver: &mut Carver<'m>, words: usize, list: List) -> Self {
        Clauses { words: carver.words(words), used: 0, list }
    }

    /// Words a clause of this length takes.
    pub(super) const fn size(len: usize) -> usize {
        HEADER + len
    }

    pub(super) const fn room(&self) -> usize {
        self.words.len() - self.used
    }

    pub(super) fn capacity(&self) -> usize {
        self.words.len()
    }

    fn len(&self, at: u32) -> usize {
        (self.words[at as usize] & ((1 << LENGTH_BITS) - 1)) as usize
    }

    /// The number given when the clause was added.
    pub(super) fn tag(&self, at: u32) -> u16 {
        (self.words[at as usize] >> LENGTH_BITS) as u16
    }

    #[inline]
    fn lit(&self, at: u32, index: usize) -> Lit {
        Lit::wrapped(self.words[at as usize + HEADER + index])
    }

    pub(super) fn lits(&self, at: u32) -> impl Iterator<Item = Lit> + '_ {
        let first = at as usize + HEADER;
        self.words[first..first + self.len(at)].iter().map(|&word| Lit::wrapped(word))
    }

    /// Adds a clause of at least two literals, given by their numbers; the first two are watched. The caller has
    /// made sure of room.
    pub(super) fn add_words(&mut self, heads: &mut Heads<'_>, lits: &[u16], tag: u16) -> u32 {
        let at = self.used as u32;
        self.words[self.used] = lits.len() as u32 | u32::from(tag) << LENGTH_BITS;
        for (index, &lit) in lits.iter().enumerate() {
            self.words[self.used + HEADER + index] = u32::from(lit);
        }
        self.used += Clauses::size(lits.len());
        self.attach(heads, at);
        at
    }

    /// Notes the number of a clause in the proof.
    pub(super) fn set_number(&mut self, at: u32, number: u32) {
        if cfg!(feature = "proof") {
            self.words[at as usize + HEADER - 1] = number;
        }
    }

    fn attach(&mut self, heads: &mut Heads<'_>, at: u32) {
        for watch in 0..2 {
            let lit = self.lit(at, watch);
            let head = heads.first(lit, self.list);
            self.words[at as usize + 1 + watch] = *head;
            *head = at;
        }
    }

    /// Visits the clauses of a list, whose literal has become false. On conflict returns the clause.
    pub(super) fn propagate(
        &mut self,
        heads: &mut Heads<'_>,
        falsified: Lit,
        trail: &mut Trail<'_>,
    ) -> Result<(), u32> {
        // `previous` is the word that links to the present clause: list head or link of the clause before.
        let mut previous: Option<usize> = None;
        let mut at = heads.of(falsified)[self.list as usize];
        while at != END {
            let start = at as usize;
            let watched = [self.lit(at, 0), self.lit(at, 1)];
            let watch = usize::from(watched[0] != falsified);
            let other = watched[1 - watch];
            let link = start + 1 + watch;
            let next = self.words[link];
            if !trail.is_true(other) {
                let end = start + HEADER + self.len(at);
                let rest = &self.words[start + HEADER + 2..end];
                let replacement = rest.iter().position(|&word| !trail.is_false(Lit::wrapped(word)));
                if let Some(index) = replacement {
                    let lit = Lit::wrapped(rest[index]);
                    self.words.swap(start + HEADER + watch, start + HEADER + 2 + index);
                    let head = heads.first(lit, self.list);
                    self.words[link] = *head;
                    *head = at;
                    match previous {
                        Some(word) => self.words[word] = next,
                        None => *heads.first(falsified, self.list) = next,
                    }
                    at = next;
                    continue;
                }
                if trail.is_false(other) {
                    return Err(at);
                }
                let learnt = self.list == List::Learnt;
                trail.assign(other, if learnt { Reason::Learnt(at) } else { Reason::Clause(at) });
            }
            previous = Some(link);
            at = next;
        }
        Ok(())
    }

    /// Walks over all clauses by store position.
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

    /// Forgets the clauses whose tags `keep` does not want, tells `forgotten` their numbers, and moves the others
    /// together. A clause that is the reason of a literal above level 0 is kept and told to the trail with its new
    /// place.
    pub(super) fn compact(
        &mut self,
        heads: &mut Heads<'_>,
        trail: &mut Trail<'_>,
        keep: impl Fn(u16) -> bool,
        mut forgotten: impl FnMut(u32),
    ) {
        let mut walk = self.begin_moving(heads);
        while let Some(at) = walk.here() {
            let owner = self.propagated(at, trail);
            let kept = owner.is_some() || keep(self.tag(at));
            if !kept {
                forgotten(self.words[at as usize + HEADER - 1]);
            }
            let to = self.move_or_forget(heads, &mut walk, kept);
            if let Some(lit) = owner {
                trail.move_learnt_reason(lit.var(), to);
            }
        }
    }

    /// Forgets the clauses that hold whatever happens above level 0, where the trail must be.
    pub(super) fn sweep(&mut self, heads: &mut Heads<'_>, trail: &Trail<'_>) {
        let mut walk = self.begin_moving(heads);
        while let Some(at) = walk.here() {
            let kept = !self.lits(at).any(|lit| trail.is_true(lit));
            self.move_or_forget(heads, &mut walk, kept);
        }
    }

    fn begin_moving(&mut self, heads: &mut Heads<'_>) -> Walk {
        heads.clear(self.list);
        let end = self.used;
        self.used = 0;
        Walk { from: 0, end }
    }

    /// Moves the clause where the walk stands behind those kept before it, and returns its new place.
    fn move_or_forget(&mut self, heads: &mut Heads<'_>, walk: &mut Walk, kept: bool) -> u32 {
        let (to, size) = (self.used, Clauses::size(self.len(walk.from as u32)));
        if kept {
            self.words.copy_within(walk.from..walk.from + size, to);
            self.attach(heads, to as u32);
            self.used += size;
        }
        walk.from += size;
        to as u32
    }

    /// The literal above level 0 whose reason this clause is, if any; it is one of the two watched.
    fn propagated(&self, at: u32, trail: &Trail<'_>) -> Option<Lit> {
        let mut watched = (0..2).map(|index| self.lit(at, index));
        watched.find(|&lit| {
            let var = lit.var();
            trail.is_true(lit) && trail.level_of(var) > 0 && trail.reason_of(var) == Reason::Learnt(at)
        })
    }

    /// Whether a clause is in the lists of its first two literals.
    #[cfg(feature = "check")]
    pub(super) fn is_watched(&self, heads: &Heads<'_>, at: u32) -> bool {
        (0..2).all(|watch| {
            let lit = self.lit(at, watch);
            let mut here = heads.of(lit)[self.list as usize];
            while here != END && here != at {
                here = self.words[here as usize + 1 + usize::from(self.lit(here, 0) != lit)];
            }
            here == at
        })
    }
}

/// Where clauses are taken from while they are moved together.
struct Walk {
    from: usize,
    end: usize,
}

impl Walk {
    fn here(&self) -> Option<u32> {
        (self.from < self.end).then_some(self.from as u32)
    }
}
