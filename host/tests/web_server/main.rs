//! The web server as an engine meets it: a model of its adapter and of its rules reproduces recorded dialogues, and then
//! finds nothing to refuse in the turns of an engine that was told nothing.
//!
//! `cargo test --release -p barrow --test web_server -- --ignored --nocapture` is the long form;
//! `BARROW_NODES=4` makes its searches shorter.

mod acceptance;
mod adapter;
mod dialogues;
mod games;
