//! Backup: the value of a position is recorded on the turns that led there and on all candidates of these turns (seed
//! 000 "each stage tracks backpropagated feedback"). Candidates are looked at only when a turn is composed, and sums are exact: so
//! turns keep their visits until then, and all of them are counted at once.

use crate::search::stats::Stats;
use crate::search::tree::Node;

use super::arena::Index;
use super::candidates::{AttackCandidate, MoneyCandidate, SpawnIndex, StageCandidate};
use super::money_stage::knot_of;
use super::options::SearchOptions;
use super::path::Leg;
use super::picks::Picks;
use super::shared_tree::SharedTree;
use super::threading::THREADED;

/// Width of the confidence intervals that prune, in sixteenths of a standard error: beyond doubt means four.
const PRUNE: u32 = 64;

/// Visits below which no candidate is pruned.
const PRUNE_VISITS: u32 = 12;

impl SharedTree<'_> {
    /// Records a value, a win chance of the side that makes the turn, on a turn of a path, and removes its virtual loss.
    pub(super) fn back_up(&mut self, leg: Leg, value: i32, weight: u32, options: &SearchOptions) {
        self.leave(leg.edge);
        self.tree.add(leg.node, leg.edge, value, weight);
        let Some(edge) = self.tree.edge_mut(leg.edge) else { return };
        if let Some(uncounted) = edge.payload.uncounted.first_mut()
            && !options.confidence
        {
            uncounted.add(value, weight);
            return;
        }
        let (picks, mut visit) = (edge.payload, Stats::EMPTY);
        visit.add(value, weight);
        self.count(leg.node, &picks, &visit);
        if options.confidence {
            let stages = self.tree.payload(leg.node);
            let boards = picks.boards.iter().take_while(|board| !board.0.is_none()).count();
            (0..boards).for_each(|board| self.prune(stages, board));
        }
    }

    /// Counts the visits that turns of a position have kept on their candidates.
    pub(super) fn count_visits(&mut self, node: u32) {
        let count = if THREADED > 0 { self.tree.node(node).map_or(0, Node::edge_count) } else { 0 };
        let mut next = self.tree.newest_edge(node);
        for _ in 0..count {
            let Some(index) = next else { return };
            next = self.tree.older_edge(index);
            let Some(edge) = self.tree.edge_mut(index) else { return };
            let Some(uncounted) = edge.payload.uncounted.first_mut() else { return };
            if !uncounted.is_empty() {
                let visits = core::mem::take(uncounted);
                let picks = edge.payload;
                self.count(node, &picks, &visits);
            }
        }
    }

    /// Counts visits on the candidates of a turn.
    fn count(&mut self, node: u32, picks: &Picks, visits: &Stats) {
        let stages = self.tree.payload(node);
        self.record(picks.general, visits);
        for (board, &(attack, spawn)) in picks.boards.iter().enumerate() {
            if attack.is_none() {
                break;
            }
            self.record(attack, visits);
            self.record(spawn, visits);
            self.record_money(stages, board, spawn, visits);
        }
    }

    fn record<T: StageCandidate>(&mut self, index: Index<T>, visits: &Stats) {
        if let Some(known) = self.candidates.get_mut(index) {
            known.stats_mut().merge(visits);
        }
    }

    /// Records visits on the money candidate of a board.
    fn record_money(&mut self, stages: u32, board: usize, spawn: SpawnIndex, visits: &Stats) {
        let given = self.candidates.get(spawn).given;
        let knot = knot_of(given);
        let Some(first) = self.candidates.stages(stages).boards.get(board).map(|entry| entry.money) else {
            return;
        };
        let known = self.candidates.list(first).find(|(_, money)| money.knot == knot).map(|(index, _)| index);
        if let Some(known) = known {
            self.record(known, visits);
            return;
        }
        let entry = MoneyCandidate { knot, stats: *visits, ..MoneyCandidate::EMPTY };
        if let Some(index) = self.candidates.add(entry, first, [])
            && let Some(board) = self.candidates.board_mut(stages, board)
        {
            board.money = index;
        }
    }

    /// Prunes an attack whose upper bound is below the lower bound of the best one.
    fn prune(&mut self, stages: u32, board: usize) {
        let Some(first) = self.candidates.stages(stages).boards.get(board).map(|entry| entry.attacks) else {
            return;
        };
        let none = Stats::default();
        let lower = |known: &AttackCandidate| {
            if known.stats.visits() < PRUNE_VISITS { 0 } else { known.stats.lower(PRUNE, &none) }
        };
        let mut best = 0;
        for (_, known) in self.candidates.list(first) {
            if known.stats.mean() > best {
                best = best.max(lower(known));
            }
        }
        let hopeless = self.candidates.list(first).find(|(_, known)| {
            !known.pruned
                && known.stats.visits() >= PRUNE_VISITS
                && known.stats.mean() < best
                && known.stats.upper(PRUNE, &none) < best
        });
        if let Some((index, _)) = hopeless
            && let Some(known) = self.candidates.get_mut(index)
        {
            known.pruned = true;
        }
    }
}
