//! A Code of Ice and Fire: what do a map, a cut, the search for cuts, and a turn of the bot cost?

use std::hint::black_box;

use barrow_core::contests::ice_and_fire::bot::{CutNode, CutScan, Options, Weights, plan};
use barrow_core::contests::ice_and_fire::{Game, Map, Rules, State};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// Returns fixed positions from the middle of self-play games of the plain bot.
fn positions() -> Vec<State> {
    let rules = Rules::PERMANENT;
    let mut found = Vec::new();
    for seed in 0..40 {
        let mut state = *Game::new(&Map::generate(seed, &rules)).state();
        for turn in 0..24 {
            if turn >= 12 && turn % 4 == 0 {
                found.push(state);
            }
            state = *plan(&state, &rules, &Options::PLAIN, &mut []).draft.state();
            if state.conqueror().is_some() {
                break;
            }
            state.end_turn();
        }
    }
    found
}

fn ice_and_fire(criterion: &mut Criterion) {
    let rules = Rules::PERMANENT;
    let positions = positions();
    let mut group = criterion.benchmark_group("ice and fire");
    group.bench_function("generate a map", |bencher| {
        let mut seeds = (0..1000).cycle();
        bencher.iter(|| Map::generate(seeds.next().unwrap_or(0), &rules));
    });
    let weights = Weights::PLAIN;
    let looks: Vec<CutScan> = positions.iter().map(|state| CutScan::with_budget(state, 60, 1)).collect();
    let cuts: u64 = looks.iter().map(|scan| scan.cuts(&weights).count() as u64).sum();
    group.throughput(Throughput::Elements(cuts));
    group.bench_function("evaluate all cuts for 60 gold, chains known", |bencher| {
        bencher.iter(|| looks.iter().filter_map(|scan| scan.cuts(&weights).map(|cut| cut.score).max()).max());
    });
    group.bench_function("find and evaluate all cuts for 60 gold", |bencher| {
        bencher.iter(|| {
            let looks = black_box(&positions).iter().map(|state| CutScan::with_budget(state, 60, 1));
            looks.filter_map(|scan| scan.cuts(&weights).map(|cut| cut.score).max()).max()
        });
    });
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("the opponent's cuts in its next turn", |bencher| {
        bencher.iter(|| {
            let looks = black_box(&positions).iter().filter_map(|state| CutScan::threat(state, 1));
            looks.map(|scan| scan.cuts(&weights).count()).sum::<usize>()
        });
    });
    group.bench_function("a turn of the plain bot", |bencher| {
        bencher.iter(|| {
            let turns =
                black_box(&positions).iter().map(|state| plan(state, &rules, &Options::PLAIN, &mut []));
            turns.map(|turn| turn.draft.actions().len()).sum::<usize>()
        });
    });
    group.sample_size(10);
    let mut memory = vec![CutNode::EMPTY; Options::FULL.lines.into()];
    group.bench_function("a turn of the full bot", |bencher| {
        bencher.iter(|| {
            let mut actions = 0;
            for state in black_box(&positions) {
                actions += plan(state, &rules, &Options::FULL, &mut memory).draft.actions().len();
            }
            actions
        });
    });
    group.finish();
}

criterion_group!(benches, ice_and_fire);
criterion_main!(benches);
