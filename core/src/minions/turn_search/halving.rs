//! Sequential halving of the turns of the root: all of them share the visits of a phase, then the better half goes on
//! (Z. Karnin, T. Koren, O. Somekh, "Almost optimal exploration in multi-armed bandits", 2013; for few visits at the root
//! of a tree: I. Danihelka and others, "Policy improvement by planning with Gumbel", 2022). What counts at the root is to
//! find the best turn, not to lose little on the way.
//!
//! Rounds of halving follow each other, and each begins anew with all turns: rounds of equal effort where the end of the search is known,
//! otherwise rounds of which each is twice as long as the one before, so that the search may be stopped at any time (D. Sagers, M. Winands,
//! D. Soemers, "Anytime sequential halving in Monte-Carlo tree search", 2024). What one round finds, the turns that the next one
//! composes are made of.

use heapless::Vec;

use super::options::SearchOptions;
use super::shared_tree::SharedTree;
use super::threading::{Batch, DIFFERENT, batch_after};
use crate::heapless_vec;
use crate::search::tree::Node;
use crate::search::value::CERTAIN;

/// Share of the effort of a round, in 1/65,536, after which no new turn is composed at the root.
const COMPOSING: i32 = CERTAIN / 2;

/// Visits of the root in the first round of a search whose end is not known.
const FIRST_ROUND: u32 = 32;

/// Turns that the second phase begins with at most.
const FINALISTS: usize = 32;

/// Turns that the last phase ends with.
const LEAST: usize = 2;

/// Share of its round that is spent, in 1/65,536, when this share of a search is spent whose rounds are so many.
const fn share_of_round(spent: i32, rounds: u8) -> i32 {
    if spent >= CERTAIN { CERTAIN } else { (spent as i64 * rounds as i64 % CERTAIN as i64) as i32 }
}

/// Share of its round that is spent, in 1/65,536, after this many visits of the root, where each round is twice as long as
/// the one before.
fn share_by_visits(visits: u32) -> i32 {
    let (visits, first) = (u64::from(visits), u64::from(FIRST_ROUND));
    // The sum is never 0.
    let doublings = (visits / first + 1).checked_ilog2().unwrap_or(0);
    // Rounds are as long as powers of two.
    let bits = FIRST_ROUND.trailing_zeros() + doublings;
    (((visits + first - (1 << bits)) * CERTAIN as u64) >> bits) as i32
}

/// Whether new turns may be composed at the root when this share of a round is spent.
pub(super) const fn may_compose(spent: i32) -> bool {
    spent <= COMPOSING
}

/// Number of turns that are still in the race, of this many, when this share of a round is spent: a half of those of
/// the phase before, in phases of equal length, one for each binary digit of their number.
fn contestants(count: usize, spent: i32) -> usize {
    let phases = usize::BITS - count.leading_zeros();
    let phase = (u64::from(phases) * spent.clamp(0, CERTAIN - 1) as u64 / CERTAIN as u64) as u32;
    if phase == 0 { count } else { (count >> phase).clamp(LEAST, FINALISTS) }
}

/// Visits and index of a turn.
type Visited = (u32, u32);

impl SharedTree<'_> {
    /// Share of the round of sequential halving that is spent, in 1/65,536; `None` where the root is searched by PUCT.
    pub(super) fn spent_of_round(&self, options: &SearchOptions) -> Option<i32> {
        let by_visits = || share_by_visits(self.tree.stats(self.root).visits());
        let share = |spent| share_of_round(spent, options.rounds);
        options.halving.then(|| self.spent.map_or_else(by_visits, share))
    }

    /// The turn of the root to follow when this share of a round is spent: of the best ones still in the race that which
    /// has the fewest visits, and of several the oldest. A turn without visits is as good as any. In a tree of stripes, whose
    /// threads all come here, several turns are chosen at a time.
    #[inline(never)]
    pub(super) fn least_visited_contestant(&mut self, spent: i32) -> Option<u32> {
        if self.tree.stripe().is_whole() {
            let mut least: Option<Visited> = None;
            self.each_contestant(spent, |turn| least = Some(least.map_or(turn, |least| least.min(turn))));
            return least.map(|turn| turn.1);
        }
        if self.batch.is_empty() {
            let most = batch_after(self.tree.stats(self.root).visits());
            let different = most.min(DIFFERENT);
            let mut few: Vec<Visited, DIFFERENT, u8> = Vec::new();
            self.each_contestant(spent, |turn| {
                let place = few.iter().rposition(|known| *known < turn).map_or(0, |last| last + 1);
                if place < different {
                    few.truncate(different - 1);
                    // There is room now.
                    let _ = heapless_vec::insert(&mut few, place, turn);
                }
            });
            self.batch = batch_of(&mut few, most);
        }
        self.batch.pop()
    }

    /// Calls `visit` with every turn of the root that is still in the race when this share of a round is spent.
    fn each_contestant(&self, spent: i32, mut visit: impl FnMut(Visited)) {
        let edges = || {
            self.tree.edges(self.root).map(|(index, edge)| {
                let visits = edge.stats.visits();
                let mean = if visits == 0 { CERTAIN } else { edge.stats.mean() };
                (mean, visits + edge.visitors(), index)
            })
        };
        let count = self.tree.node(self.root).map_or(0, Node::edge_count);
        let wanted = contestants(count, spent);
        if wanted >= count {
            edges().for_each(|(_, visits, index)| visit((visits, index)));
            return;
        }
        // The best ones, the best first; of equal ones the oldest comes first.
        let mut best: Vec<(i32, u32, u32), FINALISTS, u8> = Vec::new();
        for edge in edges() {
            let better = |known: &(i32, u32, u32)| (edge.0, known.2) > (known.0, edge.2);
            // Most are behind all of them.
            if best.len() == wanted && !best.last().is_some_and(better) {
                continue;
            }
            let place = best.iter().position(better).unwrap_or(best.len());
            if place < wanted {
                best.truncate(wanted - 1);
                // There is room now.
                let _ = heapless_vec::insert(&mut best, place, edge);
            }
        }
        best.iter().for_each(|&(_, visits, index)| visit((visits, index)));
    }
}

/// The turns that are followed next, so many, if each time it is the least visited of these. Each turn stands beside itself, so
/// that the thread which draws them comes to its position as often as it can without a lock between.
fn batch_of(few: &mut [Visited], most: usize) -> Batch {
    let mut shares = [0_u16; DIFFERENT];
    for _ in 0..most {
        let least = few.iter_mut().zip(&mut shares).min_by_key(|(turn, _)| **turn);
        let Some((turn, share)) = least else { break };
        turn.0 += 1;
        *share += 1;
    }
    let mut batch = Batch::new();
    // The first turns are drawn last.
    for (turn, &share) in few.iter().zip(&shares).rev() {
        for _ in 0..share {
            // There is room for as many as there may be.
            let _ = batch.push(turn.1);
        }
    }
    batch
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::super::threading::BATCH;
    use super::*;

    #[test]
    fn half_of_the_turns_go_on_after_each_phase() {
        let at = |count, spent: &[i32]| -> std::vec::Vec<usize> {
            spent.iter().map(|spent| contestants(count, spent * 64)).collect()
        };
        // Eleven have four binary digits, so there are four phases.
        assert_eq!(at(11, &[0, 255, 256, 511, 512, 767, 768, 1024]), [11, 11, 5, 5, 2, 2, 2, 2]);
        assert_eq!(at(1, &[0, 512, 1024]), [1, 1, 1]);
        assert_eq!(at(3, &[0, 511, 512, 1024]), [3, 3, 2, 2]);
        assert_eq!(at(200, &[0, 127, 128, 256, 384, 512]), [200, 200, 32, 32, 25, 12]);
        assert_eq!(at(0, &[0, 1024]), [0, 0]);
    }

    #[test]
    fn rounds_of_equal_effort_begin_anew() {
        let at = |rounds| {
            [0, 16_384, 32_767, 32_768, 49_152, 65_535, 65_536].map(|spent| share_of_round(spent, rounds))
        };
        assert_eq!(at(1), [0, 16_384, 32_767, 32_768, 49_152, 65_535, 65_536]);
        assert_eq!(at(2), [0, 32_768, 65_534, 0, 32_768, 65_534, 65_536]);
    }

    #[test]
    fn each_round_of_a_search_without_end_is_twice_as_long() {
        let shares = [0, 16, 31, 32, 64, 95, 96, 160, 223, 224].map(share_by_visits);
        assert_eq!(shares, [0, 32_768, 63_488, 0, 32_768, 64_512, 0, 32_768, 65_024, 0]);
        let all = (0..u32::MAX).step_by(65_521).chain([u32::MAX - 1, u32::MAX]);
        assert!(all.map(share_by_visits).all(|share| (0..CERTAIN).contains(&share)));
    }

    #[test]
    fn a_batch_makes_visits_even_and_each_turn_stands_beside_itself() {
        let drawn = |few: &mut [Visited], most| -> std::vec::Vec<u32> {
            let mut batch = batch_of(few, most);
            core::iter::from_fn(|| batch.pop()).collect()
        };
        // A new turn catches up with the others.
        assert_eq!(drawn(&mut [(3, 7), (5, 1), (5, 4)], 7), [7, 7, 7, 1, 1, 4, 4]);
        assert_eq!(drawn(&mut [(3, 7), (5, 1), (9, 4)], 4), [7, 7, 7, 1]);
        assert_eq!(drawn(&mut [(9, 3)], BATCH), [3; BATCH]);
        assert!(drawn(&mut [], BATCH).is_empty());
    }
}
