//! Boards as text: a `size` line, rows of two-character tokens, then walls, lasers, pushers, flags and docks: the form
//! of the data files (rules §13), of the bot's protocol, and of what `show` can write. Floors of the second edition have
//! lines for antenna, reboot tokens and energy besides.

use std::fmt::Write;

use anyhow::{Context, Result, bail, ensure};
use barrow_core::contests::roborally::second_edition::{Floor, Reboot};
use barrow_core::contests::roborally::{Board, BoardBuilder, Cell, Direction, Dock, Speed, Terrain};
use barrow_session::contests::roborally::robot_text::{direction, number};

/// A reader of boards, line by line.
#[derive(Default)]
pub struct BoardReader {
    plan: Option<BoardBuilder>,
    width: usize,
    height: usize,
    rows: usize,
    antenna: Option<Dock>,
    reboots: Vec<Reboot>,
    energy: Vec<Cell>,
}

impl BoardReader {
    /// Reads the next line. Comments begin with `//`.
    pub fn line(&mut self, line: &str) -> Result<()> {
        let line = line.split("//").next().unwrap_or("");
        let words: Vec<&str> = line.split_whitespace().collect();
        if words.is_empty() {
            return Ok(());
        }
        if let ["size", width, height] = words[..] {
            ensure!(self.plan.is_none(), "a second size");
            (self.width, self.height) = (number(width)?, number(height)?);
            self.plan = Some(BoardBuilder::new(self.width, self.height)?);
            return Ok(());
        }
        let Some(plan) = &mut self.plan else { bail!("the size comes first: size WIDTH HEIGHT") };
        if self.rows < self.height {
            ensure!(words.len() == self.width, "a row has {} cells, not {}", self.width, words.len());
            for (x, token) in words.iter().enumerate() {
                plan.terrain(x, self.rows, terrain(token)?)?;
            }
            self.rows += 1;
            return Ok(());
        }
        match words[..] {
            ["wall", x, y, sides] => {
                for side in sides.chars() {
                    let side = Direction::from_letter(side).context("sides are letters of NESW")?;
                    plan.wall(number(x)?, number(y)?, side)?;
                }
            }
            ["laser", x, y, way, strength] => {
                plan.laser(number(x)?, number(y)?, direction(way)?, number(strength)?)?;
            }
            ["pusher", x, y, way, registers] => {
                plan.pusher(number(x)?, number(y)?, direction(way)?, register_bits(registers)?)?;
            }
            ["flag", x, y] => plan.flag(number(x)?, number(y)?)?,
            ["start", x, y, way] => plan.dock(number(x)?, number(y)?, direction(way)?)?,
            ["antenna", x, y, way] => {
                ensure!(self.antenna.is_none(), "a second antenna");
                self.antenna = Some(self.dock(x, y, way)?);
            }
            ["reboot", x, y, way] => {
                let last = Cell::new(self.width as i8 - 1, self.height as i8 - 1);
                self.reboots.push(Reboot { token: self.dock(x, y, way)?, corners: [Cell::new(0, 0), last] });
            }
            ["reboot", x, y, way, left, top, right, bottom] => {
                let corners = [self.cell(left, top)?, self.cell(right, bottom)?];
                self.reboots.push(Reboot { token: self.dock(x, y, way)?, corners });
            }
            ["energy", x, y] => {
                let cell = self.cell(x, y)?;
                ensure!(!self.energy.contains(&cell), "there is one on this cell already");
                self.energy.push(cell);
            }
            // Where belts turn follows from the belts (rules §13).
            ["turn", x, y, "L" | "R"] => {
                let inside = number::<usize>(x)? < self.width && number::<usize>(y)? < self.height;
                ensure!(inside, "that is outside the board");
            }
            _ => bail!("not a line of a board"),
        }
        Ok(())
    }

    fn cell(&self, x: &str, y: &str) -> Result<Cell> {
        let (x, y): (usize, usize) = (number(x)?, number(y)?);
        ensure!(x < self.width && y < self.height, "that is outside the board");
        Ok(Cell::new(x as i8, y as i8))
    }

    fn dock(&self, x: &str, y: &str, way: &str) -> Result<Dock> {
        Ok(Dock { cell: self.cell(x, y)?, facing: direction(way)? })
    }

    /// Whether a line was read that only floors of the second edition have.
    pub fn is_second_edition(&self) -> bool {
        self.antenna.is_some() || !self.reboots.is_empty() || !self.energy.is_empty()
    }

    /// The classic board of the lines read. Fails if rows are missing or pieces do not fit.
    pub fn finish(self) -> Result<Board> {
        let is_second = self.is_second_edition();
        let plan = self.plan.context("no size line")?;
        ensure!(self.rows == self.height, "{} of {} rows", self.rows, self.height);
        ensure!(!is_second, "antenna, reboot and energy belong to the rules of 2016");
        Ok(plan.finish()?)
    }

    /// The floor of the second edition of the lines read. Fails as [`BoardReader::finish`] does, and without antenna.
    pub fn finish_floor(self) -> Result<Floor> {
        let plan = self.plan.context("no size line")?;
        ensure!(self.rows == self.height, "{} of {} rows", self.rows, self.height);
        let antenna = self.antenna.context("the rules of 2016 need an antenna: antenna X Y DIRECTION")?;
        Ok(Floor::new(plan, antenna, &self.reboots, &self.energy)?)
    }
}

/// Reads a board from its text. Errors name the line.
pub fn read(text: &str) -> Result<Board> {
    read_lines(text)?.finish()
}

/// Reads the lines of a board of either edition. Errors name the line.
pub fn read_lines(text: &str) -> Result<BoardReader> {
    let mut reader = BoardReader::default();
    for (number, line) in (1..).zip(text.lines()) {
        reader.line(line).with_context(|| format!("line {number}"))?;
    }
    Ok(reader)
}

/// The text of a floor of the second edition, which [`read_lines`] reads back.
pub fn write_floor(floor: &Floor) -> String {
    let place = |dock: Dock| format!("{} {} {}", dock.cell.x(), dock.cell.y(), dock.facing.letter());
    let mut text = write(floor.board());
    let _ = writeln!(text, "antenna {}", place(floor.antenna()));
    for reboot in floor.reboots() {
        let [from, to] = reboot.corners;
        let token = place(reboot.token);
        let _ = writeln!(text, "reboot {token} {} {} {} {}", from.x(), from.y(), to.x(), to.y());
    }
    for cell in floor.energy() {
        let _ = writeln!(text, "energy {} {}", cell.x(), cell.y());
    }
    text
}

/// The text of a board, which [`read`] reads back.
pub fn write(board: &Board) -> String {
    let mut text = format!("size {} {}\n", board.width(), board.height());
    let tokens: Vec<String> = board.cells().map(|cell| token(board.terrain(cell))).collect();
    for row in tokens.chunks(usize::from(board.width())) {
        let _ = writeln!(text, "{}", row.join(" "));
    }
    for cell in board.cells() {
        // A wall between two cells is written once, with the cell that comes first.
        let own = |side: Direction| match side {
            Direction::North => cell.y() == 0,
            Direction::West => cell.x() == 0,
            Direction::East | Direction::South => true,
        };
        let sides = Direction::ALL.into_iter().filter(|&side| own(side) && board.has_wall(cell, side));
        let sides: String = sides.map(Direction::letter).collect();
        if !sides.is_empty() {
            let _ = writeln!(text, "wall {} {} {sides}", cell.x(), cell.y());
        }
    }
    for laser in board.lasers() {
        let (cell, way) = (laser.cell, laser.direction.letter());
        let _ = writeln!(text, "laser {} {} {way} {}", cell.x(), cell.y(), laser.strength);
    }
    for pusher in board.pushers() {
        let (cell, way) = (pusher.cell, pusher.direction.letter());
        let registers = (1..=5).filter(|register| pusher.registers >> (register - 1) & 1 == 1);
        let registers: String = registers.map(|register: u8| char::from(b'0' + register)).collect();
        let _ = writeln!(text, "pusher {} {} {way} {registers}", cell.x(), cell.y());
    }
    for flag in board.flags() {
        let _ = writeln!(text, "flag {} {}", flag.x(), flag.y());
    }
    for dock in board.docks() {
        let _ = writeln!(text, "start {} {} {}", dock.cell.x(), dock.cell.y(), dock.facing.letter());
    }
    text
}

fn register_bits(word: &str) -> Result<u8> {
    word.chars().try_fold(0, |bits, digit| match digit {
        '1'..='5' => Ok(bits | 1 << (digit as u8 - b'1')),
        _ => bail!("registers are digits of 12345"),
    })
}

fn terrain(token: &str) -> Result<Terrain> {
    const ARROWS: [char; 4] = ['^', '>', 'v', '<'];
    Ok(match token {
        ".." => Terrain::Floor,
        "PT" => Terrain::Pit,
        "W1" => Terrain::Repair,
        "W2" => Terrain::RepairOption,
        "GR" => Terrain::GearClockwise,
        "GL" => Terrain::GearCounterClockwise,
        _ => {
            let mut letters = token.chars();
            let way = letters.next().and_then(|arrow| ARROWS.iter().position(|&known| known == arrow));
            let speed = match letters.as_str() {
                "1" => Some(Speed::Normal),
                "2" => Some(Speed::Express),
                _ => None,
            };
            match (way, speed) {
                (Some(way), Some(speed)) => Terrain::Belt(Direction::from_index(way as u8), speed),
                _ => bail!("unknown cell {token}"),
            }
        }
    })
}

/// The two characters of a cell's terrain.
pub(crate) fn token(terrain: Terrain) -> String {
    match terrain {
        Terrain::Floor => "..".to_owned(),
        Terrain::Pit => "PT".to_owned(),
        Terrain::Repair => "W1".to_owned(),
        Terrain::RepairOption => "W2".to_owned(),
        Terrain::GearClockwise => "GR".to_owned(),
        Terrain::GearCounterClockwise => "GL".to_owned(),
        Terrain::Belt(way, speed) => {
            let speed = if speed == Speed::Express { '2' } else { '1' };
            [['^', '>', 'v', '<'][way as usize], speed].iter().collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = "size 3 2\n.. PT W1\n>2 GL W2 // the second row\nwall 0 0 EN\nlaser 0 0 E 2\npusher 1 1 N 24\n\
        flag 2 0\nstart 0 0 N\n";

    #[test]
    fn what_is_written_is_read_again() {
        let board = read(SMALL).expect("a board");
        let text = write(&board);
        assert_eq!(read(&text).expect("its own text"), board, "{text}");
        assert!(text.contains("pusher 1 1 N 24\n") && text.contains(">2 GL W2\n"), "{text}");
    }

    #[test]
    fn floors_are_read_again() {
        for course in &barrow_core::contests::roborally::second_edition::COURSES {
            let floor = course.floor().expect("a course");
            let text = write_floor(&floor);
            let reader = read_lines(&text).expect("its own text");
            assert!(reader.is_second_edition());
            assert_eq!(reader.finish_floor().expect("its own text"), floor, "{text}");
            assert_eq!(
                format!("{:#}", read(&text).expect_err("a floor")),
                "antenna, reboot and energy belong to the rules of 2016"
            );
        }
        let small = read_lines("size 2 1\n.. ..\nflag 1 0\nreboot 1 0 E").expect("lines");
        assert!(format!("{:#}", small.finish_floor().expect_err("no antenna")).contains("need an antenna"));
    }

    #[test]
    fn errors_name_the_line() {
        let bad = |text: &str| format!("{:#}", read(text).expect_err(text));
        assert_eq!(bad("size 3 2\n.. .."), "line 2: a row has 3 cells, not 2");
        assert_eq!(bad("wall 0 0 N"), "line 1: the size comes first: size WIDTH HEIGHT");
        assert_eq!(bad("size 1 1\n??"), "line 2: unknown cell ??");
        assert_eq!(bad("size 2 2\n.. .."), "1 of 2 rows");
        assert_eq!(bad("size 1 1\n..\nwall 0 0 X"), "line 3: sides are letters of NESW");
        assert_eq!(bad("size 1 1\n..\nflag 5 0"), "line 3: that is outside the board");
    }
}
