//! Random legal play: single actions, and positions that such play leads to.

use barrow_core::minions::{Action, BoardAction, Game, GameConfig, MapLabel, Ruleset, UndoLog};
use barrow_core::rng::Rng;

/// Plays a random legal action and returns it; `None` if none was found. One action in six is drawn from those of the
/// general; resignations are rare.
pub fn play_at_random(game: &mut Game, rng: &mut Rng) -> Option<Action> {
    let boards = game.config().num_boards();
    let mut choices = Vec::new();
    if rng.chance(1, 6) {
        game.legal_general_actions(|action| choices.push(action));
    } else {
        let board = rng.below(boards as u32) as usize;
        game.legal_board_actions(board, |action| choices.push(Action::Board(board as u8, action)));
        if rng.chance(1, 400) {
            choices = vec![Action::Board(board as u8, BoardAction::Resign)];
        }
    }
    let action = rng.choose(&choices).copied()?;
    match game.apply(action, &mut UndoLog::off()) {
        Ok(()) => Some(action),
        Err(reason) => {
            // Only resignation is tried without a check that it is legal.
            assert!(matches!(action, Action::Board(_, BoardAction::Resign)), "{action:?}: {reason}");
            None
        }
    }
}

/// Returns a position after `turns` random turns and `last_actions` further random actions.
pub fn random_game(seed: u64, ruleset: Ruleset, maps: &[MapLabel], turns: u32, last_actions: u32) -> Game {
    let mut rng = Rng::new(seed);
    let config = GameConfig::new(ruleset, maps).unwrap();
    let mut game = Game::new(config, seed);
    for turn in 0..=turns {
        let actions = if turn == turns { last_actions } else { 25 * maps.len() as u32 };
        for _ in 0..actions {
            play_at_random(&mut game, &mut rng);
        }
        if turn < turns && !game.state().is_over() && game.end_turn().is_err() {
            break;
        }
    }
    game
}
