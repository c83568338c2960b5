//! Development crate: random tables of a network ([`weights`]), and accumulators that are followed along a path of
//! actions and compared with a refresh ([`following`]).

#![forbid(unsafe_code)]
#![allow(missing_docs)]
#![allow(clippy::missing_panics_doc)]

pub mod following;
pub mod weights;
