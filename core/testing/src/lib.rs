//! Development crate: code and data shared by the tests, benches and fuzz targets of several crates.
//!
//! For Minions, [`generators`] generate positions, actions and turns from bytes, [`mod@reference`] is a slow reference
//! implementation of the rules, [`differential`] compares the engine with that reference, [`print_parse`] reads back
//! what is printed, [`random_play`] plays random legal actions, and [`MIDGAME`] has positions from recorded games.
//! [`roborally`], [`kutulu`] and [`ice_and_fire`] have generators and reference rules of the contest games. [`rounds`]
//! shortens long tests, [`Signature`] sums up what they see. No program depends on this crate.

#![forbid(unsafe_code)]
// A test stops at the first fault, and generators index lists whose lengths they have checked.
#![allow(clippy::missing_panics_doc)]

pub mod differential;
pub mod generators;
#[cfg(feature = "ice_and_fire")]
pub mod ice_and_fire;
#[cfg(feature = "kutulu")]
pub mod kutulu;
pub mod print_parse;
pub mod random_play;
pub mod reference;
#[cfg(feature = "roborally")]
pub mod roborally;
mod rounds;
mod signature;

pub use rounds::rounds;
pub use signature::Signature;

/// Positions from the middle of recorded games of the Spooky engine, one FEN per line.
pub const MIDGAME: &str = include_str!("../data/midgame.fen");

/// The twenty positions of the benches: middle games of the Spooky engine on the default two boards, one FEN per line.
pub const BENCH_POSITIONS: &str = include_str!("../data/bench.fen");

/// Positions that a card decides in the turn at hand, server rules: on each line how (`win by` or `retake by` and a spell), a
/// tab, and the FEN. No attack without a card does it; the game would end at the turn's end or the next one's.
pub const DECISIVE_CARDS: &str = include_str!("../data/decisive-cards.tsv");
