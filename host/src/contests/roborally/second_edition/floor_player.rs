//! Players of the second edition: programs and how long they take.

use anyhow::{Result, ensure};
use barrow_core::contests::roborally::bot::Odds;
use barrow_core::contests::roborally::bot::second_edition::RacePolicy;
use barrow_core::contests::roborally::second_edition::Race;
use barrow_core::rng::Rng;
use barrow_core::search::flat::Arm;

use super::floor::TabledFloor;
use super::floor_decision::{RaceChoice, decide};
use super::floor_player_spec::RacePlayerSpec;
use super::race_text::{card, race_text, words};
use crate::contests::roborally::board_text;
use crate::contests::roborally::choice::Limits;
use crate::contests::roborally::external::External;
use crate::contests::roborally::pace::Pace;

/// A player with the memory of its search.
pub struct RacePlayer {
    spec: RacePlayerSpec,
    arms: Vec<Arm>,
    external: Option<External>,
    pace: Pace,
}

impl RacePlayer {
    /// A player of a kind.
    pub fn new(spec: RacePlayerSpec) -> RacePlayer {
        RacePlayer { spec, arms: Vec::new(), external: None, pace: Pace::default() }
    }

    /// How long its decisions have taken.
    pub fn pace(&self) -> &Pace {
        &self.pace
    }

    /// Chooses the program of a robot that has drawn its hand, within limits. Hands of others are not looked at.
    pub fn choose(
        &mut self,
        limits: Limits<'_>,
        course: &TabledFloor,
        race: &Race,
        robot: usize,
        dice: &mut Rng,
    ) -> Result<RaceChoice> {
        match &self.spec {
            RacePlayerSpec::Plain(strategy) => {
                let policy = RacePolicy { evaluator: course.evaluator(Odds::USUAL), strategy: *strategy };
                let program = policy.choose(race, robot, &race.hand(robot), dice);
                Ok(RaceChoice { program, ..RaceChoice::default() })
            }
            RacePlayerSpec::Search(search) => {
                course.evaluator(search.odds);
                let timed = Pace::start(limits.budget.unwrap_or(search.budget));
                let choice = decide(search, limits, course, (race, robot), &mut self.arms, dice)?;
                self.pace.count(&timed, choice.effort);
                Ok(choice)
            }
            RacePlayerSpec::Program(command) => {
                let start = || External::start(command, &board_text::write_floor(&course.floor), "2016");
                let mut program = self.external.take().map_or_else(start, Ok)?;
                let hand = words(race.hand(robot).iter());
                let said = program.ask(&race_text(&course.floor, race), robot, hand.trim_start())?;
                self.external = Some(program);
                ensure!(said.len() <= 5, "a program of more than five cards");
                let mut choice = RaceChoice::default();
                for (register, word) in choice.program.iter_mut().zip(&said) {
                    *register = Some(card(word)?);
                }
                Ok(choice)
            }
        }
    }
}
