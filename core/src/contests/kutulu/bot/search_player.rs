//! The order of a turn's decisions (rules §12.5): yell, opening, search; then plan or light where waiting is good.

use crate::contests::kutulu::constants::PLAN_RANGE;
use crate::contests::kutulu::{Action, Direction, EXPLORERS, MapTables, State};
use crate::rng::Rng;
use crate::search::smitsimax::{Choice, Node, SmitsiMax};

use super::local_game::SearchRoot;
use super::opening::Opening;
use super::yell::{spooks_of_step, step_after_yell};
use super::{Tuning, light};

/// Simulations between two looks at the clock: less than half a millisecond of them.
const BATCH: u32 = 16;

/// Simulations that are run whatever the clock says, so that every action has been tried.
const LEAST: u32 = 16;

/// What led to an action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DecidedBy {
    /// Locked, or not in the game: there is nothing to decide.
    Idle,
    /// A yell that is worth it.
    Yell,
    /// The step that a yell was made for.
    StepAside,
    /// The way of an opening.
    Opening,
    /// The search's move.
    Search,
    /// Waiting is good, and so is a plan.
    Plan,
    /// Waiting is good, and a light sends a wanderer to somebody else.
    Light,
}

/// How a turn was decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DecisionReport {
    /// By what.
    pub decision: DecidedBy,
    /// Turns that the search looked ahead, 0 without a search.
    pub depth: usize,
    /// Simulations that it ran.
    pub simulations: u32,
    /// Nodes that its trees have.
    pub nodes: usize,
}

impl DecisionReport {
    const fn without_search(decision: DecidedBy) -> DecisionReport {
        DecisionReport { decision, depth: 0, simulations: 0, nodes: 0 }
    }
}

/// The bot in one game.
#[derive(Clone, Debug)]
pub struct SearchPlayer {
    tuning: Tuning,
    rng: Rng,
    opening: Option<Opening>,
    /// The turn after a yell, and the step for it.
    step_aside: Option<(u16, Direction)>,
}

impl SearchPlayer {
    /// A bot for a game on this map. The seed decides what it draws.
    pub fn new(tables: &MapTables, tuning: Tuning, seed: u64) -> SearchPlayer {
        SearchPlayer { tuning, rng: Rng::new(seed), opening: Opening::of(tables, &tuning), step_aside: None }
    }

    /// The own explorer's action in a state. The search goes on as long as `more`, which is told the simulations run
    /// so far, says so. `nodes` is memory for its trees; [`NODES`](super::NODES) are enough.
    pub fn choose(
        &mut self,
        tables: &MapTables,
        state: &State,
        own: usize,
        nodes: &mut [Node<Action>],
        more: &mut dyn FnMut(u32) -> bool,
    ) -> (Action, DecisionReport) {
        if !state.is_alive(own) || state.is_locked(own) {
            return (Action::Wait, DecisionReport::without_search(DecidedBy::Idle));
        }
        let step_aside = self.step_aside.take().filter(|(turn, _)| *turn == state.turn);
        let step_aside = step_aside.filter(|(_, way)| spooks_of_step(tables, state, own, *way) == 0);
        if let Some((_, way)) = step_aside {
            return (Action::Step(way), DecisionReport::without_search(DecidedBy::StepAside));
        }
        if let Some(way) = step_after_yell(tables, state, own, &self.tuning) {
            self.step_aside = Some((state.turn + 1, way));
            return (Action::Yell, DecisionReport::without_search(DecidedBy::Yell));
        }
        if let Some(way) = self.opening_step(tables, state, own) {
            return (Action::Step(way), DecisionReport::without_search(DecidedBy::Opening));
        }
        self.search(tables, state, own, nodes, more)
    }

    fn opening_step(&mut self, tables: &MapTables, state: &State, own: usize) -> Option<Direction> {
        if Opening::is_over(tables, state, own, &self.tuning) {
            self.opening = None;
        }
        self.opening.as_mut()?.step(tables, state, own, &self.tuning)
    }

    fn search(
        &mut self,
        tables: &MapTables,
        state: &State,
        own: usize,
        nodes: &mut [Node<Action>],
        more: &mut dyn FnMut(u32) -> bool,
    ) -> (Action, DecisionReport) {
        let scene = SearchRoot::new(tables, state, own, &self.tuning);
        let mut trees = SmitsiMax::<_, EXPLORERS>::new(nodes, self.tuning.search, self.rng.next_u64());
        let mut simulations = 0;
        while simulations < LEAST || more(simulations) {
            trees.run(&scene.local_game, &scene.state, scene.depth, BATCH);
            simulations += BATCH;
        }
        let best = trees.best(own);
        let wait = trees.choices(own).find(|choice| choice.action == Action::Wait);
        let waiting_is_good = match (wait, best) {
            (Some(wait), Some(best)) => self.is_nearly_as_good(&wait, &best),
            _ => false,
        };
        let action = best.map_or(Action::Wait, |best| best.action);
        let (action, decision) = if waiting_is_good && self.should_plan(tables, state, own) {
            (Action::Plan, DecidedBy::Plan)
        } else if waiting_is_good && self.should_light(tables, state, own) {
            (Action::Light, DecidedBy::Light)
        } else {
            (action, DecidedBy::Search)
        };
        (action, DecisionReport { decision, depth: scene.depth, simulations, nodes: trees.node_count() })
    }

    /// Whether the average of one choice is at most the tolerance below another's.
    fn is_nearly_as_good(&self, choice: &Choice<Action>, best: &Choice<Action>) -> bool {
        let tolerated = best.sum - i64::from(self.tuning.wait_tolerance) * i64::from(best.visits);
        let (left, right) = (
            i128::from(choice.sum) * i128::from(best.visits),
            i128::from(tolerated) * i128::from(choice.visits),
        );
        choice.visits > 0 && left >= right
    }

    fn should_plan(&self, tables: &MapTables, state: &State, own: usize) -> bool {
        let explorer = &state.explorers[own];
        if explorer.plans == 0 || state.has_effect(own) {
            return false;
        }
        let is_near = |id: usize| {
            let steps = tables.distance(explorer.cell, state.explorers[id].cell);
            id != own && steps.is_some_and(|steps| steps <= PLAN_RANGE)
        };
        let in_company = state.living().any(is_near);
        explorer.sanity < self.tuning.plan_sanity && in_company
            || state.living_count() == 2 && explorer.sanity <= self.tuning.last_two_plan_sanity
    }

    fn should_light(&self, tables: &MapTables, state: &State, own: usize) -> bool {
        let has_light = state.explorers[own].lights > 0 && !state.has_effect(own);
        self.tuning.lights && has_light && light::is_useful(tables, state, own)
    }
}
