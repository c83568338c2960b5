//! The general's sums.

use core::marker::PhantomData;

use barrow_core::minions::{Game, Side, SideArray};
use heapless::Vec;

use super::NeedsRefresh;
use crate::features::{GlobalFeature, Part};
use crate::kernels::Weight;
use crate::layout::Layout;
use crate::shape::{GLOBAL, Profile};

/// Rows that a refresh gathers before it adds them up.
const GATHERED: usize = 128;

/// The general's weights, borrowed.
#[derive(Clone, Copy, Debug)]
pub struct GlobalTable<'a, P: Profile> {
    /// Rows of [`GLOBAL`] weights, one for each of the layout's rows of the general.
    pub rows: &'a [P::Weight],
    /// [`GLOBAL`] sums to begin with.
    pub bias: &'a [i16],
}

/// Rows that the general's part of a position loses and gains, for both perspectives. `ROWS` bounds each of the four
/// lists; a change that needs more is remembered as one that needs a refresh.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GlobalDelta<L: Layout, const ROWS: usize = 64> {
    added: SideArray<Vec<u16, ROWS>>,
    removed: SideArray<Vec<u16, ROWS>>,
    whole: bool,
    layout: PhantomData<L>,
}

impl<L: Layout, const ROWS: usize> GlobalDelta<L, ROWS> {
    /// The difference between two positions.
    pub fn between(before: &Game, after: &Game) -> GlobalDelta<L, ROWS> {
        let mut delta = GlobalDelta {
            added: SideArray::new(Vec::new(), Vec::new()),
            removed: SideArray::new(Vec::new(), Vec::new()),
            whole: false,
            layout: PhantomData,
        };
        for part in Part::ALL.into_iter().filter(|part| !part.same(before, after)) {
            part.visit(before, &mut |feature| delta.remove(feature));
            part.visit(after, &mut |feature| delta.add(feature));
        }
        delta
    }

    /// Whether the sums must be computed from the position.
    pub fn needs_refresh(&self) -> bool {
        self.whole
    }

    /// Rows that a perspective gains.
    pub fn added(&self, side: Side) -> &[u16] {
        &self.added[side]
    }

    /// Rows that a perspective loses.
    pub fn removed(&self, side: Side) -> &[u16] {
        &self.removed[side]
    }

    fn remove(&mut self, feature: GlobalFeature) {
        if let Some(rows) = L::global_rows(feature) {
            for side in Side::ALL {
                self.whole |= self.removed[side].push(rows[side]).is_err();
            }
        }
    }

    /// A feature that was noted as gone is as if it had never been.
    fn add(&mut self, feature: GlobalFeature) {
        let Some(rows) = L::global_rows(feature) else { return };
        for side in Side::ALL {
            let row = rows[side];
            match self.removed[side].iter().position(|&other| other == row) {
                Some(place) => {
                    self.removed[side].swap_remove(place);
                }
                None => self.whole |= self.added[side].push(row).is_err(),
            }
        }
    }
}

/// The sums of the general's active rows from both perspectives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(32))]
pub struct GlobalAccumulator {
    lanes: SideArray<[i16; GLOBAL]>,
}

impl GlobalAccumulator {
    /// All sums zero; no position's.
    pub const ZERO: GlobalAccumulator = GlobalAccumulator { lanes: SideArray::new([0; GLOBAL], [0; GLOBAL]) };

    /// The sums of a position.
    pub fn of<P: Profile>(table: &GlobalTable<'_, P>, game: &Game) -> GlobalAccumulator {
        let mut accumulator = GlobalAccumulator::ZERO;
        accumulator.refresh(table, game);
        accumulator
    }

    /// One perspective's sums.
    pub fn lanes(&self, side: Side) -> &[i16; GLOBAL] {
        &self.lanes[side]
    }

    /// Computes the sums of a position.
    pub fn refresh<P: Profile>(&mut self, table: &GlobalTable<'_, P>, game: &Game) {
        for side in Side::ALL {
            self.lanes[side] = [0; GLOBAL];
            self.lanes[side].iter_mut().zip(table.bias).for_each(|(sum, bias)| *sum = *bias);
        }
        self.add(table, game, &Part::ALL);
    }

    /// Adds some parts of a position to the sums, which do not have them yet.
    pub(crate) fn add<P: Profile>(&mut self, table: &GlobalTable<'_, P>, game: &Game, parts: &[Part]) {
        let mut rows: SideArray<Vec<u16, GATHERED>> = SideArray::new(Vec::new(), Vec::new());
        for part in parts {
            part.visit(game, &mut |feature| {
                let Some(new) = P::Layout::global_rows(feature) else { return };
                for side in Side::ALL {
                    if rows[side].is_full() {
                        change(table, &mut self.lanes[side], &rows[side], &[]);
                        rows[side].clear();
                    }
                    let _ = rows[side].push(new[side]);
                }
            });
        }
        for side in Side::ALL {
            change(table, &mut self.lanes[side], &rows[side], &[]);
        }
    }

    /// The sums of a position without some of its parts.
    pub(crate) fn without<P: Profile>(
        table: &GlobalTable<'_, P>,
        game: &Game,
        parts: &[Part],
    ) -> GlobalAccumulator {
        let mut accumulator = GlobalAccumulator::ZERO;
        for side in Side::ALL {
            accumulator.lanes[side].iter_mut().zip(table.bias).for_each(|(sum, bias)| *sum = *bias);
        }
        for part in Part::ALL.iter().filter(|part| !parts.contains(part)) {
            accumulator.add(table, game, core::slice::from_ref(part));
        }
        accumulator
    }

    /// Follows a change of the position. On error nothing has changed.
    pub fn apply<P: Profile, const ROWS: usize>(
        &mut self,
        table: &GlobalTable<'_, P>,
        delta: &GlobalDelta<P::Layout, ROWS>,
    ) -> Result<(), NeedsRefresh> {
        if delta.needs_refresh() {
            return Err(NeedsRefresh);
        }
        for side in Side::ALL {
            change(table, &mut self.lanes[side], delta.added(side), delta.removed(side));
        }
        Ok(())
    }
}

fn change<P: Profile>(table: &GlobalTable<'_, P>, lanes: &mut [i16; GLOBAL], added: &[u16], removed: &[u16]) {
    let from = *lanes;
    P::Weight::update(&from, table.rows, added, removed, lanes);
}
