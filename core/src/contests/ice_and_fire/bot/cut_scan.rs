//! Everything one player could cut off at once in a position.

use crate::contests::ice_and_fire::{Action, Player, State};
use crate::list::List;

use super::chains::{CHAIN_CAP, Chains};
use super::cuts::{Cut, cuts};
use super::options::Weights;

/// Orders of equal labels that are looked at, at most.
pub const MOST_ORDERS: usize = 4;

/// A position and the chains of one player in it.
#[derive(Clone, Debug)]
pub struct CutScan {
    state: State,
    /// By order, as many as are looked at.
    chains: [Option<Chains>; MOST_ORDERS],
}

impl CutScan {
    /// What the player to move can reach with its gold; `orders` (1 to 4) ways of breaking ties.
    pub fn own(state: &State, orders: u8) -> CutScan {
        CutScan::with_budget(state, state.gold(state.mover()), orders)
    }

    /// What the player to move could reach with this much gold.
    pub fn with_budget(state: &State, budget: i32, orders: u8) -> CutScan {
        let mut chains = [const { None }; MOST_ORDERS];
        for (slot, order) in chains.iter_mut().zip(0..orders.max(1)) {
            *slot = Some(Chains::new(state, state.mover(), budget, order));
        }
        CutScan { state: *state, chains }
    }

    /// What the opponent of the player to move can reach in its next turn; `None` if it has no turn any more.
    pub fn threat(state: &State, orders: u8) -> Option<CutScan> {
        let mut next = *state;
        next.end_turn();
        if next.is_over() { None } else { Some(CutScan::own(&next, orders)) }
    }

    /// Whose chains they are.
    pub const fn player(&self) -> Player {
        self.state.mover()
    }

    /// The position.
    pub const fn state(&self) -> &State {
        &self.state
    }

    /// All cuts, those of later orders only if they take other cells.
    pub fn cuts<'l>(&'l self, weights: &'l Weights) -> impl Iterator<Item = Cut> + 'l {
        self.chains.iter().flatten().zip(0..).flat_map(move |(chains, order)| {
            let new = move |cut: &Cut| {
                let earlier = self.chains.iter().flatten().take(usize::from(order));
                earlier.filter_map(|chains| chains.to(cut.target)).all(|chain| chain.path != cut.chain.path)
            };
            cuts(&self.state, chains, order, weights).filter(new)
        })
    }

    /// What makes the cut, in order.
    pub fn actions(&self, cut: &Cut) -> List<Action, CHAIN_CAP> {
        let chains = self.chains.iter().flatten().nth(cut.order.into());
        chains.map_or_else(List::new, |chains| chains.actions(cut.target))
    }
}
