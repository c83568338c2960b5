//! Ratings: strengths of all players of a match in Elo by maximum likelihood, each with its confidence interval.
//!
//! The model is that of Bradley and Terry ("Rank analysis of incomplete block designs", 1952). An observation is a pair of
//! games on one opening, as in [`elo`](super::elo), so that intervals are as narrow as side-swapped pairs make them: the
//! covariance is the sandwich of the information matrix with the spread that was observed.

use super::elo::{Elo, Pentanomial, expected_score, moments};
use crate::statistics::half_width;

/// Steps of Newton's method at most; it needs about five.
const STEPS: usize = 100;

/// Largest change of a strength in one step, in Elo.
const STRIDE: f64 = 200.0;

/// Derivative of the expected score by Elo, divided by the score times its complement.
const SLOPE: f64 = std::f64::consts::LN_10 / 400.0;

/// Encounter as an observation: both players, number of pairs, mean score of a game of the first, variance of a pair's.
struct Observed {
    players: [usize; 2],
    pairs: f64,
    mean: f64,
    variance: f64,
}

/// Strength of each player over the first one. `None` for players that no chain of games connects with it; its own is 0.
pub(super) fn ratings(players: usize, encounters: &[([usize; 2], Pentanomial)]) -> Vec<Option<Elo>> {
    let connected = connected_with_first(players, encounters);
    let observed: Vec<Observed> = encounters
        .iter()
        .filter(|(both, _)| both.iter().all(|&player| connected.get(player) == Some(&true)))
        .filter_map(|(both, counts)| {
            let (pairs, mean, variance) = moments(counts)?;
            Some(Observed { players: *both, pairs, mean, variance })
        })
        .collect();
    // Unknowns are the strengths of connected players but the first.
    let unknowns: Vec<usize> = (1..players).filter(|&player| connected[player]).collect();
    let place = |player: usize| unknowns.iter().position(|&unknown| unknown == player);
    let mut strengths = vec![0.0; players];
    for _ in 0..STEPS {
        let (information, _, gradient) = sums(&observed, &strengths, unknowns.len(), place);
        let Some(inverse) = inverse(&information) else { break };
        let mut largest: f64 = 0.0;
        for (row, &player) in inverse.iter().zip(&unknowns) {
            let change: f64 = row.iter().zip(&gradient).map(|(cell, slope)| cell * slope).sum();
            largest = largest.max(change.abs());
            strengths[player] += change.clamp(-STRIDE, STRIDE);
        }
        if largest < 1e-9 {
            break;
        }
    }
    let (information, spread, _) = sums(&observed, &strengths, unknowns.len(), place);
    let covariance = inverse(&information).map(|inverse| product(&product(&inverse, &spread), &inverse));
    (0..players)
        .map(|player| {
            let variance = match (place(player), &covariance) {
                (Some(index), Some(covariance)) => covariance[index][index],
                _ => 0.0,
            };
            connected[player]
                .then(|| Elo { value: strengths[player] + 0.0, error: half_width(variance.max(0.0), 1.0) })
        })
        .collect()
}

/// Whether games connect each player with the first.
fn connected_with_first(players: usize, encounters: &[([usize; 2], Pentanomial)]) -> Vec<bool> {
    let mut connected: Vec<bool> = (0..players).map(|player| player == 0).collect();
    for _ in 0..players {
        for (both, counts) in encounters {
            if counts.iter().any(|&count| count > 0) && both.iter().any(|&player| connected[player]) {
                for &player in both {
                    connected[player] = true;
                }
            }
        }
    }
    connected
}

type Matrix = Vec<Vec<f64>>;

/// Information matrix, matrix of the observed spread, and gradient of the log-likelihood at these strengths.
fn sums(
    observed: &[Observed],
    strengths: &[f64],
    size: usize,
    place: impl Fn(usize) -> Option<usize>,
) -> (Matrix, Matrix, Vec<f64>) {
    let (mut information, mut spread) = (vec![vec![0.0; size]; size], vec![vec![0.0; size]; size]);
    let mut gradient = vec![0.0; size];
    for Observed { players, pairs, mean, variance } in observed {
        let expected = expected_score(strengths[players[0]] - strengths[players[1]]);
        let weight = pairs * expected * (1.0 - expected) * SLOPE;
        let places = players.map(&place);
        for (row, sign) in [(places[0], 1.0), (places[1], -1.0)] {
            let Some(row) = row else { continue };
            gradient[row] += sign * pairs * (mean - expected);
            for (column, other_sign) in [(places[0], 1.0), (places[1], -1.0)] {
                let Some(column) = column else { continue };
                information[row][column] += sign * other_sign * weight;
                spread[row][column] += sign * other_sign * pairs * variance;
            }
        }
    }
    (information, spread, gradient)
}

/// Inverse of a square matrix by elimination with the largest pivot; `None` where there is none.
fn inverse(matrix: &Matrix) -> Option<Matrix> {
    let size = matrix.len();
    let mut left = matrix.clone();
    let mut right: Matrix =
        (0..size).map(|row| (0..size).map(|column| f64::from(u8::from(row == column))).collect()).collect();
    for column in 0..size {
        let pivot =
            (column..size).max_by(|&a, &b| left[a][column].abs().total_cmp(&left[b][column].abs()))?;
        if left[pivot][column].abs() < 1e-12 {
            return None;
        }
        left.swap(column, pivot);
        right.swap(column, pivot);
        let scale = left[column][column];
        for cell in left[column].iter_mut().chain(&mut right[column]) {
            *cell /= scale;
        }
        let (left_pivot, right_pivot) = (left[column].clone(), right[column].clone());
        for row in (0..size).filter(|&row| row != column) {
            let factor = left[row][column];
            for index in 0..size {
                left[row][index] -= factor * left_pivot[index];
                right[row][index] -= factor * right_pivot[index];
            }
        }
    }
    Some(right)
}

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    let cell = |row: &[f64], column: usize| row.iter().zip(b).map(|(cell, other)| cell * other[column]).sum();
    a.iter().map(|row| (0..b.len()).map(|column| cell(row, column)).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matches::elo::elo;

    #[test]
    fn two_players_have_the_strength_of_their_match() {
        for counts in [[10, 20, 40, 20, 10], [0, 3, 36, 20, 14], [30, 5, 2, 0, 0], [0, 0, 0, 0, 9]] {
            let rated = ratings(2, &[([0, 1], counts)]);
            let (first, second) = (rated[0].unwrap(), rated[1].unwrap());
            let known = elo(&counts);
            assert_eq!(first, Elo { value: 0.0, error: 0.0 });
            assert!((second.value + known.value).abs() < 1e-6, "{second:?} {known:?}");
            // Where nobody is far ahead both intervals are the same one.
            assert!(
                known.value.abs() > 150.0 || (second.error - known.error).abs() < 2.0,
                "{second:?} {known:?}"
            );
        }
    }

    #[test]
    fn strengths_that_made_the_scores_are_found_again() {
        let strengths = [0.0, 100.0, -50.0, 240.0];
        let mut encounters = Vec::new();
        for first in 0..4 {
            for second in first + 1..4 {
                let score = expected_score(strengths[first] - strengths[second]);
                let wins = (score * 100_000.0).round() as u32;
                encounters.push(([first, second], [100_000 - wins, 0, 0, 0, wins]));
            }
        }
        let rated = ratings(4, &encounters);
        for (rated, strength) in rated.iter().zip(strengths) {
            let rated = rated.unwrap();
            assert!((rated.value - strength).abs() < 0.05 && rated.error < 3.0, "{rated:?} {strength}");
        }
        // Games against others narrow the interval of two players, too.
        let alone = ratings(2, &encounters[..1])[1].unwrap();
        assert!(rated[1].unwrap().error < alone.error);
    }

    #[test]
    fn one_interval_in_twenty_misses_the_strength() {
        use barrow_core::rng::Rng;
        let strengths = [0.0, 60.0, -80.0];
        let (mut dice, mut missed) = (Rng::new(1), 0);
        for _ in 0..400 {
            let encounters = [[0, 1], [0, 2], [1, 2]].map(|both: [usize; 2]| {
                let score = expected_score(strengths[both[0]] - strengths[both[1]]);
                let mut counts = [0; 5];
                for _ in 0..100 {
                    let mut win = || usize::from(f64::from(dice.below(1 << 20)) < score * f64::from(1 << 20));
                    counts[2 * (win() + win())] += 1;
                }
                (both, counts)
            });
            let rated = ratings(3, &encounters)[1].unwrap();
            missed += u32::from((rated.value - strengths[1]).abs() > rated.error);
        }
        // 5 % of 400 are 20, with a standard deviation of 4.4.
        assert!((8..=34).contains(&missed), "{missed}");
    }

    #[test]
    fn players_without_games_have_no_strength() {
        let rated = ratings(4, &[([0, 1], [0, 0, 1, 0, 0]), ([2, 3], [0, 0, 1, 0, 0]), ([0, 2], [0; 5])]);
        assert!(rated[1].is_some() && rated[2].is_none() && rated[3].is_none());
        assert!(ratings(3, &[]).iter().skip(1).all(Option::is_none));
    }
}
