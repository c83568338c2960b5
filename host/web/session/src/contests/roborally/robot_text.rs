//! Robots and registers as text, in the form of the data files (rules §13) and of the bot's protocol.

use std::fmt::{self, Write as _};

use anyhow::{Context, Result, bail, ensure};
use barrow_core::contests::roborally::{
    Card, Cell, Direction, Dock, Profile, REGISTERS, Robot, State, Status,
};

/// The line of a robot: `id x y D damage lives nextflag ax ay aD status` in the classic rules (`- - -` for
/// its place off the board), `id x y D damage nextflag ax ay aD` and two letters in the rallyrobo ones.
pub fn robot_line(state: &State, id: usize) -> Option<String> {
    let robot = state.robot(id)?;
    let place = |cell: Cell, facing: char| format!("{} {} {facing}", cell.x(), cell.y());
    let archive = place(robot.archive.cell, robot.archive.facing.letter());
    let here = place(robot.cell, robot.facing.letter());
    let status = status_letter(robot.status);
    Some(match state.profile() {
        Profile::Classic => {
            let off = matches!(robot.status, Status::Destroyed | Status::Out);
            let here = if off { "- - -".to_owned() } else { here };
            let Robot { damage, lives, next_flag, .. } = robot;
            format!("{id} {here} {damage} {lives} {next_flag} {archive} {status}")
        }
        Profile::Rallyrobo => {
            let shade = if robot.is_virtual { 'v' } else { '-' };
            format!("{id} {here} {} {} {archive} {status}{shade}", robot.damage, robot.next_flag)
        }
    })
}

/// The line of a robot's registers: `regs c1 c2 c3 c4 c5`, 0 for an empty one.
pub fn registers_text(state: &State, id: usize) -> String {
    let card = |register| state.register(id, register).map_or(0, Card::number);
    let cards: Vec<String> = (0..REGISTERS).map(|register| card(register).to_string()).collect();
    format!("regs {}", cards.join(" "))
}

/// The flag that a robot has to touch next on a course of so many.
pub fn flag_text(robot: &Robot, flags: u8) -> String {
    if robot.next_flag > flags { "finished".to_owned() } else { format!("flag {}", robot.next_flag) }
}

/// The standing of a robot on a course of so many flags, in words for people.
pub fn standing_text(robot: &Robot, flags: u8) -> String {
    let what = match robot.status {
        Status::Active => "",
        Status::PoweredDown => ", powered down",
        Status::Destroyed => ", destroyed",
        Status::Out => ", out",
        Status::Skipping => ", skips a turn",
    };
    format!("{}, damage {}, lives {}{what}", flag_text(robot, flags), robot.damage, robot.lives)
}

/// The lines of a state, `state` to `endstate`, as the bot's protocol has them.
pub fn state_text(state: &State) -> String {
    let mut text = "state\n".to_owned();
    for id in 0..state.robots() {
        let Some(line) = robot_line(state, id) else { continue };
        let announced = state.robot(id).is_some_and(|robot| robot.announced);
        let mark = if announced { " announced" } else { "" };
        let registers = registers_text(state, id);
        let registers = registers.trim_start_matches("regs");
        let _ = writeln!(text, "robot {line}{mark}\nregs {id}{registers}");
    }
    text.push_str("endstate\n");
    text
}

fn status_letter(status: Status) -> char {
    match status {
        Status::Active => 'A',
        Status::PoweredDown => 'P',
        Status::Destroyed => 'D',
        Status::Out => 'X',
        Status::Skipping => 'W',
    }
}

/// Reads a robot from the words of [`robot_line`] after the id.
pub fn parse_robot(profile: Profile, words: &[&str]) -> Result<Robot> {
    let (lives, rest) = match profile {
        Profile::Classic => {
            ensure!(words.len() == 10, "a robot is: x y D damage lives nextflag ax ay aD status");
            (number(words[4])?, [&words[..4], &words[5..]].concat())
        }
        Profile::Rallyrobo => {
            ensure!(words.len() == 9, "a robot is: x y D damage nextflag ax ay aD and two letters");
            (1, words.to_vec())
        }
    };
    let [x, y, facing, damage, next_flag, ax, ay, a_facing, letters] = rest[..] else {
        bail!("not a robot");
    };
    let archive = Dock { cell: cell(ax, ay)?, facing: direction(a_facing)? };
    let (status, shade) = letters.split_at_checked(1).context("the status is a letter")?;
    let status = match status {
        "A" => Status::Active,
        "P" => Status::PoweredDown,
        "D" => Status::Destroyed,
        "X" => Status::Out,
        "W" => Status::Skipping,
        _ => bail!("unknown status {letters}"),
    };
    let is_virtual = match (profile, shade) {
        (Profile::Classic, "") | (Profile::Rallyrobo, "-") => false,
        (Profile::Rallyrobo, "v") => true,
        _ => bail!("unknown status {letters}"),
    };
    let off = x == "-";
    Ok(Robot {
        cell: if off { Cell::NOWHERE } else { cell(x, y)? },
        facing: if off { archive.facing } else { direction(facing)? },
        damage: number(damage)?,
        lives,
        next_flag: number(next_flag)?,
        archive,
        status,
        announced: false,
        is_virtual,
    })
}

fn cell(x: &str, y: &str) -> Result<Cell> {
    let (x, y): (i8, i8) = (number(x)?, number(y)?);
    ensure!((-1..=24).contains(&x) && (-1..=28).contains(&y), "no board reaches {x} {y}");
    Ok(Cell::new(x, y))
}

/// The card of a number; `None` for 0.
pub fn parse_card(word: &str) -> Result<Option<Card>> {
    match number(word)? {
        0 => Ok(None),
        card => Ok(Some(Card::new(card).with_context(|| format!("no card {card}"))?)),
    }
}

/// The cards of numbers, of which none may be 0.
pub fn parse_cards(words: &[&str]) -> Result<Vec<Card>> {
    words.iter().map(|word| parse_card(word)?.context("0 is no card")).collect()
}

/// Sets a robot's five registers from card numbers, 0 for an empty register.
pub fn set_registers(state: &mut State, id: usize, words: &[&str]) -> Result<()> {
    ensure!(words.len() == REGISTERS, "a robot has five registers");
    let cards: Vec<Option<Card>> = words.iter().map(|word| parse_card(word)).collect::<Result<_>>()?;
    for (register, card) in cards.into_iter().enumerate() {
        state.set_register(id, register, card)?;
    }
    Ok(())
}

/// Reads a cell with a facing from the words `x y D`.
pub fn parse_dock(words: &[&str]) -> Result<Dock> {
    let [x, y, facing] = *words else { bail!("a place is: x y D") };
    Ok(Dock { cell: cell(x, y)?, facing: direction(facing)? })
}

/// The words `x y D` of a cell with a facing.
pub fn dock_text(Dock { cell, facing }: Dock) -> String {
    format!("{} {} {}", cell.x(), cell.y(), facing.letter())
}

/// Words with a space before each.
pub fn spaced(words: impl Iterator<Item = impl fmt::Display>) -> String {
    words.fold(String::new(), |mut text, word| {
        let _ = write!(text, " {word}");
        text
    })
}

/// The number of a word. The error quotes the word.
pub fn number<T: std::str::FromStr>(word: &str) -> Result<T> {
    word.parse().ok().with_context(|| format!("not a fitting number: {word}"))
}

/// The robot of a line that begins with its number. The error quotes the word that begins it instead.
pub fn robot_id(word: &str) -> Result<usize> {
    word.parse().ok().with_context(|| format!("no line begins with {word}"))
}

/// The direction of an upper-case letter.
pub fn direction(word: &str) -> Result<Direction> {
    let mut letters = word.chars();
    let found = letters.next().filter(char::is_ascii_uppercase).and_then(Direction::from_letter);
    found.filter(|_| letters.next().is_none()).with_context(|| format!("not a direction: {word}"))
}
