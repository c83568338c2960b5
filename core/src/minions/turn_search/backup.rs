//! The way back up: what a position came to is booked on the turns that led there and on every candidate that took
//! part in them (seed 000 "each stage tracks backpropagated feedback").

use crate::minions::Side;
use crate::search::stats::Stats;
use crate::search::value::{CERTAIN, KNOTS};

use super::Options;
use super::candidates::{Choice, NONE};
use super::search::Leg;
use super::shared_tree::Forest;

/// Width of the confidence intervals that prune, in sixteenths of a standard error: beyond doubt means four.
const PRUNE: u32 = 64;

/// Visits before a candidate can be bad beyond doubt.
const PRUNE_VISITS: u32 = 12;

impl Forest<'_> {
    /// Books a value, a win chance of `side`, on a way down, which is thereby over.
    pub(super) fn back_up(&mut self, path: &[Leg], side: Side, win: i32, weight: u32, options: &Options) {
        for leg in path.iter().rev() {
            self.leave(leg.edge);
            let value = if leg.side == side { win } else { CERTAIN - win };
            self.tree.add(leg.node, leg.edge, value, weight);
            let Some(picks) = self.tree.edge(leg.edge).map(|edge| edge.payload) else { continue };
            let stages = self.tree.payload(leg.node);
            self.teach(picks.general, value, weight);
            for (board, (attack, finish)) in picks.boards.into_iter().enumerate() {
                if attack == NONE {
                    break;
                }
                self.teach(attack, value, weight);
                self.teach(finish, value, weight);
                self.account(stages, board, finish, value, weight);
                if options.confidence {
                    self.prune(stages, board);
                }
            }
        }
    }

    fn teach(&mut self, choice: u32, value: i32, weight: u32) {
        if let Some(choice) = self.pool.choice_mut(choice) {
            choice.stats.add(value, weight);
        }
    }

    /// Books a value on the sum of money that a board was given.
    fn account(&mut self, stages: u32, board: usize, finish: u32, value: i32, weight: u32) {
        let given = self.pool.choice(finish).given;
        let knot = KNOTS.iter().rposition(|&souls| u16::from(souls) <= given).unwrap_or(0) as u16;
        let Some(head) = self.pool.stages(stages).boards.get(board).map(|entry| entry.money) else { return };
        let known = self.pool.list(head).find(|(_, money)| money.given == knot).map(|(index, _)| index);
        if let Some(known) = known {
            self.teach(known, value, weight);
            return;
        }
        let mut entry = Choice { given: knot, next: head, ..Choice::EMPTY };
        entry.stats.add(value, weight);
        if let Some(index) = self.pool.add_choice(entry, [])
            && let Some(stages) = self.pool.stages_mut(stages)
            && let Some(slot) = stages.boards.get_mut(board)
        {
            slot.money = index;
        }
    }

    /// Drops attacks whose upper bound is below the lower bound of the best one.
    fn prune(&mut self, stages: u32, board: usize) {
        let Some(head) = self.pool.stages(stages).boards.get(board).map(|entry| entry.attacks) else {
            return;
        };
        let none = Stats::default();
        let lower = |choice: &Choice| {
            if choice.stats.visits() < PRUNE_VISITS { 0 } else { choice.stats.lower(PRUNE, &none) }
        };
        let mut best = 0;
        for (_, choice) in self.pool.list(head) {
            if choice.stats.mean() > best {
                best = best.max(lower(choice));
            }
        }
        let hopeless = self.pool.list(head).find(|(_, choice)| {
            !choice.pruned
                && choice.stats.visits() >= PRUNE_VISITS
                && choice.stats.mean() < best
                && choice.stats.upper(PRUNE, &none) < best
        });
        if let Some((index, _)) = hopeless
            && let Some(choice) = self.pool.choice_mut(index)
        {
            choice.pruned = true;
        }
    }
}
