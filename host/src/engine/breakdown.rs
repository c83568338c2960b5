//! Breakdowns: searches that end without a turn, and the turn that is played instead. No known position leads to one;
//! whoever waits for a turn gets a legal one all the same, and is told.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use barrow_core::minions::players::Greedy;
use barrow_core::minions::{BoardAction, Game, GameTurn};

use super::search_result::{Breakdown, Candidate, SearchResult};

/// Runs a search. Where the search panics or returns no candidate, the result has a turn of the simple player, whose
/// seed is given, and the [`SearchResult::breakdown`].
pub fn or_simple_turn(game: &Game, seed: u64, search: impl FnOnce() -> SearchResult) -> SearchResult {
    match catch_unwind(AssertUnwindSafe(search)) {
        Ok(result) if !result.candidates.is_empty() => result,
        Ok(mut result) => {
            result.candidates.push(Candidate::unsearched(simple_turn(game, seed), 0.5));
            result.breakdown = Some(Breakdown::NoTurn);
            result
        }
        Err(cause) => {
            let mut result = SearchResult::unsearched(simple_turn(game, seed), 0.5);
            result.breakdown = Some(Breakdown::Panic(message_of(&*cause)));
            result
        }
    }
}

/// A legal turn without any search: the simple player's, or the shortest where the simple player fails too.
pub fn simple_turn(game: &Game, seed: u64) -> GameTurn {
    legal_or_minimal(game, || Greedy::new(seed).choose(game))
}

fn legal_or_minimal(game: &Game, choose: impl FnOnce() -> GameTurn) -> GameTurn {
    let chosen = catch_unwind(AssertUnwindSafe(choose)).ok();
    chosen.filter(|turn| game.clone().play(turn).is_ok()).unwrap_or_else(|| minimal_turn(game))
}

/// A turn that is legal in every position of a game that is not over: the setup of boards that await it, and no more
/// than the free tech.
fn minimal_turn(game: &Game) -> GameTurn {
    let free = game.state().budget().tech_points.min(1);
    // Where unused tech points march by themselves, nothing is due.
    let marches = if game.config().rules.auto_march { 0 } else { free };
    let mut turn = GameTurn { marches, ..GameTurn::new() };
    for index in 0..game.config().num_boards() {
        if !game.view(index).is_some_and(|view| view.awaits_setup()) {
            continue;
        }
        let mut setup = None;
        game.legal_board_actions(index, |action| {
            if setup.is_none() && matches!(action, BoardAction::Keep { .. }) {
                setup = Some(action);
            }
        });
        setup.and_then(|setup| turn.push(index, setup));
    }
    turn
}

/// The message of a panic, on one line.
fn message_of(cause: &(dyn Any + Send)) -> String {
    let text = cause.downcast_ref::<&str>().copied();
    let text = text
        .or_else(|| cause.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("panic without a message");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use barrow_core::minions::text::fen;
    use barrow_core::minions::{GameConfig, MapLabel, Ruleset};

    use super::*;
    use crate::bench::test_positions;

    fn games() -> Vec<Game> {
        [Ruleset::Server, Ruleset::Spooky].into_iter().flat_map(test_positions::middle_games).collect()
    }

    fn fail<T>() -> T {
        std::panic::resume_unwind(Box::new("no such\nnode".to_owned()))
    }

    #[test]
    fn a_search_that_panics_or_finds_nothing_yields_the_simple_players_turn() {
        for game in games() {
            let simple = Greedy::new(7).choose(&game);
            let found = or_simple_turn(&game, 7, fail);
            assert_eq!(found.best().turn, simple);
            assert_eq!(found.breakdown, Some(Breakdown::Panic("no such node".to_owned())));
            let empty =
                SearchResult { candidates: Vec::new(), ..SearchResult::unsearched(GameTurn::new(), 0.5) };
            let found = or_simple_turn(&game, 7, || empty);
            assert_eq!((&found.best().turn, found.breakdown.clone()), (&simple, Some(Breakdown::NoTurn)));
            let sound = or_simple_turn(&game, 7, || SearchResult::unsearched(minimal_turn(&game), 0.5));
            assert!(sound.breakdown.is_none() && sound.best().turn == minimal_turn(&game));
        }
    }

    #[test]
    fn where_the_simple_player_fails_the_shortest_turn_is_left() {
        for game in games() {
            let shortest = minimal_turn(&game);
            assert!(game.clone().play(&shortest).is_ok());
            assert_eq!(legal_or_minimal(&game, fail), shortest);
            let illegal = || GameTurn { marches: 200, ..GameTurn::new() };
            assert_eq!(legal_or_minimal(&game, illegal), shortest);
        }
    }

    #[test]
    fn the_shortest_turn_sets_up_a_board_whose_reinforcements_are_full() {
        let config = GameConfig::new(Ruleset::Spooky, &[MapLabel::AllLand]).unwrap();
        let levels = "L".repeat(config.techline.len());
        for zombies in [0, 253, 254, 255] {
            let reserve = "Z".repeat(zombies);
            let text = format!("0|0 0|0 {levels}|{levels} 1|{reserve}||||0/0/0/0/0/0/0/0/0/0 0 5");
            let game = fen::parse(&text, &config).unwrap();
            assert_eq!(
                game.clone().play(&minimal_turn(&game)).map(|outcome| outcome.winner),
                Ok(None),
                "{zombies}"
            );
        }
    }
}
