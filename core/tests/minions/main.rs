//! The worked examples of the rules (§22), each as a test named by its number. They are written in the small
//! language of [`table`] and [`notation`].

mod abilities;
mod attacks;
mod blink_and_spawn;
mod geometry;
mod income_and_winning;
mod movement;
mod notation;
mod spell_targets;
mod spells;
mod table;
mod techs;
