//! Palette: the colours of the screen by their number, the same on every machine.

use barrow_core::minions::{Side, TileType};

use super::sprites::Tone;

/// Colour: a number of the [`PALETTE`].
pub type Colour = u8;

/// Background of everything.
pub const NIGHT: Colour = 0;
/// Text.
pub const TEXT: Colour = 1;
/// Text of lesser weight.
pub const DIM: Colour = 2;
/// Text about Yellow.
pub const YELLOW: Colour = 3;
/// Text about Blue.
pub const BLUE: Colour = 4;
/// Text about what is not possible, and marks of targets.
pub const RED: Colour = 5;
/// Marks of hexes to go to.
pub const GREEN: Colour = 6;
/// Ground of bars and cards.
pub const PANEL: Colour = 7;
/// Ground of the chosen entry.
pub const CHOSEN: Colour = 8;
/// Outline of pictures.
pub const OUTLINE: Colour = 9;
/// Cursor.
pub const CURSOR: Colour = 10;
/// Marks of pieces that a move may be joined with.
pub const JOIN: Colour = 11;

const SIDES: Colour = 12;
const TERRAIN: Colour = 24;
const TONES: usize = 4;

/// Colours as red, green and blue, a byte each.
pub static PALETTE: [[u8; 3]; 24 + 11 * TONES] = [
    [18, 18, 30],
    [240, 236, 220],
    [150, 150, 160],
    [255, 216, 72],
    [120, 180, 255],
    [255, 84, 64],
    [136, 240, 120],
    [38, 40, 60],
    [74, 84, 140],
    [10, 10, 16],
    [255, 255, 255],
    [255, 160, 240],
    // Yellow, ready: main, light, dark. Then Yellow, spent; Blue, ready; Blue, spent.
    [248, 200, 48],
    [255, 248, 200],
    [152, 96, 0],
    [168, 140, 72],
    [200, 184, 136],
    [104, 76, 24],
    [72, 136, 255],
    [208, 232, 255],
    [16, 48, 168],
    [80, 108, 168],
    [144, 164, 200],
    [24, 44, 100],
    // Terrain: ground, lit ground, picture, edge; in the order of the tile types.
    [92, 116, 84],
    [132, 164, 116],
    [92, 116, 84],
    [72, 92, 68],
    [112, 80, 136],
    [156, 120, 184],
    [196, 172, 216],
    [84, 58, 104],
    [40, 84, 152],
    [64, 124, 200],
    [96, 156, 224],
    [30, 64, 120],
    [116, 92, 64],
    [160, 132, 96],
    [52, 36, 24],
    [88, 68, 48],
    [136, 56, 32],
    [184, 88, 56],
    [255, 168, 48],
    [100, 40, 24],
    [88, 136, 144],
    [128, 184, 192],
    [208, 240, 240],
    [64, 104, 112],
    [60, 76, 116],
    [96, 116, 164],
    [248, 224, 128],
    [44, 56, 88],
    [44, 104, 104],
    [80, 152, 148],
    [144, 240, 224],
    [32, 76, 76],
    [84, 96, 56],
    [128, 144, 88],
    [176, 208, 120],
    [60, 70, 40],
    [116, 116, 124],
    [156, 156, 164],
    [192, 192, 200],
    [88, 88, 96],
    [72, 68, 68],
    [104, 100, 100],
    [120, 112, 108],
    [44, 42, 42],
];

/// Part of a hex that has a colour of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Part {
    /// Ground.
    Ground = 0,
    /// Ground that is lit.
    Lit = 1,
    /// Picture of the terrain.
    Picture = 2,
    /// Edge between hexes.
    Edge = 3,
}

/// Colour of a part of a terrain.
pub const fn of_tile(tile: TileType, part: Part) -> Colour {
    TERRAIN + tile as u8 * TONES as u8 + part as u8
}

/// Colour of a tone of a side's pieces; those that are spent are duller.
pub const fn of_side(side: Side, spent: bool, tone: Tone) -> Colour {
    let tone = match tone {
        Tone::Nothing | Tone::Outline => return OUTLINE,
        Tone::Main => 0,
        Tone::Light => 1,
        Tone::Dark => 2,
    };
    SIDES + side as u8 * 6 + spent as u8 * 3 + tone
}

/// Colour of text about a side.
pub const fn text_of(side: Side) -> Colour {
    match side {
        Side::Yellow => YELLOW,
        Side::Blue => BLUE,
    }
}
