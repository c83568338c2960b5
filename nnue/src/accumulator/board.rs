//! Accumulators of a board.

use barrow_core::minions::{BOARD_CAP, Board, MapLabel, Side, SideArray};

use super::delta::{Delta, NeedsRefresh};
use super::rows::Rows;
use super::tables::Tables;
use crate::features::{self, BoardFeature, Stage};
use crate::kernels::Weight;
use crate::layout::{Layout, Row};
use crate::shape::{MAX_NARROW, Profile};

/// Number of rows that a refresh gathers before it adds them up; most boards have fewer. Small machines, which play on two
/// boards, have less stack.
const GATHERED: usize = if BOARD_CAP > 2 { 192 } else { 112 };

/// Accumulator of a board: sums of the active rows for both perspectives.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct BoardAccumulator<P: Profile> {
    lanes: SideArray<P::Lanes>,
}

impl<P: Profile> PartialEq for BoardAccumulator<P> {
    fn eq(&self, other: &Self) -> bool {
        self.lanes == other.lanes
    }
}

impl<P: Profile> BoardAccumulator<P> {
    /// Accumulator whose sums are all zero; no board has it.
    pub const ZERO: BoardAccumulator<P> = BoardAccumulator { lanes: SideArray::new(P::ZERO, P::ZERO) };

    /// Accumulator of a board on this map at this stage of the turn.
    pub fn of(tables: &Tables<'_, P>, map: MapLabel, board: &Board, stage: Stage) -> BoardAccumulator<P> {
        let mut accumulator = BoardAccumulator::ZERO;
        accumulator.refresh(tables, map, board, stage);
        accumulator
    }

    /// Accumulator after a change of the parent's board.
    pub fn from_parent<const ROWS: usize>(
        tables: &Tables<'_, P>,
        parent: &BoardAccumulator<P>,
        delta: &Delta<P::Layout, ROWS>,
    ) -> Result<BoardAccumulator<P>, NeedsRefresh> {
        let mut accumulator = BoardAccumulator::ZERO;
        accumulator.derive(tables, parent, delta)?;
        Ok(accumulator)
    }

    /// Sums of one perspective.
    #[inline]
    pub fn lanes(&self, side: Side) -> &P::Lanes {
        &self.lanes[side]
    }

    /// Computes the sums of a board from its features.
    pub fn refresh(&mut self, tables: &Tables<'_, P>, map: MapLabel, board: &Board, stage: Stage) {
        Gatherer::gather(self, tables, map, board, stage);
    }

    /// Updates the sums by a change of the board. On error they stay as they are.
    pub fn apply<const ROWS: usize>(
        &mut self,
        tables: &Tables<'_, P>,
        delta: &Delta<P::Layout, ROWS>,
    ) -> Result<(), NeedsRefresh> {
        let parent = *self;
        self.derive(tables, &parent, delta)
    }

    /// Replaces the sums by those of the parent after a change. On error they stay as they are.
    #[inline]
    pub fn derive<const ROWS: usize>(
        &mut self,
        tables: &Tables<'_, P>,
        parent: &BoardAccumulator<P>,
        delta: &Delta<P::Layout, ROWS>,
    ) -> Result<(), NeedsRefresh> {
        if delta.needs_refresh() {
            return Err(NeedsRefresh);
        }
        for side in Side::ALL {
            let to = self.lanes[side].as_mut();
            let from = parent.lanes[side].as_ref();
            P::Weight::update(from, tables.wide, delta.wide_added(side), delta.wide_removed(side), to);
            change_narrow(tables, to, delta.narrow_added(side), delta.narrow_removed(side));
        }
        Ok(())
    }
}

/// Gatherer of rows for a refresh, which adds many rows at a time so that the sums stay in registers meanwhile.
struct Gatherer<'a, P: Profile> {
    accumulator: &'a mut BoardAccumulator<P>,
    tables: &'a Tables<'a, P>,
    begun: bool,
    rows: Rows<GATHERED>,
}

impl<P: Profile> Gatherer<'_, P> {
    fn gather(
        accumulator: &mut BoardAccumulator<P>,
        tables: &Tables<'_, P>,
        map: MapLabel,
        board: &Board,
        stage: Stage,
    ) {
        let mut gatherer = Gatherer { accumulator, tables, begun: false, rows: Rows::EMPTY };
        // Pieces apart: most features are pieces, and their rows are quickly found.
        features::pieces(board, |feature| gatherer.push(feature));
        features::others(map, board, stage, P::Layout::DETAILS, |feature| gatherer.push(feature));
        gatherer.add();
    }

    #[inline]
    fn push(&mut self, feature: BoardFeature) {
        if let Some(rows) = P::Layout::rows(feature)
            && !self.rows.push(rows)
        {
            self.make_room(rows);
        }
    }

    #[cold]
    fn make_room(&mut self, rows: SideArray<Row>) {
        self.add();
        self.rows.clear();
        self.rows.push(rows);
    }

    /// Adds the gathered rows to the bias, the first time, or to the sums so far. Lanes past the end of the bias
    /// begin at zero.
    fn add(&mut self) {
        for side in Side::ALL {
            let lanes = &mut self.accumulator.lanes[side];
            let wide = self.rows.wide(side);
            if !self.begun && self.tables.bias.len() == P::L1 {
                P::Weight::update(self.tables.bias, self.tables.wide, wide, &[], lanes.as_mut());
            } else {
                let mut from = if self.begun { *lanes } else { P::ZERO };
                if !self.begun {
                    from.as_mut().iter_mut().zip(self.tables.bias).for_each(|(sum, bias)| *sum = *bias);
                }
                P::Weight::update(from.as_ref(), self.tables.wide, wide, &[], lanes.as_mut());
            }
            change_narrow(self.tables, lanes.as_mut(), self.rows.narrow(side), &[]);
        }
        self.begun = true;
    }
}

/// Adds and removes narrow rows in the first lanes.
#[inline]
fn change_narrow<P: Profile>(tables: &Tables<'_, P>, lanes: &mut [i16], added: &[u16], removed: &[u16]) {
    const { assert!(P::NARROW <= MAX_NARROW) };
    if added.is_empty() && removed.is_empty() {
        return;
    }
    let mut from = [0; MAX_NARROW];
    if let (Some(from), Some(to)) = (from.get_mut(..P::NARROW), lanes.get_mut(..P::NARROW)) {
        from.copy_from_slice(to);
        P::Weight::update(from, tables.narrow, added, removed, to);
    }
}
