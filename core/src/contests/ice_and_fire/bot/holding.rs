//! Holding the headquarters by several actions: where no single one parries the chain to them, each that is played
//! makes the cheapest chain dearer, until the opponent's gold does not pay it or nothing helps any more.

use crate::contests::ice_and_fire::{Action, Cell, CellSet, Level, State, TOWER_COST};

use super::chains::Chains;
use super::planner::Planner;
use super::turn_draft::TurnDraft;

/// Most actions of one defence.
const ACTIONS: usize = 12;

/// Gold up to which chains are sought beyond what the opponent has: where there is none, the headquarters are out of
/// reach.
const BEYOND: i32 = 150;

/// Work of one search of chains, in cuts evaluated.
const CHAINS_WORK: u32 = 12;

/// The opponent's way to the headquarters in its next turn.
#[derive(Clone, Copy)]
struct Siege {
    /// Gold of the opponent less that of the cheapest chain; negative where the chain is out of reach.
    spare: i32,
    /// Cells of the chain.
    path: CellSet,
}

/// The cheapest chain to the headquarters of the player to move.
fn siege(state: &State) -> Siege {
    let home = state.mover().headquarters();
    let mut next = *state;
    next.end_turn();
    let opponent = next.mover();
    let gold = next.gold(opponent);
    let reach = gold.saturating_add(BEYOND);
    let chain = if next.is_over() { None } else { Chains::new(&next, opponent, reach, 0).to(home) };
    chain.map_or(Siege { spare: -BEYOND - 1, path: CellSet::EMPTY }, |chain| Siege {
        spare: gold - chain.gold,
        path: chain.path,
    })
}

impl Planner<'_> {
    /// Makes the opponent's chain to the headquarters dearer, action by action, each the one that adds most for its
    /// price. Keeps the actions if the headquarters are safe then, or at least the chain is dearer.
    pub(super) fn hold_headquarters(&mut self, draft: &mut TurnDraft) -> bool {
        let mut before = siege(draft.state());
        for _ in 0..ACTIONS {
            if before.spare < 0 || !self.has_time() {
                break;
            }
            let Some((action, after)) = self.dearest(draft.state(), before) else { break };
            if !draft.play(self.rules, action) {
                break;
            }
            before = after;
        }
        before.spare < 0
    }

    /// The action that makes the chain dearest for its own price, with the chain that is left.
    fn dearest(&mut self, state: &State, before: Siege) -> Option<(Action, Siege)> {
        let mut best: Option<((bool, i32), Action, Siege)> = None;
        for (action, price) in blocks(state, before.path) {
            let mut after = *state;
            if after.apply(self.rules, action).is_err() {
                continue;
            }
            self.evaluated = self.evaluated.saturating_add(CHAINS_WORK);
            let left = siege(&after);
            let gain = before.spare.saturating_sub(left.spare);
            if gain <= 0 {
                continue;
            }
            let safe = left.spare < 0;
            let rank = (safe, if safe { -price } else { gain.saturating_mul(100) / (price + 1) });
            if best.as_ref().is_none_or(|&(known, ..)| rank > known) {
                best = Some((rank, action, left));
            }
        }
        best.map(|(_, action, left)| (action, left))
    }
}

/// Actions that may stand in the way of a chain, with their prices: towers beside it, units on it, moves onto it.
fn blocks(state: &State, path: CellSet) -> impl Iterator<Item = (Action, i32)> + '_ {
    let player = state.mover();
    let gold = state.gold(player);
    let near = (path | path.neighbours()) & state.open();
    let free = state.active(player) - state.all_units() - state.buildings();
    let towers = if gold < TOWER_COST { CellSet::EMPTY } else { (free - state.mine_spots()) & near };
    let towers = towers.iter().map(|site| (Action::Tower(site), TOWER_COST));
    let levels = Level::ALL.iter().copied().filter(move |level| level.cost() <= gold);
    let units = levels.flat_map(move |level| {
        let cells = path & state.playable(player) & state.enterable(player, level);
        cells.iter().map(move |at| (Action::Train { level, at }, level.cost() + 2 * level.upkeep()))
    });
    let moves = state.ready().iter().flat_map(move |from| {
        let ways = state.level(from).map_or(CellSet::EMPTY, |level| {
            from.to_set().neighbours() & path & state.enterable(player, level)
        });
        ways.iter().map(move |target: Cell| (Action::Move { from, target }, 0))
    });
    moves.chain(towers).chain(units)
}

/// Whether the opponent of the player to move can take the headquarters in its next turn.
pub(super) fn is_besieged(state: &State) -> bool {
    siege(state).spare >= 0
}
