//! The game of Minions on a small screen with a few buttons: what a cartridge and a core of a console have in common.
//!
//! [`screen::GameScreen`] is the game with its pages; it takes buttons frame by frame, an [`engine::Engine`] by slices of
//! work, and draws on any [`draw::Surface`]. It knows no machine: no clock, no files, no allocator.

#![no_std]
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod aim;
pub mod art;
pub mod buttons;
pub mod cartridge;
pub mod coding;
pub mod draw;
pub mod engine;
mod items;
pub mod level;
mod press;
pub mod record;
pub mod save;
pub mod screen;
pub mod table;
mod turns;
pub mod ui;
mod wording;

#[cfg(test)]
mod reachable_tests;
