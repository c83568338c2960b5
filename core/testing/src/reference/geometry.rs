//! Hexes as pairs of column and row, with neighbours and distance by the formulas of §2.

use barrow_core::hex::Hex;

/// A hex: column and row, each in 0..10.
pub type Coord = (i32, i32);

/// Offsets of the six neighbours.
const NEXT: [Coord; 6] = [(0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0)];

/// Whether column and row are in 0..10.
fn is_on_board((x, y): Coord) -> bool {
    (0..10).contains(&x) && (0..10).contains(&y)
}

/// Returns the neighbours of a hex that are on the board.
pub(super) fn neighbours((x, y): Coord) -> Vec<Coord> {
    NEXT.iter().map(|(dx, dy)| (x + dx, y + dy)).filter(|&at| is_on_board(at)).collect()
}

/// Returns the distance of two hexes in steps.
pub(super) fn distance(a: Coord, b: Coord) -> u32 {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    dx.abs().max(dy.abs()).max((dx + dy).abs()) as u32
}

/// Returns the 100 hexes of a board in row-major order.
pub fn all() -> impl Iterator<Item = Coord> {
    (0..100).map(|number| (number % 10, number / 10))
}

/// Converts a hex of the engine to column and row.
pub fn at(hex: Hex) -> Coord {
    (i32::from(hex.x()), i32::from(hex.y()))
}

/// Converts column and row to a hex of the engine. Panics off the board.
pub fn hex((x, y): Coord) -> Hex {
    Hex::at(x as u8, y as u8).expect("the reference stays on the board")
}

/// Returns the row-major index of a hex.
pub(super) fn number((x, y): Coord) -> u32 {
    (x + 10 * y) as u32
}
