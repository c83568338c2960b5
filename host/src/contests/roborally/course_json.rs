//! Courses as JSON: rows of cells, each a list of elements with type and direction, as public programs keep them, and
//! lists of spaces with their places. The page `docs/roborally.md` has the shapes and all names.

use anyhow::{Context, Result, anyhow, bail, ensure};
use barrow_core::contests::roborally::second_edition::{Floor, Reboot};
use barrow_core::contests::roborally::{Board, BoardBuilder, Cell, Direction, Dock, Profile, Speed, Terrain};
use serde_json::{Map, Value, json};

use super::course::Course;
use super::ground::Ground;
use super::second_edition::floor::TabledFloor;

/// Keys under which an object holds its rows or columns of cells.
const GRIDS: [&str; 7] = ["gameMap", "map", "board", "cells", "grid", "tiles", "rows"];

/// Keys of an element's type.
const TYPES: [&str; 5] = ["type", "element", "kind", "name", "CLASSNAME"];

/// Keys of an element's direction.
const WAYS: [&str; 7] =
    ["orientations", "orientation", "direction", "dir", "facing", "heading", "exitDirection"];

/// Keys of an element's number: the strength of a laser, the order of a flag or a dock.
const NUMBERS: [&str; 4] = ["count", "number", "order", "strength"];

/// A course that is read, before its board is built.
struct Plan {
    board: BoardBuilder,
    width: usize,
    height: usize,
    /// Flags and docks with the numbers that they have, or else their order of appearance.
    flags: Vec<(u64, usize, usize)>,
    docks: Vec<(u64, Dock)>,
    antenna: Option<Dock>,
    reboots: Vec<Dock>,
    energy: Vec<Cell>,
}

/// Reads a course from JSON. With `by_columns` the outer list holds columns from the west; otherwise rows from the
/// north, but for `gameMap`, which always holds columns. Errors name the line or the cell.
pub fn read(text: &str, by_columns: bool) -> Result<Ground> {
    let value: Value = serde_json::from_str(text)?;
    if let Some(spaces) = value.get("spaces").and_then(Value::as_array) {
        let placed = spaces.iter().all(|space| space.get("x").is_some());
        return if placed { read_spaces(&value, spaces) } else { read_grid(spaces, true) };
    }
    let named = GRIDS.iter().find_map(|&key| Some((key, value.get(key)?.as_array()?)));
    match (value.as_array(), named) {
        (Some(grid), _) => read_grid(grid, by_columns),
        (None, Some((key, grid))) => read_grid(grid, by_columns || key == "gameMap"),
        _ => {
            bail!("no list of rows of cells, neither alone nor as one of {}, and no spaces", GRIDS.join(" "))
        }
    }
}

fn read_grid(lists: &[Value], by_columns: bool) -> Result<Ground> {
    let what = if by_columns { "column" } else { "row" };
    let inner: Vec<&Vec<Value>> = (0..)
        .zip(lists)
        .map(|(number, list)| {
            list.as_array().with_context(|| format!("{what} {number} is not a list of cells"))
        })
        .collect::<Result<_>>()?;
    let length = inner.first().map_or(0, |list| list.len());
    for (number, list) in inner.iter().enumerate() {
        ensure!(list.len() == length, "{what} {number} has {} cells, not {length}", list.len());
    }
    let (width, height) = if by_columns { (inner.len(), length) } else { (length, inner.len()) };
    let mut plan = Plan::new(width, height)?;
    for (outer, list) in inner.into_iter().enumerate() {
        for (place, cell) in list.iter().enumerate() {
            let (x, y) = if by_columns { (outer, place) } else { (place, outer) };
            plan.cell(x, y, cell).with_context(|| format!("cell {x} {y}"))?;
        }
    }
    plan.finish()
}

fn read_spaces(value: &Value, spaces: &[Value]) -> Result<Ground> {
    let size = |key: &str| {
        let size =
            value.get(key).and_then(Value::as_u64).with_context(|| format!("spaces come with a {key}"));
        size.map(|size| size as usize)
    };
    let mut plan = Plan::new(size("width")?, size("height")?)?;
    for (number, space) in spaces.iter().enumerate() {
        let place = |key: &str| {
            let place = space.get(key).and_then(Value::as_u64);
            place.with_context(|| format!("space {number} has no place")).map(|place| place as usize)
        };
        let (x, y) = (place("x")?, place("y")?);
        plan.cell(x, y, space).with_context(|| format!("cell {x} {y}"))?;
    }
    plan.finish()
}

impl Plan {
    fn new(width: usize, height: usize) -> Result<Plan> {
        Ok(Plan {
            board: BoardBuilder::new(width, height)?,
            width,
            height,
            flags: Vec::new(),
            docks: Vec::new(),
            antenna: None,
            reboots: Vec::new(),
            energy: Vec::new(),
        })
    }

    /// Adds what lies on a cell: nothing, an element by its name, an object, or a list of them.
    fn cell(&mut self, x: usize, y: usize, value: &Value) -> Result<()> {
        ensure!(x < self.width && y < self.height, "that is outside the board");
        match value {
            Value::Null => Ok(()),
            Value::Array(elements) => elements.iter().try_for_each(|element| self.cell(x, y, element)),
            Value::String(name) => self.element(x, y, name, &Map::new()),
            Value::Object(object) => self.object(x, y, object),
            _ => bail!("{value} is no element"),
        }
    }

    fn object(&mut self, x: usize, y: usize, object: &Map<String, Value>) -> Result<()> {
        if let Some(walls) = object.get("walls") {
            for side in sides(walls)? {
                self.board.wall(x, y, side)?;
            }
        }
        for key in ["elements", "actions", "fields"] {
            if let Some(elements) = object.get(key) {
                self.cell(x, y, elements)?;
            }
        }
        let kind = TYPES.iter().find_map(|&key| object.get(key)?.as_str());
        let Some(kind) = kind else { return Ok(()) };
        // A class with its package in front, and its fields one level below.
        let kind = kind.rsplit('.').next().unwrap_or(kind);
        let fields = object.get("INSTANCE").and_then(Value::as_object).unwrap_or(object);
        self.element(x, y, kind, fields)
    }

    fn element(&mut self, x: usize, y: usize, kind: &str, fields: &Map<String, Value>) -> Result<()> {
        let number = || NUMBERS.iter().find_map(|&key| fields.get(key)?.as_u64());
        let is_set = |key: &str| fields.get(key).and_then(Value::as_bool).unwrap_or(false);
        let cell = Cell::new(x as i8, y as i8);
        let letters: String = kind.chars().filter(char::is_ascii_alphanumeric).collect();
        match letters.to_ascii_lowercase().as_str() {
            "" | "empty" | "floor" | "plain" | "space" => {}
            "pit" | "hole" => self.board.terrain(x, y, Terrain::Pit)?,
            "repair" | "wrench" | "repairsite" => self.board.terrain(x, y, Terrain::Repair)?,
            "doublewrench" | "hammer" | "wrenchhammer" => self.board.terrain(x, y, Terrain::RepairOption)?,
            name @ ("conveyorbelt"
            | "conveyor"
            | "belt"
            | "greenbelt"
            | "greenconveyorbelt"
            | "expressconveyorbelt"
            | "expressconveyor"
            | "expressbelt"
            | "bluebelt"
            | "blueconveyorbelt") => {
                let is_fast = fields.get("speed").and_then(Value::as_u64).is_some_and(|speed| speed > 1);
                let is_express =
                    is_fast || is_set("express") || is_set("isExpress") || is_set("isExpressConveyor");
                let is_express = is_express || name.starts_with("express") || name.starts_with("blue");
                let speed = if is_express { Speed::Express } else { Speed::Normal };
                self.board.terrain(x, y, Terrain::Belt(way(fields)?, speed))?;
            }
            "gear" => self.board.terrain(x, y, gear(fields)?)?,
            "gearright" | "gearclockwise" => self.board.terrain(x, y, Terrain::GearClockwise)?,
            "gearleft" | "gearcounterclockwise" => self.board.terrain(x, y, Terrain::GearCounterClockwise)?,
            "pushpanel" | "pusher" | "push" => self.board.pusher(x, y, way(fields)?, registers(fields)?)?,
            "laser" => {
                let strength = u8::try_from(number().unwrap_or(1)).unwrap_or(u8::MAX);
                self.board.laser(x, y, way(fields)?, strength)?;
            }
            "wall" => {
                let value = WAYS.iter().find_map(|&key| fields.get(key)).context("a wall has sides")?;
                for side in sides(value)? {
                    self.board.wall(x, y, side)?;
                }
            }
            "energyspace" | "energy" | "battery" => {
                ensure!(!self.energy.contains(&cell), "two energy spaces");
                self.energy.push(cell);
            }
            "checkpoint" | "flag" => {
                self.flags.push((number().unwrap_or(self.flags.len() as u64 + 1), x, y));
            }
            "startpoint" | "start" | "dock" | "spawn" | "startingpoint" => {
                let facing = if has_way(fields) { way(fields)? } else { Direction::East };
                self.docks.push((number().unwrap_or(self.docks.len() as u64 + 1), Dock { cell, facing }));
            }
            "antenna" | "priorityantenna" => {
                ensure!(self.antenna.is_none(), "a second antenna");
                let facing = if has_way(fields) { way(fields)? } else { Direction::East };
                self.antenna = Some(Dock { cell, facing });
            }
            "restartpoint" | "reboot" | "reboottoken" | "respawn" => {
                let facing = if has_way(fields) { way(fields)? } else { Direction::North };
                self.reboots.push(Dock { cell, facing });
            }
            _ => bail!("unknown element {kind}"),
        }
        Ok(())
    }

    /// The ground: a floor of the second edition if it has an antenna, a reboot token or energy.
    fn finish(mut self) -> Result<Ground> {
        self.flags.sort_by_key(|flag| flag.0);
        self.docks.sort_by_key(|dock| dock.0);
        for (number, x, y) in self.flags {
            self.board.flag(x, y).with_context(|| format!("flag {number} on cell {x} {y}"))?;
        }
        for (_, Dock { cell, facing }) in self.docks {
            let (x, y) = (cell.x() as usize, cell.y() as usize);
            self.board.dock(x, y, facing).with_context(|| format!("dock on cell {x} {y}"))?;
        }
        if self.antenna.is_none() && self.reboots.is_empty() && self.energy.is_empty() {
            return Ok(Ground::Board(Course::new(self.board.finish()?), Profile::Classic));
        }
        let last = Cell::new(self.width as i8 - 1, self.height as i8 - 1);
        let whole = [Cell::new(0, 0), last];
        let reboots: Vec<Reboot> =
            self.reboots.into_iter().map(|token| Reboot { token, corners: whole }).collect();
        let antenna = self.antenna.context("no antenna, which the rules of 2016 need")?;
        Ok(Ground::Floor(TabledFloor::new(Floor::new(self.board, antenna, &reboots, &self.energy)?)))
    }
}

fn has_way(fields: &Map<String, Value>) -> bool {
    WAYS.iter().any(|&key| fields.contains_key(key))
}

/// The direction of an element; of several the first, as belts have their exit before their entries.
fn way(fields: &Map<String, Value>) -> Result<Direction> {
    let value = WAYS.iter().find_map(|&key| fields.get(key)).context("a direction is needed")?;
    sides(value)?.first().copied().context("a direction is needed")
}

/// The directions of a value: a word, a list of words, or four truth values clockwise from north.
fn sides(value: &Value) -> Result<Vec<Direction>> {
    match value {
        Value::String(word) => Ok(vec![direction(word)?]),
        Value::Array(flags) if flags.len() == 4 && flags.iter().all(Value::is_boolean) => {
            let set = Direction::ALL.into_iter().zip(flags).filter(|(_, flag)| flag.as_bool() == Some(true));
            Ok(set.map(|(side, _)| side).collect())
        }
        Value::Array(words) => words
            .iter()
            .map(|word| direction(word.as_str().ok_or_else(|| anyhow!("{word} is no direction"))?))
            .collect(),
        _ => bail!("{value} is no direction"),
    }
}

fn direction(word: &str) -> Result<Direction> {
    Ok(match word.to_ascii_lowercase().as_str() {
        "n" | "north" | "top" | "up" => Direction::North,
        "e" | "east" | "right" => Direction::East,
        "s" | "south" | "bottom" | "down" => Direction::South,
        "w" | "west" | "left" => Direction::West,
        _ => bail!("{word} is no direction"),
    })
}

/// The gear that turns in a direction.
fn gear(fields: &Map<String, Value>) -> Result<Terrain> {
    let keys = WAYS.iter().copied().chain(["rotation", "rotationDirection"]);
    let value = keys.into_iter().find_map(|key| fields.get(key)).context("a gear turns in a direction")?;
    let word = value.as_str().or_else(|| value.get(0)?.as_str()).context("a gear turns in a direction")?;
    let letters: String = word.chars().filter(char::is_ascii_alphabetic).collect();
    match letters.to_ascii_lowercase().as_str() {
        "clockwise" | "right" => Ok(Terrain::GearClockwise),
        "counterclockwise" | "anticlockwise" | "left" => Ok(Terrain::GearCounterClockwise),
        _ => bail!("{word} is no direction of a gear"),
    }
}

/// The registers of a pusher as bits: numbers from 1, or five truth values.
fn registers(fields: &Map<String, Value>) -> Result<u8> {
    let value = fields.get("registers").or_else(|| fields.get("activationRegisters"));
    let list = value.and_then(Value::as_array).context("a pusher has a list of registers")?;
    if list.len() == 5 && list.iter().all(Value::is_boolean) {
        return Ok((0..)
            .zip(list)
            .fold(0, |bits, (bit, set)| bits | u8::from(set.as_bool() == Some(true)) << bit));
    }
    list.iter().try_fold(0, |bits, register| match register.as_u64() {
        Some(register @ 1..=5) => Ok(bits | 1 << (register - 1)),
        _ => bail!("{register} is no register"),
    })
}

/// The JSON of a course, rows of lists of elements, which [`read`] reads again. Parts of the floor that reboot tokens
/// serve are not told.
pub fn write(ground: &Ground) -> String {
    let board = ground.board();
    let row = |y: u8| -> Value {
        let cells = (0..board.width()).map(|x| elements(board, ground.floor(), Cell::new(x as i8, y as i8)));
        Value::Array(cells.map(Value::Array).collect())
    };
    let rows: Vec<Value> = (0..board.height()).map(row).collect();
    let lines: Vec<String> = rows.iter().map(Value::to_string).collect();
    format!("{{\"rows\": [\n{}\n]}}\n", lines.join(",\n"))
}

fn elements(board: &Board, floor: Option<&Floor>, cell: Cell) -> Vec<Value> {
    let name = |way: Direction| ["north", "east", "south", "west"][way as usize];
    let mut found = Vec::new();
    found.extend(match board.terrain(cell) {
        Terrain::Floor => None,
        Terrain::Pit => Some(json!({"type": "Pit"})),
        Terrain::Repair => Some(json!({"type": "Repair"})),
        Terrain::RepairOption => Some(json!({"type": "DoubleWrench"})),
        Terrain::GearClockwise => Some(json!({"type": "Gear", "direction": "clockwise"})),
        Terrain::GearCounterClockwise => Some(json!({"type": "Gear", "direction": "counterclockwise"})),
        Terrain::Belt(way, speed) => {
            let speed = if speed == Speed::Express { 2 } else { 1 };
            Some(json!({"type": "ConveyorBelt", "direction": name(way), "speed": speed}))
        }
    });
    let sides: Vec<&str> =
        Direction::ALL.into_iter().filter(|&side| board.has_wall(cell, side)).map(name).collect();
    if !sides.is_empty() {
        found.push(json!({"type": "Wall", "orientations": sides}));
    }
    for laser in board.lasers().iter().filter(|laser| laser.cell == cell) {
        found.push(json!({"type": "Laser", "direction": name(laser.direction), "count": laser.strength}));
    }
    for pusher in board.pushers().iter().filter(|pusher| pusher.cell == cell) {
        let registers: Vec<u8> =
            (1..=5).filter(|register| pusher.registers >> (register - 1) & 1 == 1).collect();
        found.push(json!({"type": "Pusher", "direction": name(pusher.direction), "registers": registers}));
    }
    if let Some(flag) = board.flag_at(cell) {
        found.push(json!({"type": "CheckPoint", "count": flag}));
    }
    for (number, dock) in (1..).zip(board.docks()).filter(|(_, dock)| dock.cell == cell) {
        let number: usize = number;
        found.push(json!({"type": "StartPoint", "direction": name(dock.facing), "count": number}));
    }
    let Some(floor) = floor else { return found };
    if floor.energy().contains(&cell) {
        found.push(json!({"type": "EnergySpace"}));
    }
    for reboot in floor.reboots().iter().filter(|reboot| reboot.token.cell == cell) {
        found.push(json!({"type": "RestartPoint", "direction": name(reboot.token.facing)}));
    }
    if floor.antenna().cell == cell {
        found.push(json!({"type": "Antenna", "direction": name(floor.antenna().facing)}));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contests::roborally::board_text;
    use barrow_core::contests::roborally::{COURSES, second_edition};

    #[test]
    fn every_course_is_read_again() {
        for course in &COURSES {
            let board = course.board().expect("a course");
            let json = write(&Ground::Board(Course::new(board.clone()), Profile::Classic));
            assert!(read(&json, false).expect("its own JSON").board() == &board, "{}", course.name());
        }
        for course in &second_edition::COURSES {
            let floor = course.floor().expect("a course");
            let json = write(&Ground::Floor(TabledFloor::new(floor.clone())));
            let again = read(&json, false).expect("its own JSON");
            let again = again.floor().expect("a floor");
            assert_eq!(again.board(), floor.board(), "{}", course.name());
            assert_eq!((again.antenna(), again.energy()), (floor.antenna(), floor.energy()));
            let tokens =
                |floor: &Floor| floor.reboots().iter().map(|reboot| reboot.token.cell).collect::<Vec<_>>();
            let (mut read, mut own) = (tokens(again), tokens(&floor));
            read.sort();
            own.sort();
            assert_eq!(read, own);
        }
    }

    fn text(json: &str) -> String {
        let ground = read(json, false).unwrap_or_else(|error| panic!("{json}: {error:#}"));
        ground.floor().map_or_else(|| board_text::write(ground.board()), board_text::write_floor)
    }

    #[test]
    fn columns_of_lists_of_elements() {
        let json = r#"{"gameMap": [
            [[{"type": "Empty", "isOnBoard": "A"}], [{"orientations": ["right"], "type": "Antenna"}], [{"type": "StartPoint"}]],
            [[{"speed": 2, "orientations": ["bottom", "top"], "type": "ConveyorBelt"}], [{"type": "EnergySpace", "count": 1}],
             [{"type": "Laser", "orientations": ["top"], "count": 2}, {"type": "Wall", "orientations": ["bottom", "left"]}]],
            [[{"type": "PushPanel", "orientations": ["left"], "registers": [2, 4]}],
             [{"type": "Gear", "orientations": ["counterclockwise"]}, {"type": "RestartPoint", "orientations": ["bottom"]}],
             [{"type": "CheckPoint", "count": 1}]]]}"#;
        assert_eq!(
            text(json),
            "size 3 3\n.. v2 ..\n.. .. GL\n.. .. ..\nwall 0 0 S\nwall 0 1 ESW\nwall 0 2 E\nwall 1 2 S\nlaser 1 2 N 2\n\
             pusher 2 0 W 24\nflag 2 2\nstart 0 2 E\nantenna 0 1 E\nreboot 2 1 S 0 0 2 2\nenergy 1 1\n"
        );
    }

    #[test]
    fn spaces_with_places_and_rows_of_plain_cells() {
        let spaces = r#"{"width": 3, "height": 2, "spaces": [
            {"x": 1, "y": 0, "walls": ["SOUTH"], "actions": [{"CLASSNAME": "a.b.ConveyorBelt", "INSTANCE": {"heading": "WEST"}}]},
            {"x": 2, "y": 1, "walls": [], "actions": [{"type": "Checkpoint", "number": 1}]}]}"#;
        assert_eq!(text(spaces), "size 3 2\n.. <1 ..\n.. .. ..\nwall 1 0 S\nflag 2 1\n");
        let rows = r#"[["Pit", null, {"type": "CONVEYOR", "walls": [true, false, false, false], "exitDirection": "EAST", "isExpressConveyor": true}],
            ["flag", {"type": "pusher", "direction": "n", "activationRegisters": [true, false, true, false, true]}, "repair"]]"#;
        assert_eq!(text(rows), "size 3 2\nPT .. >2\n.. .. W1\nwall 2 0 N\npusher 1 1 N 135\nflag 0 1\n");
        let turned = read(rows, true).expect("two columns of three");
        assert_eq!((turned.board().width(), turned.board().height()), (2, 3));
    }

    #[test]
    fn errors_name_line_or_cell() {
        let bad = |json: &str| format!("{:#}", read(json, false).err().expect(json));
        assert!(bad("[[\n\"Pit\",]]").contains("line 2"), "{}", bad("[[\n\"Pit\",]]"));
        assert_eq!(bad(r#"[["Pit"], ["Pit", "Pit"]]"#), "row 1 has 2 cells, not 1");
        assert_eq!(bad(r#"["Pit"]"#), "row 0 is not a list of cells");
        assert_eq!(bad(r#"[["Pit", "Teleporter"]]"#), "cell 1 0: unknown element Teleporter");
        assert_eq!(bad(r#"[["Laser"]]"#), "cell 0 0: a direction is needed");
        assert_eq!(
            bad(r#"[[{"type": "Wall", "orientations": ["up", "aside"]}]]"#),
            "cell 0 0: aside is no direction"
        );
        assert_eq!(bad("[[7]]"), "cell 0 0: 7 is no element");
        assert_eq!(bad(r#"[["Energy", "flag"]]"#), "no antenna, which the rules of 2016 need");
        assert_eq!(bad(r#"{"spaces": [{"x": 0, "y": 0}]}"#), "spaces come with a width");
        assert_eq!(
            bad(r#"{"spaces": [{"x": 4, "y": 0}], "width": 2, "height": 1}"#),
            "cell 4 0: that is outside the board"
        );
        assert_eq!(bad(r#"[[["flag", "flag"]]]"#), "flag 2 on cell 0 0: there is one on this cell already");
        assert!(bad("{}").starts_with("no list of rows of cells"));
        assert_eq!(bad("[]"), "a board has 1 to 24 columns and 1 to 28 rows");
    }
}
