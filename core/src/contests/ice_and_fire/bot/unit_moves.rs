//! Moves of the units that the line of play left in place (rules §11.3, phase 2).

use crate::contests::ice_and_fire::{Action, Cell, CellSet, Level, State};

use super::distances::steps_to;
use super::planner::Planner;
use super::turn_draft::TurnDraft;

/// Most rounds in which moves or trainings are planned anew.
pub(super) const REPLANS: u32 = 5;

/// The rank of a cell for a unit; less is better. Kind of land first; then steps to the enemy, neighbouring own units, and
/// distance from the diagonal.
pub(super) type CellRank = (u8, u8, u8, u8, Cell);

impl Planner<'_> {
    /// Moves all units; plans anew without the moves that open cuts which cannot be parried.
    pub(super) fn move_units(&mut self, start: &TurnDraft) -> TurnDraft {
        let mut held = CellSet::EMPTY;
        let mut draft = self.move_units_once(start, held);
        if !self.options.replan_moves {
            return draft;
        }
        for _ in 0..REPLANS {
            let vacated = draft.vacated(start.actions().len());
            let Some(opened) = self.opened(&draft, vacated) else { break };
            if opened.is_empty() || !self.has_time() {
                break;
            }
            held |= opened;
            draft = self.move_units_once(start, held);
        }
        draft
    }

    /// Vacated cells on the path of a cut that the gold left cannot parry. `None` if there is no such cut.
    fn opened(&mut self, draft: &TurnDraft, vacated: CellSet) -> Option<CellSet> {
        let mut trial = draft.clone();
        for _ in 0..REPLANS {
            let cut = self.threat_where(trial.state(), |cut| cut.chain.path.intersects(vacated))?;
            if !self.options.defend || !self.parry(&mut trial, &cut) {
                return Some(cut.chain.path & vacated);
            }
        }
        None
    }

    fn move_units_once(&mut self, start: &TurnDraft, held: CellSet) -> TurnDraft {
        let mut draft = start.clone();
        let mut waiting = draft.state().ready() - held;
        while let Some(from) = waiting.iter().min_by_key(|&cell| (self.to_enemy[cell.index()], cell)) {
            waiting.remove(from);
            if let Some(target) = self.step(draft.state(), from) {
                draft.play(self.rules, Action::Move { from, target });
            }
            if draft.state().conqueror().is_some() {
                break;
            }
        }
        draft
    }

    /// Target of a unit's move; `None` to stay.
    fn step(&self, state: &State, from: Cell) -> Option<Cell> {
        let level = state.level(from)?;
        let player = state.mover();
        let ways = from.to_set().neighbours() & state.enterable(player, level);
        if level == Level::Three {
            let towers = ways & state.towers() & state.owned(player.opponent());
            let nearer = |cell: &Cell| self.to_enemy[cell.index()] < self.to_enemy[from.index()];
            let onward = ways.iter().filter(nearer).min_by_key(|&to| (self.to_enemy[to.index()], to));
            return towers.first().or(onward).or_else(|| (ways - state.owned(player)).first());
        }
        let foreign = ways - state.owned(player);
        let tasted =
            |cells: CellSet| cells.iter().min_by_key(|&cell| self.cell_rank(state, cell, from.to_set()));
        if !foreign.is_empty() {
            return tasted(foreign);
        }
        let frontier = steps_to(state.open() - state.owned(player), state.open());
        let nearer = |cell: &Cell| frontier[cell.index()] < frontier[from.index()];
        let nearer = ways.iter().filter(nearer).collect::<CellSet>();
        let free = if self.options.unblock { nearer - blocking(state, from) } else { nearer };
        tasted(if free.is_empty() { nearer } else { free })
    }

    /// Rank of a cell for a unit that comes from one of the cells `but`.
    pub(super) fn cell_rank(&self, state: &State, cell: Cell, but: CellSet) -> CellRank {
        let player = state.mover();
        let kind = if state.owned(player.opponent()).contains(cell) {
            0
        } else {
            1 + u8::from(state.owned(player).contains(cell))
        };
        let beside = cell.to_set().neighbours();
        let others = state.units(player) - but;
        let crowded = u8::from(beside.intersects(others));
        let (far, off) = (self.to_enemy[cell.index()], cell.x().abs_diff(cell.y()));
        (kind, far, crowded, off, cell)
    }
}

/// Own cells on the only path of another unit to an unowned cell two steps away.
fn blocking(state: &State, mover: Cell) -> CellSet {
    let player = state.mover();
    let mut blocking = CellSet::EMPTY;
    for unit in (state.ready() - mover.to_set()).iter() {
        let beside = unit.to_set().neighbours() & state.open();
        let through = beside & state.owned(player);
        for goal in ((through.neighbours() & state.unowned()) - beside).iter() {
            let ways = goal.to_set().neighbours() & through;
            if ways.len() == 1 {
                blocking |= ways;
            }
        }
    }
    blocking
}
