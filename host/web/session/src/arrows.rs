//! Arrows of a turn: where its pieces go and whom they attack.

use barrow_core::hex::Hex;
use barrow_core::minions::{BoardAction, CastParams, GameTurn};

use crate::messages::{Arrow, ArrowKind};

/// Arrows of a turn on so many boards, in the order of play.
pub fn arrows(turn: &GameTurn, boards: usize) -> Vec<Arrow> {
    let mut all = Vec::new();
    for board in 0..boards {
        for action in turn.board(board) {
            if let Some((kind, from, to)) = ends(action) {
                all.push(Arrow { board, kind, from: from.to_string(), to: to.to_string() });
            }
        }
    }
    all
}

fn ends(action: &BoardAction) -> Option<(ArrowKind, Hex, Hex)> {
    Some(match *action {
        BoardAction::Move { from, to, .. } | BoardAction::Teleport { from, to } => {
            (ArrowKind::Walk, from, to)
        }
        BoardAction::Walk { path, .. } => (ArrowKind::Walk, path.from(), path.to()),
        BoardAction::Attack { from, to } => (ArrowKind::Attack, from, to),
        BoardAction::Blink { at } => (ArrowKind::Blink, at, at),
        BoardAction::Spawn { at, .. } | BoardAction::UseTile { at } => (ArrowKind::Spawn, at, at),
        BoardAction::UseAbility { user, to, .. } => (ArrowKind::Cast, user, to),
        BoardAction::Cast { params, .. } => match params {
            CastParams::None => return None,
            CastParams::Piece(at) | CastParams::Hex(at) | CastParams::TerrainHex(_, at) => {
                (ArrowKind::Cast, at, at)
            }
            CastParams::PieceHex(from, to) => (ArrowKind::Cast, from, to),
        },
        BoardAction::Discard { .. }
        | BoardAction::Buy { .. }
        | BoardAction::Keep { .. }
        | BoardAction::Resign
        | BoardAction::EndPhase => return None,
    })
}
