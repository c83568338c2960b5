//! Geometry of the board: how long do the operations take that every move needs?

use std::hint::black_box;

use barrow_core::hex::{Hex, HexSet, flood, shortest_path};
use barrow_core::rng::Rng;
use criterion::{Criterion, criterion_group, criterion_main};

/// Returns fixed sets of open hexes, about three quarters of a board each.
fn boards() -> [HexSet; 64] {
    let mut rng = Rng::new(1);
    let mut bits = || u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64());
    core::array::from_fn(|_| HexSet::from_bits(bits() | bits()))
}

fn geometry(criterion: &mut Criterion) {
    let boards = boards();
    let mut group = criterion.benchmark_group("hex");
    group.bench_function("ball of radius 2, all 100 hexes", |bencher| {
        bencher.iter(|| Hex::all().fold(HexSet::EMPTY, |set, hex| set ^ HexSet::ball(black_box(hex), 2)));
    });
    group.bench_function("ball of radius 7, all 100 hexes", |bencher| {
        bencher.iter(|| Hex::all().fold(HexSet::EMPTY, |set, hex| set ^ HexSet::ball(black_box(hex), 7)));
    });
    for steps in [1, 2, 4] {
        let mut turn = (0..boards.len()).cycle();
        group.bench_function(format!("flood of {steps} steps, all 100 hexes"), |bencher| {
            bencher.iter(|| {
                let passable = black_box(boards[turn.next().unwrap_or(0)]);
                Hex::all().fold(HexSet::EMPTY, |set, hex| set ^ flood(hex, steps, passable))
            });
        });
    }
    let [start, goal] = ["c2", "h7"].map(|name| Hex::named(name).expect("a name on the board"));
    let mut turn = (0..boards.len()).cycle();
    group.bench_function("shortest path c2-h7", |bencher| {
        bencher.iter(|| shortest_path(start, goal, 18, black_box(boards[turn.next().unwrap_or(0)])));
    });
    group.finish();
}

criterion_group!(benches, geometry);
criterion_main!(benches);
