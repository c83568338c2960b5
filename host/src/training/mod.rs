//! Training: games of the teachers ([`selfplay`]), what can be learnt from them ([`lesson`], [`samples`]), and
//! networks that learn it ([`learn`]) in floating point with layers like those of `barrow-nnue` ([`tape`]).

mod adam;
mod backprop;
pub mod checkpoint;
mod dataset;
mod losses;
mod metrics;
mod money_curve;
mod params;
mod quantise;
mod rounding_error;
mod row_tables;
mod samples;
pub mod selfplay;
mod targets;
mod trainer;
mod vector;

pub use dataset::{Lessons, Supply};
pub use metrics::{Mark, judge};
pub use money_curve::{Curve, KNOTS};
pub use params::{Params, Shape};
pub use quantise::{Quantised, quantise};
pub use rounding_error::{Gap, Gaps, compare};
pub use samples::Samples;
pub use selfplay::{Hand, Ply, Record, SelfPlay};
pub use targets::{BoardLesson, Lesson, Lot, Lots, Spawns, Stage, Thrift, Walk, lessons};
pub use trainer::{Learner, Progress, Settings};
