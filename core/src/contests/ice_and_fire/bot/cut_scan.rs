//! The scan of a position for all cuts of one player.

use crate::contests::ice_and_fire::{Action, Player, State};
use crate::list::List;

use super::chains::{CHAIN_CAP, Chains};
use super::cuts::{Cut, cuts};
use super::options::Weights;

/// Most orders of equal labels that a scan tries.
pub const MOST_ORDERS: usize = 4;

/// The cheapest chains of the player to move in a position, by order of equal labels.
#[derive(Clone, Debug)]
pub struct CutScan {
    state: State,
    /// Chains by order, for as many orders as the scan tries.
    chains: [Option<Chains>; MOST_ORDERS],
}

impl CutScan {
    /// Scans for the player to move and its gold, with `orders` (1 to 4) ways of breaking ties.
    pub fn own(state: &State, orders: u8) -> CutScan {
        CutScan::with_budget(state, state.gold(state.mover()), orders)
    }

    /// Scans for the player to move and this much gold.
    pub fn with_budget(state: &State, budget: i32, orders: u8) -> CutScan {
        let mut chains = [const { None }; MOST_ORDERS];
        for (slot, order) in chains.iter_mut().zip(0..orders.max(1)) {
            *slot = Some(Chains::new(state, state.mover(), budget, order));
        }
        CutScan { state: *state, chains }
    }

    /// Scans for the opponent of the player to move in the opponent's next turn; `None` if there is none.
    pub fn threat(state: &State, orders: u8) -> Option<CutScan> {
        let mut next = *state;
        next.end_turn();
        if next.is_over() { None } else { Some(CutScan::own(&next, orders)) }
    }

    /// The player whose chains these are.
    pub const fn player(&self) -> Player {
        self.state.mover()
    }

    /// The scanned position.
    pub const fn state(&self) -> &State {
        &self.state
    }

    /// All cuts. A cut of a later order is left out if an earlier order has the same path to its target.
    pub fn cuts<'l>(&'l self, weights: &'l Weights) -> impl Iterator<Item = Cut> + 'l {
        self.chains.iter().flatten().zip(0..).flat_map(move |(chains, order)| {
            let new = move |cut: &Cut| {
                let earlier = self.chains.iter().flatten().take(usize::from(order));
                earlier.filter_map(|chains| chains.to(cut.target)).all(|chain| chain.path != cut.chain.path)
            };
            cuts(&self.state, chains, order, weights).filter(new)
        })
    }

    /// The actions of a cut, in order.
    pub fn actions(&self, cut: &Cut) -> List<Action, CHAIN_CAP> {
        let chains = self.chains.iter().flatten().nth(cut.order.into());
        chains.map_or_else(List::new, |chains| chains.actions(cut.target))
    }
}
