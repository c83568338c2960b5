//! Appraisal: what the hand-written players find out about a board. Distances, threats and counts are facts of the
//! rules; every judgement is a number of the `Weights` that a player hands in, so that Greedy's stay frozen and those
//! of the fallback policies may improve.

pub(super) mod distance;
pub(super) mod home;
pub(super) mod threat;
pub(super) mod units;
pub(super) mod weights;
