//! Races of the second edition in the middle: taken apart into robots, and built from them.

use super::cards::{Pile, PlayCard};
use super::floor::Floor;
use super::haywire::{Damage, DamagePile, Haywire};
use super::race::{ENDLESS, HAND, Race};
use super::rules::Rules;
use crate::contests::roborally::{
    Cell, Dock, Profile, REGISTERS, ROBOT_CAP, Robot, State, StateError, Status,
};
use crate::list;

/// All that a race holds of one robot between two turns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RaceRobot {
    /// Cell and facing; of a robot that returns to the floor, its reboot token.
    pub place: Dock,
    /// Whether the robot returns in the next first register (2023).
    pub returns: bool,
    /// Number of the flag to touch next, from 1.
    pub next_flag: u8,
    /// Energy.
    pub energy: u8,
    /// Cards that were not drawn since the deck was made.
    pub deck: Pile,
    /// Cards that were put away.
    pub discards: Pile,
    /// SPAM that stayed in the hand (2023).
    pub hand: Pile,
    /// Haywire cards in the registers (2023).
    pub haywires: [Option<Haywire>; REGISTERS],
}

/// State of a race between two turns besides its robots.
#[derive(Clone, Copy, Debug)]
pub struct Aside<'a> {
    /// The rules.
    pub rules: &'static Rules,
    /// Cells on which cubes lie (2016).
    pub cubes: &'a [Cell],
    /// The robot that has the priority token (2023).
    pub token: usize,
    /// Damage cards that were put away (2023).
    pub damage_discards: DamagePile,
}

impl Race {
    /// A race by the rules of 2016 between two turns, in which cubes lie on these cells; see [`Race::restored`].
    pub fn from_robots(floor: &Floor, robots: &[RaceRobot], cubes: &[Cell]) -> Result<Race, StateError> {
        let damage_discards = DamagePile::EMPTY;
        Race::restored(floor, robots, &Aside { rules: &Rules::OF_2016, cubes, token: 0, damage_discards })
    }

    /// A race between two turns. Fails if a place is impossible, or if a robot has other cards than its twenty and
    /// damage, or all together more damage than there is.
    pub fn restored(floor: &Floor, robots: &[RaceRobot], aside: &Aside<'_>) -> Result<Race, StateError> {
        let standing: heapless::Vec<Robot, ROBOT_CAP> = list::first(robots.iter().map(standing));
        if standing.len() < robots.len() {
            return Err(StateError::Robots);
        }
        let mut race = Race::by(aside.rules, floor, 1)?;
        race.body = State::from_robots(floor.board(), Profile::Classic, &standing)?;
        // Who returns does so from its archive; nobody is about to reboot.
        race.body.fallen_count = 0;
        race.put_aside(aside)?;
        for (place, robot) in robots.iter().enumerate().take(ROBOT_CAP) {
            let returns_late = robot.returns && !aside.rules.has_haywire();
            if robot.place.cell == floor.antenna().cell || returns_late {
                return Err(StateError::Place);
            }
            if !(1..=race.body.flags()).contains(&robot.next_flag) {
                return Err(StateError::Number);
            }
            race.hand_out(robot)?;
            race.energy[place] = robot.energy;
            race.decks[place] = robot.deck;
            race.discards[place] = robot.discards;
            race.hands[place] = robot.hand;
            race.late.kept[place] = robot.hand.count(PlayCard::Spam);
            race.late.haywires[place] = robot.haywires;
        }
        if !aside.rules.has_haywire() {
            // Batteries of 2023 never run out.
            race.cubes = 0;
        }
        for cube in aside.cubes {
            let space = floor.energy().iter().position(|cell| cell == cube).ok_or(StateError::Place)?;
            race.cubes |= 1_u32.checked_shl(space as u32).unwrap_or(0);
        }
        Ok(race)
    }

    /// Gives the token to its robot, and takes damage cards that were put away from those that nobody has.
    fn put_aside(&mut self, aside: &Aside<'_>) -> Result<(), StateError> {
        if aside.token >= self.body.robots() {
            return Err(StateError::NoRobot);
        }
        self.late.token = aside.token as u8;
        let spam = (0..aside.damage_discards.spam()).map(|_| Damage::Spam);
        let mut discarded = spam.chain(aside.damage_discards.haywires().map(Damage::Haywire));
        if !discarded.all(|card| self.late.deck.take(card)) {
            return Err(StateError::Deck);
        }
        self.late.discards = aside.damage_discards;
        Ok(())
    }

    /// Takes the damage of a robot from what nobody has. Fails if that is not enough, or if its other cards are not its
    /// twenty.
    fn hand_out(&mut self, robot: &RaceRobot) -> Result<(), StateError> {
        let mut cards = robot.deck;
        cards.absorb(&mut { robot.discards });
        cards.absorb(&mut { robot.hand });
        let is_late = self.rules.has_haywire();
        for card in PlayCard::ALL {
            let count = cards.count(card);
            let is_sound = match card {
                PlayCard::Spam if is_late => (0..count).all(|_| self.late.deck.take(Damage::Spam)),
                _ if card.is_damage() => (0..count).all(|_| self.damage.take(card)),
                _ => count == self.rules.deck.count(card),
            };
            if !is_sound {
                return Err(StateError::Deck);
            }
        }
        let kept_alone = robot.hand.len() == usize::from(robot.hand.count(PlayCard::Spam));
        let mut haywires = robot.haywires.iter().flatten();
        let has_haywires = haywires.all(|&card| self.late.deck.take(Damage::Haywire(card)));
        if kept_alone && has_haywires && robot.hand.len() <= HAND && (is_late || robot.hand.is_empty()) {
            Ok(())
        } else {
            Err(StateError::Deck)
        }
    }

    /// A robot between two turns, its hand in its deck but for SPAM that stayed in it.
    pub fn robot(&self, robot: usize) -> Option<RaceRobot> {
        let seen = self.body.robot(robot)?;
        let place = robot & (ROBOT_CAP - 1);
        let mut deck = self.decks[place];
        deck.absorb(&mut self.hand(robot));
        let mut hand = Pile::EMPTY;
        for _ in 0..self.late.kept[place] {
            if deck.take(PlayCard::Spam) {
                hand.add(PlayCard::Spam);
            }
        }
        Some(RaceRobot {
            place: self.place(robot).unwrap_or(seen.archive),
            returns: self.is_returning(robot),
            next_flag: seen.next_flag,
            energy: self.energy(robot),
            deck,
            discards: self.discards(robot),
            hand,
            haywires: self.late.haywires[place],
        })
    }

    /// Where a robot is when it next acts: its cell and facing, or of one that returns to the floor its reboot token.
    pub fn place(&self, robot: usize) -> Option<Dock> {
        let seen = self.body.robot(robot)?;
        if !self.is_returning(robot) {
            return Some(Dock { cell: seen.cell, facing: seen.facing });
        }
        let token = seen.archive;
        let facing = self.rising.get(robot).copied().flatten().unwrap_or(token.facing);
        Some(Dock { facing, ..token })
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
        status: if robot.returns { Status::Destroyed } else { Status::Active },
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
