//! Usage of the slices of candidates: what is filled, and what a composition may need beside it.

/// Fill of the slices of candidates.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct CandidateUsage {
    pub(super) stages: usize,
    pub(super) generals: usize,
    pub(super) attacks: usize,
    pub(super) money: usize,
    pub(super) spawns: usize,
    pub(super) actions: usize,
}

/// Slots of each slice that a composition may need at most.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Demand {
    pub(super) stages: usize,
    pub(super) generals: usize,
    /// Attack, money and spawn candidates, this many of each.
    pub(super) boards: usize,
    pub(super) actions: usize,
}
