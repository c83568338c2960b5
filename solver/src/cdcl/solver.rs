//! The solver: variables, search, assumptions, cores.
//!
//! Incremental in the sense of Eén & Sörensson (2003): constraints may be added at any time, every call of
//! [`Solver::solve`] may assume other literals, what was learnt is kept, and the part of the trail that belongs to
//! a common beginning of two lists of assumptions is not propagated again.

use super::analyze::Analysis;
use super::binary::Pairs;
use super::limits::{Capacity, Carver, Limits, MAX_CLOCKS, Resource};
use super::lit::{Lit, MAX_VARS, Value, Var};
use super::proof::Log;
use super::propagator::{Conflict, Engine};
use super::trail::Reason;
use super::vmtf::Queue;
use super::{clauses::Clauses, luby};

/// Conflicts between restarts are this many times the Luby sequence.
const RESTART_UNIT: u32 = 64;

/// The answer to a question.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Answer {
    /// The assumptions can be met; [`Solver::value`] tells how.
    Sat,
    /// They cannot; [`Solver::core`] tells which of them clash. An empty core means that the constraints clash.
    Unsat,
    /// The conflict budget ran out first.
    Unknown,
}

/// What the solver has done so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// Conflicts met.
    pub conflicts: u64,
    /// Decisions made, assumptions apart.
    pub decisions: u64,
    /// Restarts.
    pub restarts: u64,
    /// Times that learnt clauses were forgotten.
    pub reductions: u64,
}

/// A solver in memory that the caller lends.
///
/// ```
/// use barrow_solver::cdcl::{Answer, Limits, Solver};
/// let limits = Limits { vars: 3, clocks: 0, edges: 0, clauses: 64, lists: 64, learnt: 64 };
/// let mut memory = vec![0; limits.words()];
/// let mut solver = Solver::new(&mut memory, &limits).unwrap();
/// let [a, b, c] = [(); 3].map(|()| solver.new_var().unwrap().positive());
/// solver.add_clause(&[a, b, c]).unwrap();
/// solver.add_at_most_one(&[a, b]).unwrap();
/// assert_eq!(solver.solve(&[!c, !a]), Ok(Answer::Sat));
/// assert!(solver.holds(b));
/// assert_eq!(solver.solve(&[a, !c, b]), Ok(Answer::Unsat));
/// assert!(solver.core().any(|lit| lit == b) && !solver.core().any(|lit| lit == !c));
/// ```
pub struct Solver<'m> {
    pub(super) engine: Engine<'m>,
    queue: Queue<'m>,
    analysis: Analysis<'m>,
    phases: &'m mut [u8],
    assumed: &'m mut [u16],
    num_assumed: usize,
    wished: &'m mut [u16],
    num_wished: usize,
    /// Wishes before this one have been decided since the last step back.
    next_wish: usize,
    core: &'m mut [u16],
    core_len: usize,
    pub(super) scratch: &'m mut [u16],
    /// Coefficients by variable while a sum is added.
    pub(super) weights: &'m mut [u32],
    /// By variable, all zero between calls.
    pub(super) marks: &'m mut [u8],
    vars: usize,
    max_vars: usize,
    pub(super) refuted: bool,
    statistics: Statistics,
    pub(super) log: Log<'m>,
}

impl<'m> Solver<'m> {
    /// A solver without variables. The slice must have at least [`Limits::words`] words; its content does not
    /// matter.
    pub fn new(memory: &'m mut [u32], limits: &Limits) -> Result<Solver<'m>, Capacity> {
        let check = |what, needed: usize, available: usize| {
            if needed > available { Err(Capacity { what, needed, available }) } else { Ok(()) }
        };
        check(Resource::Memory, limits.words(), memory.len())?;
        check(Resource::Vars, limits.vars, MAX_VARS)?;
        check(Resource::Clocks, limits.clocks, MAX_CLOCKS)?;
        check(Resource::Edges, limits.edges, usize::from(u16::MAX) - 1)?;
        let carver = &mut Carver::new(memory);
        let n = limits.vars;
        Ok(Solver {
            engine: Engine::new(carver, limits),
            queue: Queue::new(carver, n),
            analysis: Analysis::new(carver, n),
            phases: carver.zero_bytes(n),
            assumed: carver.halves(n),
            num_assumed: 0,
            wished: carver.halves(n),
            num_wished: 0,
            next_wish: 0,
            core: carver.halves(n + 1),
            core_len: 0,
            scratch: carver.halves(n),
            weights: carver.words(n),
            marks: carver.zero_bytes(n),
            vars: 0,
            max_vars: n,
            refuted: false,
            statistics: Statistics::default(),
            log: Log::new(),
        })
    }

    /// A new variable, false unless something makes it true.
    pub fn new_var(&mut self) -> Result<Var, Capacity> {
        let full = Capacity { what: Resource::Vars, needed: self.vars + 1, available: self.max_vars };
        let var = Var::new(self.vars).filter(|_| self.vars < self.max_vars).ok_or(full)?;
        self.vars += 1;
        self.queue.push(var);
        Ok(var)
    }

    /// Variables made so far.
    pub const fn num_vars(&self) -> usize {
        self.vars
    }

    /// What the solver has done so far.
    pub const fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// Words of the stores in use: clauses, lists, learnt clauses.
    pub fn used_words(&self) -> [usize; 3] {
        let engine = &self.engine;
        [
            engine.clauses.capacity() - engine.clauses.room(),
            engine.lists.capacity() - engine.lists.room(),
            engine.learnt.capacity() - engine.learnt.room(),
        ]
    }

    /// Value of a literal on the trail: after [`Answer::Sat`] every literal has one.
    pub fn value(&self, lit: Lit) -> Value {
        if lit.var().index() < self.vars { self.engine.trail.value(lit) } else { Value::Unassigned }
    }

    /// Whether a literal is true on the trail.
    pub fn holds(&self, lit: Lit) -> bool {
        self.value(lit) == Value::True
    }

    /// Times that satisfy the order constraints after [`Answer::Sat`], one per clock, counted from 0.
    pub fn times(&self, times: &mut [u8]) {
        if times.len() >= self.engine.order.clocks() {
            self.engine.order.times(times);
        }
    }

    /// The assumptions that clash after [`Answer::Unsat`]; not always a smallest set.
    pub fn core(&self) -> impl Iterator<Item = Lit> + '_ {
        self.core.iter().take(self.core_len).map(|&word| Lit::wrapped(u32::from(word)))
    }

    /// Whether the assumptions can be met together with all constraints.
    pub fn solve(&mut self, assumptions: &[Lit]) -> Result<Answer, Capacity> {
        self.solve_within(assumptions, u64::MAX)
    }

    /// The same, giving up after a number of conflicts.
    pub fn solve_within(&mut self, assumptions: &[Lit], budget: u64) -> Result<Answer, Capacity> {
        self.solve_wishing(assumptions, &[], budget)
    }

    /// The same with wishes, dearest first: of all models the lexicographically best, in which a wish is denied
    /// only if the wishes granted before it exclude it (seed 000, "iterate through the sorted list"). After
    /// [`Answer::Sat`] the wishes that hold are those granted.
    ///
    /// One search finds it: wishes are decided in order before anything else, and one that is false when its turn
    /// comes is implied to be so by those before it. Should these clash after all, learning denies the last of
    /// them that matters, and the later ones get their turn again.
    pub fn solve_wishing(
        &mut self,
        assumptions: &[Lit],
        wishes: &[Lit],
        budget: u64,
    ) -> Result<Answer, Capacity> {
        self.core_len = 0;
        for lits in [assumptions, wishes] {
            self.check_lits(lits.iter().copied())?;
            let (needed, available) = (lits.len(), self.max_vars);
            if needed > available {
                return Err(Capacity { what: Resource::Vars, needed, available });
            }
        }
        if self.refuted {
            return Ok(Answer::Unsat);
        }
        self.reuse_trail(assumptions);
        for (slot, lit) in self.wished.iter_mut().zip(wishes) {
            *slot = lit.index() as u16;
        }
        self.num_wished = wishes.len();
        let end = self.statistics.conflicts.saturating_add(budget);
        let mut restart = Restart::default();
        loop {
            let propagated = self.engine.propagate();
            if self.engine.trail.level() == 0 {
                self.log.facts(&self.engine);
            }
            #[cfg(feature = "check")]
            if propagated.is_ok() {
                self.engine.check();
            }
            if let Err(conflict) = propagated {
                self.statistics.conflicts += 1;
                if self.engine.trail.level() == 0 {
                    self.refute_by(conflict);
                    return Ok(Answer::Unsat);
                }
                self.learn(conflict);
                if self.statistics.conflicts >= end {
                    return Ok(Answer::Unknown);
                }
                restart.left = restart.left.saturating_sub(1);
                continue;
            }
            if restart.left == 0 {
                restart.next();
                if self.engine.trail.level() > self.num_assumed {
                    self.statistics.restarts += 1;
                    self.backtrack(self.num_assumed);
                }
            }
            match self.decide() {
                Decision::Made => {}
                Decision::Failed(lit) => {
                    self.find_core(lit);
                    return Ok(Answer::Unsat);
                }
                Decision::Complete => return Ok(Answer::Sat),
            }
        }
    }

    /// Keeps the levels of the assumptions that the last call began with as well.
    fn reuse_trail(&mut self, assumptions: &[Lit]) {
        let old = self.assumed.iter().take(self.num_assumed);
        let same = old.zip(assumptions).take_while(|&(&word, lit)| usize::from(word) == lit.index()).count();
        self.backtrack(same);
        for (slot, lit) in self.assumed.iter_mut().zip(assumptions) {
            *slot = lit.index() as u16;
        }
        self.num_assumed = assumptions.len();
    }

    pub(super) fn backtrack(&mut self, level: usize) {
        self.next_wish = 0;
        let (queue, phases) = (&mut self.queue, &mut self.phases);
        self.engine.backtrack(level, |lit| {
            phases[lit.var().index()] = u8::from(lit.is_positive());
            queue.insert(lit.var());
        });
    }

    fn decide(&mut self) -> Decision {
        let level = self.engine.trail.level();
        if level < self.num_assumed {
            let lit = Lit::wrapped(u32::from(self.assumed[level]));
            if self.engine.trail.is_false(lit) {
                return Decision::Failed(lit);
            }
            self.engine.trail.push_level();
            if self.engine.trail.is_free(lit) {
                self.engine.trail.assign(lit, Reason::None);
            }
            return Decision::Made;
        }
        while self.next_wish < self.num_wished {
            let lit = Lit::wrapped(u32::from(self.wished[self.next_wish]));
            self.next_wish += 1;
            if self.engine.trail.is_free(lit) {
                return self.decide_for(lit);
            }
        }
        match self.queue.pop(&self.engine.trail) {
            Some(var) => self.decide_for(var.lit(self.phases[var.index()] != 0)),
            None => Decision::Complete,
        }
    }

    fn decide_for(&mut self, lit: Lit) -> Decision {
        self.statistics.decisions += 1;
        self.engine.trail.push_level();
        self.engine.trail.assign(lit, Reason::None);
        Decision::Made
    }

    fn find_core(&mut self, failed: Lit) {
        let (core, len) = (&mut self.core, &mut self.core_len);
        self.analysis.core(&self.engine, failed, &mut self.log, |lit| {
            if *len < core.len() {
                core[*len] = lit.index() as u16;
                *len += 1;
            }
        });
        self.log.core(self.core.iter().take(self.core_len).map(|&word| Lit::wrapped(u32::from(word))));
    }

    /// Notes that the constraints clash.
    pub(super) fn refute(&mut self) {
        self.refuted = true;
        self.log.refuted();
    }

    pub(super) fn refute_by(&mut self, conflict: Conflict) {
        self.log.conflict(&self.engine, conflict);
        self.refute();
    }

    /// Learns a clause from a conflict, goes back to where it asserts a literal, and asserts it.
    ///
    /// Without room the clause is not kept, but the literal is asserted all the same. So every conflict brings the
    /// search further, and it ends however small the store.
    fn learn(&mut self, conflict: Conflict) {
        let level = self.analysis.learn(&self.engine, &mut self.queue, &mut self.log, conflict);
        let number = self.log.learn(self.analysis.clause());
        let tag = self.analysis.levels(&self.engine);
        let mut len = 0;
        for (slot, lit) in self.scratch.iter_mut().zip(self.analysis.clause()) {
            *slot = lit.index() as u16;
            len += 1;
        }
        self.backtrack(level);
        let first = self.scratch_lit(0);
        let reason = match len {
            1 => Reason::None,
            2 if self.engine.lists.room() >= Pairs::PAIR_SIZE => {
                let other = self.scratch_lit(1);
                Pairs::add_pair(&mut self.engine.lists, &mut self.engine.heads, first, other);
                Reason::Binary(other)
            }
            _ if self.makes_room(Clauses::size(len)) => {
                let engine = &mut self.engine;
                let at = engine.learnt.add_words(&mut engine.heads, &self.scratch[..len], tag);
                self.engine.learnt.set_number(at, number);
                Reason::Learnt(at)
            }
            _ => {
                self.analysis.reduce_to_decisions(&self.engine, &mut self.log);
                self.log.learn(self.analysis.clause());
                self.log.forget(number);
                Reason::Decisions
            }
        };
        self.engine.trail.assign(first, reason);
    }

    pub(super) fn scratch_lit(&self, index: usize) -> Lit {
        Lit::wrapped(u32::from(self.scratch[index]))
    }

    /// Makes room for a learnt clause, if there is none, by forgetting: first the worse half, then all that are not
    /// reasons. Returns whether that was enough.
    fn makes_room(&mut self, size: usize) -> bool {
        if self.engine.learnt.room() >= size {
            return true;
        }
        self.statistics.reductions += 1;
        let (engine, mut counts) = (&mut self.engine, [0u32; 32]);
        let mut total = 0;
        for at in engine.learnt.iter() {
            counts[usize::from(engine.learnt.tag(at)).min(31)] += 1;
            total += 1;
        }
        let mut kept = 0;
        let worst = counts.iter().position(|&count| {
            kept += count;
            kept > total / 2
        });
        let worst = worst.unwrap_or(0) as u16;
        let mut forgotten = |number| self.log.forget(number);
        engine.learnt.compact(&mut engine.heads, &mut engine.trail, |tag| tag < worst, &mut forgotten);
        if engine.learnt.room() < size {
            engine.learnt.compact(&mut engine.heads, &mut engine.trail, |_| false, &mut forgotten);
        }
        engine.learnt.room() >= size
    }

    pub(super) fn check_lits(&self, lits: impl IntoIterator<Item = Lit>) -> Result<(), Capacity> {
        let needed = lits.into_iter().map(|lit| lit.var().index() + 1).max().unwrap_or(0);
        let (what, available) = (Resource::Vars, self.vars);
        if needed > available { Err(Capacity { what, needed, available }) } else { Ok(()) }
    }
}

enum Decision {
    Made,
    Failed(Lit),
    Complete,
}

#[derive(Default)]
struct Restart {
    left: u32,
    index: u32,
}

impl Restart {
    fn next(&mut self) {
        self.index += 1;
        self.left = RESTART_UNIT * luby(self.index);
    }
}
