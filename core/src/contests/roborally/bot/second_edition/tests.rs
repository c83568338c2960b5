//! Floor with its tables for tests, which are computed once.

extern crate std;

use super::{RaceEvaluator, RacePolicy};
use crate::contests::roborally::bot::{Odds, Solo, Strategy};
use crate::contests::roborally::second_edition::{Floor, FloorCourse, Rules};
use std::boxed::Box;
use std::sync::OnceLock;

/// Policy on the course that has every piece.
pub(super) fn policy(strategy: Strategy) -> RacePolicy<'static> {
    static TABLES: OnceLock<(Floor, Box<Solo>)> = OnceLock::new();
    let (floor, solo) = TABLES.get_or_init(|| {
        let floor =
            FloorCourse::named("grand-tour").and_then(|course| course.floor().ok()).expect("a course");
        let mut solo = Box::new(Solo::EMPTY);
        solo.load_floor(&floor, &Rules::OF_2016);
        (floor, solo)
    });
    RacePolicy { evaluator: RaceEvaluator { floor, solo, odds: Odds::USUAL }, strategy }
}
