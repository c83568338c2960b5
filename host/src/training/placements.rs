//! Placements: the training targets of Dark Seer, which are the hexes where units were spawned and where pieces that
//! did not attack have moved, each beside the hexes that were possible.

use barrow_core::hex::{Hex, HexSet};
use barrow_core::minions::{BoardAction, Builder, Game, GameTurn, UnitLabel, View};

/// Move of a friendly piece that did not attack, with the alternatives.
#[derive(Clone, Debug)]
pub struct MoveChoice {
    /// Unit type of the piece.
    pub unit: UnitLabel,
    /// Hexes on which the piece could end, its own included.
    pub choices: HexSet,
    /// Hex on which the piece ended.
    pub chosen: Hex,
}

/// Spawns of a board in one turn, with the alternatives.
#[derive(Clone, Debug, Default)]
pub struct SpawnChoices {
    /// Unit types in the reinforcements or for sale, with the hexes on which each could be spawned.
    pub choices: Vec<(UnitLabel, HexSet)>,
    /// Units that were spawned, with their hexes.
    pub placed: Vec<(UnitLabel, Hex)>,
}

/// Spawns of a turn on a board, and those possible right after the attacks. Returns `None` when no unit could be
/// spawned.
pub(super) fn spawn_choices(attacked: &Game, board: usize, turn: &GameTurn) -> Option<SpawnChoices> {
    let view = attacked.view(board)?;
    if !view.board.state().allows_spawn() || view.board.marks().won {
        return None;
    }
    let mut spawns = SpawnChoices::default();
    for unit in UnitLabel::ALL {
        let available = view.board.reserve(view.side, unit) > 0 || attacked.may_buy(board, unit).is_ok();
        let hexes = if available { view.spawn_hexes(unit) } else { HexSet::EMPTY };
        if !hexes.is_empty() {
            spawns.choices.push((unit, hexes));
        }
    }
    for action in turn.board(board) {
        if let BoardAction::Spawn { unit, at } = *action {
            spawns.placed.push((unit, at));
        }
    }
    (!spawns.choices.is_empty()).then_some(spawns)
}

/// Moves pieces that have moved without attacking back to the hexes where they began the turn. Returns the game with
/// those pieces unmoved and the move choices of each board, or `None` when such a position is not valid.
pub(super) fn undo_moves(attacked: &Game) -> Option<(Game, Vec<Vec<MoveChoice>>)> {
    let mut builder = Builder::from_game(attacked.clone());
    let mut undone = Vec::new();
    for index in 0..attacked.config().num_boards() {
        let view = attacked.view(index)?;
        let movers = undoable_moves(&view);
        let board = builder.board(index)?;
        for &(hex, _) in &movers {
            board.set_piece(hex, None);
        }
        for &(hex, origin) in &movers {
            let piece = view.board.piece(hex)?.with_record(0, 0, false, false);
            board.set_piece(origin, Some(piece));
        }
        undone.push(movers);
    }
    let game = builder.build().ok()?;
    let choices = undone.iter().enumerate().map(|(index, undone)| {
        let view = game.view(index)?;
        if view.board.marks().won {
            return Some(Vec::new());
        }
        Some(move_choices(&view, undone))
    });
    let choices = choices.collect::<Option<_>>()?;
    Some((game, choices))
}

/// Friendly pieces that moved without attacking and can be moved back, as pairs of present hex and origin.
fn undoable_moves(view: &View<'_>) -> Vec<(Hex, Hex)> {
    let mut movers = Vec::new();
    for (hex, piece) in view.board.iter(view.side) {
        if let Some(origin) = piece.origin()
            && piece.moved()
            && piece.attacks() == 0
            && !piece.exhausted()
            && origin != hex
        {
            movers.push((hex, origin));
        }
    }
    // A piece whose origin is occupied stays, and may occupy the origin of another.
    loop {
        let leaving: HexSet = movers.iter().map(|&(hex, _)| hex).collect();
        let staying = view.board.all_pieces() - leaving;
        let before = movers.len();
        movers.retain(|&(_, origin)| !staying.contains(origin));
        if movers.len() == before {
            return movers;
        }
    }
}

/// Move choices of all friendly pieces that did not attack. `undone` holds present hex and origin of those that moved.
fn move_choices(view: &View<'_>, undone: &[(Hex, Hex)]) -> Vec<MoveChoice> {
    let idle = |hex: Hex| view.friend(hex).is_ok_and(|piece| piece.attacks() == 0 && piece.steps() == 0);
    let movers: HexSet = view.board.pieces(view.side).into_iter().filter(|&hex| idle(hex)).collect();
    let staying = view.board.all_pieces() - movers;
    let mut all = Vec::new();
    for from in movers {
        let Ok(piece) = view.friend(from) else { continue };
        let choices = (view.walks(from, piece) - staying).with(from);
        let chosen = undone.iter().find(|&&(_, origin)| origin == from).map_or(from, |&(hex, _)| hex);
        if choices.len() > 1 && choices.contains(chosen) {
            all.push(MoveChoice { unit: piece.unit(), choices, chosen });
        }
    }
    all
}
