//! Pictures of boards in characters: two characters per cell, walls between cells, robots in place of terrain.

use std::fmt::Write;

use barrow_core::contests::roborally::second_edition::{Floor, Race};
use barrow_core::contests::roborally::{Board, Cell, Direction, Laser, Speed, State, Status, Terrain};
use barrow_session::contests::roborally::robot_text::{flag_text, standing_text};

/// Draws a board, with the robots of a state if one is given. Robots are digits with an arrow, flags `F` with a number,
/// docks `D` with a number. On plain floor, emitters are `L` and pushers `P` with an arrow, and beams are lines.
pub fn draw(board: &Board, state: Option<&State>) -> String {
    draw_marked(board, state, &|_| None) + &state.map_or_else(String::new, legend)
}

/// Draws a floor of the second edition, with the robots of a race if one is given: `A` is the antenna with the direction
/// of its ray, `R` a reboot token with its arrow, `e` an energy space and `E` one with a cube.
pub fn draw_race(floor: &Floor, race: Option<&Race>) -> String {
    let mark = |cell: Cell| {
        if floor.antenna().cell == cell {
            return Some(format!("A{}", arrow(floor.antenna().facing)));
        }
        if let Some(reboot) = floor.reboots().iter().find(|reboot| reboot.token.cell == cell) {
            return Some(format!("R{}", arrow(reboot.token.facing)));
        }
        let space = floor.energy().iter().position(|&energy| energy == cell)?;
        let has_cube = race.is_none_or(|race| race.has_cube(space));
        Some(if has_cube { " E" } else { " e" }.to_owned())
    };
    let mut text = draw_marked(floor.board(), race.map(Race::positions), &mark);
    let Some(race) = race else { return text };
    let state = race.positions();
    let _ = writeln!(text, "turn {}", state.turn());
    for id in 0..state.robots() {
        let flag = state.robot(id).map_or_else(String::new, |robot| flag_text(&robot, state.flags()));
        let (energy, damage) = (race.energy(id), race.damage_cards(id));
        let _ = writeln!(text, "robot {id}: {flag}, energy {energy}, damage cards {damage}");
    }
    text
}

/// Draws a board with the robots of a state, and marks on cells without robot and flag.
fn draw_marked(board: &Board, state: Option<&State>, mark: &dyn Fn(Cell) -> Option<String>) -> String {
    let mut text = String::new();
    let (width, height) = (board.width() as i8, board.height() as i8);
    text.push_str("    ");
    for x in 0..width {
        let _ = write!(text, "{x:<3}");
    }
    text.push('\n');
    for y in 0..height {
        text.push_str(&wall_line(board, y, Direction::North));
        let _ = write!(text, "{y:>2} ");
        for x in 0..width {
            let cell = Cell::new(x, y);
            text.push(if board.has_wall(cell, Direction::West) { '|' } else { ' ' });
            text.push_str(&label(board, state, cell, mark));
        }
        let last = Cell::new(width - 1, y);
        text.push_str(if board.has_wall(last, Direction::East) { "|\n" } else { "\n" });
    }
    text.push_str(&wall_line(board, height - 1, Direction::South));
    text
}

/// The walls on one side of a row; empty if there are none.
fn wall_line(board: &Board, y: i8, side: Direction) -> String {
    let walls = (0..board.width() as i8).map(|x| board.has_wall(Cell::new(x, y), side));
    let line: String = walls.map(|wall| if wall { " --" } else { "   " }).collect();
    let line = line.trim_end();
    if line.is_empty() { String::new() } else { format!("   {line}\n") }
}

fn label(board: &Board, state: Option<&State>, cell: Cell, mark: &dyn Fn(Cell) -> Option<String>) -> String {
    let robots = state.map_or(0, State::robots);
    let standing = (0..robots).find_map(|id| {
        let robot = state?.robot(id)?;
        let here = robot.cell == cell && matches!(robot.status, Status::Active | Status::PoweredDown);
        here.then(|| format!("{id}{}", arrow(robot.facing)))
    });
    if let Some(robot) = standing {
        return robot;
    }
    if let Some(flag) = board.flag_at(cell) {
        return format!("F{flag}");
    }
    if let Some(dock) = board.docks().iter().position(|dock| dock.cell == cell).filter(|_| state.is_none()) {
        return format!("D{dock}");
    }
    if let Some(mark) = mark(cell) {
        return mark;
    }
    match board.terrain(cell) {
        Terrain::Floor => machine(board, cell),
        Terrain::Pit => "()".to_owned(),
        Terrain::Repair => " +".to_owned(),
        Terrain::RepairOption => "++".to_owned(),
        Terrain::GearClockwise => "cw".to_owned(),
        Terrain::GearCounterClockwise => "cc".to_owned(),
        Terrain::Belt(way, Speed::Normal) => format!(" {}", arrow(way)),
        Terrain::Belt(way, Speed::Express) => format!("{0}{0}", arrow(way)),
    }
}

/// The pusher, emitter or beams of a cell of plain floor.
fn machine(board: &Board, cell: Cell) -> String {
    if let Some(pusher) = board.pushers().iter().find(|pusher| pusher.cell == cell) {
        return format!("P{}", arrow(pusher.direction));
    }
    if let Some(laser) = board.lasers().iter().find(|laser| laser.cell == cell) {
        return format!("L{}", arrow(laser.direction));
    }
    let lit = |along: &dyn Fn(Direction) -> bool| {
        let mut beams = board.lasers().iter().filter(|laser| along(laser.direction));
        beams.any(|laser| beam(board, laser).any(|lit| lit == cell))
    };
    let upright = |way| matches!(way, Direction::North | Direction::South);
    match (lit(&|way| !upright(way)), lit(&upright)) {
        (true, true) => " #",
        (true, false) => " -",
        (false, true) => " :",
        (false, false) => " .",
    }
    .to_owned()
}

/// The cells that a laser lights if no robot is in the way.
pub(super) fn beam(board: &Board, laser: &Laser) -> impl Iterator<Item = Cell> {
    let direction = laser.direction;
    let next = move |&cell: &Cell| {
        let to = cell.step(direction);
        (!board.has_wall(cell, direction) && board.is_inside(to)).then_some(to)
    };
    std::iter::successors(Some(laser.cell), next)
}

fn arrow(direction: Direction) -> char {
    ['^', '>', 'v', '<'][direction as usize]
}

fn legend(state: &State) -> String {
    let mut text = format!("turn {}\n", state.turn());
    for id in 0..state.robots() {
        let Some(robot) = state.robot(id) else { continue };
        let _ = writeln!(text, "robot {id}: {}", standing_text(&robot, state.flags()));
    }
    text
}

#[cfg(test)]
mod tests {
    use barrow_core::contests::roborally::Profile;

    use super::*;
    use crate::contests::roborally::board_text;

    #[test]
    fn lasers_and_pushers_are_seen() {
        let text = "size 4 2\n.. .. .. ..\n.. .. .. ..\nwall 2 0 E\nlaser 0 0 E 1\nlaser 1 0 S 1\npusher 3 1 N 24\nflag 3 0\n";
        let board = board_text::read(text).expect("a board");
        assert_eq!(draw(&board, None), "    0  1  2  3  \n 0  L> Lv  -|F1\n 1   .  :  . P^\n");
    }

    #[test]
    fn walls_robots_and_flags_are_seen() {
        let text = "size 3 2\n.. PT >2\n.. GR W1\nwall 0 0 E\nwall 2 1 S\nflag 2 1\nstart 0 1 E\n";
        let board = board_text::read(text).expect("a board");
        let plain = draw(&board, None);
        assert_eq!(plain, "    0  1  2  \n 0   .|() >>\n 1  D0 cw F1\n          --\n");
        let state = State::new(&board, Profile::Classic, 1, 3).expect("a race");
        let drawn = draw(&board, Some(&state));
        assert!(
            drawn.contains(" 1  0> cw F1\n") && drawn.ends_with("robot 0: flag 1, damage 0, lives 3\n"),
            "{drawn}"
        );
    }
}
