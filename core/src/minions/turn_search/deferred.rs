//! Deferred values and drawn turns: what a search does under a lock that it takes anyway, instead of taking one for it. The
//! values of a path wait until the next path comes by, and where several threads search, each draws some turns of the root
//! at a time. All threads pass the root and its best turns at every node, so that they would spend their time waiting for
//! these locks. A tree of one stripe is searched as if nothing waited: everything is recorded before the next turn is
//! chosen.

use heapless::Vec;

use super::options::SearchOptions;
use super::path::{DEPTH_CAP, Leg};
use super::shared_tree::SharedTree;
use super::threading::{MANY_VISITS, THREADED};
use crate::search::tree::NONE;

/// Turns of the root that a thread draws beside the one that it follows next.
const DRAWN: usize = 3;

/// Values that wait: those of one path, and those of the root for the turns drawn.
const BACKUPS: usize = DEPTH_CAP + DRAWN;

/// A value that is to be recorded on a turn.
#[derive(Clone, Copy)]
struct Backup {
    leg: Leg,
    value: i32,
    weight: u32,
}

/// A turn of the root that is to be followed, with a virtual loss.
#[derive(Clone, Copy)]
pub(super) struct Drawn {
    pub(super) edge: u32,
    /// Index of the position after it, `NONE` where it was not known.
    pub(super) child: u32,
}

/// Turns of the root that are to be followed.
type DrawnTurns = Vec<Drawn, DRAWN, u8>;

/// Deferred values and drawn turns of one search. On machines of two boards there are none, and no bytes of stack for them.
pub(super) struct Deferred([Waiting; THREADED]);

/// Values that wait, and turns that are to be followed.
struct Waiting {
    backups: Vec<Backup, BACKUPS, u8>,
    drawn: DrawnTurns,
}

impl Deferred {
    /// No values and no turns.
    pub(super) fn new() -> Deferred {
        Deferred([const { Waiting { backups: Vec::new(), drawn: DrawnTurns::new() } }; THREADED])
    }

    /// The next turn of the root that was drawn.
    pub(super) fn next_drawn(&mut self) -> Option<Drawn> {
        self.0.first_mut()?.drawn.pop()
    }

    /// Draws turns of the root of this stripe.
    pub(super) fn draw(&mut self, stripe: &mut SharedTree<'_>, options: &SearchOptions) {
        if let Some(waiting) = self.0.first_mut() {
            stripe.draw(&mut waiting.drawn, options);
        }
    }

    /// Records a value on a turn later. Returns false when it has to be recorded now.
    pub(super) fn defer(&mut self, leg: Leg, value: i32, weight: u32) -> bool {
        let waiting = self.0.first_mut();
        waiting.is_some_and(|waiting| waiting.backups.push(Backup { leg, value, weight }).is_ok())
    }

    /// Records what waits for this stripe.
    pub(super) fn record(&mut self, stripe: &mut SharedTree<'_>, options: &SearchOptions) {
        let Some(waiting) = self.0.first_mut() else { return };
        let mut left = Vec::new();
        for &backup in &waiting.backups {
            let Backup { leg, value, weight } = backup;
            if stripe.tree.stripe().holds(leg.node) {
                stripe.back_up(leg, value, weight, options);
            } else {
                // As many as there were fit.
                let _ = left.push(backup);
            }
        }
        waiting.backups = left;
    }

    /// A position whose stripe something waits for; while turns are drawn, those of the root may wait on.
    pub(super) fn waiting(&self, root: u32) -> Option<u32> {
        let waiting = self.0.first()?;
        let may_wait = |node| node == root && !waiting.drawn.is_empty();
        waiting.backups.iter().map(|backup| backup.leg.node).find(|&node| !may_wait(node))
    }
}

impl SharedTree<'_> {
    /// Draws turns of the root, each with a virtual loss, where others search it too and no new turn is wanted.
    fn draw(&mut self, drawn: &mut DrawnTurns, options: &SearchOptions) {
        let root = self.root;
        if self.tree.stripe().is_whole() || self.tree.stats(root).visits() < MANY_VISITS {
            return;
        }
        while !drawn.is_full() && !self.wants_more(root, options) {
            let Some(edge) = self.best(root, options) else { return };
            self.tree.enter(edge);
            // There is room.
            let _ = drawn.push(Drawn { edge, child: self.tree.child(edge).unwrap_or(NONE) });
        }
    }
}
