//! The courses: floors laid above a docking bay, with flags (rules §13).

mod floors;

use self::floors::{
    CHESS, CHOP_SHOP, CROSS, DOCKING_BAY_1, DOCKING_BAY_2, EXCHANGE, Floor, ISLAND, MAELSTROM, RALLYROBO_1V1,
    RALLYROBO_EXAMPLE, SPIN_ZONE, VAULT,
};
use super::board::{Board, Speed, Terrain};
use super::board_builder::{BoardBuilder, BoardError};
use super::geometry::Direction;
use super::state::Profile;

/// A course: floors and flags, from which its board is built.
#[derive(Clone, Copy)]
pub struct Course {
    name: &'static str,
    /// Least and most robots of a race.
    players: [u8; 2],
    /// Floors from bottom to top, each with its quarter turns clockwise.
    floors: &'static [(&'static Floor, u8)],
    /// Flags by column and row of the whole board; empty where the floors have flags of their own.
    flags: &'static [(u8, u8)],
}

/// All courses: seventeen of the classic rules and the two boards of the paper's program.
#[rustfmt::skip]
pub static COURSES: [Course; 19] = [
    Course { name: "against-the-grain", players: [2, 4], floors: &[(&DOCKING_BAY_2, 0), (&CHESS, 3), (&CHOP_SHOP, 3)], flags: &[(10, 9), (3, 3), (5, 17)] },
    Course { name: "around-the-world", players: [5, 8], floors: &[(&DOCKING_BAY_2, 0), (&SPIN_ZONE, 3), (&ISLAND, 3)], flags: &[(9, 12), (6, 1), (5, 22)] },
    Course { name: "bloodbath-chess", players: [2, 4], floors: &[(&DOCKING_BAY_2, 0), (&CHESS, 0)], flags: &[(6, 5), (2, 9), (8, 7), (3, 4)] },
    Course { name: "checkmate", players: [2, 8], floors: &[(&DOCKING_BAY_2, 0), (&CHESS, 2)], flags: &[(7, 2), (3, 8)] },
    Course { name: "chop-shop-challenge", players: [2, 8], floors: &[(&DOCKING_BAY_2, 0), (&CHOP_SHOP, 1)], flags: &[(4, 9), (9, 11), (1, 10), (11, 7)] },
    Course { name: "death-trap", players: [2, 4], floors: &[(&DOCKING_BAY_2, 0), (&ISLAND, 3)], flags: &[(7, 7), (0, 4), (6, 5)] },
    Course { name: "dizzy-dash", players: [2, 8], floors: &[(&DOCKING_BAY_1, 0), (&SPIN_ZONE, 0)], flags: &[(5, 4), (10, 11), (1, 6)] },
    Course { name: "island-hop", players: [2, 8], floors: &[(&DOCKING_BAY_2, 0), (&ISLAND, 3)], flags: &[(6, 1), (1, 6), (11, 4)] },
    Course { name: "island-king", players: [5, 8], floors: &[(&DOCKING_BAY_2, 0), (&ISLAND, 1)], flags: &[(5, 4), (7, 7), (5, 6)] },
    Course { name: "lost-bearings", players: [2, 4], floors: &[(&DOCKING_BAY_1, 0), (&CROSS, 0)], flags: &[(1, 2), (10, 9), (2, 8)] },
    Course { name: "oddest-sea", players: [5, 8], floors: &[(&DOCKING_BAY_1, 0), (&MAELSTROM, 1), (&VAULT, 3)], flags: &[(8, 6), (1, 4), (5, 8), (9, 2)] },
    Course { name: "pilgrimage", players: [2, 8], floors: &[(&DOCKING_BAY_2, 0), (&EXCHANGE, 2), (&CROSS, 2)], flags: &[(4, 8), (9, 19), (2, 14)] },
    Course { name: "risky-exchange", players: [2, 8], floors: &[(&DOCKING_BAY_1, 0), (&EXCHANGE, 0)], flags: &[(7, 1), (9, 7), (1, 4)] },
    Course { name: "robot-stew", players: [2, 4], floors: &[(&DOCKING_BAY_2, 0), (&CHOP_SHOP, 3)], flags: &[(0, 4), (9, 7), (2, 10)] },
    Course { name: "twister", players: [2, 8], floors: &[(&DOCKING_BAY_1, 0), (&SPIN_ZONE, 0)], flags: &[(2, 9), (3, 2), (9, 2), (8, 9)] },
    Course { name: "vault-assault", players: [2, 4], floors: &[(&DOCKING_BAY_1, 0), (&VAULT, 0)], flags: &[(6, 3), (4, 11), (8, 5)] },
    Course { name: "whirlwind-tour", players: [5, 8], floors: &[(&DOCKING_BAY_2, 0), (&MAELSTROM, 3)], flags: &[(8, 0), (3, 11), (11, 6)] },
    Course { name: "rallyrobo-example", players: [2, 4], floors: &[(&RALLYROBO_EXAMPLE, 0)], flags: &[] },
    Course { name: "rallyrobo-1v1", players: [2, 2], floors: &[(&RALLYROBO_1V1, 0)], flags: &[] },
];

impl Course {
    /// The course of a name.
    pub fn named(name: &str) -> Option<&'static Course> {
        COURSES.iter().find(|course| course.name == name)
    }

    /// Name of the course.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Least and most robots of a race.
    pub const fn players(&self) -> [u8; 2] {
        self.players
    }

    /// The variant of the rules that the course is made for.
    pub fn profile(&self) -> Profile {
        if self.name.starts_with("rallyrobo") { Profile::Rallyrobo } else { Profile::Classic }
    }

    /// Builds the board of the course. A test checks that no course of [`COURSES`] fails.
    pub fn board(&self) -> Result<Board, BoardError> {
        let height = self.floors.iter().map(|(floor, _)| floor.rows.len()).sum();
        let width = self.floors.first().map_or(0, |(floor, _)| floor.rows.first().map_or(0, |row| row.len()));
        let mut plan = BoardBuilder::new(width, height)?;
        let mut bottom = height;
        for &(floor, turns) in self.floors {
            bottom = bottom.saturating_sub(floor.rows.len());
            lay(&mut plan, floor, turns, bottom)?;
        }
        for &(x, y) in self.flags {
            plan.flag(x as usize, y as usize)?;
        }
        plan.finish()
    }
}

/// Adds a floor to a board, turned clockwise by quarter turns, with its north edge in row `top`.
fn lay(plan: &mut BoardBuilder, floor: &Floor, turns: u8, top: usize) -> Result<(), BoardError> {
    let last = floor.rows.len().saturating_sub(1);
    // Only square floors are turned.
    let spot = |x: u8, y: u8| {
        let start = (x as usize, y as usize);
        let (x, y) = (0..turns).fold(start, |(x, y), _| (last.saturating_sub(y), x));
        (x, y + top)
    };
    for (y, row) in (0..).zip(floor.rows) {
        for (x, letter) in (0..).zip(row.chars()) {
            let (x, y) = spot(x, y);
            plan.terrain(x, y, terrain(letter, turns))?;
        }
    }
    for &(x, y, sides) in floor.walls {
        let (x, y) = spot(x, y);
        for side in sides {
            plan.wall(x, y, side.turned(turns))?;
        }
    }
    for &(x, y, way, strength) in floor.lasers {
        let (x, y) = spot(x, y);
        plan.laser(x, y, way.turned(turns), strength)?;
    }
    for &(x, y, way, registers) in floor.pushers {
        let (x, y) = spot(x, y);
        plan.pusher(x, y, way.turned(turns), registers)?;
    }
    for &(x, y) in floor.flags {
        let (x, y) = spot(x, y);
        plan.flag(x, y)?;
    }
    for &(x, y, facing) in floor.docks {
        let (x, y) = spot(x, y);
        plan.dock(x, y, facing.turned(turns))?;
    }
    Ok(())
}

/// The terrain of a letter (see `floors.rs`) on a floor that is turned clockwise by quarter turns.
pub(super) fn terrain(letter: char, turns: u8) -> Terrain {
    let belt = |way: Direction, speed| Terrain::Belt(way.turned(turns), speed);
    match letter {
        '#' => Terrain::Pit,
        '+' => Terrain::Repair,
        '*' => Terrain::RepairOption,
        'c' => Terrain::GearClockwise,
        'a' => Terrain::GearCounterClockwise,
        '^' => belt(Direction::North, Speed::Normal),
        '>' => belt(Direction::East, Speed::Normal),
        'v' => belt(Direction::South, Speed::Normal),
        '<' => belt(Direction::West, Speed::Normal),
        'N' => belt(Direction::North, Speed::Express),
        'E' => belt(Direction::East, Speed::Express),
        'S' => belt(Direction::South, Speed::Express),
        'W' => belt(Direction::West, Speed::Express),
        _ => Terrain::Floor,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contests::roborally::geometry::Cell;

    #[test]
    fn every_course_can_be_raced() {
        for course in &COURSES {
            let board = course.board().expect("every course is sound");
            let most = course.players()[1] as usize;
            assert!(board.docks().len() >= most && !board.flags().is_empty(), "{}", course.name());
            assert!(Course::named(course.name()).is_some_and(|found| found.name() == course.name()));
        }
        assert!(Course::named("nowhere").is_none());
    }

    #[test]
    fn floors_are_turned_and_stacked() {
        let board = Course::named("checkmate").and_then(|course| course.board().ok()).expect("a course");
        assert_eq!((board.width(), board.height()), (12, 16));
        // The chess floor upside down: its repair site of the first row lies in the last one.
        assert_eq!(board.terrain(Cell::new(0, 11)), Terrain::Repair);
        assert_eq!(board.terrain(Cell::new(1, 1)), Terrain::Belt(Direction::East, Speed::Express));
        assert!(board.has_wall(Cell::new(11, 2), Direction::East));
        assert_eq!(board.flag_at(Cell::new(7, 2)), Some(1));
    }
}
