//! Optimism of searches, and win chances as they are shown to users, without it.
//!
//! A search gives its root the value of the turn that it likes best. The best of many doubtful values errs upwards, the more
//! so the more turns were compared, so what a search claims for the side to move is more than what a search of the opponent's
//! answer leaves of it. The search itself compares claims with claims and needs no correction; a user reads a win chance.
//! The shifts come from `barrow bench optimism`, by half of its positions (docs/search.md).

use crate::expected_error::{Knot, interpolated};

/// Map of the natural logarithm of a root's visits to the shift of its claims, in log odds. It rises: one visit promises less
/// than there is.
const SHIFTS: [Knot; 8] = [
    (0.0, -0.143),
    (0.693, -0.024),
    (1.792, 0.124),
    (3.219, 0.283),
    (4.605, 0.452),
    (5.991, 0.648),
    (7.378, 0.755),
    (9.473, 0.800),
];

/// Claim from which a turn counts as the game's last: values are kept in steps, and a win in hand is the last step but one.
const WON: f64 = 0.9995;

/// Win chance, 0 to 1, from what a search with so many visits at the root claims for a turn. The order of a root's turns
/// stays, and what is certain stays certain.
pub fn without_optimism(claim: f64, root_visits: u64) -> f64 {
    if claim >= WON {
        return claim;
    }
    shifted(
        claim,
        interpolated(&SHIFTS, f64::from(u32::try_from(root_visits.max(1)).unwrap_or(u32::MAX)).ln()),
    )
}

/// Chance, 0 to 1, with so much less log odds.
pub fn shifted(chance: f64, shift: f64) -> f64 {
    let odds = chance * (-shift).exp();
    odds / (odds + (1.0 - chance))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn win_chances_keep_their_order_and_certain_ones_stay() {
        for visits in [0, 1, 30, 1_000, u64::MAX] {
            let shown: Vec<f64> =
                (0..=1_000).map(|claim| without_optimism(f64::from(claim) / 1_000.0, visits)).collect();
            assert!(shown.is_sorted_by(|low, high| low < high), "{visits}");
            assert!(shown[0].abs() < 1e-12 && (shown[1_000] - 1.0).abs() < 1e-12, "{visits}");
        }
    }

    #[test]
    fn more_visits_are_trusted_less_and_a_single_one_almost_as_it_is() {
        let shown = [1, 10, 100, 1_000, 10_000].map(|visits| without_optimism(0.6, visits));
        assert!(shown.is_sorted_by(|more, less| more > less) && shown[3] < 0.59, "{shown:?}");
        assert!((shown[0] - 0.6).abs() < 0.04, "{shown:?}");
    }

    #[test]
    fn a_shift_is_one_of_log_odds() {
        let log_odds = |chance: f64| (chance / (1.0 - chance)).ln();
        assert!((log_odds(shifted(0.7, 0.3)) - (log_odds(0.7) - 0.3)).abs() < 1e-12);
        assert!((shifted(shifted(0.2, 0.5), -0.5) - 0.2).abs() < 1e-12);
    }
}
