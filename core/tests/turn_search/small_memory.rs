//! Search in 128 KiB: tree, candidates and planner in one piece of memory, for whole games.

use barrow_core::minions::players::{FallbackPolicies, Greedy, Random};
use barrow_core::minions::turn_search::ports::JoinedPorts;
use barrow_core::minions::turn_search::{
    AttackCandidate, GeneralCandidate, Line, MoneyCandidate, Picks, Search, SearchOptions, SearchSlices,
    Slot, SpawnCandidate, Stages,
};
use barrow_core::minions::{Action, Game, GameConfig, GeneralAction, MapLabel, Ruleset, Side};
use barrow_core::search::tree::{Edge, Node};
use barrow_solver::attack::Planner;

use crate::NodeLimit;

/// All memory of a search and its planner.
struct Flash {
    nodes: [Node; 128],
    edges: [Edge<Picks>; 96],
    table: [u32; 256],
    stages: [Stages; 40],
    generals: [Slot<GeneralCandidate>; 50],
    attacks: [Slot<AttackCandidate>; 50],
    money: [Slot<MoneyCandidate>; 40],
    spawns: [Slot<SpawnCandidate>; 60],
    actions: [Action; 1_400],
    planner: [u32; 12 * 1024],
}

const _: () = assert!(size_of::<Flash>() <= 128 * 1024);

// The test is about one piece of memory.
#[allow(clippy::large_stack_arrays)]
fn flash() -> Box<Flash> {
    Box::new(Flash {
        nodes: [Node::EMPTY; 128],
        edges: [Edge::vacant(Picks::default()); 96],
        table: [0; 256],
        stages: [Stages::EMPTY; 40],
        generals: [Slot::<GeneralCandidate>::EMPTY; 50],
        attacks: [Slot::<AttackCandidate>::EMPTY; 50],
        money: [Slot::<MoneyCandidate>::EMPTY; 40],
        spawns: [Slot::<SpawnCandidate>::EMPTY; 60],
        actions: [Action::General(GeneralAction::March); 1_400],
        planner: [0; 12 * 1024],
    })
}

/// Plays a game as Yellow against another player. Returns the number of turns for which the search found several
/// candidates.
fn play(
    game: &mut Game,
    flash: &mut Flash,
    mut opponent: impl FnMut(&Game) -> barrow_core::minions::GameTurn,
) -> usize {
    let mut chosen = 0;
    for _ in 0..120 {
        if game.state().is_over() {
            break;
        }
        if game.side_to_move() == Side::Blue {
            let turn = opponent(game);
            game.play(&turn).unwrap();
            continue;
        }
        let memory = SearchSlices {
            nodes: &mut flash.nodes,
            edges: &mut flash.edges,
            table: &mut flash.table,
            stages: &mut flash.stages,
            generals: &mut flash.generals,
            attacks: &mut flash.attacks,
            money: &mut flash.money,
            spawns: &mut flash.spawns,
            actions: &mut flash.actions,
        };
        let ports = JoinedPorts {
            evaluator: FallbackPolicies::default(),
            attack_policy: FallbackPolicies::default(),
            attack_planner: Planner::new(&mut flash.planner),
            spawn_policy: FallbackPolicies::default(),
            general_policy: FallbackPolicies::default(),
        };
        let mut search = Search::new(memory, ports, SearchOptions::default(), game).unwrap();
        search.run(&mut NodeLimit(60));
        let mut lines = [Line::default(); 8];
        let count = search.tree().lines(&mut lines);
        assert!(count > 0);
        chosen += usize::from(count > 1);
        let turn = search.tree().turn(game, &lines[0]).unwrap();
        game.play(&turn).unwrap();
    }
    chosen
}

#[test]
fn games_are_played_and_won_in_128_kib() {
    let mut flash = flash();
    for ruleset in [Ruleset::Server, Ruleset::Spooky] {
        let config = GameConfig::new(ruleset, &[MapLabel::MidnightLake]).unwrap();
        let mut game = Game::new(config.clone(), 3);
        let mut random = Random::new(4);
        let chosen = play(&mut game, &mut flash, |game| random.choose(game));
        assert_eq!(game.state().winner(), Some(Side::Yellow));
        assert!(chosen > 3, "{chosen}");
        let mut game = Game::new(config, 3);
        play(&mut game, &mut flash, |game| Greedy::new(1).choose(game));
        assert!(game.state().is_over());
    }
}
