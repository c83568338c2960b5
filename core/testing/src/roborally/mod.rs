//! Scenes of RoboRally for tests and fuzzing: scripts with what must come of them, and races invented from bytes.

pub mod generators;
pub mod script;
