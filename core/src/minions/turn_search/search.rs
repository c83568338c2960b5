//! The search loop: down the tree, one new turn, its value, and the backup to every stage.

use super::ports::{AttackPlanner, Evaluator, Ports};
use crate::minions::{DraftMemory, Game, Side};
use crate::rng::Rng;
use crate::search::clock::Clock;
use crate::search::stats::FULL_WEIGHT;
use crate::search::tree::NONE;
use crate::search::value::{CERTAIN, EVEN, Estimate};

use super::compose::Composer;
use super::deferred::{Deferred, Drawn};
use super::kept_positions::{KeptPosition, KeptPositions};
use super::options::SearchOptions;
use super::path::{Composition, Leg, Path, PathEnd, PathKeys, Step};
use super::replay::{Replay, end_turn};
use super::scratch::SearchScratch;
use super::search_error::SearchError;
use super::shared_tree::{Access, SharedTree};
use super::slices::{MemoryUsage, SearchSlices};
use super::threading::THREADED;

/// Doubt at which a value counts half, in 1/65,536 of a win chance: a whole game, so that usual doubts take away a
/// tenth. Counting them more makes the search explore more, which loses (docs/search-history.md).
const DOUBT: i32 = 65_536;

/// Value of one turn more or less until the end of a decided game, in 1/65,536 of a win chance.
const TURN: i32 = 32;

/// Statistics of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SearchStatistics {
    /// Nodes: iterations, each of which ends with the value of one position.
    pub nodes: u64,
    /// Length of the longest path, in turns.
    pub depth: u8,
    /// Sum of the lengths of all paths, in turns.
    pub depth_sum: u64,
    /// Use of the fullest memory in thousandths.
    pub fullness: u32,
    /// Longest request for an attack, in propagations of the solver; 65,535 stands for more.
    pub longest_request: u16,
}

impl SearchStatistics {
    /// Statistics of this search and another one together, by threads or one after the other. Fullness is that of the
    /// other.
    #[must_use]
    pub fn with(&self, other: &SearchStatistics) -> SearchStatistics {
        SearchStatistics {
            nodes: self.nodes.saturating_add(other.nodes),
            depth: self.depth.max(other.depth),
            depth_sum: self.depth_sum.saturating_add(other.depth_sum),
            fullness: other.fullness,
            longest_request: self.longest_request.max(other.longest_request),
        }
    }
}

/// A search from one position. `T` is its way to the [`SharedTree`], which others may share; ports may be lent, as
/// `&mut P` is [`Ports`] too. The search itself is small: it borrows the position and a [`SearchScratch`].
pub struct Search<'s, T, P> {
    tree: T,
    ports: P,
    options: SearchOptions,
    game: &'s Game,
    /// Game that paths are played on; taken out while a path is.
    below: Option<&'s mut Game>,
    draft: &'s mut DraftMemory,
    kept: KeptPositions<'s>,
    deferred: Deferred,
    root: u32,
    /// Share of the effort that is spent, in 1/65,536, where it is known.
    spent: Option<i32>,
    statistics: SearchStatistics,
}

impl<'s, 'm, P: Ports> Search<'s, SharedTree<'m>, P> {
    /// A search of a position, with a tree of its own.
    ///
    /// # Errors
    /// When the game is over, or a slice is shorter than [`SearchCapacity::least`](super::SearchCapacity::least) asks.
    pub fn new(
        memory: SearchSlices<'m>,
        scratch: &'s mut SearchScratch,
        ports: P,
        options: SearchOptions,
        game: &'s Game,
    ) -> Result<Self, SearchError> {
        Ok(Search::over(SharedTree::new(memory, game)?, scratch, ports, options, game))
    }

    /// Resumes an earlier search; see [`SharedTree::resume`].
    ///
    /// # Errors
    /// As [`Search::new`].
    pub fn resume(
        memory: SearchSlices<'m>,
        scratch: &'s mut SearchScratch,
        ports: P,
        options: SearchOptions,
        game: &'s Game,
        usage: MemoryUsage,
    ) -> Result<Self, SearchError> {
        Ok(Search::over(SharedTree::resume(memory, game, usage)?, scratch, ports, options, game))
    }

    /// The tree of the search.
    pub fn tree(&self) -> &SharedTree<'m> {
        &self.tree
    }
}

impl<'s, 'm, T: Access<'m>, P: Ports> Search<'s, T, P> {
    /// A search in a shared tree. The position must be that of the root of the tree.
    pub fn over(
        mut tree: T,
        scratch: &'s mut SearchScratch,
        ports: P,
        options: SearchOptions,
        game: &'s Game,
    ) -> Self {
        let root = tree.lock(0).root;
        let SearchScratch { below, draft } = scratch;
        // Now, while the stack is low: the first copy of a game is made on it.
        draft.game.copy(game);
        let below = below.copy(game);
        let (kept, statistics) = (KeptPositions::new(&mut []), SearchStatistics::default());
        let deferred = Deferred::new();
        Search { tree, ports, options, game, below, draft, kept, deferred, root, spent: None, statistics }
    }

    /// Lends places for positions that the search meets again, so that it plays the turns before them only once. It finds
    /// the same turns with any number of them.
    pub fn keep_positions(&mut self, places: &'s mut [KeptPosition]) {
        self.kept = KeptPositions::new(places);
    }

    /// Searches until the clock is over, for at least one iteration.
    pub fn run(&mut self, clock: &mut impl Clock) {
        let Some(below) = self.below.take() else { return };
        loop {
            self.spent = clock.spent(self.statistics.nodes);
            if !self.iterate(below) || clock.is_over(self.statistics.nodes) {
                break;
            }
        }
        self.settle();
        self.below = Some(below);
    }

    /// Records what waits to be recorded, gives back the turns drawn, and lets the candidates of the root count all visits.
    fn settle(&mut self) {
        while let Some(node) = self.deferred.drawn_at() {
            let mut tree = self.tree.lock(node);
            while let Some(drawn) = self.deferred.next_drawn(node) {
                tree.leave(drawn.edge);
            }
        }
        self.record_waiting();
        if THREADED > 0 {
            let mut tree = self.tree.lock(self.root);
            self.deferred.record(&mut tree, &self.options);
            tree.count_visits(self.root);
        }
    }

    /// Records what waits and may wait no longer.
    fn record_waiting(&mut self) {
        while let Some(node) = self.deferred.waiting(self.root) {
            self.deferred.record(&mut self.tree.lock(node), &self.options);
        }
    }

    /// Number of nodes so far.
    pub fn nodes(&self) -> u64 {
        self.statistics.nodes
    }

    /// Statistics of the search so far. Looks at every stripe of the tree.
    pub fn statistics(&mut self) -> SearchStatistics {
        let longest = self.ports.attack_planner().longest_request();
        SearchStatistics {
            fullness: (0..self.tree.stripes())
                .map(|stripe| self.tree.lock(stripe).fullness())
                .max()
                .unwrap_or(0),
            longest_request: u16::try_from(longest).unwrap_or(u16::MAX),
            ..self.statistics
        }
    }

    /// Iteration: a path down and its backup, in a copy of the game. Returns false when nothing more can be done.
    fn iterate(&mut self, game: &mut Game) -> bool {
        game.go_to(self.game.state());
        let mut path = Path::new();
        let Some(estimate) = self.walk(game, &mut path) else {
            path.iter().for_each(|leg| self.tree.lock(leg.node).leave(leg.edge));
            return false;
        };
        self.statistics.nodes += 1;
        self.statistics.depth = self.statistics.depth.max(path.len() as u8);
        self.statistics.depth_sum += path.len() as u64;
        let (weight, options) = (self.weight(estimate), &self.options);
        // An evaluator is the caller's.
        let win = estimate.win.clamp(0, CERTAIN);
        let side = game.side_to_move();
        for &leg in path.iter().rev() {
            let value = if leg.side == side { win } else { CERTAIN - win };
            if !self.deferred.defer(leg, value, weight) {
                self.tree.lock(leg.node).back_up(leg, value, weight, options);
            }
        }
        true
    }

    /// Walks down to a position and returns its value. `None` when nothing can be done.
    fn walk(&mut self, game: &mut Game, path: &mut Path) -> Option<Estimate> {
        let (mut node, boards) = (self.root, game.config().num_boards());
        loop {
            if let Some(known) = decided(game) {
                return Some(at_length(known, path.len()));
            }
            if path.len() >= self.options.path_cap() {
                return Some(self.ports.evaluator().evaluate(game));
            }
            let played = path.len();
            let (end, known) = self.select((node, game.side_to_move()), boards, path);
            if let Err(place) = self.follow(path, (played, known), game) {
                self.cut(path, place, &end);
                return if path.is_empty() { None } else { Some(self.ports.evaluator().evaluate(game)) };
            }
            let last = match end {
                PathEnd::Node(next) => {
                    node = next;
                    continue;
                }
                PathEnd::Edge => path.last().map(|&leg| (leg, None)),
                PathEnd::Composition(begun) => self.compose(&begun, game, path),
                PathEnd::Nothing => None,
            };
            let Some((leg, known)) = last else {
                return if path.is_empty() { None } else { Some(self.ports.evaluator().evaluate(game)) };
            };
            let key = game.state().key();
            self.kept.keep(key, game.state());
            if let Some(child) = known {
                node = child;
                continue;
            }
            match self.descend(leg, key) {
                Some((child, false)) => node = child,
                Some((child, true)) => {
                    let estimate = self.judge(game, path.len());
                    let weight = self.weight(estimate);
                    self.tree.lock(child).tree.add(child, NONE, estimate.win, weight);
                    return Some(estimate);
                }
                None => return Some(self.judge(game, path.len())),
            }
        }
    }

    /// Adds known turns to a path, each with a virtual loss, beginning at a node where the game is not over and a side is
    /// to move. Returns how the known part ends, and the last position on it that is kept: how many turns lead to it, and
    /// its key. One stripe is locked at a time. Where a turn is to be composed, [`Search::compose`] or [`Search::cut`] must
    /// follow.
    #[inline(never)]
    fn select(
        &mut self,
        (mut node, mut side): (u32, Side),
        boards: usize,
        path: &mut Path,
    ) -> (PathEnd, Option<(usize, u64)>) {
        let played = path.len();
        let mut keys = PathKeys::new();
        let options = &self.options;
        let end = 'path: loop {
            // Turns that were drawn are followed without a lock.
            while path.len() < options.path_cap()
                && let Some(Drawn { edge, child, key, .. }) = self.deferred.next_drawn(node)
            {
                if path.len() > played {
                    let _ = keys.push(key);
                }
                // There is room.
                let _ = path.push(Leg { node, edge, side });
                if child == NONE {
                    break 'path PathEnd::Edge;
                }
                (node, side) = (child, side.opponent());
            }
            let mut tree = self.tree.lock(node);
            self.deferred.record(&mut tree, options);
            if path.is_empty() {
                tree.make_room(boards);
                tree.spent = self.spent;
            }
            loop {
                if path.len() > played {
                    let _ = keys.push(tree.tree.key(node));
                    if tree.is_leaf(node) || path.len() >= options.path_cap() {
                        break 'path PathEnd::Node(node);
                    }
                }
                self.deferred.draw(&mut tree, node, options);
                match tree.step((node, side), boards, options, path) {
                    Step::Down(child) => (node, side) = (child, side.opponent()),
                    Step::End(end) => break 'path end,
                }
                if !tree.tree.stripe().holds(node) || self.deferred.has_drawn(node) {
                    break;
                }
            }
        };
        self.record_waiting();
        (end, self.kept.last_of(&keys, played, self.game.state().turn()))
    }

    /// Takes the turns from a place on off a path, with their virtual losses and the memory reserved at its end.
    fn cut(&mut self, path: &mut Path, place: usize, end: &PathEnd) {
        while path.len() > place
            && let Some(leg) = path.pop()
        {
            self.tree.lock(leg.node).leave(leg.edge);
        }
        if let PathEnd::Composition(begun) = end {
            self.tree.lock(begun.node).composed(begun.node, None);
        }
    }

    /// The node after a turn whose node was not known, added if need be, and whether it is new. `None` when its stripe is full.
    fn descend(&mut self, leg: Leg, key: u64) -> Option<(u32, bool)> {
        // Without transpositions a key of its own for every edge.
        let stripe = u64::from(leg.node & (self.tree.stripes() - 1));
        let salt = || Rng::new((stripe << 32) + u64::from(leg.edge) + 1).next_u64();
        let key = if self.options.transpositions { key } else { key ^ salt() };
        let (child, new) = self.tree.lock(key as u32).tree.node_of(key)?;
        self.tree.lock(leg.node).tree.set_child(leg.edge, child);
        Some((child, new))
    }

    /// Composes and plays a turn, adds it to the tree and to the path, and returns its place there, with the position after it if
    /// that is known.
    fn compose(
        &mut self,
        begun: &Composition,
        game: &mut Game,
        path: &mut Path,
    ) -> Option<(Leg, Option<u32>)> {
        let Composition { node, stages, key, visits } = *begun;
        let side = game.side_to_move();
        let mut composer = Composer {
            tree: &mut self.tree,
            ports: &mut self.ports,
            draft: self.draft,
            options: &self.options,
            node,
            stages,
            is_root: node == self.root,
            game,
            rng: Rng::new(self.options.seed ^ Rng::new(key ^ u64::from(visits)).next_u64()),
        };
        let picks = composer.compose();
        let (edge, known) = self.tree.lock(node).composed(node, picks)?;
        let leg = Leg { node, edge, side };
        if end_turn(&mut self.tree, leg, game).is_none() || path.push(leg).is_err() {
            self.tree.lock(node).leave(edge);
            return None;
        }
        Some((leg, known))
    }

    /// Plays the turns of a path from a place on, or from a kept position behind it.
    ///
    /// # Errors
    /// The place of the first turn that cannot be played, if there is one.
    fn follow(
        &mut self,
        path: &Path,
        (played, known): (usize, Option<(usize, u64)>),
        game: &mut Game,
    ) -> Result<(), usize> {
        let mut from = played;
        if let Some((turns, key)) = known
            && let Some(state) = self.kept.get(key, self.game.state().turn().wrapping_add(turns as u32))
        {
            game.go_to(state);
            from = turns;
        }
        let mut replay = Replay::new(path.get(from..).unwrap_or_default());
        replay.play(&mut self.tree, game, &mut self.kept).ok_or(path.len() - replay.left())
    }

    fn judge(&mut self, game: &Game, length: usize) -> Estimate {
        let known = decided(game).map(|known| at_length(known, length));
        known.unwrap_or_else(|| self.ports.evaluator().evaluate(game))
    }

    /// Weight of a value in the backup, 1..=16: the larger its error the less.
    fn weight(&self, estimate: Estimate) -> u32 {
        if self.options.confidence {
            (FULL_WEIGHT as i32 * DOUBT / DOUBT.saturating_add(estimate.error.max(0))).max(1) as u32
        } else {
            FULL_WEIGHT
        }
    }
}

/// Value of a decided game after `length` turns: an early win is better than a late one, and a late loss than an
/// early one.
fn at_length(known: Estimate, length: usize) -> Estimate {
    let later = length as i32 * TURN;
    let win = match known.win {
        0 => later,
        CERTAIN => CERTAIN - later,
        win => win,
    };
    Estimate { win, ..known }
}

/// The value of a game that is over, for the side whose turn it would be.
fn decided(game: &Game) -> Option<Estimate> {
    let state = game.state();
    let win = match state.winner() {
        Some(winner) if winner == game.side_to_move() => CERTAIN,
        Some(_) => 0,
        None if state.is_drawn() => EVEN,
        None => return None,
    };
    Some(Estimate { win, error: 0 })
}
