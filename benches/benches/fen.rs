//! FEN: how long does it take to parse a position, and to write one?

use std::fmt::Write;
use std::hint::black_box;

use barrow_benches::{config, positions};
use barrow_core::minions::text::fen;
use barrow_testing::BENCH_POSITIONS;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

fn text(criterion: &mut Criterion) {
    let config = config();
    let lines: Vec<&str> = BENCH_POSITIONS.lines().collect();
    let games = positions();
    let extended: Vec<String> = games.iter().map(|game| fen::Extended(game).to_string()).collect();
    let mut group = criterion.benchmark_group("fen");
    group.throughput(Throughput::Elements(1));
    let mut next = (0..lines.len()).cycle();
    group.bench_function("read a two-board position", |bencher| {
        bencher.iter(|| fen::parse(black_box(lines[next.next().unwrap_or(0)]), &config));
    });
    group.bench_function("read its extended form", |bencher| {
        bencher.iter(|| fen::parse(black_box(&extended[next.next().unwrap_or(0)]), &config));
    });
    let mut line = String::with_capacity(4096);
    group.bench_function("write a two-board position", |bencher| {
        bencher.iter(|| {
            line.clear();
            let game = black_box(&games[next.next().unwrap_or(0)]);
            write!(line, "{}", fen::Display(game)).map(|()| line.len())
        });
    });
    group.finish();
}

criterion_group!(benches, text);
criterion_main!(benches);
