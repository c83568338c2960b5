//! Everything one player could cut off at once in a position.

use heapless::Vec;

use crate::ice_and_fire::{Action, Player, State};

use super::chains::{CHAIN_CAP, Chains};
use super::cuts::{Cut, cuts};
use super::options::Weights;

/// Orders of equal labels that are looked at, at most.
pub const MOST_ORDERS: usize = 4;

/// A position and the chains of one player in it.
#[derive(Clone, Debug)]
pub struct Look {
    state: State,
    chains: Vec<Chains, MOST_ORDERS>,
}

impl Look {
    /// What the player to move can reach with its gold; `orders` (1 to 4) ways of breaking ties.
    pub fn own(state: &State, orders: u8) -> Look {
        Look::with_budget(state, state.gold(state.mover()), orders)
    }

    /// What the player to move could reach with this much gold.
    pub fn with_budget(state: &State, budget: i32, orders: u8) -> Look {
        let player = state.mover();
        let mut chains = Vec::new();
        for order in 0..orders.clamp(1, MOST_ORDERS as u8) {
            // As many as were clamped to.
            let _ = chains.push(Chains::new(state, player, budget, order));
        }
        Look { state: *state, chains }
    }

    /// What the opponent of the player to move can reach in its next turn; `None` if it has no turn any more.
    pub fn threat(state: &State, orders: u8) -> Option<Look> {
        let mut next = *state;
        next.end_turn();
        if next.is_over() { None } else { Some(Look::own(&next, orders)) }
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
        self.chains.iter().zip(0..).flat_map(move |(chains, order)| {
            let new = move |cut: &Cut| {
                let earlier = self.chains.iter().take(usize::from(order));
                earlier.filter_map(|chains| chains.to(cut.target)).all(|chain| chain.path != cut.chain.path)
            };
            cuts(&self.state, chains, order, weights).filter(new)
        })
    }

    /// What makes the cut, in order.
    pub fn actions(&self, cut: &Cut) -> Vec<Action, CHAIN_CAP> {
        self.chains.get(usize::from(cut.order)).map_or(Vec::new(), |chains| chains.actions(cut.target))
    }
}
