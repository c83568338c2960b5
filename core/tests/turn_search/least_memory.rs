//! The least memory of a search: with it one turn is found on any number of boards, with less there is an error.

use barrow_core::minions::players::{FallbackEvaluator, FallbackPolicies};
use barrow_core::minions::turn_search::ports::SharedPorts;
use barrow_core::minions::turn_search::{
    AttackCandidate, GeneralCandidate, Line, MoneyCandidate, Picks, Search, SearchCapacity, SearchError,
    SearchOptions, SearchScratch, SearchSlice, SearchSlices, Slot, SpawnCandidate, Stages, Workspace,
};
use barrow_core::minions::{Action, BOARD_CAP, Game, GameConfig, GeneralAction, MapLabel, Ruleset};
use barrow_core::search::clock::NodeLimit;
use barrow_core::search::tree::{Edge, Node};
use barrow_solver::attack::{PLANNER_WORDS, Planner};

/// Nodes and lines of a search in memory of this capacity.
fn search(capacity: &SearchCapacity, game: &Game) -> Result<(u64, usize), SearchError> {
    let mut words = vec![0; PLANNER_WORDS];
    let mut ports = SharedPorts {
        evaluator: FallbackEvaluator,
        policies: FallbackPolicies::new(),
        attack_planner: Planner::new(&mut words),
    };
    let slices = SearchSlices {
        nodes: &mut vec![Node::EMPTY; capacity.nodes],
        edges: &mut vec![Edge::vacant(Picks::NONE); capacity.edges],
        table: &mut vec![0; capacity.table],
        stages: &mut vec![Stages::EMPTY; capacity.stages],
        generals: &mut vec![Slot::<GeneralCandidate>::EMPTY; capacity.generals],
        attacks: &mut vec![Slot::<AttackCandidate>::EMPTY; capacity.attacks],
        money: &mut vec![Slot::<MoneyCandidate>::EMPTY; capacity.money],
        spawns: &mut vec![Slot::<SpawnCandidate>::EMPTY; capacity.spawns],
        actions: &mut vec![Action::General(GeneralAction::March); capacity.actions],
    };
    assert_eq!(slices.capacity(), *capacity);
    let mut scratch = SearchScratch::new();
    let mut search = Search::new(slices, &mut scratch, &mut ports, SearchOptions::default(), game)?;
    search.run(&mut NodeLimit(8));
    let mut lines = [Line::default(); 4];
    let count = search.tree().lines(&mut lines);
    game.clone().play(&search.tree().turn(game, &lines[0]).unwrap()).unwrap();
    Ok((search.statistics().nodes, count))
}

/// A position on this many boards, some turns into the game.
fn position(boards: usize, ruleset: Ruleset) -> Game {
    let maps: Vec<MapLabel> = MapLabel::ALL.into_iter().take(boards).collect();
    let mut game = Game::new(GameConfig::new(ruleset, &maps).unwrap(), boards as u64);
    for turn in 0..6 {
        game.play(&barrow_core::minions::players::Greedy::new(turn).choose(&game)).unwrap();
    }
    game
}

#[test]
fn the_least_memory_holds_one_turn_on_any_number_of_boards() {
    for boards in 1..=BOARD_CAP {
        for ruleset in [Ruleset::Server, Ruleset::Spooky] {
            let (nodes, lines) = search(&SearchCapacity::least(boards), &position(boards, ruleset)).unwrap();
            assert!(nodes == 8 && lines == 1, "{boards} boards: {nodes} nodes, {lines} lines");
        }
    }
}

#[test]
fn memory_below_the_least_is_refused_by_name() {
    for boards in [1, 2, BOARD_CAP] {
        let game = position(boards, Ruleset::Server);
        let least = SearchCapacity::least(boards);
        let shorter = [
            (SearchSlice::Nodes, SearchCapacity { nodes: least.nodes - 1, ..least }),
            (SearchSlice::Edges, SearchCapacity { edges: least.edges - 1, ..least }),
            (SearchSlice::Table, SearchCapacity { table: least.table - 1, ..least }),
            (SearchSlice::Stages, SearchCapacity { stages: least.stages - 1, ..least }),
            (SearchSlice::Generals, SearchCapacity { generals: least.generals - 1, ..least }),
            (SearchSlice::Attacks, SearchCapacity { attacks: least.attacks - 1, ..least }),
            (SearchSlice::Money, SearchCapacity { money: least.money - 1, ..least }),
            (SearchSlice::Spawns, SearchCapacity { spawns: least.spawns - 1, ..least }),
            (SearchSlice::Actions, SearchCapacity { actions: least.actions - 1, ..least }),
        ];
        for (slice, capacity) in shorter {
            let error = search(&capacity, &game).unwrap_err();
            let SearchError::TooShort { slice: named, least: length } = error else { panic!("{error}") };
            assert_eq!(named, slice);
            assert!(error.to_string().ends_with(&format!("which takes {length}")), "{error}");
        }
        // Room for more general candidates is room for longer lists of them, which asks for more actions.
        let many = SearchCapacity { generals: 200, ..least };
        let actions = SearchCapacity::least_actions(boards, 200);
        let error = SearchError::TooShort { slice: SearchSlice::Actions, least: actions };
        assert_eq!(search(&many, &game).unwrap_err(), error);
        assert_eq!(search(&SearchCapacity { actions, ..many }, &game).unwrap().1, 1);
    }
    let mut over = position(1, Ruleset::Spooky);
    while !over.state().is_over() {
        over.play(&barrow_core::minions::players::Greedy::new(0).choose(&over)).unwrap();
    }
    assert_eq!(search(&SearchCapacity::least(1), &over).unwrap_err(), SearchError::GameOver);
}

#[test]
fn a_workspace_is_as_large_as_its_capacities_and_scratch() {
    type Small = Workspace<24, 3_000>;
    let bytes = Small::CAPACITY.bytes() + size_of::<SearchScratch>();
    // Each of nine lists has a length, and begins where its items may.
    assert!((bytes..bytes + 9 * 16).contains(&size_of::<Small>()), "{bytes}, {}", size_of::<Small>());
    assert_eq!(
        Small::CAPACITY.check(BOARD_CAP).is_ok(),
        3_000 >= SearchCapacity::least_actions(BOARD_CAP, 72)
    );
}

#[test]
fn a_balanced_capacity_is_enough_for_a_turn_and_is_refused_where_it_cannot_be_counted() {
    assert_eq!(SearchCapacity::balanced(256).unwrap().check(BOARD_CAP), Ok(()));
    assert_eq!(SearchCapacity::balanced(usize::MAX / 8), None);
}

#[test]
fn actions_of_more_boards_than_can_be_counted_are_the_largest_number() {
    for boards in [usize::MAX, usize::MAX / 2, usize::MAX / 300] {
        assert_eq!(SearchCapacity::least_actions(boards, 480), usize::MAX);
    }
    let many = usize::MAX / 313;
    assert_eq!(SearchCapacity::least_actions(many, 480), 24 * (12 + many) + many * 288);
    assert_eq!(SearchCapacity::least(usize::MAX).actions, usize::MAX);
    assert_eq!(SearchCapacity::least(usize::MAX).bytes(), usize::MAX);
    assert!(SearchCapacity::balanced(256).unwrap().check(usize::MAX).is_err());
}

#[test]
fn bytes_beyond_all_memory_are_the_largest_number() {
    let many = SearchCapacity::balanced(usize::MAX / 64).unwrap();
    assert_eq!(many.bytes(), usize::MAX);
}
