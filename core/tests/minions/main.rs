//! Rules of Minions: the worked examples (§22), the quirks (§21), the divergences of ruleset `spooky` and the printed
//! figures of units, each a test named by its number. [`notation`] describes the notation of actions, [`table`] plays
//! them.

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
mod signature;
mod small_answers;
mod spell_targets;
mod spells;
mod table;
mod techs;
mod terrain;
mod turns_compared;
mod unit_divergences;
