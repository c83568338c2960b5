//! Code of Kutulu: four explorers in a maze lose sanity every turn, and the last one sane wins.
//!
//! The rules follow the referee's program bit for bit, its generator included. [`State`] is all that changes,
//! [`Maze`] what is computed once per map; [`State::play`] is a turn. Comments name the sections of the rules.

mod action;
pub mod bot;
pub mod constants;
mod direction;
mod entity;
mod map;
mod maze;
mod minions;
mod path;
mod pool;
mod state;
mod turn;
mod watch;

pub use self::action::{Action, Actions};
pub use self::constants::Constants;
pub use self::direction::Direction;
pub use self::entity::{Entities, Entity, EntityKind, MAX_ENTITIES};
pub use self::map::{
    Cell, CellSet, EXPLORERS, MAX_CELLS, MAX_HEIGHT, MAX_MARKS, MAX_WIDTH, Map, MapError, Point,
};
pub use self::maze::{BRANCH_DEPTHS, Maze};
pub use self::minions::chase_costs;
pub use self::pool::{POOL_SIZE, map_name, pool_map, recognise};
pub use self::state::{
    Effect, EffectKind, Explorer, Invalid, Living, MAX_EFFECTS, MAX_MINIONS, Minion, Mood, State,
};
pub use self::watch::{Watch, WatchError};
pub use super::lcg48::Lcg48 as Dice;
