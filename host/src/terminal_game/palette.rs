//! Colours and weights of what is drawn. Without colour the signs say the same.

use barrow_core::minions::{Side, TileType};
use ratatui_core::style::{Color, Modifier, Style};

/// Colours of a screen, or none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Palette {
    /// Whether there are colours.
    pub color: bool,
}

impl Palette {
    fn ink(self, color: Color) -> Style {
        if self.color { Style::new().fg(color) } else { Style::new() }
    }

    /// Pieces and words of a side.
    pub fn side(self, side: Side) -> Style {
        let color = match side {
            Side::Yellow => Color::Yellow,
            Side::Blue => Color::LightBlue,
        };
        self.ink(color).add_modifier(Modifier::BOLD)
    }

    /// Terrain.
    pub fn terrain(self, tile: TileType) -> Style {
        match tile {
            TileType::Ground => Style::new().add_modifier(Modifier::DIM),
            TileType::Graveyard => self.ink(Color::Magenta),
            TileType::Water => self.ink(Color::Cyan),
            TileType::Firestorm => self.ink(Color::Red),
            _ => self.ink(Color::Green),
        }
    }

    /// Lit hexes to go to.
    pub fn go(self) -> Style {
        self.ink(Color::Green).add_modifier(Modifier::BOLD)
    }

    /// Lit pieces to hit.
    pub fn hit(self) -> Style {
        self.ink(Color::Red).add_modifier(Modifier::BOLD)
    }

    /// Place of the cursor or the choice.
    pub fn chosen(self) -> Style {
        Style::new().add_modifier(Modifier::REVERSED)
    }

    /// Titles.
    pub fn title(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    /// Impossible or less important things.
    pub fn faint(self) -> Style {
        Style::new().add_modifier(Modifier::DIM)
    }
}
