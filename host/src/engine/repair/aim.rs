//! Aim of a repair: what a draft is to reach, as an estimate to descend by and as an exact question.

use barrow_core::hex::HexSet;
use barrow_core::minions::View;
use barrow_solver::attack::Goal;

use super::draft::Draft;
use super::effort::Effort;
use crate::engine::proof::Prover;

/// Answer to whether a draft reaches its aim.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Check {
    /// Proof that it does.
    Reached,
    /// Refutation, which the aim has learnt from.
    Refuted,
    /// Not decided.
    Unknown,
}

/// Aim of drafts on one board.
pub(super) trait Aim {
    /// Score up to which a draft is checked before others are made.
    const GOOD: i32;

    /// Score from which on a draft is not checked.
    const HOPELESS: i32;

    /// Whether units that the aim does not need are taken out of a draft that reaches it.
    const IS_FRUGAL: bool;

    /// Estimated distance of a position in the middle of the turn from the aim, 0 for the nearest.
    fn score(&self, view: &View<'_>) -> i32;

    /// Hexes to which minions may go.
    fn hexes(&self, view: &View<'_>) -> HexSet;

    /// Goals of the attacks that are tried first.
    fn attacks(&self, view: &View<'_>) -> Vec<Vec<Goal>>;

    /// Goals of which random attacks are made.
    fn wishes(&self, view: &View<'_>) -> Vec<Goal>;

    /// Whether a draft reaches the aim.
    fn check(&mut self, prover: &mut Prover, draft: &Draft, effort: &mut Effort) -> Check;

    /// Goals of attacks that the refutations since the last call ask for.
    fn lessons(&mut self) -> Vec<Vec<Goal>>;
}
