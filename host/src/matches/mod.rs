//! Matches: two players over many games, in pairs that share an opening and differ in who has which side.
//!
//! Built-in players run in this process, other engines in processes of their own over UMI. The opening of a pair
//! follows from the seed and the number of the pair; pairs run on several threads but are counted in order, so the
//! result of a match between built-in players depends on its arguments only.

mod compliance;
mod decision;
pub mod elo;
mod fault;
mod game;
mod handicap;
mod lateness;
mod openings;
mod player;
mod player_spec;
mod recording;
pub mod report;
mod result;
mod runner;
mod time_control;
mod umi_process;

#[cfg(test)]
mod tests;

pub use compliance::{ComplianceResult, ComplianceTerms, check_engine};
pub use fault::FaultCounts;
pub use handicap::Handicap;
pub use lateness::{LATENESS_BOUNDS, Lateness};
pub use openings::{Opening, Openings, Rulesets};
pub(crate) use player::MatchPlayer;
pub use player_spec::{BuiltinPlayer, BuiltinSettings, MatchPlayerSpec};
pub use recording::MatchRecording;
pub use result::MatchResult;
pub use runner::{Match, MatchError};
pub use time_control::TimeControl;
