//! A floor with its tables, which are computed when a player first asks for them.

use std::sync::OnceLock;

use barrow_core::contests::roborally::bot::second_edition::RaceEvaluator;
use barrow_core::contests::roborally::bot::{Distances, Odds, Solo};
use barrow_core::contests::roborally::second_edition::Floor;

/// A floor with its tables.
pub struct TabledFloor {
    /// The floor.
    pub floor: Floor,
    /// Steps from each cell to each flag.
    pub distances: Distances,
    solo: OnceLock<Box<Solo>>,
}

impl TabledFloor {
    /// Computes the distances of a floor.
    pub fn new(floor: Floor) -> TabledFloor {
        TabledFloor { distances: Distances::new(floor.board()), floor, solo: OnceLock::new() }
    }

    /// An evaluator of positions. The first call takes about a second.
    pub fn evaluator(&self, odds: Odds) -> RaceEvaluator<'_> {
        let solo = self.solo.get_or_init(|| {
            let mut solo = Box::new(Solo::EMPTY);
            solo.load_floor(&self.floor);
            solo
        });
        RaceEvaluator { floor: &self.floor, solo, odds }
    }
}
