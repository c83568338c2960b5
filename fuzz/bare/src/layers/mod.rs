//! The layers of the engine, each with all that it offers to those above it.

pub mod fen;
pub mod nets;
pub mod rules;
pub mod search;
pub mod solver;
pub mod umi;
