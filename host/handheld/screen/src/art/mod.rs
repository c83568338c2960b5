//! Art: palette, letters and pictures, read at compile time from `font.txt` and `sprites.txt`, our own drawings.

pub mod font;
pub mod palette;
pub mod sprites;
