//! The contest games on an operating system: each with its protocols, arena and replay, on a kit that they share.

pub mod bundle;
pub mod ice_and_fire;
pub mod kit;
pub mod kutulu;
pub mod roborally;
