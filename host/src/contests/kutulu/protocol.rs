//! The contest's protocol (rules §3): the bot between an input and an output stream, with a time limit per turn.
//!
//! This file is also the program of the single-file bot, so the restrictions of [`crate::contests::bundle`] apply to
//! it.

use std::io::{self, BufRead, Read, Write};
use std::time::{Duration, Instant};

use barrow_core::contests::kutulu::bot::{NODES, ProtocolBot, Tuning};
use barrow_core::contests::kutulu::{
    Action, Constants, Entity, EntityKind, MAX_ENTITIES, MAX_HEIGHT, Map, MapError, TrackError,
};
use barrow_core::search::smitsimax::Node;

/// Lines of entities of a turn at most: many times what a game can have. More is no number of entities.
const ENTITY_LINES: usize = 10_000;

/// Limits of the bot's search.
#[derive(Clone, Copy, Debug)]
pub struct TurnLimits {
    /// Time in the first turn, from its first line on; the map's tables are computed before.
    pub first: Duration,
    /// Time in every other turn.
    pub turn: Duration,
    /// Most simulations per turn.
    pub simulations: u32,
}

impl TurnLimits {
    /// Limits for the contest, which allows 1,000 ms for the first turn and 50 ms for the others.
    pub const CONTEST: TurnLimits = TurnLimits {
        first: Duration::from_millis(300),
        turn: Duration::from_millis(35),
        simulations: u32::MAX,
    };
}

/// Plays a game until the input ends. Invalid lines are reported to `errors` with their numbers and skipped; their turn
/// is answered all the same, without a plan if its number of entities is missing. Blank lines between turns are skipped.
/// Fails if the lines before the first turn are invalid.
pub fn play(
    input: &mut dyn BufRead,
    output: &mut dyn Write,
    errors: &mut dyn Write,
    limits: TurnLimits,
    tuning: Tuning,
    seed: u64,
) -> io::Result<()> {
    let mut lines = Lines { input, line: String::new(), number: 0 };
    let Some((map, constants)) = read_game(&mut lines)? else { return Ok(()) };
    let mut bot = Box::new(ProtocolBot::new(&map, constants, tuning, seed));
    let mut nodes = vec![Node::EMPTY; NODES];
    let mut limit = limits.first;
    let mut seeking = Seeking::Nothing;
    loop {
        let line = match lines.next()? {
            Some(line) => line.trim().to_owned(),
            None => return Ok(()),
        };
        let started = Instant::now();
        let count = line.parse::<usize>().ok().filter(|&count| count <= ENTITY_LINES);
        let Some(count) = count else {
            if seeking == Seeking::Nothing && !line.is_empty() {
                lines.report(errors, "expected the number of entities")?;
                seeking = Seeking::Turn;
            }
            // Lines of a turn begin with an explorer's. Minions and effects may be the rest of one that was answered.
            if seeking == Seeking::Turn && is_explorer(&line) {
                // The turn counts, though nothing is seen of it.
                let _ = bot.update(&[]);
                answer(output, &bot, Action::Wait)?;
                seeking = Seeking::Number;
            }
            continue;
        };
        seeking = Seeking::Nothing;
        let counted = lines.number;
        let Some((entities, numbers)) = read_entities(&mut lines, count, errors)? else { return Ok(()) };
        let action = match bot.update(&entities) {
            Ok(()) => {
                let more = &mut |simulations| simulations < limits.simulations && started.elapsed() < limit;
                bot.choose(&mut nodes, more).0
            }
            Err(why) => {
                let bad = if let TrackError::Line(index) = why { numbers.get(index) } else { None };
                writeln!(errors, "error: line {}: {why}", bad.unwrap_or(&counted))?;
                Action::Wait
            }
        };
        answer(output, &bot, action)?;
        limit = limits.turn;
    }
}

/// Line that is looked for behind one that should have been a number of entities.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Seeking {
    /// No such line was met.
    Nothing,
    /// A number of entities, or else a turn without one.
    Turn,
    /// A number of entities; the turn without one has been answered.
    Number,
}

fn is_explorer(line: &str) -> bool {
    Entity::read(line).is_some_and(|entity| entity.kind == EntityKind::Explorer)
}

/// Length of the longest line that is read, in bytes; what follows counts as the next line.
const LINE_CAP: u64 = 1024;

/// The input, read line by line.
struct Lines<'i> {
    input: &'i mut dyn BufRead,
    line: String,
    /// Number of the line read last, from 1.
    number: u64,
}

impl Lines<'_> {
    /// The next line without its line end; `None` at the end of the input. Invalid UTF-8 becomes replacement
    /// characters.
    fn next(&mut self) -> io::Result<Option<&str>> {
        let mut bytes = Vec::new();
        if Read::take(&mut *self.input, LINE_CAP).read_until(b'\n', &mut bytes)? == 0 {
            return Ok(None);
        }
        if self.number == 0 || self.line.ends_with('\n') {
            self.number += 1;
        }
        self.line = String::from_utf8_lossy(&bytes).into_owned();
        Ok(Some(self.line.trim_end_matches(&['\r', '\n'][..])))
    }

    /// Tells what is wrong with the line read last.
    fn report(&self, errors: &mut dyn Write, what: &str) -> io::Result<()> {
        let found = self.line.trim().chars().take(200).collect::<String>();
        writeln!(errors, "error: line {}: {}: {:?}", self.number, what, found)
    }
}

fn invalid(what: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

/// Reads the lines before the first turn; `None` for an empty input.
fn read_game(lines: &mut Lines<'_>) -> io::Result<Option<(Map, Constants)>> {
    let width = match lines.next()? {
        Some(line) => line.trim().parse::<usize>(),
        None => return Ok(None),
    };
    let width = width.map_err(|_| invalid("line 1: expected the width".to_owned()))?;
    let height = lines.next()?.and_then(|line| line.trim().parse::<usize>().ok());
    let height = height.ok_or_else(|| invalid("line 2: expected the height".to_owned()))?;
    let mut rows = Vec::new();
    while rows.len() < height.min(MAX_HEIGHT) {
        match lines.next()? {
            Some(row) => rows.push(row.to_owned()),
            None => break,
        }
    }
    let map = Map::read(width, height, rows.iter().map(String::as_str));
    let map = map.map_err(|why| {
        invalid(match why {
            MapError::Size => format!("lines 1 and 2: {why}"),
            MapError::Row(row) => format!("line {}: expected a row of {width} squares", row + 3),
            MapError::Character(row) => format!("line {}: a square that is none of #.wUS", row + 3),
            MapError::Cells | MapError::Marks => format!("the map: {why}"),
        })
    })?;
    let constants = lines.next()?.and_then(Constants::read);
    let constants =
        constants.ok_or_else(|| invalid(format!("line {}: expected four numbers", height + 3)))?;
    Ok(Some((map, constants)))
}

/// Reads the entity lines of a turn, and the number of each; `None` if the input ends before the last one.
fn read_entities(
    lines: &mut Lines<'_>,
    count: usize,
    errors: &mut dyn Write,
) -> io::Result<Option<(Vec<Entity>, Vec<u64>)>> {
    let (mut entities, mut numbers) = (Vec::new(), Vec::new());
    for _ in 0..count {
        let Some(line) = lines.next()? else { return Ok(None) };
        match Entity::read(line) {
            Some(entity) if entities.len() < MAX_ENTITIES => {
                entities.push(entity);
                numbers.push(lines.number);
            }
            _ => lines.report(errors, "no entity")?,
        }
    }
    Ok(Some((entities, numbers)))
}

/// Writes the answer to a turn; a step is written as a move to the neighbouring square.
fn answer(output: &mut dyn Write, bot: &ProtocolBot, action: Action) -> io::Result<()> {
    match (action, bot.place_after(action)) {
        (Action::Step(_), Some(place)) => writeln!(output, "MOVE {} {}", place.x, place.y)?,
        _ => writeln!(output, "{}", action.verb())?,
    }
    output.flush()
}
