//! Text for people: positions as pictures, turns in words and as typed, reports of nets and search, input quoted in
//! error messages.

pub mod board_svg;
pub mod cards;
pub mod marks;
pub mod material;
pub mod narrate;
pub mod net_report;
pub mod output;
pub mod picture;
pub mod quoted;
pub mod search_tree;
pub mod turn_entry;
