//! Development crate: [`opb`] reads pseudo-Boolean problems and their preferences from files, for the tests, examples
//! and benches of the solver. No program depends on this crate.

#![forbid(unsafe_code)]

pub mod opb;
