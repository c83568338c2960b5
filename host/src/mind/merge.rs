//! One list of candidates from the lists of several searches: turns that lead to the same position are the same.

use barrow_core::minions::GameTurn;
use barrow_core::search::staged::Line;
use barrow_core::search::stats::Stats;
use hashbrown::HashMap;

use super::Candidate;
use super::drive::{Harvest, Tried};

/// Candidates of all searches, the best by lower confidence bound first, and the answer expected to it. Visits add
/// up, values are weighed by them.
pub(super) fn candidates(harvests: Vec<Harvest>) -> (Vec<Candidate>, Option<GameTurn>) {
    let mut places: HashMap<u64, usize> = HashMap::new();
    let mut merged: Vec<Tried> = Vec::new();
    let mut replies = Vec::new();
    for Harvest { tried, reply, .. } in harvests {
        replies.extend(tried.first().map(|first| first.key).zip(reply));
        for turn in tried {
            if let Some(known) = places.get(&turn.key).and_then(|&place| merged.get_mut(place)) {
                known.stats.merge(&turn.stats);
            } else {
                places.insert(turn.key, merged.len());
                merged.push(turn);
            }
        }
    }
    merged.sort_by_key(|turn| std::cmp::Reverse(order(&turn.stats)));
    let best = merged.first().map(|best| best.key);
    let reply = replies.into_iter().find(|(key, _)| Some(*key) == best).map(|(_, reply)| reply);
    (merged.into_iter().map(|Tried { turn, stats, .. }| Candidate::new(turn, &stats)).collect(), reply)
}

fn order(stats: &Stats) -> (i32, i32) {
    Line { stats: *stats, ..Line::default() }.order()
}

#[cfg(test)]
mod tests {
    use barrow_core::search::ports::CERTAIN;
    use barrow_core::search::stats::FULL_WEIGHT;

    use super::*;

    fn tried(key: u64, values: &[i32]) -> Tried {
        let mut stats = Stats::EMPTY;
        for &value in values {
            stats.add(value, FULL_WEIGHT);
        }
        Tried { turn: GameTurn { marches: key as u8, ..GameTurn::new() }, key, stats }
    }

    #[test]
    fn equal_turns_add_up_and_the_best_bound_comes_first() {
        let good = vec![CERTAIN * 3 / 4; 20];
        let reply = |marches| Some(GameTurn { marches, ..GameTurn::new() });
        let harvests = vec![
            Harvest {
                tried: vec![tried(1, &[30_000; 30]), tried(2, &good)],
                reply: reply(1),
                ..Harvest::default()
            },
            Harvest {
                tried: vec![tried(2, &[0; 20]), tried(3, &good)],
                reply: reply(2),
                ..Harvest::default()
            },
            Harvest {
                tried: vec![tried(3, &good), tried(1, &[30_000; 3])],
                reply: reply(3),
                ..Harvest::default()
            },
        ];
        let (candidates, reply) = candidates(harvests);
        let order: Vec<_> = candidates.iter().map(|entry| (entry.turn.marches, entry.visits)).collect();
        assert_eq!(order, [(3, 40), (1, 33), (2, 40)]);
        assert!((candidates[2].value - 0.375).abs() < 0.001, "{}", candidates[2].value);
        assert_eq!(reply.map(|turn| turn.marches), Some(3));
    }
}
