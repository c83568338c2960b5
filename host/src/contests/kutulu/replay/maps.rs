//! Map files: blocks of `MAP index width height name` and rows. A map with an index must equal the map stored under the
//! index and be recognised as such.

use anyhow::{Context, Result, anyhow};
use barrow_core::contests::kutulu::{Map, map_name, pool_map, recognise};

use crate::replay::Tally;
use barrow_session::contests::lines::LineReader;

pub(super) fn replay(lines: &mut LineReader<'_>, file: &str, tally: &mut Tally) -> Result<()> {
    while lines.peek().is_some() {
        let mut words = lines.need("MAP")?.splitn(4, ' ');
        let mut word = || words.next().context("expected MAP, index, width, height and name");
        let index = word()?;
        let (width, height, name) = (word()?.parse()?, word()?.parse()?, word()?);
        let rows = lines.rows(height)?;
        let map = Map::read(width, height, rows.iter().copied())?;
        let index = if index == "-" { None } else { Some(index.parse()?) };
        let difference = check(&map, index, name)?;
        tally.count(difference.map(|what| format!("{file}:{}: {name}: {what}", lines.number())));
    }
    Ok(())
}

fn check(map: &Map, index: Option<usize>, name: &str) -> Result<Option<String>> {
    let known = recognise(map);
    let Some(index) = index else {
        return Ok(known.map(|(index, _)| format!("recognised as map {index}")));
    };
    let stored = pool_map(index).map_err(|_| anyhow!("the pool has no map {index}"))?;
    Ok(if stored != *map {
        Some("other squares or marks than stored".to_owned())
    } else if map_name(index) != Some(name) {
        Some("stored under another name".to_owned())
    } else if known != Some((index, stored)) {
        Some("not recognised".to_owned())
    } else {
        None
    })
}
