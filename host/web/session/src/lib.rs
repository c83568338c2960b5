//! A game at a board in a browser: what the page asks, and what is answered.
//!
//! The same typed [`messages`] go between the page and the engine in the page (`host/web/engine`, WebAssembly) and between
//! the page and a server. There are no threads, clocks or files here, so that the crate compiles for both.

#![forbid(unsafe_code)]

pub mod analysis;
pub mod arrows;
pub mod book;
pub mod choices;
pub mod contests;
pub mod expected_error;
pub mod explain;
pub mod general_lines;
pub mod load;
pub mod messages;
pub mod net_outlook;
pub mod network;
pub mod notation;
pub mod optimism;
pub mod page_engine;
pub mod position_view;
pub mod review;
pub mod search;
pub mod search_buffers;
pub mod search_lines;
pub mod session;
pub mod shared_search;
pub mod table;
pub mod text;
pub mod words;
