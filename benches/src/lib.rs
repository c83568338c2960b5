//! The benches live in `benches/benches`, one file per question that a user asks; run them with
//! `cargo bench -p barrow-benches`. This library is empty.
