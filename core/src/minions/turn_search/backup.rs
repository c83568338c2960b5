//! Backup: the value of a position is recorded on the turns that led there and on all candidates of these turns (seed
//! 000 "each stage tracks backpropagated feedback").

use crate::search::stats::Stats;
use crate::search::value::KNOTS;

use super::arena::Index;
use super::candidates::{AttackCandidate, MoneyCandidate, SpawnIndex, StageCandidate};
use super::options::SearchOptions;
use super::path::Leg;
use super::shared_tree::SharedTree;

/// Width of the confidence intervals that prune, in sixteenths of a standard error: beyond doubt means four.
const PRUNE: u32 = 64;

/// Visits below which no candidate is pruned.
const PRUNE_VISITS: u32 = 12;

impl SharedTree<'_> {
    /// Records a value, a win chance of the side that makes the turn, on a turn of a path, and removes its virtual loss.
    pub(super) fn back_up(&mut self, leg: Leg, value: i32, weight: u32, options: &SearchOptions) {
        self.leave(leg.edge);
        self.tree.add(leg.node, leg.edge, value, weight);
        let Some(picks) = self.tree.edge(leg.edge).map(|edge| edge.payload) else { return };
        let stages = self.tree.payload(leg.node);
        self.record(picks.general, value, weight);
        for (board, (attack, spawn)) in picks.boards.into_iter().enumerate() {
            if attack.is_none() {
                break;
            }
            self.record(attack, value, weight);
            self.record(spawn, value, weight);
            self.record_money(stages, board, spawn, value, weight);
            if options.confidence {
                self.prune(stages, board);
            }
        }
    }

    fn record<T: StageCandidate>(&mut self, index: Index<T>, value: i32, weight: u32) {
        if let Some(known) = self.candidates.get_mut(index) {
            known.stats_mut().add(value, weight);
        }
    }

    /// Records a value on the money candidate of a board.
    fn record_money(&mut self, stages: u32, board: usize, spawn: SpawnIndex, value: i32, weight: u32) {
        let given = self.candidates.get(spawn).given;
        let knot = KNOTS.iter().rposition(|&sum| u16::from(sum) <= given).unwrap_or(0) as u8;
        let Some(first) = self.candidates.stages(stages).boards.get(board).map(|entry| entry.money) else {
            return;
        };
        let known = self.candidates.list(first).find(|(_, money)| money.knot == knot).map(|(index, _)| index);
        if let Some(known) = known {
            self.record(known, value, weight);
            return;
        }
        let mut entry = MoneyCandidate { knot, ..MoneyCandidate::EMPTY };
        entry.stats.add(value, weight);
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
