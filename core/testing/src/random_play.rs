//! Random legal play for the tests of this folder.

use barrow_core::minions::{Action, BoardAction, Game, GameConfig, MapLabel, Ruleset, UndoLog};
use barrow_core::rng::Rng;

/// Plays an action chosen at random among the legal ones and returns it.
pub fn play_at_random(game: &mut Game, dice: &mut Rng) -> Option<Action> {
    let boards = game.config().num_boards();
    let mut choices = Vec::new();
    if dice.chance(1, 6) {
        game.legal_general_actions(|action| choices.push(action));
    } else {
        let board = dice.below(boards as u32) as usize;
        game.legal_board_actions(board, |action| choices.push(Action::Board(board as u8, action)));
        if dice.chance(1, 400) {
            choices = vec![Action::Board(board as u8, BoardAction::Resign)];
        }
    }
    let action = dice.choose(&choices).copied()?;
    match game.apply(action, &mut UndoLog::off()) {
        Ok(()) => Some(action),
        Err(reason) => {
            // Resignation is tried without asking; everything else was found legal.
            assert!(matches!(action, Action::Board(_, BoardAction::Resign)), "{action:?}: {reason}");
            None
        }
    }
}

/// A position in the middle of a game, possibly in the middle of a turn.
pub fn random_game(seed: u64, ruleset: Ruleset, maps: &[MapLabel], turns: u32, last_actions: u32) -> Game {
    let mut dice = Rng::new(seed);
    let config = GameConfig::new(ruleset, maps).unwrap();
    let mut game = Game::new(config, seed);
    for turn in 0..=turns {
        let actions = if turn == turns { last_actions } else { 25 * maps.len() as u32 };
        for _ in 0..actions {
            play_at_random(&mut game, &mut dice);
        }
        if turn < turns && !game.state().is_over() && game.end_turn().is_err() {
            break;
        }
    }
    game
}
