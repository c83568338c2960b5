//! The worked examples of the rules (§22), the quirks (§21), the divergences of ruleset `spooky` and the printed
//! figures, each as a test named by its number. They are written in the small language of [`table`] and
//! [`notation`].

mod abilities;
mod attacks;
mod blink_and_spawn;
mod data;
mod divergences;
mod free_entry;
mod geometry;
mod income_and_winning;
mod movement;
mod notation;
mod quirks;
mod resets_compared;
mod spell_targets;
mod spells;
mod table;
mod techs;
mod terrain;
