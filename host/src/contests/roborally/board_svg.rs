//! Pictures of boards as SVG: terrain, walls, lasers with their beams, pushers, flags, docks and robots.

use std::fmt::Write;

use barrow_core::contests::roborally::second_edition::{Floor, Race};
use barrow_core::contests::roborally::{Board, Cell, Direction, Dock, Laser, Speed, State, Status, Terrain};

use super::picture::beam;

/// Side of a cell.
const SIDE: i32 = 40;

/// Colours of the robots.
const PAINTS: [&str; 8] =
    ["#d62728", "#1f77b4", "#2ca02c", "#ff7f0e", "#9467bd", "#8c564b", "#e377c2", "#17becf"];

/// Draws a board, with the robots of a state if one is given.
pub fn draw(board: &Board, state: Option<&State>) -> String {
    draw_marked(board, state, "")
}

/// Draws a floor of the second edition, with the robots of a race if one is given: antenna, reboot tokens, and energy
/// spaces, full ones with a cube.
pub fn draw_race(floor: &Floor, race: Option<&Race>) -> String {
    let mut marks = String::new();
    for (space, &cell) in floor.energy().iter().enumerate() {
        let (x, y) = middle(cell);
        let fill = if race.is_none_or(|race| race.has_cube(space)) { "#9f3" } else { "none" };
        let _ = writeln!(
            marks,
            "<rect x=\"{}\" y=\"{}\" width=\"14\" height=\"14\" fill=\"{fill}\" stroke=\"#390\"/>",
            x - 7,
            y - 7
        );
    }
    for reboot in floor.reboots() {
        let shape = "<circle r=\"14\" fill=\"#ffd\" stroke=\"#a60\"/><path d=\"M0 10V-9M-5 -4L0 -9L5 -4\" \
                     stroke=\"#a60\" stroke-width=\"2\" fill=\"none\"/>";
        marks.push_str(&turned(reboot.token, shape));
    }
    let shape = "<path d=\"M-12 14L0 -14L12 14Z\" fill=\"#339\"/><circle cy=\"4\" r=\"4\" fill=\"#fff\"/>";
    marks.push_str(&turned(floor.antenna(), shape));
    draw_marked(floor.board(), race.map(Race::positions), &marks)
}

/// Draws a board with marks above its ground.
fn draw_marked(board: &Board, state: Option<&State>, marks: &str) -> String {
    let [width, height] = [board.width(), board.height()].map(|cells| i32::from(cells) * SIDE);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-2 -2 {} {}\" font-family=\"sans-serif\" \
         font-size=\"16\" text-anchor=\"middle\">\n",
        width + 4,
        height + 4
    );
    for cell in board.cells() {
        svg.push_str(&ground(board, cell));
    }
    svg.push_str(marks);
    for laser in board.lasers() {
        svg.push_str(&light(board, laser));
    }
    for pusher in board.pushers() {
        let registers: String = (1..=5_u8)
            .filter(|register| pusher.registers >> (register - 1) & 1 == 1)
            .map(|r| r.to_string())
            .collect();
        let dock = Dock { cell: pusher.cell, facing: pusher.direction };
        let shape = "<rect x=\"-18\" y=\"14\" width=\"36\" height=\"6\" fill=\"#b8860b\"/>\
                     <path d=\"M0 14V0M-5 5L0 0L5 5\" stroke=\"#b8860b\" stroke-width=\"3\" fill=\"none\"/>";
        svg.push_str(&turned(dock, shape));
        svg.push_str(&written(pusher.cell, 14, "#b8860b", &registers));
    }
    for (number, dock) in board.docks().iter().enumerate().filter(|_| state.is_none()) {
        let shape = "<path d=\"M-14 14L0 -14L14 14Z\" fill=\"none\" stroke=\"#555\"/>";
        svg.push_str(&turned(*dock, shape));
        svg.push_str(&written(dock.cell, 8, "#555", &number.to_string()));
    }
    for (number, &flag) in (1..).zip(board.flags()) {
        let (x, y) = middle(flag);
        let _ = writeln!(
            svg,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"13\" fill=\"#fff\" stroke=\"#0a0\" stroke-width=\"3\"/>"
        );
        svg.push_str(&written(flag, 6, "#0a0", &number.to_string()));
    }
    svg.push_str(&walls(board));
    if let Some(state) = state {
        svg.push_str(&robots(state));
    }
    svg.push_str("</svg>\n");
    svg
}

fn middle(cell: Cell) -> (i32, i32) {
    (i32::from(cell.x()) * SIDE + SIDE / 2, i32::from(cell.y()) * SIDE + SIDE / 2)
}

/// A shape drawn around the middle of a cell as if it faced north.
fn turned(dock: Dock, shape: &str) -> String {
    let (x, y) = middle(dock.cell);
    format!("<g transform=\"translate({x} {y}) rotate({})\">{shape}</g>\n", 90 * dock.facing as i32)
}

/// A text in a cell, this far below its middle.
fn written(cell: Cell, below: i32, colour: &str, text: &str) -> String {
    let (x, y) = middle(cell);
    format!("<text x=\"{x}\" y=\"{}\" fill=\"{colour}\">{text}</text>\n", y + below)
}

fn ground(board: &Board, cell: Cell) -> String {
    let (x, y) = middle(cell);
    let (fill, mark) = match board.terrain(cell) {
        Terrain::Floor => ("#eee", String::new()),
        Terrain::Pit => ("#222", String::new()),
        Terrain::Repair => ("#eee", written(cell, 6, "#06c", "+")),
        Terrain::RepairOption => ("#eee", written(cell, 6, "#06c", "++")),
        Terrain::GearClockwise => ("#cfc", written(cell, 6, "#060", "↻")),
        Terrain::GearCounterClockwise => ("#fcc", written(cell, 6, "#600", "↺")),
        Terrain::Belt(facing, speed) => {
            let path = match speed {
                Speed::Normal => "M-8 5L0 -5L8 5",
                Speed::Express => "M-8 1L0 -9L8 1M-8 11L0 1L8 11",
            };
            let shape = format!("<path d=\"{path}\" fill=\"none\" stroke=\"#333\" stroke-width=\"2\"/>");
            let fill = if speed == Speed::Express { "#9cf" } else { "#fd8" };
            (fill, turned(Dock { cell, facing }, &shape))
        }
    };
    let corner = (x - SIDE / 2, y - SIDE / 2);
    format!(
        "<rect x=\"{}\" y=\"{}\" width=\"{SIDE}\" height=\"{SIDE}\" fill=\"{fill}\" stroke=\"#bbb\"/>\n{mark}",
        corner.0, corner.1
    )
}

/// A laser: its emitter, and the beam to the end of its last cell, as many lines as it has strength.
fn light(board: &Board, laser: &Laser) -> String {
    let cells = beam(board, laser).count() as i32;
    let mut shape = "<rect x=\"-8\" y=\"14\" width=\"16\" height=\"6\" fill=\"#c00\"/>".to_owned();
    for line in 0..i32::from(laser.strength) {
        let aside = 4 * line - 2 * (i32::from(laser.strength) - 1);
        let _ = write!(shape, "<path d=\"M{aside} 14V{}\" stroke=\"#f44\"/>", SIDE / 2 - cells * SIDE);
    }
    turned(Dock { cell: laser.cell, facing: laser.direction }, &shape)
}

fn walls(board: &Board) -> String {
    let mut paths = String::new();
    for cell in board.cells() {
        let (x, y) = (i32::from(cell.x()) * SIDE, i32::from(cell.y()) * SIDE);
        let sides = [(0, 0, 'h'), (SIDE, 0, 'v'), (0, SIDE, 'h'), (0, 0, 'v')];
        for (direction, (right, down, line)) in Direction::ALL.into_iter().zip(sides) {
            if board.has_wall(cell, direction) {
                let _ = write!(paths, "M{} {}{line}{SIDE}", x + right, y + down);
            }
        }
    }
    format!("<path d=\"{paths}\" stroke=\"#000\" stroke-width=\"4\" stroke-linecap=\"square\"/>\n")
}

fn robots(state: &State) -> String {
    let seen = (0..state.robots()).filter_map(|id| Some((id, state.robot(id)?)));
    let on_board = seen.filter(|(_, robot)| matches!(robot.status, Status::Active | Status::PoweredDown));
    let drawn = on_board.map(|(id, robot)| {
        let paint = PAINTS[id % PAINTS.len()];
        let opacity = if robot.status == Status::PoweredDown { "0.5" } else { "1" };
        let shape = format!(
            "<path d=\"M-12 15V-4L0 -16L12 -4V15Z\" fill=\"{paint}\" stroke=\"#000\" opacity=\"{opacity}\"/>"
        );
        let dock = Dock { cell: robot.cell, facing: robot.facing };
        turned(dock, &shape) + &written(robot.cell, 6, "#fff", &id.to_string())
    });
    drawn.collect()
}

#[cfg(test)]
mod tests {
    use barrow_core::contests::roborally::Profile;

    use super::*;
    use crate::contests::roborally::board_text;

    #[test]
    fn pieces_of_the_second_edition_are_drawn() {
        let course = barrow_core::contests::roborally::second_edition::FloorCourse::named("first-lap");
        let floor = course.expect("a course").floor().expect("sound");
        let svg = draw_race(&floor, None);
        let count = |what: &str| svg.matches(what).count();
        assert_eq!((count("fill=\"#9f3\""), count("#ffd"), count("#339")), (2, 2, 1));
        let race = Race::new(&floor, 3).expect("docks");
        assert_eq!(draw_race(&floor, Some(&race)).matches(PAINTS[2]).count(), 1);
    }

    #[test]
    fn everything_on_a_board_is_drawn() {
        let text = "size 3 2\n.. PT >2\n.. GR W1\nwall 0 0 E\nlaser 0 0 S 2\npusher 2 1 N 135\nflag 2 1\nstart 0 1 E\n";
        let board = board_text::read(text).expect("a board");
        let plain = draw(&board, None);
        let count = |svg: &str, what: &str| svg.matches(what).count();
        assert_eq!((count(&plain, "width=\"40\""), count(&plain, "#f44"), count(&plain, ">135<")), (6, 2, 1));
        // Two cells long, from the wall behind the emitter.
        assert!(plain.contains("rotate(180)\"><rect x=\"-8\"") && plain.contains("14V-60"), "{plain}");
        assert!(plain.contains("M40 0v40") && plain.contains(">0</text>"), "{plain}");
        assert_eq!(count(&plain, "<g"), count(&plain, "</g>"));
        let state = State::new(&board, Profile::Classic, 1, 3).expect("a race");
        assert_eq!(count(&draw(&board, Some(&state)), PAINTS[0]), 1);
    }
}
