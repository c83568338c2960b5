//! Strip: a few rows of pixels in which text and pictures are put together before they are drawn.

use core::fmt::{self, Write};

use super::{Surface, WIDTH};
use crate::art::font::{self, letter};
use crate::art::palette::{Colour, NIGHT, OUTLINE, TEXT};
use crate::art::sprites::{Picture, SIZE, Tone};

/// Rows of a strip at most.
pub const ROWS: usize = 12;
/// Rows of a line of text.
pub const HEIGHT: usize = 9;

/// Rows of pixels; text is written at the pen.
pub struct Strip {
    pixels: [[Colour; WIDTH]; ROWS],
    rows: usize,
    width: usize,
    pen: (usize, usize),
    colour: Colour,
}

impl Strip {
    /// Strip of this many rows and columns in one colour.
    pub fn new(rows: usize, width: usize, ground: Colour) -> Strip {
        let (rows, width) = (rows.min(ROWS), width.min(WIDTH));
        Strip { pixels: [[ground; WIDTH]; ROWS], rows, width, pen: (1, 1), colour: TEXT }
    }

    /// Colours the whole strip anew.
    pub fn clear(&mut self, ground: Colour) {
        self.pixels = [[ground; WIDTH]; ROWS];
        self.pen = (1, 1);
    }

    /// Moves the pen.
    pub fn at(&mut self, x: usize, y: usize) -> &mut Strip {
        self.pen = (x, y);
        self
    }

    /// Place of the pen from the left.
    pub fn x(&self) -> usize {
        self.pen.0
    }

    /// Changes the colour of text.
    pub fn ink(&mut self, colour: Colour) -> &mut Strip {
        self.colour = colour;
        self
    }

    /// Writes text.
    pub fn text(&mut self, text: &str) -> &mut Strip {
        let _ = self.write_str(text);
        self
    }

    /// Writes text that ends at a column.
    pub fn text_to(&mut self, right: usize, text: &str) -> &mut Strip {
        self.pen.0 = right.saturating_sub(font::width(text));
        self.text(text)
    }

    /// Puts a pixel.
    pub fn pixel(&mut self, x: usize, y: usize, colour: Colour) {
        if y < self.rows
            && x < self.width
            && let Some(pixel) = self.pixels.get_mut(y).and_then(|row| row.get_mut(x))
        {
            *pixel = colour;
        }
    }

    /// Fills a rectangle.
    pub fn fill(&mut self, (x, y): (usize, usize), (width, height): (usize, usize), colour: Colour) {
        for row in y..y + height {
            for column in x..x + width {
                self.pixel(column, row, colour);
            }
        }
    }

    /// Puts a picture whose tones have these colours.
    pub fn picture(&mut self, (x, y): (usize, usize), picture: &Picture, colour: impl Fn(Tone) -> Colour) {
        for (row, tones) in picture.iter().enumerate().take(SIZE) {
            for (column, &tone) in tones.iter().enumerate() {
                if tone != Tone::Nothing {
                    self.pixel(x + column, y + row, colour(tone));
                }
            }
        }
    }

    /// Draws the strip.
    pub fn draw(&self, x: usize, y: usize, surface: &mut impl Surface) {
        for (row, pixels) in self.pixels.iter().enumerate().take(self.rows) {
            surface.span(x, y + row, pixels.get(..self.width).unwrap_or(pixels));
        }
    }
}

impl Write for Strip {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for byte in text.bytes() {
            let letter = letter(byte);
            for (row, bits) in letter.rows.into_iter().enumerate() {
                for column in 0..usize::from(letter.width) {
                    if bits >> column & 1 == 1 {
                        self.pixel(self.pen.0 + column, self.pen.1 + row, self.colour);
                    }
                }
            }
            self.pen.0 += usize::from(letter.width) + 1;
        }
        Ok(())
    }
}

/// Draws a line of text.
pub fn line(surface: &mut impl Surface, (x, y): (usize, usize), width: usize, colour: Colour, text: &str) {
    let mut strip = Strip::new(HEIGHT, width, NIGHT);
    strip.at(0, 0).ink(colour).text(text);
    strip.draw(x, y, surface);
}

/// Draws text in several lines, and empty ones up to `lines`; returns how many it took.
pub fn paragraph(
    surface: &mut impl Surface,
    (x, y): (usize, usize),
    (width, lines): (usize, usize),
    colour: Colour,
    text: &str,
) -> usize {
    let mut rest = text;
    let mut used = 0;
    for index in 0..lines {
        let (now, next) = font::wrapped(rest, width);
        used += usize::from(!now.is_empty());
        line(surface, (x, y + index * HEIGHT), width, colour, now);
        rest = next;
    }
    used
}

/// Draws text in large letters, each pixel a square.
pub fn banner(surface: &mut impl Surface, (x, y): (usize, usize), scale: usize, colour: Colour, text: &str) {
    let mut pen = x;
    for byte in text.bytes() {
        let letter = letter(byte);
        for (row, bits) in letter.rows.into_iter().enumerate() {
            let mut pixels = [NIGHT; WIDTH];
            let width = (usize::from(letter.width) * scale).min(WIDTH);
            for (column, pixel) in pixels.iter_mut().enumerate().take(width) {
                if bits >> (column / scale) & 1 == 1 {
                    *pixel = if column % scale + 1 == scale && scale > 2 { OUTLINE } else { colour };
                }
            }
            for line in 0..scale {
                surface.span(pen, y + row * scale + line, pixels.get(..width).unwrap_or(&pixels));
            }
        }
        pen += (usize::from(letter.width) + 1) * scale;
    }
}
