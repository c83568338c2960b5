//! Minions: every rule of the home game (see the rules specification; section numbers in the docs are its own).
//!
//! Data flows one way: tables ([`mod@unit`], [`spell`], [`map`], [`tech`]) and switches ([`ruleset`]) → position
//! ([`board`], [`state`]) → questions ([`view`]) → actions ([`action`], [`game`]) → text.

pub mod action;
pub mod board;
pub mod builder;
mod casting;
mod combat;
pub mod config;
pub mod entry;
pub mod fen;
pub mod game;
mod general;
pub mod illegal;
mod key;
pub mod legal;
pub mod map;
pub mod modifier;
mod movement;
pub mod piece;
mod placement;
pub mod ruleset;
pub mod side;
pub mod spell;
pub mod state;
pub mod tech;
pub mod terrain;
pub mod turn_end;
pub mod umi;
pub mod undo;
pub mod unit;
mod unit_table;
pub mod validate;
pub mod view;

pub use action::{Action, BoardAction, CastParams, GameTurn, GeneralAction, Path};
pub use board::{Board, BoardState, Hand, Marks};
pub use builder::Builder;
pub use config::{BOARD_CAP, GameConfig};
pub use entry::TurnEntry;
pub use game::Game;
pub use illegal::{IllegalReason, IllegalTurn};
pub use map::{Map, MapLabel};
pub use modifier::{Current, Modifier, Modifiers};
pub use piece::Piece;
pub use ruleset::{Rules, Ruleset};
pub use side::{Side, SideArray};
pub use spell::{Spell, SpellClass, TargetShape};
pub use state::{Budget, Deck, GameState};
pub use tech::{Tech, TechLevels, TechStatus, Techline};
pub use terrain::{Movable, TileType};
pub use turn_end::{Deal, Outcome};
pub use undo::{Change, UndoLog, UndoMark};
pub use unit::{Ability, Attack, Unit, UnitLabel};
pub use validate::Invalid;
pub use view::View;
