//! Reach: how long does it take to compute moves, targets and placements on a board?

use std::hint::black_box;

use barrow_benches::positions;
use barrow_core::hex::HexSet;
use barrow_core::minions::{UnitLabel, View};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

fn reach(criterion: &mut Criterion) {
    let games = positions();
    let boards: Vec<View<'_>> =
        games.iter().flat_map(|game| (0..2).filter_map(|board| game.view(board))).collect();
    let pieces: usize = boards.iter().map(|view| view.board.pieces(view.side).len()).sum();
    println!("{} boards, {pieces} pieces of the side to move", boards.len());
    let mut group = criterion.benchmark_group("one board");
    group.throughput(Throughput::Elements(1));
    let mut next = boards.iter().cycle();
    group.bench_function("where each piece may go", |bencher| {
        bencher.iter(|| {
            let view = black_box(next.next().expect("a cycle"));
            view.board.pieces(view.side).into_iter().fold(HexSet::EMPTY, |all, from| all ^ view.reach(from))
        });
    });
    group.bench_function("whom each piece may attack", |bencher| {
        bencher.iter(|| {
            let view = black_box(next.next().expect("a cycle"));
            view.board.pieces(view.side).into_iter().fold(HexSet::EMPTY, |all, from| all ^ view.targets(from))
        });
    });
    group.bench_function("where a zombie may be placed", |bencher| {
        bencher.iter(|| black_box(next.next().expect("a cycle")).spawn_hexes(UnitLabel::Zombie));
    });
    group.finish();
}

criterion_group!(benches, reach);
criterion_main!(benches);
