//! Card turns: where a card of the hand or of the row decides the game, the search finds the attack with it.

use barrow_core::minions::players::FallbackPolicies;
use barrow_core::minions::text::fen;
use barrow_core::minions::turn_search::ports::JoinedPorts;
use barrow_core::minions::turn_search::{Line, MemoryUsage, Search, SearchOptions, Workspace};
use barrow_core::minions::{Game, GameConfig, Ruleset, Side};
use barrow_core::search::clock::NodeLimit;
use barrow_solver::attack::{PLANNER_WORDS, Planner};
use barrow_testing::DECISIVE_CARDS;

use super::turns::search;

/// The positions with how they are decided.
fn positions() -> impl Iterator<Item = (&'static str, Game)> {
    let config = GameConfig::default().with_ruleset(Ruleset::Server);
    DECISIVE_CARDS.lines().map(move |line| {
        let (how, position) = line.split_once('\t').unwrap();
        (how, fen::parse(position, &config).unwrap())
    })
}

/// Winner after the turn that a search of four nodes plays first.
fn winner(game: &Game, cards: bool) -> Option<Side> {
    let options = SearchOptions { cards, ..SearchOptions::default() };
    let (turn, _) = search(game, 4, options).swap_remove(0);
    let mut after = game.clone();
    after.play(&turn).unwrap();
    after.state().winner()
}

#[test]
fn a_card_that_decides_the_game_is_played() {
    let (mut found_with, mut found_without) = (0, 0);
    for (how, game) in positions() {
        let side = game.side_to_move();
        let decided = |cards: bool| {
            let winner = winner(&game, cards);
            if how.starts_with("win") { winner == Some(side) } else { winner != Some(side.opponent()) }
        };
        assert!(decided(true), "{how}");
        found_with += 1;
        found_without += u32::from(decided(false));
    }
    assert_eq!(found_with, 8);
    // The positions say nothing of the switch if so few nodes find the card by themselves.
    assert!(found_without < 3, "{found_without}");
}

#[test]
fn a_tree_that_is_resumed_is_searched_for_cards_too() {
    let (_, game) = positions().next().unwrap();
    let mut workspace = Box::<Workspace<40, 4_000>>::default();
    let mut usage = MemoryUsage::default();
    for (cards, wins) in [(false, false), (true, true)] {
        let mut words = vec![0; PLANNER_WORDS];
        let ports = JoinedPorts {
            evaluator: FallbackPolicies::default(),
            attack_policy: FallbackPolicies::default(),
            attack_planner: Planner::new(&mut words),
            spawn_policy: FallbackPolicies::default(),
            general_policy: FallbackPolicies::default(),
        };
        let options = SearchOptions { cards, ..SearchOptions::default() };
        let (slices, scratch) = workspace.split();
        let mut search = Search::resume(slices, scratch, ports, options, &game, usage).unwrap();
        search.run(&mut NodeLimit(12));
        let mut lines = [Line::default(); 16];
        let count = search.tree().lines(&mut lines);
        assert_eq!(lines[..count].iter().any(|line| line.wins), wins, "{cards}");
        usage = search.tree().usage();
    }
}

#[test]
fn spells_that_are_off_decide_nothing() {
    for (how, game) in positions().filter(|(how, _)| how.starts_with("win")) {
        let options = SearchOptions { spells: false, ..SearchOptions::default() };
        let (turn, _) = search(&game, 4, options).swap_remove(0);
        let mut after = game.clone();
        after.play(&turn).unwrap();
        assert_ne!(after.state().winner(), Some(game.side_to_move()), "{how}");
    }
}
