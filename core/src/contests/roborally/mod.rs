//! RoboRally (seed 002): the classic rules of 2005, and those of the program rallyrobo that the paper describes.
//!
//! A [`Board`] never changes; a [`State`] is all that does, under 256 bytes. A turn is [`State::start_turn`], a deal
//! of cards, [`State::program`] for each robot, [`State::run_registers`] and [`State::clean_up`]. Programs are
//! numbered by [`numbering`], which counts programs with equal effects once. Section signs refer to the rules as
//! written down for this engine (`docs/spec/roborally.md`), which settle what the rule book leaves open.

pub mod board;
mod board_builder;
mod board_moves;
pub mod bot;
mod card;
mod card_moves;
pub mod courses;
mod geometry;
mod lasers;
pub mod numbering;
mod rallyrobo;
mod reentry;
pub mod second_edition;
mod state;
mod state_error;
mod turn;
mod validity;

pub use board::{Board, Dock, Laser, Pusher, Speed, Terrain};
pub use board_builder::{BoardBuilder, BoardError};
pub use card::{Card, CardEffect, CardSet, Cards};
pub use courses::{COURSES, Course};
pub use geometry::{Cell, Direction};
pub use state::{FATAL_DAMAGE, HAND_CAP, Outcome, Profile, REGISTERS, ROBOT_CAP, Robot, State, Status};
pub use state_error::StateError;
pub use turn::{Decisions, ProgramError};
