//! Drawing: 240 by 160 pixels of the palette, on whatever surface a machine has.

mod board;
mod lists;
mod pages;
mod strip;
mod techs;

use barrow_core::hex::Hex;

use crate::art::palette::{Colour, NIGHT};
use crate::buttons::Touch;
use crate::screen::GameScreen;
use crate::ui::Page;

pub use techs::COLUMNS as TECH_COLUMNS;

/// Width of the screen in pixels.
pub const WIDTH: usize = 240;
/// Height of the screen in pixels.
pub const HEIGHT: usize = 160;

/// Surface that is drawn on.
pub trait Surface {
    /// Sets the pixels of a row from this place on; what lies outside is left out.
    fn span(&mut self, x: usize, y: usize, pixels: &[Colour]);
}

/// Contents of a surface as they were last drawn, so that only what differs is drawn.
pub struct Canvas {
    hexes: [u32; Hex::COUNT],
    page: u8,
}

const NO_PAGE: u8 = u8::MAX;

impl Default for Canvas {
    fn default() -> Canvas {
        Canvas::new()
    }
}

impl Canvas {
    /// A surface of which nothing is known.
    pub const fn new() -> Canvas {
        Canvas { hexes: [u32::MAX; Hex::COUNT], page: NO_PAGE }
    }

    /// Draws the screen.
    pub fn draw(&mut self, screen: &GameScreen, surface: &mut impl Surface) {
        let page = screen.ui.page;
        if self.page != page as u8 {
            self.page = page as u8;
            self.hexes = [u32::MAX; Hex::COUNT];
            for y in 0..HEIGHT {
                surface.span(0, y, &[NIGHT; WIDTH]);
            }
        }
        match page {
            Page::Board => board::draw(screen, &mut self.hexes, surface),
            Page::Title => pages::draw_title(screen, surface),
            Page::Rules => pages::draw_rules(screen, surface),
            Page::NewGame => pages::draw_settings(screen, surface),
            Page::UnitCard => pages::draw_card(screen, surface),
            Page::Result => pages::draw_result(screen, surface),
            Page::Techs => techs::draw(screen, surface),
            _ => lists::draw(screen, surface),
        }
    }
}

/// Target of a touch: what lies at a place of the screen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Spot {
    /// A hex of the board.
    Hex(Hex),
    /// An entry of the page.
    Entry(usize),
    /// The mark of a list that has more entries: further on, or back.
    Scroll(bool),
    /// The bar at the top.
    Bar,
    /// The number of the board in the bar, where there are several.
    BoardName,
    /// A place beside the board.
    Beside,
}

/// Target of a touch on the page that is shown; `None` where nothing lies.
pub(crate) fn spot(screen: &GameScreen, touch: Touch) -> Option<Spot> {
    let (x, y) = (usize::from(touch.x), usize::from(touch.y));
    if y < strip::HEIGHT {
        let names_board = screen.ui.page == Page::Board && screen.table.shown().config().num_boards() > 1;
        return Some(if names_board && x < WIDTH / 2 { Spot::BoardName } else { Spot::Bar });
    }
    match screen.ui.page {
        Page::Board => Some(board::hex_at(x, y).map_or(Spot::Beside, Spot::Hex)),
        Page::Title => pages::title_entry_at(screen, y).map(Spot::Entry),
        Page::NewGame => pages::setting_at(screen, y).map(Spot::Entry),
        Page::Techs => techs::entry_at(screen, x, y).map(Spot::Entry),
        Page::Rules | Page::UnitCard | Page::Result => Some(Spot::Entry(screen.ui.choice())),
        _ => lists::spot_at(screen, x, y),
    }
}
