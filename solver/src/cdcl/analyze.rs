//! Conflict analysis: the clause of the first unique implication point (Marques-Silva & Sakallah, GRASP, 1996;
//! Zhang et al. 2001), shortened by what its other literals already imply (Sörensson & Biere 2009), and the
//! assumptions behind a refutation.

use super::limits::Carver;
use super::lit::Lit;
use super::proof::Log;
use super::propagator::{Conflict, Engine};
use super::vmtf::Queue;

/// Scratch memory for analysis: a mark per variable, and the clause under construction.
pub(super) struct Analysis<'m> {
    seen: &'m mut [u8],
    clause: &'m mut [u16],
    len: usize,
}

impl<'m> Analysis<'m> {
    pub(super) fn new(carver: &mut Carver<'m>, vars: usize) -> Self {
        Analysis { seen: carver.zero_bytes(vars), clause: carver.halves(vars), len: 0 }
    }

    /// The clause found last: its asserting literal first, one of the next highest level second.
    pub(super) fn clause(&self) -> impl Iterator<Item = Lit> + Clone + '_ {
        self.clause[..self.len].iter().map(|&word| Lit::wrapped(u32::from(word)))
    }

    fn lit(&self, index: usize) -> Lit {
        Lit::wrapped(u32::from(self.clause[index]))
    }

    /// Learns from a conflict above level 0. Returns the level to go back to.
    pub(super) fn learn(
        &mut self,
        engine: &Engine<'_>,
        queue: &mut Queue<'_>,
        log: &mut Log<'_>,
        conflict: Conflict,
    ) -> usize {
        let trail = &engine.trail;
        self.len = 1;
        let mut open = 0;
        let mut position = trail.len();
        let mut implied: Option<Lit> = None;
        loop {
            let mut visit = |lit: Lit| {
                let var = lit.var();
                if self.seen[var.index()] != 0 || trail.level_of(var) == 0 {
                    return;
                }
                self.seen[var.index()] = 1;
                queue.bump(var);
                if trail.level_of(var) == trail.level() {
                    open += 1;
                } else {
                    self.clause[self.len] = lit.index() as u16;
                    self.len += 1;
                }
            };
            match implied {
                None => {
                    log.conflict(engine, conflict);
                    engine.explain_conflict(conflict, &mut visit);
                }
                Some(lit) => {
                    log.explained(engine, lit);
                    engine.explain(lit, &mut visit);
                }
            }
            // The newest marked literal of this level is resolved next, or is the implication point.
            let next = loop {
                position = match position.checked_sub(1) {
                    Some(position) => position,
                    None => break None,
                };
                match trail.at(position) {
                    Some(lit)
                        if self.seen[lit.var().index()] == 1
                            && trail.level_of(lit.var()) == trail.level() =>
                    {
                        break Some(lit);
                    }
                    _ => {}
                }
            };
            let Some(lit) = next else { break };
            open -= 1;
            if open == 0 {
                self.clause[0] = (!lit).index() as u16;
                break;
            }
            // Resolved away: the mark must not count as a literal of the clause, but must be cleared at the end.
            self.seen[lit.var().index()] = 2;
            implied = Some(lit);
        }
        self.minimise(engine, log);
        let level = self.second_level(engine);
        self.seen.fill(0);
        level
    }

    /// Drops literals whose reason speaks of other literals of the clause only.
    fn minimise(&mut self, engine: &Engine<'_>, log: &mut Log<'_>) {
        let mut kept = 1;
        for index in 1..self.len {
            let lit = self.lit(index);
            let mut has_reason = false;
            let mut redundant = true;
            engine.explain(!lit, |other| {
                has_reason = true;
                let var = other.var();
                redundant &= self.seen[var.index()] == 1 || engine.trail.level_of(var) == 0;
            });
            if has_reason && redundant {
                log.explained(engine, !lit);
            } else {
                self.clause[kept] = self.clause[index];
                kept += 1;
            }
        }
        self.len = kept;
    }

    /// Puts a literal of the highest level below the conflict second, and returns that level.
    fn second_level(&mut self, engine: &Engine<'_>) -> usize {
        let highest = (1..self.len).max_by_key(|&index| engine.trail.level_of(self.lit(index).var()));
        match highest {
            Some(index) => {
                self.clause.swap(1, index);
                engine.trail.level_of(self.lit(1).var())
            }
            None => 0,
        }
    }

    /// Number of different levels in the clause found last (Audemard & Simon's measure of its worth, 2009).
    pub(super) fn levels(&mut self, engine: &Engine<'_>) -> u16 {
        let mut count = 0;
        for index in 0..self.len {
            let level = engine.trail.level_of(self.lit(index).var());
            let first = (0..index).all(|earlier| engine.trail.level_of(self.lit(earlier).var()) != level);
            count += u16::from(first);
        }
        count
    }

    /// Replaces all literals but the first of the clause found last, which are false by now, by the decisions behind
    /// them.
    pub(super) fn reduce_to_decisions(&mut self, engine: &Engine<'_>, log: &mut Log<'_>) {
        for index in 1..self.len {
            self.seen[self.lit(index).var().index()] = 1;
        }
        self.len = 1;
        for position in (0..engine.trail.len()).rev() {
            let Some(lit) = engine.trail.at(position) else { continue };
            if self.seen[lit.var().index()] == 0 || engine.trail.level_of(lit.var()) == 0 {
                continue;
            }
            let mut decided = true;
            log.explained(engine, lit);
            engine.explain(lit, |other| {
                decided = false;
                self.seen[other.var().index()] = 1;
            });
            if decided {
                self.clause[self.len] = (!lit).index() as u16;
                self.len += 1;
            }
        }
        self.seen.fill(0);
    }

    /// Visits the assumptions that imply what makes `failed` false, and `failed` itself. All decisions on the
    /// trail are assumptions when this is called.
    pub(super) fn core(
        &mut self,
        engine: &Engine<'_>,
        failed: Lit,
        log: &mut Log<'_>,
        mut visit: impl FnMut(Lit),
    ) {
        visit(failed);
        let trail = &engine.trail;
        if trail.level_of(failed.var()) == 0 {
            return;
        }
        self.seen[failed.var().index()] = 1;
        for position in (0..=trail.position_of(failed.var())).rev() {
            let Some(lit) = trail.at(position) else { continue };
            if self.seen[lit.var().index()] == 0 || trail.level_of(lit.var()) == 0 {
                continue;
            }
            let mut decided = true;
            log.explained(engine, lit);
            engine.explain(lit, |other| {
                decided = false;
                self.seen[other.var().index()] = 1;
            });
            if decided && lit != failed {
                visit(lit);
            }
        }
        self.seen.fill(0);
    }
}
