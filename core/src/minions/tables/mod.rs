//! Tables of Minions: units, spells, techs, maps, the switches by which rulesets differ, and all capacities.

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
