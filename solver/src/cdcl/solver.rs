//! The solver: its memory, variables, and what can be asked of a model or a refutation.

use super::analyze::Analysis;
use super::arena::Arena;
use super::array::Array;
use super::capacity::{Capacity, Resource};
use super::cutting_planes::CuttingPlanes;
use super::limits::Limits;
use super::lit::{Lit, Value, Var};
use super::proof::Log;
use super::propagator::{Conflict, Propagator};
use super::scores::{PATIENCE, Scores};
use super::vmtf::DecisionQueue;

/// Answer of a search.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Answer {
    /// The assumptions can be met; [`Solver::value`] returns the model.
    Sat,
    /// The assumptions cannot be met; [`Solver::core`] returns those that clash. An empty core means that the
    /// constraints are unsatisfiable.
    Unsat,
    /// The budget ran out first.
    Unknown,
}

/// Counters of a solver since it was made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// Conflicts met.
    pub conflicts: u64,
    /// Literals propagated.
    pub propagations: u64,
    /// Decisions made, assumptions apart.
    pub decisions: u64,
    /// Restarts.
    pub restarts: u64,
    /// Reductions of the learnt clauses for want of room.
    pub reductions: u64,
}

/// A solver in memory that the caller lends.
///
/// ```
/// use barrow_solver::cdcl::{Answer, Limits, Solver};
/// let limits = Limits { vars: 3, clocks: 0, ticks: 0, edges: 0, clauses: 64, store: 64, learnt: 64 };
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
    pub(super) propagator: Propagator<'m>,
    pub(super) queue: DecisionQueue<'m>,
    pub(super) scores: Scores<'m>,
    pub(super) analysis: Analysis<'m>,
    pub(super) cuts: CuttingPlanes<'m>,
    /// Saved phases: the last value of each variable, 0 or 1.
    pub(super) phases: Array<'m, u8>,
    /// By variable its value in the model that [`Solver::keep_model`] kept, 0 or 1.
    pub(super) kept: Array<'m, u8>,
    pub(super) assumed: Array<'m, u16>,
    pub(super) num_assumed: usize,
    pub(super) preferred: Array<'m, u16>,
    pub(super) num_preferred: usize,
    /// Preferences before this one have been decided since the last backtracking.
    pub(super) next_preference: usize,
    pub(super) core: Array<'m, u16>,
    pub(super) core_len: usize,
    /// Literals of a constraint that is being added or learnt.
    pub(super) scratch: Array<'m, u16>,
    /// Coefficients by variable while a linear constraint is added.
    pub(super) weights: Array<'m, u32>,
    /// Marks by variable while a constraint is added, all zero between calls.
    pub(super) marks: Array<'m, u8>,
    vars: usize,
    pub(super) max_vars: usize,
    /// Conflicts since the solver was made after which scores choose decisions.
    pub(super) patience: u64,
    /// Whether linear constraints are learnt where scores choose decisions.
    pub(super) cuts_planes: bool,
    /// Whether the constraints are known to be unsatisfiable.
    pub(super) refuted: bool,
    /// Where the model that was found last is.
    pub(super) model: ModelPlace,
    pub(super) statistics: Statistics,
    pub(super) log: Log<'m>,
}

/// Where a model is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ModelPlace {
    /// No place: the last call has found none, or it was not kept when constraints were added.
    Nowhere,
    /// On the trail.
    OnTrail,
    /// In the values that are kept.
    Kept,
}

impl<'m> Solver<'m> {
    /// A solver without variables. The slice must have at least [`Limits::words`] words, of any content.
    ///
    /// # Errors
    /// When the slice is too short or a limit is above what the solver can number.
    pub fn new(memory: &'m mut [u32], limits: &Limits) -> Result<Solver<'m>, Capacity> {
        if !limits.can_be_numbered() {
            return Err(limits.excess());
        }
        let (needed, available) = (limits.words(), memory.len());
        if needed > available {
            return Err(Capacity { what: Resource::Memory, needed, available });
        }
        let arena = &mut Arena::new(memory);
        let n = limits.vars;
        Ok(Solver {
            propagator: Propagator::new(arena, limits),
            queue: DecisionQueue::new(arena, n),
            scores: Scores::new(arena, n),
            analysis: Analysis::new(arena, n),
            cuts: CuttingPlanes::new(arena, n),
            phases: arena.zero_bytes(n),
            kept: arena.zero_bytes(n),
            assumed: arena.halves(n),
            num_assumed: 0,
            preferred: arena.halves(n),
            num_preferred: 0,
            next_preference: 0,
            core: arena.halves(n + 1),
            core_len: 0,
            scratch: arena.halves(n),
            weights: arena.words(n),
            marks: arena.zero_bytes(n),
            vars: 0,
            max_vars: n,
            patience: PATIENCE,
            cuts_planes: false,
            refuted: false,
            model: ModelPlace::Nowhere,
            statistics: Statistics::default(),
            log: Log::new(),
        })
    }

    /// Makes a variable; it is false in a model unless something makes it true.
    ///
    /// # Errors
    /// When there are as many variables as the limits allow.
    pub fn new_var(&mut self) -> Result<Var, Capacity> {
        let full = Capacity { what: Resource::Vars, needed: self.vars + 1, available: self.max_vars };
        let var = Var::new(self.vars).filter(|_| self.vars < self.max_vars).ok_or(full)?;
        self.vars += 1;
        self.queue.push(var);
        self.scores.push(var);
        Ok(var)
    }

    /// Counters since the solver was made.
    pub const fn statistics(&self) -> Statistics {
        Statistics { propagations: self.propagator.propagations, ..self.statistics }
    }

    /// Keeps the model on the trail after [`Answer::Sat`].
    pub fn keep_model(&mut self) {
        for (var, slot) in self.kept.iter_mut().enumerate() {
            let lit = Var::new(var).map(Var::positive);
            *slot = u8::from(lit.is_some_and(|lit| self.propagator.trail.is_true(lit)));
        }
    }

    /// Keeps the model that the last call has found, unless it is kept already. False where it found none, or constraints were
    /// added since then.
    pub(crate) fn keep_last_model(&mut self) -> bool {
        if self.model == ModelPlace::OnTrail {
            self.keep_model();
            self.model = ModelPlace::Kept;
        }
        self.model == ModelPlace::Kept
    }

    /// Whether a literal is true in the model that the last call has found: on the trail, or kept since then.
    pub(crate) fn held(&self, lit: Lit) -> bool {
        match self.model {
            ModelPlace::Nowhere => false,
            ModelPlace::OnTrail => self.holds(lit),
            ModelPlace::Kept => self.is_kept(lit),
        }
    }

    /// Forgets the model that the last call has found.
    pub(crate) const fn forget_model(&mut self) {
        self.model = ModelPlace::Nowhere;
    }

    /// Whether a literal is true in the model kept last.
    pub fn is_kept(&self, lit: Lit) -> bool {
        self.kept.get(lit.var().index()).is_some_and(|&value| (value != 0) == lit.is_positive())
    }

    /// Makes the values of the model kept last the first that are tried.
    pub fn return_to_kept(&mut self) {
        self.backtrack(0);
        self.phases.copy_from(&self.kept);
    }

    /// Words in use of [`Limits::clauses`], [`Limits::store`] and [`Limits::learnt`].
    pub const fn used_words(&self) -> [usize; 3] {
        let Propagator { clauses, store, learnt, .. } = &self.propagator;
        [clauses.used, store.used, learnt.used]
    }

    /// Value of a literal on the trail: after [`Answer::Sat`] every literal has one.
    pub fn value(&self, lit: Lit) -> Value {
        if lit.var().index() < self.vars { self.propagator.trail.value(lit) } else { Value::Unassigned }
    }

    /// Whether a literal is true on the trail.
    pub fn holds(&self, lit: Lit) -> bool {
        self.value(lit) == Value::True
    }

    /// Writes times that satisfy the order constraints after [`Answer::Sat`], one per clock, counted from 0. A slice
    /// that is too short is left as it is.
    pub fn times(&self, times: &mut [u8]) {
        if times.len() >= self.propagator.order.clocks() {
            self.propagator.order.times(times);
        }
    }

    /// The assumptions that clash after [`Answer::Unsat`]; not always a smallest set.
    pub fn core(&self) -> impl Iterator<Item = Lit> + '_ {
        self.core.iter().take(self.core_len).map(|&word| Lit::wrapped(u32::from(word)))
    }

    /// Marks the constraints as unsatisfiable.
    pub(super) fn refute(&mut self) {
        self.refuted = true;
        self.log.refuted();
    }

    /// Marks the constraints as unsatisfiable because of a conflict at level 0.
    pub(super) fn refute_by(&mut self, conflict: Conflict) {
        self.log.conflict(&self.propagator, conflict);
        self.refute();
    }

    /// Unassigns everything above a level, and saves the phases.
    pub(super) fn backtrack(&mut self, level: usize) {
        self.next_preference = 0;
        let (queue, scores, phases) = (&mut self.queue, &mut self.scores, &mut self.phases);
        self.propagator.backtrack(level, |lit| {
            phases[lit.var().index()] = u8::from(lit.is_positive());
            // Where scores choose decisions, they do so for good.
            if scores.is_on() {
                scores.insert(lit.var());
            } else {
                queue.insert(lit.var());
            }
        });
    }

    /// A literal of [`Solver::scratch`].
    pub(super) fn scratch_lit(&self, index: usize) -> Lit {
        Lit::wrapped(u32::from(self.scratch[index]))
    }

    /// An error if a literal's variable was not made by [`Solver::new_var`].
    pub(super) fn check_lits(&self, lits: impl IntoIterator<Item = Lit>) -> Result<(), Capacity> {
        let needed = lits.into_iter().map(|lit| lit.var().index() + 1).max().unwrap_or(0);
        let (what, available) = (Resource::Vars, self.vars);
        if needed > available { Err(Capacity { what, needed, available }) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::vec::Vec;

    use barrow_core::rng::Rng;

    use super::*;

    #[test]
    fn variables_that_were_not_made_have_no_value() {
        let limits = Limits { vars: 3, clocks: 0, ticks: 0, edges: 0, clauses: 0, store: 0, learnt: 0 };
        let mut memory = std::vec![0; limits.words()];
        let mut solver = Solver::new(&mut memory, &limits).unwrap();
        (0..3).for_each(|_| _ = solver.new_var().unwrap());
        assert_eq!(solver.solve(&[]), Ok(Answer::Sat));
        let values = [2, 3, 4, 99].map(|index| solver.value(Lit::new(2 * index).unwrap()));
        assert_eq!(values, [Value::False, Value::Unassigned, Value::Unassigned, Value::Unassigned]);
    }

    /// Clauses of three literals need no store, and what is learnt from them can have two literals.
    #[test]
    fn without_a_store_nothing_is_put_there() {
        const VARS: usize = 7;
        let limits = Limits { vars: VARS, clocks: 0, ticks: 0, edges: 0, clauses: 400, store: 0, learnt: 30 };
        let mut memory = std::vec![0; limits.words()];
        let mut rng = Rng::new(5);
        let mut answers = [0; 2];
        for round in 0..300 {
            let mut solver = Solver::new(&mut memory, &limits).unwrap();
            let vars = [(); VARS].map(|()| solver.new_var().unwrap());
            let mut clauses: Vec<[Lit; 3]> = Vec::new();
            for _ in 0..25 + rng.below(15) {
                let mut chosen = vars;
                rng.shuffle(&mut chosen);
                let clause = [0, 1, 2].map(|index| chosen[index].lit(rng.chance(1, 2)));
                solver.add_clause(&clause).unwrap();
                clauses.push(clause);
            }
            let holds = |values: usize| {
                let is_true = |lit: &Lit| (values >> lit.var().index() & 1 != 0) == lit.is_positive();
                clauses.iter().all(|clause| clause.iter().any(is_true))
            };
            let possible = (0..1 << VARS).any(holds);
            assert_eq!(solver.solve(&[]).unwrap() == Answer::Sat, possible, "{round}");
            assert_eq!(solver.used_words()[1], 0);
            answers[usize::from(possible)] += 1;
        }
        assert!(answers.iter().all(|&count| count > 20), "{answers:?}");
    }
}
