//! A Code of Ice and Fire beside the rules: recorded games, the contest protocol, bots against each other, pictures.

pub mod arena;
pub mod bundle;
pub mod contest;
pub mod picture;
pub mod replay;
pub mod spec;

mod board;
mod compact;
mod cut_cases;
mod seat;
