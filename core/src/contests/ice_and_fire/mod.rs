//! The rules of A Code of Ice and Fire, exactly as its referee has them.
//!
//! Two players spread over a map of 12 x 12 cells, train units, build towers and mines, and try to take the other's
//! headquarters. Land that is cut off from its headquarters counts for nothing, and units on it die: the game is
//! about cuts. "Rules" is `docs/spec/ice_and_fire.md`. [`Game`] is the referee, [`State`] the position in 256 bytes for
//! searches, [`Map`] makes the maps of seeds, [`input`] and [`command`] are the text protocol.
//!
//! ```
//! use barrow_core::contests::ice_and_fire::{Game, Map, Player, Rules};
//! let rules = Rules::PERMANENT;
//! let mut game = Game::new(&Map::generate(1, &rules));
//! assert_eq!(game.state().gold(Player::Zero), 21);
//! let report = game.execute(&rules, "TRAIN 1 0 1;TRAIN 1 5 5").unwrap();
//! assert_eq!((report.done, report.rejected), (1, 1));
//! game.pass();
//! assert_eq!(game.state().mover(), Player::One);
//! ```

mod action;
pub mod bot;
mod cell;
pub mod command;
mod command_text;
mod game;
pub mod input;
mod map;
mod map_generator;
mod rules;
mod state;
mod state_builder;
mod turn_order;

pub use self::action::{Action, Rejection};
pub use self::cell::{CELLS, Cell, CellSet, Cells, Direction, SIZE, SLOTS};
pub use self::command_text::CommandText;
pub use self::game::{Ending, Game, LineReport, Outcome};
pub use self::map::Map;
pub use self::rules::{Level, MINE_INCOME, MineSpotCount, Player, Rules, START_GOLD, TOWER_COST, TURNS};
pub use self::state::{State, StateError};
pub use self::state_builder::StateBuilder;
