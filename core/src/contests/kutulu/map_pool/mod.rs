//! The sixteen maps that games are played on, and the recognition of a map among them (rules §10, §12.1).

mod data;
mod packed_map;

use self::data::POOL;
use super::{Map, MapError};

/// Number of maps in the pool.
pub const POOL_SIZE: usize = 16;

/// Name of a map of the pool; `None` beyond the pool.
pub fn map_name(index: usize) -> Option<&'static str> {
    POOL.get(index).map(|stored| stored.name)
}

/// The map with this index in the pool. An error for indices of [`POOL_SIZE`] and above.
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

/// The map of the pool with the same rows in the protocol: its index, and the map with its starts.
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
