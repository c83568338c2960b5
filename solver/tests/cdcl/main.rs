//! The solver held to brute force, to an independent solver, to known answers, and to a proof checker.

mod capacities;
mod differential;
#[cfg(feature = "proof")]
mod game_proofs;
mod incremental;
mod oracle;
mod problems;
#[cfg(feature = "proof")]
mod proofs;
mod random_problems;
mod signature;
mod subset_sums;
mod yardstick;
