//! The contest games on an operating system: protocol, arena and replay of each, and the kit that all three share.

pub mod bundle;
pub mod ice_and_fire;
pub mod kit;
pub mod kutulu;
pub mod roborally;
