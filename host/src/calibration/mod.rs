//! Calibration: how far what networks and searches say of positions can be believed, by games that nothing was learnt from.
//!
//! Two things are said of a position: the win chance of the side to move, which [`Reliability`] compares with the results of
//! games, and the expected error of that win chance, which [`ErrorTable`] compares with its real error. The real error of a
//! win chance is its difference from what the search says at the same side's next turn, two turns later, or from the
//! result if the game is over by then: what the error head of a network learns. A [`MonotoneMap`] that is fitted to half of
//! the games makes of a raw error the one that is shown to users.

mod error_table;
mod judged_games;
mod monotone_map;
mod reliability;
mod report;
mod search_anew;

pub use error_table::{ErrorRow, ErrorTable};
pub use judged_games::{JudgedGames, Judgement};
pub use monotone_map::MonotoneMap;
pub use reliability::{Reliability, ReliabilityBin};
pub use report::{CalibrationReport, ErrorReport, csv, svg, text};
pub use search_anew::{SearchAnew, search_anew};
