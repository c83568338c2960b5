//! Rounds of long tests. `BARROW_SHARE=100` asks every such test for a hundredth: emulated processors are slow, model
//! checkers try an order of events in each round, and mutation testing runs the tests thousands of times.

/// Rounds that a test with `count` of them plays, at least one.
pub fn rounds(count: u64) -> u64 {
    let share = std::env::var("BARROW_SHARE").ok().and_then(|share| share.parse().ok());
    (count / share.unwrap_or(1).max(1)).max(1)
}
