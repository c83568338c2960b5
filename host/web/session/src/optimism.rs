//! Optimism of searches, and win chances as they are shown to users, without it.
//!
//! A search gives its root the value of the turn that it likes best. The best of many doubtful values errs upwards, the more
//! so the more turns were compared and the more different they are, so what a search claims for the side to move is more than
//! what a search of the opponent's answer leaves of it. The search itself compares claims with claims and needs no correction;
//! a user reads a win chance. The shifts come from `barrow bench optimism` (docs/search.md).

use barrow_core::minions::{Game, Side};

use crate::expected_error::{Knot, interpolated};

/// Techs that both sides together have acquired, for the columns of [`SHIFTS`].
const TECHS: [f64; 4] = [1.0, 4.0, 9.0, 18.0];

/// Natural logarithm of a root's visits, and the shift of its claims in log odds by [`TECHS`]. It rises with the visits, from
/// six on with the techs, too: units of more kinds make turns that differ more. One visit promises less than there is.
const SHIFTS: [(f64, [f64; 4]); 7] = [
    (0.0, [-0.01, 0.04, 0.05, -0.15]),
    (1.792, [0.10, 0.11, 0.11, 0.16]),
    (3.219, [0.17, 0.25, 0.25, 0.34]),
    (4.605, [0.26, 0.39, 0.40, 0.48]),
    (5.991, [0.33, 0.54, 0.55, 0.63]),
    (7.378, [0.39, 0.68, 0.69, 0.72]),
    (9.393, [0.41, 0.68, 0.80, 0.85]),
];

/// Claim from which a turn counts as the game's last: values are kept in steps, and a win in hand is the last step but one.
const WON: f64 = 0.9995;

/// Optimism of one search: the log odds that its claims have too much.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Optimism {
    shift: f64,
}

impl Optimism {
    /// Optimism of a search of this position with so many visits at the root.
    pub fn of(game: &Game, root_visits: u64) -> Optimism {
        let acquired = |side| game.state().tech_at_start(side).acquired_bits().count_ones();
        Optimism::by(root_visits, Side::ALL.map(acquired).iter().sum())
    }

    /// Optimism with so many visits at the root, where both sides together have so many techs.
    fn by(root_visits: u64, techs: u32) -> Optimism {
        let at = f64::from(u32::try_from(root_visits.max(1)).unwrap_or(u32::MAX)).ln();
        let by_techs = |row: [f64; 4]| {
            let knots: [Knot; 4] = std::array::from_fn(|column| (TECHS[column], row[column]));
            interpolated(&knots, f64::from(techs))
        };
        Optimism { shift: interpolated(&SHIFTS.map(|(visits, row)| (visits, by_techs(row))), at) }
    }

    /// Win chance, 0 to 1, from what the search claims for a turn. The order of a root's turns stays, and what is certain
    /// stays certain.
    pub fn without(self, claim: f64) -> f64 {
        if claim >= WON { claim } else { shifted(claim, self.shift) }
    }
}

/// Chance, 0 to 1, with so much less log odds.
pub fn shifted(chance: f64, shift: f64) -> f64 {
    let odds = chance * (-shift).exp();
    odds / (odds + (1.0 - chance))
}

#[cfg(test)]
mod tests {
    use super::*;
    use barrow_core::minions::Ruleset;
    use barrow_core::minions::text::fen;

    #[test]
    fn win_chances_keep_their_order_and_certain_ones_stay() {
        for (visits, techs) in [(0, 0), (1, 50), (30, 7), (1_000, 30), (u64::MAX, 12)] {
            let optimism = Optimism::by(visits, techs);
            let shown: Vec<f64> =
                (0..=1_000).map(|claim| optimism.without(f64::from(claim) / 1_000.0)).collect();
            assert!(shown.is_sorted_by(|low, high| low < high), "{visits}");
            assert!(shown[0].abs() < 1e-12 && (shown[1_000] - 1.0).abs() < 1e-12, "{visits}");
        }
    }

    #[test]
    fn more_visits_are_trusted_less_and_a_single_one_almost_as_it_is() {
        for techs in [0, 3, 10, 25] {
            let shown = [1, 10, 100, 1_000, 10_000].map(|visits| Optimism::by(visits, techs).without(0.6));
            assert!(shown[1..].is_sorted_by(|more, less| more >= less) && shown[3] < 0.59, "{shown:?}");
            assert!((shown[0] - 0.6).abs() < 0.07, "{shown:?}");
        }
    }

    #[test]
    fn more_techs_are_trusted_less() {
        for visits in [6, 80, 400, 2_000, 50_000] {
            let shown = [0, 4, 9, 18, 40].map(|techs| Optimism::by(visits, techs).without(0.6));
            assert!(
                shown.is_sorted_by(|more, less| more >= less) && shown[0] > shown[4],
                "{visits}: {shown:?}"
            );
        }
        let at_knot = Optimism::by(400, 4).shift;
        assert!((at_knot - SHIFTS[4].1[1]).abs() < 0.001, "{at_knot}");
    }

    #[test]
    fn techs_that_both_sides_have_acquired_count() {
        let config = fen::parse_config("1 AllLand S,P,W", Ruleset::Server).unwrap();
        for (techs, count) in [("LLL|LLL", 0), ("AUL|LLL", 1), ("AUA|AAU", 4)] {
            let text = format!("9|0 0|0 {techs} n|Z||||0/0/2NZ6/0/0/0/0/7n2/0/0 0 5");
            let game = fen::parse(&text, &config).unwrap();
            assert_eq!(Optimism::of(&game, 400), Optimism::by(400, count), "{techs}");
        }
    }

    #[test]
    fn a_shift_is_one_of_log_odds() {
        let log_odds = |chance: f64| (chance / (1.0 - chance)).ln();
        assert!((log_odds(shifted(0.7, 0.3)) - (log_odds(0.7) - 0.3)).abs() < 1e-12);
        assert!((shifted(shifted(0.2, 0.5), -0.5) - 0.2).abs() < 1e-12);
    }
}
