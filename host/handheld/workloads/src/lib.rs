//! Work that firmware does and measures: turns of the baseline, plans of attacks, evaluations, searches. The same work
//! on the host prints the same lines, so that a difference between two machines shows.
//!
//! A [`Machine`] prints lines and measures work; [`Memory`] is all that the work borrows, and [`run`] does it.

#![no_std]

mod game;
mod memory;
mod positions;
mod work;

use core::fmt;

pub use game::play_game;
pub use memory::{Memory, WORDS};
pub use positions::{BOARDS, POSITIONS, position};
pub use work::run;

/// Machine on which work is done.
pub trait Machine {
    /// Prints a line of results, which are the same on every machine.
    fn print(&mut self, line: fmt::Arguments<'_>);

    /// Does work and notes what it took: `work` is its name, `lent` the bytes that it borrows.
    fn measure<R>(&mut self, work: &'static str, position: usize, lent: usize, run: impl FnOnce() -> R) -> R;
}
