//! The loop of learning: the present player plays games against itself, a network learns from them, and becomes the next
//! player if a match against the present one says so; over and over again ([`Learning`]).
//!
//! Everything is in one folder. `state.json` says what has been decided and what is next, and is replaced as a whole, so
//! the loop may end anywhere, by Ctrl-C, by a kill or a power cut: games, training and match each go on where their own
//! file says that they are. `history.json` and the page `index.html` follow from the state.

mod gate;
mod generations;
mod history;
mod lesson;
mod page;
mod settings;
mod state;

pub use generations::{Ending, Learning};
pub use history::{GateReport, GenerationReport, LessonReport, Verdict};
pub use settings::LearnSettings;
