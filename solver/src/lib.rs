//! The solver room: constraint solving, and the exact questions about an attack that stand on it.
//!
//! [`cdcl`] knows nothing about games, [`attack`] nothing about what is good. Memory is fixed or lent by the
//! caller: no allocator, no `unsafe`, no panic on any input.

#![no_std]
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod attack;
pub mod cdcl;
