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

/// Fate of a piece over several attacks, as shares of their weights, each 0 to 1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum PieceFate {
    /// An enemy piece.
    Enemy {
        /// Share of attacks that kill the piece.
        killed: f32,
        /// Share of attacks that return the piece to its owner's reinforcements.
        unsummoned: f32,
    },
    /// A friendly piece.
    Friend {
        /// Share of attacks in which the piece does not attack.
        passive: f32,
    },
}

/// Fates of all pieces of a board, each with the hex where the piece stood before the attacks.
pub type PieceFates = Vec<(Hex, PieceFate)>;

impl From<PieceOutcome> for PieceFate {
    fn from(outcome: PieceOutcome) -> PieceFate {
        match outcome {
            PieceOutcome::Stayed => PieceFate::Enemy { killed: 0.0, unsummoned: 0.0 },
            PieceOutcome::Killed => PieceFate::Enemy { killed: 1.0, unsummoned: 0.0 },
            PieceOutcome::Unsummoned => PieceFate::Enemy { killed: 0.0, unsummoned: 1.0 },
            PieceOutcome::Passive => PieceFate::Friend { passive: 1.0 },
            PieceOutcome::Fought => PieceFate::Friend { passive: 0.0 },
        }
    }
}

/// Fates over several attacks on the same board, each with its weight. `None` when all weights are 0.
pub(super) fn mixed(attacks: &[(f32, &PieceOutcomes)]) -> Option<PieceFates> {
    let all: f32 = attacks.iter().map(|(weight, _)| weight).sum();
    let (_, first) = attacks.first().filter(|_| all > 0.0)?;
    let fate = |(index, &(hex, outcome)): (usize, &(Hex, PieceOutcome))| {
        let share = |wanted: PieceOutcome| {
            let hits = attacks.iter().filter(|(_, outcomes)| outcomes.get(index) == Some(&(hex, wanted)));
            hits.map(|(weight, _)| weight).sum::<f32>() / all
        };
        let fate = match PieceFate::from(outcome) {
            PieceFate::Enemy { .. } => PieceFate::Enemy {
                killed: share(PieceOutcome::Killed),
                unsummoned: share(PieceOutcome::Unsummoned),
            },
            PieceFate::Friend { .. } => PieceFate::Friend { passive: share(PieceOutcome::Passive) },
        };
        (hex, fate)
    };
    Some(first.iter().enumerate().map(fate).collect())
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fates_are_shares_of_the_weights() {
        let hex = |index| Hex::new(index).unwrap();
        let attack = |enemy, friend| vec![(hex(7), enemy), (hex(8), friend)];
        let attacks = [
            (3.0, attack(PieceOutcome::Killed, PieceOutcome::Fought)),
            (1.0, attack(PieceOutcome::Unsummoned, PieceOutcome::Fought)),
            (4.0, attack(PieceOutcome::Stayed, PieceOutcome::Passive)),
        ];
        let weighted: Vec<(f32, &PieceOutcomes)> =
            attacks.iter().map(|(weight, outcomes)| (*weight, outcomes)).collect();
        let expected = [
            (hex(7), PieceFate::Enemy { killed: 0.375, unsummoned: 0.125 }),
            (hex(8), PieceFate::Friend { passive: 0.5 }),
        ];
        assert_eq!(mixed(&weighted).unwrap(), expected);
        let alone: PieceFates = attacks[0].1.iter().map(|&(hex, outcome)| (hex, outcome.into())).collect();
        assert_eq!(mixed(&weighted[..1]).unwrap(), alone);
        assert_eq!(mixed(&[(0.0, &attacks[0].1)]), None);
    }
}
