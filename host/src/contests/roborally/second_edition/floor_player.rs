//! Players of the second edition: programs and how long they take.

use anyhow::Result;
use barrow_core::contests::roborally::bot::second_edition::RacePolicy;
use barrow_core::contests::roborally::bot::{Odds, Strategy};
use barrow_core::contests::roborally::second_edition::Race;
use barrow_core::rng::Rng;
use barrow_core::search::flat::Arm;

use super::floor::TabledFloor;
use super::floor_decision::{RaceChoice, decide};
use super::floor_player_spec::RacePlayerSpec;
use super::race_text::{program_of, race_text, words};
use crate::contests::roborally::board_text;
use crate::contests::roborally::choice::Limits;
use crate::contests::roborally::external::{External, ProgramFault};
use crate::contests::roborally::pace::Pace;

/// A player with the memory of its search.
pub struct RacePlayer {
    spec: RacePlayerSpec,
    arms: Vec<Arm>,
    external: Option<External>,
    fault: Option<String>,
    pace: Pace,
}

impl RacePlayer {
    /// A player of a kind.
    pub fn new(spec: RacePlayerSpec) -> RacePlayer {
        RacePlayer { spec, arms: Vec::new(), external: None, fault: None, pace: Pace::default() }
    }

    /// How long its decisions have taken.
    pub fn pace(&self) -> &Pace {
        &self.pace
    }

    /// The fault of a program, with its turn. Who has committed one plays at random from there on.
    pub fn fault(&self) -> Option<&str> {
        self.fault.as_deref()
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
            RacePlayerSpec::Program(words) => {
                match Self::ask(&mut self.external, words, course, race, robot) {
                    Err(error) if error.is::<ProgramFault>() => {
                        self.fault = Some(format!("turn {}: {error}", race.positions().turn() + 1));
                        self.external = None;
                        self.spec = RacePlayerSpec::Plain(Strategy::Random);
                        self.choose(limits, course, race, robot, dice)
                    }
                    answer => answer,
                }
            }
        }
    }

    /// Asks a program, which is started if it does not run yet.
    fn ask(
        external: &mut Option<External>,
        command: &[String],
        course: &TabledFloor,
        race: &Race,
        robot: usize,
    ) -> Result<RaceChoice> {
        let rules = course.rules.year.to_string();
        let start = || External::start(command, &board_text::write_floor(&course.floor), &rules);
        let running = external.take().map_or_else(start, Ok)?;
        let program = external.insert(running);
        let hand = words(race.hand(robot).iter());
        let said = program.ask(&race_text(&course.floor, race), robot, hand.trim_start())?;
        let said: Vec<&str> = said.iter().map(String::as_str).collect();
        let program = program_of(race, robot, &said).map_err(ProgramFault::of)?;
        // Tried here, where it is known whose fault it is.
        let mut tried = *race;
        tried.order(robot, &program).map_err(ProgramFault::of)?;
        Ok(RaceChoice { program, ..RaceChoice::default() })
    }
}
