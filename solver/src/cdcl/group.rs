//! Groups: constraints that are switched on by an assumption and removed together (the activation literals of Eén &
//! Sörensson, "Temporal induction by incremental SAT solving", 2003), for questions that refine each other.

use super::binary;
use super::capacity::Capacity;
use super::gc;
use super::lit::Lit;
use super::solver::Solver;

/// A group of constraints, which are in force in the calls that assume [`Group::lit`].
///
/// ```
/// use barrow_solver::cdcl::{Answer, Limits, Solver};
/// let limits = Limits { vars: 3, clocks: 0, ticks: 0, edges: 0, clauses: 64, store: 64, learnt: 64 };
/// let mut memory = vec![0; limits.words()];
/// let mut solver = Solver::new(&mut memory, &limits).unwrap();
/// let [a, b] = [(); 2].map(|()| solver.new_var().unwrap().positive());
/// solver.add_clause(&[a, b]).unwrap();
/// let group = solver.new_group().unwrap();
/// solver.block_in(group, &[a]).unwrap();
/// assert_eq!(solver.solve(&[group.lit(), a]), Ok(Answer::Unsat));
/// assert_eq!(solver.solve(&[a]), Ok(Answer::Sat));
/// solver.release(group).unwrap();
/// assert_eq!(solver.solve(&[a]), Ok(Answer::Sat));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Group(Lit);

impl Group {
    /// Activation literal of the group. It may also guard an order constraint, which is then in the group.
    pub const fn lit(self) -> Lit {
        self.0
    }
}

impl Solver<'_> {
    /// Makes a group without constraints. It takes one variable, for good.
    pub fn new_group(&mut self) -> Result<Group, Capacity> {
        self.new_var().map(|var| Group(var.positive()))
    }

    /// Adds a clause to a group: at least one of these literals holds.
    pub fn add_clause_in(&mut self, group: Group, lits: &[Lit]) -> Result<(), Capacity> {
        self.add_clause_of(lits.iter().copied().chain([!group.0]))
    }

    /// Adds an at-most-one constraint to a group: at most one of these literals holds.
    pub fn add_at_most_one_in(&mut self, group: Group, lits: &[Lit]) -> Result<(), Capacity> {
        self.add_linear_unless(lits.iter().map(|&lit| (-1, lit)), -1, Some(!group.0))
    }

    /// Adds a linear constraint to a group: `sum of coefficient * literal >= degree`.
    pub fn add_linear_in(&mut self, group: Group, terms: &[(i32, Lit)], degree: i32) -> Result<(), Capacity> {
        self.add_linear_unless(terms.iter().copied(), degree, Some(!group.0))
    }

    /// Adds an order constraint to a group: when `guard` holds, `later >= earlier`, or `later > earlier` if `strict`.
    /// One variable is taken, unless the constraint can never be in force; [`Solver::add_order`] guarded by the activation
    /// literal alone takes none.
    ///
    /// # Errors
    /// When there is no room for the variable, the order constraint or its two clauses; then nothing is added.
    pub fn add_order_in(
        &mut self,
        group: Group,
        guard: Lit,
        earlier: u8,
        later: u8,
        strict: bool,
    ) -> Result<(), Capacity> {
        self.check_lits([group.0, guard])?;
        self.check_clocks(earlier, later)?;
        self.backtrack_to_root();
        let trail = &self.propagator.trail;
        let never = trail.is_false(group.0) || trail.is_false(guard) || guard == !group.0;
        if self.refuted || never {
            return Ok(());
        }
        // Everything is checked before anything is added.
        if earlier != later {
            self.check_order_room(earlier, later, strict)?;
        }
        let group_free = trail.is_free(group.0);
        let guards = usize::from(group_free) + usize::from(trail.is_free(guard) && guard != group.0);
        if guards == 2 {
            self.check_clause_room(3)?;
        }
        self.check_store_room((usize::from(guards == 1) + usize::from(group_free)) * binary::SIZE)?;
        let both = self.new_var()?.positive();
        self.add_clause(&[!group.0, !guard, both])?;
        // Without this the edge would outlive the group.
        self.add_clause(&[!both, group.0])?;
        self.add_order(both, earlier, later, strict)
    }

    /// Adds a blocking clause: these literals do not all hold.
    pub fn block(&mut self, lits: &[Lit]) -> Result<(), Capacity> {
        self.add_clause_of(lits.iter().map(|&lit| !lit))
    }

    /// Adds a blocking clause to a group: these literals do not all hold.
    pub fn block_in(&mut self, group: Group, lits: &[Lit]) -> Result<(), Capacity> {
        self.add_clause_of(lits.iter().chain([&group.0]).map(|&lit| !lit))
    }

    /// Releases a group: it can never be in force again. Its constraints, and all others that are satisfied by facts,
    /// are removed from memory.
    pub fn release(&mut self, group: Group) -> Result<(), Capacity> {
        self.add_clause(&[!group.0])?;
        if !self.refuted {
            gc::remove_satisfied(&mut self.propagator);
        }
        Ok(())
    }
}
