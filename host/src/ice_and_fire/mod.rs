//! A Code of Ice and Fire beside the rules: recorded games, the contest protocol, bots against each other, pictures.

pub mod replay;

mod board;
mod compact;
