//! Text for people: positions as pictures, turns in words, reports of the nets.

pub mod narrate;
pub mod net_report;
pub mod picture;
