//! Comparison of two bots by what each does against the same opponents.

use crate::matches::elo::Pentanomial;

/// Pairs of one player and those of another, these with the points turned round, as if the two had met.
pub fn turned_against(one: Pentanomial, mut other: Pentanomial) -> Pentanomial {
    other.reverse();
    std::array::from_fn(|points| one[points] + other[points])
}

/// The value with which a number of a bot begins to be tuned: the last one that the bot's settings on the command line
/// name. Fails for a number that they do not name.
pub fn named_value(player: &str, number: &str) -> Result<f64, String> {
    let settings = player.split(',').rev().filter_map(|setting| setting.split_once('='));
    let value = settings.clone().find(|(name, _)| *name == number).and_then(|(_, value)| value.parse().ok());
    value.ok_or_else(|| format!("the player does not say with which {number}=VALUE to begin"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_turned_round_weigh_what_the_first_wins_more() {
        assert_eq!(turned_against([1, 0, 2, 0, 5], [3, 1, 0, 0, 4]), [5, 0, 2, 1, 8]);
    }

    #[test]
    fn numbers_begin_where_the_player_says() {
        assert_eq!(named_value("full,x1=4,work=9,x1=5", "x1"), Ok(5.0));
        for (player, number) in [("full", "x1"), ("full,x1=a", "x1"), ("full,x1=4", "x")] {
            assert!(named_value(player, number).is_err(), "{player} {number}");
        }
    }
}
