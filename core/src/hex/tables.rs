//! Tables of the board's shape, computed at compile time: distances (640 bytes), neighbours (896 bytes) and balls up to
//! [`STORED_RADIUS`] (10,240 bytes). Larger balls are computed on demand. Tables by hex have 128 rows behind the seven bits
//! of a hex's index, so that no row can be missing; those from 100 on are never read.

use super::direction::Direction;
use super::point::Hex;
use super::set::HexSet;

/// The largest distance between two hexes of the board (a0 to j9).
pub const MAX_DISTANCE: u8 = 18;

/// Radius up to which balls are stored in a table.
pub const STORED_RADIUS: u8 = 5;

const WIDTH: usize = Hex::WIDTH as usize;

/// Rows of a table by hex.
const ROWS: usize = 128;

/// Row of a hex in a table of [`ROWS`].
const fn row(hex: Hex) -> usize {
    hex.index() % ROWS
}

/// Numbers of hexes on a board that is twice as wide, where the difference of two tells how far apart their columns and
/// their rows are.
static WIDE: [u8; ROWS] = {
    let mut table = [0; ROWS];
    let mut index = 0;
    while index < Hex::COUNT {
        table[index] = (index % WIDTH + index / WIDTH * (2 * WIDTH)) as u8;
        index += 1;
    }
    table
};

/// Difference of the [`WIDE`] numbers of the two hexes that are farthest apart, `a0` and `j9`.
const WIDEST: usize = (WIDTH - 1) * (2 * WIDTH + 1);

/// Entries of the table of distances, a power of two.
const DIFFERENCES: usize = 512;

const _: () = assert!(2 * WIDEST < DIFFERENCES);

/// Distances by the difference of two [`WIDE`] numbers plus [`WIDEST`]. A table by both hexes would be 10,000 bytes, a third of
/// the first cache of a processor.
static DISTANCE: [u8; DIFFERENCES] = {
    let mut table = [0; DIFFERENCES];
    let most = WIDTH as i32 - 1;
    let mut dy = -most;
    while dy <= most {
        let mut dx = -most;
        while dx <= most {
            let (x, y, sum) = (dx.unsigned_abs(), dy.unsigned_abs(), (dx + dy).unsigned_abs());
            let longer = if x > y { x } else { y };
            let steps = if sum > longer { sum } else { longer };
            table[(dx + dy * 2 * WIDTH as i32 + WIDEST as i32) as usize] = steps as u8;
            dx += 1;
        }
        dy += 1;
    }
    table
};

/// Neighbours of one hex; only the first `count` of the six entries are valid.
#[derive(Clone, Copy)]
struct Neighbours {
    count: u8,
    hexes: [Hex; 6],
}

static NEIGHBOURS: [Neighbours; ROWS] = {
    let mut table = [Neighbours { count: 0, hexes: [Hex::wrapped(0); 6] }; ROWS];
    let mut index = 0;
    while index < Hex::COUNT {
        let mut number = 0;
        while number < Direction::ALL.len() {
            if let Some(hex) = Hex::wrapped(index).step(Direction::ALL[number]) {
                table[index].hexes[table[index].count as usize] = hex;
                table[index].count += 1;
            }
            number += 1;
        }
        index += 1;
    }
    table
};

/// Sets of one hex.
static SINGLE: [HexSet; ROWS] = {
    let mut table = [HexSet::EMPTY; ROWS];
    let mut index = 0;
    while index < Hex::COUNT {
        table[index] = HexSet::from_bits(1 << index);
        index += 1;
    }
    table
};

/// The set of one hex by table; public as [`HexSet::single`].
pub(super) const fn single(hex: Hex) -> HexSet {
    SINGLE[row(hex)]
}

/// Balls by radius less 1 and hex.
static BALL: [[HexSet; ROWS]; STORED_RADIUS as usize] = {
    let mut table = [[HexSet::EMPTY; ROWS]; STORED_RADIUS as usize];
    let mut radius = 1;
    while radius <= STORED_RADIUS {
        let mut index = 0;
        while index < Hex::COUNT {
            table[radius as usize - 1][index] = ball_by_rows(Hex::wrapped(index), radius);
            index += 1;
        }
        radius += 1;
    }
    table
};

/// Distance of two hexes by table; public as [`Hex::distance`].
#[inline]
pub(super) const fn distance(from: Hex, to: Hex) -> u8 {
    let (from, to) = (WIDE[row(from)] as usize, WIDE[row(to)] as usize);
    DISTANCE[(WIDEST + to - from) % DIFFERENCES]
}

/// Neighbours of a hex by table; public as [`Hex::neighbours`].
pub(super) fn neighbours(hex: Hex) -> &'static [Hex] {
    let entry = &NEIGHBOURS[row(hex)];
    entry.hexes.get(..usize::from(entry.count)).unwrap_or(&[])
}

/// All hexes at most `radius` away. From radius [`MAX_DISTANCE`] on that is the whole board.
///
/// ```
/// use barrow_core::hex::{Hex, ball};
/// let sizes = [0, 1, 2].map(|radius| ball(Hex::named("e4").unwrap(), radius).len());
/// assert_eq!(sizes, [1, 7, 19]);
/// ```
pub const fn ball(center: Hex, radius: u8) -> HexSet {
    if radius == 0 {
        HexSet::single(center)
    } else if radius <= STORED_RADIUS {
        BALL[radius as usize - 1][row(center)]
    } else if radius < MAX_DISTANCE {
        ball_by_rows(center, radius)
    } else {
        HexSet::ALL
    }
}

/// All hexes exactly `radius` away; the hex itself for radius 0.
pub const fn ring(center: Hex, radius: u8) -> HexSet {
    match radius.checked_sub(1) {
        None => HexSet::single(center),
        Some(inner) => HexSet::from_bits(ball(center, radius).bits() & !ball(center, inner).bits()),
    }
}

/// Ball computed row by row. In the row `dy` below the center the condition max(|dx|, |dy|, |dx + dy|) <= r leaves the
/// columns from max(-r, -r - dy) to min(r, r - dy), relative to the center's column.
const fn ball_by_rows(center: Hex, radius: u8) -> HexSet {
    let radius = radius as i32;
    let mut bits = 0;
    let mut y = 0;
    while y < WIDTH as i32 {
        let dy = y - center.y() as i32;
        if -radius <= dy && dy <= radius {
            let low = if dy < 0 { -radius - dy } else { -radius } + center.x() as i32;
            let high = if dy > 0 { radius - dy } else { radius } + center.x() as i32;
            let low = if low < 0 { 0 } else { low };
            let high = if high > 9 { 9 } else { high };
            if low <= high {
                let row: u128 = ((1 << (high - low + 1)) - 1) << low;
                bits |= row << (y * WIDTH as i32);
            }
        }
        y += 1;
    }
    HexSet::from_bits(bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rules §2, in its own words.
    fn plain_distance(from: Hex, to: Hex) -> u8 {
        let dx = i32::from(to.x()) - i32::from(from.x());
        let dy = i32::from(to.y()) - i32::from(from.y());
        dx.abs().max(dy.abs()).max((dx + dy).abs()) as u8
    }

    #[test]
    fn distance_table_equals_the_formula() {
        for from in Hex::all() {
            for to in Hex::all() {
                assert_eq!(from.distance(to), plain_distance(from, to), "{from}-{to}");
            }
        }
        assert_eq!(Hex::all().flat_map(|a| Hex::all().map(move |b| a.distance(b))).max(), Some(MAX_DISTANCE));
    }

    #[test]
    fn neighbours_are_the_hexes_at_distance_one() {
        for hex in Hex::all() {
            let list = hex.neighbours();
            assert_eq!(list.iter().copied().collect::<HexSet>(), ring(hex, 1), "{hex}");
            assert_eq!(list.len(), ring(hex, 1).len(), "{hex}");
            for direction in Direction::ALL {
                let there = hex.step(direction);
                assert!(there.is_none_or(|there| there.step(direction.opposite()) == Some(hex)));
                assert!(there.is_none_or(|there| list.contains(&there)));
            }
            assert!(list.is_sorted_by_key(|&there| {
                Direction::ALL.iter().position(|&direction| hex.step(direction) == Some(there))
            }));
        }
    }

    #[test]
    fn balls_and_rings_equal_the_formula() {
        for center in Hex::all() {
            for radius in (0..=20).chain([u8::MAX]) {
                let (ball, ring) = (ball(center, radius), ring(center, radius));
                for hex in Hex::all() {
                    let distance = plain_distance(center, hex);
                    assert_eq!(ball.contains(hex), distance <= radius, "{center} {radius} {hex}");
                    assert_eq!(ring.contains(hex), distance == radius, "{center} {radius} {hex}");
                }
            }
        }
    }

    #[test]
    fn interior_balls_have_the_sizes_of_rules_section_2() {
        let center = Hex::named("e4").unwrap();
        assert_eq!([0, 1, 2, 3, 4].map(|radius| ball(center, radius).len()), [1, 7, 19, 37, 61]);
    }
}
