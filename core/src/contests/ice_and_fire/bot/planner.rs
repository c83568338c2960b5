//! The flow of a turn (rules §11.3): every phase adds to one draft.

use crate::contests::ice_and_fire::{Rules, SLOTS, State};

use super::cut_scan::CutScan;
use super::cuts::{Cut, best};
use super::distances::steps_to;
use super::options::Options;
use super::turn_draft::TurnDraft;

/// The order of preferences in moving and training.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Preference {
    /// That of rules §11.3: towards the enemy.
    Forward,
    /// Away from friends first.
    Apart,
    /// To where the most unowned land is first.
    Land,
}

/// One turn being planned.
pub(super) struct Planner<'r> {
    pub(super) rules: &'r Rules,
    pub(super) options: Options,
    /// Static distances to the opponent's headquarters.
    pub(super) to_enemy: [u8; SLOTS],
    /// Whether the time is up.
    late: &'r dyn Fn() -> bool,
    /// Cuts looked at so far.
    pub(super) evaluated: u32,
    /// Gold that phases 4 to 6 must leave.
    pub(super) saved: i32,
    /// What comes first when cells are compared.
    pub(super) preference: Preference,
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
        Planner {
            rules,
            options: *options,
            to_enemy,
            late,
            evaluated: 0,
            saved: 0,
            preference: Preference::Forward,
        }
    }

    /// The turn of the player to move.
    pub(super) fn plan(&mut self, state: &State) -> TurnDraft {
        let draft = self.play_lines(&TurnDraft::new(state));
        self.finish(draft)
    }

    /// The phases after the lines of play.
    pub(super) fn finish(&mut self, mut draft: TurnDraft) -> TurnDraft {
        if draft.state().conqueror().is_some() {
            return draft;
        }
        if self.options.moves {
            draft = self.walk(&draft);
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

    /// Whether there is work left for what could as well be left out.
    pub(super) fn has_time(&self) -> bool {
        self.evaluated < self.options.work && !(self.late)()
    }

    /// A planner for another turn of the same players.
    pub(super) fn planner_for(&self, options: &Options, state: &State) -> Self {
        Planner::new(self.rules, options, state, self.late)
    }

    /// The best own cut, if one is worth it, with what makes it.
    pub(super) fn best_cut(&mut self, state: &State) -> Option<(Cut, CutScan)> {
        let scan = CutScan::own(state, self.options.orders);
        let cut = best(self.counted(&scan)).filter(Cut::is_worth_it)?;
        Some((cut, scan))
    }

    /// The opponent's best cut in its next turn, if one is worth it.
    pub(super) fn best_threat(&mut self, state: &State) -> Option<Cut> {
        let scan = CutScan::threat(state, self.options.orders)?;
        best(self.counted(&scan)).filter(Cut::is_worth_it)
    }

    /// All cuts of a look, counted as work.
    pub(super) fn counted<'l>(&'l mut self, scan: &'l CutScan) -> impl Iterator<Item = Cut> + 'l {
        let (evaluated, weights) = (&mut self.evaluated, &self.options.weights);
        scan.cuts(weights).inspect(move |_| *evaluated = evaluated.saturating_add(1))
    }

    /// Makes a cut; whether all of it was accepted.
    pub(super) fn make(&self, draft: &mut TurnDraft, scan: &CutScan, cut: &Cut) -> bool {
        let actions = scan.actions(cut);
        actions.iter().all(|&action| draft.state().conqueror().is_some() || draft.play(self.rules, action))
    }
}
