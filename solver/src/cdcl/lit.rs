//! Variables, literals and truth values.

use core::fmt;
use core::ops::Not;

/// Most variables of a problem: a literal is a variable number and a sign in 16 bits.
pub const MAX_VARS: usize = 1 << 15;

/// A variable, numbered from 0 to [`MAX_VARS`] - 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Var(u16);

impl Var {
    /// The variable with this number, if it is below [`MAX_VARS`].
    pub const fn new(index: usize) -> Option<Var> {
        if index < MAX_VARS { Some(Var(index as u16)) } else { None }
    }

    /// The number, for arrays with an entry per variable.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The literal that holds when the variable has this value.
    pub const fn lit(self, positive: bool) -> Lit {
        Lit(self.0 << 1 | !positive as u16)
    }

    /// The literal that holds when the variable is true.
    pub const fn positive(self) -> Lit {
        self.lit(true)
    }

    /// The literal that holds when the variable is false.
    pub const fn negative(self) -> Lit {
        self.lit(false)
    }
}

/// A variable or its negation.
///
/// ```
/// use barrow_solver::cdcl::{Lit, Var};
/// let x = Var::new(2).unwrap();
/// assert_eq!(!x.positive(), x.negative());
/// assert_eq!(Lit::from_dimacs(-3), Some(x.negative()));
/// assert_eq!(x.positive().index() ^ 1, x.negative().index());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lit(u16);

impl Lit {
    /// The literal with this number: twice its variable's, and one more if negated.
    pub const fn new(index: usize) -> Option<Lit> {
        if index < 2 * MAX_VARS { Some(Lit(index as u16)) } else { None }
    }

    /// The literal of a stored word, which came from a literal.
    #[inline]
    pub(crate) const fn wrapped(word: u32) -> Lit {
        Lit(word as u16)
    }

    /// The literal that the DIMACS format writes as this number: variables count from 1, minus negates.
    pub const fn from_dimacs(number: i32) -> Option<Lit> {
        match number.unsigned_abs().checked_sub(1) {
            Some(index) => match Var::new(index as usize) {
                Some(var) => Some(var.lit(number > 0)),
                None => None,
            },
            None => None,
        }
    }

    /// The number that the DIMACS format writes for this literal.
    pub const fn to_dimacs(self) -> i32 {
        let number = self.var().0 as i32 + 1;
        if self.is_positive() { number } else { -number }
    }

    /// The number, for arrays with an entry per literal.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The variable.
    pub const fn var(self) -> Var {
        Var(self.0 >> 1)
    }

    /// Whether the literal is the variable itself and not its negation.
    pub const fn is_positive(self) -> bool {
        self.0 & 1 == 0
    }
}

impl Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

impl fmt::Debug for Var {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "x{}", u32::from(self.0) + 1)
    }
}

impl fmt::Debug for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_positive() { "" } else { "~" })?;
        self.var().fmt(f)
    }
}

/// Truth value of a variable or a literal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(u8)]
pub enum Value {
    /// False.
    False = 0,
    /// True.
    True = 1,
    /// Not assigned.
    #[default]
    Unassigned = 2,
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::format;

    #[test]
    fn every_literal_has_its_number_and_its_negation() {
        for index in 0..2 * MAX_VARS {
            let lit = Lit::new(index).unwrap();
            assert_eq!(lit.index(), index);
            assert_eq!(lit.var().lit(lit.is_positive()), lit);
            assert_eq!(Lit::from_dimacs(lit.to_dimacs()), Some(lit));
            assert_eq!((!lit).to_dimacs(), -lit.to_dimacs());
            assert_eq!(!!lit, lit);
        }
    }

    #[test]
    fn numbers_out_of_range_are_refused() {
        assert_eq!(Var::new(MAX_VARS), None);
        assert_eq!(Lit::new(2 * MAX_VARS), None);
        for number in [0, MAX_VARS as i32 + 1, -(MAX_VARS as i32) - 1, i32::MIN, i32::MAX] {
            assert_eq!(Lit::from_dimacs(number), None, "{number}");
        }
    }

    #[test]
    fn literals_are_small_and_print_with_their_sign() {
        let var = Var::new(4).unwrap();
        assert_eq!(format!("{:?} {:?}", var.positive(), var.negative()), "x5 ~x5");
        assert_eq!(size_of::<Lit>(), 2);
    }
}
