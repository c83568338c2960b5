//! Defence against the opponent's cuts (rules §11.2): by the first move, tower or training that parries a cut.

use core::cmp::Reverse;

use crate::contests::ice_and_fire::{Action, CellSet, Level, State, TOWER_COST};

use super::cut_scan::CutScan;
use super::cuts::{Cut, best};
use super::planner::Planner;
use super::turn_draft::TurnDraft;

/// Most cuts parried in one pass.
const PARRIES: usize = 12;

impl Planner<'_> {
    /// Parries the opponent's best cuts until none is worth it or one cannot be parried. Returns the score of the best
    /// cut that is left, or 0.
    pub(super) fn parry_threats(&mut self, draft: &mut TurnDraft) -> i32 {
        for _ in 0..PARRIES {
            let Some(cut) = self.best_threat(draft.state()) else { return 0 };
            if !self.options.defend || !self.has_time() || !self.parry(draft, &cut) {
                return cut.score;
            }
        }
        self.best_threat(draft.state()).map_or(0, |cut| cut.score)
    }

    /// Plays the first action that parries a cut of the opponent, or several for the headquarters. Returns whether the
    /// cut is parried.
    pub(super) fn parry(&mut self, draft: &mut TurnDraft, cut: &Cut) -> bool {
        // What happens elsewhere leaves the chain, and what it cuts off, as they are.
        let path = cut.chain.path | cut.chain.path.neighbours();
        let near = path | cut.lost | cut.lost.neighbours();
        let action =
            if self.options.defend_move { self.parry_by_move(draft.state(), cut, near) } else { None };
        let action = if action.is_none() && self.options.defend_tower {
            self.parry_by_tower(draft.state(), cut, path)
        } else {
            action
        };
        let action = if action.is_none() && self.options.defend_train {
            self.parry_by_training(draft.state(), cut, near)
        } else {
            action
        };
        match action {
            Some(action) => draft.play(self.rules, action),
            None => cut.headquarters && self.options.hold && self.hold_headquarters(draft),
        }
    }

    fn parry_by_move(&mut self, state: &State, cut: &Cut, near: CellSet) -> Option<Action> {
        let player = state.mover();
        for from in state.ready().iter() {
            let Some(level) = state.level(from) else { continue };
            let ways =
                (from.to_set().neighbours() & state.enterable(player, level) & near) - state.owned(player);
            for target in ways.iter() {
                let action = Action::Move { from, target };
                if self.parries(state, action, cut).is_some() {
                    return Some(action);
                }
            }
        }
        None
    }

    fn parry_by_tower(&mut self, state: &State, cut: &Cut, near: CellSet) -> Option<Action> {
        let player = state.mover();
        if state.gold(player) < TOWER_COST {
            return None;
        }
        let land = state.active(player);
        let sites = (land & near) - state.all_units() - state.buildings() - state.mine_spots();
        let mut chosen = None;
        for site in sites.iter() {
            let action = Action::Tower(site);
            let Some(left) = self.parries(state, action, cut) else { continue };
            let beside = (site.to_set().neighbours() & land).len();
            let rank = (left, Reverse(beside));
            if chosen.is_none_or(|(best, _)| rank < best) {
                chosen = Some((rank, action));
            }
        }
        chosen.map(|(_, action)| action)
    }

    fn parry_by_training(&mut self, state: &State, cut: &Cut, near: CellSet) -> Option<Action> {
        let player = state.mover();
        for &level in &Level::ALL {
            if state.gold(player) < level.cost() {
                return None;
            }
            let cells =
                (state.playable(player) & state.enterable(player, level) & near) - state.owned(player);
            for at in cells.iter() {
                let action = Action::Train { level, at };
                if self.parries(state, action, cut).is_some() {
                    return Some(action);
                }
            }
        }
        None
    }

    /// The number of the opponent's cuts worth it after an action; `None` if one of them cuts off the same area.
    fn parries(&mut self, state: &State, action: Action, cut: &Cut) -> Option<u32> {
        let mut after = *state;
        after.apply(self.rules, action).ok()?;
        let Some(scan) = CutScan::threat(&after, self.options.orders) else { return Some(0) };
        let mut left = 0;
        let mut same = false;
        for other in self.counted_cuts(&scan).filter(Cut::is_worth_it) {
            left += 1;
            let half = (other.lost & cut.lost).len() * 2 >= cut.lost.len();
            same |= if cut.headquarters { other.headquarters } else { half };
        }
        if same { None } else { Some(left) }
    }

    /// The opponent's best cut that is worth it and satisfies a condition.
    pub(super) fn threat_where(&mut self, state: &State, is_meant: impl Fn(&Cut) -> bool) -> Option<Cut> {
        let scan = CutScan::threat(state, self.options.orders)?;
        best(self.counted_cuts(&scan).filter(|cut| cut.is_worth_it() && is_meant(cut)))
    }
}
