//! Several searches on one shared tree, whole or in stripes: every visit is counted once, every turn is legal, and no virtual loss remains.

use std::ops::DerefMut;
use std::sync::Mutex;
use std::thread;

use barrow_core::minions::players::{FallbackPolicies, Greedy};
use barrow_core::minions::turn_search::ports::JoinedPorts;
use barrow_core::minions::turn_search::{
    Access, AttackCandidate, GeneralCandidate, Line, MemoryUsage, MoneyCandidate, Picks, Search,
    SearchOptions, SearchScratch, SearchSlices, SharedTree, Slot, SpawnCandidate, Stages, resume_stripes,
};
use barrow_core::minions::{Action, Game, GameConfig, GeneralAction, MapLabel, Ruleset};
use barrow_core::search::clock::NodeLimit;
use barrow_core::search::stats::Stats;
use barrow_core::search::tree::{Edge, Node, Stripe};
use barrow_solver::attack::{PLANNER_WORDS, Planner};

/// The stripes of a tree, each behind a mutex.
#[derive(Clone, Copy)]
struct Shared<'a, 'm>(&'a [Mutex<SharedTree<'m>>]);

impl<'m> Access<'m> for Shared<'_, 'm> {
    fn stripes(&self) -> u32 {
        self.0.len() as u32
    }

    fn lock(&mut self, node: u32) -> impl DerefMut<Target = SharedTree<'m>> {
        // A thread that asks for a second stripe while it has one would wait for ever in some order of events.
        self.0[node as usize % self.0.len()].lock().unwrap()
    }
}

/// Memory of one stripe.
struct Room {
    nodes: Vec<Node>,
    edges: Vec<Edge<Picks>>,
    table: Vec<u32>,
    stages: Vec<Stages>,
    generals: Vec<Slot<GeneralCandidate>>,
    attacks: Vec<Slot<AttackCandidate>>,
    money: Vec<Slot<MoneyCandidate>>,
    spawns: Vec<Slot<SpawnCandidate>>,
    actions: Vec<Action>,
}

impl Room {
    fn new(capacity: usize) -> Room {
        Room {
            nodes: vec![Node::EMPTY; capacity],
            edges: vec![Edge::vacant(Picks::default()); capacity],
            table: vec![0; 2 * capacity],
            stages: vec![Stages::EMPTY; capacity / 2],
            generals: vec![Slot::<GeneralCandidate>::EMPTY; capacity * 4],
            attacks: vec![Slot::<AttackCandidate>::EMPTY; capacity * 2],
            money: vec![Slot::<MoneyCandidate>::EMPTY; capacity * 2],
            spawns: vec![Slot::<SpawnCandidate>::EMPTY; capacity * 2],
            actions: vec![Action::General(GeneralAction::March); capacity * 100],
        }
    }

    fn borrow(&mut self) -> SearchSlices<'_> {
        SearchSlices {
            nodes: &mut self.nodes,
            edges: &mut self.edges,
            table: &mut self.table,
            stages: &mut self.stages,
            generals: &mut self.generals,
            attacks: &mut self.attacks,
            money: &mut self.money,
            spawns: &mut self.spawns,
            actions: &mut self.actions,
        }
    }
}

/// A tree in stripes, with what earlier searches of this memory found if their fill is known.
fn tree<'m>(rooms: &'m mut [Room], game: &Game, kept: &[MemoryUsage]) -> Vec<Mutex<SharedTree<'m>>> {
    let count = rooms.len() as u32;
    let mut stripes = Vec::new();
    for (number, room) in (0..count).zip(rooms) {
        let (stripe, usage) = (Stripe::new(number, count).unwrap(), kept.get(number as usize));
        let usage = usage.copied().unwrap_or_default();
        stripes.push(SharedTree::stripe(stripe, room.borrow(), game, usage).unwrap());
    }
    resume_stripes(&mut stripes, usize::MAX, game).unwrap();
    stripes.into_iter().map(Mutex::new).collect()
}

/// Runs one search on a tree that others may search at the same time.
fn search(tree: Shared<'_, '_>, game: &Game, options: SearchOptions, nodes: u64) {
    let (mut words, mut scratch) = (vec![0; PLANNER_WORDS], SearchScratch::new());
    let ports = JoinedPorts {
        evaluator: FallbackPolicies::default(),
        attack_policy: FallbackPolicies::default(),
        attack_planner: Planner::new(&mut words),
        spawn_policy: FallbackPolicies::default(),
        general_policy: FallbackPolicies::default(),
    };
    let mut search = Search::over(tree, &mut scratch, ports, options, game);
    search.run(&mut NodeLimit(nodes));
    assert_eq!(search.statistics().nodes, nodes);
}

/// The turns of the root, the best first, with their statistics and the positions after them, and the statistics of the
/// answers to each. No turn of the tree may be under way.
fn told(tree: &[Mutex<SharedTree<'_>>], game: &Game) -> Vec<(Stats, Game, Vec<Stats>)> {
    let stripe = |node: u32| tree[node as usize % tree.len()].lock().unwrap();
    assert!((0..tree.len() as u32).all(|number| stripe(number).is_quiet()));
    let root = stripe(0).root();
    let root = stripe(root);
    let mut lines = [Line::default(); 256];
    let count = root.lines(&mut lines);
    assert_candidates_count(&root, &lines[..count], game);
    let turns: Vec<_> = lines[..count].iter().map(|line| root.turn(game, line).unwrap()).collect();
    let after: Vec<_> = lines[..count].iter().map(|line| root.position_after(line)).collect();
    drop(root);
    let answers = |node: u32| {
        let mut answers = [Line::default(); 256];
        let count = stripe(node).lines_at(node, &mut answers);
        answers[..count].iter().map(|line| line.stats).collect()
    };
    let all = lines.iter().zip(turns).zip(after);
    all.map(|((line, turn), after)| {
        let mut played = game.clone();
        played.play(&turn).unwrap();
        (line.stats, played, after.map_or(Vec::new(), answers))
    })
    .collect()
}

/// Each turn has one attack on every board, so that attacks have as many visits as turns.
fn assert_candidates_count(root: &SharedTree<'_>, lines: &[Line], game: &Game) {
    let (candidates, stages) = root.stages();
    let turns: u32 = lines.iter().map(|line| line.stats.visits()).sum();
    for board in candidates.stages(stages).boards.iter().take(game.config().num_boards()) {
        let attacks: u32 = candidates.list(board.attacks).map(|(_, known)| known.stats.visits()).sum();
        assert_eq!(attacks, turns);
    }
}

/// Searches a position in `searches` threads of `nodes` nodes each; returns the turns of the tree with the positions after
/// them. `capacity` scales the slices of each of the stripes.
fn grow(game: &Game, memory: (usize, usize), searches: u64, nodes: u64) -> Vec<(Stats, Game)> {
    grow_by(SearchOptions::default(), game, memory, searches, nodes)
}

/// As [`grow`], with other options.
fn grow_by(
    options: SearchOptions,
    game: &Game,
    (stripes, capacity): (usize, usize),
    searches: u64,
    nodes: u64,
) -> Vec<(Stats, Game)> {
    let mut rooms: Vec<_> = (0..stripes).map(|_| Room::new(capacity)).collect();
    let tree = tree(&mut rooms, game, &[]);
    // The first turn is found before the threads start.
    let options = |seed| SearchOptions { seed, ..options };
    search(Shared(&tree), game, options(0), 1);
    thread::scope(|scope| {
        for seed in 0..searches {
            let shared = Shared(&tree);
            scope.spawn(move || search(shared, game, options(seed), nodes));
        }
    });
    let root = tree[0].lock().unwrap().root();
    let visits = tree[root as usize % stripes].lock().unwrap().value().visits();
    assert_eq!(u64::from(visits), 1 + searches * nodes);
    told(&tree, game).into_iter().map(|(stats, after, _)| (stats, after)).collect()
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
        for memory in [(1, 2_000), (8, 400)] {
            let found = grow(&game, memory, 3, 60);
            assert!(found.len() > 5, "{}", found.len());
            assert_eq!(found.iter().map(|(stats, _)| stats.visits()).sum::<u32>(), 181);
        }
    }
}

#[test]
fn threads_draw_several_turns_of_the_root_at_a_time() {
    // More visits than there are before turns are drawn.
    let game = games().next().unwrap();
    let found = grow(&game, (8, 1_000), 3, 300);
    assert_eq!(found.iter().map(|(stats, _)| stats.visits()).sum::<u32>(), 901);
}

#[test]
fn threads_draw_several_answers_to_a_turn_at_a_time() {
    // The root has one turn, so that its answers have more visits than there are before turns are drawn.
    let options = SearchOptions { breadth: 0, ..SearchOptions::default() };
    for game in games() {
        let found = grow_by(options, &game, (8, 3_000), 3, 500);
        assert_eq!(found.iter().map(|(stats, _)| stats.visits()).collect::<Vec<_>>(), [1_501]);
    }
}

#[test]
fn threads_do_not_compose_known_turns_over_and_over() {
    // On one board at the start of a game turns that are composed are soon known.
    let game = Game::new(GameConfig::new(Ruleset::Spooky, &[MapLabel::MidnightLake]).unwrap(), 1);
    let least = [(1, 3_000), (8, 1_000)].map(|memory| {
        let found = grow(&game, memory, 1, 2_000);
        found.iter().map(|(stats, _)| stats.visits()).min().unwrap()
    });
    assert!(least[0] < 30 && least[1] > 30, "{least:?}");
}

#[test]
fn threads_go_on_in_a_full_tree() {
    for game in games() {
        for memory in [(1, 60), (4, 60)] {
            let found = grow(&game, memory, 4, 80);
            assert_eq!(found.iter().map(|(stats, _)| stats.visits()).sum::<u32>(), 321);
        }
    }
}

/// The oracle of the stripes is the whole tree: one thread finds the same in both, and keeps the same for the next
/// position.
#[test]
fn one_thread_finds_in_stripes_what_it_finds_in_a_whole_tree() {
    // By sequential halving several turns of a shared root are chosen at a time, and only there compositions of known turns count
    // towards the breadth: so the whole tree has one turn of the root, and more turns are for stripes among themselves.
    let options = SearchOptions { halving: false, ..SearchOptions::default() };
    let cases = [(0, [1, 2, 8], 1), (options.breadth, [2, 4, 8], 6)];
    for (game, (breadth, counts, turns)) in games().flat_map(|game| cases.map(|case| (game.clone(), case))) {
        let options = SearchOptions { breadth, ..options };
        let found = counts.map(|stripes| {
            let mut rooms: Vec<_> = (0..stripes).map(|_| Room::new(600)).collect();
            let first = tree(&mut rooms, &game, &[]);
            search(Shared(&first), &game, options, 300);
            let now = told(&first, &game);
            let kept: Vec<_> = first.iter().map(|stripe| stripe.lock().unwrap().usage()).collect();
            drop(first);
            let (_, next, known) = now.iter().max_by_key(|(stats, ..)| stats.visits()).unwrap();
            let second = tree(&mut rooms, next, &kept);
            let resumed = told(&second, next);
            let stats: Vec<_> = resumed.iter().map(|(stats, ..)| *stats).collect();
            assert_eq!(&stats, known);
            search(Shared(&second), next, options, 100);
            (now.clone(), resumed, told(&second, next))
        });
        assert!(
            found[0].0.len() >= turns && found[0].1.len() > 1,
            "{} {}",
            found[0].0.len(),
            found[0].1.len()
        );
        assert!(found[1] == found[0] && found[2] == found[0]);
    }
}
