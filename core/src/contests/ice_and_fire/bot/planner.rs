//! The planner of a turn (rules §11.3): every phase adds actions to one turn draft.

use crate::contests::ice_and_fire::{Rules, SLOTS, State};

use super::cut_scan::CutScan;
use super::cuts::{Cut, best};
use super::distances::steps_to;
use super::options::Options;
use super::turn_draft::TurnDraft;

/// The planner of one turn.
pub(super) struct Planner<'r> {
    pub(super) rules: &'r Rules,
    pub(super) options: Options,
    /// Static distances to the opponent's headquarters.
    pub(super) to_enemy: [u8; SLOTS],
    /// Whether the time is up.
    late: &'r dyn Fn() -> bool,
    /// Cuts evaluated so far.
    pub(super) evaluated: u32,
    /// Gold that phases 4 to 6 must leave.
    pub(super) saved: i32,
}

impl<'r> Planner<'r> {
    pub(super) fn new(
        rules: &'r Rules,
        options: &Options,
        state: &State,
        late: &'r dyn Fn() -> bool,
    ) -> Planner<'r> {
        let enemy = state.mover().opponent().headquarters().to_set();
        let to_enemy = steps_to(enemy, state.open());
        Planner { rules, options: *options, to_enemy, late, evaluated: 0, saved: 0 }
    }

    /// Plans the turn of the player to move without search.
    pub(super) fn plan(&mut self, state: &State) -> TurnDraft {
        let draft = self.play_lines(&TurnDraft::new(state));
        self.finish(draft)
    }

    /// Adds the phases after the lines of play.
    pub(super) fn finish(&mut self, mut draft: TurnDraft) -> TurnDraft {
        if draft.state().conqueror().is_some() {
            return draft;
        }
        if self.options.moves {
            draft = self.move_units(&draft);
        }
        if self.options.second_pass {
            self.parry_threats(&mut draft);
        }
        self.saved = self.savings(draft.state());
        if self.options.mines == 2 {
            self.build_mines(&mut draft);
        }
        if self.options.towers {
            self.build_towers(&mut draft);
        }
        if self.options.train {
            draft = self.train_units(&draft);
        }
        if self.options.mines == 1 {
            self.build_mines(&mut draft);
        }
        draft
    }

    /// Whether neither work nor time of the turn is used up.
    pub(super) fn has_time(&self) -> bool {
        self.evaluated < self.options.work && !(self.late)()
    }

    /// A planner for another turn of the same players.
    pub(super) fn planner_for(&self, options: &Options, state: &State) -> Self {
        Planner::new(self.rules, options, state, self.late)
    }

    /// The best own cut that is worth it, with the scan that found it.
    pub(super) fn best_cut(&mut self, state: &State) -> Option<(Cut, CutScan)> {
        let scan = CutScan::own(state, self.options.orders);
        let cut = best(self.counted_cuts(&scan)).filter(Cut::is_worth_it)?;
        Some((cut, scan))
    }

    /// The best cut of the opponent's next turn that is worth it.
    pub(super) fn best_threat(&mut self, state: &State) -> Option<Cut> {
        let scan = CutScan::threat(state, self.options.orders)?;
        best(self.counted_cuts(&scan)).filter(Cut::is_worth_it)
    }

    /// All cuts of a scan, counted as work.
    pub(super) fn counted_cuts<'l>(&'l mut self, scan: &'l CutScan) -> impl Iterator<Item = Cut> + 'l {
        let (evaluated, weights) = (&mut self.evaluated, &self.options.weights);
        scan.cuts(weights).inspect(move |_| *evaluated = evaluated.saturating_add(1))
    }

    /// Plays the actions of a cut. Returns whether the rules accepted all of them.
    pub(super) fn play_cut(&self, draft: &mut TurnDraft, scan: &CutScan, cut: &Cut) -> bool {
        let actions = scan.actions(cut);
        actions.iter().all(|&action| draft.state().conqueror().is_some() || draft.play(self.rules, action))
    }
}
