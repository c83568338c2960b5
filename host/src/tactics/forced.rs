//! Exact answers about the next turn but one: whether a game is won at the next turn whatever the opponent replies, by
//! graveyards that cannot be taken back, or by an attack after each reply.

use barrow_core::hex::{Hex, HexSet};
use barrow_core::minions::tables::config::GRAVEYARDS_TO_WIN;
use barrow_core::minions::{BoardAction, Game, GameTurn, Side, View};
use barrow_solver::attack::Goal;

use super::replies::Replies;
use crate::engine::proof::{Answer, Prover, necromancer};

/// Whether the opponent of the side to move wins the game in the next turn at the latest, whatever the side to move
/// replies now.
pub fn wins_next(prover: &mut Prover, game: &Game) -> Answer {
    let (state, side) = (game.state(), game.side_to_move());
    let winner = side.opponent();
    if state.is_over() {
        return if state.winner() == Some(winner) { Answer::Yes(()) } else { Answer::No };
    }
    if state.points(winner) + 1 < game.config().points_needed {
        return Answer::No;
    }
    match prover.is_safe(game) {
        Answer::Yes(()) => {}
        other => return other,
    }
    let mut answer = Answer::No;
    for board in 0..game.config().num_boards() {
        match keeps_graveyards(prover, game, board) {
            Answer::Yes(()) => return Answer::Yes(()),
            Answer::No => {}
            Answer::Unknown => answer = Answer::Unknown,
        }
    }
    match every_reply_loses(prover, game) {
        Answer::No => answer,
        other => other,
    }
}

/// Whether the opponent of the side to move holds graveyards enough to win the board at the next turn's start, and no
/// attack takes enough of them or kills the necromancer there.
pub fn keeps_graveyards(prover: &mut Prover, game: &Game, board: usize) -> Answer {
    let Some(view) = game.view(board) else { return Answer::No };
    if graveyards_of_enemy(&view).len() < GRAVEYARDS_TO_WIN {
        return Answer::No;
    }
    if let Some(king) = necromancer(&view, view.side.opponent()) {
        match prover.attack(&view, &[Goal::Kill(king)]) {
            Answer::Yes(_) => return Answer::No,
            Answer::Unknown => return Answer::Unknown,
            Answer::No => {}
        }
    }
    match retakes_graveyards(prover, game, board) {
        Answer::Yes(()) => Answer::No,
        Answer::No => Answer::Yes(()),
        Answer::Unknown => Answer::Unknown,
    }
}

/// Whether an attack of the side to move leaves the enemy of a board fewer graveyards than win it.
pub fn retakes_graveyards(prover: &mut Prover, game: &Game, board: usize) -> Answer {
    match game.view(board).map(|view| retake(prover, &view)) {
        Some(Answer::Yes(_)) => Answer::Yes(()),
        Some(Answer::Unknown) => Answer::Unknown,
        Some(Answer::No) | None => Answer::No,
    }
}

/// An attack that leaves the enemy fewer graveyards than win the board.
pub(super) fn retake(prover: &mut Prover, view: &View<'_>) -> Answer<Vec<BoardAction>> {
    let held = graveyards_of_enemy(view);
    let Some(spare) = held.len().checked_sub(GRAVEYARDS_TO_WIN) else { return Answer::Yes(Vec::new()) };
    let mut answer = Answer::No;
    for set in subsets(&held.iter().collect::<Vec<Hex>>(), spare + 1) {
        let goals: Vec<Goal> = set.into_iter().map(Goal::Remove).collect();
        match prover.attack(view, &goals) {
            Answer::Yes(actions) => return Answer::Yes(actions),
            Answer::Unknown => answer = Answer::Unknown,
            Answer::No => {}
        }
    }
    answer
}

/// Whether every reply of the side to move, listed one by one, still loses to an attack of the next turn. Unknown where
/// there are too many replies to list.
pub fn every_reply_loses(prover: &mut Prover, game: &Game) -> Answer {
    let winner = game.side_to_move().opponent();
    let mut winning: Vec<GameTurn> = Vec::new();
    let Some(mut replies) = Replies::new(game) else { return Answer::Unknown };
    while let Some(reply) = replies.next_end() {
        if reply.state().winner() == Some(winner) {
            continue;
        }
        if reply.state().is_over() {
            return Answer::No;
        }
        let known = winning.iter().position(|turn| wins(&reply, turn, winner));
        if let Some(known) = known {
            winning.swap(known, known / 2);
            continue;
        }
        match prover.winning_attack(&reply) {
            Answer::Yes(turn) => {
                winning.insert(0, turn);
                winning.truncate(KNOWN_TURNS);
            }
            other => return if other.is_no() { Answer::No } else { Answer::Unknown },
        }
    }
    if replies.is_complete() { Answer::Yes(()) } else { Answer::Unknown }
}

/// Winning turns that are tried on the next reply before the solver is asked.
const KNOWN_TURNS: usize = 24;

/// Whether a turn wins the game for a side.
fn wins(game: &Game, turn: &GameTurn, side: Side) -> bool {
    let mut played = game.clone();
    played.play(turn).is_ok() && played.state().winner() == Some(side)
}

/// All subsets of this size.
fn subsets(items: &[Hex], size: usize) -> Vec<Vec<Hex>> {
    if size == 0 {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (place, &first) in items.iter().enumerate() {
        for mut rest in subsets(&items[place + 1..], size - 1) {
            rest.push(first);
            all.push(rest);
        }
    }
    all
}

/// The enemies on graveyards of a board.
pub(super) fn graveyards_of_enemy(view: &View<'_>) -> HexSet {
    view.board.graveyards(view.map, view.side.opponent())
}
