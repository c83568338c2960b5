//! Search in little memory, all of it lent: workspace, ports and planner, for whole games.

use barrow_core::minions::players::{FallbackEvaluator, FallbackPolicies, Greedy, Random};
use barrow_core::minions::turn_search::ports::SharedPorts;
use barrow_core::minions::turn_search::{Line, Search, SearchOptions, Workspace};
use barrow_core::minions::{Game, GameConfig, MapLabel, Ruleset, Side};
use barrow_core::search::clock::NodeLimit;
use barrow_solver::attack::PlannerWorkspace;

type Planner = PlannerWorkspace<{ 12 * 1024 }>;

type SmallWorkspace = Workspace<10, 1_400>;

const _: () =
    assert!(size_of::<SmallWorkspace>() + size_of::<FallbackPolicies>() + size_of::<Planner>() <= 192 * 1024);

/// Plays a game as Yellow against another player. Returns the number of turns for which the search found several
/// candidates.
fn play(
    game: &mut Game,
    workspace: &mut SmallWorkspace,
    policies: &mut FallbackPolicies,
    planner: &mut Planner,
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
        let (slices, scratch) = workspace.split();
        let ports = SharedPorts {
            evaluator: FallbackEvaluator,
            policies: &mut *policies,
            attack_planner: &mut *planner,
        };
        let mut search = Search::new(slices, scratch, ports, SearchOptions::default(), game).unwrap();
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
fn games_are_played_and_won_in_192_kib() {
    let mut workspace = Box::<SmallWorkspace>::default();
    let mut policies = FallbackPolicies::new();
    let mut planner = Box::<Planner>::default();
    for ruleset in [Ruleset::Server, Ruleset::Spooky] {
        let config = GameConfig::new(ruleset, &[MapLabel::MidnightLake]).unwrap();
        let mut game = Game::new(config.clone(), 3);
        let mut random = Random::new(4);
        let chosen = play(&mut game, &mut workspace, &mut policies, &mut planner, |game| random.choose(game));
        assert_eq!(game.state().winner(), Some(Side::Yellow));
        assert!(chosen > 3, "{chosen}");
        let mut game = Game::new(config, 3);
        play(&mut game, &mut workspace, &mut policies, &mut planner, |game| Greedy::new(1).choose(game));
        assert!(game.state().is_over());
    }
}

#[test]
fn however_long_a_search_takes_answers_to_the_turns_of_the_root_have_room() {
    let mut workspace = Box::<SmallWorkspace>::default();
    let mut policies = FallbackPolicies::new();
    let mut planner = Box::<Planner>::default();
    let config = GameConfig::new(Ruleset::Spooky, &[MapLabel::MidnightLake]).unwrap();
    let game = Game::new(config, 3);
    let (slices, scratch) = workspace.split();
    let room = slices.edges.len();
    let ports =
        SharedPorts { evaluator: FallbackEvaluator, policies: &mut policies, attack_planner: &mut *planner };
    let mut search = Search::new(slices, scratch, ports, SearchOptions::with_little_stack(), &game).unwrap();
    search.run(&mut NodeLimit(1_000));
    let mut lines = [Line::default(); 64];
    let count = search.tree().lines(&mut lines);
    assert!((4..=room / 4).contains(&count), "{count} turns, room for {room}");
    let mut replies = [Line::default(); 64];
    assert!(search.tree().replies(&lines[0], &mut replies) > 2);
}
