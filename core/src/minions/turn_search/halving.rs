//! Sequential halving of the turns of the root: all of them share the visits of a phase, then the better half goes on
//! (Z. Karnin, T. Koren, O. Somekh, "Almost optimal exploration in multi-armed bandits", 2013; for few visits at the root
//! of a tree: I. Danihelka and others, "Policy improvement by planning with Gumbel", 2022). What counts at the root is to
//! find the best turn, not to lose little on the way.

use heapless::Vec;

use super::shared_tree::SharedTree;
use crate::heapless_vec;
use crate::search::tree::Node;
use crate::search::value::CERTAIN;

/// Share of the effort, in 1/65,536, after which no new turn is composed at the root.
const COMPOSING: i32 = CERTAIN / 2;

/// Turns that the second phase begins with at most.
const FINALISTS: usize = 32;

/// Turns that the last phase ends with.
const LEAST: usize = 2;

/// Whether new turns may be composed at the root when this share of the effort is spent.
pub(super) const fn may_compose(spent: i32) -> bool {
    spent <= COMPOSING
}

/// Number of turns that are still in the race, of this many, when this share of the effort is spent: a half of those of
/// the phase before, in phases of equal length, one for each binary digit of their number.
fn contestants(count: usize, spent: i32) -> usize {
    let phases = usize::BITS - count.leading_zeros();
    let phase = (u64::from(phases) * spent.clamp(0, CERTAIN - 1) as u64 / CERTAIN as u64) as u32;
    if phase == 0 { count } else { (count >> phase).clamp(LEAST, FINALISTS) }
}

impl SharedTree<'_> {
    /// The turn of the root to follow when this share of the effort is spent: of the best ones still in the race that which
    /// has the fewest visits, and of several the oldest. A turn without visits is as good as any.
    #[inline(never)]
    pub(super) fn least_visited_contestant(&self, spent: i32) -> Option<u32> {
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
            return edges().min_by_key(|&(_, visits, index)| (visits, index)).map(|edge| edge.2);
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
        best.iter().min_by_key(|&&(_, visits, index)| (visits, index)).map(|edge| edge.2)
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

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
}
