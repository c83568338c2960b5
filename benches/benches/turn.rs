//! Turns: how long does it take to play a whole turn on two boards, and to undo it?

use std::hint::black_box;

use barrow_core::minions::{Change, UndoLog};
use criterion::{Criterion, criterion_group, criterion_main};

fn whole_turn(criterion: &mut Criterion) {
    let (start, turn) = barrow_benches::turn();
    let boards: usize = turn.board_actions.iter().map(|actions| actions.len()).sum();
    println!(
        "{} actions of the general, {boards} on the boards",
        turn.general_actions(start.state().budget()).count()
    );
    let mut memory = [Change::default(); 1024];
    let mut group = criterion.benchmark_group("turn");
    let mut game = start.clone();
    group.bench_function("apply every action and undo them all", |bencher| {
        let mut log = UndoLog::new(&mut memory);
        bencher.iter(|| {
            let mark = log.mark();
            let entered = game.enter(black_box(&turn), &mut log);
            game.undo(mark, &mut log);
            entered
        });
    });
    assert!(game == start);
    group.bench_function("apply every action on a copy", |bencher| {
        bencher.iter(|| {
            game.clone_from(&start);
            game.enter(black_box(&turn), &mut UndoLog::off())
        });
    });
    group.bench_function("copy the position", |bencher| {
        bencher.iter(|| game.clone_from(black_box(&start)));
    });
    group.bench_function("play with the end of the turn on a copy", |bencher| {
        bencher.iter(|| {
            game.clone_from(&start);
            game.play(black_box(&turn))
        });
    });
    group.finish();
}

criterion_group!(benches, whole_turn);
criterion_main!(benches);
