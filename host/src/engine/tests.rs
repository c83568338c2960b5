use std::time::Duration;

use barrow_core::minions::text::fen;
use barrow_core::minions::turn_search::SearchOptions;
use barrow_core::minions::{Game, GameConfig, GameTurn, Ruleset};

use super::memory::SearchMemory;
use super::parallel::{ParallelSearch, SearchParams};
use super::*;
use crate::bench::test_positions;

fn nodes(nodes: u64) -> Limits {
    Limits::new(Duration::MAX, nodes)
}

fn summary(found: &SearchResult) -> Vec<(GameTurn, u64, u64)> {
    let entry = |entry: &Candidate| (entry.turn.clone(), entry.visits, entry.claim.to_bits());
    found.candidates.iter().map(entry).collect()
}

#[test]
fn one_thread_is_reproducible_and_memory_that_grows_changes_nothing() {
    let game = &test_positions::middle_games(Ruleset::Server)[3];
    let run = |mut engine: Engine, count| summary(&engine.search(game, &nodes(count)));
    let plain = || Engine::new(64, SearchOptions::default());
    let found = run(plain(), 400);
    assert!(found.len() > 3);
    assert_eq!(found, run(plain(), 400));
    let growing = Engine::with_memory(SearchMemory::starting_with(500, 64, 1), SearchOptions::default());
    assert_eq!(found, run(growing, 400));
    assert_ne!(found, run(plain(), 300));
    assert_ne!(found, run(Engine::new(64, SearchOptions { seed: 1, ..SearchOptions::default() }), 400));
}

#[test]
fn threads_share_the_nodes_and_every_turn_is_legal() {
    for game in test_positions::middle_games(Ruleset::Spooky).into_iter().take(2) {
        let mut engine = Engine::with_threads(32, SearchOptions::default(), 3);
        let found = engine.search(&game, &nodes(90));
        assert!((90..93).contains(&found.statistics.nodes), "{}", found.statistics.nodes);
        assert!(found.candidates.iter().map(|entry| entry.visits).sum::<u64>() <= found.statistics.nodes);
        for candidate in &found.candidates {
            game.clone().play(&candidate.turn).unwrap();
        }
    }
}

#[test]
fn the_stripes_of_a_tree_grow_and_stay_for_the_next_search() {
    let mut game = test_positions::middle_games(Ruleset::Spooky).swap_remove(1);
    let mut memory = SearchMemory::starting_with(1_024, 64, 2);
    let mut search = |game: &Game, limits: &Limits| {
        let params = SearchParams {
            game,
            limits,
            options: SearchOptions::default(),
            net_switches: NetSwitches::default(),
            explains: false,
            records: false,
            network: None,
        };
        let found = ParallelSearch::new(&params).run(&mut memory, &mut |_| {});
        let stripes = memory.buffers.borrow().0.count();
        (found, stripes, memory.buffers.share_of_allowed(1_000))
    };
    let (_, stripes, first) = search(&game, &nodes(1));
    let (found, _, grown) = search(&game, &nodes(1_500));
    assert!((1_500..1_502).contains(&found.statistics.nodes), "{}", found.statistics.nodes);
    assert!(stripes == 2 && grown > first, "{stripes} {first} {grown}");
    assert!(found.reply.is_some());
    game.play(&found.candidates[0].turn).unwrap();
    let (next, ..) = search(&game, &nodes(2));
    // Nearly all visits of the turn that was played have gone on to an answer.
    let known = next.candidates.iter().map(|candidate| candidate.visits).sum::<u64>();
    let played = found.candidates[0].visits;
    assert!(known > 20 && known > played / 2, "{known} {played}");
}

#[test]
fn the_next_search_knows_what_the_last_one_learnt() {
    // With even shares fewer turns stand in the tree twice.
    let mut engine = Engine::new(16, SearchOptions::with_little_stack());
    let visits = |found: &SearchResult| found.candidates.iter().map(|entry| entry.visits).sum::<u64>();
    // Cards that a turn buys make a position that no search has seen. Turns that stand in the tree twice are listed once, and
    // those of one visit are not, so that fewer visits are seen than there were.
    let (mut known, mut grown) = (0, 0);
    for mut game in test_positions::middle_games(Ruleset::Spooky).into_iter().take(12) {
        let first = engine.search(&game, &nodes(200));
        let again = visits(&engine.search(&game, &nodes(40)));
        assert!(visits(&first) > 100 && again > 100 && again <= 240, "{again}");
        grown += u32::from(again > visits(&first));
        game.play(&first.candidates[0].turn).unwrap();
        known += usize::from(visits(&engine.search(&game, &nodes(1))) > 1);
        engine.clear();
        assert_eq!(visits(&engine.search(&game, &nodes(1))), 1);
    }
    assert!(known > 1 && grown > 6, "{known} {grown}");
    // Another configuration is another game, even where the position looks the same.
    let [game, other] = [Ruleset::Spooky, Ruleset::Server]
        .map(|ruleset| test_positions::middle_games(ruleset).swap_remove(4));
    engine.search(&game, &nodes(20));
    assert_eq!(visits(&engine.search(&other, &nodes(5))), 5);
}

/// A position in which the side to move wins at once.
fn won_position() -> Game {
    let line = "1 AllLand S,P,W,G,T,H,K,X,A,U,J,V,M,L,O,C,R,Q,B,E,Y,D,1,2,3";
    let config = fen::parse_config(line, Ruleset::Spooky).unwrap();
    let text =
        "50|0 0|0 LLLLLLLLLLLLLLLLLLLLLLLLL|LLLLLLLLLLLLLLLLLLLLLLLLL n|||||0/0/2N7/0/0/0/7D2/7n2/0/0 0 5";
    fen::parse(text, &config).unwrap()
}

#[test]
fn a_clock_is_not_used_up_when_the_turn_is_settled() {
    // The nodes are there for the case that it fails.
    let limits = Limits { soft_bound: Some(Duration::from_hours(1)), ..nodes(50_000) };
    let found = Engine::new(16, SearchOptions::default()).search(&won_position(), &limits);
    assert!(found.statistics.nodes < 50_000 && found.candidates[0].value > 0.99, "{:?}", found.statistics);
}

#[test]
fn a_search_by_time_ends_when_a_turn_wins_and_a_search_by_nodes_does_not() {
    let search = |limits: &Limits| {
        let found = Engine::new(16, SearchOptions::default()).search(&won_position(), limits);
        assert!(found.candidates[0].value > 0.99);
        found.statistics.nodes
    };
    // Where it fails, ten seconds are more than so many nodes.
    assert!(search(&Limits::new(Duration::from_secs(10), u64::MAX)) < 5_000);
    assert_eq!(search(&nodes(5_000)), 5_000);
}

#[test]
fn what_led_to_a_turn_is_told_stage_by_stage() {
    let game = test_positions::middle_games(Ruleset::Spooky).swap_remove(0);
    let mut engine = Engine::new(16, SearchOptions::default());
    assert!(engine.search(&game, &nodes(10)).explanation.is_none());
    engine.clear();
    engine.set_explains(true);
    let explanation = engine.search(&game, &nodes(120)).explanation.unwrap();
    assert_eq!(explanation.boards.len(), 2);
    assert_eq!(explanation.generals.iter().filter(|choice| choice.chosen).count(), 1);
    assert_eq!(explanation.generals.iter().map(|choice| choice.visits).sum::<u32>(), 120);
    for board in &explanation.boards {
        assert_eq!(board.attacks.iter().map(|attack| attack.choice.visits).sum::<u32>(), 120);
        assert!(board.attacks.iter().any(|attack| attack.choice.chosen));
        assert_eq!(board.money.iter().map(|entry| entry.1.visits).sum::<u32>(), 120);
        for attack in &board.attacks {
            let visits = attack.spawns.iter().map(|spawn| spawn.visits).sum::<u32>();
            assert_eq!(visits, attack.choice.visits);
        }
    }
}

#[test]
fn the_best_candidate_comes_first_and_is_legal() {
    for mut game in test_positions::middle_games(Ruleset::Server).into_iter().take(3) {
        let found = Engine::new(16, SearchOptions::default()).search(&game, &nodes(40));
        assert_eq!(found.statistics.nodes, 40);
        assert!(found.candidates.len() > 1);
        assert!((0.0..=1.0).contains(&found.best().confidence()));
        game.play(&found.best().turn).unwrap();
    }
}

#[test]
fn one_turn_is_composed_whatever_the_limits() {
    let game = Game::new(GameConfig::default(), 0);
    let found = Engine::new(16, SearchOptions::default()).search(&game, &Limits::new(Duration::ZERO, 0));
    assert_eq!(found.statistics.nodes, 1);
}

#[test]
fn a_search_that_panics_amid_its_threads_yields_a_legal_turn() {
    let game = test_positions::middle_games(Ruleset::Server).swap_remove(2);
    let mut engine = Engine::with_threads(16, SearchOptions::default(), 2);
    // The first thread reports once a second; without an end of their own, both threads stop because of the panic.
    let limits = nodes(u64::MAX);
    let found =
        engine.search_observed(&game, &limits, &mut |_| std::panic::resume_unwind(Box::new("injected")));
    assert_eq!(found.breakdown, Some(Breakdown::Panic("injected".to_owned())));
    assert!(game.clone().play(&found.best().turn).is_ok());
    let next = engine.search(&game, &nodes(20));
    assert!(next.breakdown.is_none() && next.statistics.nodes >= 20);
}

#[test]
#[cfg(unix)]
fn processor_time_alone_ends_a_search() {
    let game = &test_positions::middle_games(Ruleset::Server)[0];
    let limits =
        Limits { processor: Some(Duration::from_millis(1)), ..Limits::new(Duration::MAX, 1_000_000) };
    let found = Engine::new(4, SearchOptions::default()).search(game, &limits);
    // A node takes far longer than a microsecond: a limit without effect would let a million pass.
    assert!((1..1_000).contains(&found.statistics.nodes), "{}", found.statistics.nodes);
}

#[test]
fn a_page_searches_as_the_program_does_however_its_slices_are_cut() {
    use barrow_session::network::SessionNetwork;
    use barrow_session::search::{SlicedSearch, SpareMemory};

    let network = SessionNetwork::from_bytes(barrow_nnue::embedded_nets::DESKTOP).unwrap();
    let mut memory = SpareMemory::new();
    for (place, game) in test_positions::middle_games(Ruleset::Server).iter().enumerate().take(6) {
        let mut engine = Engine::new(256, SearchOptions { seed: 5, ..SearchOptions::default() });
        let program = engine.search(game, &nodes(150));
        let mut page = SlicedSearch::new(game, Some(network), (5, 150), memory).unwrap();
        while !page.is_over() {
            page.step(1 + place as u64 * 9);
        }
        let found = page.found(false);
        let turns = found.turns.iter().map(|(turn, line)| {
            let value = f64::from(line.stats.mean()) / f64::from(barrow_core::search::value::CERTAIN);
            (turn.clone(), u64::from(line.stats.visits()), value.to_bits())
        });
        assert_eq!(summary(&program), turns.collect::<Vec<_>>());
        assert_eq!((found.statistics.nodes, &found.reply), (150, &program.reply));
        memory = page.into_memory();
    }
}

#[test]
fn a_search_that_may_be_stopped_does_not_narrow_towards_its_end() {
    use barrow_session::network::SessionNetwork;
    use barrow_session::search::{SlicedSearch, SpareMemory};

    let network = SessionNetwork::from_bytes(barrow_nnue::embedded_nets::DESKTOP).unwrap();
    let mut narrowed = 0;
    for game in &test_positions::middle_games(Ruleset::Server)[..4] {
        let search =
            |limits: &Limits| summary(&Engine::new(256, SearchOptions::default()).search(game, limits));
        let watched = search(&Limits { watched: true, ..nodes(150) });
        narrowed += usize::from(search(&nodes(150)) != watched);
        for (limit, is_watched) in [(100_000, true), (u64::MAX, false)] {
            let page = SlicedSearch::new(game, Some(network), (0, limit), SpareMemory::new()).unwrap();
            let mut page = page.watched(is_watched);
            page.step(150);
            let visits = |line: &barrow_core::minions::turn_search::Line| u64::from(line.stats.visits());
            let found: Vec<_> =
                page.found(false).turns.iter().map(|(turn, line)| (turn.clone(), visits(line))).collect();
            let expected: Vec<_> = watched.iter().map(|entry| (entry.0.clone(), entry.1)).collect();
            assert_eq!(found, expected);
        }
    }
    assert!(narrowed > 2, "{narrowed}");
}

#[test]
fn two_boards_that_fall_in_one_turn_are_not_proved_to_stand() {
    let config = fen::parse_config("2 AllLand,AllLand S,P,W", Ruleset::Spooky).unwrap();
    let board = "n|||||0/0/2N7/0/0/0/0/7D2/6DnD1/7D2";
    let text = format!("0|0 0|0 LLL|LLL {board} {board} 1 4");
    let game = fen::parse(&text, &config).unwrap();
    let mut prover = proof::Prover::default();
    let mut passed = game.clone();
    passed.play(&GameTurn::new()).unwrap();
    let proof::Answer::Yes(turn) = prover.winning_attack(&passed) else { panic!("both boards can be won") };
    let won = passed.play(&turn).unwrap().winner;
    assert_eq!(won, Some(game.side_to_move().opponent()));
    assert_eq!(forced::wins_next(&mut prover, &game), proof::Answer::Unknown);
    // On one board there is one point to win.
    let config = fen::parse_config("3 AllLand S,P,W", Ruleset::Spooky).unwrap();
    let game = fen::parse(&format!("0|0 0|0 LLL|LLL {board} 1 4"), &config).unwrap();
    assert_eq!(forced::wins_next(&mut prover, &game), proof::Answer::No);
}

#[test]
fn a_player_that_ponders_knows_the_expected_position_better() {
    let game = &test_positions::middle_games(Ruleset::Server)[6];
    let visits = |ponders| {
        let engine = Engine::new(16, SearchOptions::default());
        let mut player = EnginePlayer::new(engine, Duration::MAX);
        (player.nodes, player.ponders) = (120, ponders);
        let expected = player.search(game).expected_position(game).unwrap();
        player.ponder();
        player.search(&expected).candidates.iter().map(|candidate| candidate.visits).sum::<u64>()
    };
    let (alone, pondered) = (visits(false), visits(true));
    assert!(alone < 200 && pondered >= alone + 40, "{alone} {pondered}");
}
