//! Fixtures of a course of RoboRally: floor, walls, lasers, pushers, flags and docks.

use barrow_core::contests::roborally::{Board, Cell, Direction, Speed, Terrain};

use crate::messages::Fixture;

/// Fixtures of a course, those that lie lowest first.
pub(super) fn fixtures(board: &Board) -> Vec<Fixture> {
    let mut all: Vec<Fixture> = board.cells().filter_map(|cell| floor(board, cell)).collect();
    for cell in board.cells() {
        for side in DIRECTIONS.into_iter().filter(|&side| board.has_wall(cell, side)) {
            all.push(fixture(cell, "edge", Some(side), String::new(), format!("wall in the {}", way(side))));
        }
    }
    for laser in board.lasers() {
        let words = format!("laser of strength {} to the {}", laser.strength, way(laser.direction));
        all.push(fixture(laser.cell, "laser", Some(laser.direction), laser.strength.to_string(), words));
    }
    for pusher in board.pushers() {
        let registers = (0..5).filter(|register| pusher.registers >> register & 1 == 1);
        let registers: Vec<String> = registers.map(|register| (register + 1).to_string()).collect();
        let words = format!("pusher to the {} in registers {}", way(pusher.direction), registers.join(" "));
        all.push(fixture(pusher.cell, "pusher", Some(pusher.direction), registers.concat(), words));
    }
    for (number, dock) in board.docks().iter().enumerate() {
        all.push(fixture(dock.cell, "dock", Some(dock.facing), number.to_string(), format!("dock {number}")));
    }
    for (number, &flag) in (1..).zip(board.flags()) {
        all.push(fixture(flag, "flag", None, number.to_string(), format!("flag {number}")));
    }
    all
}

const DIRECTIONS: [Direction; 4] = [Direction::North, Direction::East, Direction::South, Direction::West];

/// Direction in words.
pub(super) fn way(direction: Direction) -> &'static str {
    match direction {
        Direction::North => "north",
        Direction::East => "east",
        Direction::South => "south",
        Direction::West => "west",
    }
}

fn floor(board: &Board, cell: Cell) -> Option<Fixture> {
    let (kind, facing, words) = match board.terrain(cell) {
        Terrain::Floor => return None,
        Terrain::Pit => ("pit", None, "pit".to_owned()),
        Terrain::Repair => ("repair", None, "repair site".to_owned()),
        Terrain::RepairOption => ("repair", None, "repair site with option".to_owned()),
        Terrain::GearClockwise => ("gear_right", None, "gear that turns right".to_owned()),
        Terrain::GearCounterClockwise => ("gear_left", None, "gear that turns left".to_owned()),
        Terrain::Belt(to, Speed::Normal) => ("belt", Some(to), format!("belt to the {}", way(to))),
        Terrain::Belt(to, Speed::Express) => {
            ("express", Some(to), format!("express belt to the {}", way(to)))
        }
    };
    Some(fixture(cell, kind, facing, String::new(), words))
}

fn fixture(cell: Cell, kind: &str, facing: Option<Direction>, label: String, words: String) -> Fixture {
    Fixture {
        x: cell.x().into(),
        y: cell.y().into(),
        kind: kind.to_owned(),
        facing: facing.map(Direction::letter),
        label,
        words,
    }
}
