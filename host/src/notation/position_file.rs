//! Files with a position on each line, in FEN.

use anyhow::{Context, Result};
use barrow_core::minions::text::fen;
use barrow_core::minions::{Game, GameConfig};
use indicatif::ProgressBar;

use crate::io::{TextLines, open_watched};

/// Seed of the cards that a FEN does not name, so that it is the same position everywhere.
pub const FEN_SEED: u64 = 0;

/// File of positions. Empty lines and those that begin with `#` mean nothing.
pub struct PositionFile {
    lines: TextLines,
    config: GameConfig,
}

impl PositionFile {
    /// Opens a file whose positions have this configuration where they do not say; `-` is standard input, and a name that ends
    /// in `.gz` is decompressed. The bar follows the bytes read.
    pub fn open(name: &str, config: GameConfig, bar: &ProgressBar) -> Result<PositionFile> {
        Ok(PositionFile::of_lines(open_watched(name, bar)?, config))
    }

    /// Positions of lines.
    pub fn of_lines(lines: TextLines, config: GameConfig) -> PositionFile {
        PositionFile { lines, config }
    }

    /// Reads the next position, with the number of its line from 1. Returns `None` at the end of the file. An error names the
    /// line.
    pub fn next_position(&mut self) -> Result<Option<(usize, Game)>> {
        while let Some(line) = self.lines.next_line()? {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let game = fen::parse_seeded(line, &self.config, FEN_SEED).map_err(anyhow::Error::msg);
            let number = self.lines.number();
            return Ok(Some((number, game.with_context(|| format!("line {number}"))?)));
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_positions_but_for_remarks() {
        let fen = fen::Extended(&Game::new(GameConfig::default(), 3)).to_string();
        let text = format!("\u{feff}# one\n\n  {fen} \n#\n  # two\n0|0 what\n");
        let lines = TextLines::new(Box::new(std::io::Cursor::new(text)), "text");
        let mut file = PositionFile::of_lines(lines, GameConfig::default());
        let (number, game) = file.next_position().unwrap().unwrap();
        assert_eq!((number, fen::Extended(&game).to_string()), (3, fen));
        assert!(format!("{:#}", file.next_position().unwrap_err()).starts_with("line 6: column "));
        assert!(file.next_position().unwrap().is_none());
    }
}
