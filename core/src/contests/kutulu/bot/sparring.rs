//! Sparring partners: three simple bots of other styles than the bot's own, so that it is not measured against itself
//! alone.

use crate::contests::kutulu::constants::{COMPANY_RANGE, FULL_SANITY, PLAN_RANGE};
use crate::contests::kutulu::{Action, Actions, Cell, EXPLORERS, EffectKind, MapTables, MinionPhase, State};
use crate::list::List;

use super::light;

/// Plies of the exhaustive search.
pub const PLIES: usize = 5;

/// Actions of a turn in which all explorers wait.
const WAITS: Actions = [Some(Action::Wait); EXPLORERS];

/// Worth of a point of sanity, above all that is counted in steps.
const SANITY: i64 = 1 << 20;

/// A bot of one simple style.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sparring {
    /// Tries all sequences of five own moves, the others moving greedily; of equals the one that loses sanity later, then
    /// the one that ends nearer to company or a shelter. Plans in company.
    FivePly,
    /// Flees from what is about to hurt, else goes to the nearest explorer or shelter.
    Gather,
    /// As the one before, with plans and lights as early as they help.
    Lamp,
}

impl Sparring {
    /// All sparring partners.
    pub const ALL: [Sparring; 3] = [Sparring::FivePly, Sparring::Gather, Sparring::Lamp];

    /// Name of the sparring partner on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Sparring::FivePly => "five-ply",
            Sparring::Gather => "gather",
            Sparring::Lamp => "lamp",
        }
    }

    /// The own explorer's action.
    pub fn choose(self, tables: &MapTables, state: &State, own: usize) -> Action {
        if !state.is_alive(own) || state.is_locked(own) {
            return Action::Wait;
        }
        if self != Sparring::Gather && plans(tables, state, own) {
            return Action::Plan;
        }
        let explorer = &state.explorers[own];
        if self == Sparring::Lamp
            && explorer.lights > 0
            && !state.has_effect(own)
            && light::is_useful(tables, state, own)
        {
            return Action::Light;
        }
        match self {
            Sparring::FivePly => search(tables, state, own),
            Sparring::Gather | Sparring::Lamp => walk(tables, state, own),
        }
    }
}

/// Whether a plan helps now: nothing of it is lost, and somebody is near, or only two are left.
fn plans(tables: &MapTables, state: &State, own: usize) -> bool {
    let explorer = &state.explorers[own];
    let is_near = |id: usize| {
        let steps = tables.distance(explorer.cell, state.explorers[id].cell);
        id != own && steps.is_some_and(|steps| steps <= PLAN_RANGE)
    };
    explorer.plans > 0
        && !state.has_effect(own)
        && explorer.sanity <= FULL_SANITY - 25
        && (state.living_count() == 2 || state.living().any(is_near))
}

fn moves(tables: &MapTables, state: &State, id: usize) -> List<Action, 5> {
    let mut moves = List::new();
    let steps = tables.neighbours(state.explorers[id].cell).map(|(direction, _)| Action::Step(direction));
    for action in core::iter::once(Action::Wait).chain(steps) {
        // Four directions and waiting fit.
        let _ = moves.push(action);
    }
    moves
}

/// Steps from a square to the nearest company or shelter of an explorer.
fn way(tables: &MapTables, state: &State, own: usize, cell: Cell) -> i64 {
    let friends = state.living().filter(|&id| id != own).map(|id| state.explorers[id].cell);
    let friends = friends.filter_map(|friend| tables.distance(cell, friend));
    let company = friends.map(|steps| i64::from(steps) - i64::from(COMPANY_RANGE)).min();
    let shelters = state.effects.iter().filter_map(|effect| match effect.kind {
        EffectKind::Shelter { cell: at } if state.explorers[own].sanity < FULL_SANITY => {
            tables.distance(cell, at)
        }
        _ => None,
    });
    let shelter = shelters.map(i64::from).min();
    company.into_iter().chain(shelter).min().unwrap_or(99).max(0)
}

/// Danger at the end of a sequence: a slasher that will rush here, a dead end with a wanderer near.
fn trouble(tables: &MapTables, state: &State, own: usize) -> i64 {
    let cell = state.explorers[own].cell;
    let mut trouble = 0;
    let mut is_hunted = false;
    for minion in state.minions.iter() {
        if minion.is_slasher {
            let rushes = minion.phase == MinionPhase::Rush
                || minion.phase == MinionPhase::Stalking && minion.counter <= 2;
            trouble += i64::from(rushes && tables.sees(minion.cell, cell));
        } else if minion.phase == MinionPhase::Wandering {
            is_hunted |= tables.distance(minion.cell, cell).is_some_and(|steps| steps < 4);
        }
    }
    trouble + i64::from(is_hunted && tables.neighbours(cell).count() < 2)
}

/// The best first move by all sequences of own moves.
fn search(tables: &MapTables, state: &State, own: usize) -> Action {
    let mut predicted = [WAITS; PLIES];
    let mut seen = *state;
    for actions in &mut predicted {
        for id in seen.living().filter(|&id| id != own && !seen.is_locked(id)) {
            actions[id] = Some(greedy(tables, &seen, id));
        }
        let _ = seen.play_fast(tables, actions);
    }
    let mut best = (i64::MIN, Action::Wait);
    for &action in moves(tables, state, own).iter() {
        let value = deepen(tables, state, own, action, &predicted);
        if value > best.0 {
            best = (value, action);
        }
    }
    best.1
}

/// Value of an action and of the best own moves after it, one for each further turn that is predicted.
fn deepen(tables: &MapTables, state: &State, own: usize, action: Action, predicted: &[Actions]) -> i64 {
    let Some((first, later)) = predicted.split_first() else { return 0 };
    let mut after = *state;
    let mut actions = *first;
    actions[own] = Some(action);
    let _ = after.play_fast(tables, &actions);
    let sanity = i64::from(after.explorers[own].sanity);
    // What is lost later is lost less.
    let kept = sanity * SANITY / 64;
    if !after.is_alive(own) {
        return kept - SANITY * SANITY / 64;
    }
    if later.is_empty() || after.is_over() {
        let end = &after.explorers[own];
        return kept + sanity * SANITY
            - trouble(tables, &after, own) * SANITY * 8
            - way(tables, &after, own, end.cell);
    }
    let next = moves(tables, &after, own);
    let values = next.iter().map(|&action| deepen(tables, &after, own, action, later));
    kept + values.max().unwrap_or(0)
}

/// The move that leaves most sanity after one turn in which all others wait, of equals the one nearest to company.
fn greedy(tables: &MapTables, state: &State, id: usize) -> Action {
    let mut best = (i64::MIN, Action::Wait);
    for &action in moves(tables, state, id).iter() {
        let mut after = *state;
        let mut actions = WAITS;
        actions[id] = Some(action);
        let _ = after.play_fast(tables, &actions);
        let end = &after.explorers[id];
        let value = i64::from(end.sanity) * SANITY - way(tables, state, id, end.cell);
        if value > best.0 {
            best = (value, action);
        }
    }
    best.1
}

/// Flight from what hurts within two turns or is two steps away; else the way to company or a shelter.
fn walk(tables: &MapTables, state: &State, own: usize) -> Action {
    let mut best = (i64::MIN, Action::Wait);
    for &action in moves(tables, state, own).iter() {
        let mut after = *state;
        let mut actions = WAITS;
        actions[own] = Some(action);
        let _ = after.play_fast(tables, &actions);
        let cell = after.explorers[own].cell;
        let hunters = after.minions.iter().filter(|minion| minion.phase == MinionPhase::Wandering);
        let near = hunters.filter_map(|minion| tables.distance(minion.cell, cell)).min();
        let fear = i64::from(3_u8.saturating_sub(near.unwrap_or(u8::MAX)));
        let value = i64::from(after.explorers[own].sanity) * SANITY
            - (fear + trouble(tables, &after, own)) * SANITY * 4
            - way(tables, state, own, cell);
        if value > best.0 {
            best = (value, action);
        }
    }
    best.1
}
