//! Parts that the contest games share: standings, comparisons, times of turns, readers of data files and of players' names, and the
//! commands that are alike in all three.

pub mod command;
pub mod comparison;
pub mod player_spec;
pub mod several_games;
pub mod standings;
pub mod timing;
