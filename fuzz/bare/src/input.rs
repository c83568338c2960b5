//! Arguments of which the compiler knows nothing but their type.

use core::fmt::{self, Write};
use core::hint::black_box;

use barrow_core::hex::Hex;
use barrow_core::minions::text::fen;
use barrow_core::minions::{Game, GameConfig, Ruleset};

/// A text of any length.
pub(crate) fn text() -> &'static str {
    black_box("")
}

/// Any number.
pub(crate) fn number() -> u64 {
    black_box(0)
}

/// A hex.
pub(crate) fn hex() -> Hex {
    black_box(Hex::at(0, 0)).unwrap_or(const { Hex::at(1, 1).unwrap() })
}

/// A ruleset.
pub(crate) fn ruleset() -> Ruleset {
    black_box(Ruleset::Server)
}

/// A game, as a reader of positions makes it.
pub(crate) fn game() -> Game {
    let config = fen::parse_config(text(), ruleset()).unwrap_or_else(|_| GameConfig::default());
    let game = fen::parse_seeded(text(), &config, number());
    game.unwrap_or_else(|_| Game::new(config, number()))
}

/// Uses a value.
pub(crate) fn use_up<T>(value: T) {
    black_box(value);
}

/// Uses the text of a value.
pub(crate) fn print(value: impl fmt::Display) {
    use_up(write!(Sink, "{value}"));
}

/// A port that takes any text.
struct Sink;

impl Write for Sink {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        use_up(text);
        if black_box(false) { Err(fmt::Error) } else { Ok(()) }
    }
}
