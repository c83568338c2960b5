//! Generated turns: actions that were legal when tried, some turns with a fault mixed in.

use barrow_core::minions::{Action, Game, GameTurn, UndoLog};

use super::actions::{arbitrary, board_actions, general};
use super::choices::Choices;

/// Generates a turn from fewer than `length` steps on each board, of which the illegal ones are dropped. About one turn
/// in three has an action that was not tried.
pub fn turn(choices: &mut Choices<'_>, game: &Game, length: usize) -> GameTurn {
    let mut turn = GameTurn::new();
    let mut scratch = game.clone();
    let log = &mut UndoLog::off();
    for _ in 0..choices.below(10) {
        let action = general(choices, &scratch);
        let levels = scratch.state().tech(scratch.side_to_move());
        if scratch.apply(Action::General(action), log).is_ok() || choices.chance(1) {
            let _ = turn.push_general(scratch.config(), levels, action);
        }
    }
    for board in 0..game.config().num_boards() {
        for _ in 0..choices.below(length) {
            let actions = board_actions(choices, &scratch, board);
            if scratch.apply_next(board as u8, &actions, log).is_ok() {
                for action in actions {
                    let _ = turn.push(board, action);
                }
            }
        }
    }
    if choices.chance(5) {
        mutate(choices, game, &mut turn);
    }
    turn
}

/// Inserts an arbitrary action into a turn, swaps two actions or removes one.
fn mutate(choices: &mut Choices<'_>, game: &Game, turn: &mut GameTurn) {
    let board = choices.below(game.config().num_boards() + 1);
    let Some(actions) = turn.board_actions.get_mut(board) else { return };
    let place = choices.below(actions.len() + 1);
    match choices.below(3) {
        0 if actions.len() > 1 => {
            let (last, other) = (actions.len() - 1, choices.below(actions.len()));
            actions.swap(place.min(last), other);
        }
        1 if place < actions.len() => {
            actions.remove(place);
        }
        _ => {
            let _ = actions.insert(place, arbitrary(choices));
        }
    }
}
