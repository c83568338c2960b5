//! The opening (rules §12.5, step 5): on maps with starts far apart, the own explorer runs to the nearest other one,
//! through a wanderer if need be.

use crate::contests::kutulu::constants::COMPANY_RANGE;
use crate::contests::kutulu::{Direction, Map, MapTables, State, recognise};

use super::Tuning;
use super::yell::spooks_of_step;

/// The opening of one game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Opening {
    /// Spooks suffered so far.
    spooks: u8,
}

impl Opening {
    /// The opening of a map of the pool whose starts are far apart.
    pub(super) fn of(tables: &MapTables, tuning: &Tuning) -> Option<Opening> {
        let (_, known) = recognise(tables.map())?;
        if tuning.opening_turns > 0 && are_far_apart(tables, &known, tuning.opening_distance) {
            Some(Opening { spooks: 0 })
        } else {
            None
        }
    }

    /// Whether the opening is over: another explorer is near, or its turns are used up.
    pub(super) fn is_over(tables: &MapTables, state: &State, own: usize, tuning: &Tuning) -> bool {
        let at = state.point(tables.map(), own);
        let is_near = |id: usize| id != own && state.point(tables.map(), id).manhattan(at) <= COMPANY_RANGE;
        state.turn > tuning.opening_turns || state.living().any(is_near)
    }

    /// The step towards the nearest other explorer; `None` if its spooks exceed the allowed number.
    pub(super) fn step(
        &mut self,
        tables: &MapTables,
        state: &State,
        own: usize,
        tuning: &Tuning,
    ) -> Option<Direction> {
        let cell = state.explorers[own].cell;
        let others = state.living().filter(|&id| id != own);
        let near = |id: &usize| tables.distance(cell, state.explorers[*id].cell).unwrap_or(u8::MAX);
        let nearest = others.min_by_key(near)?;
        let way = tables.first_step(cell, state.explorers[nearest].cell, 0)?;
        let spooks = self.spooks.saturating_add(spooks_of_step(tables, state, own, way));
        if spooks > tuning.opening_spooks {
            return None;
        }
        self.spooks = spooks;
        Some(way)
    }
}

fn are_far_apart(tables: &MapTables, known: &Map, least: u8) -> bool {
    let starts = known.starts();
    let is_far = |&a, &b| a == b || tables.distance(a, b).is_none_or(|steps| steps >= least);
    starts.iter().all(|a| starts.iter().all(|b| is_far(a, b)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contests::kutulu::{POOL_SIZE, pool_map};

    #[test]
    fn kutulu_rule_12_5_maps_with_an_opening() {
        let has_opening = |index: &usize| {
            let tables = MapTables::new(&pool_map(*index).unwrap());
            Opening::of(&tables, &Tuning::DEFAULT).is_some()
        };
        let mut with = (0..POOL_SIZE).filter(has_opening);
        assert!([0, 4, 5, 7, 8, 10, 13, 14].iter().all(|&index| with.next() == Some(index)));
        assert_eq!(with.next(), None);
    }
}
