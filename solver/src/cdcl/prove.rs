//! The feature `proof`: a solver that writes a proof of its refutations into texts that the caller lends.

use core::fmt::{self, Write};

use super::proof::Texts;
use super::solver::Solver;

impl<'m> Solver<'m> {
    /// Begins a proof: all constraints are written to `problem`, in the OPB format, and a derivation to `steps`, for
    /// `veripb PROBLEM STEPS`. Call it before the first constraint, and [`Solver::conclude`] at the end.
    ///
    /// Every clash of assumptions is a step, too. The checker knows all constraints from the start, those among them
    /// that were added later than such a step.
    pub fn prove(&mut self, problem: &'m mut dyn Write, steps: &'m mut dyn Write) {
        self.log.texts = Some(Texts { problem, steps });
        self.log.step(format_args!("pseudo-Boolean proof version 3.0\n"));
    }

    /// Ends a proof: it claims that the constraints are unsatisfiable if that was found, otherwise nothing beyond its
    /// steps.
    ///
    /// # Errors
    /// When a part of the proof could not be written.
    pub fn conclude(&mut self) -> fmt::Result {
        let conclusion = if self.refuted { "UNSAT" } else { "NONE" };
        self.log.step(format_args!("output NONE ;\nconclusion {conclusion} ;\nend pseudo-Boolean proof ;\n"));
        if self.log.failed { Err(fmt::Error) } else { Ok(()) }
    }
}
