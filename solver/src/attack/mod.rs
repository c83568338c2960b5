//! Exact questions about an attack on one board. Whether an attack is good is asked elsewhere.

mod matching;

pub use matching::{Matching, match_pieces};
