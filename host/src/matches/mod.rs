//! Matches: two players or more over many games, in pairs that share an opening and differ in who has which side.
//!
//! Built-in players run in this process, other engines in processes of their own over UMI. The opening of a pair
//! follows from the seed and the number of the pair; pairs run on several threads but are counted in order, so the
//! result of a match between built-in players depends on its arguments only. Results may stand in a file pair by pair,
//! from which a match that was ended goes on.

mod compliance;
mod cross_table;
mod decision;
pub mod elo;
mod fault;
mod game;
mod handicap;
mod joined_results;
mod lateness;
mod opening_file;
mod openings;
mod player;
mod player_settings;
mod player_spec;
mod ratings;
mod recording;
pub mod report;
mod result;
mod results_file;
mod runner;
mod schedule;
mod time_control;
pub mod tournament_report;
mod umi_process;

#[cfg(test)]
mod tests;

pub use compliance::{ComplianceResult, ComplianceTerms, check_engine};
pub use cross_table::{CrossTable, PlayerScore};
pub use fault::FaultCounts;
pub use handicap::Handicap;
pub use joined_results::{JoinedContest, JoinedResults, join_results};
pub use lateness::{LATENESS_BOUNDS, Lateness};
pub use opening_file::OpeningFile;
pub use openings::{OPENING_PLIES_CAP, Opening, Openings, Rulesets};
pub(crate) use player::MatchPlayer;
pub use player_settings::BuiltinSettings;
pub use player_spec::{BuiltinPlayer, Contestant, EngineCommand, MatchPlayerSpec, player_help};
pub use recording::MatchRecording;
pub use result::MatchResult;
pub use results_file::{KnownPairs, MatchResults, MatchTerms, ResultsFile};
pub use runner::{Match, MatchError};
pub use schedule::{MatchFormat, letter};
pub use time_control::{MatchClock, TimeControl, TimeLimit};
