//! Two watched literals for each clause (Moskewicz et al., "Chaff: engineering an efficient SAT solver", 2001).
//!
//! The watch lists are threaded through the clauses themselves: a clause has a link for each of its two watched
//! literals, which are its first two, so that a list needs no memory of its own and the other watch, which serves as
//! blocker, is at hand.

use super::clauses::{Clauses, HEADER};
use super::lit::Lit;
use super::occurrences::{END, List, Occurrences};
use super::trail::{Reason, Trail};

impl Clauses<'_> {
    /// The two watched literals of a clause.
    pub(super) fn watched(&self, at: u32) -> [Lit; 2] {
        [self.lit(at, 0), self.lit(at, 1)]
    }

    /// Puts a clause into the watch lists of its first two literals.
    pub(super) fn watch(&mut self, occurrences: &mut Occurrences<'_>, at: u32) {
        for watch in 0..2 {
            let lit = self.lit(at, watch);
            let first = occurrences.first(lit, self.list);
            self.words[at as usize + 1 + watch] = *first;
            *first = at;
        }
    }

    /// Propagates the clauses that watch a literal which has become false. On conflict returns the violated clause.
    pub(super) fn propagate(
        &mut self,
        occurrences: &mut Occurrences<'_>,
        falsified: Lit,
        trail: &mut Trail<'_>,
    ) -> Result<(), u32> {
        // `previous` is the word that links to the present clause; without one the list begins with this clause.
        let mut previous: Option<usize> = None;
        let mut at = occurrences.of(falsified)[self.list as usize];
        while at != END {
            let start = at as usize;
            let watched = self.watched(at);
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
                    let first = occurrences.first(lit, self.list);
                    self.words[link] = *first;
                    *first = at;
                    match previous {
                        Some(word) => self.words[word] = next,
                        None => *occurrences.first(falsified, self.list) = next,
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

    /// Whether a clause is in the watch lists of its first two literals.
    #[cfg(feature = "check")]
    pub(super) fn is_watched(&self, occurrences: &Occurrences<'_>, at: u32) -> bool {
        self.watched(at).into_iter().all(|lit| {
            let mut here = occurrences.of(lit)[self.list as usize];
            while here != END && here != at {
                here = self.words[here as usize + 1 + usize::from(self.lit(here, 0) != lit)];
            }
            here == at
        })
    }
}
