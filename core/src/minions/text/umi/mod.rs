//! Actions and turns as UMI text (UMI §4), in both directions.
//!
//! [`TurnReader`] collects the `action` lines of a turn and makes a [`GameTurn`] of them; [`TurnText`] prints a
//! turn in the canonical order: `turn`, `action tech`, the general's other lines, then the boards in index order,
//! each with its setup, its attack phase and its spawn phase. [`EndLine`] prints what follows.
//!
//! Everything Spooky reads is read; what Spooky knows is printed exactly as Spooky prints it. The full game needs
//! more, and these lines are Barrow's own:
//!
//! | line | means |
//! |---|---|
//! | `action sell` | give the free tech point up for souls (Thaumaturgy) |
//! | `action buy_spell [card]` | one more spell than the tech points spent need; the name is not looked at |
//! | `action give_spell 0 fester` | the first untaken card of that name in the row goes to board 0; Spooky prints this line too, when it has spells |
//! | `action give_spell 0 fester 3` | the card at place 3 of the row, from 0, which has that name, goes to board 0 |
//! | `action board 0 walk c2c3d3` | walk along exactly this path |
//! | `action board 0 move_group c2d2 d2-e2` | walks at one and the same moment: `c2d2` along a shortest path, `d2-e2` along the path named |
//! | `action board 0 teleport h1h6` | jump from a teleporter |
//! | `action board 0 tile a9` | a zombie from a spawner tile |
//! | `action board 0 cast terraform whirlwind b3` | a spell with its arguments: piece, piece and hex, hex, or terrain kind and hex |
//! | `action board 0 discard fester` | discard the oldest card of that name |
//! | `action board 0 ability d1 move_earthquake e1` | use the ability of the piece on d1; `move_terrain` takes a terrain kind before the hex |
//! | `action board 0 setup N acolyte` | units without a letter of their own go by name, here and everywhere |
//! | `action board 0 end_phase` | the attack phase of this board is over |
//! | `action board 0 resign` | Spooky reads it only with a further word, which is allowed here as well |
//!
//! Without spells every action belongs to one phase, and the lines of a board may come in any order: setup, attack
//! phase and spawn phase are sorted apart, as Spooky does. With spells the order of arrival counts.

mod board_act;
mod error;
mod print;
mod row_cards;
mod turn_reader;

#[cfg(test)]
mod tests;

pub use error::UmiError;
pub use print::{BoardActText, EndLine, TurnText};
pub use turn_reader::TurnReader;

#[cfg(doc)]
use crate::minions::rules::action::GameTurn;
