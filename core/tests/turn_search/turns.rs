//! Turns of the search: they are legal whatever the switches, an equal seed gives equal turns, spell finishes obey their
//! switch, and a necromancer that can be killed this turn is killed.

use barrow_core::minions::players::{FallbackPolicies, Greedy};
use barrow_core::minions::text::fen;
use barrow_core::minions::turn_search::ports::{Attack, AttackGoal, AttackPlanner, JoinedPorts, Planned};
use barrow_core::minions::turn_search::{
    AttackCandidate, GeneralCandidate, KeptPosition, Line, MoneyCandidate, Picks, Search, SearchOptions,
    SearchScratch, SearchSlices, Slot, SpawnCandidate, Stages,
};
use barrow_core::minions::{
    Action, BOARD_CAP, BoardAction, Game, GameConfig, GameTurn, GeneralAction, MapLabel, Ruleset, Spell,
};
use barrow_core::search::clock::NodeLimit;
use barrow_core::search::tree::{Edge, Node};
use barrow_solver::attack::{PLANNER_WORDS, Planner};
use barrow_testing::BENCH_POSITIONS;

/// Searches a position and returns the turns found with their visits, the one to play first.
pub(super) fn search(game: &Game, nodes: u64, options: SearchOptions) -> Vec<(GameTurn, u32)> {
    search_keeping(0, game, nodes, options)
}

/// Turns of a search with places for so many positions.
fn search_keeping(places: usize, game: &Game, nodes: u64, options: SearchOptions) -> Vec<(GameTurn, u32)> {
    let mut words = vec![0; PLANNER_WORDS];
    search_by(Planner::new(&mut words), places, game, nodes, options)
}

/// Turns of a search whose attacks come from this planner, with places for so many positions.
pub(super) fn search_by(
    attack_planner: impl AttackPlanner,
    places: usize,
    game: &Game,
    nodes: u64,
    options: SearchOptions,
) -> Vec<(GameTurn, u32)> {
    let mut kept = vec![KeptPosition::new(); places];
    let mut scratch = SearchScratch::new();
    let (mut all_nodes, mut edges) = (vec![Node::EMPTY; 2_000], vec![Edge::vacant(Picks::default()); 2_000]);
    let (mut table, mut stages) = (vec![0; 4_096], vec![Stages::EMPTY; 1_000]);
    let mut generals = vec![Slot::<GeneralCandidate>::EMPTY; 5_000];
    let mut attacks = vec![Slot::<AttackCandidate>::EMPTY; 5_000];
    let mut money = vec![Slot::<MoneyCandidate>::EMPTY; 5_000];
    let mut spawns = vec![Slot::<SpawnCandidate>::EMPTY; 5_000];
    let mut actions = vec![Action::General(GeneralAction::March); 200_000];
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
    let ports = JoinedPorts {
        evaluator: FallbackPolicies::default(),
        attack_policy: FallbackPolicies::default(),
        attack_planner,
        spawn_policy: FallbackPolicies::default(),
        general_policy: FallbackPolicies::default(),
    };
    let mut search = Search::new(memory, &mut scratch, ports, options, game).unwrap();
    search.keep_positions(&mut kept);
    search.run(&mut NodeLimit(nodes));
    assert_eq!(search.statistics().nodes, nodes);
    let mut lines = [Line::default(); 64];
    let count = search.tree().lines(&mut lines);
    lines[..count].iter().map(|line| (search.tree().turn(game, line).unwrap(), line.stats.visits())).collect()
}

/// Parses the positions of the benches.
fn middle_games() -> Vec<Game> {
    let config = GameConfig::default().with_ruleset(Ruleset::Spooky);
    BENCH_POSITIONS.lines().map(|line| fen::parse(line, &config).unwrap()).collect()
}

/// Returns positions from the first twelve turns of the greedy player, on one to four boards.
fn young_games(ruleset: Ruleset) -> Vec<Game> {
    games_of(ruleset, 12)
}

/// Returns every fourth position of the first turns of the greedy player, on one to four boards.
fn games_of(ruleset: Ruleset, turns: u64) -> Vec<Game> {
    let mut games = Vec::new();
    for boards in 1..=4 {
        let maps: Vec<MapLabel> = MapLabel::ALL.into_iter().skip(boards).take(boards).collect();
        let mut game = Game::new(GameConfig::new(ruleset, &maps).unwrap(), boards as u64);
        for turn in 0..turns {
            if game.state().is_over() {
                break;
            }
            if turn % 4 == 1 {
                games.push(game.clone());
            }
            let turn = Greedy::new(turn).choose(&game);
            game.play(&turn).unwrap();
        }
    }
    games
}

#[test]
fn the_last_visits_of_a_round_go_to_few_turns() {
    // With techs by value three turns of one of these positions change places until the end, which says nothing of the halving.
    let halving = SearchOptions { techs: false, rounds: 1, ..SearchOptions::default() };
    let (mut once, mut twice) = (0, 0);
    let puct = SearchOptions { halving: false, ..halving };
    for game in middle_games().iter().step_by(8) {
        let found = search(game, 240, halving);
        let mut visits: Vec<u32> = found.iter().map(|turn| turn.1).collect();
        visits.sort_unstable_by_key(|visits| std::cmp::Reverse(*visits));
        // There are more than two phases, in the last of which two turns are left.
        assert!(visits.len() > 3 && visits[0] + visits[1] > 240 * 3 / 10, "{visits:?}");
        assert!(visits[1] >= 240 / 6 - 2, "{visits:?}");
        // A turn that wins at once needs no visits.
        let mut after = game.clone();
        after.play(&found[0].0).unwrap();
        let wins = after.state().is_over();
        assert!(wins || visits[..3].contains(&found[0].1), "{visits:?} {}", found[0].1);
        let all = search(game, 240, puct);
        // Nothing new is composed in the second half.
        assert!(found.len() < all.len(), "{} {}", found.len(), all.len());
        let early = search(game, 120, puct);
        assert!(found.len() <= early.len() + 1, "{} {}", found.len(), early.len());
        once += found.len();
        twice += search(game, 240, SearchOptions { rounds: 2, ..halving }).len();
    }
    // The second round composes as well, for half of its effort.
    assert!(once < twice, "{once} {twice}");
}

#[test]
fn every_listed_turn_is_legal_whatever_the_switches() {
    let switched = |index: usize| {
        let mut options = SearchOptions::default();
        let switches = [
            &mut options.feedback,
            &mut options.fine,
            &mut options.coarse,
            &mut options.rates,
            &mut options.confidence,
            &mut options.convolution,
            &mut options.assignment,
            &mut options.transpositions,
            &mut options.defence,
            &mut options.spells,
            &mut options.resignation,
            &mut options.halving,
            &mut options.techs,
            &mut options.cards,
            &mut options.counsel,
        ];
        if let Some(switch) = switches.into_iter().nth(index) {
            *switch = !*switch;
        }
        options
    };
    let games = [middle_games(), young_games(Ruleset::Server), young_games(Ruleset::Spooky)].concat();
    let mut listed = 0;
    for (index, game) in games.iter().enumerate() {
        let turns = search(game, 60, switched(index % 16));
        for (place, (turn, _)) in turns.iter().enumerate() {
            game.clone().play(turn).unwrap_or_else(|error| panic!("game {index}, turn {place}: {error}"));
        }
        listed += turns.len();
    }
    assert!(listed > 5 * games.len(), "{listed}");
}

/// Whether a turn casts a spell that takes an enemy off its hex.
fn finishes_off_by_card(turn: &GameTurn) -> bool {
    let card = |action: &BoardAction| {
        matches!(
            action,
            BoardAction::Cast {
                spell: Spell::Fester
                    | Spell::Dismember
                    | Spell::Unsummon
                    | Spell::Stumble
                    | Spell::Cleave
                    | Spell::Sunder,
                ..
            }
        )
    };
    (0..BOARD_CAP).any(|board| turn.board(board).iter().any(card))
}

#[test]
fn cards_finish_off_the_wounded_unless_spells_are_off() {
    let (mut with, mut without) = (0, 0);
    for game in games_of(Ruleset::Server, 40).into_iter().skip(3) {
        for (spells, count) in [(true, &mut with), (false, &mut without)] {
            let options = SearchOptions { spells, ..SearchOptions::default() };
            let turns = search(&game, 60, options);
            *count += turns.iter().filter(|(turn, _)| finishes_off_by_card(turn)).count();
            if !spells {
                let casts = |action: &BoardAction| matches!(action, BoardAction::Cast { .. });
                assert!(
                    !turns
                        .iter()
                        .any(|(turn, _)| (0..BOARD_CAP).any(|board| turn.board(board).iter().any(casts)))
                );
            }
        }
    }
    assert!(with > 20, "{with}");
    assert_eq!(without, 0);
}

#[test]
fn the_same_seed_finds_the_same() {
    for game in middle_games().iter().take(4) {
        assert_eq!(search(game, 150, SearchOptions::default()), search(game, 150, SearchOptions::default()));
    }
}

#[test]
fn turns_do_not_depend_on_how_many_positions_are_kept() {
    let mut games = young_games(Ruleset::Server);
    games.truncate(3);
    games.extend(middle_games().into_iter().take(3));
    for game in games {
        let all = search(&game, 150, SearchOptions::default());
        for places in [1, 7, 256] {
            assert_eq!(search_keeping(places, &game, 150, SearchOptions::default()), all);
        }
        let options = SearchOptions { transpositions: false, ..SearchOptions::default() };
        assert_eq!(search_keeping(16, &game, 60, options), search(&game, 60, options));
    }
}

#[test]
fn a_necromancer_that_can_be_killed_is_killed() {
    let mut planner = vec![0; PLANNER_WORDS];
    let mut kills = 0;
    for game in [middle_games(), young_games(Ruleset::Server)].concat() {
        let mut possible = Vec::new();
        for board in 0..game.config().num_boards() {
            let view = game.view(board).unwrap();
            let necromancer =
                view.board.iter(view.side.opponent()).find(|(_, piece)| view.unit(*piece).necromancer);
            let Some((at, _)) = necromancer else { continue };
            let mut attack = Attack::default();
            let found = Planner::new(&mut planner).plan(&view, &[AttackGoal::Kill(at)], &[], &mut attack);
            if found == Planned::Found && attack.outline.killed.contains(at) {
                possible.push(board);
            }
        }
        if possible.is_empty() {
            continue;
        }
        let (turn, _) = search(&game, 40, SearchOptions::default()).swap_remove(0);
        let mut after = game.clone();
        after.enter(&turn, &mut barrow_core::minions::UndoLog::off()).unwrap();
        let won = possible.iter().filter(|&&board| after.view(board).unwrap().board.marks().won).count();
        assert!(won > 0, "boards {possible:?}");
        kills += won;
    }
    assert!(kills > 2, "{kills}");
}

#[test]
fn the_largest_and_least_settings_are_bounded_where_they_are_used() {
    let game = &middle_games()[1];
    for exploration in [0, u32::MAX / 2 + 1, u32::MAX] {
        for noise in [i32::MIN, -1, i32::MAX] {
            let options = SearchOptions { exploration, noise, ..SearchOptions::default() };
            assert!(!search(game, 60, options).is_empty());
        }
    }
}
