//! Choices for a piece or the hex under the cursor: hexes to aim at, and lists.

use barrow_core::hex::Hex;
use barrow_core::minions::text::umi::BoardActText;
use barrow_core::minions::{BoardAction, CastParams, Game, IllegalReason, Side, Spell};

use super::menu::{Act, Aim, Item, Menu, TargetKind};
use crate::text::narrate::sentence;
use crate::text::turn_entry::TurnEntry;

/// Choice of a legal action of a board.
pub(super) fn item_of(game: &Game, board: usize, action: &BoardAction) -> Item {
    Item::new(sentence(game, board, action), Act::Line(format!("{board} {}", BoardActText(action))))
}

/// Whether an action may be entered now, also where it comes late.
fn is_possible(entry: &TurnEntry, board: usize, action: &BoardAction) -> bool {
    entry.check(&format!("{board} {}", BoardActText(action))).is_ok()
}

/// Moves and targets of the piece on a hex, or why it has none.
pub(super) fn aim_of_piece(game: &Game, entry: &TurnEntry, board: usize, from: Hex) -> Result<Aim, String> {
    let view = game.view(board).ok_or("there is no such board")?;
    let piece = view.friend(from).map_err(IllegalReason::text)?;
    let name = piece.unit().name();
    let mut aim = Aim::new(board, Some(from), format!("{name} {from}: choose a lit hex"));
    // Whether an action that comes after the attack phase goes before it, only the whole turn tells.
    let late = view.board.marks().spawn_phase;
    let mut add = |to: Hex, kind: TargetKind, action: BoardAction| {
        if !late || is_possible(entry, board, &action) {
            aim.add(to, kind, item_of(game, board, &action));
        }
    };
    view.targets(from).into_iter().for_each(|to| add(to, TargetKind::Hit, BoardAction::Attack { from, to }));
    view.reach(from).into_iter().for_each(|to| add(to, TargetKind::Go, BoardAction::walk(from, to)));
    view.teleports(from)
        .into_iter()
        .for_each(|to| add(to, TargetKind::Go, BoardAction::Teleport { from, to }));
    let mut partners = Vec::new();
    view.swaps(|first, second| match (first == from, second == from) {
        (true, _) => partners.push(second),
        (_, true) => partners.push(first),
        _ => {}
    });
    for to in partners {
        let other = view.friend(to).map_or("?", |piece| piece.unit().name());
        let line = format!("{board} move_cyclic {from} {to}");
        let text = format!("{name} {from} changes places with {other} {to}");
        aim.add(to, TargetKind::Go, Item::new(text, Act::Line(line)));
    }
    if !aim.targets.is_empty() {
        return Ok(aim);
    }
    let walks = match view.steps_left(piece) {
        Err(reason) => reason.text(),
        Ok(_) => "no hex in reach is free",
    };
    let attacks = match view.ready_to_attack(piece) {
        Err(reason) => reason.text(),
        Ok(_) => "no enemy is in range",
    };
    Err(format!("{name} {from} cannot walk: {walks}; nor attack: {attacks}"))
}

/// Why a piece cannot be sent to a hex that is not lit, in the words of the rules.
pub(super) fn refusal(entry: &TurnEntry, board: usize, from: Hex, to: Hex) -> String {
    match entry.check(&format!("{board} {from}{to}")) {
        Err(error) => error,
        // A walk that is possible is lit, so this is a word too many rather than one too few.
        Ok(()) => "choose a lit hex".to_owned(),
    }
}

/// Whether an action names a hex.
fn concerns(action: &BoardAction, hex: Hex) -> bool {
    match *action {
        BoardAction::Move { from, to, .. }
        | BoardAction::Attack { from, to }
        | BoardAction::Teleport { from, to }
        | BoardAction::Cast { params: CastParams::PieceHex(from, to), .. }
        | BoardAction::UseAbility { user: from, to, .. } => from == hex || to == hex,
        BoardAction::Walk { path, .. } => path.from() == hex || path.to() == hex,
        BoardAction::Blink { at }
        | BoardAction::Spawn { at, .. }
        | BoardAction::UseTile { at }
        | BoardAction::Cast {
            params: CastParams::Piece(at) | CastParams::Hex(at) | CastParams::TerrainHex(_, at),
            ..
        } => at == hex,
        _ => false,
    }
}

/// Everything that may be done from, to or on a hex, what a walk is last.
pub(super) fn menu_of_hex(game: &Game, board: usize, hex: Hex) -> Result<Menu, String> {
    let mut found = Vec::new();
    game.legal_board_actions(board, |action| {
        if concerns(&action, hex) {
            found.push(action);
        }
    });
    found.sort_by_key(|action| matches!(action, BoardAction::Move { .. }));
    if found.is_empty() {
        return Err(format!("nothing can be done with {hex} now"));
    }
    let items = found.iter().map(|action| item_of(game, board, action)).collect();
    Ok(Menu::new(format!("board {board}, {hex}"), items))
}

/// The next hex, row by row after this one, with a piece of the side that can still walk or attack.
pub(super) fn next_ready(game: &Game, board: usize, side: Side, after: Hex) -> Option<Hex> {
    let view = game.view(board)?;
    if view.side != side {
        return None;
    }
    let ready = |hex: &Hex| !view.reach(*hex).is_empty() || !view.targets(*hex).is_empty();
    let mut hexes: Vec<Hex> = view.board.pieces(side).into_iter().collect();
    let first_after = hexes.iter().filter(|hex| hex.index() <= after.index()).count();
    hexes.rotate_left(first_after);
    hexes.into_iter().find(ready)
}

/// Aim of one spell whose legal casts are these, or what it leads to without an aim.
pub(super) fn act_of_spell(game: &Game, board: usize, spell: Spell, casts: &[CastParams]) -> Option<Act> {
    let item = |params| item_of(game, board, &BoardAction::Cast { spell, params });
    let name = spell.name();
    let mut aim = Aim::new(board, None, format!("{name}: choose a lit hex"));
    for &params in casts {
        match params {
            CastParams::None => return item(params).act.ok(),
            CastParams::Piece(at) => aim.add(at, TargetKind::Hit, item(params)),
            CastParams::Hex(at) | CastParams::TerrainHex(_, at) => aim.add(at, TargetKind::Go, item(params)),
            CastParams::PieceHex(at, _) if aim.target(at).is_none() => {
                let mut second = Aim::new(board, Some(at), format!("{name}: choose where {at} goes"));
                for &params in casts {
                    if let CastParams::PieceHex(piece, to) = params
                        && piece == at
                    {
                        second.add(to, TargetKind::Go, item(params));
                    }
                }
                let text = format!("{name}: the piece on {at}");
                aim.add(at, TargetKind::Hit, Item::new(text, Act::Aim(second)));
            }
            CastParams::PieceHex(..) => {}
        }
    }
    (!aim.targets.is_empty()).then_some(Act::Aim(aim))
}
