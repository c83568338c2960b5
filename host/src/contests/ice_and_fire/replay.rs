//! Scenario, map, trace and cut files of the data folder against the rules and the cut detection (rules §9).
//!
//! The first word of a file says what it holds: `SCENARIO`, `seed`, `SEED` or `CASE`; lines that begin with `//` are
//! remarks.

use std::str::FromStr;

use anyhow::{Context, Result, anyhow, bail, ensure};
use barrow_core::contests::ice_and_fire::{Cell, CellSet, Game, Map, Player, Rules, SIZE};

use super::board;
use super::compact::compact;
use super::cut_cases::cases;
use crate::replay::Tally;

/// Replays the text of a file; a step is a player's turn, a map, or a list of cuts. Fails where the text is not of the
/// form of these files.
pub fn text(name: &str, text: &str, tally: &mut Tally) -> Result<()> {
    let mut lines = Lines { lines: text.lines().collect(), next: 0 };
    lines.skip_blank();
    let first = lines.peek().map(|line| line.split(' ').next().unwrap_or_default().to_owned());
    let outcome = match first.as_deref() {
        Some("SCENARIO") => scenarios(&mut lines, name, tally),
        Some("seed") => maps(&mut lines, name, tally),
        Some("SEED") => trace(&mut lines, name, tally),
        Some("CASE") => cases(&mut lines, name, tally),
        _ => Err(anyhow!("expected SCENARIO, seed, SEED or CASE")),
    };
    outcome.with_context(|| format!("line {}", lines.next.max(1)))
}

/// The lines of a file and how many of them have been read.
pub(super) struct Lines<'t> {
    lines: Vec<&'t str>,
    next: usize,
}

impl<'t> Lines<'t> {
    pub(super) fn peek(&self) -> Option<&'t str> {
        self.lines.get(self.next).copied()
    }

    pub(super) fn take(&mut self) -> Result<&'t str> {
        let line = self.peek().context("the file ends here")?;
        self.next += 1;
        Ok(line)
    }

    /// The rest of the next line if it begins with this word.
    pub(super) fn after(&mut self, word: &str) -> Option<&'t str> {
        let rest = self.peek()?.strip_prefix(word)?;
        let rest = if rest.is_empty() { rest } else { rest.strip_prefix(' ')? };
        self.next += 1;
        Some(rest)
    }

    pub(super) fn need(&mut self, word: &str) -> Result<&'t str> {
        self.after(word).with_context(|| format!("expected {word}"))
    }

    /// Number of the line read last, from 1.
    pub(super) const fn number(&self) -> usize {
        self.next
    }

    pub(super) fn skip_blank(&mut self) {
        while self.peek().is_some_and(|line| line.trim().is_empty() || line.starts_with("//")) {
            self.next += 1;
        }
    }
}

/// Exactly `N` numbers.
pub(super) fn numbers<T: FromStr, const N: usize>(text: &str) -> Result<[T; N]> {
    let found: Option<Vec<T>> = text.split_ascii_whitespace().map(|word| word.parse().ok()).collect();
    let found = found.and_then(|found| found.try_into().ok());
    found.with_context(|| format!("expected {N} numbers, not {text:?}"))
}

pub(super) fn cell(x: u8, y: u8) -> Result<Cell> {
    Cell::at(x, y).with_context(|| format!("no cell ({x},{y})"))
}

pub(super) fn player(number: usize) -> Result<Player> {
    Player::BOTH.get(number).copied().with_context(|| format!("no player {number}"))
}

/// A difference in one line, or nothing.
fn differ(what: &str, file: &str, engine: &str) -> Option<String> {
    (file.trim_end() != engine.trim_end()).then(|| format!("{what}: file {file}, engine {engine}"))
}

fn scenarios(lines: &mut Lines<'_>, name: &str, tally: &mut Tally) -> Result<()> {
    let rules = Rules::PERMANENT;
    loop {
        lines.skip_blank();
        if lines.peek().is_none() {
            return Ok(());
        }
        let title = lines.need("SCENARIO")?;
        let id = title.split(' ').next().unwrap_or_default();
        if !lines.need("MAP")?.is_empty() {
            bail!("expected the rows of the map below MAP");
        }
        let mut game = board::read(lines)?;
        while let Some(number) = lines.after("PLAY") {
            let number = number.trim();
            let mover = player(number.parse()?)?;
            game.begin_turn(mover);
            let at = format!("{name}:{}: {id}", lines.next);
            let told = lines.need("IN")?;
            let mut difference = differ("input", told, &format!("{number} {}", compact(&game, mover)));
            let answer = lines.need("OUT")?;
            // What is not recognised ends the game, which the next line of the file tells.
            let _ = game.execute(&rules, answer);
            if let Some(scores) = lines.after("OVER") {
                let engine = game
                    .outcome()
                    .map_or("goes on".to_owned(), |over| format!("{} {}", over.scores[0], over.scores[1]));
                difference = difference.or_else(|| differ("scores", scores, &engine));
            } else {
                let told = lines.need("AFTER")?;
                let engine = match game.outcome() {
                    Some(_) => "over".to_owned(),
                    None => format!("{number} {}", compact(&game, mover)),
                };
                difference = difference.or_else(|| differ("after", told, &engine));
            }
            tally.count(difference.map(|difference| format!("{at}: {difference}")));
        }
    }
}

fn maps(lines: &mut Lines<'_>, name: &str, tally: &mut Tally) -> Result<()> {
    loop {
        lines.skip_blank();
        let Some(seed) = lines.after("seed") else {
            ensure!(lines.peek().is_none(), "expected seed");
            return Ok(());
        };
        let at = format!("{name}:{}: seed {seed}", lines.next);
        let map = Map::generate(seed.trim().parse()?, &Rules::PERMANENT);
        let mut difference = None;
        for y in 0..SIZE {
            let row: String = (0..SIZE)
                .filter_map(|x| Cell::at(x, y))
                .map(|cell| match (map.open.contains(cell), map.mine_spots.contains(cell)) {
                    (false, _) => '#',
                    (true, true) => 'M',
                    (true, false) => '.',
                })
                .collect();
            let file = lines.take()?;
            difference = difference.or_else(|| differ(&format!("row {y}"), file, &row));
        }
        let count = lines.need("mines")?;
        difference = difference.or_else(|| differ("mines", count, &map.mine_spots.len().to_string()));
        tally.count(difference.map(|difference| format!("{at}: {difference}")));
    }
}

fn trace(lines: &mut Lines<'_>, name: &str, tally: &mut Tally) -> Result<()> {
    let rules = Rules::PERMANENT;
    let seed: u64 = lines.need("SEED")?.trim().parse()?;
    let map = Map::generate(seed, &rules);
    let spots = map.mine_spots.iter().map(|cell| format!("{} {}", cell.x(), cell.y()));
    let engine: Vec<String> = [map.mine_spots.len().to_string()].into_iter().chain(spots).collect();
    let mut difference = differ("mine spots", lines.need("INIT")?, &engine.join(","));
    let mut game = Game::new(&map);
    while let Some(turn) = lines.after("T") {
        let at = format!("{name}:{}", lines.next);
        let (place, told) = turn.split_once(" IN ").context("expected IN")?;
        let (number, who) = place.split_once(" P ").context("expected P")?;
        let mover = player(who.parse()?)?;
        let state = *game.state();
        if difference.is_none() && game.outcome().is_some() {
            difference = Some("the game is over in the engine".to_owned());
        }
        let engine = (state.turn().to_string(), state.mover());
        if difference.is_none() && engine != (number.to_owned(), mover) {
            difference = Some(format!("turn {place}, engine {} {}", engine.0, engine.1.index()));
        }
        difference = difference.or_else(|| differ("input", told, &compact(&game, mover)));
        let _ = game.execute(&rules, lines.need("OUT")?);
        game.pass();
        tally.count(difference.take().map(|difference| format!("{at}: {difference}")));
    }
    let at = format!("{name}:{}", lines.next);
    let end = lines.need("END")?;
    let scores = lines.need("SCORES")?;
    let Some(over) = game.outcome() else { bail!("the game goes on in the engine") };
    let difference = differ("end", end, &game.state().turn().to_string())
        .or_else(|| differ("scores", scores, &format!("{} {}", over.scores[0], over.scores[1])));
    tally.count(difference.map(|difference| format!("{at}: {difference}")));
    Ok(())
}

/// The game of a trace before the first player turn of `turn`, or as it ends.
pub fn game_at(text: &str, turn: u8) -> Result<Game> {
    let mut lines = Lines { lines: text.lines().collect(), next: 0 };
    lines.skip_blank();
    let mut answers = || -> Result<Game> {
        let mut game = Game::new(&Map::generate(lines.need("SEED")?.trim().parse()?, &Rules::PERMANENT));
        lines.need("INIT")?;
        while lines.after("T").is_some() && game.state().turn() < turn {
            let _ = game.execute(&Rules::PERMANENT, lines.need("OUT")?);
            game.pass();
        }
        Ok(game)
    };
    answers().with_context(|| format!("line {}", lines.next.max(1)))
}

/// Cells whose letter is one of these.
pub(super) fn cells_of(rows: &[&str], letters: &str) -> Result<CellSet> {
    let mut found = CellSet::EMPTY;
    for (row, y) in rows.iter().zip(0..) {
        ensure!(row.len() == usize::from(SIZE), "expected a row of {SIZE} letters, not {row:?}");
        for (letter, x) in row.chars().zip(0..) {
            ensure!("#.AB".contains(letter), "{letter:?} is none of #.AB");
            if letters.contains(letter) {
                found.insert(cell(x, y)?);
            }
        }
    }
    Ok(found)
}
