//! Generation of maps from seeds, exactly as the referee does (rules §6, §7).

use super::rules::{MineSpotCount, Player, Rules};
use super::{CELLS, Cell, CellSet, Direction, Map, SIZE};
use crate::contests::lcg48::Lcg48;
use crate::list::List;

/// The share of void cells, 0.45 in single precision, in 1/2^24; cells with larger draws are open.
const VOID_SHARE: u32 = 7_549_747;

/// Rounds of the cellular automaton that smooths the cave.
const SMOOTHINGS: u32 = 3;

impl Map {
    /// Generates the map of a seed.
    pub fn generate(seed: u64, rules: &Rules) -> Map {
        let drawn = Lcg48::new(seed).below(13);
        let mut dice = Lcg48::new(seed);
        let mut open = CellSet::EMPTY;
        for cell in columns() {
            if dice.bits(24) > VOID_SHARE {
                open.insert(cell);
            }
        }
        open |= corner(2);
        for _ in 0..SMOOTHINGS {
            open = smoothed(open);
        }
        open = turned(!open);
        open |= symmetric(corner(3));
        open = joined(open, &mut dice);
        let pairs = match rules.mine_spots {
            MineSpotCount::BySize => {
                let most = (open.len() * 15 / 100).max(6);
                u32::midpoint(dice.below(most - 6 + 1), 6)
            }
            MineSpotCount::Drawn => u32::midpoint(drawn, 9),
        };
        Map { open, mine_spots: mine_spots(open, pairs, &mut dice) }
    }
}

/// Every cell, column by column.
fn columns() -> impl Iterator<Item = Cell> {
    (0..SIZE).flat_map(|x| (0..SIZE).filter_map(move |y| Cell::at(x, y)))
}

/// The square of cells with both coordinates below `side`.
fn corner(side: u8) -> CellSet {
    Cell::all().filter(|cell| cell.x() < side && cell.y() < side).collect::<CellSet>()
}

fn rotated(cells: CellSet) -> CellSet {
    cells.iter().map(Cell::rotated).collect::<CellSet>()
}

fn symmetric(cells: CellSet) -> CellSet {
    cells | rotated(cells)
}

/// A cell stays open if at least 6 cells of the 3 x 3 block around it are open or off the board.
fn smoothed(open: CellSet) -> CellSet {
    let is_open = |x: i32, y: i32| {
        let cell = u8::try_from(x).ok().zip(u8::try_from(y).ok()).and_then(|(x, y)| Cell::at(x, y));
        cell.is_none_or(|cell| open.contains(cell))
    };
    let count = |cell: Cell| {
        let block = (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy)));
        block.filter(|(dx, dy)| is_open(i32::from(cell.x()) + dx, i32::from(cell.y()) + dy)).count()
    };
    Cell::all().filter(|&cell| count(cell) >= 6).collect::<CellSet>()
}

/// Copies the half on one side of the diagonal onto the other, in place (rules §6, step 5).
fn turned(mut open: CellSet) -> CellSet {
    for cell in columns().filter(|cell| cell.y() <= cell.x()) {
        if open.contains(cell) {
            open.insert(cell.rotated());
        } else {
            open.remove(cell.rotated());
        }
    }
    open
}

/// Adds corridors between random cells of the components, each with the rotated corridor (rules §6, step 7).
fn joined(mut open: CellSet, dice: &mut Lcg48) -> CellSet {
    // No component has fewer than one cell, and an open cell parts the others from it by a void one.
    let mut points = List::<Cell, CELLS>::new();
    let mut seen = CellSet::EMPTY;
    let mut components = List::<(usize, u32), CELLS>::new();
    let mut members = List::<Cell, CELLS>::new();
    for start in columns() {
        if open.contains(start) && !seen.contains(start) {
            let first = members.len();
            visit(start, open, &mut seen, &mut members);
            let _ = components.push((first, (members.len() - first) as u32));
        }
    }
    if components.len() < 2 {
        return open;
    }
    for &(first, size) in components.iter() {
        if let Some(&point) = members.get(first + dice.below(size) as usize) {
            let _ = points.push(point);
        }
    }
    for (index, a) in points.iter().enumerate() {
        for b in points.iter().skip(index + 1) {
            let across = (a.x().min(b.x())..=a.x().max(b.x())).filter_map(|x| Cell::at(x, b.y()));
            let along = (a.y().min(b.y())..=a.y().max(b.y())).filter_map(|y| Cell::at(a.x(), y));
            open |= symmetric(across.chain(along).collect::<CellSet>());
        }
    }
    open
}

/// Depth-first search in the order x - 1, x + 1, y - 1, y + 1; the recursion is at most as deep as there are cells.
fn visit(cell: Cell, open: CellSet, seen: &mut CellSet, members: &mut List<Cell, CELLS>) {
    seen.insert(cell);
    let _ = members.push(cell);
    for &way in &[Direction::Left, Direction::Right, Direction::Up, Direction::Down] {
        if let Some(next) = cell.step(way).filter(|&next| open.contains(next) && !seen.contains(next)) {
            visit(next, open, seen, members);
        }
    }
}

/// Mine spots: a fixed pair and `pairs - 1` random pairs (rules §6, steps 2 and 9).
fn mine_spots(open: CellSet, pairs: u32, dice: &mut Lcg48) -> CellSet {
    let beside = Player::Zero.headquarters().step(Direction::Right);
    let mut spots = symmetric(beside.into_iter().collect::<CellSet>());
    let starts = Cell::at(0, 0).into_iter().chain(Cell::at(0, 1)).collect::<CellSet>();
    let free = open - symmetric(starts);
    for _ in 1..pairs {
        // The corners alone have ten cells that qualify, more than there can be spots left to draw.
        if (free - spots).is_empty() {
            break;
        }
        let spot = loop {
            let (x, y) = (dice.below(12) as u8, dice.below(12) as u8);
            if let Some(spot) = Cell::at(x, y).filter(|&spot| (free - spots).contains(spot)) {
                break spot;
            }
        };
        spots |= symmetric(spot.to_set());
    }
    spots
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::string::String;

    fn text(map: &Map) -> String {
        let letter = |cell| match (map.open.contains(cell), map.mine_spots.contains(cell)) {
            (false, _) => '#',
            (true, true) => 'M',
            (true, false) => '.',
        };
        let rows = (0..SIZE).flat_map(|y| (0..=SIZE).map(move |x| Cell::at(x, y)));
        rows.map(|cell| cell.map_or('\n', letter)).collect()
    }

    #[test]
    fn ice_and_fire_generator_makes_the_referees_map() {
        let expected = ".M.#########\n...M.......#\n......MM...#\n...........#\n#M.....M...#\n#.........##\n\
                        ##.........#\n#...M.....M#\n#...........\n#...MM......\n#.......M...\n#########.M.\n";
        assert_eq!(text(&Map::generate(1, &Rules::PERMANENT)), expected);
    }

    #[test]
    fn ice_and_fire_maps_are_symmetric_and_connected() {
        for seed in 0..300 {
            for rules in [Rules::PERMANENT, Rules::CONTEST] {
                let map = Map::generate(seed, &rules);
                assert_eq!(rotated(map.open), map.open);
                assert_eq!(rotated(map.mine_spots), map.mine_spots);
                assert!(map.mine_spots.is_subset(map.open));
                assert_eq!(Player::Zero.headquarters().to_set().flood(map.open), map.open);
                let least = if rules == Rules::CONTEST { 8 } else { 6 };
                assert!((42..=142).contains(&map.open.len()) && (least..=20).contains(&map.mine_spots.len()));
            }
        }
    }
}
