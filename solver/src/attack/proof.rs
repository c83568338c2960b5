//! The feature `proof`: attack planning that writes a proof of whatever it refutes, for the checker VeriPB.

use core::fmt::{self, Write};

use heapless::Vec;

use super::constraint_sink::SolverSink;
use super::encode::encode;
use super::model::{AttackModel, PIECE_CAP};
use super::plan::{AttackSolver, Goal};
use crate::cdcl::{Answer, Capacity, Limits, Lit, Solver};

impl<'m, 's> AttackSolver<'m, 's> {
    /// Encodes a model into a solver that writes the constraints to `problem` and every refutation to `steps`; see
    /// [`Solver::prove`].
    ///
    /// # Errors
    /// When the limits or the memory are too small.
    pub fn proving(
        model: &'s AttackModel<'s>,
        limits: &Limits,
        memory: &'m mut [u32],
        problem: &'m mut dyn Write,
        steps: &'m mut dyn Write,
    ) -> Result<Self, Capacity> {
        let mut solver = Solver::new(memory, limits)?;
        solver.prove(problem, steps);
        encode(model, &mut SolverSink { solver: &mut solver })?;
        Ok(AttackSolver { model, solver, words: limits.words() })
    }

    /// Whether these goals together exclude another one, which is then a step of the proof. `None` for a goal about
    /// pieces that cannot take part.
    ///
    /// # Errors
    /// When there are more goals than variables.
    pub fn excludes(&mut self, granted: &[Goal], denied: Goal) -> Result<Option<bool>, Capacity> {
        let Some(denied) = self.lit(denied) else { return Ok(None) };
        let mut lits: Vec<Lit, { 4 * PIECE_CAP }, u16> = Vec::new();
        for lit in granted.iter().filter_map(|&goal| self.lit(goal)).chain([denied]) {
            let _ = lits.push(lit);
        }
        Ok(Some(self.solver.solve(&lits)? == Answer::Unsat))
    }

    /// Writes an objective, in the OPB format, whose least value the best plan for goals in falling order of importance
    /// has: each weighs more than all after it together. `false` when there are more than numbers of 64 bits can weigh.
    ///
    /// # Errors
    /// When the text cannot be written.
    pub fn write_objective(&self, goals: &[Goal], text: &mut dyn Write) -> Result<bool, fmt::Error> {
        let Ok(wishes) = self.wishes(goals) else { return Ok(false) };
        text.write_str("min:")?;
        for (index, &wish) in wishes.iter().rev().enumerate().take(62) {
            let sign = if wish.is_positive() { "" } else { "~" };
            write!(text, " -{} {sign}x{}", 1_u64 << index, wish.var().index() + 1)?;
        }
        text.write_str(" ;\n")?;
        Ok(wishes.len() <= 62)
    }

    /// Ends the proof; see [`Solver::conclude`].
    ///
    /// # Errors
    /// When a part of the proof could not be written.
    pub fn conclude(&mut self) -> fmt::Result {
        self.solver.conclude()
    }
}
