//! The threads of a search under the model checker shuttle: in every order of events that it tries, the search ends, no
//! node is lost or counted twice, no virtual loss stays, no thread adds what another has added in the meantime, and none
//! waits for ever for a stripe of the tree.
//!
//! `cargo test -p barrow --features shuttle --lib engine::concurrency`; `BARROW_SHARE=10` tries a tenth of the orders.

use std::time::Duration;

use barrow_core::minions::turn_search::{AttackCandidate, AttackIndex, SearchOptions, SharedTree};
use barrow_core::minions::{Game, Ruleset};
use shuttle::scheduler::{PctScheduler, RandomScheduler, Scheduler};
use shuttle::{Config, Runner};

use super::limits::Limits;
use super::memory::SearchMemory;
use super::parallel::{ParallelSearch, SearchParams, stripes};
use super::ports::NetSwitches;
use super::search_result::SearchResult;
use crate::bench::test_positions;

/// Stack of a thread, in bytes.
const STACK: usize = 16 << 20;

/// Hand-written policies are quick, and whether nets or they are asked makes no difference to threads.
const NO_NETS: NetSwitches = NetSwitches { oracle: false, prophet: false, seer: false, general: false };

/// Tries orders of events; `count` of them, less with `BARROW_SHARE`.
fn explore(
    count: usize,
    scheduler: impl Fn(usize) -> Box<dyn Scheduler + Send>,
    work: impl Fn() + Send + Sync + 'static,
) {
    let share = std::env::var("BARROW_SHARE").ok().and_then(|share| share.parse().ok());
    let count = (count / share.unwrap_or(1)).max(2);
    let mut config = Config::new();
    config.stack_size = STACK;
    Runner::new(scheduler(count), config).run(work);
}

fn at_random(count: usize) -> Box<dyn Scheduler + Send> {
    Box::new(RandomScheduler::new(count))
}

/// Probabilistic concurrency testing (S. Burckhardt and others, "A randomized scheduler with probabilistic guarantees
/// of finding bugs", 2010): threads have priorities, which change three times.
fn by_priorities(count: usize) -> Box<dyn Scheduler + Send> {
    Box::new(PctScheduler::new(3, count))
}

fn position() -> Game {
    test_positions::middle_games(Ruleset::Server).swap_remove(3)
}

/// A search on some threads in memory for `first` nodes that may grow. Checks the tree that it leaves.
fn search(game: &Game, limits: &Limits, threads: usize, first: usize) -> SearchResult {
    let mut memory = SearchMemory::starting_with(first, 4, threads);
    let params = SearchParams {
        game,
        limits,
        options: SearchOptions::default(),
        net_switches: NO_NETS,
        explains: false,
        records: false,
        network: None,
    };
    let result = ParallelSearch::new(&params).run(&mut memory, &mut |_| {});
    let kept = memory.take_kept(game.config()).unwrap();
    let tree = stripes(memory.buffers.borrow().0.collect(), Some(&kept), usize::MAX, game).unwrap();
    assert_eq!(tree.len(), if first < 1024 { 1 } else { 4 });
    assert!(tree.iter().all(SharedTree::is_quiet), "a virtual loss or reserved memory is left");
    let root = &tree[tree[0].root() as usize % tree.len()];
    assert_eq!(u64::from(root.value().visits()), result.statistics.nodes, "{:?}", result.statistics);
    assert_no_twins(root, game);
    for candidate in &result.candidates {
        game.clone().play(&candidate.turn).unwrap();
    }
    result
}

/// The root has no choice of the general twice, and no board of it an attack twice. Finishes may be alike: noise need not change
/// one.
fn assert_no_twins(tree: &SharedTree<'_>, game: &Game) {
    let (candidates, stages) = tree.stages();
    let choices = candidates.list(candidates.stages(stages).general);
    assert_differ(choices.map(|(index, _)| candidates.actions(index).to_vec()));
    for board in candidates.stages(stages).boards.iter().take(game.config().num_boards()) {
        let told = |(index, known): (AttackIndex, &AttackCandidate)| {
            (known.outline, candidates.actions(index).to_vec())
        };
        assert_differ(candidates.list(board.attacks).map(told));
    }
}

fn assert_differ<T: PartialEq + std::fmt::Debug>(all: impl Iterator<Item = T>) {
    let all: Vec<_> = all.collect();
    for (place, one) in all.iter().enumerate() {
        assert!(!all[place + 1..].contains(one), "{one:?}");
    }
}

#[test]
fn threads_share_a_tree_in_every_order() {
    for scheduler in [at_random, by_priorities] {
        // A tree of one stripe, and one of four.
        for (count, first) in [(50, 400), (150, 4_096)] {
            explore(count, scheduler, move || {
                let (game, limits) = (position(), Limits::new(Duration::MAX, 14));
                let found = search(&game, &limits, 3, first);
                assert!((14..17).contains(&found.statistics.nodes), "{:?}", found.statistics);
            });
        }
    }
}

#[test]
fn memory_grows_between_the_nodes_of_all_threads() {
    explore(30, at_random, || {
        let (game, limits) = (position(), Limits::new(Duration::MAX, 200));
        let found = search(&game, &limits, 2, 64);
        assert!((200..202).contains(&found.statistics.nodes), "{:?}", found.statistics);
    });
}

#[test]
fn signals_end_a_search_whenever_they_come() {
    explore(150, at_random, || {
        let limits = Limits::new(Duration::MAX, 4);
        limits.wait_for_ponder_hit();
        let (hit, stop) = (limits.clone(), limits.clone());
        let hit = shuttle::thread::spawn(move || hit.ponder_hit());
        let stop = shuttle::thread::spawn(move || stop.signals.stop());
        let found = search(&position(), &limits, 2, 4_096);
        limits.wait_to_answer();
        assert!(!found.candidates.is_empty() && !limits.signals.is_waiting());
        assert!(hit.join().unwrap());
        stop.join().unwrap();
    });
}
