//! A game at a board in a browser: what the page asks, and what is answered.
//!
//! The same typed [`messages`] go between the page and the engine in the page (`host/web/engine`, WebAssembly) and between
//! the page and a server. There are no threads, clocks or files here, so that the crate compiles for both.

#![forbid(unsafe_code)]

pub mod messages;
