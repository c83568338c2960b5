//! The bot for RoboRally (seed 002): evaluation of positions, playouts, and the choice of programs by search.
//!
//! [`Evaluator`] values positions, [`PlayoutPolicy`] deals and plays whole turns by a [`Strategy`], and [`ProgramGame`]
//! is one robot's choice of a program as a game for the search [`flat`](crate::search::flat). [`second_edition`] has the
//! same three for the rules of 2016 and 2023. [`RegisterGame`] and [`WholeGame`] are the choice for the search
//! [`smitsimax`](crate::search::smitsimax), register by register and as a whole.

mod distances;
mod evaluator;
mod kinds;
mod odds;
mod playout_policy;
mod power_down;
mod power_search;
mod program_game;
mod programs;
mod register_game;
mod scenarios;
pub mod second_edition;
mod shortlist;
mod solo;
mod whole_game;

pub use distances::Distances;
pub use evaluator::{Evaluation, Evaluator, Weights};
pub use odds::Odds;
pub use playout_policy::{NEVER, PlayoutPolicy, Strategy};
pub use power_down::PowerDownPolicy;
pub use power_search::PowerSearch;
pub use program_game::{ActionSpace, ProgramGame};
pub use register_game::{Others, RegisterAction, RegisterGame, RegisterWorld};
pub use scenarios::SCENARIO_CAP;
pub use shortlist::SHORTLIST_CAP;
pub use solo::Solo;
pub use whole_game::{WholeGame, WholeWorld};
