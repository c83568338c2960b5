//! Text for people: positions as pictures, turns in words and as typed, reports of nets and search, input quoted in
//! error messages.

pub mod board_svg;
pub mod marks;
pub mod material;
pub mod net_report;
pub mod output;
pub mod picture;
pub mod search_tree;

pub use barrow_session::text::{cards, counted, narrate, quoted, turn_entry};
