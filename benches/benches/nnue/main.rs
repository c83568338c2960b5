//! Networks: how long does it take to evaluate a candidate, to predict an attack, to refresh an accumulator?

use std::hint::black_box;

use barrow_benches::positions;
use barrow_core::hex::Hex;
use barrow_core::minions::{Game, Piece, Side};
use barrow_nnue::accumulator::{BoardAccumulator, Delta, GlobalAccumulator};
use barrow_nnue::features::{BoardFeature, Stage};
use barrow_nnue::format::{Line, file_len};
use barrow_nnue::kernels::FAMILY;
use barrow_nnue::layout::Full;
use barrow_nnue::nets::Network;
use barrow_nnue::nets::oracle::{Context, Output};
use barrow_nnue::nets::prophet::Survey;
use barrow_nnue::random_net;
use barrow_nnue::shape::{Desktop, Handheld, Profile, Tiny, Trunk, UNITS};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

mod peak;

/// Returns a network file with random weights.
fn file<P: Profile>() -> Vec<Line> {
    let mut lines = vec![Line::ZERO; file_len::<P>(UNITS) / 64];
    random_net::fill::<P>(Line::bytes_mut(&mut lines), UNITS, 1).expect("the slice is long enough");
    lines
}

/// A position with what the search computes once for all its candidates.
struct Root<P: Profile> {
    game: Game,
    boards: Vec<BoardAccumulator<P>>,
    context: Context,
}

impl<P: Profile> Root<P> {
    fn new(network: &Network<'_, P>, game: Game) -> Root<P> {
        let us = game.side_to_move();
        let boards: Vec<_> = (game.state().boards().iter().zip(game.config().maps()))
            .map(|(board, map)| {
                BoardAccumulator::<P>::of(&network.board_tables(), *map, board, Stage::TurnStart)
            })
            .collect();
        let summaries: Vec<_> =
            boards.iter().map(|board| network.summary(board.lanes(us), board.lanes(us.opponent()))).collect();
        let general = GlobalAccumulator::of(&network.general_table(), &game);
        let context = network.context(general.lanes(us), general.lanes(us.opponent()), &summaries);
        Root { game, boards, context }
    }
}

/// Returns a delta that moves four pieces of a board: four rows to remove and four to add.
fn attack<P: Profile>(game: &Game, board: usize) -> Delta<P::Layout> {
    let position = &game.state().boards()[board];
    let free = Hex::all().filter(|hex| position.piece(*hex).is_none()).step_by(7);
    let mut delta = Delta::NOTHING;
    for ((from, piece), to) in position.iter_all().step_by(3).take(4).zip(free) {
        delta.remove(BoardFeature::Piece(piece.side(), piece.unit().index() as u8, from));
        delta.add(BoardFeature::Piece(piece.side(), piece.unit().index() as u8, to));
    }
    delta
}

/// Evaluates a candidate for one board from the opponent's perspective: value and confidence.
fn evaluate<P: Profile>(
    network: &Network<'_, P>,
    root: &Root<P>,
    board: usize,
    delta: &Delta<P::Layout>,
) -> (i32, i32) {
    let us = root.game.side_to_move();
    let mut candidate = BoardAccumulator::ZERO;
    let _ = candidate.derive(&network.board_tables(), &root.boards[board], delta);
    let summary = network.summary(candidate.lanes(us), candidate.lanes(us.opponent()));
    let joined = network.joined_layer(&root.context, board, &summary);
    let value = network.output(&joined, Output::Win).to_bits();
    (value, network.output(&joined, Output::Error).to_bits())
}

fn candidates<P: Profile>(criterion: &mut Criterion, name: &str) {
    let lines = file::<P>();
    let network = Network::<P>::from_bytes(Line::bytes(&lines)).expect("a sample");
    let roots: Vec<Root<P>> = positions().into_iter().map(|game| Root::new(&network, game)).collect();
    let candidates: Vec<_> = (roots.iter().flat_map(|root| (0..2).map(move |board| (root, board))))
        .map(|(root, board)| (root, board, attack::<P>(&root.game, board)))
        .collect();
    for (_, _, delta) in &candidates {
        assert_eq!([delta.wide_added(Side::Yellow).len(), delta.wide_removed(Side::Blue).len()], [4, 4]);
    }
    let mut group = criterion.benchmark_group("a candidate for one of two boards");
    group.throughput(Throughput::Elements(1));
    let mut next = candidates.iter().cycle();
    group.bench_function(name, |bencher| {
        bencher.iter(|| {
            let (root, board, delta) = black_box(next.next().expect("a cycle"));
            evaluate(&network, root, *board, delta)
        });
    });
    group.finish();
}

/// Measures the evaluation of a candidate for each number of lanes.
fn sizes(criterion: &mut Criterion) {
    candidates::<Trunk<32, i16, Full>>(criterion, "32 lanes");
    candidates::<Handheld>(criterion, "64 lanes");
    candidates::<Trunk<128, i16, Full>>(criterion, "128 lanes");
    candidates::<Desktop>(criterion, "256 lanes");
    candidates::<Trunk<512, i16, Full>>(criterion, "512 lanes");
    candidates::<Tiny>(criterion, "32 lanes of a byte");
}

/// Measures a candidate whose delta is found by comparing boards: two friends move a step and two enemies are removed.
fn compared(criterion: &mut Criterion) {
    let lines = file::<Desktop>();
    let network = Network::<Desktop>::from_bytes(Line::bytes(&lines)).expect("a sample");
    let roots: Vec<Root<Desktop>> = positions().into_iter().map(|game| Root::new(&network, game)).collect();
    let candidates: Vec<_> = (roots.iter().flat_map(|root| (0..2).map(move |board| (root, board))))
        .map(|(root, board)| {
            let view = root.game.view(board).expect("two boards");
            let (mut after, mut moved) = (view.board.clone(), 0);
            for from in view.board.pieces(view.side) {
                if let Some(to) = view.reach(from).first()
                    && moved < 2
                    && after.piece(to).is_none()
                {
                    let piece = after.set_piece(from, None).map(|piece| piece.with_walk(1));
                    after.set_piece(to, piece.map(|piece: Piece| piece.with_attack(None)));
                    moved += 1;
                }
            }
            for to in view.board.pieces(view.side.opponent()).into_iter().take(2) {
                after.set_piece(to, None);
            }
            (root, board, after)
        })
        .collect();
    let mut next = candidates.iter().cycle();
    criterion.bench_function("a candidate found by comparing boards", |bencher| {
        bencher.iter(|| {
            let (root, board, after) = black_box(next.next().expect("a cycle"));
            let before = &root.game.state().boards()[*board];
            let map = root.game.config().maps()[*board];
            let delta = Delta::between(map, (before, Stage::TurnStart), (after, Stage::AfterAttack));
            evaluate(&network, root, *board, &delta)
        });
    });
}

/// Measures Death Prophet on all pieces of a board, and its parts.
fn prophecies(criterion: &mut Criterion) {
    let lines = file::<Desktop>();
    let network = Network::<Desktop>::from_bytes(Line::bytes(&lines)).expect("a sample");
    let roots: Vec<Root<Desktop>> = positions().into_iter().map(|game| Root::new(&network, game)).collect();
    let boards: Vec<_> = roots.iter().flat_map(|root| (0..2).map(move |board| (root, board))).collect();
    let mut next = boards.iter().cycle();
    let mut group = criterion.benchmark_group("a prophecy for one board");
    group.bench_function("all of it", |bencher| {
        bencher.iter(|| {
            let (root, board) = black_box(next.next().expect("a cycle"));
            let us = root.game.side_to_move();
            let (lanes, view) = (&root.boards[*board], root.game.view(*board).expect("two boards"));
            let scene = network.board_layer(lanes.lanes(us), lanes.lanes(us.opponent()));
            let mut sum = 0i32;
            network.prophesy(&scene, view, None, |_, _, logit| sum = sum.wrapping_add(logit.to_bits()));
            sum
        });
    });
    group.bench_function("the board layer", |bencher| {
        bencher.iter(|| {
            let (root, board) = black_box(next.next().expect("a cycle"));
            let us = root.game.side_to_move();
            network.board_layer(root.boards[*board].lanes(us), root.boards[*board].lanes(us.opponent()))
        });
    });
    group.bench_function("who could attack whom", |bencher| {
        bencher.iter(|| {
            let (root, board) = black_box(next.next().expect("a cycle"));
            Survey::new(root.game.view(*board).expect("two boards"))
        });
    });
    group.finish();
}

/// Measures the refresh of both boards of a position for both perspectives.
fn refreshes(criterion: &mut Criterion) {
    let lines = file::<Desktop>();
    let network = Network::<Desktop>::from_bytes(Line::bytes(&lines)).expect("a sample");
    let games = positions();
    let mut next = games.iter().cycle();
    let mut boards = [BoardAccumulator::<Desktop>::ZERO; 2];
    criterion.bench_function("both boards anew", |bencher| {
        bencher.iter(|| {
            let game = black_box(next.next().expect("a cycle"));
            let positions = game.state().boards().iter().zip(game.config().maps());
            for (accumulator, (board, map)) in boards.iter_mut().zip(positions) {
                accumulator.refresh(&network.board_tables(), *map, board, Stage::TurnStart);
            }
            black_box(&boards);
        });
    });
}

/// Measures the kernels.
fn family(_: &mut Criterion) {
    println!("kernels: {FAMILY}");
}

criterion_group!(benches, family, sizes, compared, prophecies, refreshes, peak::peaks);
criterion_main!(benches);
