//! Floors and races in which worked examples of the second edition happen, by the rules of 2016 and of 2023.

use barrow_core::contests::roborally::second_edition::{Floor, PlayCard, Race, Reboot, Rules};
use barrow_core::contests::roborally::{BoardBuilder, Cell, Direction, Dock};
use barrow_core::rng::Rng;

use Direction::{East, North};

pub(crate) fn dock(x: i8, y: i8, facing: Direction) -> Dock {
    Dock { cell: Cell::new(x, y), facing }
}

/// A floor of ten by ten with the antenna in the south-west corner, its ray to the east, a reboot token at (5, 8) that
/// points north, energy at (0, 0), two flags, and what `more` adds.
pub(crate) fn floor(docks: &[(usize, usize, Direction)], more: impl FnOnce(&mut BoardBuilder)) -> Floor {
    let mut plan = BoardBuilder::new(10, 10).expect("small");
    plan.flag(9, 0).expect("inside");
    plan.flag(9, 1).expect("inside");
    for &(x, y, facing) in docks {
        plan.dock(x, y, facing).expect("inside");
    }
    more(&mut plan);
    let reboot = Reboot { token: dock(5, 8, North), corners: [Cell::new(0, 0), Cell::new(9, 9)] };
    Floor::new(plan, dock(0, 9, East), &[reboot], &[Cell::new(0, 0)]).expect("a floor")
}

/// A race in which each robot has the cards of its row in its first registers.
pub(crate) fn race_by(rules: &'static Rules, floor: &Floor, cards: &[&[PlayCard]]) -> Race {
    let mut race = Race::by(rules, floor, cards.len()).expect("docks");
    for (robot, row) in cards.iter().enumerate() {
        for (register, &card) in row.iter().enumerate() {
            race.set_register(robot, register, Some(card));
        }
    }
    race
}

/// Runs registers, with dice of a seed of their own.
pub(crate) fn run(race: &mut Race, floor: &Floor, registers: std::ops::Range<usize>) {
    let mut dice = Rng::new(7);
    for register in registers {
        race.run_register(floor, register, &mut dice);
    }
}

/// Cell and facing of each robot.
pub(crate) fn places(race: &Race) -> Vec<(i8, i8, Direction)> {
    let state = race.positions();
    (0..state.robots())
        .map(|robot| state.robot(robot).expect("a robot"))
        .map(|robot| (robot.cell.x(), robot.cell.y(), robot.facing))
        .collect()
}
