//! Training of networks: self-play games ([`selfplay`]), their training targets and samples, and networks trained on
//! them in floating point, with layers like those of `barrow-nnue`, until they are quantised to a network file.
//!
//! The way of the data: [`GameRecord`](crate::records::game_record::GameRecord) → [`PositionTargets`] → [`Samples`] in
//! a [`Dataset`] → [`TrainingRun`], which watches a [`Trainer`] → [`Params`] → [`Quantised`].
//!
//! # Symmetries
//!
//! The rules know no direction, and the rhombus of hexes has four symmetries: none, a turn by 180 degrees, and
//! reflections in either diagonal. A game is left the same, its sides swapped, by a symmetry of its maps that takes one
//! start hex to the other (rules §3): the turn on Forbidden Isle, MegaPuddles, River Styx, Chaos Diamond and Apocalypse, the reflection
//! in the short diagonal on the other maps of the pools, both on AllLand. Feature layouts use the turn on every map, so each position is learnt for
//! both sides at once, and a map that is not alike when turned has a row for each side. On a map with a reflection, a board
//! reflected in its long diagonal, with the map's other row, is the same board again
//! ([`reflected_board_rows`](barrow_nnue::layout::reflected_board_rows)): epochs learn each position as it is and with all
//! such boards reflected, in turns. Boards are added up, so their order does not matter.

#[cfg(feature = "burn")]
mod accelerator;
mod adam;
mod backprop;
pub mod checkpoint;
mod dataset;
mod device;
mod epoch_order;
mod general_choices;
mod general_loss;
mod general_metric;
mod general_samples;
mod held_out_loss;
mod hyperparameters;
mod loss_curve;
mod losses;
mod metrics;
mod modes;
mod money_curve;
mod params;
mod piece_outcomes;
mod place_judge;
mod placements;
mod prophet_loss;
mod quantise;
mod returns;
mod rounding_error;
mod row_tables;
mod run;
mod run_state;
mod samples;
mod schedule;
mod seer_losses;
pub mod selfplay;
mod selfplay_file;
mod span;
mod starting_network;
mod stepping;
mod targets;
mod trainer;
mod vector;
mod visited_attacks;

pub use dataset::{Dataset, GameSource, HELD_OUT_STEP};
pub use device::Device;
pub use general_choices::RatedChoice;
pub use held_out_loss::mean_loss;
pub use hyperparameters::{Hyperparameters, Net};
pub use loss_curve::{CurvePoint, LossCurve};
pub use metrics::{Metric, evaluate, evaluate_general, evaluate_net};
pub use money_curve::MoneyCurve;
pub use params::{NetworkShape, Params};
pub use piece_outcomes::{PieceFate, PieceFates, PieceOutcome, PieceOutcomes};
pub use placements::{Choice, ChoiceKind, ChoiceOption};
pub use quantise::{Quantised, dequantise, quantise};
pub use rounding_error::{RoundingError, RoundingErrors, rounding_errors};
pub use run::{EpochReport, TrainingRun};
pub use samples::Samples;
pub use schedule::Schedule;
pub use selfplay::SelfPlay;
pub use selfplay_file::SelfPlayFile;
pub use starting_network::starting_network;
pub use targets::{BoardTargets, PositionTargets, SamplingRates, judged_targets, position_targets};
pub use trainer::{Progress, Trainer};
