//! Training: games of the teachers ([`selfplay`]), what can be learnt from them ([`lesson`]), and the networks that
//! learn it.

mod curve;
mod lesson;
mod record;
mod selfplay;

pub use curve::{Curve, KNOTS};
pub use lesson::{BoardLesson, Fate, Lesson, Spawns, Stage, Thrift, Walk, lessons};
pub use selfplay::{Hand, Ply, Record, SelfPlay};
