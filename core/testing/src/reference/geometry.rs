//! Hexes as pairs of column and row, and the formulas of §2.

use barrow_core::hex::Hex;

/// Column and row.
pub type At = (i32, i32);

const NEXT: [At; 6] = [(0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0)];

pub fn is_on_board((x, y): At) -> bool {
    (0..10).contains(&x) && (0..10).contains(&y)
}

pub fn neighbours((x, y): At) -> Vec<At> {
    NEXT.iter().map(|(dx, dy)| (x + dx, y + dy)).filter(|&at| is_on_board(at)).collect()
}

pub fn distance(a: At, b: At) -> u32 {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    dx.abs().max(dy.abs()).max((dx + dy).abs()) as u32
}

/// All hexes, row by row.
pub fn all() -> impl Iterator<Item = At> {
    (0..100).map(|number| (number % 10, number / 10))
}

pub fn at(hex: Hex) -> At {
    (i32::from(hex.x()), i32::from(hex.y()))
}

pub fn hex((x, y): At) -> Hex {
    Hex::at(x as u8, y as u8).expect("the reference stays on the board")
}

/// Row-major number of a hex.
pub fn number((x, y): At) -> u32 {
    (x + 10 * y) as u32
}
