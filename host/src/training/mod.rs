//! Training of networks: self-play games ([`selfplay`]), their training targets and samples, and networks trained on
//! them in floating point, with layers like those of `barrow-nnue`, until they are quantised to a network file.
//!
//! The way of the data: [`GameRecord`](crate::records::game_record::GameRecord) → [`PositionTargets`] → [`Samples`] in
//! a [`Dataset`] → [`Trainer`] → [`Params`] → [`Quantised`].

mod adam;
mod backprop;
pub mod checkpoint;
mod dataset;
mod losses;
mod metrics;
mod modes;
mod money_curve;
mod params;
mod piece_outcomes;
mod placements;
mod prophet_loss;
mod quantise;
mod rounding_error;
mod row_tables;
mod samples;
pub mod selfplay;
mod targets;
mod trainer;
mod vector;
mod visited_attacks;

pub use dataset::{Dataset, GameSource};
pub use metrics::{Metric, evaluate};
pub use money_curve::MoneyCurve;
pub use params::{NetworkShape, Params};
pub use piece_outcomes::{PieceFate, PieceFates, PieceOutcome, PieceOutcomes};
pub use placements::{MoveChoice, SpawnChoices};
pub use quantise::{Quantised, dequantise, quantise};
pub use rounding_error::{RoundingError, RoundingErrors, rounding_errors};
pub use samples::Samples;
pub use selfplay::SelfPlay;
pub use targets::{BoardTargets, PositionTargets, SamplingRates, position_targets};
pub use trainer::{Hyperparameters, Progress, Trainer};
