//! A board's sums.

use barrow_core::minions::{Board, MapLabel, Side, SideArray};

use super::rows::Rows;
use super::{Delta, NeedsRefresh, Tables};
use crate::features::{self, Stage};
use crate::kernels::Weight;
use crate::layout::Layout;
use crate::profile::Profile;

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
        let mut rows: SideArray<Rows<GATHERED>> = SideArray::new(Rows::EMPTY, Rows::EMPTY);
        self.lanes = SideArray::new(start(tables), start(tables));
        features::board(map, board, stage, |feature| {
            for side in Side::ALL {
                let Some(row) = P::Layout::row(feature, side) else { continue };
                if !rows[side].push(row) {
                    add(tables, &mut rows[side], &mut self.lanes[side]);
                    rows[side].push(row);
                }
            }
        });
        for side in Side::ALL {
            add(tables, &mut rows[side], &mut self.lanes[side]);
        }
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
        let mut rows: Rows<GATHERED> = Rows::EMPTY;
        self.lanes[side] = start(tables);
        let lanes = &mut self.lanes[side];
        features::board(map, board, stage, |feature| {
            let Some(row) = P::Layout::row(feature, side) else { return };
            if !rows.push(row) {
                add(tables, &mut rows, lanes);
                rows.push(row);
            }
        });
        add(tables, &mut rows, lanes);
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

/// The sums of no rows. Lanes for which the biases do not reach begin at zero.
fn start<P: Profile>(tables: &Tables<'_, P>) -> P::Lanes {
    let mut lanes = P::ZERO;
    lanes.as_mut().iter_mut().zip(tables.bias).for_each(|(sum, bias)| *sum = *bias);
    lanes
}

/// Adds gathered rows to the sums and forgets them.
fn add<P: Profile>(tables: &Tables<'_, P>, rows: &mut Rows<GATHERED>, lanes: &mut P::Lanes) {
    let from = *lanes;
    P::Weight::update(from.as_ref(), tables.wide, rows.wide(), &[], lanes.as_mut());
    change_narrow(tables, lanes.as_mut(), rows.narrow(), &[]);
    rows.clear();
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
