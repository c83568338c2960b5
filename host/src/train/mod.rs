//! Training: games of the teachers ([`selfplay`]), what can be learnt from them ([`lesson`], [`samples`]), and
//! networks that learn it ([`learn`]) in floating point with layers like those of `barrow-nnue` ([`tape`]).

mod adam;
pub mod checkpoint;
mod compare;
mod curve;
mod judge;
mod learn;
mod lesson;
mod losses;
mod params;
mod quantise;
mod record;
mod samples;
mod selfplay;
mod supply;
mod tables;
mod tape;
mod vector;

pub use compare::{Gap, Gaps, compare};
pub use curve::{Curve, KNOTS};
pub use judge::{Mark, judge};
pub use learn::{Learner, Progress, Settings};
pub use lesson::{BoardLesson, Lesson, Lot, Lots, Spawns, Stage, Thrift, Walk, lessons};
pub use params::{Params, Shape};
pub use quantise::{Quantised, quantise};
pub use samples::Samples;
pub use selfplay::{Hand, Ply, Record, SelfPlay};
pub use supply::{Lessons, Supply, is_packed};
