//! Code of Kutulu: how many SmitsiMax simulations fit into a second, and how long do their parts take?

use std::hint::black_box;

use barrow_core::contests::kutulu::bot::{LocalGame, NODES};
use barrow_core::contests::kutulu::{
    Action, Constants, Direction, EXPLORERS, MapTables, Minion, MinionPhase, State, pool_map,
};
use barrow_core::contests::lcg48::Lcg48;
use barrow_core::search::smitsimax::{Node, Settings, SmitsiMax};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// Simulations per measurement: as many as a turn's search has time for on a slow machine.
const SIMULATIONS: u32 = 1000;

/// Returns a position on the map Hypersonic, an open floor: four explorers in the middle, nine wanderers and a slasher
/// around them.
fn crowded() -> (MapTables, State) {
    let map = pool_map(1).expect("the pool has this map");
    let tables = MapTables::new(&map);
    let constants = Constants { lonely: 4, group: 2, spawn_time: 4, life: 35 };
    let mut state = State::start(&map, constants, Lcg48::new(1));
    state.turn = 31;
    let places = [(3, 3), (11, 3), (3, 9), (11, 9), (7, 1), (7, 11), (1, 7), (13, 7), (5, 1), (9, 11)];
    for (number, (x, y)) in (0..).zip(places) {
        let is_slasher = number == 9;
        let minion = Minion {
            id: 4 + number,
            is_slasher,
            phase: MinionPhase::Wandering,
            cell: map.at(x, y).expect("floor"),
            counter: if is_slasher { 0 } else { 20 },
            target: Some((number % 4) as u8),
            remembered: None,
        };
        state.minions.push(minion).expect("there is room");
    }
    state.next_id = 14;
    assert_eq!(state.check(&map), Ok(()));
    (tables, state)
}

fn simulations(criterion: &mut Criterion) {
    let (tables, state) = crowded();
    let local_game = LocalGame::all(&tables);
    let mut nodes = vec![Node::EMPTY; NODES];
    let mut group = criterion.benchmark_group("kutulu");
    group.sample_size(20);
    for depth in [3, 4, 6] {
        group.throughput(Throughput::Elements(SIMULATIONS.into()));
        group.bench_function(format!("simulations, depth {depth}, 4 explorers, 10 minions"), |bencher| {
            bencher.iter(|| {
                let mut trees = SmitsiMax::<_, EXPLORERS>::new(&mut nodes, Settings::default(), 1);
                trees.run(&local_game, &state, depth, SIMULATIONS);
                trees.best(0)
            });
        });
    }
    group.throughput(Throughput::Elements(1));
    let steps = Direction::ALL.map(|direction| Some(Action::Step(direction)));
    group.bench_function("fast turn", |bencher| {
        bencher.iter(|| {
            let mut state = state;
            let _ = state.play_fast(&tables, black_box(&steps));
            state
        });
    });
    group.bench_function("exact turn", |bencher| {
        bencher.iter(|| {
            let mut state = state;
            let _ = state.play(&tables, black_box(&steps));
            state
        });
    });
    let lit = [Some(Action::Light), steps[1], steps[2], steps[3]];
    group.bench_function("exact turn with a light", |bencher| {
        bencher.iter(|| {
            let mut state = state;
            let _ = state.play(&tables, black_box(&lit));
            state
        });
    });
    group.sample_size(10);
    let largest = pool_map(15).expect("the pool has this map");
    let mut tables = MapTables::empty();
    group.bench_function("tables of the largest map", |bencher| {
        bencher.iter(|| tables.load(black_box(&largest)));
    });
    group.finish();
}

criterion_group!(benches, simulations);
criterion_main!(benches);
