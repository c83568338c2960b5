//! Whether to yell (rules §12.5, step 1): stand still and lock those beside us, then step aside, and let the minions
//! have them.

use crate::contests::kutulu::constants::{SPOOK_DAMAGE, YELL_RANGE};
use crate::contests::kutulu::{Action, Actions, Direction, EXPLORERS, MapTables, State};

use super::Tuning;

/// Nobody does anything.
const WAITS: Actions = [Some(Action::Wait); EXPLORERS];

/// Where to step in the turn after a yell that is worth it. `None` when none is.
///
/// Each way out is simulated twice: with all others waiting, and with the nearest of those who stay free running away
/// from us, since minions may follow it. It must be good in both.
pub(super) fn step_after_yell(
    tables: &MapTables,
    state: &State,
    own: usize,
    tuning: &Tuning,
) -> Option<Direction> {
    let victims = victims(tables, state, own);
    if victims == 0 || state.is_locked(own) {
        return None;
    }
    let runner = nearest_free(tables, state, own, victims);
    let mut ways = tables.neighbours(state.explorers[own].cell).map(|way| way.0);
    ways.find(|&way| {
        is_worth_it(tables, state, own, victims, way, None, tuning)
            && runner.is_none_or(|id| is_worth_it(tables, state, own, victims, way, Some(id), tuning))
    })
}

/// Whether a step hurts nobody but others: no minion spooks us in the next turn if all others wait.
pub(super) fn spooks_of_step(tables: &MapTables, state: &State, own: usize, way: Direction) -> u8 {
    let mut after = *state;
    let mut actions = WAITS;
    actions[own] = Some(Action::Step(way));
    let _ = after.play(tables, &actions);
    after.spooks[own]
}

/// Bits of those whom a yell would newly lock.
fn victims(tables: &MapTables, state: &State, own: usize) -> u8 {
    let at = state.point(tables.map(), own);
    let yelled_at = state.explorers[own].yelled_at;
    let is_victim = |id: &usize| {
        let is_near = state.point(tables.map(), *id).manhattan(at) <= YELL_RANGE;
        *id != own && is_near && yelled_at >> *id & 1 == 0 && !state.is_locked(*id)
    };
    state.living().filter(is_victim).fold(0, |bits, id| bits | 1 << id)
}

/// The nearest other explorer that can move.
fn nearest_free(tables: &MapTables, state: &State, own: usize, victims: u8) -> Option<usize> {
    let cell = state.explorers[own].cell;
    let is_free = |id: &usize| *id != own && victims >> *id & 1 == 0 && !state.is_locked(*id);
    let near = |id: &usize| tables.distance(cell, state.explorers[*id].cell).unwrap_or(u8::MAX);
    state.living().filter(is_free).min_by_key(near)
}

/// The step that takes an explorer farthest from us.
fn step_away(tables: &MapTables, state: &State, own: usize, id: usize) -> Action {
    let from = state.explorers[own].cell;
    let (mut action, cell) = (Action::Wait, state.explorers[id].cell);
    let mut farthest = tables.distance(from, cell);
    for (direction, next) in tables.neighbours(cell) {
        if tables.distance(from, next) > farthest {
            farthest = tables.distance(from, next);
            action = Action::Step(direction);
        }
    }
    action
}

fn is_worth_it(
    tables: &MapTables,
    state: &State,
    own: usize,
    victims: u8,
    way: Direction,
    runner: Option<usize>,
    tuning: &Tuning,
) -> bool {
    let mut after = *state;
    let mut damage = 0;
    for own_action in [Action::Yell, Action::Step(way)] {
        let mut actions = WAITS;
        actions[own] = Some(own_action);
        if let Some(id) = runner {
            actions[id] = Some(step_away(tables, &after, own, id));
        }
        let _ = after.play(tables, &actions);
        if after.spooks[own] > 0 {
            return false;
        }
        let spooks = (0..EXPLORERS).filter(|id| victims >> id & 1 == 1).map(|id| u32::from(after.spooks[id]));
        damage += u32::from(SPOOK_DAMAGE) * spooks.sum::<u32>();
    }
    damage >= tuning.yell_worth * victims.count_ones()
}
