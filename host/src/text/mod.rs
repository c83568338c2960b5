//! Text for people: positions as pictures, turns in words, reports of the nets, input quoted in error messages.

pub mod narrate;
pub mod net_report;
pub mod picture;
pub mod quoted;
