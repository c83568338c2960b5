//! C interface of the Barrow engine: rules, texts, attack planning, evaluation and search for programs in C, C++ or
//! whatever calls C.
//!
//! Every object is a [handle](handle) in memory that the caller gives, and nothing allocates. `include/barrow.h` is made of
//! the public functions here, types and comments included, by cbindgen; a change of the interface changes
//! [`BARROW_ABI_VERSION`](status::BARROW_ABI_VERSION) or only adds to it.
//!
//! This crate alone may dereference pointers that somebody else has made. What it asks of them is written at the top of
//! the header; what can be checked is checked: null, alignment, sizes, overlaps, UTF-8, the kind of a handle, whether it
//! was moved, closed or is in use.

#![no_std]

mod evaluation;
mod game;
mod greedy;
mod handle;
mod memory;
mod message;
mod net;
mod outputs;
mod planner;
mod plans;
mod ports;
mod search;
mod searches;
pub mod status;
mod texts;
mod word;

pub use evaluation::{BARROW_CERTAIN, barrow_evaluate};
pub use game::*;
pub use greedy::*;
pub use handle::{barrow_alignment, barrow_close, barrow_error_text};
pub use net::*;
pub use plans::*;
pub use searches::*;
pub use status::*;

#[cfg(feature = "panic-handler")]
mod panics;
