//! Best-first search over sequences of own cuts, several at each step (rules §11.4). Each sequence is completed to a
//! whole turn and valued by a playout in which both players plan without search.

use core::cmp::Reverse;

use crate::contests::ice_and_fire::{CellSet, Player, State};
use crate::list::List;
use crate::search::best_first::{Node, Steps, best_first};

use super::cut_scan::{CutScan, EVERY_START};
use super::cuts::Cut;
use super::options::{Assets, HEADQUARTERS, Options};
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

/// Most turns that are looked at further.
const LEADERS: usize = 4;

/// A value below which headquarters have fallen.
const FALLEN: i32 = -HEADQUARTERS / 2;

struct Problem<'p, 'r> {
    planner: &'p mut Planner<'r>,
    /// The best turns with their values, the best first.
    leaders: [Option<(i32, TurnDraft)>; LEADERS],
}

impl Planner<'_> {
    /// Searches the turn of the player to move.
    pub(super) fn search(&mut self, state: &State, memory: &mut [CutNode]) -> TurnDraft {
        let start = CutSequence { draft: TurnDraft::new(state), continuation: Continuation::Plain };
        let mut problem = Problem { planner: self, leaders: [const { None }; LEADERS] };
        best_first(&mut problem, start, memory);
        let leaders = problem.leaders;
        self.verified(&leaders).map_or_else(|| TurnDraft::new(state), Clone::clone)
    }

    /// The first of the leading turns whose longer playout leaves the headquarters standing; where none does, the turn
    /// after which they stand longest.
    fn verified<'l>(&mut self, leaders: &'l [Option<(i32, TurnDraft)>]) -> Option<&'l TurnDraft> {
        let replies = self.options.replies.saturating_add(self.options.verify);
        let mut longest = None;
        for (value, draft) in leaders.iter().flatten() {
            if self.options.verify == 0 || *value <= FALLEN || !self.has_time() {
                break;
            }
            let fate = self.play_out(draft.state(), replies);
            if fate > FALLEN {
                return Some(draft);
            }
            if longest.is_none_or(|(longest, _)| fate > longest) {
                longest = Some((fate, draft));
            }
        }
        longest.map(|(_, draft)| draft).or_else(|| leaders.iter().flatten().map(|(_, draft)| draft).next())
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

    /// Value of a turn for the player who made it: a playout of so many further turns.
    fn play_out(&mut self, turn: &State, replies: u8) -> i32 {
        let player = turn.mover();
        let mut state = *turn;
        for reply in 0..replies {
            if state.is_over() || !self.has_time() {
                break;
            }
            state.end_turn();
            if state.is_over() {
                break;
            }
            let work = self.options.work.saturating_sub(self.evaluated);
            let orders = if self.options.orders >= EVERY_START { 2 } else { self.options.orders };
            let mut options = Options { lines: 0, work, orders, ..self.options };
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
        let worth = &self.options.assets;
        let lead = assets(&state, player, worth) - assets(&state, player.opponent(), worth);
        // No purse is worth headquarters.
        (lead / 100).clamp(-MOST_LEAD, MOST_LEAD) as i32
    }
}

/// Largest lead in a playout's evaluation, in gold.
const MOST_LEAD: i64 = HEADQUARTERS as i64 / 4;

/// Static evaluation of a player's possessions, in hundredths of gold.
fn assets(state: &State, player: Player, worth: &Assets) -> i64 {
    let active = state.active(player);
    let count = |cells: CellSet| cells.len() as i32;
    let times = |worth: u16, number: i32| i64::from(worth) * i64::from(number);
    times(worth.gold.into(), state.gold(player))
        + times(worth.unit, state.unit_cost(active))
        + times(worth.tower, count(state.towers() & active))
        + times(worth.cell, count(active))
        + times(worth.mine, count(state.mines() & active))
        - times(worth.upkeep, state.upkeep(active))
}

impl Problem<'_, '_> {
    /// Puts a turn among the leading ones, behind those of the same value, unless one of them ends as it does.
    fn lead(&mut self, value: i32, draft: TurnDraft) {
        let is_known = |leader: &Option<(i32, TurnDraft)>| {
            leader.as_ref().is_some_and(|(_, other)| other.state() == draft.state())
        };
        if self.leaders.iter().any(is_known) {
            return;
        }
        let is_behind =
            |leader: &Option<(i32, TurnDraft)>| leader.as_ref().is_none_or(|&(other, _)| value > other);
        let place = self.leaders.iter().position(is_behind);
        let Some(behind) = place.and_then(|place| self.leaders.get_mut(place..)) else { return };
        // The last one is left out.
        behind.rotate_right(1);
        if let Some(first) = behind.first_mut() {
            *first = Some((value, draft));
        }
    }
}

impl Steps for Problem<'_, '_> {
    type State = CutSequence;

    fn value(&mut self, line: &CutSequence) -> i32 {
        let draft = self.planner.complete(line);
        let value = self.planner.play_out(draft.state(), self.planner.options.replies);
        // A playout that was broken off has not seen what the others have: beside them its value says nothing.
        if self.leaders.iter().flatten().next().is_none() || self.planner.has_time() {
            self.lead(value, draft);
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
