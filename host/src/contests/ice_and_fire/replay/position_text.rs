//! Positions in the text form of scenarios and cut examples: twelve rows, gold, mine spots, units, buildings.

use anyhow::{Context, Result, bail, ensure};
use barrow_core::contests::ice_and_fire::{Cell, CellSet, Game, Map, SIZE, SLOTS, StateBuilder};

use barrow_session::contests::ice_and_fire::record::player;
use barrow_session::contests::lines::{LineReader, numbers};

/// Reads the lines of a position, from its first row to the last line that belongs to it.
pub(super) fn read(lines: &mut LineReader<'_>) -> Result<Game> {
    let rows: Vec<&str> = (0..SIZE).map(|_| lines.take()).collect::<Result<_>>()?;
    let map = Map { open: cells_of(&rows, ".AB")?, mine_spots: CellSet::EMPTY };
    let mut board = StateBuilder::new(map);
    board.owned = [cells_of(&rows, "A")?, cells_of(&rows, "B")?];
    board.gold = numbers(lines.need("GOLD")?)?;
    let mut ids = [0; SLOTS];
    let mut id = 0;
    loop {
        if let Some(spot) = lines.after("MINESPOT") {
            let [x, y] = numbers(spot)?;
            board.map.mine_spots.insert(cell(x, y)?);
        } else if let Some(unit) = lines.after("UNIT") {
            let [owner, x, y, level] = numbers::<u8, 4>(unit)?;
            let at = cell(x, y)?;
            let owned = board.owned[player(owner.into())?.index()];
            ensure!(owned.contains(at), "a unit of player {owner} on another's land");
            let plane = usize::from(level).checked_sub(1).and_then(|index| board.units.get_mut(index));
            plane.with_context(|| format!("no level {level}"))?.insert(at);
            id += 1;
            ids[at.index()] = id;
        } else if let Some(building) = lines.after("BUILDING") {
            let words: Vec<&str> = building.split(' ').collect();
            let [_owner, kind, x, y] = words[..] else { bail!("expected owner, type and cell") };
            let at = cell(x.parse()?, y.parse()?)?;
            match kind {
                "M" => board.mines.insert(at),
                "T" => board.towers.insert(at),
                _ => bail!("{kind:?} is neither M nor T"),
            }
        } else {
            return Ok(Game::from_parts(board.build()?, ids));
        }
    }
}

/// The cells of twelve rows whose letter is one of `letters`.
fn cells_of(rows: &[&str], letters: &str) -> Result<CellSet> {
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

fn cell(x: u8, y: u8) -> Result<Cell> {
    Cell::at(x, y).with_context(|| format!("no cell ({x},{y})"))
}
