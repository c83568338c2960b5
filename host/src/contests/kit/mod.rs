//! What all arenas need: child processes, standings, and how long lines take.

pub mod child;
pub mod standings;
pub mod timing;
