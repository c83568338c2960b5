//! RoboRally for tests and fuzz targets: scripts with expected outcomes ([`script`]), and races generated from bytes
//! ([`generators`]).

pub mod generators;
pub mod script;
