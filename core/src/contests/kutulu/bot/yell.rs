//! Whether to yell (rules §12.5, step 1): lock neighbouring explorers, then step aside and leave them to the minions.

use crate::contests::kutulu::constants::{SPOOK_DAMAGE, YELL_RANGE};
use crate::contests::kutulu::{Action, Actions, Direction, EXPLORERS, MapTables, State};

use super::Tuning;

/// Actions of a turn in which all explorers wait.
const WAITS: Actions = [Some(Action::Wait); EXPLORERS];

/// The step aside in the turn after a yell that costs the victims enough. `None` if no yell does.
///
/// Each step is simulated twice: with all others waiting, and with the nearest unlocked explorer running away, since
/// minions may follow it. The yell must cost enough in both.
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

/// Spooks that the own explorer suffers in this turn after a step, all others waiting.
pub(super) fn spooks_of_step(tables: &MapTables, state: &State, own: usize, way: Direction) -> u8 {
    let mut after = *state;
    let mut actions = WAITS;
    actions[own] = Some(Action::Step(way));
    let _ = after.play(tables, &actions);
    after.spooks[own]
}

/// Bits of the explorers that a yell would newly lock.
fn victims(tables: &MapTables, state: &State, own: usize) -> u8 {
    let at = state.point(tables.map(), own);
    let yelled_at = state.explorers[own].yelled_at;
    let is_victim = |id: &usize| {
        let is_near = state.point(tables.map(), *id).manhattan(at) <= YELL_RANGE;
        *id != own && is_near && yelled_at >> *id & 1 == 0 && !state.is_locked(*id)
    };
    state.living().filter(is_victim).fold(0, |bits, id| bits | 1 << id)
}

/// The nearest other explorer that is neither locked nor a victim.
fn nearest_free(tables: &MapTables, state: &State, own: usize, victims: u8) -> Option<usize> {
    let cell = state.explorers[own].cell;
    let is_free = |id: &usize| *id != own && victims >> *id & 1 == 0 && !state.is_locked(*id);
    let near = |id: &usize| tables.distance(cell, state.explorers[*id].cell).unwrap_or(u8::MAX);
    state.living().filter(is_free).min_by_key(near)
}

/// The step of explorer `id` that leads farthest from the own one.
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
