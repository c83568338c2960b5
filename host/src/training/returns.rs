//! λ-returns: win chances at the starts of turns in which what later searches and the result say counts too
//! (R. Sutton, "Learning to predict by the methods of temporal differences", 1988).
//!
//! A search does not see what its successors see, and its best turn's value is one that errs upwards. The searches of both
//! sides err in opposite directions, so that a mean over turns of both is nearer to the truth.

use crate::records::game_record::Ply;

/// Share of the next turn's return in a return; the rest is what the search says at the turn itself.
const LAMBDA: f32 = 0.7;

/// λ-return of each turn of a game, as the win chance of the side that plays it; `None` where nobody searched. `result` is
/// that of the side that plays the last turn, 0 to 1.
///
/// A turn that nobody searched, such as a random one, says nothing of the position before: no return reaches beyond it.
pub(super) fn lambda_returns(plies: &[Ply], result: f32) -> Vec<Option<f32>> {
    let mut later = Some(result);
    let mut returns = Vec::with_capacity(plies.len());
    for ply in plies.iter().rev() {
        let own = ply.searched_chance().map(|chance| match later {
            Some(later) => chance + LAMBDA * (later - chance),
            None => chance,
        });
        returns.push(own);
        later = own.map(|own| 1.0 - own);
    }
    returns.reverse();
    returns
}

#[cfg(test)]
mod tests {
    use barrow_core::minions::GameTurn;

    use super::*;
    use crate::records::game_record::Policy;
    use crate::records::root_record::RootRecord;

    fn ply(chance: Option<f64>) -> Ply {
        let root = chance.map(|value| RootRecord {
            nodes: 80,
            value,
            error: 0.0,
            visits: 40,
            reply: None,
            generals: Vec::new(),
            boards: Vec::new(),
        });
        let policy = if root.is_some() { Policy::Teacher } else { Policy::Random };
        Ply { turn: GameTurn::default(), policy, root }
    }

    fn returns(chances: &[Option<f64>], result: f32) -> Vec<Option<f32>> {
        let plies: Vec<Ply> = chances.iter().copied().map(ply).collect();
        let rounded = |own: f32| (own * 1e4).round() / 1e4;
        lambda_returns(&plies, result).into_iter().map(|own| own.map(rounded)).collect()
    }

    #[test]
    fn a_return_mixes_own_and_later_searches_and_the_result() {
        assert_eq!(returns(&[Some(0.6)], 1.0), [Some(0.88)]);
        // The opponent's return of 0.12 is 0.88 for the side before.
        assert_eq!(returns(&[Some(0.6), Some(0.4)], 0.0), [Some(0.796), Some(0.12)]);
        // Both sides claim too much by as much: what they say together is even.
        let both = returns(&[Some(0.6); 40], 0.5);
        assert!((both[0].unwrap() - 0.5176).abs() < 1e-3, "{both:?}");
    }

    #[test]
    fn no_return_reaches_beyond_a_turn_that_nobody_searched() {
        assert_eq!(returns(&[Some(0.6), None, Some(0.3)], 1.0), [Some(0.6), None, Some(0.79)]);
        assert_eq!(returns(&[None, None], 1.0), [None, None]);
    }
}
