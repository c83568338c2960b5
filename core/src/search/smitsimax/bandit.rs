//! Selection of the next child: at random at first, then by UCB1 on the average score (P. Auer, N. Cesa-Bianchi,
//! P. Fischer, "Finite-time analysis of the multiarmed bandit problem", 2002).
//!
//! Everything is in 1/65,536. Roots of small counts come from tables, because a simulation of four players needs
//! about twenty of them.

use crate::search::logarithm::{LN_2, log2};

/// Unit of fixed point: 1.
pub(super) const ONE: i64 = 1 << 16;

/// Counts below this have their roots in tables.
const TABLED: usize = 1024;

/// `sqrt(1 / n)` and `sqrt(ln n)`; entry 0 stands for 1.
static INVERSE_ROOTS: [u32; TABLED] = table(false);
static LOG_ROOTS: [u32; TABLED] = table(true);

const fn table(of_logarithms: bool) -> [u32; TABLED] {
    let mut roots = [0; TABLED];
    let mut n = 0;
    while n < TABLED {
        let count = if n == 0 { 1 } else { n as u32 };
        roots[n] = if of_logarithms { compute_log_root(count) } else { compute_inverse_root(count) };
        n += 1;
    }
    roots
}

/// The largest number whose square is not above this one, by Newton's method from above.
const fn root(square: u64) -> u64 {
    if square < 2 {
        return square;
    }
    let mut guess = 1 << (64 - square.leading_zeros()).div_ceil(2);
    loop {
        let better = u64::midpoint(guess, square / guess);
        if better >= guess {
            return guess;
        }
        guess = better;
    }
}

/// `sqrt(1 / n)`.
const fn compute_inverse_root(n: u32) -> u32 {
    root((1 << 32) / n as u64) as u32
}

/// `sqrt(ln n)`.
const fn compute_log_root(n: u32) -> u32 {
    root(log2(n as u64) as u64 * LN_2) as u32
}

/// The factor `c * sqrt(ln total)` of the bonus of UCB1, in 1/65,536; see [`bonus`].
pub(super) fn eagerness(c: u32, total: u32) -> u64 {
    let known = LOG_ROOTS.get(total as usize).copied();
    (u64::from(c) * u64::from(known.unwrap_or_else(|| compute_log_root(total)))) >> 16
}

/// The bonus of UCB1 for a child with this many visits, in 1/65,536.
pub(super) fn bonus(eagerness: u64, visits: u32) -> i64 {
    let known = INVERSE_ROOTS.get(visits as usize).copied();
    ((eagerness * u64::from(known.unwrap_or_else(|| compute_inverse_root(visits)))) >> 16) as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bonuses_agree_with_a_calculation_by_hand() {
        let value = |average: i64, visits: u32| {
            let mean = average * i64::from(visits) * ONE / (i64::from(visits) * 40);
            mean + bonus(eagerness(1 << 16, 20), visits)
        };
        for (average, visits, expected) in [(-8, 7, 4542), (-3, 2, 11_489), (-20, 11, 219)] {
            let error = value(average, visits) * 10_000 / ONE - expected;
            assert!(error.abs() <= 1, "{average} {visits}: {error}");
        }
    }

    #[test]
    fn roots_are_close() {
        for square in (0..3000).chain((12..63).flat_map(|bit| [(1 << bit) - 1, 1 << bit, (1 << bit) + 1])) {
            assert_eq!(root(square), square.isqrt());
        }
        for n in (1..3000).chain([1 << 20, u32::MAX]) {
            let number = f64::from(n);
            let whole = |value: f64| value * 65_536.0;
            assert!((whole((1.0 / number).sqrt()) - f64::from(bonus(1 << 16, n) as u32)).abs() < 1.5);
            // The logarithm's own error weighs most where it is small.
            let error = whole(number.ln().sqrt()) - f64::from(eagerness(1 << 16, n) as u32);
            assert!((-1.0..4.0).contains(&error), "{n}: {error}");
        }
    }
}
