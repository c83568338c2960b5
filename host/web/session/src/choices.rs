//! Choices: what a piece, a unit of the reinforcements, a card or a board may do, and why it may not.

use barrow_core::hex::{Hex, HexSet};
use barrow_core::minions::text::umi::BoardActText;
use barrow_core::minions::{
    Action, BoardAction, CastParams, Game, IllegalReason, Spell, UndoLog, UnitLabel, View,
};

use crate::messages::{Choice, ChoiceKind, Choices, Subject};
use crate::text::narrate::sentence;
use crate::text::quoted::quoted;
use crate::text::turn_entry::TurnEntry;

/// Choices about a subject, in the position as entered.
pub fn choices(entry: &TurnEntry, subject: &Subject) -> Result<Choices, String> {
    let game = entry.shown();
    let board = subject.board;
    let view = game.view(board).ok_or_else(|| format!("there is no board {board}"))?;
    if view.board.marks().resigned {
        return Ok(none(board, IllegalReason::Resigned.text().to_owned()));
    }
    if let Some(hex) = &subject.hex {
        let hex = Hex::named(hex).ok_or_else(|| format!("no such hex: {}", quoted(hex)))?;
        return Ok(of_piece(&game, entry, board, hex));
    }
    if let Some(unit) = &subject.unit {
        let unit = UnitLabel::from_name(unit).ok_or_else(|| format!("no such unit: {}", quoted(unit)))?;
        return Ok(of_unit(&game, board, &view, unit));
    }
    if let Some(spell) = &subject.spell {
        let spell = Spell::from_name(spell).ok_or_else(|| format!("no such spell: {}", quoted(spell)))?;
        return Ok(of_spell(&game, board, &view, spell));
    }
    Ok(of_board(&game, entry, board))
}

/// No choices on a board, and why.
pub fn none(board: usize, why: String) -> Choices {
    Choices { board, title: format!("board {board}"), why: Some(why), ..Choices::default() }
}

/// Choice of a legal action of a board.
fn choice(game: &Game, board: usize, action: &BoardAction) -> Choice {
    let (kind, hexes): (ChoiceKind, Vec<Hex>) = match *action {
        BoardAction::Move { to, .. } => (ChoiceKind::Walk, vec![to]),
        BoardAction::Walk { path, .. } => (ChoiceKind::Walk, vec![path.to()]),
        BoardAction::Attack { to, .. } => (ChoiceKind::Attack, vec![to]),
        BoardAction::Teleport { to, .. } => (ChoiceKind::Teleport, vec![to]),
        BoardAction::Blink { .. } => (ChoiceKind::Blink, vec![]),
        BoardAction::Spawn { at, .. } => (ChoiceKind::Spawn, vec![at]),
        BoardAction::UseTile { at } => (ChoiceKind::Tile, vec![at]),
        BoardAction::UseAbility { to, .. } => (ChoiceKind::Ability, vec![to]),
        BoardAction::Cast { params, .. } => {
            let hexes = match params {
                CastParams::None => vec![],
                CastParams::Piece(at) | CastParams::Hex(at) | CastParams::TerrainHex(_, at) => vec![at],
                CastParams::PieceHex(at, to) => vec![at, to],
            };
            (ChoiceKind::Cast, hexes)
        }
        BoardAction::Discard { .. } => (ChoiceKind::Discard, vec![]),
        BoardAction::Buy { .. } => (ChoiceKind::Buy, vec![]),
        BoardAction::Keep { .. } => (ChoiceKind::Keep, vec![]),
        BoardAction::EndPhase => (ChoiceKind::EndPhase, vec![]),
        BoardAction::Resign => (ChoiceKind::Resign, vec![]),
    };
    let unit = match *action {
        BoardAction::Spawn { unit, .. } | BoardAction::Buy { unit } => Some(unit),
        BoardAction::Keep { unit } => unit,
        _ => None,
    };
    let spell = match *action {
        BoardAction::Cast { spell, .. } | BoardAction::Discard { spell } => Some(spell),
        _ => None,
    };
    let terrain = match *action {
        BoardAction::Cast { params: CastParams::TerrainHex(kind, _), .. } => Some(kind),
        BoardAction::UseAbility { terrain, .. } => terrain,
        _ => None,
    };
    Choice {
        kind,
        line: format!("{board} {}", BoardActText(action)),
        words: sentence(game, board, action),
        hexes: hexes.iter().map(ToString::to_string).collect(),
        unit: unit.map(|unit| unit.name().to_owned()),
        spell: spell.map(|spell| spell.name().to_owned()),
        terrain: terrain.map(|kind| kind.name().to_owned()),
        price: None,
        why: None,
    }
}

/// Whether an action may be entered now, also where it comes late.
fn is_possible(entry: &TurnEntry, board: usize, action: &BoardAction) -> bool {
    entry.check(&format!("{board} {}", BoardActText(action))).is_ok()
}

/// Moves, targets and other actions of the piece on a hex, or why it has none.
fn of_piece(game: &Game, entry: &TurnEntry, board: usize, from: Hex) -> Choices {
    let Some(view) = game.view(board) else { return Choices::default() };
    let mut found = Choices { board, title: from.to_string(), ..Choices::default() };
    let piece = match view.friend(from) {
        Ok(piece) => piece,
        Err(reason) => {
            if let Some(other) = view.board.piece(from) {
                found.title = format!("{} {from}", other.unit().name());
            }
            found.why = Some(reason.text().to_owned());
            return found;
        }
    };
    let name = piece.unit().name();
    found.title = format!("{name} {from}");
    // Whether an action that comes after the attack phase goes before it, only the whole turn tells.
    let late = view.board.marks().spawn_phase;
    let mut add = |action: BoardAction| {
        if !late || is_possible(entry, board, &action) {
            found.choices.push(choice(game, board, &action));
        }
    };
    view.targets(from).into_iter().for_each(|to| add(BoardAction::Attack { from, to }));
    view.reach(from).into_iter().for_each(|to| add(BoardAction::walk(from, to)));
    view.teleports(from).into_iter().for_each(|to| add(BoardAction::Teleport { from, to }));
    view.attack_phase_actions(|action| {
        if action == (BoardAction::Blink { at: from }) {
            add(action);
        }
    });
    view.spawn_phase_actions(|action| match action {
        BoardAction::UseAbility { user, .. } if user == from => add(action),
        BoardAction::UseTile { at } if at == from => add(action),
        _ => {}
    });
    found.choices.extend(swaps(&view, board, from));
    found.after_walking = after_walking(game, &view, board, from);
    if found.choices.is_empty() {
        let walks = match view.steps_left(piece) {
            Err(reason) => reason.text(),
            Ok(_) => "no hex in reach is free",
        };
        let attacks = match view.ready_to_attack(piece) {
            Err(reason) => reason.text(),
            Ok(_) => "no enemy is in range",
        };
        found.why = Some(format!("{name} {from} cannot walk: {walks}; nor attack: {attacks}"));
    }
    found
}

/// Friends that the piece may change places with.
fn swaps(view: &View<'_>, board: usize, from: Hex) -> Vec<Choice> {
    let mut partners = Vec::new();
    view.swaps(|first, second| match (first == from, second == from) {
        (true, _) => partners.push(second),
        (_, true) => partners.push(first),
        _ => {}
    });
    let name = |hex: Hex| view.friend(hex).map_or("?", |piece| piece.unit().name());
    let swap = |to: Hex| Choice {
        kind: ChoiceKind::Swap,
        line: format!("{board} move_cyclic {from} {to}"),
        words: format!("{} {from} changes places with {} {to}", name(from), name(to)),
        hexes: vec![to.to_string()],
        unit: None,
        spell: None,
        terrain: None,
        price: None,
        why: None,
    };
    partners.into_iter().map(swap).collect()
}

/// Enemies that a piece could attack after a walk, besides those that it can attack now.
fn after_walking(game: &Game, view: &View<'_>, board: usize, from: Hex) -> Vec<String> {
    let mut walking = HexSet::EMPTY;
    for to in view.reach(from) {
        let mut next = game.clone();
        let walk = Action::Board(board as u8, BoardAction::walk(from, to));
        if next.apply(walk, &mut UndoLog::off()).is_ok() {
            walking |= next.view(board).map_or(HexSet::EMPTY, |view| view.targets(to));
        }
    }
    (walking - view.targets(from)).into_iter().map(|hex| hex.to_string()).collect()
}

/// Hexes on which a unit of the reinforcements may be placed, or why on none.
fn of_unit(game: &Game, board: usize, view: &View<'_>, unit: UnitLabel) -> Choices {
    let left = view.board.reserve(view.side, unit);
    let mut found =
        Choices { board, title: format!("{}, {left} to be placed", unit.name()), ..Choices::default() };
    if left == 0 {
        found.why = Some(IllegalReason::NotInReserve.text().to_owned());
        return found;
    }
    let spawns = view.spawn_hexes(unit).into_iter();
    found.choices = spawns.map(|at| choice(game, board, &BoardAction::Spawn { unit, at })).collect();
    if found.choices.is_empty() {
        let why = if view.awaits_setup() {
            IllegalReason::SetupMissing.text()
        } else if view.board.state().allows_spawn() {
            "no hex near a spawner is free"
        } else {
            "on the first turn of a board nothing is placed"
        };
        found.why = Some(why.to_owned());
    }
    found
}

/// Targets of a card of the hand, and its discard.
fn of_spell(game: &Game, board: usize, view: &View<'_>, spell: Spell) -> Choices {
    let mut found = Choices { board, title: spell.name().to_owned(), ..Choices::default() };
    let mut casts = 0;
    view.card_actions(|action| match action {
        BoardAction::Cast { spell: cast, .. } if cast == spell => {
            casts += 1;
            found.choices.push(choice(game, board, &action));
        }
        BoardAction::Discard { spell: card } if card == spell => {
            found.choices.push(choice(game, board, &action));
        }
        _ => {}
    });
    if casts == 0 {
        let own = spell.mana_on_discard();
        let short = spell.mana_on_play() < 0 && view.mana_reserve() - own + spell.mana_on_play() < 0;
        let why = if !view.board.hand(view.side).contains(&spell) {
            IllegalReason::NotInHand.text()
        } else if short {
            IllegalReason::Mana.text()
        } else {
            "nothing on the board is a target for it"
        };
        found.why = Some(why.to_owned());
    }
    found
}

/// Choices on a board besides moving pieces, placing units and casting cards: units for sale, the unit that is
/// kept, spawner tiles, the end of the phase, resignation.
fn of_board(game: &Game, entry: &TurnEntry, board: usize) -> Choices {
    let mut found = Choices { board, title: format!("board {board}"), ..Choices::default() };
    for unit in UnitLabel::ALL {
        let mut buy = choice(game, board, &BoardAction::Buy { unit });
        buy.price = Some(game.config().rules.unit(unit).cost);
        match game.may_buy(board, unit) {
            Ok(()) => found.choices.push(buy),
            Err(IllegalReason::NotForSale | IllegalReason::TechNotOwned) => {}
            Err(reason) => {
                buy.line.clear();
                found.choices.push(Choice { why: Some(reason.text().to_owned()), ..buy });
            }
        }
    }
    game.legal_board_actions(board, |action| {
        if matches!(action, BoardAction::Keep { .. } | BoardAction::UseTile { .. }) {
            found.choices.push(choice(game, board, &action));
        }
    });
    for action in [BoardAction::EndPhase, BoardAction::Resign] {
        if is_possible(entry, board, &action) {
            found.choices.push(choice(game, board, &action));
        }
    }
    found
}
