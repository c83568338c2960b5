//! Best-first search over sequences of own cuts, several at each step (rules §11.4). Each sequence is completed to a
//! whole turn and valued by a playout in which both players plan without search.

use core::cmp::Reverse;

use crate::contests::ice_and_fire::{Player, State};
use crate::list::List;
use crate::search::best_first::{Node, Steps, best_first};

use super::cut_scan::CutScan;
use super::cuts::Cut;
use super::options::{HEADQUARTERS, Options};
use super::planner::Planner;
use super::turn_draft::TurnDraft;

/// Most cuts tried at each step.
const WIDEST: usize = 8;

/// A state of the search: the cuts at the beginning of a turn, and how the turn continues.
#[derive(Clone, Debug)]
pub struct CutSequence {
    draft: TurnDraft,
    continuation: Continuation,
}

/// Memory for one cut sequence of the search.
pub type CutNode = Node<CutSequence>;

/// How a turn continues after its cuts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Continuation {
    /// By the phases that the options switch on.
    Usual,
    /// By lines of play (phase 1) instead of cuts of the search.
    Plain,
    /// With the switch for towers along the border turned over.
    Towers,
    /// Without spending gold after the cuts.
    Thrift,
    /// Without defence.
    Bold,
    /// By lines of play, then by a plan of expansion.
    Expansion,
}

struct Problem<'p, 'r> {
    planner: &'p mut Planner<'r>,
    best: Option<(i32, TurnDraft)>,
}

impl Planner<'_> {
    /// Searches the turn of the player to move.
    pub(super) fn search(&mut self, state: &State, memory: &mut [CutNode]) -> TurnDraft {
        let start = CutSequence { draft: TurnDraft::new(state), continuation: Continuation::Plain };
        let mut problem = Problem { planner: self, best: None };
        best_first(&mut problem, start, memory);
        let best = problem.best.take();
        best.map_or_else(|| TurnDraft::new(state), |(_, draft)| draft)
    }

    /// Completes a cut sequence to a whole turn.
    fn complete(&mut self, line: &CutSequence) -> TurnDraft {
        let usual = self.options;
        let mut draft = line.draft.clone();
        if line.continuation == Continuation::Expansion {
            draft = self.play_lines(&draft);
            self.expand(&mut draft);
            self.parry_threats(&mut draft);
            return draft;
        }
        match line.continuation {
            Continuation::Plain => draft = self.play_lines(&draft),
            Continuation::Bold => self.options.second_pass = false,
            Continuation::Towers => self.options.towers = !usual.towers,
            Continuation::Thrift => {
                self.options = Options { towers: false, train: false, mines: 0, ..usual };
            }
            Continuation::Usual | Continuation::Expansion => {}
        }
        if !matches!(line.continuation, Continuation::Plain | Continuation::Bold)
            && draft.state().conqueror().is_none()
        {
            self.parry_threats(&mut draft);
        }
        let draft = self.finish(draft);
        self.options = usual;
        draft
    }

    /// Value of a turn for the player who made it: a playout of [`Options::replies`] further turns.
    fn play_out(&mut self, turn: &State) -> i32 {
        let player = turn.mover();
        let mut state = *turn;
        for reply in 0..self.options.replies {
            if state.is_over() || !self.has_time() {
                break;
            }
            state.end_turn();
            if state.is_over() {
                break;
            }
            let work = self.options.work.saturating_sub(self.evaluated);
            let mut options = Options { lines: 0, work, ..self.options };
            if options.hasty {
                options = Options { orders: 1, replan_moves: false, replan_train: false, ..options };
            }
            let mut planner = self.planner_for(&options, &state);
            state = *planner.plan(&state).state();
            self.evaluated = self.evaluated.saturating_add(planner.evaluated);
            if let Some(winner) = state.conqueror() {
                // Sooner is better for the winner.
                let worth = HEADQUARTERS - i32::from(reply);
                return if winner == player { worth } else { -worth };
            }
        }
        if let Some(winner) = state.conqueror() {
            return if winner == player { HEADQUARTERS + 1 } else { -HEADQUARTERS - 1 };
        }
        let idle = self.options.idle;
        assets(&state, player, idle) - assets(&state, player.opponent(), idle)
    }
}

/// Static evaluation of a player's possessions in gold, of which unspent gold counts `idle` hundredths.
fn assets(state: &State, player: Player, idle: u8) -> i32 {
    let active = state.active(player);
    let towers = (state.towers() & active).len() as i32;
    let land = active.len() as i32 + 4 * (state.mines() & active).len() as i32;
    let gold = state.gold(player).saturating_mul(idle.into()) / 100;
    gold + state.unit_cost(active) + 10 * towers + 8 * land - 4 * state.upkeep(active)
}

impl Steps for Problem<'_, '_> {
    type State = CutSequence;

    fn value(&mut self, line: &CutSequence) -> i32 {
        let draft = self.planner.complete(line);
        let value = self.planner.play_out(draft.state());
        // A playout that was broken off has not seen what the others have: beside them its value says nothing.
        let counts = self.best.is_none() || self.planner.has_time();
        if counts && self.best.as_ref().is_none_or(|&(best, _)| value > best) {
            self.best = Some((value, draft));
        }
        value
    }

    fn expand(&mut self, line: &CutSequence, found: &mut dyn FnMut(CutSequence) -> bool) {
        if line.continuation == Continuation::Expansion {
            return;
        }
        if line.continuation == Continuation::Plain {
            if self.planner.options.expansion.chosen
                && self.planner.is_opening(line.draft.state())
                && !found(CutSequence { continuation: Continuation::Expansion, ..line.clone() })
            {
                return;
            }
            for &continuation in
                &[Continuation::Usual, Continuation::Towers, Continuation::Bold, Continuation::Thrift]
            {
                if !found(CutSequence { continuation, ..line.clone() }) {
                    return;
                }
            }
            return;
        }
        let scan = CutScan::own(line.draft.state(), self.planner.options.orders);
        let width = usize::from(self.planner.options.width).min(WIDEST);
        let cuts = widest(self.planner.counted_cuts(&scan), width);
        for cut in cuts.iter().flatten() {
            let mut draft = line.draft.clone();
            if self.planner.play_cut(&mut draft, &scan, cut)
                && !found(CutSequence { draft, continuation: line.continuation })
            {
                return;
            }
        }
    }

    fn is_over(&mut self) -> bool {
        !self.planner.has_time()
    }
}

/// The `width` best cuts that cut off different land, the best first.
fn widest(cuts: impl Iterator<Item = Cut>, width: usize) -> List<Option<Cut>, WIDEST> {
    let mut kept = List::new();
    for cut in cuts.filter(Cut::is_worth_it) {
        let is_better = |other: &Option<Cut>| other.is_none_or(|other| cut.is_better_than(&other));
        let same =
            kept.iter().position(|other: &Option<Cut>| other.is_some_and(|other| other.lost == cut.lost));
        let slot = match same {
            Some(same) => kept.get_mut(same),
            None if kept.len() < width && kept.push(None).is_ok() => kept.last_mut(),
            None => kept.last_mut(),
        };
        if let Some(slot) = slot.filter(|slot| is_better(slot)) {
            *slot = Some(cut);
        }
        // The worst of them stays last.
        let rank =
            |cut: &Option<Cut>| cut.map(|cut| (Reverse(cut.score), cut.chain.gold, cut.target, cut.order));
        kept.sort_unstable_by_key(rank);
    }
    kept
}
