//! RoboRally: how many turns of eight robots can be simulated per second, and how long do their parts take?

use std::hint::black_box;

use barrow_core::contests::roborally::bot::{
    ActionSpace, Distances, Evaluation, Evaluator, NEVER, PlayoutPolicy, PowerDownPolicy, ProgramGame,
    Strategy, Weights,
};
use barrow_core::contests::roborally::numbering::{ACTION_CAP, Classes};
use barrow_core::contests::roborally::{Card, CardSet, Course, Profile, ROBOT_CAP, State};
use barrow_core::rng::Rng;
use barrow_core::search::flat::{ALL_SPENT, Arm, Options, Selection, search};
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};

/// Turns of a playout.
const DEPTH: u32 = 4;

fn roborally(criterion: &mut Criterion) {
    let course = Course::named("twister").expect("a built-in course");
    let board = course.board().expect("a board");
    let distances = Distances::new(&board);
    let evaluator = Evaluator::new(&board, &distances, Evaluation::Hodgepodge(Weights::PAPER));
    let random = PlayoutPolicy {
        evaluator,
        strategy: Strategy::Random,
        power_down: PowerDownPolicy::USUAL,
        is_due: NEVER,
    };
    let searching = PlayoutPolicy { strategy: Strategy::Search(10), ..random };
    let start = State::new(&board, Profile::Classic, ROBOT_CAP, 4).expect("eight docks");
    let mut rng = Rng::new(1);

    let mut group = criterion.benchmark_group("roborally");
    group.sample_size(50).throughput(Throughput::Elements(u64::from(DEPTH)));
    for (name, policy) in
        [("four turns of random programs", random), ("four turns of random search", searching)]
    {
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let mut state = start;
                for _ in 0..DEPTH {
                    policy.play_turn(&mut state, &mut rng);
                }
                state
            });
        });
    }
    group.throughput(Throughput::Elements(1));
    let programmed = |rng: &mut Rng| {
        let mut state = start;
        random.play_turn(&mut state, rng);
        random.start_turn(&mut state, rng);
        random.program_others(&mut state, 0, CardSet::EMPTY, rng);
        state
    };
    group.bench_function("five registers and clean-up", |bencher| {
        bencher.iter_batched_ref(
            || programmed(&mut rng),
            |state| random.finish_turn(state, 0),
            BatchSize::SmallInput,
        );
    });
    group.bench_function("deal and draw eight programs", |bencher| {
        bencher.iter(|| {
            let mut state = start;
            random.program_others(&mut state, 0, CardSet::EMPTY, &mut rng);
            state
        });
    });
    let hand: CardSet = [11, 83, 57, 49, 35, 21, 3, 50, 4].into_iter().filter_map(Card::new).collect();
    group.bench_function("classes of a hand", |bencher| bencher.iter(|| Classes::of(black_box(hand))));
    let classes = Classes::of(hand).expect("nine cards");
    group.bench_function("number an action and back", |bencher| {
        bencher.iter(|| {
            let action = classes.sizes().action(5, black_box(625)).expect("an action");
            classes.sizes().number(&action)
        });
    });
    let root = State::new(&board, Profile::Classic, 4, 3).expect("four docks");
    let mut arms = vec![Arm::default(); ACTION_CAP];
    group.bench_function("game of a hundred playouts", |bencher| {
        let game =
            ProgramGame::new(random, evaluator, root, 0, hand, ActionSpace::Classes).expect("it programs");
        let options = Options { depth: DEPTH, selection: Selection::Halving };
        bencher.iter(|| {
            let spent =
                |effort: barrow_core::search::flat::Effort| effort.playouts as u32 * (ALL_SPENT / 100 + 1);
            search(&game, options, &mut arms, &mut rng, spent)
        });
    });
    group.finish();
}

criterion_group!(benches, roborally);
criterion_main!(benches);
