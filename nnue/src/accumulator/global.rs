//! Accumulators of the general.

use barrow_core::minions::{Game, Side, SideArray};
use heapless::Vec;

use super::tables::GlobalTable;
use crate::features::Part;
use crate::kernels::Weight;
use crate::layout::Layout;
use crate::shape::{GLOBAL, Profile};

/// Number of rows that are gathered before they are added up.
const GATHERED: usize = 128;

/// Accumulator of the general: sums of the active rows for both perspectives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(32))]
pub struct GlobalAccumulator {
    lanes: SideArray<[i16; GLOBAL]>,
}

impl GlobalAccumulator {
    /// Accumulator whose sums are all zero; no position has it.
    pub const ZERO: GlobalAccumulator = GlobalAccumulator { lanes: SideArray::new([0; GLOBAL], [0; GLOBAL]) };

    /// Accumulator of a position.
    pub fn of<P: Profile>(table: &GlobalTable<'_, P>, game: &Game) -> GlobalAccumulator {
        let mut accumulator = GlobalAccumulator::ZERO;
        accumulator.refresh(table, game);
        accumulator
    }

    /// Sums of one perspective.
    pub fn lanes(&self, side: Side) -> &[i16; GLOBAL] {
        &self.lanes[side]
    }

    /// Computes the sums of a position from its features.
    pub fn refresh<P: Profile>(&mut self, table: &GlobalTable<'_, P>, game: &Game) {
        for side in Side::ALL {
            self.lanes[side] = [0; GLOBAL];
            self.lanes[side].iter_mut().zip(table.bias).for_each(|(sum, bias)| *sum = *bias);
        }
        self.add(table, game, &Part::ALL);
    }

    /// Adds the rows of some parts of a position, which the sums do not contain yet.
    pub(crate) fn add<P: Profile>(&mut self, table: &GlobalTable<'_, P>, game: &Game, parts: &[Part]) {
        let mut rows: SideArray<Vec<u16, GATHERED>> = SideArray::new(Vec::new(), Vec::new());
        for &part in parts {
            part.visit(game, P::Layout::DETAILS, &mut |feature| {
                let Some(new) = P::Layout::global_rows(feature) else { return };
                for side in Side::ALL {
                    if rows[side].is_full() {
                        add_rows(table, &mut self.lanes[side], &rows[side]);
                        rows[side].clear();
                    }
                    let _ = rows[side].push(new[side]);
                }
            });
        }
        for side in Side::ALL {
            add_rows(table, &mut self.lanes[side], &rows[side]);
        }
    }

    /// Adds sums of rows.
    pub(crate) fn add_sums(&mut self, sums: &SideArray<[i16; GLOBAL]>) {
        for side in Side::ALL {
            let more = sums[side].iter();
            self.lanes[side].iter_mut().zip(more).for_each(|(sum, more)| *sum = sum.wrapping_add(*more));
        }
    }

    /// Accumulator of a position with the rows of some parts only.
    pub(crate) fn with<P: Profile>(
        table: &GlobalTable<'_, P>,
        game: &Game,
        parts: &[Part],
    ) -> GlobalAccumulator {
        let mut accumulator = GlobalAccumulator::ZERO;
        for side in Side::ALL {
            accumulator.lanes[side].iter_mut().zip(table.bias).for_each(|(sum, bias)| *sum = *bias);
        }
        accumulator.add(table, game, parts);
        accumulator
    }
}

/// Adds rows to the lanes.
fn add_rows<P: Profile>(table: &GlobalTable<'_, P>, lanes: &mut [i16; GLOBAL], rows: &[u16]) {
    let from = *lanes;
    P::Weight::update(&from, table.rows, rows, &[], lanes);
}
