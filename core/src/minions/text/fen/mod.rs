//! Positions and configurations as text (fen §5 and §6).
//!
//! [`Display`] writes Spooky's form, one line that describes the start of a turn. [`Extended`] adds what that
//! form leaves out, behind the turn number, where Spooky ignores it: the word `x1`, then fields `name=value` in
//! any order. [`parse`] reads both. A field that is absent means what Spooky's form alone implies.
//!
//! | field | value | when absent |
//! |---|---|---|
//! | `cfg` | `ruleset:points:maps:techs:souls`, maps with commas, techs as letters, extra souls per turn `Y\|B`; `:turns` if the game is drawn after so many | the reader's configuration |
//! | `dy`, `db` | deck of Yellow and of Blue: `copies:generator:queue`; copies left of each spell in base 36, state of the generator in base 16, upcoming cards | dealt from the reader's seed |
//! | `row` | cards of the row, `*` behind those taken; only together with `dy` and `db` | dealt |
//! | `tp` | `points,bought,sold`: tech points left, spells bought, 1 if the free point was sold | `1,0,0` |
//! | `ts` | tech levels at the start of the turn | the levels now |
//! | `over` | winner `-`, `0` or `1`; `d` behind it if drawn | whoever has the points |
//! | `b0.r` | reinforcements of board 0, `Y\|B`, each a list `2*zombie,1*warg` | Spooky's letters |
//! | `b0.c` | types that may be kept, `Y\|B` | Spooky's letters, after a reset |
//! | `b0.f` | free units due, `Y\|B` | by the board's state |
//! | `b0.p` | souls still to be paid, `Y\|B`; the first field of the text counts them as paid | `0\|0` |
//! | `b0.m` | mana | as at the start of a turn |
//! | `b0.h` | hands, `Y\|B`, oldest card first | none |
//! | `b0.t` | hexes of movable water, earthquake, firestorm, whirlwind, or `-` | as on the map |
//! | `b0.k` | marks `s w l r t u` (spawn phase, won, lost, resigned, tile used, set up), then the number of cards picked | none |
//! | `b0.a` | pieces that letters cannot tell: `hex:side:unit:damage:steps:attacks:flags:origin:attacked:modifiers`; flags `m x s` (moved, exhausted, attacked several), modifiers `2Shielded+1Frozen` | fresh pieces |
//!
//! In rulesets where a reset leaves candidates and reinforcements apart, Spooky's letters are their union. Read
//! back they are candidates: on both sides on the turn after the reset, on the next turn for the side to move.

mod config_line;
mod error;
mod extended;
mod fields;
mod implied;
mod read;
mod token;
mod write;

#[cfg(test)]
mod tests;

pub use config_line::{ConfigLine, parse_config};
pub use error::{FenError, FenReason};
pub use extended::Extended;
pub use read::{parse, parse_seeded};
pub use write::Display;

use crate::minions::rules::game::Game;
use crate::minions::tables::config::GameConfig;

impl Game {
    /// The game that an extended text describes; a text without configuration is read as one of the default game.
    pub fn from_fen(text: &str) -> Result<Game, FenError> {
        parse(text, &GameConfig::default())
    }
}
