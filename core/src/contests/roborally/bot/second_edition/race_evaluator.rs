//! The chance of winning a race of the second edition, by the rounds that the robots should still need.

use crate::contests::roborally::bot::odds::Odds;
use crate::contests::roborally::bot::solo::{Solo, place};
use crate::contests::roborally::second_edition::{Floor, Race};
use crate::search::value::CERTAIN;

/// Evaluator of positions between two turns.
#[derive(Clone, Copy)]
pub struct RaceEvaluator<'f> {
    /// The floor.
    pub floor: &'f Floor,
    /// Tables of a robot alone on the floor.
    pub solo: &'f Solo,
    /// Terms of the chance of winning; each damage card of a robot counts as a point of damage.
    pub odds: Odds,
}

impl RaceEvaluator<'_> {
    /// Chance of a robot to win the race, 0..=[`CERTAIN`].
    pub fn chance(&self, race: &Race, robot: usize) -> i32 {
        let state = race.positions();
        if state.is_over() {
            return if state.winner() == Some(robot) { CERTAIN } else { 0 };
        }
        self.odds.chance_by(state, robot, |robot| {
            let rounds = match race.place(robot).filter(|_| race.is_returning(robot)) {
                // The rest of the turn in which it fell is over.
                Some(token) => self.solo.rounds_left(next_flag(race, robot), place(token.cell, token.facing)),
                None => self.solo.rounds(state, robot),
            };
            rounds as i32 + self.odds.wear * i32::from(race.damage_cards(robot))
        })
    }
}

/// The flag that a robot has to touch next.
fn next_flag(race: &Race, robot: usize) -> u8 {
    race.positions().robot(robot).map_or(0, |seen| seen.next_flag)
}
