//! The positions of scenarios and cut examples as their files have them: twelve rows, gold, spots, units, buildings.

use anyhow::{Context, Result, bail, ensure};
use barrow_core::contests::ice_and_fire::{Board, CellSet, Game, Map, SIZE, SLOTS};

use super::replay::{Lines, cell, cells_of, numbers, player};

/// Reads the lines of a position, from its first row to the last line that belongs to it.
pub(super) fn read(lines: &mut Lines<'_>) -> Result<Game> {
    let rows: Vec<&str> = (0..SIZE).map(|_| lines.take()).collect::<Result<_>>()?;
    let map = Map { open: cells_of(&rows, ".AB")?, mine_spots: CellSet::EMPTY };
    let mut board = Board::new(map);
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
            return Ok(Game::from_parts(board.state()?, ids));
        }
    }
}
