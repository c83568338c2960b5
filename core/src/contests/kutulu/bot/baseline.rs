//! Simple bots for comparison (rules §12.6).

use crate::contests::kutulu::{Action, Actions, EXPLORERS, MapTables, State};
use crate::list::List;
use crate::rng::Rng;

/// Random turns over which a move of [`Baseline::OneTurnRandom`] is averaged.
const DRAWS: u32 = 32;

/// A bot that does not search beyond one turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Baseline {
    /// Waits in every turn.
    Wait,
    /// Waits or takes a step, each equally likely.
    Random,
    /// The move that leaves most sanity after one turn if all others wait.
    OneTurn,
    /// The move that leaves most sanity after one turn if all others move at random, on the average of 32 draws.
    OneTurnRandom,
}

impl Baseline {
    /// All baselines, the weakest first.
    pub const ALL: [Baseline; 4] =
        [Baseline::Wait, Baseline::Random, Baseline::OneTurn, Baseline::OneTurnRandom];

    /// Name of the baseline on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Baseline::Wait => "wait",
            Baseline::Random => "random",
            Baseline::OneTurn => "one-turn",
            Baseline::OneTurnRandom => "one-turn-random",
        }
    }

    /// The own explorer's action. Ties go to waiting, then to the first direction in the rules' order. An
    /// explorer that does not exist waits.
    pub fn choose(self, tables: &MapTables, state: &State, own: usize, rng: &mut Rng) -> Action {
        if own >= EXPLORERS {
            return Action::Wait;
        }
        let moves = moves(tables, state, own);
        match self {
            Baseline::Wait => Action::Wait,
            Baseline::Random => rng.choose(&moves).copied().unwrap_or_default(),
            Baseline::OneTurn => best(&moves, |action| {
                let mut actions = [Some(Action::Wait); EXPLORERS];
                actions[own] = Some(action);
                sanity_after(tables, state, own, &actions)
            }),
            Baseline::OneTurnRandom => best(&moves, |action| {
                let after_draw = |_| {
                    let mut actions = [Some(action); EXPLORERS];
                    for id in state.living().filter(|&id| id != own) {
                        actions[id] = rng.choose(&self::moves(tables, state, id)).copied();
                    }
                    sanity_after(tables, state, own, &actions)
                };
                (0..DRAWS).map(after_draw).sum()
            }),
        }
    }
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

fn sanity_after(tables: &MapTables, state: &State, own: usize, actions: &Actions) -> u32 {
    let mut after = *state;
    let _ = after.play_fast(tables, actions);
    u32::from(after.explorers[own].sanity)
}

fn best(moves: &[Action], mut value: impl FnMut(Action) -> u32) -> Action {
    let mut best = (0, Action::Wait);
    for &action in moves {
        let value = value(action);
        if value > best.0 {
            best = (value, action);
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contests::kutulu::{Constants, Dice, pool_map};

    #[test]
    fn whoever_is_nobody_waits() {
        let map = pool_map(0).unwrap();
        let (tables, mut rng) = (MapTables::new(&map), Rng::new(1));
        let state = State::start(&map, Constants::draw(&mut Dice::new(1)), Dice::new(1));
        for baseline in Baseline::ALL {
            for own in [EXPLORERS, usize::MAX] {
                assert_eq!(baseline.choose(&tables, &state, own, &mut rng), Action::Wait, "{baseline:?}");
            }
        }
    }
}
