//! A path of changes and their undoing.

use barrow_core::minions::{Board, MapLabel, Side, SideArray};

use super::{BoardAccumulator, Delta, Tables};
use crate::features::Stage;
use crate::shape::Profile;

/// One position on the path: the change that led there and, once they are computed, its sums.
#[derive(Clone, Copy, Debug)]
pub struct Frame<P: Profile, const ROWS: usize = 64> {
    accumulator: BoardAccumulator<P>,
    delta: Delta<P::Layout, ROWS>,
    ready: SideArray<bool>,
}

impl<P: Profile, const ROWS: usize> Frame<P, ROWS> {
    /// Memory to lend to a [`Stack`].
    pub const EMPTY: Frame<P, ROWS> = Frame {
        accumulator: BoardAccumulator::ZERO,
        delta: Delta::WHOLE,
        ready: SideArray::new(false, false),
    };
}

/// No room for a further change; lend more frames.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct StackFull;

impl core::fmt::Display for StackFull {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("the stack of accumulators is full")
    }
}

impl core::error::Error for StackFull {}

/// The sums of one board along a path of changes. A push costs a copy of the delta; sums are computed for the
/// perspective and the position that are asked for, from the nearest position on the path that has them.
#[derive(Debug)]
pub struct Stack<'m, P: Profile, const ROWS: usize = 64> {
    root: &'m mut Frame<P, ROWS>,
    above: &'m mut [Frame<P, ROWS>],
    depth: usize,
}

impl<'m, P: Profile, const ROWS: usize> Stack<'m, P, ROWS> {
    /// A stack over lent memory, at the first position of a path. `None` without memory.
    pub fn new(frames: &'m mut [Frame<P, ROWS>]) -> Option<Self> {
        let (root, above) = frames.split_first_mut()?;
        let mut stack = Stack { root, above, depth: 0 };
        stack.restart();
        Some(stack)
    }

    /// Begins a new path, with a position of which nothing is known.
    pub fn restart(&mut self) {
        self.depth = 0;
        *self.root = Frame::EMPTY;
    }

    /// Changes since the path began.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// Changes that the lent memory can hold.
    pub fn capacity(&self) -> usize {
        self.above.len()
    }

    /// Follows a change of the board. A full stack stays as it was.
    pub fn push(&mut self, delta: &Delta<P::Layout, ROWS>) -> Result<(), StackFull> {
        let frame = self.above.get_mut(self.depth).ok_or(StackFull)?;
        frame.delta = *delta;
        frame.ready = SideArray::new(false, false);
        self.depth += 1;
        Ok(())
    }

    /// Takes the last change back; false at the beginning of the path.
    pub fn pop(&mut self) -> bool {
        match self.depth.checked_sub(1) {
            Some(depth) => {
                self.depth = depth;
                true
            }
            None => false,
        }
    }

    /// The sums of the present position for both perspectives. The caller says which position that is; it is looked
    /// at when there is nothing to compute the sums from.
    pub fn accumulator(
        &mut self,
        tables: &Tables<'_, P>,
        map: MapLabel,
        board: &Board,
        stage: Stage,
    ) -> &BoardAccumulator<P> {
        for side in Side::ALL {
            self.compute(tables, map, board, stage, side);
        }
        &self.top().accumulator
    }

    /// The sums of the present position for one perspective; see [`Stack::accumulator`].
    pub fn lanes(
        &mut self,
        tables: &Tables<'_, P>,
        map: MapLabel,
        board: &Board,
        stage: Stage,
        side: Side,
    ) -> &P::Lanes {
        self.compute(tables, map, board, stage, side);
        self.top().accumulator.lanes(side)
    }

    fn top(&self) -> &Frame<P, ROWS> {
        let last = self.depth.checked_sub(1).and_then(|last| self.above.get(last));
        last.unwrap_or(self.root)
    }

    fn compute(&mut self, tables: &Tables<'_, P>, map: MapLabel, board: &Board, stage: Stage, side: Side) {
        let path = self.above.get_mut(..self.depth).unwrap_or_default();
        // The changes that are still to be followed: those after the last position that has sums.
        let done = path.iter().rposition(|frame| frame.ready[side]);
        if done.is_none() && !self.root.ready[side]
            || path.iter().skip(done.map_or(0, |done| done + 1)).any(|frame| frame.delta.needs_refresh())
        {
            let top = path.last_mut().unwrap_or(self.root);
            top.accumulator.refresh_side(tables, map, board, stage, side);
            top.ready[side] = true;
            return;
        }
        let (parents, rest) = path.split_at_mut(done.map_or(0, |done| done + 1));
        let mut parent = &parents.last().unwrap_or(self.root).accumulator;
        for frame in rest {
            // No change that needs a refresh is left.
            let _ = frame.accumulator.derive_side(tables, parent, &frame.delta, side);
            frame.ready[side] = true;
            parent = &frame.accumulator;
        }
    }
}
