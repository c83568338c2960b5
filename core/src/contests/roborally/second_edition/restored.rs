//! Races of the second edition in the middle: taken apart into robots, and built from them.

use super::cards::{Pile, PlayCard};
use super::floor::Floor;
use super::race::{ENDLESS, Race};
use crate::contests::roborally::{Cell, Dock, Profile, ROBOT_CAP, Robot, State, StateError, Status};
use crate::list;

/// All that a race holds of one robot between two turns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RaceRobot {
    /// Cell and facing.
    pub place: Dock,
    /// Number of the flag to touch next, from 1.
    pub next_flag: u8,
    /// Energy.
    pub energy: u8,
    /// Cards that were not drawn since the deck was made.
    pub deck: Pile,
    /// Cards that were put away.
    pub discards: Pile,
}

impl Race {
    /// A race between two turns, in which cubes lie on these cells. Fails if a place is impossible, or if a robot has
    /// other cards than its twenty and damage, or all together more damage than there is.
    pub fn from_robots(floor: &Floor, robots: &[RaceRobot], cubes: &[Cell]) -> Result<Race, StateError> {
        let standing: heapless::Vec<Robot, ROBOT_CAP> = list::first(robots.iter().map(standing));
        if standing.len() < robots.len() {
            return Err(StateError::Robots);
        }
        let mut race = Race::new(floor, 1)?;
        race.body = State::from_robots(floor.board(), Profile::Classic, &standing)?;
        for (place, robot) in robots.iter().enumerate().take(ROBOT_CAP) {
            if robot.place.cell == floor.antenna().cell {
                return Err(StateError::Place);
            }
            if !(1..=race.body.flags()).contains(&robot.next_flag) {
                return Err(StateError::Number);
            }
            race.hand_out(robot)?;
            race.energy[place] = robot.energy;
            race.decks[place] = robot.deck;
            race.discards[place] = robot.discards;
        }
        race.cubes = 0;
        for cube in cubes {
            let space = floor.energy().iter().position(|cell| cell == cube).ok_or(StateError::Place)?;
            race.cubes |= 1_u32.checked_shl(space as u32).unwrap_or(0);
        }
        Ok(race)
    }

    /// Takes the damage of a robot from what nobody has. Fails if that is not enough, or if its other cards are not its
    /// twenty.
    fn hand_out(&mut self, robot: &RaceRobot) -> Result<(), StateError> {
        let mut cards = robot.deck;
        cards.absorb(&mut { robot.discards });
        for card in PlayCard::ALL {
            let count = cards.count(card);
            let is_sound = if card.is_damage() {
                (0..count).all(|_| self.damage.take(card))
            } else {
                count == Pile::DECK.count(card)
            };
            if !is_sound {
                return Err(StateError::Deck);
            }
        }
        Ok(())
    }

    /// A robot between two turns, its hand in its deck.
    pub fn robot(&self, robot: usize) -> Option<RaceRobot> {
        let seen = self.body.robot(robot)?;
        let mut deck = self.decks[robot & (ROBOT_CAP - 1)];
        deck.absorb(&mut self.hand(robot));
        Some(RaceRobot {
            place: Dock { cell: seen.cell, facing: seen.facing },
            next_flag: seen.next_flag,
            energy: self.energy(robot),
            deck,
            discards: self.discards(robot),
        })
    }
}

/// A robot as the classic rules have it.
fn standing(robot: &RaceRobot) -> Robot {
    Robot {
        cell: robot.place.cell,
        facing: robot.place.facing,
        damage: 0,
        lives: ENDLESS,
        next_flag: robot.next_flag,
        archive: robot.place,
        status: Status::Active,
        announced: false,
        is_virtual: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contests::roborally::second_edition::COURSES;
    use crate::rng::Rng;

    #[test]
    fn a_race_is_built_from_its_robots_again() {
        let floor = COURSES[9].floor().expect("a course");
        let mut race = Race::new(&floor, 3).expect("docks");
        let mut dice = Rng::new(4);
        for _ in 0..6 {
            race.draw_hands(&mut dice);
            for robot in 0..3 {
                let cards = { race.hand(robot) };
                let mut cards: heapless::Vec<PlayCard, 9> = list::first(cards.iter());
                cards.reverse();
                cards.sort_unstable_by_key(|&card| card == PlayCard::Again);
                assert_eq!(race.program(robot, &cards[..5]), Ok(()));
            }
            (0..5).for_each(|register| race.run_register(&floor, register, &mut dice));
            race.clean_up();
            let robots: heapless::Vec<RaceRobot, 8> =
                list::first((0..3).filter_map(|robot| race.robot(robot)));
            let cubes = floor.energy().iter().enumerate().filter(|(space, _)| race.has_cube(*space));
            let cubes: heapless::Vec<Cell, 32> = list::first(cubes.map(|(_, &cell)| cell));
            let again = Race::from_robots(&floor, &robots, &cubes).expect("its own robots");
            assert_eq!((again.cards(), again.damage_cards(1)), (race.cards(), race.damage_cards(1)));
            for robot in 0..3 {
                assert_eq!(again.robot(robot), race.robot(robot));
            }
            let mut less = robots.clone();
            less[0].deck = Pile::EMPTY;
            less[0].discards = Pile::EMPTY;
            assert_eq!(Race::from_robots(&floor, &less, &cubes), Err(StateError::Deck));
            less[0] = RaceRobot { next_flag: 9, ..robots[0] };
            assert!(Race::from_robots(&floor, &less, &cubes).is_err());
            less[0] = RaceRobot { place: floor.antenna(), ..robots[0] };
            assert_eq!(Race::from_robots(&floor, &less, &cubes), Err(StateError::Place));
        }
    }

    #[test]
    fn a_hand_is_of_the_robots_cards() {
        let floor = COURSES[0].floor().expect("a course");
        let mut race = Race::new(&floor, 2).expect("docks");
        let mut dice = Rng::new(2);
        let mut deck = Pile::DECK;
        let mut hand = Pile::EMPTY;
        (0..9).filter_map(|_| deck.draw(&mut dice)).for_each(|card| hand.add(card));
        let cards = race.cards();
        assert_eq!((race.set_hand(1, &hand), race.hand(1), race.cards()), (Ok(()), hand, cards));
        let before = race;
        let mut spam = hand;
        spam.draw(&mut dice);
        assert!(race.set_hand(1, &spam).is_err());
        spam.add(PlayCard::Spam);
        assert!(race.set_hand(1, &spam).is_err() && race == before);
    }
}
