//! Maps as their seeds make them (rules §6), row by row.

use anyhow::{Result, ensure};
use barrow_core::contests::ice_and_fire::{Cell, Map, Rules, SIZE};

use crate::replay::Tally;
use barrow_session::contests::ice_and_fire::input_line::differ;
use barrow_session::contests::lines::LineReader;

pub(super) fn replay(lines: &mut LineReader<'_>, name: &str, tally: &mut Tally) -> Result<()> {
    loop {
        let Some(seed) = lines.after("seed") else {
            ensure!(lines.peek().is_none(), "expected seed");
            return Ok(());
        };
        let at = format!("{name}:{}: seed {seed}", lines.number());
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
