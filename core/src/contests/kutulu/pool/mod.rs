//! The maps that games are played on, and which of them one is (rules §10, §12.1).

mod data;

use self::data::POOL;
use super::{Map, MapError};

/// Maps in the pool.
pub const POOL_SIZE: usize = 16;

/// A map as it is written down. When there are fewer rows than the height says, the rest is the same turned by half
/// a turn.
struct Stored {
    name: &'static str,
    width: usize,
    height: usize,
    /// Rows from the top; bit x is set where column x is walkable.
    floor: &'static [u32],
    /// Column and row of each start in the rows written down; so for the other marks.
    starts: &'static [(usize, usize)],
    spawns: &'static [(usize, usize)],
    shelters: &'static [(usize, usize)],
}

impl Stored {
    /// The character of a square.
    fn mark(&self, x: usize, y: usize) -> u8 {
        let (x, y) = if y < self.floor.len() { (x, y) } else { (self.width - 1 - x, self.height - 1 - y) };
        let kinds = [(self.starts, b'S'), (self.spawns, b'w'), (self.shelters, b'U')];
        let marked = kinds.iter().find(|kind| kind.0.contains(&(x, y)));
        let is_floor = self.floor.get(y).is_some_and(|row| row >> x & 1 == 1);
        marked.map_or(if is_floor { b'.' } else { b'#' }, |kind| kind.1)
    }
}

/// The name of a map of the pool.
pub fn map_name(index: usize) -> Option<&'static str> {
    POOL.get(index).map(|stored| stored.name)
}

/// The map with this index in the pool. There are [`POOL_SIZE`]; for other indices the answer is an error.
pub fn pool_map(index: usize) -> Result<Map, MapError> {
    let stored = POOL.get(index).ok_or(MapError::Size)?;
    let mut map = Map::solid(stored.width, stored.height)?;
    for y in 0..stored.height {
        for x in 0..stored.width {
            map.put(x, y, stored.mark(x, y))?;
        }
    }
    Ok(map)
}

/// The index of the map of the pool that looks like this one, with its starts in place.
pub fn recognise(map: &Map) -> Option<(usize, Map)> {
    let maps = (0..POOL_SIZE).filter_map(|index| pool_map(index).ok().map(|known| (index, known)));
    maps.into_iter().find(|(_, known)| known.looks_like(map))
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::string::String;
    use std::vec::Vec;

    #[test]
    fn kutulu_rule_10_the_pool_is_as_the_rules_count_it() {
        let maps: Vec<Map> = (0..POOL_SIZE).map(|index| pool_map(index).unwrap()).collect();
        assert!(pool_map(POOL_SIZE).is_err() && map_name(POOL_SIZE).is_none());
        assert_eq!(maps.iter().map(Map::cell_count).max(), Some(232));
        assert_eq!(maps.iter().map(Map::width).max(), Some(22));
        assert_eq!(maps.iter().map(Map::height).max(), Some(20));
        assert_eq!(maps.iter().map(|map| map.spawns().len()).max(), Some(8));
        assert_eq!(maps.iter().map(|map| map.shelters().len()).max(), Some(8));
        assert!(maps.iter().all(|map| map.starts().len() == 4 && !map.spawns().is_empty()));
        assert_eq!((map_name(0), map_name(15)), (Some("Four of a kind"), Some("Pixelated")));
    }

    #[test]
    fn kutulu_rule_12_1_maps_are_recognised_by_the_rows_that_are_sent() {
        for index in 0..POOL_SIZE {
            let known = pool_map(index).unwrap();
            let row = |y| (0..known.width() as i16).map(|x| known.sent(x, y)).collect::<String>();
            let rows: Vec<String> = (0..known.height() as i16).map(row).collect();
            let sent = Map::read(known.width(), known.height(), rows.iter().map(String::as_str)).unwrap();
            assert!(sent.starts().is_empty());
            assert_eq!(recognise(&sent), Some((index, known)));
        }
        let other = Map::read(3, 1, ["..."].iter().copied()).unwrap();
        assert_eq!(recognise(&other), None);
    }
}
