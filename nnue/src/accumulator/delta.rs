//! Deltas: the rows that differ between two boards.

use core::marker::PhantomData;

use barrow_core::minions::{BOARD_CAP, Board, MapLabel, Movable, Side, UnitLabel};

use super::rows::Rows;
use crate::features::{self, BoardFeature, Stage};
use crate::layout::Layout;

/// Error of a delta that exceeded its lists: the accumulator must be computed from the position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct NeedsRefresh;

impl core::fmt::Display for NeedsRefresh {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("more rows changed than a delta can list")
    }
}

impl core::error::Error for NeedsRefresh {}

/// Rows in each list of a delta: small machines, which play on two boards, have less stack.
const LISTED: usize = if BOARD_CAP > 2 { 64 } else { 48 };

/// Rows that a change of a board removes and adds, for both perspectives. `ROWS` bounds each of the two lists; a
/// change that exceeds a list is marked as one that needs a refresh.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Delta<L: Layout, const ROWS: usize = LISTED> {
    added: Rows<ROWS>,
    removed: Rows<ROWS>,
    whole: bool,
    layout: PhantomData<L>,
}

impl<L: Layout, const ROWS: usize> Default for Delta<L, ROWS> {
    fn default() -> Self {
        Delta::NOTHING
    }
}

impl<L: Layout, const ROWS: usize> Delta<L, ROWS> {
    /// Delta of no change.
    pub const NOTHING: Delta<L, ROWS> =
        Delta { added: Rows::EMPTY, removed: Rows::EMPTY, whole: false, layout: PhantomData };

    /// Difference between a board before and after some actions, with the stages of the turn before and after.
    pub fn between(
        map: MapLabel,
        (before, stage_before): (&Board, Stage),
        (after, stage_after): (&Board, Stage),
    ) -> Delta<L, ROWS> {
        let mut delta = Delta::NOTHING;
        delta.pieces(map, before, after);
        delta.rest(before, after);
        if stage_before != stage_after {
            delta.remove(BoardFeature::Stage(stage_before));
            delta.add(BoardFeature::Stage(stage_after));
        }
        delta
    }

    /// Whether the rows exceeded a list, so that the accumulator must be computed from the position.
    #[inline]
    pub fn needs_refresh(&self) -> bool {
        self.whole
    }

    /// Whether no row has changed.
    pub fn is_nothing(&self) -> bool {
        !self.whole && self.added.len() + self.removed.len() == 0
    }

    /// Wide rows added for a perspective.
    #[inline]
    pub fn wide_added(&self, side: Side) -> &[u16] {
        self.added.wide(side)
    }

    /// Wide rows removed for a perspective.
    #[inline]
    pub fn wide_removed(&self, side: Side) -> &[u16] {
        self.removed.wide(side)
    }

    /// Narrow rows added for a perspective.
    #[inline]
    pub fn narrow_added(&self, side: Side) -> &[u16] {
        self.added.narrow(side)
    }

    /// Narrow rows removed for a perspective.
    #[inline]
    pub fn narrow_removed(&self, side: Side) -> &[u16] {
        self.removed.narrow(side)
    }

    /// Removes the rows of a feature.
    #[inline]
    pub fn remove(&mut self, feature: BoardFeature) {
        if let Some(rows) = L::rows(feature) {
            self.whole |= !self.removed.push(rows);
        }
    }

    /// Adds the rows of a feature, or drops their removal.
    #[inline]
    pub fn add(&mut self, feature: BoardFeature) {
        if let Some(rows) = L::rows(feature)
            && !self.removed.take(rows)
        {
            self.whole |= !self.added.push(rows);
        }
    }

    /// Lists the changes of pieces.
    fn pieces(&mut self, map: MapLabel, before: &Board, after: &Board) {
        let terrain = map.map();
        for hex in before.all_pieces() | after.all_pieces() {
            let (old, new) = (before.piece(hex), after.piece(hex));
            match (old, new) {
                _ if old == new => {}
                (Some(old), Some(new)) if old.side() == new.side() && old.unit() == new.unit() => {
                    features::traits(hex, old, |feature| self.remove(feature));
                    features::traits(hex, new, |feature| self.add(feature));
                }
                _ => {
                    if let Some(old) = old {
                        features::square(terrain, hex, old, |feature| self.remove(feature));
                    }
                    if let Some(new) = new {
                        features::square(terrain, hex, new, |feature| self.add(feature));
                    }
                }
            }
        }
    }

    /// Lists the changes of movable tiles and of everything that has no hex.
    fn rest(&mut self, before: &Board, after: &Board) {
        for kind in Movable::ALL {
            let (old, new) = (before.movable(kind), after.movable(kind));
            if old != new {
                if let Some(hex) = old {
                    self.remove(BoardFeature::Tile(kind, hex));
                }
                if let Some(hex) = new {
                    self.add(BoardFeature::Tile(kind, hex));
                }
            }
        }
        if before.state() != after.state() {
            features::state(before, &mut |feature| self.remove(feature));
            features::state(after, &mut |feature| self.add(feature));
        }
        if before.marks() != after.marks() {
            features::marks(before, &mut |feature| self.remove(feature));
            features::marks(after, &mut |feature| self.add(feature));
        }
        if before.mana() != after.mana() {
            features::mana(before, &mut |feature| self.remove(feature));
            features::mana(after, &mut |feature| self.add(feature));
        }
        for side in Side::ALL {
            self.reserves(before, after, side);
            if before.hand(side) != after.hand(side) {
                features::hand(before, side, &mut |feature| self.remove(feature));
                features::hand(after, side, &mut |feature| self.add(feature));
            }
            if before.candidate_bits(side) != after.candidate_bits(side)
                || before.free(side) != after.free(side)
            {
                features::choices(before, side, &mut |feature| self.remove(feature));
                features::choices(after, side, &mut |feature| self.add(feature));
            }
            if before.pending(side) != after.pending(side) {
                features::pending(before, side, &mut |feature| self.remove(feature));
                features::pending(after, side, &mut |feature| self.add(feature));
            }
        }
    }

    fn reserves(&mut self, before: &Board, after: &Board, side: Side) {
        let (old, new) = (before.reserve_counts(side), after.reserve_counts(side));
        if old == new {
            return;
        }
        for (unit, (&old, &new)) in UnitLabel::ALL.into_iter().zip(old.iter().zip(new)) {
            if old != new {
                features::reserve(side, unit, old, &mut |feature| self.remove(feature));
                features::reserve(side, unit, new, &mut |feature| self.add(feature));
            }
        }
    }
}
