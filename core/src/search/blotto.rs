//! The split of money over several uses, each with a curve of its value for every sum: the (max,+) convolution.
//!
//! The best value of `t` units over the first `i` curves is the maximum over `k` of the best value of `t - k` units
//! over the curves before, plus the value of `k` units on curve `i` (R. Bellman, "Dynamic programming", 1957, the
//! allocation process). Money that is not spent is one more curve. Every layer is kept, so the best split of every
//! smaller sum is there too.

use core::fmt;

use heapless::Vec;

use super::value::{Curve, KNOTS};

/// Curves of a split at most.
pub const MAX_CURVES: usize = 9;
/// Units of money of a split at most.
pub const MAX_MONEY: usize = 127;
/// Bound of values in both directions, 2,048 win chances; values beyond it are clamped, so that no sum overflows.
pub const MAX_VALUE: i32 = 1 << 27;
/// Units of money for each curve, in the order of the curves.
pub type Split = Vec<u8, MAX_CURVES>;

/// Reason why no split was computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BlottoError {
    /// There is no curve at all, or one of the curves is empty.
    NoValue,
    /// More than [`MAX_CURVES`] curves.
    TooManyCurves,
    /// More than [`MAX_MONEY`] units of money.
    TooMuchMoney,
    /// The lent memory is shorter than [`room_for`].
    Room,
}

impl fmt::Display for BlottoError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            BlottoError::NoValue => "a curve needs a value for no money",
            BlottoError::TooManyCurves => "more than 9 curves to split money over",
            BlottoError::TooMuchMoney => "more than 127 units of money to split",
            BlottoError::Room => "too little memory to split the money",
        })
    }
}

impl core::error::Error for BlottoError {}

/// Length of the memory that [`convolve`] needs for that many curves and units of money.
pub const fn room_for(curves: usize, money: usize) -> usize {
    curves.saturating_mul(money.saturating_add(1))
}

/// Best values of all sums of money over the first curves, for every number of curves; see [`convolve`].
#[derive(Clone, Debug)]
pub struct Convolution<'a, C> {
    curves: &'a [C],
    /// Layers of `width` values for each curve; of layer `i` the first `reach(i) + 1` values count.
    layers: &'a [i32],
    width: usize,
}

/// Convolves the curves: `curves[i][k]` is the value of `k` units of money on curve `i`. A curve takes at most its
/// length less one.
///
/// All money is spent as long as a curve takes it, so savings must be a curve as well. Exact for values within
/// [`MAX_VALUE`]. Takes about `n * m * m / 2` additions for `n` curves and `m` units of money.
///
/// ```
/// use barrow_core::search::blotto::{convolve, room_for};
/// // The first curve rises most with one unit, the second one only with three, the savings a little with each.
/// let curves: [&[i32]; 3] = [&[0, 50, 60, 65], &[0, 0, 0, 100], &[0, 6, 12, 18, 24]];
/// let mut room = [0; room_for(3, 4)];
/// let best = convolve(&curves, 4, &mut room).unwrap();
/// assert_eq!((best.value(), best.split().as_slice()), (150, &[1, 3, 0][..]));
/// assert_eq!((best.value_of(2), best.split_of(2).as_slice()), (60, &[2, 0, 0][..]));
/// ```
pub fn convolve<'a, C: AsRef<[i32]>>(
    curves: &'a [C],
    money: usize,
    room: &'a mut [i32],
) -> Result<Convolution<'a, C>, BlottoError> {
    if curves.len() > MAX_CURVES {
        return Err(BlottoError::TooManyCurves);
    }
    if money > MAX_MONEY {
        return Err(BlottoError::TooMuchMoney);
    }
    let width = money + 1;
    let Some((first, others)) = curves.split_first() else { return Err(BlottoError::NoValue) };
    if curves.iter().any(|curve| curve.as_ref().is_empty()) {
        return Err(BlottoError::NoValue);
    }
    let room = room.get_mut(..room_for(curves.len(), money)).ok_or(BlottoError::Room)?;
    let (mut before, mut rest) = room.split_at_mut_checked(width).ok_or(BlottoError::Room)?;
    for (best, value) in before.iter_mut().zip(first.as_ref()) {
        *best = limited(*value);
    }
    let mut reach = first.as_ref().len().min(width);
    for curve in others {
        let curve = curve.as_ref();
        let (layer, after) = rest.split_at_mut_checked(width).ok_or(BlottoError::Room)?;
        layer.fill(i32::MIN);
        for (spent, value) in curve.iter().take(width).enumerate() {
            let value = limited(*value);
            for (best, left) in layer.iter_mut().skip(spent).zip(before.iter().take(reach)) {
                *best = (*best).max(left + value);
            }
        }
        reach = (reach + curve.len() - 1).min(width);
        (before, rest) = (layer, after);
    }
    Ok(Convolution { curves, layers: room, width })
}

impl<C: AsRef<[i32]>> Convolution<'_, C> {
    /// Units of money that the curves take together, up to the sum that was asked for.
    pub fn reach(&self) -> usize {
        self.reach_of(self.curves.len())
    }

    /// Value of the best split of all money.
    pub fn value(&self) -> i32 {
        self.value_of(self.reach())
    }

    /// The best split of all money; see [`split_of`](Convolution::split_of).
    pub fn split(&self) -> Split {
        self.split_of(self.reach())
    }

    /// Value of the best split of exactly that much money, or of all if there is less.
    pub fn value_of(&self, money: usize) -> i32 {
        self.best(self.curves.len(), money.min(self.reach()))
    }

    /// The best split of exactly that much money, or of all if there is less. Of several best splits it is the one
    /// that gives least to the last curve, then to the one before, and so on.
    pub fn split_of(&self, money: usize) -> Split {
        let mut left = money.min(self.reach());
        let mut split = Split::new();
        // The lengths agree by construction, so nothing is refused here.
        let _ = split.resize(self.curves.len(), 0);
        for (index, share) in split.iter_mut().enumerate().skip(1).rev() {
            let Some(curve) = self.curves.get(index).map(AsRef::as_ref) else { continue };
            let best = self.best(index + 1, left);
            let reach = self.reach_of(index);
            let mut sums = curve.iter().take(left + 1).enumerate().skip(left.saturating_sub(reach));
            let found = sums.find(|&(spent, value)| self.best(index, left - spent) + limited(*value) == best);
            let spent = found.map_or(0, |(spent, _)| spent);
            *share = spent as u8;
            left -= spent;
        }
        if let Some(first) = split.first_mut() {
            *first = left as u8;
        }
        split
    }

    /// Units of money that the first `curves` curves take at most.
    fn reach_of(&self, curves: usize) -> usize {
        let room: usize = self.curves.iter().take(curves).map(|curve| curve.as_ref().len() - 1).sum();
        room.min(self.width - 1)
    }

    /// Best value of that much money over the first `curves` curves.
    fn best(&self, curves: usize, money: usize) -> i32 {
        self.layers.get((curves - 1) * self.width + money).copied().unwrap_or(0)
    }
}

const fn limited(value: i32) -> i32 {
    const LEAST: i32 = -MAX_VALUE;
    match value {
        ..=LEAST => LEAST,
        MAX_VALUE.. => MAX_VALUE,
        _ => value,
    }
}

/// The even split, whatever the values: one unit to each curve by turns, without curves that have reached their
/// limit, until the money or the limits run out. The baseline of the convolution.
///
/// Curves beyond [`MAX_CURVES`] get nothing; limits count up to [`MAX_MONEY`].
pub fn even_split(limits: &[usize], money: usize) -> Split {
    let mut split = Split::new();
    for _ in limits.iter().take(MAX_CURVES) {
        let _ = split.push(0);
    }
    let mut left = money;
    loop {
        let before = left;
        for (share, limit) in split.iter_mut().zip(limits) {
            if left > 0 && usize::from(*share) < (*limit).min(MAX_MONEY) {
                *share += 1;
                left -= 1;
            }
        }
        if left == before {
            return split;
        }
    }
}

/// Fills `curve` with the values at the [`KNOTS`] and with linear interpolation between them, rounded down. Beyond
/// the last knot the curve is flat.
///
/// The curve never falls, for money may stay unspent: a value below an earlier one becomes the earlier one.
///
/// ```
/// use barrow_core::search::blotto::expand;
/// let mut curve = [0; 8];
/// expand(&[10, 15, 12, 18, 0, 0, 0, 0], &mut curve);
/// assert_eq!(curve, [10, 12, 15, 15, 15, 16, 17, 18]);
/// ```
pub fn expand(values: &Curve, curve: &mut [i32]) {
    let mut points = KNOTS.iter().zip(values).map(|(&knot, &value)| (usize::from(knot), value));
    let Some(mut left) = points.next() else { return };
    let mut right = left;
    for (money, value) in curve.iter_mut().enumerate() {
        while right.0 < money {
            left = right;
            let Some((knot, value)) = points.next() else { break };
            right = (knot, value.max(left.1));
        }
        let (width, rise) = (right.0.saturating_sub(left.0), i64::from(right.1) - i64::from(left.1));
        *value = match money.saturating_sub(left.0) {
            into if into < width => (i64::from(left.1) + rise * into as i64 / width as i64) as i32,
            _ => right.1,
        };
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use crate::rng::Rng as Dice;
    use proptest::prelude::*;
    use std::vec;
    use std::vec::Vec as List;

    /// All splits of exactly that much money with their values.
    fn all_splits(curves: &[List<i32>], money: usize) -> List<(i64, List<u8>)> {
        let Some((last, others)) = curves.split_last() else {
            return if money == 0 { vec![(0, List::new())] } else { List::new() };
        };
        let mut all = List::new();
        for (spent, &value) in last.iter().enumerate().take(money + 1) {
            for (rest, mut split) in all_splits(others, money - spent) {
                split.push(spent as u8);
                all.push((rest + i64::from(value), split));
            }
        }
        all
    }

    /// The best of them, and among the best the one that gives least to the last curves.
    fn brute_force(curves: &[List<i32>], money: usize) -> Option<(i64, List<u8>)> {
        let key = |(value, split): &(i64, List<u8>)| {
            let from_last: List<u8> = split.iter().rev().copied().collect();
            (*value, core::cmp::Reverse(from_last))
        };
        all_splits(curves, money).into_iter().max_by_key(key)
    }

    fn slices(curves: &[List<i32>]) -> List<&[i32]> {
        curves.iter().map(List::as_slice).collect()
    }

    #[test]
    fn bad_input_has_a_name() {
        let mut room = [0; 2000];
        let curve: &[i32] = &[1, 2];
        assert_eq!(convolve::<&[i32]>(&[], 3, &mut room).unwrap_err(), BlottoError::NoValue);
        assert_eq!(convolve(&[curve, &[]], 3, &mut room).unwrap_err(), BlottoError::NoValue);
        assert_eq!(convolve(&[curve; 10], 3, &mut room).unwrap_err(), BlottoError::TooManyCurves);
        assert_eq!(convolve(&[curve], 128, &mut room).unwrap_err(), BlottoError::TooMuchMoney);
        let short = room_for(2, 3) - 1;
        assert_eq!(convolve(&[curve; 2], 3, &mut room[..short]).unwrap_err(), BlottoError::Room);
        assert_eq!(room_for(usize::MAX, usize::MAX), usize::MAX);
    }

    #[test]
    fn the_largest_sum_over_the_most_curves() {
        // Of nine equal straight curves the first takes all; of nine equal hollow ones each takes its share.
        let straight: List<i32> = (0..=127).collect();
        let hollow: List<i32> = (0..=127).map(|money| -(money - 14) * (money - 14)).collect();
        let mut room = vec![0; room_for(9, 127)];
        let best =
            convolve(&[straight.as_slice(); 9], 127, &mut room).map(|best| (best.value(), best.split()));
        assert_eq!(best, Ok((127, Split::from_array([127, 0, 0, 0, 0, 0, 0, 0, 0]))));
        let best = convolve(&[hollow.as_slice(); 9], 127, &mut room).map(|best| (best.value(), best.split()));
        assert_eq!(best, Ok((-1, Split::from_array([15, 14, 14, 14, 14, 14, 14, 14, 14]))));
    }

    #[test]
    fn enormous_values_do_not_overflow() {
        for value in [i32::MIN, i32::MAX] {
            let mut room = [7; room_for(9, 2)];
            let curves = [[value; 2]; 9];
            let best = convolve(&curves, 2, &mut room).unwrap();
            assert_eq!(best.value(), 9 * value.clamp(-MAX_VALUE, MAX_VALUE));
            assert_eq!(best.split().iter().sum::<u8>(), 2);
            let mut curve = [0; 9];
            expand(&[i32::MIN, i32::MIN, i32::MIN, value, 0, 0, 0, 0], &mut curve);
            assert_eq!((curve[0], curve[7]), (i32::MIN, value));
        }
    }

    #[test]
    fn money_that_no_curve_takes_stays() {
        let mut room = [0; room_for(2, 50)];
        let curves: [&[i32]; 2] = [&[0, 1], &[0, -2, -1]];
        let best = convolve(&curves, 50, &mut room).unwrap();
        assert_eq!((best.reach(), best.value(), best.split().as_slice()), (3, 0, &[1, 2][..]));
        assert_eq!((best.value_of(1), best.split_of(1).as_slice()), (1, &[1, 0][..]));
        assert_eq!(best.split_of(99), best.split());
    }

    #[test]
    fn even_splits_are_even() {
        assert_eq!(even_split(&[9, 9, 9], 11).as_slice(), [4, 4, 3]);
        assert_eq!(even_split(&[1, 9, 3], 11).as_slice(), [1, 7, 3]);
        assert_eq!(even_split(&[1, 2, 0], 11).as_slice(), [1, 2, 0]);
        assert_eq!(even_split(&[500; 10], 2000).as_slice(), [127; 9]);
        assert_eq!(even_split(&[], 5).len(), 0);
    }

    #[test]
    fn knots_are_joined_by_straight_lines() {
        let mut curve = [0; 31];
        expand(&[-8, 0, 5, 5, 2, 45, 51, 50], &mut curve);
        let head = [-8, -4, 0, 2, 5, 5, 5, 5, 5, 5, 5, 15, 25, 35, 45, 46];
        assert_eq!((&curve[..16], &curve[20..]), (&head[..], &[51; 11][..]));
        expand(&[1; 8], &mut []);
    }

    proptest! {
        #[test]
        fn the_best_split_is_the_best_of_all(
            curves in prop::collection::vec(prop::collection::vec(-9..9_i32, 1..9), 1..5),
            money in 0..12_usize,
        ) {
            let slices = slices(&curves);
            let mut room = vec![i32::MAX; room_for(slices.len(), money)];
            let best = convolve(&slices, money, &mut room).unwrap();
            let takes: usize = curves.iter().map(|curve| curve.len() - 1).sum();
            prop_assert_eq!(best.reach(), takes.min(money));
            for sum in 0..=best.reach() {
                let (value, split) = brute_force(&curves, sum).unwrap();
                prop_assert_eq!(i64::from(best.value_of(sum)), value);
                prop_assert_eq!(best.split_of(sum).to_vec(), split);
            }
        }

        #[test]
        fn no_split_beats_the_best(
            seed in any::<u64>(),
            curves in prop::collection::vec(prop::collection::vec(any::<i32>(), 1..60), 1..10),
            money in 0..=MAX_MONEY,
        ) {
            let slices = slices(&curves);
            let mut room = vec![0; room_for(slices.len(), money)];
            let best = convolve(&slices, money, &mut room).unwrap();
            let worth = |split: &[u8]| -> i32 {
                split.iter().zip(&curves).map(|(&spent, curve)| limited(curve[usize::from(spent)])).sum()
            };
            prop_assert_eq!(worth(&best.split()), best.value());
            let limits: List<usize> = curves.iter().map(|curve| curve.len() - 1).collect();
            let mut split = even_split(&limits, money);
            prop_assert_eq!(split.iter().map(|&spent| usize::from(spent)).sum::<usize>(), best.reach());
            let mut dice = Dice::new(seed);
            for _ in 0..50 {
                prop_assert!(worth(&split) <= best.value());
                let [from, to] = [0; 2].map(|_| dice.below(curves.len() as u32) as usize);
                if split[from] > 0 && usize::from(split[to]) < limits[to] {
                    split[from] -= 1;
                    split[to] += 1;
                }
            }
        }

        #[test]
        fn expanded_curves_pass_the_knots_and_never_fall(values in any::<Curve>(), len in 0..40_usize) {
            let mut curve = vec![0; len];
            expand(&values, &mut curve);
            prop_assert!(curve.is_sorted());
            let mut highest = i32::MIN;
            for (&knot, &value) in KNOTS.iter().zip(&values) {
                highest = highest.max(value);
                if let Some(&found) = curve.get(usize::from(knot)) {
                    prop_assert_eq!(found, highest);
                }
            }
            prop_assert!(curve.iter().skip(29).all(|&value| value == highest));
            for pair in KNOTS.windows(2) {
                let (from, to) = (usize::from(pair[0]), usize::from(pair[1]));
                for money in (from..to).filter(|_| to < len) {
                    let value = |money: usize| i64::from(curve[money]);
                    let line = value(from) * (to - money) as i64 + value(to) * (money - from) as i64;
                    prop_assert_eq!(value(money), line.div_euclid((to - from) as i64));
                }
            }
        }
    }
}
