//! Picture: the screen in colours of the palette, and the same twice as large in 32 bits a pixel.

use barrow_screen::art::palette::{Colour, PALETTE};
use barrow_screen::draw::{HEIGHT, Surface, WIDTH};

/// Width of the large picture.
pub const LARGE_WIDTH: usize = 2 * WIDTH;
/// Height of the large picture.
pub const LARGE_HEIGHT: usize = 2 * HEIGHT;

/// Screen in colours of the palette.
pub struct Picture {
    pixels: Vec<Colour>,
}

impl Default for Picture {
    fn default() -> Picture {
        Picture { pixels: vec![0; WIDTH * HEIGHT] }
    }
}

impl Surface for Picture {
    fn span(&mut self, x: usize, y: usize, pixels: &[Colour]) {
        if x < WIDTH && y < HEIGHT {
            let count = pixels.len().min(WIDTH - x);
            self.pixels[y * WIDTH + x..][..count].copy_from_slice(&pixels[..count]);
        }
    }
}

impl Picture {
    fn at(&self, x: usize, y: usize) -> Colour {
        self.pixels[y.min(HEIGHT - 1) * WIDTH + x.min(WIDTH - 1)]
    }

    /// Draws the screen twice as large. Each pixel becomes four, of which a corner takes the colour of its two
    /// neighbours where these are equal and the opposite ones differ: edges that are slanted stay slanted (the rule is
    /// known as EPX, E. Johnston 1992, and Scale2x).
    pub fn enlarge(&self, large: &mut [u32]) {
        let colour = |number: Colour| {
            let [red, green, blue] = PALETTE[usize::from(number)];
            u32::from_be_bytes([0, red, green, blue])
        };
        for y in 0..HEIGHT {
            for x in 0..WIDTH {
                let own = self.at(x, y);
                let (up, down) = (self.at(x, y.saturating_sub(1)), self.at(x, y + 1));
                let (left, right) = (self.at(x.saturating_sub(1), y), self.at(x + 1, y));
                let mut four = [own; 4];
                if up != down && left != right {
                    for (corner, (one, other)) in
                        four.iter_mut().zip([(up, left), (up, right), (down, left), (down, right)])
                    {
                        if one == other {
                            *corner = one;
                        }
                    }
                }
                let place = 2 * y * LARGE_WIDTH + 2 * x;
                large[place] = colour(four[0]);
                large[place + 1] = colour(four[1]);
                large[place + LARGE_WIDTH] = colour(four[2]);
                large[place + LARGE_WIDTH + 1] = colour(four[3]);
            }
        }
    }
}
