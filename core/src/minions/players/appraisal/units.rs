//! Counts of units by type, reinforcements and techs included.

use crate::minions::tables::capacities::UNIT_COUNT;
use crate::minions::{Game, Side, UnitLabel, View};

/// Number of a type of unit that a side has on a board, reinforcements included.
pub(in crate::minions::players) fn count_of(view: &View<'_>, side: Side, unit: UnitLabel) -> i32 {
    let placed = view.board.iter(side).filter(|(_, piece)| piece.unit() == unit).count() as i32;
    placed + i32::from(view.board.reserve(side, unit))
}

/// Adds what a side has on a board, reinforcements included, to counts by type.
pub(in crate::minions::players) fn count_units(view: &View<'_>, side: Side, counts: &mut [i32; UNIT_COUNT]) {
    for (slot, &waiting) in counts.iter_mut().zip(view.board.reserve_counts(side)) {
        *slot += i32::from(waiting);
    }
    count_pieces(view, side, counts);
}

/// Adds the pieces of a side on a board to counts by type.
pub(in crate::minions::players) fn count_pieces(view: &View<'_>, side: Side, counts: &mut [i32; UNIT_COUNT]) {
    for (_, piece) in view.board.iter(side) {
        if let Some(slot) = counts.get_mut(piece.unit().index()) {
            *slot += 1;
        }
    }
}

/// Number of units of the tech line whose techs a side owns.
pub(in crate::minions::players) fn owned_units(game: &Game, side: Side) -> i32 {
    (game.state().tech(side).acquired_bits() & game.config().techline.all_units()).count_ones() as i32
}
