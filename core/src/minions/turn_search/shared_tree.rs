//! The shared tree of a search: the tree of turns, and the candidates of the stages of its positions.
//!
//! A search reaches it through [`Access`] and locks it only for short reads and updates; rules, solver and nets run
//! outside the locks. Several searches, each on a thread of its own, can grow one tree ("tree parallelization with local
//! mutexes": G. Chaslot, M. Winands, J. van den Herik, "Parallel Monte-Carlo tree search", 2008). Turns that a thread
//! follows count as lost, which sends other threads elsewhere ("virtual loss", same paper).
//!
//! # Stripes
//!
//! A tree of several threads is made of stripes, each with memory and a lock of its own; a tree of one thread is one
//! stripe. A position belongs to the stripe that the low bits of its key tell, with its turns and all candidates of its
//! stages. So whatever is read or changed at one time is in one stripe, but for two things, which are steps of their own:
//! the next position down a path, and the index of a position in the turn that leads to it.
//!
//! # Why this is sound
//!
//! - *No data race*: a stripe is reached through the guard of its lock alone. What a thread has written under a lock is
//!   seen by the next one that takes it (release and acquire); nothing else is shared here, and no weaker order is relied upon.
//! - *No deadlock*: a search lets a stripe go before it asks for another, so that nobody waits who holds one.
//! - *An index means the same to all*: a position is added under the lock of its stripe, and only then its index is written
//!   into a turn, under the lock of that turn's stripe. Who reads it there has taken this lock later, and its adder had released
//!   the lock of the position's stripe before: the position is there when its stripe is locked. Indices stay as they are
//!   until no thread is left (compaction), and positions are only added.
//! - *Nothing is counted twice or lost*: a virtual loss is added and removed on a turn under its stripe's lock, and so is
//!   every value. A thread keeps the values of its last path for itself until it has the lock anyway, at the latest until the known
//!   part of its next path ends, those of a position of which it has drawn turns until it has followed them, and those of the
//!   root until it chooses there again; the virtual losses stay as long. Between two steps others may change what was read: a
//!   leaf may get its first turns, which is as if this thread had come a moment later; two threads may add the same position,
//!   and the second one finds it; two may compose the same turn, attack or first finish for a sum of money, and the second one
//!   finds it known, since adding looks first, under the same lock. Choices of the general
//!   are listed by the one who says first, under the lock, that they are.
//!
//! `host/src/engine/concurrency.rs` tries these in many orders of events.

use core::ops::DerefMut;

use crate::minions::{Action, Game, GameTurn};
use crate::search::stats::{FULL_WEIGHT, Stats};
use crate::search::tree::{NONE, Stripe, Stripes, Tree};
use crate::search::value::CERTAIN;

use super::candidates::Candidates;
use super::picks::Picks;
use super::play_actions::play;
use super::search_error::SearchError;
use super::slices::{MemoryUsage, SearchSlices};
use super::threading::Batch;

/// The tree of turns with the candidates of its stages, in lent slices.
pub struct SharedTree<'m> {
    pub(super) tree: Tree<'m, Picks>,
    pub(super) candidates: Candidates<'m>,
    /// Index of the root, which may be in another stripe.
    pub(super) root: u32,
    /// Turns that are being composed just now; memory is reserved for each.
    pub(super) composing: usize,
    /// Share of the search's effort that is spent, in 1/65,536, where it is known.
    pub(super) spent: Option<i32>,
    /// Turns of the root that were chosen to be followed next.
    pub(super) batch: Batch,
}

/// Exclusive access to the stripes of a shared tree: the whole tree itself, or a lock for each stripe.
pub trait Access<'m> {
    /// Number of stripes, a power of two.
    fn stripes(&self) -> u32 {
        1
    }

    /// Locks the stripe of a position until the guard is dropped. `node` is the index of the position or the low half of its
    /// key: the low bits of both are the number of the stripe. Other threads wait for it, so rules, solver and nets run
    /// outside. A search never asks for a second stripe while it has one.
    fn lock(&mut self, node: u32) -> impl DerefMut<Target = SharedTree<'m>>;
}

impl<'m> Access<'m> for SharedTree<'m> {
    fn lock(&mut self, _: u32) -> impl DerefMut<Target = SharedTree<'m>> {
        self
    }
}

/// A turn of the tree with its statistics.
#[derive(Clone, Copy, Debug, Default)]
pub struct Line {
    /// Index of the edge, for [`SharedTree::turn`].
    pub edge: u32,
    /// Statistics of the turn for the side that makes it.
    pub stats: Stats,
    /// Whether the turn wins the game at once.
    pub wins: bool,
}

impl Line {
    /// Lower confidence bound of the turn, by which the turn to play is chosen.
    pub fn bound(&self) -> i32 {
        self.stats.lower(24, &Stats::prior(0, 0, FULL_WEIGHT / 4))
    }

    /// Sort key of lines: a win at once comes first; then the bound, or the mean in games that are all but lost,
    /// where bounds depend more on the number of visits than on values.
    pub fn order(&self) -> (i32, i32) {
        let bound = if self.wins { CERTAIN } else { self.bound() };
        if bound < CERTAIN / 64 { (0, self.stats.mean()) } else { (bound, self.stats.mean()) }
    }
}

impl<'m> SharedTree<'m> {
    /// A tree of one position without turns.
    ///
    /// # Errors
    /// When the game is over, or a slice is shorter than [`SearchCapacity::least`](super::SearchCapacity::least) asks.
    pub fn new(memory: SearchSlices<'m>, game: &Game) -> Result<SharedTree<'m>, SearchError> {
        let mut tree = SharedTree::stripe(Stripe::WHOLE, memory, game, MemoryUsage::default())?;
        tree.tree.clear();
        tree.root = tree.tree.node_of(game.state().key()).ok_or(SearchError::NO_NODE)?.0;
        Ok(tree)
    }

    /// A stripe in memory that is filled as far as `usage` says. It has no root before
    /// [`resume_stripes`](super::resume_stripes).
    ///
    /// # Errors
    /// As [`SharedTree::new`].
    pub fn stripe(
        stripe: Stripe,
        memory: SearchSlices<'m>,
        game: &Game,
        usage: MemoryUsage,
    ) -> Result<SharedTree<'m>, SearchError> {
        memory.check(game)?;
        let (tree, candidates) = memory.into_parts(usage);
        Ok(SharedTree {
            tree: tree.as_stripe(stripe),
            candidates,
            root: NONE,
            composing: 0,
            spent: None,
            batch: Batch::new(),
        })
    }

    /// Index of the root of the tree.
    pub fn root(&self) -> u32 {
        self.root
    }

    /// Index of the position after the turn of a line, once it is known.
    pub fn position_after(&self, line: &Line) -> Option<u32> {
        self.tree.child(line.edge)
    }

    /// Use of the fullest memory in thousandths.
    pub fn fullness(&self) -> u32 {
        self.tree.fullness().max(self.candidates.fullness())
    }

    /// Adds a composed turn to a node, if there is one, and releases the reserved memory. Returns the edge of the
    /// turn, with a virtual loss, and the position after it, if it is known.
    pub(super) fn composed(&mut self, node: u32, picks: Option<Picks>) -> Option<(u32, Option<u32>)> {
        self.composing = self.composing.saturating_sub(1);
        let picks = picks?;
        let known = self.tree.edges(node).find(|(_, edge)| edge.payload.same(&picks)).map(|(edge, _)| edge);
        if known.is_some()
            && self.counts_found_again(node)
            && let Some(stages) = self.candidates.stages_mut(self.tree.payload(node))
        {
            stages.found_again = stages.found_again.saturating_add(1);
        }
        let edge = known.or_else(|| self.tree.add_edge(node, picks))?;
        self.tree.enter(edge);
        Some((edge, self.tree.child(edge)))
    }

    /// Records that a turn wins the game.
    pub(super) fn won_by(&mut self, edge: u32) {
        if let Some(edge) = self.tree.edge_mut(edge) {
            edge.payload.wins = true;
        }
    }

    /// Removes the virtual loss of an edge.
    pub(super) fn leave(&mut self, edge: u32) {
        self.tree.leave(edge);
    }

    /// Whether no turn is being composed or followed.
    pub fn is_quiet(&self) -> bool {
        let edges = 0..self.tree.edge_count() as u32;
        self.composing == 0 && edges.filter_map(|edge| self.tree.edge(edge)).all(|edge| edge.visitors() == 0)
    }

    /// Fills `lines` with the turns of the root, the best first (see [`Line::order`]), and returns how many there
    /// are; more than fit are left out.
    pub fn lines(&self, lines: &mut [Line]) -> usize {
        self.lines_at(self.root, lines)
    }

    /// Fills `lines` with the other side's answers to the turn of a line, the best first, and returns how many there
    /// are.
    pub fn replies(&self, line: &Line, lines: &mut [Line]) -> usize {
        self.position_after(line).map_or(0, |node| self.lines_at(node, lines))
    }

    /// Fills `lines` with the turns of a position of this stripe, the best first, and returns how many there are.
    pub fn lines_at(&self, node: u32, lines: &mut [Line]) -> usize {
        let mut count = 0;
        for (edge, known) in self.tree.edges(node) {
            let line = Line { edge, stats: known.stats, wins: known.payload.wins };
            let order = line.order();
            let place =
                lines.get(..count).map_or(0, |lines| lines.partition_point(|other| other.order() >= order));
            if place < lines.len() {
                count = (count + 1).min(lines.len());
                if let Some(tail) = lines.get_mut(place..count) {
                    tail.iter_mut().fold(line, |moved, other| core::mem::replace(other, moved));
                }
            }
        }
        count
    }

    /// The turn of a line that is played in this position.
    pub fn turn(&self, game: &Game, line: &Line) -> Option<GameTurn> {
        let picks = self.tree.edge(line.edge)?.payload;
        let general = self.candidates.actions(picks.general).iter().filter_map(|action| match *action {
            Action::General(action) => Some(action),
            Action::Board(..) => None,
        });
        let mut turn = game.general_turn(general)?;
        for (board, &(attack, spawn)) in picks.boards.iter().enumerate() {
            for action in self.candidates.actions(attack).iter().chain(self.candidates.actions(spawn)) {
                if let Action::Board(_, action) = *action {
                    turn.push(board, action)?;
                }
            }
        }
        Some(turn)
    }

    /// Plays the turn of a line, except for its end, in the position that the line begins in. `None` when the line is
    /// none of this tree; the game is then in the middle of the turn.
    pub fn play(&self, game: &mut Game, line: &Line) -> Option<()> {
        let picks = self.tree.edge(line.edge)?.payload;
        play(game, self.candidates.actions(picks.general))?;
        for &(attack, spawn) in &picks.boards {
            play(game, self.candidates.actions(attack))?;
            play(game, self.candidates.actions(spawn))?;
        }
        Some(())
    }

    /// Statistics of the root, for the side to move.
    pub fn value(&self) -> Stats {
        self.tree.stats(self.root)
    }

    /// All candidates, and the index of the stages of the root.
    pub fn stages(&self) -> (&Candidates<'m>, u32) {
        (&self.candidates, self.tree.payload(self.root))
    }
}

impl<'m> Stripes<'m, Picks> for [SharedTree<'m>] {
    fn count(&self) -> u32 {
        self.len() as u32
    }

    fn stripe_of(&self, node: u32) -> Option<&Tree<'m, Picks>> {
        Some(&self.get(node as usize & self.len().wrapping_sub(1))?.tree)
    }

    fn stripe_of_mut(&mut self, node: u32) -> Option<&mut Tree<'m, Picks>> {
        let place = node as usize & self.len().wrapping_sub(1);
        Some(&mut self.get_mut(place)?.tree)
    }
}
