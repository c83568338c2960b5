//! An encoding on paper: counted and written down at once, so that a board need not be looked at twice.

use super::constraint_sink::{Count, Sink};
use crate::cdcl::{Capacity, Lit};

/// What a line says: the lowest bits of its first word, with a length above them.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
enum Kind {
    /// So many new variables.
    Vars,
    /// A clause of so many literals.
    Clause,
    /// At most one of so many literals.
    AtMostOne,
    /// A sum of so many terms, after its degree.
    AtLeast,
    /// An order between two clocks; the length says whether it is strict.
    Order,
}

const KIND_BITS: u32 = 3;

/// Longest line that is read back; encodings make none that is longer.
const LONGEST: usize = 512;

/// Writes an encoding into lent memory, as far as there is room, and counts what it will need.
pub(super) struct Script<'m> {
    pub(super) count: Count,
    words: &'m mut [u32],
    len: usize,
    /// Something was left out.
    torn: bool,
    /// Where the variables made last were written.
    vars_at: Option<usize>,
}

impl<'m> Script<'m> {
    pub(super) fn new(words: &'m mut [u32]) -> Script<'m> {
        Script { count: Count::new(), words, len: 0, torn: false, vars_at: None }
    }

    /// Words written, if all is there.
    pub(super) fn len(&self) -> Option<usize> {
        (!self.torn).then_some(self.len)
    }

    fn line(&mut self, kind: Kind, len: usize, words: impl Iterator<Item = u32>) {
        self.vars_at = None;
        self.torn |= len > LONGEST;
        self.write(kind as u32 | (len as u32) << KIND_BITS);
        words.for_each(|word| self.write(word));
    }

    #[inline]
    fn write(&mut self, word: u32) {
        match self.words.get_mut(self.len) {
            Some(slot) => {
                *slot = word;
                self.len += 1;
            }
            None => self.torn = true,
        }
    }
}

fn word_of(lit: Lit) -> u32 {
    lit.index() as u32
}

impl Sink for Script<'_> {
    fn new_var(&mut self) -> Result<Lit, Capacity> {
        if let Some(line) = self.vars_at.and_then(|at| self.words.get_mut(at)) {
            *line += 1 << KIND_BITS;
        } else {
            let at = self.len;
            self.line(Kind::Vars, 1, core::iter::empty());
            self.vars_at = Some(at);
        }
        self.count.new_var()
    }

    fn new_clock(&mut self) -> Result<u8, Capacity> {
        self.count.new_clock()
    }

    fn clause(&mut self, lits: &[Lit]) -> Result<(), Capacity> {
        self.line(Kind::Clause, lits.len(), lits.iter().copied().map(word_of));
        self.count.clause(lits)
    }

    fn at_most_one(&mut self, lits: &[Lit]) -> Result<(), Capacity> {
        self.line(Kind::AtMostOne, lits.len(), lits.iter().copied().map(word_of));
        self.count.at_most_one(lits)
    }

    fn at_least(&mut self, terms: &[(i32, Lit)], degree: i32) -> Result<(), Capacity> {
        let words = terms.iter().flat_map(|&(coefficient, lit)| [coefficient as u32, word_of(lit)]);
        self.line(Kind::AtLeast, terms.len(), core::iter::once(degree as u32).chain(words));
        self.count.at_least(terms, degree)
    }

    fn order(&mut self, guard: Lit, earlier: u8, later: u8, strict: bool) -> Result<(), Capacity> {
        let word = word_of(guard) | u32::from(earlier) << 16 | u32::from(later) << 24;
        self.line(Kind::Order, usize::from(strict), core::iter::once(word));
        self.count.order(guard, earlier, later, strict)
    }
}

/// Plays what was written for a sink, which takes it as it would have taken the encoding itself. Clocks are left out.
pub(super) fn play(words: &[u32], sink: &mut impl Sink) -> Result<(), Capacity> {
    let mut lits = [NO_LIT; LONGEST];
    let mut terms = [(0, NO_LIT); LONGEST];
    let mut rest = words.iter().copied();
    while let Some(head) = rest.next() {
        let len = ((head >> KIND_BITS) as usize).min(LONGEST);
        let is = |kind: Kind| head & ((1 << KIND_BITS) - 1) == kind as u32;
        if is(Kind::Vars) {
            for _ in 0..head >> KIND_BITS {
                sink.new_var()?;
            }
        } else if is(Kind::Order) {
            let word = rest.next().unwrap_or(0);
            sink.order(lit_of(word & 0xffff), (word >> 16) as u8, (word >> 24) as u8, len > 0)?;
        } else if is(Kind::AtLeast) {
            let degree = rest.next().unwrap_or(0) as i32;
            for term in terms.iter_mut().take(len) {
                *term = (rest.next().unwrap_or(0) as i32, lit_of(rest.next().unwrap_or(0)));
            }
            sink.at_least(terms.get(..len).unwrap_or(&[]), degree)?;
        } else {
            for (lit, word) in lits.iter_mut().zip(rest.by_ref().take(len)) {
                *lit = lit_of(word);
            }
            let lits = lits.get(..len).unwrap_or(&[]);
            if is(Kind::Clause) { sink.clause(lits)? } else { sink.at_most_one(lits)? }
        }
    }
    Ok(())
}

const NO_LIT: Lit = Lit::wrapped(0);

const fn lit_of(word: u32) -> Lit {
    Lit::wrapped(word)
}

#[cfg(test)]
mod tests {
    extern crate std;
    use barrow_core::minions::text::fen;
    use barrow_core::minions::{GameConfig, Ruleset};
    use std::vec::Vec;

    use super::super::encode::encode;
    use super::super::model::{Economy, Survey};
    use super::*;

    const MIDGAME: &str = barrow_testing::BENCH_POSITIONS;

    #[derive(Clone, PartialEq, Debug)]
    enum Line {
        Var,
        Clause(Vec<Lit>),
        AtMostOne(Vec<Lit>),
        AtLeast(Vec<(i32, Lit)>, i32),
        Order(Lit, u8, u8, bool),
    }

    /// A sink that remembers everything but clocks.
    struct List {
        lines: Vec<Line>,
        count: Count,
    }

    impl Sink for List {
        fn new_var(&mut self) -> Result<Lit, Capacity> {
            self.lines.push(Line::Var);
            self.count.new_var()
        }

        fn new_clock(&mut self) -> Result<u8, Capacity> {
            self.count.new_clock()
        }

        fn clause(&mut self, lits: &[Lit]) -> Result<(), Capacity> {
            self.lines.push(Line::Clause(lits.to_vec()));
            self.count.clause(lits)
        }

        fn at_most_one(&mut self, lits: &[Lit]) -> Result<(), Capacity> {
            self.lines.push(Line::AtMostOne(lits.to_vec()));
            self.count.at_most_one(lits)
        }

        fn at_least(&mut self, terms: &[(i32, Lit)], degree: i32) -> Result<(), Capacity> {
            self.lines.push(Line::AtLeast(terms.to_vec(), degree));
            self.count.at_least(terms, degree)
        }

        fn order(&mut self, guard: Lit, earlier: u8, later: u8, strict: bool) -> Result<(), Capacity> {
            self.lines.push(Line::Order(guard, earlier, later, strict));
            self.count.order(guard, earlier, later, strict)
        }
    }

    fn list() -> List {
        List { lines: Vec::new(), count: Count::new() }
    }

    #[test]
    fn what_is_written_down_is_what_is_encoded() {
        let config = GameConfig::default().with_ruleset(Ruleset::Spooky);
        let mut words = std::vec![0; 1 << 16];
        let mut longest = 0;
        for line in MIDGAME.lines() {
            let game = fen::parse(line, &config).unwrap();
            for board in 0..2 {
                let survey = Survey::new(&game.view(board).unwrap()).unwrap().with_economy(Economy::Landing);
                let mut direct = list();
                encode(&survey, &mut direct).unwrap();
                let mut script = Script::new(&mut words);
                encode(&survey, &mut script).unwrap();
                assert_eq!(script.count.limits, direct.count.limits);
                let len = script.len().unwrap();
                let mut played = list();
                play(&words[..len], &mut played).unwrap();
                assert_eq!(played.lines, direct.lines);
                longest = longest.max(len);
                // One word less, and it says so.
                if len > 0 {
                    let mut short = Script::new(&mut words[..len - 1]);
                    encode(&survey, &mut short).unwrap();
                    assert_eq!(short.len(), None);
                    assert_eq!(short.count.limits, direct.count.limits);
                }
            }
        }
        assert!(longest > 1_000, "{longest}");
    }
}
