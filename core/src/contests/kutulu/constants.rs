//! The fixed numbers of the game (rules §1), and the constants that are drawn for each game.

use core::fmt;

use crate::contests::lcg48::Lcg48;

/// Sanity of an explorer at the start, and the upper bound of healing.
pub const FULL_SANITY: u8 = 250;
/// The turn after which the game is over.
pub const LAST_TURN: u16 = 200;
/// Manhattan distance up to which another explorer counts as company.
pub const COMPANY_RANGE: i16 = 2;
/// Sanity that the only explorer left loses per turn.
pub const LONE_SURVIVOR_LOSS: u8 = 50;
/// Wanderers are created in turns divisible by this number.
pub const SPAWN_INTERVAL: u16 = 5;
/// Sanity that an explorer loses to a minion on the same square.
pub const SPOOK_DAMAGE: u8 = 20;
/// Sanity below which a slasher is created for an explorer.
pub const SLASHER_THRESHOLD: u8 = 200;
/// Turns from the creation of a slasher to the first rush.
pub const SLASHER_SPAWN_TIME: u8 = 6;
/// Turns between a slasher's first sight of an explorer and the rush.
pub const STALK_TIME: u8 = 2;
/// Turns that a slasher is stunned after a rush.
pub const STUN_TIME: u8 = 6;
/// Plans of an explorer at the start.
pub const PLANS: u8 = 2;
/// Turns that a plan lasts.
pub const PLAN_TIME: u8 = 4;
/// Sanity that a plan restores.
pub const PLAN_HEAL: u8 = 3;
/// Walking distance up to which a plan heals.
pub const PLAN_RANGE: u8 = 2;
/// Lights of an explorer at the start.
pub const LIGHTS: u8 = 3;
/// Turns that a light lasts.
pub const LIGHT_TIME: u8 = 2;
/// Walking distance up to which a light lights squares.
pub const LIGHT_RANGE: u8 = 5;
/// Manhattan distance up to which a yell locks explorers.
pub const YELL_RANGE: i16 = 1;
/// Turns that a yell locks its victims.
pub const YELL_TIME: u8 = 2;
/// Energy of a full shelter.
pub const SHELTER_ENERGY: u8 = 10;
/// Sanity that a shelter restores to each visitor.
pub const SHELTER_HEAL: u8 = 5;
/// Shelters are filled after turns divisible by this number.
pub const SHELTER_INTERVAL: u16 = 50;
/// Id of the first minion; explorers have ids 0 to 3.
pub const FIRST_MINION_ID: u16 = 4;

/// The constants that are drawn once for a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Constants {
    /// Sanity lost per turn without company, 3..=6.
    pub lonely: u8,
    /// Sanity lost per turn in company, 1..=3.
    pub group: u8,
    /// Turns until a new wanderer walks, 3..=6.
    pub spawn_time: u8,
    /// Turns that a wanderer walks, 30..=40.
    pub life: u8,
}

impl Constants {
    /// Draws the constants of a game (rules §2, step 1).
    pub fn draw(dice: &mut Lcg48) -> Constants {
        Constants {
            lonely: 3 + dice.below(4) as u8,
            group: 1 + dice.below(3) as u8,
            spawn_time: 3 + dice.below(4) as u8,
            life: 30 + dice.below(11) as u8,
        }
    }

    /// Parses the constants' line of the protocol. `None` unless it is four numbers of 0 to 255.
    pub fn read(line: &str) -> Option<Constants> {
        let mut numbers = line.split_ascii_whitespace().map(|word| word.parse().ok());
        let mut next = || numbers.next().flatten();
        let constants = Constants { lonely: next()?, group: next()?, spawn_time: next()?, life: next()? };
        if numbers.next().is_some() { None } else { Some(constants) }
    }
}

/// The constants' line of the protocol.
impl fmt::Display for Constants {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {} {}", self.lonely, self.group, self.spawn_time, self.life)
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::string::ToString;

    #[test]
    fn constants_are_what_the_rules_draw() {
        let draws = (0..500).map(|seed| Constants::draw(&mut Lcg48::new(seed)));
        for constants in draws {
            assert!((3..=6).contains(&constants.lonely) && (1..=3).contains(&constants.group));
            assert!((3..=6).contains(&constants.spawn_time) && (30..=40).contains(&constants.life));
            assert_eq!(Constants::read(&constants.to_string()), Some(constants));
        }
        assert!(
            ["", "1 2 3", "1 2 3 4 5", "1 2 3 x", "1 2 3 300"]
                .iter()
                .all(|line| Constants::read(line).is_none())
        );
    }
}
