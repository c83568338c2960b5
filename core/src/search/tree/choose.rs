//! Selection of an edge of a node, by one rule or another.

use super::{Edge, Tree};
use crate::search::stats::{Puct, Stats, ucb1};
use crate::search::value::CERTAIN;

impl<E: Copy> Tree<'_, E> {
    /// The edge with the highest score; of several the oldest.
    pub fn best_by(&self, node: u32, mut score: impl FnMut(u32, &Edge<E>) -> i64) -> Option<u32> {
        let mut best = None;
        for (index, edge) in self.edges(node) {
            let score = score(index, edge);
            // The edge added first comes last.
            if best.is_none_or(|(known, _)| score >= known) {
                best = Some((score, index));
            }
        }
        best.map(|best| best.1)
    }

    /// The edge to explore by [`Puct`]; of several the oldest. The probability of an edge is its `share`, at most 65,536,
    /// of the sum of all shares. An edge without visits has the value `unvisited`, and virtual losses count.
    pub fn best_by_puct(
        &self,
        node: u32,
        unvisited: i32,
        c: u32,
        mut share: impl FnMut(&E) -> u32,
    ) -> Option<u32> {
        let (mut shares, mut weight) = (0u64, 0u64);
        for (_, edge) in self.edges(node) {
            shares += u64::from(share(&edge.payload));
            weight += u64::from(edge.stats.weight());
        }
        let (puct, shares) = (Puct::new(weight, c), u32::try_from(shares).unwrap_or(u32::MAX).max(1));
        let (mut best, mut found) = (i64::MIN, None);
        for (index, edge) in self.edges(node) {
            let prior = share(&edge.payload).min(CERTAIN as u32).saturating_mul(65_535) / shares;
            // The edge added first comes last.
            if let Some(value) = puct.reaching(best, &edge.pessimistic(), unvisited, prior) {
                (best, found) = (value, Some(index));
            }
        }
        found
    }

    /// The edge to explore by [`ucb1`]; edges without visits come first.
    pub fn best_by_ucb1(&self, node: u32, c: u32) -> Option<u32> {
        let total = self.edge_weight(node);
        self.best_by(node, |_, edge| ucb1(&edge.stats, total, c).into())
    }

    /// The edge with the highest lower confidence bound (see [`Stats::lower`]), for the final choice.
    pub fn best_by_lower(&self, node: u32, z: u32, prior: &Stats) -> Option<u32> {
        self.best_by(node, |_, edge| edge.stats.lower(z, prior).into())
    }

    /// The edge with the highest upper confidence bound (see [`Stats::upper`]).
    pub fn best_by_upper(&self, node: u32, z: u32, prior: &Stats) -> Option<u32> {
        self.best_by(node, |_, edge| edge.stats.upper(z, prior).into())
    }

    /// The edge with the most visits; of several the edge with the highest mean.
    pub fn best_by_visits(&self, node: u32) -> Option<u32> {
        self.best_by(node, |_, edge| i64::from(edge.stats.visits()) << 17 | i64::from(edge.stats.mean()))
    }

    /// Weight of the visits through all edges of a node, in sixteenths of a visit. The weight of the node itself may
    /// differ: it includes visits that ended there.
    pub fn edge_weight(&self, node: u32) -> u64 {
        self.edges(node).map(|(_, edge)| u64::from(edge.stats.weight())).sum()
    }
}
