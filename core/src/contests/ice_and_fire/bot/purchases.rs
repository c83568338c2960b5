//! Purchases: towers along the border, new units, mines (rules §11.3, phases 4 to 6), and savings for a chain to the
//! headquarters (rules §11.4).

use core::cmp::Reverse;

use crate::contests::ice_and_fire::{Action, Cell, CellSet, Level, State, TOWER_COST, TURNS};

use super::chains::Chains;
use super::cuts::{Cut, training_score};
use super::holding::is_besieged;
use super::planner::Planner;
use super::turn_draft::TurnDraft;
use super::unit_moves::REPLANS;

/// Distance in steps from the opponent's units within which no mine is built.
const MINE_DISTANCE: u32 = 3;

impl Planner<'_> {
    /// Gold of the player to move beyond the savings.
    fn purse(&self, state: &State) -> i32 {
        state.gold(state.mover()).saturating_sub(self.saved)
    }

    /// Gold to save for a chain to the headquarters in the next turns, if income will pay the rest; else 0.
    pub(super) fn savings(&self, state: &State) -> i32 {
        if self.options.saving == 0 {
            return 0;
        }
        let player = state.mover();
        let awaited = state.earnings(player).max(0).saturating_mul(self.options.saving.into());
        let within = state.gold(player).saturating_add(awaited);
        // All units will be able to move again.
        let mut later = *state;
        later.make_ready();
        let chains = Chains::new(&later, player, within, 0);
        match chains.to(player.opponent().headquarters()) {
            Some(chain) => (chain.gold - awaited).max(0),
            None => 0,
        }
    }

    /// Builds towers where own land touches the opponent's.
    pub(super) fn build_towers(&mut self, draft: &mut TurnDraft) {
        while self.purse(draft.state()) >= TOWER_COST.saturating_add(self.options.weights.reserve) {
            let state = draft.state();
            let player = state.mover();
            let own = state.owned(player);
            let border = state.active(player) & state.owned(player.opponent()).neighbours();
            let towers = state.towers() & own;
            let free = state.active(player) - state.all_units() - state.buildings() - state.mine_spots();
            let sites = (free & (border | border.neighbours())) - towers.neighbours();
            let covers = |site: Cell| ((site.to_set() | site.to_set().neighbours()) & border).len();
            let Some(site) = sites.iter().min_by_key(|&site| (Reverse(covers(site)), site)) else { break };
            if !draft.play(self.rules, Action::Tower(site)) {
                break;
            }
        }
    }

    /// Trains units; plans anew without the units that a cut of the opponent would take.
    pub(super) fn train_units(&mut self, start: &TurnDraft) -> TurnDraft {
        let mut banned = CellSet::EMPTY;
        let mut draft = self.train_units_once(start, banned);
        if !self.options.replan_train {
            return draft;
        }
        // The fall of the headquarters takes all units with it; those that were not trained would not save them.
        let doomed = self.options.hold && is_besieged(start.state());
        for _ in 0..REPLANS {
            let new = draft.trained(start.actions().len());
            let is_meant = |cut: &Cut| cut.lost.intersects(new) && !(doomed && cut.headquarters);
            let Some(cut) = self.threat_where(draft.state(), is_meant) else { break };
            if !self.has_time() {
                break;
            }
            banned |= cut.lost & new;
            draft = self.train_units_once(start, banned);
        }
        draft
    }

    fn train_units_once(&mut self, start: &TurnDraft, banned: CellSet) -> TurnDraft {
        let mut draft = start.clone();
        let mut refused = banned;
        while self.purse(draft.state()) >= Level::One.cost() && draft.state().conqueror().is_none() {
            let state = draft.state();
            let Some(at) = self.training_place(state, refused) else { break };
            let affordable = |level: &Level| level.cost() <= self.purse(state);
            let action = Level::ALL
                .iter()
                .copied()
                .filter(affordable)
                .find(|&level| state.enterable(state.mover(), level).contains(at))
                .filter(|&level| {
                    level == Level::One || training_score(state, at, level, &self.options.weights) > 0
                })
                .map(|level| Action::Train { level, at });
            let pays = |action: &Action| {
                let mut after = *state;
                let mover = state.mover();
                after.apply(self.rules, *action).is_ok() && after.earnings(mover) >= 0
            };
            match action.filter(pays) {
                Some(action) if draft.play(self.rules, action) => {}
                _ => refused.insert(at),
            }
        }
        draft
    }

    /// The best cell for the next unit.
    fn training_place(&self, state: &State, refused: CellSet) -> Option<Cell> {
        let player = state.mover();
        let enemy = state.owned(player.opponent());
        let foreign = state.playable(player) - state.owned(player) - refused;
        let apart = foreign - state.units(player).neighbours();
        let wanted = apart | (foreign & enemy.neighbours());
        wanted.iter().min_by_key(|&cell| self.cell_rank(state, cell, CellSet::EMPTY))
    }

    /// Builds mines where the opponent is far and enough turns are left to earn the price.
    pub(super) fn build_mines(&mut self, draft: &mut TurnDraft) {
        let state = draft.state();
        let player = state.mover();
        let mut danger = state.units(player.opponent());
        for _ in 0..MINE_DISTANCE {
            danger |= danger.neighbours() & state.open();
        }
        let spots = state.active(player) & state.mine_spots();
        for site in (spots - state.all_units() - state.buildings() - danger).iter() {
            let price = draft.state().mine_price(self.rules, player);
            let left = i32::from(TURNS.saturating_sub(draft.state().turn()));
            if self.purse(draft.state()) < price || left <= price / 4 + 2 {
                break;
            }
            draft.play(self.rules, Action::Mine(site));
        }
    }
}
