//! Courses of the second edition: a starting bay three cells wide, and to its east a floor of ten by ten. The floors are
//! our own, made of the edition's pieces; the printed ones are not among them.

use super::floor::{Floor, Reboot};
use crate::contests::roborally::board_builder::{BoardBuilder, BoardError};
use crate::contests::roborally::courses::terrain;
use crate::contests::roborally::{Cell, Direction, Dock};

use Direction::{East, North, South, West};

/// Columns of the starting bay.
const BAY: u8 = 3;

/// Rows and columns of a floor.
const SIDE: u8 = 10;

/// Docks of the starting bay; robots face the floor.
const DOCKS: [(u8, u8); 6] = [(1, 4), (1, 5), (0, 3), (0, 6), (1, 1), (1, 8)];

/// Walls of the starting bay.
const BAY_WALLS: [(u8, u8, Direction); 4] = [(1, 2, North), (2, 4, East), (2, 5, East), (1, 7, South)];

/// A course: a floor with flags, drawn one letter a cell as the classic floors are, and `o` for an energy space.
/// Columns count from the western edge of the floor.
#[derive(Clone, Copy)]
pub struct FloorCourse {
    name: &'static str,
    rows: [&'static str; SIDE as usize],
    /// Column, row, side.
    walls: &'static [(u8, u8, Direction)],
    /// Column, row, direction, strength.
    lasers: &'static [(u8, u8, Direction, u8)],
    /// Column, row, direction, bits of the registers.
    pushers: &'static [(u8, u8, Direction, u8)],
    flags: &'static [(u8, u8)],
    /// Reboot token: column, row, arrow.
    token: (u8, u8, Direction),
}

/// All courses of the second edition.
#[rustfmt::skip]
pub static COURSES: [FloorCourse; 10] = [
    FloorCourse {
        name: "first-lap",
        rows: [
            "..........",
            ".>>>>>>>v.",
            ".^......v.",
            ".^.o....v.",
            ".^...c..v.",
            ".^..a...v.",
            ".^....o.v.",
            ".^......v.",
            ".^<<<<<<<.",
            "..........",
        ],
        walls: &[(3, 4, West), (6, 5, East)],
        lasers: &[],
        pushers: &[],
        flags: &[(4, 3), (9, 9), (5, 7)],
        token: (0, 5, East),
    },
    FloorCourse {
        name: "blue-loop",
        rows: [
            "....o.....",
            ".EEEEEEES.",
            ".N......S.",
            ".N.>>>v.S.",
            ".N.^..v.S.",
            ".N.^..v.S.",
            ".N.^<<<.S.",
            ".N......S.",
            ".NWWWWWWW.",
            ".....o....",
        ],
        walls: &[(2, 4, West), (7, 5, East), (4, 2, South)],
        lasers: &[],
        pushers: &[],
        flags: &[(4, 4), (9, 0), (5, 7)],
        token: (0, 9, North),
    },
    FloorCourse {
        name: "pit-stop",
        rows: [
            "o.........",
            "..#....#..",
            "..........",
            "....##....",
            "..c....a..",
            "..a....c..",
            "....##....",
            "..........",
            "..#....#..",
            ".........o",
        ],
        walls: &[(4, 2, South), (5, 7, North), (8, 4, West), (1, 5, East)],
        lasers: &[],
        pushers: &[],
        flags: &[(9, 4), (4, 5), (9, 9)],
        token: (0, 4, East),
    },
    FloorCourse {
        name: "crossfire",
        rows: [
            "..........",
            "...o......",
            "..........",
            "..........",
            "....>>....",
            "....<<....",
            "..........",
            "..........",
            "......o...",
            "..........",
        ],
        walls: &[
            (2, 1, North), (2, 8, South), (7, 8, South), (7, 1, North), (0, 3, West), (5, 3, East), (9, 6, East),
            (4, 6, West),
        ],
        lasers: &[(2, 1, South, 1), (7, 8, North, 1), (0, 3, East, 2), (9, 6, West, 2)],
        pushers: &[],
        flags: &[(8, 2), (1, 7), (8, 8)],
        token: (0, 0, South),
    },
    FloorCourse {
        name: "push-yard",
        rows: [
            "..........",
            "..o.......",
            "..........",
            "...vvvv...",
            "..........",
            "..........",
            "...^^^^...",
            "..........",
            ".......o..",
            "..........",
        ],
        walls: &[(3, 1, North), (6, 1, North), (3, 8, South), (6, 8, South), (8, 4, East), (8, 5, East)],
        lasers: &[],
        pushers: &[
            (3, 1, South, 0b0_1010), (6, 1, South, 0b1_0101), (3, 8, North, 0b1_0101), (6, 8, North, 0b0_1010),
            (8, 4, West, 0b1_0101), (8, 5, West, 0b0_1010),
        ],
        flags: &[(5, 0), (5, 9), (9, 4)],
        token: (0, 9, East),
    },
    FloorCourse {
        name: "spin-room",
        rows: [
            "c........a",
            ".a......c.",
            "..c.oo.a..",
            "...a..c...",
            "....##....",
            "....##....",
            "...c..a...",
            "..a.oo.c..",
            ".c......a.",
            "a........c",
        ],
        walls: &[(4, 1, South), (5, 8, North)],
        lasers: &[(0, 1, South, 1)],
        pushers: &[],
        flags: &[(9, 5), (4, 0), (5, 9)],
        token: (0, 5, North),
    },
    FloorCourse {
        name: "two-ways",
        rows: [
            "..........",
            ".EEEEEEES.",
            "........S.",
            ".o......S.",
            ".>>>>>v.S.",
            ".^<<<<<.S.",
            "......o.S.",
            "........S.",
            ".WWWWWWWW.",
            "..........",
        ],
        walls: &[(3, 3, North), (4, 6, South), (7, 4, East)],
        lasers: &[(5, 2, South, 1)],
        pushers: &[],
        flags: &[(5, 3), (5, 7), (0, 2)],
        token: (0, 6, North),
    },
    FloorCourse {
        name: "river",
        rows: [
            "..v....v..",
            "..v.o..v..",
            "..v....v..",
            "..v....v..",
            "..>>>>>v..",
            ".......v..",
            "..v<<<<<..",
            "..v.o.....",
            "..v.......",
            "..v.......",
        ],
        walls: &[(4, 3, South), (5, 7, North)],
        lasers: &[],
        pushers: &[(0, 5, East, 0b0_1010)],
        flags: &[(5, 2), (9, 8), (0, 6)],
        token: (0, 0, East),
    },
    FloorCourse {
        name: "vault",
        rows: [
            "..........",
            "..........",
            "...>>>v...",
            "..o^..v...",
            "...^..v...",
            "...^..vo..",
            "...^<<<...",
            "..........",
            "..........",
            "..........",
        ],
        walls: &[
            (2, 2, West), (2, 3, West), (2, 5, West), (2, 6, West), (7, 2, East), (7, 3, East), (7, 5, East),
            (7, 6, East), (3, 1, North), (4, 1, North), (6, 1, North), (3, 7, South), (5, 7, South), (6, 7, South),
        ],
        lasers: &[(2, 2, East, 1), (7, 6, West, 1)],
        pushers: &[],
        flags: &[(4, 4), (9, 9), (5, 3)],
        token: (0, 8, North),
    },
    FloorCourse {
        name: "grand-tour",
        rows: [
            "....o.....",
            ".EEES.#...",
            ".N..S..c..",
            ".N..S.....",
            ".NWWW.>>v.",
            "..a...^.v.",
            ".#....^<<.",
            "...vvv....",
            "..o...#...",
            "..........",
        ],
        walls: &[(2, 2, East), (7, 5, North), (0, 7, West), (9, 3, East)],
        lasers: &[(0, 7, East, 1), (9, 3, West, 1)],
        pushers: &[(9, 7, North, 0b1_0101)],
        flags: &[(8, 1), (2, 2), (7, 5), (4, 9)],
        token: (0, 3, South),
    },
];

impl FloorCourse {
    /// The course of a name.
    pub fn named(name: &str) -> Option<&'static FloorCourse> {
        COURSES.iter().find(|course| course.name == name)
    }

    /// Name of the course.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Most robots of a race, one for each dock.
    pub const fn players(&self) -> usize {
        DOCKS.len()
    }

    /// Builds the floor of the course. A test checks that no course of [`COURSES`] fails.
    pub fn floor(&self) -> Result<Floor, BoardError> {
        let mut plan = BoardBuilder::new(usize::from(BAY + SIDE), usize::from(SIDE))?;
        let spot = |x: u8, y: u8| (usize::from(x + BAY), usize::from(y));
        let cell = |x: u8, y: u8| Cell::new(x as i8, y as i8);
        let mut energy: heapless::Vec<Cell, { SIDE as usize }> = heapless::Vec::new();
        for (row, y) in self.rows.iter().zip(0..) {
            for (letter, column) in row.chars().zip(0..) {
                let (x, y) = spot(column, y);
                plan.terrain(x, y, terrain(letter, 0))?;
                if letter == 'o' {
                    energy.push(cell(column + BAY, y as u8)).map_err(|_| BoardError::Capacity)?;
                }
            }
        }
        for (x, y, side) in BAY_WALLS {
            plan.wall(x.into(), y.into(), side)?;
        }
        for &(x, y, side) in self.walls {
            let (x, y) = spot(x, y);
            plan.wall(x, y, side)?;
        }
        for &(x, y, way, strength) in self.lasers {
            let (x, y) = spot(x, y);
            plan.laser(x, y, way, strength)?;
        }
        for &(x, y, way, registers) in self.pushers {
            let (x, y) = spot(x, y);
            plan.pusher(x, y, way, registers)?;
        }
        for &(x, y) in self.flags {
            let (x, y) = spot(x, y);
            plan.flag(x, y)?;
        }
        for (x, y) in DOCKS {
            plan.dock(x.into(), y.into(), East)?;
        }
        let (x, y, arrow) = self.token;
        let reboots = [
            Reboot {
                token: Dock { cell: cell(0, 7), facing: East },
                corners: [cell(0, 0), cell(BAY - 1, SIDE - 1)],
            },
            Reboot {
                token: Dock { cell: cell(x + BAY, y), facing: arrow },
                corners: [cell(BAY, 0), cell(BAY + SIDE - 1, SIDE - 1)],
            },
        ];
        Floor::new(plan, Dock { cell: cell(0, 4), facing: East }, &reboots, &energy)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_course_can_be_raced() {
        for course in &COURSES {
            let floor = course.floor().expect("every course is sound");
            let board = floor.board();
            assert_eq!((board.width(), board.height(), board.docks().len()), (13, 10, course.players()));
            assert!(board.flags().len() >= 3, "{}", course.name());
            assert!(FloorCourse::named(course.name()).is_some_and(|found| found.name() == course.name()));
            let off = board.flags().iter().chain(floor.energy()).all(|&cell| cell != floor.antenna().cell);
            assert!(off, "{}", course.name());
            // Tokens differ by the part of the floor.
            let tokens =
                [cell(1, 1), cell(9, 9)].map(|from| floor.token(from).map(|token| token.cell.x() < 3));
            assert_eq!(tokens, [Some(true), Some(false)]);
        }
        assert!(FloorCourse::named("nowhere").is_none());
    }

    fn cell(x: i8, y: i8) -> Cell {
        Cell::new(x, y)
    }
}
