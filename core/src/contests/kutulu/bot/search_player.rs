//! The order of a turn's decisions (rules §12.5): yell, opening, search; then plan or light where waiting is good.

use crate::contests::kutulu::constants::PLAN_RANGE;
use crate::contests::kutulu::{Action, Direction, EXPLORERS, MapTables, State};
use crate::rng::Rng;
use crate::search::smitsimax::{Choice, Node, SmitsiMax};

use super::local_game::SearchRoot;
use super::opening::Opening;
use super::outlook::SCALE;
use super::yell::{spooks_of_step, step_after_yell};
use super::{Tuning, light};

/// Simulations between two readings of the clock: less than half a millisecond.
const BATCH: u32 = 16;

/// Simulations that run without regard to the clock, so that every action is tried.
const LEAST: u32 = 16;

/// The part of the bot that chose an action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DecidedBy {
    /// No part: the explorer is locked or out of the game.
    Idle,
    /// A yell that costs the victims enough.
    Yell,
    /// The step aside in the turn after a yell.
    StepAside,
    /// The opening's path.
    Opening,
    /// The search.
    Search,
    /// A plan, where the search finds waiting nearly best.
    Plan,
    /// A light that turns a wanderer to another explorer, where the search finds waiting nearly best.
    Light,
}

/// Statistics of a decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DecisionReport {
    /// The part of the bot that chose the action.
    pub decision: DecidedBy,
    /// Depth of the search in turns, 0 without a search.
    pub depth: usize,
    /// Simulations of the search.
    pub simulations: u32,
    /// Nodes of the search trees.
    pub nodes: usize,
}

impl DecisionReport {
    const fn without_search(decision: DecidedBy) -> DecisionReport {
        DecisionReport { decision, depth: 0, simulations: 0, nodes: 0 }
    }
}

/// The searching player of one game, for states that are known.
#[derive(Clone, Debug)]
pub struct SearchPlayer {
    tuning: Tuning,
    rng: Rng,
    opening: Option<Opening>,
    /// The turn after a yell, and the step aside planned for that turn.
    step_aside: Option<(u16, Direction)>,
}

impl SearchPlayer {
    /// A player for a game on a map. The seed decides all random draws.
    pub fn new(tables: &MapTables, tuning: Tuning, seed: u64) -> SearchPlayer {
        SearchPlayer { tuning, rng: Rng::new(seed), opening: Opening::of(tables, &tuning), step_aside: None }
    }

    /// The own explorer's action in a state. The search runs while `more`, a function of the simulations run so far, is
    /// true. `nodes` is memory for the trees; [`NODES`](super::NODES) are enough.
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
        let yell =
            if self.tuning.skills.yell { None } else { step_after_yell(tables, state, own, &self.tuning) };
        if let Some(way) = yell {
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
        let tuning = self.tuning;
        let scene = SearchRoot::new(tables, state, own, &tuning);
        let mut trees = SmitsiMax::<_, EXPLORERS>::new(nodes, tuning.search, self.rng.next_u64());
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
        let skills = &tuning.skills;
        let (action, decision) = if waiting_is_good && !skills.plan && self.should_plan(tables, state, own) {
            (Action::Plan, DecidedBy::Plan)
        } else if waiting_is_good && !skills.light && self.should_light(tables, state, own) {
            (Action::Light, DecidedBy::Light)
        } else {
            (action, DecidedBy::Search)
        };
        (action, DecisionReport { decision, depth: scene.depth, simulations, nodes: trees.node_count() })
    }

    /// Whether the average of one choice is at most the tolerance below another's.
    fn is_nearly_as_good(&self, choice: &Choice<Action>, best: &Choice<Action>) -> bool {
        let tolerance = i64::from(self.tuning.wait_tolerance) * i64::from(SCALE);
        let tolerated = best.sum - tolerance * i64::from(best.visits);
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
