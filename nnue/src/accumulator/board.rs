//! A board's sums.

use barrow_core::minions::{Board, MapLabel, Side, SideArray};

use super::rows::Rows;
use super::{Delta, NeedsRefresh, Tables};
use crate::features::{self, BoardFeature, Stage};
use crate::kernels::Weight;
use crate::layout::{Layout, Row};
use crate::shape::Profile;

/// Rows that a refresh gathers before it adds them up; most boards have fewer.
const GATHERED: usize = 192;

/// Most lanes that narrow rows of any profile touch.
const MOST_NARROW: usize = 32;

/// The sums of a board's active rows from both perspectives.
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
    /// All sums zero; no board's.
    pub const ZERO: BoardAccumulator<P> = BoardAccumulator { lanes: SideArray::new(P::ZERO, P::ZERO) };

    /// The sums of a board.
    pub fn of(tables: &Tables<'_, P>, map: MapLabel, board: &Board, stage: Stage) -> BoardAccumulator<P> {
        let mut accumulator = BoardAccumulator::ZERO;
        accumulator.refresh(tables, map, board, stage);
        accumulator
    }

    /// The sums after a change of a board whose sums are given.
    pub fn from_parent<const ROWS: usize>(
        tables: &Tables<'_, P>,
        parent: &BoardAccumulator<P>,
        delta: &Delta<P::Layout, ROWS>,
    ) -> Result<BoardAccumulator<P>, NeedsRefresh> {
        let mut accumulator = BoardAccumulator::ZERO;
        accumulator.derive(tables, parent, delta)?;
        Ok(accumulator)
    }

    /// One perspective's sums.
    #[inline]
    pub fn lanes(&self, side: Side) -> &P::Lanes {
        &self.lanes[side]
    }

    /// Computes the sums of a board.
    pub fn refresh(&mut self, tables: &Tables<'_, P>, map: MapLabel, board: &Board, stage: Stage) {
        Gatherer::gather(self, tables, &Side::ALL, map, board, stage);
    }

    /// Computes one perspective's sums of a board.
    pub fn refresh_side(
        &mut self,
        tables: &Tables<'_, P>,
        map: MapLabel,
        board: &Board,
        stage: Stage,
        side: Side,
    ) {
        Gatherer::gather(self, tables, &[side], map, board, stage);
    }

    /// Follows a change of the board. On error nothing has changed.
    pub fn apply<const ROWS: usize>(
        &mut self,
        tables: &Tables<'_, P>,
        delta: &Delta<P::Layout, ROWS>,
    ) -> Result<(), NeedsRefresh> {
        let parent = *self;
        self.derive(tables, &parent, delta)
    }

    /// Takes the parent's sums after a change. On error nothing has changed.
    #[inline]
    pub fn derive<const ROWS: usize>(
        &mut self,
        tables: &Tables<'_, P>,
        parent: &BoardAccumulator<P>,
        delta: &Delta<P::Layout, ROWS>,
    ) -> Result<(), NeedsRefresh> {
        self.derive_side(tables, parent, delta, Side::Yellow)?;
        self.derive_side(tables, parent, delta, Side::Blue)
    }

    /// Takes one perspective of the parent's sums after a change. On error nothing has changed.
    #[inline]
    pub fn derive_side<const ROWS: usize>(
        &mut self,
        tables: &Tables<'_, P>,
        parent: &BoardAccumulator<P>,
        delta: &Delta<P::Layout, ROWS>,
        side: Side,
    ) -> Result<(), NeedsRefresh> {
        if delta.needs_refresh() {
            return Err(NeedsRefresh);
        }
        let to = self.lanes[side].as_mut();
        let from = parent.lanes[side].as_ref();
        P::Weight::update(from, tables.wide, delta.wide_added(side), delta.wide_removed(side), to);
        change_narrow(tables, to, delta.narrow_added(side), delta.narrow_removed(side));
        Ok(())
    }
}

/// Rows on their way into the sums. They are added many at a time, so that the sums stay in registers meanwhile.
struct Gatherer<'a, P: Profile> {
    accumulator: &'a mut BoardAccumulator<P>,
    tables: &'a Tables<'a, P>,
    sides: &'a [Side],
    begun: bool,
    rows: Rows<GATHERED>,
}

impl<P: Profile> Gatherer<'_, P> {
    fn gather(
        accumulator: &mut BoardAccumulator<P>,
        tables: &Tables<'_, P>,
        sides: &[Side],
        map: MapLabel,
        board: &Board,
        stage: Stage,
    ) {
        let mut gatherer = Gatherer { accumulator, tables, sides, begun: false, rows: Rows::EMPTY };
        // Pieces apart: most features are pieces, and their rows are quickly found.
        features::pieces(board, |feature| gatherer.note(feature));
        features::others(map, board, stage, |feature| gatherer.note(feature));
        gatherer.add();
    }

    #[inline]
    fn note(&mut self, feature: BoardFeature) {
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

    /// Adds the rows to the biases, the first time, or to the sums so far. Lanes for which the biases do not reach
    /// begin at zero.
    fn add(&mut self) {
        for &side in self.sides {
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

/// Changes narrow rows in the first lanes.
#[inline]
fn change_narrow<P: Profile>(tables: &Tables<'_, P>, lanes: &mut [i16], added: &[u16], removed: &[u16]) {
    const { assert!(P::NARROW <= MOST_NARROW) };
    if added.is_empty() && removed.is_empty() {
        return;
    }
    let mut from = [0; MOST_NARROW];
    if let (Some(from), Some(to)) = (from.get_mut(..P::NARROW), lanes.get_mut(..P::NARROW)) {
        from.copy_from_slice(to);
        P::Weight::update(from, tables.narrow, added, removed, to);
    }
}
