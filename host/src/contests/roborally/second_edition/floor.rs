//! A floor with its tables, which are computed when a player first asks for them.

use std::sync::OnceLock;

use barrow_core::contests::roborally::bot::second_edition::RaceEvaluator;
use barrow_core::contests::roborally::bot::{Distances, Odds, Solo};
use barrow_core::contests::roborally::second_edition::{Floor, Rules};

/// A floor with its tables.
pub struct TabledFloor {
    /// The floor.
    pub floor: Floor,
    /// Steps from each cell to each flag.
    pub distances: Distances,
    /// The rules of its races.
    pub rules: &'static Rules,
    solo: OnceLock<Box<Solo>>,
}

impl TabledFloor {
    /// Computes the distances of a floor, for races by the rules of 2016.
    pub fn new(floor: Floor) -> TabledFloor {
        TabledFloor::by(&Rules::OF_2016, floor)
    }

    /// Computes the distances of a floor, for races by the rules of an edition.
    pub fn by(rules: &'static Rules, floor: Floor) -> TabledFloor {
        TabledFloor { distances: Distances::new(floor.board()), floor, rules, solo: OnceLock::new() }
    }

    /// An evaluator of positions. The first call takes about a second.
    pub fn evaluator(&self, odds: Odds) -> RaceEvaluator<'_> {
        let solo = self.solo.get_or_init(|| {
            let mut solo = Box::new(Solo::EMPTY);
            solo.load_floor(&self.floor, self.rules);
            solo
        });
        RaceEvaluator { floor: &self.floor, solo, odds }
    }
}
