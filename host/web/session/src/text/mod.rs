//! Text for people: turns in words and as typed, cards, input quoted in error messages.

pub mod cards;
pub mod counted;
pub mod narrate;
pub mod quoted;
pub mod turn_entry;
