//! Tuning of numbers of the search, and of the contest bots: SPSA whose every iteration compares several pairs of points at once, so that many
//! machines can share it.
//!
//! An iteration has a number of *parts*. Each moves the present point by a perturbation of its own to one side and to the
//! other, and lets both play a short match. The mean of what the parts showed moves the point (J. C. Spall, "Implementation
//! of the simultaneous perturbation algorithm for stochastic optimization", 1998, averages gradients in the same way). All
//! parts follow from the terms, and the point from the results, so a tuning is nothing but its file.

mod arguments;
mod joined;
mod number;
mod run;
mod search_comparer;
mod terms;
mod tuning_file;

pub use arguments::{Tuned, TuningArgs};
pub use joined::{JoinedTuning, TuningPlace, join_tunings};
pub use number::TunedNumber;
pub use run::{Comparer, TuningRun};
pub use search_comparer::SearchComparer;
pub use terms::TuningTerms;
pub use tuning_file::{TuningFile, TuningState};
