//! Several searches on one shared tree: every visit is counted once, every turn is legal, and no virtual loss remains.

use std::ops::DerefMut;
use std::sync::Mutex;
use std::thread;

use barrow_core::minions::players::{FallbackPolicies, Greedy};
use barrow_core::minions::turn_search::ports::JoinedPorts;
use barrow_core::minions::turn_search::{
    Access, AttackCandidate, GeneralCandidate, Line, MoneyCandidate, Picks, Search, SearchOptions,
    SearchScratch, SearchSlices, SharedTree, Slot, SpawnCandidate, Stages,
};
use barrow_core::minions::{Action, Game, GameConfig, GeneralAction, MapLabel, Ruleset};
use barrow_core::search::clock::NodeLimit;
use barrow_core::search::tree::{Edge, Node};
use barrow_solver::attack::{PLANNER_WORDS, Planner};

/// Access to a tree behind a mutex.
struct Shared<'a, 'm>(&'a Mutex<SharedTree<'m>>);

impl<'m> Access<'m> for Shared<'_, 'm> {
    fn lock(&mut self, _: u32) -> impl DerefMut<Target = SharedTree<'m>> {
        self.0.lock().unwrap()
    }
}

/// Runs one search on a tree that others may search at the same time.
fn search(tree: &Mutex<SharedTree<'_>>, game: &Game, seed: u64, nodes: u64) {
    let (mut words, mut scratch) = (vec![0; PLANNER_WORDS], SearchScratch::new());
    let ports = JoinedPorts {
        evaluator: FallbackPolicies::default(),
        attack_policy: FallbackPolicies::default(),
        attack_planner: Planner::new(&mut words),
        spawn_policy: FallbackPolicies::default(),
        general_policy: FallbackPolicies::default(),
    };
    let mut search = Search::over(
        Shared(tree),
        &mut scratch,
        ports,
        SearchOptions { seed, ..SearchOptions::default() },
        game,
    );
    search.run(&mut NodeLimit(nodes));
    assert_eq!(search.statistics().nodes, nodes);
}

/// Searches a position in `searches` threads of `nodes` nodes each; returns the turns of the tree with the positions after
/// them. `capacity` scales the slices of the tree.
fn grow(game: &Game, searches: u64, nodes: u64, capacity: usize) -> Vec<(Line, Game)> {
    let mut all_nodes = vec![Node::EMPTY; capacity];
    let mut edges = vec![Edge::vacant(Picks::default()); capacity];
    let (mut table, mut stages) = (vec![0; 2 * capacity], vec![Stages::EMPTY; capacity / 2]);
    let mut generals = vec![Slot::<GeneralCandidate>::EMPTY; capacity * 4];
    let mut attacks = vec![Slot::<AttackCandidate>::EMPTY; capacity * 2];
    let mut money = vec![Slot::<MoneyCandidate>::EMPTY; capacity * 2];
    let mut spawns = vec![Slot::<SpawnCandidate>::EMPTY; capacity * 2];
    let mut actions = vec![Action::General(GeneralAction::March); capacity * 100];
    let memory = SearchSlices {
        nodes: &mut all_nodes,
        edges: &mut edges,
        table: &mut table,
        stages: &mut stages,
        generals: &mut generals,
        attacks: &mut attacks,
        money: &mut money,
        spawns: &mut spawns,
        actions: &mut actions,
    };
    let lock = Mutex::new(SharedTree::new(memory, game).unwrap());
    // The first turn is found before the threads start.
    search(&lock, game, 0, 1);
    thread::scope(|scope| {
        for seed in 0..searches {
            let lock = &lock;
            scope.spawn(move || search(lock, game, seed, nodes));
        }
    });
    let tree = lock.into_inner().unwrap();
    assert!(tree.is_quiet());
    assert_eq!(u64::from(tree.value().visits()), 1 + searches * nodes);
    let mut lines = [Line::default(); 256];
    let count = tree.lines(&mut lines);
    let played = |line: &Line| {
        let mut after = game.clone();
        after.play(&tree.turn(game, line).unwrap()).unwrap();
        (*line, after)
    };
    lines[..count].iter().map(played).collect()
}

/// Returns a position per ruleset after nine turns of the greedy player, on one board and on two.
fn games() -> impl Iterator<Item = Game> {
    [Ruleset::Server, Ruleset::Spooky].into_iter().zip(1..).map(|(ruleset, boards)| {
        let config = GameConfig::new(ruleset, &[MapLabel::MidnightLake; 2][..boards]).unwrap();
        let mut game = Game::new(config, 7);
        for turn in 0..9 {
            game.play(&Greedy::new(turn).choose(&game)).unwrap();
        }
        game
    })
}

#[test]
fn threads_grow_one_tree() {
    for game in games() {
        let found = grow(&game, 3, 60, 2_000);
        assert!(found.len() > 5, "{}", found.len());
        assert_eq!(found.iter().map(|(line, _)| line.stats.visits()).sum::<u32>(), 181);
    }
}

#[test]
fn threads_go_on_in_a_full_tree() {
    for game in games() {
        let found = grow(&game, 4, 80, 60);
        assert_eq!(found.iter().map(|(line, _)| line.stats.visits()).sum::<u32>(), 321);
    }
}
