//! Reviews of whole games: a value curve, turns that gave much away, and better ones (`barrow analyze --game`).

mod chart;
mod game_review;
mod report;

pub use chart::value_chart;
pub use game_review::{GameReview, ReviewSettings, review, searched_by};
pub use report::{ReviewReport, annotated, review_text};
