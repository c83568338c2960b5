//! Playouts: how many random continuations of middle games can be played per second?

use barrow_benches::positions;
use barrow_core::hex::{Hex, HexSet};
use barrow_core::minions::players::Random;
use barrow_core::minions::{Action, BoardAction, Game, GeneralAction, UndoLog, UnitLabel};
use barrow_core::rng::Rng;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// Turns of a playout, both sides counted; a game may end before.
const TURNS: u64 = 20;

fn member(rng: &mut Rng, set: HexSet) -> Option<Hex> {
    set.iter().nth(rng.below(set.len() as u32) as usize)
}

/// Plays a random turn without a list of legal actions: each piece attacks a random target or else moves, and all souls
/// buy zombies, placed where there is room.
fn quick_turn(game: &mut Game, rng: &mut Rng) {
    let log = &mut UndoLog::off();
    let _ = game.apply(Action::General(GeneralAction::March), log);
    for board in 0..game.config().num_boards() {
        let Some(view) = game.view(board) else { return };
        let act =
            |game: &mut Game, action| game.apply(Action::Board(board as u8, action), &mut UndoLog::off());
        if view.board.state().is_reset() {
            let _ = act(game, BoardAction::Keep { unit: None });
        }
        let pieces = game.view(board).map_or(HexSet::EMPTY, |view| view.board.pieces(view.side));
        for from in pieces {
            let Some(view) = game.view(board) else { return };
            if let Some(to) = member(rng, view.targets(from)) {
                let _ = act(game, BoardAction::Attack { from, to });
            } else if let Some(to) = member(rng, view.reach(from)) {
                let _ = act(game, BoardAction::walk(from, to));
                let targets = game.view(board).map_or(HexSet::EMPTY, |view| view.targets(to));
                if let Some(target) = member(rng, targets) {
                    let _ = act(game, BoardAction::Attack { from: to, to: target });
                }
            }
        }
        while act(game, BoardAction::Buy { unit: UnitLabel::Zombie }).is_ok() {
            let hexes = game.view(board).map_or(HexSet::EMPTY, |view| view.spawn_hexes(UnitLabel::Zombie));
            let Some(at) = member(rng, hexes) else { break };
            let _ = act(game, BoardAction::Spawn { unit: UnitLabel::Zombie, at });
        }
    }
    let _ = game.end_turn();
}

fn playouts(criterion: &mut Criterion) {
    let games = positions();
    let mut group = criterion.benchmark_group("playouts");
    group.sample_size(30).throughput(Throughput::Elements(TURNS));
    let mut rng = Rng::new(1);
    let mut next = games.iter().cycle();
    group.bench_function("twenty quick turns", |bencher| {
        bencher.iter(|| {
            let mut game = next.next().expect("a cycle").clone();
            for _ in 0..TURNS {
                quick_turn(&mut game, &mut rng);
            }
            game.state().key()
        });
    });
    let mut brain = Random::new(1);
    group.bench_function("twenty turns drawn from all legal actions", |bencher| {
        bencher.iter(|| {
            let mut game = next.next().expect("a cycle").clone();
            for _ in 0..TURNS {
                let turn = brain.choose(&game);
                let _ = game.play(&turn);
            }
            game.state().key()
        });
    });
    group.finish();
}

criterion_group!(benches, playouts);
criterion_main!(benches);
