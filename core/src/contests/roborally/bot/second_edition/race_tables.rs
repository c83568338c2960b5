//! Tables of a robot alone on a floor of the second edition.

use crate::contests::roborally::bot::kinds::{HandKinds, KINDS};
use crate::contests::roborally::bot::second_edition::deck_kinds::kinds_of;
use crate::contests::roborally::bot::solo::{FALLEN, Solo, place};
use crate::contests::roborally::second_edition::{Floor, HAND, Pile, PlayCard, Race, Rules};
use crate::contests::roborally::{Cell, Direction};
use crate::rng::Rng;

/// Rounds that a reboot costs besides the rest of the turn and its damage, in hundredths.
const REBOOT: u32 = 40;

/// A card of each kind.
const EXAMPLES: [PlayCard; KINDS] = [
    PlayCard::UTurn,
    PlayCard::TurnLeft,
    PlayCard::TurnRight,
    PlayCard::BackUp,
    PlayCard::Move1,
    PlayCard::Move2,
    PlayCard::Move3,
    PlayCard::PowerUp,
];

impl Solo {
    /// Computes the tables of a floor by the rules of an edition. Takes about a second.
    pub fn load_floor(&mut self, floor: &Floor, rules: &Rules) {
        let mut dice = Rng::new(1);
        let hands = core::array::from_fn(|_| draw_kinds(rules, &mut dice));
        let home = |cell| floor.token(cell).map_or(FALLEN, |token| place(token.cell, token.facing));
        let Ok(start) = Race::new(floor, 1) else { return };
        self.load_by(floor.board(), &hands, (REBOOT, &home), &|register, from, kind| {
            lands(floor, &start, register, from, kind)
        });
    }
}

/// The kinds of a random hand of a whole deck.
fn draw_kinds(rules: &Rules, dice: &mut Rng) -> HandKinds {
    let (mut deck, mut hand) = (rules.deck, Pile::EMPTY);
    for card in (0..HAND).map_while(|_| deck.draw(dice)) {
        hand.add(card);
    }
    kinds_of(&hand)
}

/// The place of a robot alone after one register.
fn lands(
    floor: &Floor,
    start: &Race,
    register: usize,
    (cell, facing): (Cell, Direction),
    kind: usize,
) -> u16 {
    let mut race = *start;
    race.set_alone(cell, facing);
    race.set_register(0, register, EXAMPLES.get(kind).copied());
    // Nothing is drawn: no card of the examples is damage.
    race.run_register(floor, register, &mut Rng::new(1));
    match race.positions().robot(0) {
        Some(robot) if race.is_running(0) => place(robot.cell, robot.facing),
        _ => FALLEN,
    }
}
