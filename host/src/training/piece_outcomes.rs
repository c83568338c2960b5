//! Piece outcomes: the training targets of Death Prophet, found by playing the attacks of a recorded turn.

use anyhow::Result;
use barrow_core::hex::{Hex, HexSet};
use barrow_core::minions::{Action, BoardAction, Game, GameTurn, Piece, UndoLog};

/// Outcome of an attack phase for one piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PieceOutcome {
    /// An enemy piece stayed on the board.
    Stayed,
    /// An enemy piece was killed.
    Killed,
    /// An enemy piece was returned to its owner's reinforcements.
    Unsummoned,
    /// A friendly piece did not attack.
    Passive,
    /// A friendly piece attacked.
    Fought,
}

/// Outcomes of all pieces of a board, each with the hex where the piece stood before the attacks.
pub type PieceOutcomes = Vec<(Hex, PieceOutcome)>;

/// Plays the general's actions and all attacks of a turn. Returns the game after them and the outcomes board by board.
pub(super) fn play_attacks(before: &Game, turn: &GameTurn) -> Result<(Game, Vec<PieceOutcomes>)> {
    let mut game = before.clone();
    let log = &mut UndoLog::off();
    for action in turn.general_actions(before.state().budget()) {
        game.apply(Action::General(action), log)?;
    }
    let mut outcomes = Vec::new();
    for board in 0..game.config().num_boards() {
        outcomes.push(play_board_attacks(&mut game, board, attack_actions(turn, board), log)?);
    }
    Ok((game, outcomes))
}

/// Actions of a board before the first that places or buys a unit.
fn attack_actions(turn: &GameTurn, board: usize) -> &[BoardAction] {
    let places = |action: &BoardAction| action.is_spawn_phase() || matches!(action, BoardAction::Buy { .. });
    let actions = turn.board(board);
    &actions[..actions.iter().position(places).unwrap_or(actions.len())]
}

fn play_board_attacks(
    game: &mut Game,
    board: usize,
    actions: &[BoardAction],
    log: &mut UndoLog<'_>,
) -> Result<PieceOutcomes> {
    let enemy = game.side_to_move().opponent();
    let board_of = |game: &Game| game.state().boards()[board].clone();
    let start = board_of(game);
    let mut current = start.clone();
    let mut outcomes: PieceOutcomes = start.iter(enemy).map(|(hex, _)| (hex, PieceOutcome::Stayed)).collect();
    let mut fought = HexSet::EMPTY;
    let mut next = 0;
    while let Some(rest) = actions.get(next..).filter(|rest| !rest.is_empty()) {
        if let BoardAction::Attack { from, .. } = rest[0]
            && let Some(origin) = current.piece(from).and_then(Piece::origin)
        {
            fought.insert(origin);
        }
        next += game.apply_next(board as u8, rest, log)?.max(1);
        let after = board_of(game);
        if after.pieces(enemy) != current.pieces(enemy) {
            let standing: HexSet = after.iter(enemy).filter_map(|(_, piece)| piece.origin()).collect();
            for (hex, outcome) in outcomes.iter_mut().filter(|(_, outcome)| *outcome == PieceOutcome::Stayed)
            {
                let Some(piece) = start.piece(*hex).filter(|_| !standing.contains(*hex)) else { continue };
                let returned = after.reserve(enemy, piece.unit()) > current.reserve(enemy, piece.unit());
                *outcome = if returned { PieceOutcome::Unsummoned } else { PieceOutcome::Killed };
            }
        }
        current = after;
    }
    for (hex, _) in start.iter(enemy.opponent()) {
        let outcome = if fought.contains(hex) { PieceOutcome::Fought } else { PieceOutcome::Passive };
        outcomes.push((hex, outcome));
    }
    Ok(outcomes)
}
