//! Expected errors of win chances as they are shown to users.
//!
//! The error of a win chance is its difference from what the search says when the same side is to move again, two turns
//! later, or from the result of a game that is over by then. The expected error is the root mean square of that
//! difference, so a win chance of 60 % with an expected error of 8 points is mostly followed by one of 52 to 68 %. The
//! constants here come from `barrow calibrate`, by games that the networks did not learn from (`nnue/nets/README.md`).
//!
//! How sure a search is of the mean of its values says little about that: the standard error of the mean falls with the
//! number of visits, however much those values differ. Their deviation does not, and what is in store for a side is what
//! the search has seen by different continuations.

/// Knot of a map: a raw error, and the error to expect with it.
pub type Knot = (f64, f64);

/// Map of the error that a network says: those below a fifth are smaller than it says, larger ones about as large.
const NETWORK: [Knot; 12] = [
    (0.029, 0.008),
    (0.068, 0.043),
    (0.103, 0.055),
    (0.130, 0.088),
    (0.148, 0.121),
    (0.160, 0.143),
    (0.171, 0.151),
    (0.183, 0.163),
    (0.196, 0.181),
    (0.211, 0.198),
    (0.231, 0.231),
    (0.279, 0.306),
];

/// Map of the deviation of a search's values, from searches of 80 nodes.
const SEARCH: [Knot; 13] = [
    (0.0, 0.0),
    (0.003, 0.018),
    (0.010, 0.019),
    (0.022, 0.033),
    (0.033, 0.046),
    (0.046, 0.072),
    (0.057, 0.085),
    (0.068, 0.095),
    (0.079, 0.108),
    (0.094, 0.120),
    (0.114, 0.137),
    (0.170, 0.182),
    (0.5, 0.48),
];

/// Visits, besides those of a turn, that have the usual deviation: a turn with few visits has had no occasion to differ.
const USUAL_VISITS: f64 = 2.0;

/// Usual deviation for each unit of that of a game's result, which is the root of the win chance times the loss chance.
const USUAL_SHARE: f64 = 0.2;

/// Expected error of a network's win chance, from the error that the network says.
pub fn of_network(said: f64) -> f64 {
    interpolated(&NETWORK, said)
}

/// Expected error of a search's value, from the deviation of the values behind it.
pub fn of_search(deviation: f64) -> f64 {
    interpolated(&SEARCH, deviation)
}

/// Deviation of the values that the visits of a turn had, from their mean, its standard error and the number of visits,
/// with the usual deviation counted in for some visits more.
pub fn deviation(mean: f64, standard_error: f64, visits: f64) -> f64 {
    let usual = USUAL_SHARE * USUAL_SHARE * (mean * (1.0 - mean)).max(0.0);
    let squares = (visits * standard_error).powi(2) + USUAL_VISITS * usual;
    (squares / (visits + USUAL_VISITS)).sqrt()
}

/// Win chance with its expected error, both 0 to 1, in words: `63.2%, give or take 8 points`.
pub fn chance_in_words(chance: f64, error: f64) -> String {
    format!("{:.1}%, give or take {:.0} points", 100.0 * chance, 100.0 * error)
}

/// Value at a point by straight lines between knots, which rise, and as at the nearest knot beyond them; 0 without knots.
pub fn interpolated(knots: &[Knot], at: f64) -> f64 {
    let next = knots.partition_point(|knot| knot.0 < at);
    match (next.checked_sub(1).and_then(|last| knots.get(last)), knots.get(next)) {
        (Some(low), Some(high)) => {
            let value = low.1 + (at - low.0) / (high.0 - low.0) * (high.1 - low.1);
            // Rounding must not make the line leave the knots.
            value.max(low.1.min(high.1)).min(low.1.max(high.1))
        }
        (Some(only), None) | (None, Some(only)) => only.1,
        (None, None) => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deviation_is_that_of_the_visits_and_does_not_fall_with_their_number() {
        // Values 0.4 and 0.6 in turn: deviation 0.1, standard error 0.1 / sqrt(n).
        for visits in [4.0_f64, 100.0, 10_000.0] {
            let found = deviation(0.5, 0.1 / visits.sqrt(), visits);
            assert!((found - 0.1).abs() < 1e-9, "{visits}: {found}");
        }
        // By hand: (4 x 0.04 + 2 x 0.04 x 0.25) / 6.
        assert!((deviation(0.5, 0.1, 4.0) - 0.03_f64.sqrt()).abs() < 1e-12);
        // A single visit has no deviation of its own, but is sure of nothing; a game that is won is.
        assert!((deviation(0.5, 0.0, 1.0) - (0.02_f64 / 3.0).sqrt()).abs() < 1e-12);
        assert!(deviation(1.0, 0.0, 1.0).abs() < 1e-12);
    }

    #[test]
    fn expected_errors_rise_with_raw_ones_and_stay_chances() {
        let all = |of: fn(f64) -> f64| (0..=1_000).map(move |raw| of(f64::from(raw) / 1_000.0));
        for errors in [all(of_network), all(of_search)] {
            let errors: Vec<f64> = errors.collect();
            assert!(errors.is_sorted() && errors.iter().all(|error| (0.0..=1.0).contains(error)));
        }
        assert!((of_network(0.139) - 0.1045).abs() < 1e-9);
        assert_eq!(chance_in_words(0.6318, 0.0791), "63.2%, give or take 8 points");
        assert!(interpolated(&[], 1.0).abs() < 1e-12);
    }
}
