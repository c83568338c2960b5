//! What a change of a board takes away and adds.

use core::marker::PhantomData;

use barrow_core::hex::HexSet;
use barrow_core::minions::{Board, MapLabel, Movable, Side, UnitLabel};

use super::rows::Rows;
use crate::features::{self, BoardFeature, Stage};
use crate::layout::Layout;

/// Rows that are no longer active and rows that have become so, for both perspectives. `ROWS` bounds each of the
/// two lists; a change that needs more is remembered as one that needs a refresh.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Delta<L: Layout, const ROWS: usize = 64> {
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
    /// No change.
    pub const NOTHING: Delta<L, ROWS> =
        Delta { added: Rows::EMPTY, removed: Rows::EMPTY, whole: false, layout: PhantomData };

    /// A change that says nothing but that the sums must be computed from the position.
    pub const WHOLE: Delta<L, ROWS> = Delta { whole: true, ..Delta::NOTHING };

    /// The difference between a board before and after some actions, with the stages before and after.
    ///
    /// `touched` holds the hexes whose piece may have changed; others are not looked at. [`HexSet::ALL`] is always
    /// right, [`super::touched`] quicker.
    pub fn between(
        map: MapLabel,
        (before, stage_before): (&Board, Stage),
        (after, stage_after): (&Board, Stage),
        touched: HexSet,
    ) -> Delta<L, ROWS> {
        let mut delta = Delta::NOTHING;
        delta.pieces(map, before, after, touched);
        delta.rest(before, after);
        if stage_before != stage_after {
            delta.remove(BoardFeature::Stage(stage_before));
            delta.add(BoardFeature::Stage(stage_after));
        }
        delta
    }

    /// Whether the sums must be computed from the position.
    #[inline]
    pub fn needs_refresh(&self) -> bool {
        self.whole
    }

    /// Whether nothing has changed.
    pub fn is_nothing(&self) -> bool {
        !self.whole && self.added.len() + self.removed.len() == 0
    }

    /// Wide rows that a perspective gains.
    #[inline]
    pub fn wide_added(&self, side: Side) -> &[u16] {
        self.added.wide(side)
    }

    /// Wide rows that a perspective loses.
    #[inline]
    pub fn wide_removed(&self, side: Side) -> &[u16] {
        self.removed.wide(side)
    }

    /// Narrow rows that a perspective gains.
    #[inline]
    pub fn narrow_added(&self, side: Side) -> &[u16] {
        self.added.narrow(side)
    }

    /// Narrow rows that a perspective loses.
    #[inline]
    pub fn narrow_removed(&self, side: Side) -> &[u16] {
        self.removed.narrow(side)
    }

    /// Notes that a feature is no longer there.
    #[inline]
    pub fn remove(&mut self, feature: BoardFeature) {
        if let Some(rows) = L::rows(feature) {
            self.whole |= !self.removed.push(rows);
        }
    }

    /// Notes that a feature is there now. One that was noted as gone is then as if it had never been.
    #[inline]
    pub fn add(&mut self, feature: BoardFeature) {
        if let Some(rows) = L::rows(feature)
            && !self.removed.take(rows)
        {
            self.whole |= !self.added.push(rows);
        }
    }

    fn pieces(&mut self, map: MapLabel, before: &Board, after: &Board, touched: HexSet) {
        let terrain = map.map();
        for hex in touched & (before.all_pieces() | after.all_pieces()) {
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

    /// Everything that has no hex, and the movable tiles.
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
