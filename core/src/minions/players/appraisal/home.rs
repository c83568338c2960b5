//! The place of a necromancer, and how it is threatened.

use core::cell::Cell;

use super::distance::home_of;
use crate::hex::Hex;
use crate::minions::View;

/// Home: the place of a necromancer on the board as it stands.
pub(in crate::minions::players) struct Home {
    /// Hex of the necromancer.
    pub(in crate::minions::players) at: Hex,
    pub(super) defense: u16,
    /// Damage that the enemy could do there if no piece blocked another, where that is known.
    pub(super) damage: Cell<Option<u16>>,
}

impl Home {
    /// Place of the necromancer of the side to move, if it has one.
    pub(in crate::minions::players) fn new(view: &View<'_>) -> Option<Home> {
        let (at, piece) = home_of(view, view.side)?;
        Some(Home { at, defense: view.current(piece).defense, damage: Cell::new(None) })
    }
}
