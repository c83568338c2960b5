//! Minions: its rules (`docs/spec/minions.md`), its texts, its hand-written players and the search over whole turns.
//!
//! Imports go one way: [`tables`] → [`position`] → [`rules`] → [`text`], [`turn_search`] → [`players`], whose hand-written
//! policies are ports of the search.

pub mod players;
pub mod position;
pub mod rules;
pub mod tables;
pub mod text;
pub mod turn_search;

pub use position::board::{Board, BoardState, Hand, Marks};
pub use position::builder::Builder;
pub use position::modifier::{Current, Modifier, Modifiers};
pub use position::piece::Piece;
pub use position::state::{Budget, Deck, GameState};
pub use position::validate::Invalid;
pub use rules::action::{Action, BoardAction, CastParams, GameTurn, GeneralAction, Path};
pub use rules::draft_memory::{DRAFT_LOG, DraftMemory, GameCopy};
pub use rules::entry::TurnEntry;
pub use rules::game::Game;
pub use rules::illegal::{IllegalReason, IllegalTurn};
pub use rules::turn_end::{Deal, Outcome};
pub use rules::undo::{Change, UndoLog, UndoMark};
pub use rules::view::View;
pub use tables::capacities::BOARD_CAP;
pub use tables::config::GameConfig;
pub use tables::figures::{Ability, Attack, Unit};
pub use tables::map::{Map, MapLabel};
pub use tables::ruleset::{Rules, Ruleset};
pub use tables::side::{Side, SideArray};
pub use tables::spell::{Spell, SpellClass, TargetShape};
pub use tables::tech::{Tech, TechLevels, TechStatus, Techline};
pub use tables::terrain::{Movable, TileType};
pub use tables::unit::UnitLabel;
pub use text::{fen, umi};
