//! Recording: an encoding is counted and recorded in one pass, then replayed into a solver of the right size, so that a
//! board is encoded once. Where there is no room for all of it, a second pass records and replays it in parts: one sink for
//! every pass keeps the program small, which has the whole encoding for each kind of sink.

use super::constraint_sink::{ConstraintSink, CountingSink, SolverSink};
use super::encode::{HITS, encode};
use super::model::{AttackModel, full};
use crate::cdcl::{Capacity, Lit, MAX_VARS, Resource, Solver};

/// Kind of a record: the lowest bits of its first word, with a length above them.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
enum Kind {
    /// New variables; the length is their number.
    Vars,
    /// A clause, its literals in pairs; the length is their number.
    Clause,
    /// An at-most-one constraint, its literals in pairs; the length is their number.
    AtMostOne,
    /// A linear constraint: the degree, then the terms; the length is their number.
    AtLeast,
    /// An order constraint; the length is 1 if it is strict, else 0.
    Order,
}

/// Bits of a record's first word that hold its kind.
const KIND_BITS: u32 = 3;

/// Most literals or terms of a record; encodings make none that is longer.
const RECORD_CAP: usize = HITS;

/// Most words of a record: those of a linear constraint, its degree and two for a term.
const RECORD_WORDS: usize = 2 + 2 * RECORD_CAP;

/// Sink that records an encoding in lent memory, as far as there is room, and counts the memory a solver will need.
pub(super) struct Recording<'m, 's> {
    pub(super) count: CountingSink,
    words: &'m mut [u32],
    len: usize,
    /// Whether a record was left out for want of room.
    incomplete: bool,
    /// Place of the last record, if it is one of new variables.
    vars_at: Option<usize>,
    /// Solver that takes what is recorded where there is no more room, and the first of its errors.
    taker: Option<(&'m mut Solver<'s>, Result<(), Capacity>)>,
}

impl<'m, 's> Recording<'m, 's> {
    pub(super) fn new(words: &'m mut [u32]) -> Recording<'m, 's> {
        Recording { count: CountingSink::new(), words, len: 0, incomplete: false, vars_at: None, taker: None }
    }

    /// Words recorded, if the recording is complete.
    pub(super) fn len(&self) -> Option<usize> {
        (!self.incomplete).then_some(self.len)
    }

    /// Appends a record.
    fn record(&mut self, kind: Kind, len: usize, words: impl Iterator<Item = u32>) {
        self.vars_at = None;
        self.incomplete |= len > RECORD_CAP && kind != Kind::Vars;
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
            None => self.write_beyond(word),
        }
    }

    /// Writes a word of a record for which there is no room after all records before it, if a solver takes these.
    #[cold]
    #[inline(never)]
    fn write_beyond(&mut self, word: u32) {
        let Some((solver, answer)) = &mut self.taker else {
            self.incomplete = true;
            return;
        };
        let mut whole = 0;
        while let Some(next) = self.words.get(whole).map(|&head| whole + record_len(head))
            && next <= self.len
        {
            whole = next;
        }
        if let Some(before) = self.words.get(..whole)
            && answer.is_ok()
        {
            *answer = replay(before, &mut SolverSink { solver });
        }
        let mut len = 0;
        while let Some(&begun) = self.words.get(whole + len)
            && let Some(slot) = self.words.get_mut(len)
        {
            *slot = begun;
            len += 1;
        }
        self.len = len;
        self.vars_at = None;
        match self.words.get_mut(len) {
            Some(slot) => {
                *slot = word;
                self.len += 1;
            }
            None => self.incomplete = true,
        }
    }
}

/// Words of the record with this first word.
const fn record_len(head: u32) -> usize {
    let len = (head >> KIND_BITS) as usize;
    let kind = head & ((1 << KIND_BITS) - 1);
    if kind == Kind::Vars as u32 {
        1
    } else if kind == Kind::Order as u32 {
        2
    } else if kind == Kind::AtLeast as u32 {
        2 + 2 * len
    } else {
        1 + len.div_ceil(2)
    }
}

/// Encodes a model into a solver in parts, for which there is room on the stack.
// Apart, so that the stack of the caller does not hold what is hardly ever needed.
#[cold]
#[inline(never)]
pub(super) fn encode_in_parts(model: &AttackModel<'_>, solver: &mut Solver<'_>) -> Result<(), Capacity> {
    encode_by_way_of(&mut [0; RECORD_WORDS], model, solver)
}

/// Encodes a model into a solver by way of so many words, which must hold the longest record.
fn encode_by_way_of(
    words: &mut [u32],
    model: &AttackModel<'_>,
    solver: &mut Solver<'_>,
) -> Result<(), Capacity> {
    let mut recording = Recording { taker: Some((solver, Ok(()))), ..Recording::new(words) };
    encode(model, &mut recording)?;
    let Recording { words, incomplete, len, taker, .. } = recording;
    if incomplete {
        return Err(full(Resource::Pairs, RECORD_CAP));
    }
    let Some((solver, answer)) = taker else { return Ok(()) };
    answer?;
    replay(words.get(..len).unwrap_or(&[]), &mut SolverSink { solver })
}

fn word_of(lit: Lit) -> u32 {
    lit.index() as u32
}

// Half a word holds any literal.
const _: () = assert!(2 * MAX_VARS <= 1 << 16);

/// Literals two to a word, the first in its lower half.
fn pairs(lits: &[Lit]) -> impl Iterator<Item = u32> {
    let mut lits = lits.iter().copied().map(word_of);
    core::iter::from_fn(move || {
        let first = lits.next()?;
        Some(first | lits.next().unwrap_or(0) << 16)
    })
}

impl ConstraintSink for Recording<'_, '_> {
    fn new_var(&mut self) -> Result<Lit, Capacity> {
        if let Some(line) = self.vars_at.and_then(|at| self.words.get_mut(at)) {
            *line += 1 << KIND_BITS;
        } else {
            self.record(Kind::Vars, 1, core::iter::empty());
            self.vars_at = self.len.checked_sub(1);
        }
        self.count.new_var()
    }

    fn new_vars(&mut self, count: usize) -> Result<(), Capacity> {
        self.record(Kind::Vars, count, core::iter::empty());
        self.vars_at = None;
        self.count.new_vars(count)
    }

    fn new_clocks(&mut self, count: usize) -> Result<(), Capacity> {
        self.count.new_clocks(count)
    }

    fn clause(&mut self, lits: &[Lit]) -> Result<(), Capacity> {
        self.record(Kind::Clause, lits.len(), pairs(lits));
        self.count.clause(lits)
    }

    fn at_most_one(&mut self, lits: &[Lit]) -> Result<(), Capacity> {
        self.record(Kind::AtMostOne, lits.len(), pairs(lits));
        self.count.at_most_one(lits)
    }

    fn at_least(&mut self, terms: &[(i32, Lit)], degree: i32) -> Result<(), Capacity> {
        let words = terms.iter().flat_map(|&(coefficient, lit)| [coefficient as u32, word_of(lit)]);
        self.record(Kind::AtLeast, terms.len(), core::iter::once(degree as u32).chain(words));
        self.count.at_least(terms, degree)
    }

    fn order(&mut self, guard: Lit, earlier: u8, later: u8, strict: bool) -> Result<(), Capacity> {
        let word = word_of(guard) | u32::from(earlier) << 16 | u32::from(later) << 24;
        self.record(Kind::Order, usize::from(strict), core::iter::once(word));
        self.count.order(guard, earlier, later, strict)
    }
}

/// Replays a recording into a sink, which takes it as it would have taken the encoding itself. Clocks are left out.
pub(super) fn replay(words: &[u32], sink: &mut impl ConstraintSink) -> Result<(), Capacity> {
    let mut lits = [NO_LIT; RECORD_CAP];
    let mut terms = [(0, NO_LIT); RECORD_CAP];
    let mut rest = words.iter().copied();
    while let Some(head) = rest.next() {
        let len = ((head >> KIND_BITS) as usize).min(RECORD_CAP);
        let is = |kind: Kind| head & ((1 << KIND_BITS) - 1) == kind as u32;
        if is(Kind::Vars) {
            sink.new_vars((head >> KIND_BITS) as usize)?;
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
            let mut word = 0;
            for (index, lit) in lits.iter_mut().take(len).enumerate() {
                word = if index % 2 == 0 { rest.next().unwrap_or(0) } else { word >> 16 };
                *lit = lit_of(word & 0xffff);
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
    use barrow_testing::BENCH_POSITIONS;
    use std::vec::Vec;

    use super::super::lists::OrdinaryRoom;
    use super::super::model::OverkillPolicy;
    use super::super::plan::{AttackSolver, Goal, limits_for, memory_for};
    use super::*;
    use crate::cdcl::Limits;

    #[derive(Clone, PartialEq, Debug)]
    enum Line {
        Var,
        Clause(Vec<Lit>),
        AtMostOne(Vec<Lit>),
        AtLeast(Vec<(i32, Lit)>, i32),
        Order(Lit, u8, u8, bool),
    }

    /// A sink that lists everything but clocks.
    struct List {
        lines: Vec<Line>,
        count: CountingSink,
    }

    impl ConstraintSink for List {
        fn new_var(&mut self) -> Result<Lit, Capacity> {
            self.lines.push(Line::Var);
            self.count.new_var()
        }

        fn new_clocks(&mut self, count: usize) -> Result<(), Capacity> {
            self.count.new_clocks(count)
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
        List { lines: Vec::new(), count: CountingSink::new() }
    }

    #[test]
    fn a_replay_is_the_encoding() {
        let config = GameConfig::default().with_ruleset(Ruleset::Spooky);
        let mut words = std::vec![0; 1 << 16];
        let mut room = OrdinaryRoom::new();
        let mut longest = 0;
        for line in BENCH_POSITIONS.lines() {
            let game = fen::parse(line, &config).unwrap();
            for board in 0..2 {
                let model = AttackModel::new(&game.view(board).unwrap(), &mut room)
                    .unwrap()
                    .with_overkill_policy(OverkillPolicy::AllHitsLand);
                let mut direct = list();
                encode(&model, &mut direct).unwrap();
                let mut recording = Recording::new(&mut words);
                encode(&model, &mut recording).unwrap();
                assert_eq!(recording.count.limits, direct.count.limits);
                let len = recording.len().unwrap();
                let mut played = list();
                replay(&words[..len], &mut played).unwrap();
                assert_eq!(played.lines, direct.lines);
                longest = longest.max(len);
                // With one word less the recording is incomplete.
                if len > 0 {
                    let mut short = Recording::new(&mut words[..len - 1]);
                    encode(&model, &mut short).unwrap();
                    assert_eq!(short.len(), None);
                    assert_eq!(short.count.limits, direct.count.limits);
                }
            }
        }
        assert!(longest > 1_000, "{longest}");
    }

    /// Calls with the model of each board of the positions of `bench`.
    fn for_each_model(mut visit: impl FnMut(&AttackModel<'_>)) {
        let config = GameConfig::default().with_ruleset(Ruleset::Spooky);
        let mut room = OrdinaryRoom::new();
        for line in BENCH_POSITIONS.lines() {
            let game = fen::parse(line, &config).unwrap();
            for board in 0..2 {
                visit(&AttackModel::new(&game.view(board).unwrap(), &mut room).unwrap());
            }
        }
    }

    #[test]
    fn what_is_encoded_in_parts_is_the_encoding() {
        let mut parts = 0;
        for_each_model(|model| {
            let limits = limits_for(model).unwrap();
            let goals: Vec<Goal> = model.targets().map(Goal::Remove).collect();
            let mut memory = std::vec![0; limits.words()];
            let mut plan = |encode: &mut dyn FnMut(&mut Solver<'_>)| {
                let mut solver = Solver::new(&mut memory, &limits).unwrap();
                encode(&mut solver);
                let mut solver = AttackSolver { model, solver, words: 0 };
                let plan = solver.plan(&goals, u64::MAX);
                (plan, solver.statistics(), solver.used_words())
            };
            let direct = plan(&mut |solver| encode(model, &mut SolverSink { solver }).unwrap());
            let mut words = std::vec![0; 1 << 16];
            let mut recording = Recording::new(&mut words);
            encode(model, &mut recording).unwrap();
            let len = recording.len().unwrap();
            let (mut at, mut longest) = (0, 0);
            while at < len {
                longest = longest.max(record_len(words[at]));
                at += record_len(words[at]);
            }
            assert_eq!(at, len);
            for room in [longest, longest + 1, 2 * longest, RECORD_WORDS] {
                let by_parts = plan(&mut |solver| {
                    encode_by_way_of(&mut std::vec![0; room], model, solver).unwrap();
                });
                assert_eq!(by_parts, direct, "{room}");
            }
            if longest > 0 {
                let mut solver = Solver::new(&mut memory, &limits).unwrap();
                let answer = encode_by_way_of(&mut words[..longest - 1], model, &mut solver);
                assert_eq!(answer, Err(full(Resource::Pairs, RECORD_CAP)));
            }
            parts += len.checked_div(longest).unwrap_or(0);
        });
        assert!(parts > 100, "{parts}");
    }

    #[test]
    fn memory_without_room_for_a_recording_is_enough() {
        for_each_model(|model| {
            let goals: Vec<Goal> = model.targets().map(Goal::Remove).collect();
            let least = memory_for(model).unwrap();
            let mut memory = std::vec![0; 1 << 17];
            let mut answer = |words: usize| {
                let mut solver = AttackSolver::prepare(model, &mut memory[..words])?;
                let plan = solver.plan(&goals, u64::MAX)?;
                Ok((plan, solver.statistics(), solver.used_words()))
            };
            assert_eq!(answer(least), answer(1 << 17));
            let short = Capacity { what: Resource::Memory, needed: least, available: least - 1 };
            assert_eq!(answer(least - 1), Err(short));
        });
    }

    #[test]
    fn parts_end_with_the_first_constraint_that_a_solver_has_no_room_for() {
        let mut refused = 0;
        for_each_model(|model| {
            let mut count = CountingSink::new();
            encode(model, &mut count).unwrap();
            let ample = count.limits;
            let mut memory = std::vec![0; ample.words()];
            for limits in [ample, Limits { edges: ample.edges / 2, ..ample }, Limits { store: 0, ..ample }] {
                let mut solver = Solver::new(&mut memory, &limits).unwrap();
                let direct = encode(model, &mut SolverSink { solver: &mut solver });
                let mut solver = Solver::new(&mut memory, &limits).unwrap();
                assert_eq!(encode_in_parts(model, &mut solver), direct);
                refused += u32::from(direct.is_err());
            }
        });
        assert!(refused > 20, "{refused}");
    }

    #[test]
    fn records_have_a_longest_length() {
        for (len, fits) in [(RECORD_CAP - 1, true), (RECORD_CAP, true), (RECORD_CAP + 1, false)] {
            let mut words = std::vec![0; 1 << 12];
            let mut recording = Recording::new(&mut words);
            recording.new_vars(2 * RECORD_CAP).unwrap();
            assert_eq!(recording.len(), Some(1));
            let lits: Vec<Lit> = (0..len as u32).map(|index| Lit::wrapped(2 * index)).collect();
            recording.clause(&lits).unwrap();
            assert_eq!(recording.len().is_some(), fits, "{len}");
            // What is incomplete stays so.
            recording.clause(&lits[..2]).unwrap();
            assert_eq!(recording.len().is_some(), fits, "{len}");
        }
    }
}
