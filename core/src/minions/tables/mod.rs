//! Tables of Minions: what a game is played with and never changes. Units, spells, technologies, maps, and the
//! switches by which rulesets differ.

pub mod capacities;
pub mod config;
pub mod figures;
pub mod map;
pub mod ruleset;
pub mod side;
pub mod spell;
pub mod tech;
pub mod terrain;
pub mod unit;
