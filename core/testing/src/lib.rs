//! Development crate: what the tests, benches and fuzz targets of several crates share.
//!
//! [`generators`] make positions, actions and turns of Minions out of bytes, [`reference`] is a second, slow and
//! obvious implementation of its rules, [`random_play`] plays random legal actions, and [`MIDGAME`] holds positions
//! from real games. [`roborally`], [`kutulu`] and [`ice_and_fire`] do the same for the contest games. No program
//! depends on this crate.

#![forbid(unsafe_code)]
#![allow(missing_docs)]
// Generators index lists whose lengths they have just checked, and a test may stop at the first thing that is wrong.
#![allow(clippy::missing_panics_doc)]

pub mod generators;
#[cfg(feature = "ice_and_fire")]
pub mod ice_and_fire;
#[cfg(feature = "kutulu")]
pub mod kutulu;
pub mod random_play;
pub mod reference;
#[cfg(feature = "roborally")]
pub mod roborally;

/// FENs of positions from games of the Spooky engine, one a line.
pub const MIDGAME: &str = include_str!("../data/midgame.fen");
