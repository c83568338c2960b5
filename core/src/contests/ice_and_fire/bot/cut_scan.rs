//! The scan of a position for all cuts of one player.

use crate::contests::ice_and_fire::{Action, CellSet, Player, State};
use crate::list::List;

use super::chains::{CHAIN_CAP, Chains, order_from, starts};
use super::cuts::{Cut, cuts};
use super::options::Weights;

/// Most orders of equal labels whose chains a scan keeps.
pub const MOST_ORDERS: usize = 4;

/// Number of orders with which a scan also has the chains from every cell on which one can start, each by itself.
pub const EVERY_START: u8 = 5;

/// The cheapest chains of the player to move in a position, by order of equal labels.
#[derive(Clone, Debug)]
pub struct CutScan {
    state: State,
    budget: i32,
    /// Chains by order, for as many orders as the scan keeps.
    chains: [Option<Chains>; MOST_ORDERS],
    /// Cells from which chains are sought by themselves.
    starts: CellSet,
}

impl CutScan {
    /// Scans for the player to move and its gold, with `orders` (1 to 5) ways of breaking ties.
    pub fn own(state: &State, orders: u8) -> CutScan {
        CutScan::with_budget(state, state.gold(state.mover()), orders)
    }

    /// Scans for the player to move and this much gold. From [`EVERY_START`] orders on, chains start from every cell by
    /// itself instead of from one side of the diagonal.
    pub fn with_budget(state: &State, budget: i32, orders: u8) -> CutScan {
        let (player, every) = (state.mover(), orders >= EVERY_START);
        let mut chains = [const { None }; MOST_ORDERS];
        let kept = if every { 2 } else { orders.max(1) };
        for (slot, order) in chains.iter_mut().zip(0..kept) {
            *slot = Some(Chains::new(state, player, budget, order));
        }
        let starts = if every { starts(state, player) } else { CellSet::EMPTY };
        CutScan { state: *state, budget, chains, starts }
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
        let kept = self.chains.iter().flatten().zip(0..);
        let kept = kept.flat_map(move |(chains, order)| {
            cuts(&self.state, chains, order, weights).filter(move |cut| self.is_new(cut, order))
        });
        let from_starts = self.starts.iter().flat_map(move |start| {
            let order = order_from(start);
            cuts(&self.state, self.chains_of(order), order, weights)
                .filter(move |cut| self.is_new(cut, MOST_ORDERS as u8))
        });
        kept.chain(from_starts)
    }

    /// Whether none of the first orders has a cut's path to its target.
    fn is_new(&self, cut: &Cut, orders: u8) -> bool {
        let earlier = self.chains.iter().flatten().take(usize::from(orders));
        earlier.filter_map(|chains| chains.to(cut.target)).all(|chain| chain.path != cut.chain.path)
    }

    /// Chains of an order that is not kept.
    fn chains_of(&self, order: u8) -> Chains {
        Chains::new(&self.state, self.player(), self.budget, order)
    }

    /// The actions of a cut, in order.
    pub fn actions(&self, cut: &Cut) -> List<Action, CHAIN_CAP> {
        match self.chains.iter().flatten().nth(cut.order.into()) {
            Some(chains) => chains.actions(cut.target),
            None => self.chains_of(cut.order).actions(cut.target),
        }
    }
}
