//! RoboRally (seed 002): the classic rules of 2005 and those of the program that the paper tells of.
//!
//! A [`Board`] never changes; a [`State`] is all that does, under 256 bytes. A turn is [`State::start_turn`], a deal
//! of cards, [`State::program`] for each robot, [`State::run_registers`] and [`State::clean_up`]. Programs are
//! numbered by [`numbering`], which leaves out those that must come to the same. Section signs refer to the rules as
//! written down for this engine (`docs/spec/roborally.md`), which settle what the rule book leaves open.

mod belts;
pub mod board;
pub mod bot;
mod builder;
mod card;
pub mod courses;
mod direction;
mod lasers;
mod moves;
pub mod numbering;
mod rallyrobo;
mod reentry;
mod state;
mod turn;
mod validity;

pub use board::{Board, Dock, Laser, Pusher, Speed, Terrain};
pub use builder::{BoardBuilder, BoardError};
pub use card::{Card, CardSet, Cards, Effect};
pub use courses::{COURSES, Course};
pub use direction::{Cell, Direction};
pub use state::{FATAL_DAMAGE, HAND_CAP, Outcome, Profile, REGISTERS, ROBOT_CAP, Robot, State, Status};
pub use turn::{Decisions, ProgramError};
pub use validity::StateError;
