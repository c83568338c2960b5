//! Games of Code of Kutulu with the input as actions: states stay valid, every player can derive the state from the lines
//! that it is sent, and the game ends. Some inputs start from an invalid state, which is played without a panic.
//!
//! Messages to players are followed for one player, whom the input chooses, and in one input of 64 for all of them, in
//! which the game is also played to its end.

#![no_main]

use std::sync::OnceLock;

use barrow_core::contests::kutulu::{
    Constants, EXPLORERS, MapTables, POOL_SIZE, State, StateTracker, pool_map,
};
use barrow_core::contests::lcg48::Lcg48;
use barrow_fuzz::one_in;
use libfuzzer_sys::fuzz_target;

use barrow_testing::kutulu::{action, mutate};

/// Tables of all maps, computed once.
fn mazes() -> &'static [MapTables] {
    static MAZES: OnceLock<Vec<MapTables>> = OnceLock::new();
    MAZES.get_or_init(|| {
        (0..POOL_SIZE).filter_map(|index| Some(MapTables::new(&pool_map(index).ok()?))).collect()
    })
}

fuzz_target!(|data: &[u8]| {
    let Some((&[kind, low, high], rest)) = data.split_first_chunk() else { return };
    let (index, constants, dice) = State::draw(u64::from(low) << 8 | u64::from(high));
    let Some(tables) = mazes().get(index) else { return };
    let map = tables.map();
    if kind >= 192 {
        invalid_state(tables, low, rest);
        return;
    }
    let follows_all = one_in(64, data);
    let followed = |id: usize| follows_all || id == usize::from(kind) % EXPLORERS;
    let mut state = State::start(map, constants, dice);
    let mut trackers = [StateTracker::new(constants, 1); EXPLORERS];
    for bytes in rest.as_chunks().0 {
        for id in state.living().filter(|&id| followed(id)) {
            follow(tables, &state, id, &mut trackers[id]);
        }
        state.play(tables, &bytes.map(action)).expect("a game has room");
        state.check(map).expect("a game stays valid");
    }
    if follows_all {
        for _ in 0..200 {
            state.play(tables, &[action(20); EXPLORERS]).expect("a game has room");
        }
        assert!(state.is_over());
    }
});

/// Panics unless a player can derive the state from what it is sent.
fn follow(tables: &MapTables, state: &State, id: usize, tracker: &mut StateTracker) {
    let map = tables.map();
    let sent = state.entities(map, id);
    tracker.update(tables, &sent).expect("what the referee sends makes sense");
    let seen = &tracker.state;
    assert_eq!(seen.entities(map, id), sent);
    assert_eq!((seen.turn, seen.alive, seen.next_id), (state.turn, state.alive, state.next_id));
    for other in state.living() {
        assert_eq!(seen.explorers[other].had_slasher, state.explorers[other].had_slasher);
    }
}

/// Plays actions from an invalid state.
fn invalid_state(tables: &MapTables, number: u8, bytes: &[u8]) {
    let constants = Constants { lonely: number, group: 0, spawn_time: 0, life: number };
    let mut state = State::empty(constants, Lcg48::new(7));
    state.alive = number;
    let (states, answers) = bytes.split_at(bytes.len() / 2);
    states.as_chunks().0.iter().for_each(|word| mutate(&mut state, *word));
    for bytes in answers.as_chunks().0 {
        let _ = state.play(tables, &bytes.map(action));
        let _ = state.play_fast(tables, &bytes.map(action));
        let _ = state.entities(tables.map(), 1);
    }
}
