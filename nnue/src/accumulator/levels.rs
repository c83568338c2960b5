//! Sums of a side's tech levels, kept from one position to the next: most of the general's features are levels, and a turn
//! changes few of them.

use barrow_core::list;
use barrow_core::minions::tables::capacities::TECH_CAP;
use barrow_core::minions::{Game, Side, SideArray, Tech};
use heapless::Vec;

use super::tables::GlobalTable;
use crate::features::{GlobalFeature, LevelPair, repeated};
use crate::kernels::Weight;
use crate::layout::Layout;
use crate::shape::{GLOBAL, Profile};

/// Number of rows that are gathered before they are added up.
const GATHERED: usize = 32;

/// Rows of one perspective.
type Rows = Vec<u16, GATHERED, u8>;

/// Sums of the rows of one side's tech levels, for both perspectives, with the levels that they are of.
#[derive(Clone, Debug)]
pub struct LevelSums {
    line: Vec<Tech, TECH_CAP, u8>,
    /// Places of the line whose tech stands at an earlier place, too.
    again: u32,
    levels: LevelPair,
    lanes: SideArray<[i16; GLOBAL]>,
}

impl Default for LevelSums {
    fn default() -> LevelSums {
        LevelSums {
            line: Vec::new(),
            again: 0,
            levels: LevelPair::default(),
            lanes: SideArray::new([0; GLOBAL], [0; GLOBAL]),
        }
    }
}

impl LevelSums {
    /// Sums of the levels of a side in a position.
    pub(crate) fn update<P: Profile>(
        &mut self,
        table: &GlobalTable<'_, P>,
        game: &Game,
        side: Side,
    ) -> &SideArray<[i16; GLOBAL]> {
        let (state, techs) = (game.state(), game.config().techline.techs());
        if self.line != techs {
            // Nothing is unlocked and nothing has changed: these levels have no rows.
            let line = list::first(techs.iter().copied());
            *self = LevelSums { line, again: repeated(game.config()), ..LevelSums::default() };
        }
        let new = LevelPair { now: state.tech(side), began: state.tech_at_start(side) };
        let mut places = self.levels.differences(new);
        let mut changes = Changes::default();
        while places != 0 {
            let place = places.trailing_zeros();
            places &= places - 1;
            let Some(&tech) = self.line.get(place as usize) else { break };
            let (place, again) = ((place as u8, tech), self.again & 1 << place != 0);
            self.levels.visit(side, place, again, &mut |feature| changes.note::<P>(feature, 1));
            new.visit(side, place, again, &mut |feature| changes.note::<P>(feature, 0));
            if changes.are_many() {
                changes.make(table, &mut self.lanes);
            }
        }
        changes.make(table, &mut self.lanes);
        self.levels = new;
        &self.lanes
    }
}

/// Rows that are to be added, and those to be taken away.
#[derive(Default)]
struct Changes([SideArray<Rows>; 2]);

impl Changes {
    /// Notes the rows of a feature, to be added (0) or taken away (1).
    fn note<P: Profile>(&mut self, feature: GlobalFeature, kind: usize) {
        let (Some(rows), Some(lists)) = (P::Layout::global_rows(feature), self.0.get_mut(kind)) else {
            return;
        };
        for side in Side::ALL {
            // There is room: changes are made when a place might have none.
            let _ = lists[side].push(rows[side]);
        }
    }

    /// Whether the rows of another place might not fit.
    fn are_many(&self) -> bool {
        self.0.iter().any(|lists| lists[Side::Yellow].len() + 2 > GATHERED)
    }

    /// Makes the changes and forgets them.
    fn make<P: Profile>(&mut self, table: &GlobalTable<'_, P>, lanes: &mut SideArray<[i16; GLOBAL]>) {
        let [added, removed] = &mut self.0;
        for side in Side::ALL {
            if !added[side].is_empty() || !removed[side].is_empty() {
                let from = lanes[side];
                P::Weight::update(&from, table.rows, &added[side], &removed[side], &mut lanes[side]);
            }
            added[side].clear();
            removed[side].clear();
        }
    }
}
