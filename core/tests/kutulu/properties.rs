//! Properties of every game, whatever the explorers do.

use barrow_core::contests::kutulu::{
    Action, Actions, Constants, EXPLORERS, EffectKind, MapTables, MinionPhase, POOL_SIZE, State, pool_map,
};
use barrow_core::contests::lcg48::Lcg48;
use proptest::prelude::*;

use barrow_testing::kutulu::{action, mutate};

/// Tables of all maps, computed once.
fn mazes() -> &'static [MapTables] {
    static MAZES: std::sync::OnceLock<Vec<MapTables>> = std::sync::OnceLock::new();
    MAZES.get_or_init(|| (0..POOL_SIZE).map(|index| MapTables::new(&pool_map(index).unwrap())).collect())
}

fn start(seed: u64) -> (&'static MapTables, State) {
    let (index, constants, dice) = State::draw(seed);
    let tables = &mazes()[index];
    (tables, State::start(tables.map(), constants, dice))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn states_stay_valid_and_games_end(seed: u64, bytes in prop::collection::vec(any::<[u8; 4]>(), 200)) {
        let (tables, mut state) = start(seed);
        for bytes in bytes {
            let before = state;
            prop_assert_eq!(state.play(tables, &bytes.map(action)), Ok(()));
            prop_assert_eq!(state.check(tables.map()), Ok(()));
            if before.is_over() {
                prop_assert_eq!(state, before);
                break;
            }
            prop_assert_eq!(state.turn, before.turn + 1);
            for id in 0..EXPLORERS {
                let (now, then) = (state.explorers[id], before.explorers[id]);
                prop_assert_eq!(state.is_alive(id), state.scores[id].is_none());
                prop_assert!(!state.is_alive(id) || before.is_alive(id));
                let moved = tables.map().point(now.cell).manhattan(tables.map().point(then.cell));
                prop_assert!(moved <= 1);
                if before.is_locked(id) {
                    prop_assert_eq!((moved, now.plans, now.lights), (0, then.plans, then.lights));
                }
            }
            let slashers = state.minions.iter().filter(|minion| minion.is_slasher).count();
            let had = state.explorers.iter().filter(|explorer| explorer.had_slasher).count();
            prop_assert_eq!(slashers, had);
        }
        prop_assert!(state.is_over());
    }

    #[test]
    fn a_game_follows_from_its_seed(seed: u64, bytes in prop::collection::vec(any::<[u8; 4]>(), 60)) {
        let (tables, mut state) = start(seed);
        let (_, mut twin) = start(seed);
        for bytes in bytes {
            let _ = state.play(tables, &bytes.map(action));
            let _ = twin.play(tables, &bytes.map(action));
            prop_assert_eq!(state, twin);
        }
    }

    /// With nothing lit and nothing to be drawn the fast turn is the exact one.
    #[test]
    fn the_fast_turn_is_the_exact_one_but_for_light_and_ties(
        seed: u64,
        bytes in prop::collection::vec(any::<[u8; 4]>(), 120),
    ) {
        let (tables, mut state) = start(seed);
        let mut compared = 0;
        for bytes in bytes {
            let actions = bytes.map(|byte| action(byte).or(Some(Action::Wait)));
            let mut exact = state;
            let mut fast = state;
            let _ = exact.play(tables, &actions);
            let _ = fast.play_fast(tables, &actions);
            let is_lit = actions.contains(&Some(Action::Light))
                || state.effects.iter().any(|effect| effect.kind == EffectKind::Light);
            if !is_lit && !exact.is_over() && !is_tied(tables, &state, &exact) {
                fast.dice = exact.dice;
                prop_assert_eq!(fast, exact);
                compared += 1;
            }
            state = exact;
        }
        prop_assert!(compared > 0);
    }

    #[test]
    fn any_state_is_played_without_a_panic(
        words in prop::collection::vec(any::<[u8; 8]>(), 0..90),
        turn: u16,
        alive: u8,
        index in 0..POOL_SIZE,
        bytes in prop::collection::vec(any::<[u8; 4]>(), 12),
    ) {
        let tables = &mazes()[index];
        let constants = Constants { lonely: 255, group: 0, spawn_time: 0, life: 0 };
        let mut state = State::empty(constants, Lcg48::new(7));
        state.turn = turn % 220;
        state.alive = alive;
        for word in words {
            mutate(&mut state, word);
        }
        for bytes in bytes {
            let actions: Actions = bytes.map(action);
            let _ = state.play(tables, &actions);
            let _ = state.play_fast(tables, &actions);
            let _ = state.entities(tables.map(), 2);
        }
    }
}

/// Whether some minion had several explorers to choose from in the turn.
fn is_tied(tables: &MapTables, before: &State, after: &State) -> bool {
    before.minions.iter().any(|minion| {
        let distance = |id: usize| tables.distance(minion.cell, after.explorers[id].cell);
        let distances: Vec<u8> = before.living().filter_map(distance).collect();
        let least = distances.iter().min();
        minion.phase == MinionPhase::Wandering
            && distances.iter().filter(|&one| Some(one) == least).count() > 1
    })
}
