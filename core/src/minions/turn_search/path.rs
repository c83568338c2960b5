//! The known part of a path: from a position down over known turns, chosen by PUCT, to the first position where something
//! is new; the turn of the root by sequential halving. Each turn is chosen under the lock of its position's stripe; the turns
//! are played after that.

use heapless::Vec;

use crate::minions::Side;
use crate::search::stats::{FULL_WEIGHT, Stats};
use crate::search::tree::{NONE, Node};
use crate::search::value::CERTAIN;

use super::halving::may_compose;
use super::options::SearchOptions;
use super::picks::Picks;
use super::room::demand;
use super::shared_tree::SharedTree;
use super::threading::{MANY_VISITS, THREADED};

/// Turns on one path at most.
pub(super) const DEPTH_CAP: usize = 32;

/// Share of the edges of a small memory that the root has at most, one part of so many.
const ROOT_SHARE: usize = 4;

/// A turn of a path, with the side that makes the turn.
#[derive(Clone, Copy)]
pub(super) struct Leg {
    pub(super) node: u32,
    pub(super) edge: u32,
    pub(super) side: Side,
}

/// The turns from the root on.
pub(super) type Path = Vec<Leg, DEPTH_CAP, u8>;

/// Keys of the positions after the turns of a path.
pub(super) type PathKeys = Vec<u64, DEPTH_CAP, u8>;

/// A turn that is to be composed, for which memory is reserved.
pub(super) struct Composition {
    /// Index of the position.
    pub(super) node: u32,
    /// Index of the stages of the position.
    pub(super) stages: u32,
    /// Key of the position.
    pub(super) key: u64,
    /// Visits of the position so far.
    pub(super) visits: u32,
}

/// Step down a path.
pub(super) enum Step {
    /// A turn that leads to a known position, which another stripe may hold.
    Down(u32),
    /// The end of the known part.
    End(PathEnd),
}

/// The end of the known part of a path.
pub(super) enum PathEnd {
    /// A position without turns so far, or the one that makes the path as long as it may be.
    Node(u32),
    /// The last turn of the path, whose position is not known yet.
    Edge,
    /// A position where a turn is to be composed.
    Composition(Composition),
    /// A position where nothing can be done.
    Nothing,
}

impl SearchOptions {
    /// Turns of one path at most.
    pub(super) fn path_cap(&self) -> usize {
        usize::from(self.depth).min(DEPTH_CAP)
    }
}

impl SharedTree<'_> {
    /// Adds the turn to follow to a path, with a virtual loss, at a node where the game is not over and `side` is to
    /// move. Where a turn is to be composed instead, memory is reserved for it: [`SharedTree::composed`] must follow.
    pub(super) fn step(
        &mut self,
        (node, side): (u32, Side),
        boards: usize,
        options: &SearchOptions,
        path: &mut Path,
    ) -> Step {
        self.note_visit(node);
        if let Some(begun) = self.begin(node, boards, options) {
            return Step::End(PathEnd::Composition(begun));
        }
        let Some(edge) = self.best(node, options) else { return Step::End(PathEnd::Nothing) };
        if path.push(Leg { node, edge, side }).is_err() {
            return Step::End(PathEnd::Nothing);
        }
        self.tree.enter(edge);
        self.tree.child(edge).map_or(Step::End(PathEnd::Edge), Step::Down)
    }

    /// Whether a position has no turns. The game may be over there.
    pub(super) fn is_leaf(&self, node: u32) -> bool {
        self.tree.node(node).is_none_or(|node| node.edge_count() == 0)
    }

    /// The composition of another turn at a node, if there is memory for it and it is worth its time.
    fn begin(&mut self, node: u32, boards: usize, options: &SearchOptions) -> Option<Composition> {
        let compositions = self.composing + 1;
        if !self.wants_more(node, options)
            || !self.tree.has_room(compositions)
            || !self.candidates.has_room(demand(compositions, boards, &self.candidates))
        {
            return None;
        }
        let known = self.tree.payload(node);
        let stages = if known == NONE { self.candidates.add_stages()? } else { known };
        self.tree.set_payload(node, stages);
        // While another thread lists what the general can do here, there is nothing to compose with.
        if known != NONE && self.candidates.stages(stages).general.is_none() {
            return None;
        }
        self.composing += 1;
        self.count_visits(node);
        if options.effects {
            self.fit_main_effects(node);
        }
        Some(Composition { node, stages, key: self.tree.key(node), visits: self.tree.stats(node).visits() })
    }

    /// Whether a new turn is worth composing: there is none yet, or fewer than the visits warrant and the bound of
    /// an unknown turn reaches that of the best known one. Where several threads search, compositions at a much visited position
    /// that found a known turn count as turns: all threads would wait for each other to compose what is known. One thread goes
    /// on composing, which chooses among known turns as the stages have learnt.
    pub(super) fn wants_more(&self, node: u32, options: &SearchOptions) -> bool {
        let Some(position) = self.tree.node(node) else { return false };
        let count = position.edge_count() as u64;
        if count == 0 {
            return true;
        }
        if node == self.root && (self.root_is_full() || !self.spent_of_round(options).is_none_or(may_compose))
        {
            return false;
        }
        let visits = u64::from(position.stats.visits());
        let widening = if node == self.root { options.breadth } else { options.widening };
        let tries = if self.counts_found_again(node) {
            count + u64::from(self.candidates.stages(self.tree.payload(node)).found_again)
        } else {
            count
        };
        if 4 * tries * tries > u64::from(widening) * visits {
            return false;
        }
        if !options.confidence || count < 4 {
            return true;
        }
        // An unknown turn is like the known ones: their mean and spread bound what can be hoped of it.
        let mut known = Stats::default();
        let mut best = 0;
        for (_, edge) in self.tree.edges(node) {
            let mean = edge.stats.mean();
            known.add(mean, FULL_WEIGHT);
            // A bound below the mean need not be found where the mean is too low.
            if mean > best {
                best = best.max(edge.stats.lower(16, &Stats::EMPTY));
            }
        }
        known.mean() + 3 * known.deviation() + CERTAIN / 200 >= best
    }

    /// Whether the root has as many turns as a small memory has room for beside the answers to them: with more, what a search finds of
    /// the answers is forgotten again and again.
    fn root_is_full(&self) -> bool {
        let turns = self.tree.node(self.root).map_or(0, Node::edge_count);
        self.is_small() && turns >= (self.tree.edge_capacity() / ROOT_SHARE).max(2)
    }

    /// Whether compositions that find a known turn count as turns: from now on, at a much visited position of several threads.
    pub(super) fn counts_found_again(&self, node: u32) -> bool {
        THREADED > 0 && !self.tree.stripe().is_whole() && self.tree.stats(node).visits() >= MANY_VISITS
    }

    /// The edge to follow: by sequential halving at the root, otherwise by PUCT.
    pub(super) fn best(&mut self, node: u32, options: &SearchOptions) -> Option<u32> {
        if node == self.root
            && let Some(spent) = self.spent_of_round(options)
        {
            return self.least_visited_contestant(spent);
        }
        let unvisited = self.tree.stats(node).mean();
        let share = |picks: &Picks| 1 + u32::from(picks.plausibility);
        self.tree.best_by_puct(node, unvisited, options.exploration, share)
    }
}
