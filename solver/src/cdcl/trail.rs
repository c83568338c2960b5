//! The trail: the assignment in the order in which it was made, with the level and reason of every literal.

use super::arena::Arena;
use super::array::Array;
use super::lit::{Lit, Value, Var};

/// Reason of a true literal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reason {
    /// A decision, an assumption or a fact.
    None,
    /// A binary clause or an at-most-one constraint, whose other literal this is: it is false.
    Binary(Lit),
    /// A clause of the problem, by its place.
    Clause(u32),
    /// A learnt clause, by its place.
    Learnt(u32),
    /// A linear constraint, by its place.
    Linear(u32),
    /// An order edge, by its number, whose negated guard the literal is: it no longer fits between its clocks' bounds.
    Order(u16),
    /// The decisions up to the literal's level together: a learnt clause for which there was no room.
    Decisions,
}

/// Bits of a packed reason that hold its kind.
const KIND_BITS: u32 = 3;

impl Reason {
    const fn packed(self) -> u32 {
        match self {
            Reason::None => 0,
            Reason::Binary(lit) => (lit.index() as u32) << KIND_BITS | 1,
            Reason::Clause(at) => at << KIND_BITS | 2,
            Reason::Learnt(at) => at << KIND_BITS | 3,
            Reason::Linear(at) => at << KIND_BITS | 4,
            Reason::Order(edge) => (edge as u32) << KIND_BITS | 5,
            Reason::Decisions => 6,
        }
    }

    fn unpacked(word: u32) -> Reason {
        let rest = word >> KIND_BITS;
        match word & ((1 << KIND_BITS) - 1) {
            1 => Lit::new(rest as usize).map_or(Reason::None, Reason::Binary),
            2 => Reason::Clause(rest),
            3 => Reason::Learnt(rest),
            4 => Reason::Linear(rest),
            5 => Reason::Order(rest as u16),
            6 => Reason::Decisions,
            _ => Reason::None,
        }
    }
}

const UNASSIGNED: u8 = Value::Unassigned as u8;

/// The trail. Levels count decisions: level 0 holds the facts.
pub(super) struct Trail<'m> {
    /// By literal, as numbers of [`Value`].
    values: Array<'m, u8>,
    /// By variable, as packed reasons.
    reasons: Array<'m, u32>,
    /// Decision level by variable.
    levels: Array<'m, u16>,
    /// Position on the trail by variable.
    positions: Array<'m, u16>,
    /// The literals in order of assignment.
    lits: Array<'m, u16>,
    /// Length of the trail at which level `i + 1` began, for each level `i`.
    starts: Array<'m, u16>,
    len: usize,
    level: usize,
    /// Position of the next literal to propagate.
    pub(super) head: usize,
}

impl<'m> Trail<'m> {
    pub(super) fn new(arena: &mut Arena<'m>, vars: usize) -> Self {
        let mut values = arena.bytes(2 * vars);
        values.fill(UNASSIGNED);
        Trail {
            values,
            reasons: arena.words(vars),
            levels: arena.halves(vars),
            positions: arena.halves(vars),
            lits: arena.halves(vars),
            starts: arena.halves(2 * vars + 2),
            len: 0,
            level: 0,
            head: 0,
        }
    }

    #[inline]
    pub(super) fn is_true(&self, lit: Lit) -> bool {
        self.values[lit.index()] == Value::True as u8
    }

    #[inline]
    pub(super) fn is_false(&self, lit: Lit) -> bool {
        self.values[lit.index()] == Value::False as u8
    }

    #[inline]
    pub(super) fn is_free(&self, lit: Lit) -> bool {
        self.values[lit.index()] == UNASSIGNED
    }

    /// Value of a literal.
    pub(super) fn value(&self, lit: Lit) -> Value {
        match self.values[lit.index()] {
            0 => Value::False,
            1 => Value::True,
            _ => Value::Unassigned,
        }
    }

    /// Makes a free literal true.
    #[inline]
    pub(super) fn assign(&mut self, lit: Lit, reason: Reason) {
        let var = lit.var().index();
        self.values[lit.index()] = Value::True as u8;
        self.values[(!lit).index()] = Value::False as u8;
        self.reasons[var] = reason.packed();
        self.levels[var] = self.level as u16;
        self.positions[var] = self.len as u16;
        self.lits[self.len] = lit.index() as u16;
        self.len += 1;
    }

    /// Unassigns the newest literal.
    pub(super) fn pop(&mut self) -> Option<Lit> {
        let last = self.len.checked_sub(1)?;
        let lit = Lit::new(usize::from(self.lits[last]))?;
        self.values[lit.index()] = UNASSIGNED;
        self.values[(!lit).index()] = UNASSIGNED;
        self.len = last;
        Some(lit)
    }

    /// Begins a decision level.
    pub(super) fn push_level(&mut self) {
        self.starts[self.level] = self.len as u16;
        self.level += 1;
    }

    /// Ends the levels above `level`; their literals must be unassigned.
    pub(super) fn drop_levels(&mut self, level: usize) {
        self.level = self.level.min(level);
        self.head = self.head.min(self.len);
    }

    /// Length of the trail when level `level + 1` began.
    pub(super) fn end_of(&self, level: usize) -> usize {
        if level < self.level { usize::from(self.starts[level]) } else { self.len }
    }

    /// The decisions of the levels up to this one. A level whose assumption held already when it began has none.
    pub(super) fn decisions(&self, level: usize) -> impl Iterator<Item = Lit> + '_ {
        let begun = (0..level).filter_map(|below| Some((below + 1, self.at(self.end_of(below))?)));
        begun.filter(|&(level, lit)| self.level_of(lit.var()) == level).map(|(_, lit)| lit)
    }

    /// The literal at a position of the trail.
    pub(super) fn at(&self, position: usize) -> Option<Lit> {
        if position < self.len { Lit::new(usize::from(self.lits[position])) } else { None }
    }

    /// Number of assigned variables.
    pub(super) const fn len(&self) -> usize {
        self.len
    }

    /// The present decision level.
    pub(super) const fn level(&self) -> usize {
        self.level
    }

    /// Level at which an assigned variable got its value.
    #[inline]
    pub(super) fn level_of(&self, var: Var) -> usize {
        usize::from(self.levels[var.index()])
    }

    /// Position of an assigned variable on the trail.
    #[inline]
    pub(super) fn position_of(&self, var: Var) -> usize {
        usize::from(self.positions[var.index()])
    }

    /// Reason of an assigned variable.
    pub(super) fn reason_of(&self, var: Var) -> Reason {
        Reason::unpacked(self.reasons[var.index()])
    }

    /// Position of a literal's variable on the trail, and the same where the literal is false; [`u16::MAX`] otherwise.
    #[inline]
    pub(super) fn place_of(&self, lit: Lit) -> (u16, u16) {
        let value = self.values[lit.index()];
        if value == UNASSIGNED {
            return (u16::MAX, u16::MAX);
        }
        let position = self.positions[lit.var().index()];
        (position, if value == Value::False as u8 { position } else { u16::MAX })
    }

    /// Whether a false literal became false before a position.
    pub(super) fn is_false_before(&self, lit: Lit, position: usize) -> bool {
        self.is_false(lit) && self.position_of(lit.var()) < position
    }

    /// Updates the reason of a variable after its linear constraint was moved.
    pub(super) fn move_linear_reason(&mut self, var: Var, at: u32) {
        self.reasons[var.index()] = Reason::Linear(at).packed();
    }

    /// Updates the reason of a variable after its learnt clause was moved.
    pub(super) fn move_learnt_reason(&mut self, var: Var, at: u32) {
        self.reasons[var.index()] = Reason::Learnt(at).packed();
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;

    #[test]
    fn a_literal_is_false_from_its_place_on() {
        let mut memory = std::vec![0; 64];
        let mut trail = Trail::new(&mut Arena::new(&mut memory), 3);
        let [a, b, c] = [0, 1, 2].map(|index| Var::new(index).unwrap().positive());
        trail.assign(a, Reason::None);
        trail.assign(!b, Reason::None);
        let found = [a, !a, b, !b, c, !c].map(|lit| [0, 1, 2].map(|end| trail.is_false_before(lit, end)));
        let (never, never_more) = ([false; 3], [false, false, true]);
        assert_eq!(found, [never, [false, true, true], never_more, never, never, never]);
    }
}
