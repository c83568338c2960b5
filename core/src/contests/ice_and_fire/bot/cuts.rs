//! Cuts: the land that a chain cuts off, and the value of the cut (rules §11.1).

use core::borrow::Borrow;

use crate::contests::ice_and_fire::{Cell, CellSet, Level, MINE_INCOME, Player, State};

use super::chains::{Chain, Chains};
use super::options::{HEADQUARTERS, Weights};

/// A chain that takes land of the opponent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cut {
    /// The last cell of the chain.
    pub target: Cell,
    /// Order of equal labels in which the chain was found.
    pub order: u8,
    /// The chain that makes the cut.
    pub chain: Chain,
    /// Active cells of the opponent that the cut makes inactive or takes.
    pub lost: CellSet,
    /// I: number of lost cells, with four more for each mine on them.
    pub income: i32,
    /// K: price of the units on the lost cells.
    pub units: i32,
    /// T: number of towers on the lost cells.
    pub towers: i32,
    /// H: whether the opponent's headquarters fall.
    pub headquarters: bool,
    /// Value of the losses less the cost of the chain, in gold.
    pub score: i32,
}

impl Cut {
    /// Whether the cut gains more than it costs.
    pub const fn is_worth_it(&self) -> bool {
        self.score > 0
    }

    /// The order of preference: higher score, then less gold, then the earlier target.
    pub fn is_better_than(&self, other: &Cut) -> bool {
        let rank = |cut: &Cut| (core::cmp::Reverse(cut.score), cut.chain.gold, cut.target, cut.order);
        rank(self) < rank(other)
    }
}

/// All cuts of a player that `chains` can pay, in the order of their targets.
pub fn cuts<'c>(
    state: &'c State,
    chains: impl Borrow<Chains> + 'c,
    order: u8,
    weights: &'c Weights,
) -> impl Iterator<Item = Cut> + 'c {
    let targets = chains.borrow().reached() & state.owned(chains.borrow().player().opponent());
    targets.iter().filter_map(move |target| {
        let chains = chains.borrow();
        let chain = chains.to(target)?;
        Some(evaluate(state, chains.player(), target, order, chain, weights))
    })
}

/// The cut of a chain, with its score.
fn evaluate(state: &State, player: Player, target: Cell, order: u8, chain: Chain, weights: &Weights) -> Cut {
    let opponent = player.opponent();
    let quarters = opponent.headquarters();
    let headquarters = chain.path.contains(quarters);
    // The game ends as headquarters fall, so that their own fall cuts nothing off.
    let home = quarters.to_set();
    let before = state.active(opponent);
    let left = home.flood((state.owned(opponent) - chain.path) | (home & state.owned(opponent)));
    let lost = before - (left - (chain.path & home));
    let income = lost.len() as i32 + MINE_INCOME * (state.mines() & lost).len() as i32;
    let units = state.unit_cost(lost);
    let towers = (state.towers() & lost).len() as i32;
    let mover = chain.mover.map_or(0, |(_, level)| i32::from(level.number()));
    let gain = (weights.income.saturating_mul(income))
        .saturating_add(weights.units.saturating_mul(units))
        .saturating_add(weights.tower.saturating_mul(towers))
        .saturating_add(if headquarters { HEADQUARTERS } else { 0 });
    let score = gain
        .saturating_sub(chain.gold)
        .saturating_sub(weights.upkeep.saturating_mul(chain.upkeep))
        .saturating_sub(weights.mover.saturating_mul(mover));
    Cut { target, order, chain, lost, income, units, towers, headquarters, score }
}

/// Score of training a unit on one cell beside own land, as a cut.
pub(super) fn training_score(state: &State, at: Cell, level: Level, weights: &Weights) -> i32 {
    let chain = Chain { gold: level.cost(), upkeep: level.upkeep(), mover: None, path: at.to_set() };
    evaluate(state, state.mover(), at, 0, chain, weights).score
}

/// The best of some cuts.
pub fn best(cuts: impl Iterator<Item = Cut>) -> Option<Cut> {
    cuts.reduce(|best, cut| if cut.is_better_than(&best) { cut } else { best })
}
