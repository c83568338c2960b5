//! Code of Kutulu: four explorers in a maze lose sanity every turn, and the last one sane wins.
//!
//! The rules follow the referee's program bit for bit, random generator included. [`State`] is all that changes,
//! [`MapTables`] what is computed once per map; [`State::play`] plays a turn. "Rules" is `docs/spec/kutulu.md`.

mod action;
pub mod bot;
pub mod constants;
mod direction;
mod entity;
mod map;
mod map_pool;
mod map_tables;
mod minion_moves;
mod path_search;
mod state;
mod state_tracker;
mod turn;

pub use self::action::{Action, Actions};
pub use self::constants::Constants;
pub use self::direction::Direction;
pub use self::entity::{Entities, Entity, EntityKind, MAX_ENTITIES};
pub use self::map::{
    Cell, CellSet, EXPLORERS, MAX_CELLS, MAX_HEIGHT, MAX_MARKS, MAX_WIDTH, Map, MapError, Point,
};
pub use self::map_pool::{POOL_SIZE, map_name, pool_map, recognise};
pub use self::map_tables::{BRANCH_DEPTHS, MapTables};
pub use self::minion_moves::chase_costs;
pub use self::state::{
    Effect, EffectKind, Explorer, Living, MAX_EFFECTS, MAX_MINIONS, Minion, MinionPhase, State, StateError,
};
pub use self::state_tracker::{StateTracker, TrackError};
pub use super::lcg48::Lcg48 as Dice;
