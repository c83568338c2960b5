//! Race of the second edition between players, from the docks to the last flag.

use anyhow::Result;
use barrow_core::contests::roborally::bot::{Evaluation, Evaluator};
use barrow_core::contests::roborally::second_edition::Race;
use barrow_core::contests::roborally::{REGISTERS, State};
use barrow_core::rng::Rng;

use super::floor::TabledFloor;
use super::floor_player::RacePlayer;
use super::floor_record::RaceRecord;
use crate::contests::roborally::choice::Limits;
use crate::contests::roborally::race::is_contested;
use crate::interrupt;

/// Runs a race of at most so many turns; player i drives robot i. The seed is that of all draws, from which the players'
/// generators are split off. `watch` is called with the race after each turn. It ends early when all players but one have
/// committed a fault. An interrupt is an error.
pub fn run(
    course: &TabledFloor,
    players: &mut [RacePlayer],
    (seed, turn_limit): (u64, u16),
    mut record: Option<&mut RaceRecord>,
    watch: &mut dyn FnMut(&Race),
) -> Result<Race> {
    let mut draws = Rng::new(seed);
    let mut dice: Vec<Rng> = players.iter().map(|_| draws.split()).collect();
    let mut race = Race::by(course.rules, &course.floor, players.len())?;
    let is_contested = |players: &[RacePlayer]| is_contested(players.iter().map(RacePlayer::fault));
    while !race.positions().is_over() && race.positions().turn() < turn_limit && is_contested(players) {
        if let Some(record) = record.as_deref_mut() {
            record.turn(race.positions().turn() + 1, &draws);
        }
        race.draw_hands(&mut draws);
        let mut programmed = race;
        for (robot, player) in players.iter_mut().enumerate() {
            if race.hand(robot).is_empty() {
                continue;
            }
            interrupt::check()?;
            let limits = Limits { budget: None, is_stopped: &mut || false, hints: 0 };
            let choice = player.choose(limits, course, &race, robot, &mut dice[robot])?;
            programmed.order(robot, &choice.program)?;
            if let Some(record) = record.as_deref_mut() {
                record.program(&race, robot, &choice.program);
            }
        }
        race = programmed;
        for register in 0..REGISTERS {
            if race.positions().is_over() {
                break;
            }
            race.run_register(&course.floor, register, &mut draws);
            if let Some(record) = record.as_deref_mut() {
                record.register(register, &race);
            }
        }
        race.clean_up();
        watch(&race);
    }
    if let Some(record) = record {
        record.end(&race);
    }
    Ok(race)
}

/// Places of the robots: the winner first, then by flags touched, then by the Manhattan distance to the next flag.
pub fn places(course: &TabledFloor, state: &State) -> Vec<u32> {
    let evaluator = Evaluator::new(course.floor.board(), &course.distances, Evaluation::Manhattan);
    crate::contests::roborally::race::places(&evaluator, state)
}
