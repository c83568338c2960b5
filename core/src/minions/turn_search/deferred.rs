//! Deferred values and drawn turns: what a search does under a lock that it takes anyway, instead of taking one for it. The
//! values of a path wait until the next path comes by, and where several threads search, each draws some turns of the root
//! at a time, and as many turns of a much visited position as it has drawn turns that lead there. All threads pass the root and
//! its best turns at every node, so that they would spend their time waiting for these locks. A tree of one stripe is searched as
//! if nothing waited: everything is recorded before the next turn is chosen.

use heapless::Vec;

use super::options::SearchOptions;
use super::path::{DEPTH_CAP, Leg};
use super::shared_tree::SharedTree;
use super::threading::{DRAWN, MANY_VISITS, THREADED, draws_of_root};
use crate::heapless_vec;
use crate::search::tree::NONE;

/// Values that wait: those of one path, and those of the turns drawn.
const BACKUPS: usize = DEPTH_CAP + DRAWN;

/// A value that is to be recorded on a turn.
#[derive(Clone, Copy)]
struct Backup {
    leg: Leg,
    value: i32,
    weight: u32,
}

/// A turn that is to be followed from a position, with a virtual loss.
#[derive(Clone, Copy)]
pub(super) struct Drawn {
    pub(super) node: u32,
    pub(super) edge: u32,
    /// Index of the position after it, `NONE` where it was not known.
    pub(super) child: u32,
    /// Key of the position that it is a turn of.
    pub(super) key: u64,
}

/// Turns that are to be followed, of each position those first that were drawn last.
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

    /// Whether a turn of a position was drawn.
    pub(super) fn has_drawn(&self, node: u32) -> bool {
        self.0.first().is_some_and(|waiting| waiting.drawn.iter().any(|drawn| drawn.node == node))
    }

    /// The next turn of a position that was drawn.
    pub(super) fn next_drawn(&mut self, node: u32) -> Option<Drawn> {
        let drawn = &mut self.0.first_mut()?.drawn;
        let place = drawn.iter().rposition(|drawn| drawn.node == node)?;
        heapless_vec::remove(drawn, place)
    }

    /// A position of which a turn was drawn.
    pub(super) fn drawn_at(&self) -> Option<u32> {
        self.0.first()?.drawn.last().map(|drawn| drawn.node)
    }

    /// Draws turns of a position of this stripe.
    pub(super) fn draw(&mut self, stripe: &mut SharedTree<'_>, node: u32, options: &SearchOptions) {
        if let Some(waiting) = self.0.first_mut() {
            stripe.draw(node, &mut waiting.drawn, options);
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
        waiting.backups.retain(|&Backup { leg, value, weight }| {
            let holds = stripe.tree.stripe().holds(leg.node);
            if holds {
                stripe.back_up(leg, value, weight, options);
            }
            !holds
        });
    }

    /// A position whose stripe something waits for. Values of the root may wait on, since every path begins there, and those of
    /// positions whose turns are drawn.
    pub(super) fn waiting(&self, root: u32) -> Option<u32> {
        let mut nodes = self.0.first()?.backups.iter().map(|backup| backup.leg.node);
        nodes.find(|&node| node != root && !self.has_drawn(node))
    }
}

impl SharedTree<'_> {
    /// Draws turns of the root, or of a position that turns drawn lead to, each with a virtual loss, where others search it too and no
    /// new turn is wanted.
    fn draw(&mut self, node: u32, drawn: &mut DrawnTurns, options: &SearchOptions) {
        let visits = self.tree.stats(node).visits();
        if self.tree.stripe().is_whole() || visits < MANY_VISITS {
            return;
        }
        let wanted = if node == self.root {
            draws_of_root(visits)
        } else {
            drawn.iter().filter(|drawn| drawn.child == node).count()
        };
        for _ in 0..wanted {
            if drawn.is_full() || self.wants_more(node, options) {
                return;
            }
            let Some(edge) = self.best(node, options) else { return };
            self.tree.enter(edge);
            let (child, key) = (self.tree.child(edge).unwrap_or(NONE), self.tree.key(node));
            // There is room.
            let _ = drawn.push(Drawn { node, edge, child, key });
        }
    }
}
