//! Conflict analysis: the clause of the first unique implication point (Marques-Silva & Sakallah, GRASP, 1996;
//! Zhang et al. 2001), minimised by what its other literals already imply (Sörensson & Biere 2009), and the
//! assumptions behind a refutation.

use super::arena::Arena;
use super::array::Array;
use super::lit::Lit;
use super::proof::Log;
use super::propagator::{Conflict, Propagator};
use super::scores::Scores;
use super::vmtf::DecisionQueue;

/// Mark of a variable that analysis has not met.
const UNSEEN: u8 = 0;
/// Mark of a variable that analysis has met and not resolved: its literal is in the clause unless it is resolved later.
const SEEN: u8 = 1;
/// Mark of a variable whose literal was resolved with its reason, and is not in the clause.
const RESOLVED: u8 = 2;
/// Mark of a variable that only a reason of the learnt clause names.
const BEHIND: u8 = 3;

/// Scratch memory for analysis: a mark per variable, and the clause under construction.
pub(super) struct Analysis<'m> {
    /// By variable: [`UNSEEN`] between calls, [`SEEN`], [`RESOLVED`] or [`BEHIND`].
    marks: Array<'m, u8>,
    clause: Array<'m, u16>,
    len: usize,
}

impl<'m> Analysis<'m> {
    pub(super) fn new(arena: &mut Arena<'m>, vars: usize) -> Self {
        Analysis { marks: arena.zero_bytes(vars), clause: arena.halves(vars), len: 0 }
    }

    /// The clause learnt last: its asserting literal first, one of the next highest level second.
    pub(super) fn clause(&self) -> impl Iterator<Item = Lit> + Clone + '_ {
        self.clause[..self.len].iter().map(|&word| Lit::wrapped(u32::from(word)))
    }

    fn lit(&self, index: usize) -> Lit {
        Lit::wrapped(u32::from(self.clause[index]))
    }

    fn push(&mut self, lit: Lit) {
        self.clause[self.len] = lit.index() as u16;
        self.len += 1;
    }

    /// Learns a clause from a conflict above level 0. Returns the level to backtrack to.
    pub(super) fn learn(
        &mut self,
        propagator: &Propagator<'_>,
        (queue, scores): (&mut DecisionQueue<'_>, &mut Scores<'_>),
        log: &mut Log<'_>,
        conflict: Conflict,
    ) -> usize {
        let trail = &propagator.trail;
        // The first place is the asserting literal's.
        self.len = 1;
        let mut open = 0;
        let mut position = trail.len();
        let mut implied: Option<Lit> = None;
        loop {
            let mut visit = |lit: Lit| {
                let var = lit.var();
                if self.marks[var.index()] != UNSEEN || trail.level_of(var) == 0 {
                    return;
                }
                self.marks[var.index()] = SEEN;
                queue.bump(var);
                scores.bump(var);
                if trail.level_of(var) == trail.level() {
                    open += 1;
                } else {
                    self.push(lit);
                }
            };
            match implied {
                None => {
                    log.conflict(propagator, conflict);
                    propagator.explain_conflict(conflict, &mut visit);
                }
                Some(lit) => {
                    log.explained(propagator, lit);
                    propagator.explain(lit, &mut visit);
                }
            }
            let Some(lit) = self.newest_seen(propagator, &mut position) else { break };
            open -= 1;
            if open == 0 {
                self.clause[0] = (!lit).index() as u16;
                break;
            }
            self.marks[lit.var().index()] = RESOLVED;
            implied = Some(lit);
        }
        self.minimise(propagator, log);
        if scores.is_on() {
            self.bump_reasons(propagator, scores);
            scores.decay();
        }
        let level = self.second_level(propagator);
        self.marks.fill(UNSEEN);
        level
    }

    /// The newest seen literal of the conflict's level before a position of the trail, which becomes the literal's: to
    /// be resolved next, or the unique implication point.
    fn newest_seen(&self, propagator: &Propagator<'_>, position: &mut usize) -> Option<Lit> {
        let trail = &propagator.trail;
        loop {
            *position = position.checked_sub(1)?;
            if let Some(lit) = trail.at(*position)
                && self.marks[lit.var().index()] == SEEN
                && trail.level_of(lit.var()) == trail.level()
            {
                return Some(lit);
            }
        }
    }

    /// Drops literals whose reason consists of other literals of the clause and facts.
    fn minimise(&mut self, propagator: &Propagator<'_>, log: &mut Log<'_>) {
        let mut kept = 1;
        for index in 1..self.len {
            let lit = self.lit(index);
            let mut has_reason = false;
            let mut redundant = true;
            propagator.explain(!lit, |other| {
                has_reason = true;
                let var = other.var();
                redundant &= self.marks[var.index()] == SEEN || propagator.trail.level_of(var) == 0;
            });
            if has_reason && redundant {
                log.explained(propagator, !lit);
            } else {
                self.clause[kept] = self.clause[index];
                kept += 1;
            }
        }
        self.len = kept;
    }

    /// Bumps what the reasons of the clause's literals name: variables that are about to take part in conflicts (Liang et
    /// al., "Learning rate based branching heuristic for SAT solvers", 2016).
    fn bump_reasons(&mut self, propagator: &Propagator<'_>, scores: &mut Scores<'_>) {
        for index in 1..self.len {
            let lit = self.lit(index);
            propagator.explain(!lit, |other| {
                let var = other.var();
                if self.marks[var.index()] == UNSEEN && propagator.trail.level_of(var) > 0 {
                    self.marks[var.index()] = BEHIND;
                    scores.bump(var);
                }
            });
        }
    }

    /// Puts a literal of the highest level below the conflict second, and returns that level.
    fn second_level(&mut self, propagator: &Propagator<'_>) -> usize {
        let level_of = |lit: Lit| propagator.trail.level_of(lit.var());
        let highest = (1..self.len).max_by_key(|&index| level_of(self.lit(index)));
        match highest {
            Some(index) => {
                self.clause.swap(1, index);
                level_of(self.lit(1))
            }
            None => 0,
        }
    }

    /// Literal block distance of the clause learnt last: the number of its decision levels (Audemard & Simon 2009), where
    /// all levels of assumptions count as one (Audemard, Lagniez & Simon, "Improving Glucose for incremental SAT solving
    /// with assumptions", 2013).
    pub(super) fn lbd(&mut self, propagator: &Propagator<'_>, assumed: usize) -> u16 {
        // Levels from the first one beyond the assumptions on are no more than variables, whose marks are free between calls.
        let place = |lit: Lit| propagator.trail.level_of(lit.var()).saturating_sub(assumed.max(1));
        let mut count = 0;
        for index in 0..self.len {
            let at = place(self.lit(index));
            count += u16::from(self.marks[at] == UNSEEN);
            self.marks[at] = SEEN;
        }
        for index in 0..self.len {
            let at = place(self.lit(index));
            self.marks[at] = UNSEEN;
        }
        count
    }

    /// Replaces all literals but the first of the clause learnt last, which are false by now, by the decisions that
    /// imply them.
    pub(super) fn reduce_to_decisions(&mut self, propagator: &Propagator<'_>, log: &mut Log<'_>) {
        for index in 1..self.len {
            let var = self.lit(index).var();
            self.marks[var.index()] = SEEN;
        }
        self.len = 1;
        for position in (0..propagator.trail.len()).rev() {
            let Some(lit) = propagator.trail.at(position) else { continue };
            if self.is_decision_behind(propagator, lit, log) {
                self.push(!lit);
            }
        }
        self.marks.fill(UNSEEN);
    }

    /// Visits the assumptions that imply what makes `failed` false, and `failed` itself. All decisions on the
    /// trail are assumptions when this is called.
    pub(super) fn core(
        &mut self,
        propagator: &Propagator<'_>,
        failed: Lit,
        log: &mut Log<'_>,
        mut visit: impl FnMut(Lit),
    ) {
        visit(failed);
        let trail = &propagator.trail;
        if trail.level_of(failed.var()) == 0 {
            return;
        }
        self.marks[failed.var().index()] = SEEN;
        for position in (0..=trail.position_of(failed.var())).rev() {
            let Some(lit) = trail.at(position) else { continue };
            if self.is_decision_behind(propagator, lit, log) && lit != failed {
                visit(lit);
            }
        }
        self.marks.fill(UNSEEN);
    }

    /// Whether a literal is seen, above level 0 and without a reason; otherwise marks the literals of its reason, if
    /// it is seen, as seen.
    fn is_decision_behind(&mut self, propagator: &Propagator<'_>, lit: Lit, log: &mut Log<'_>) -> bool {
        if self.marks[lit.var().index()] == UNSEEN || propagator.trail.level_of(lit.var()) == 0 {
            return false;
        }
        let mut decided = true;
        log.explained(propagator, lit);
        propagator.explain(lit, |other| {
            decided = false;
            self.marks[other.var().index()] = SEEN;
        });
        decided
    }
}
