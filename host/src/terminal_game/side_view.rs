//! Lines about both sides: points and money, what a board has for each, the piece under the cursor, the row of cards.

use std::time::Duration;

use barrow_core::minions::{BoardState, Side, Unit, UnitLabel, View};

use super::board_choices::figures;
use super::play_state::{PlayState, Purpose};
use crate::text::counted::counted;
use crate::text::picture::sign;

/// Side to move, the level, and the clocks.
pub(super) fn status_line(state: &PlayState) -> String {
    let position = state.game.state();
    let side = position.side_to_move();
    let mover = if state.waits {
        "not begun".to_owned()
    } else if state.is_over() {
        state.result_in_words()
    } else if side == state.person {
        match state.search.map(|search| search.purpose) {
            Some(Purpose::Hint) => format!("{} to move (you), the engine looks for a hint", side.name()),
            _ => format!("{} to move (you)", side.name()),
        }
    } else {
        format!("{} to move, the engine thinks", side.name())
    };
    let points = points_left(state);
    let clocks = &state.clocks;
    let limit = clocks.limit.map_or_else(String::new, |limit| format!(" of {}", time(limit)));
    format!(
        "Turn {}, {mover}{points}; level {}; time {}{limit}, in all {}",
        u64::from(position.turn()) + 1,
        state.level.name,
        time(clocks.turn),
        time(clocks.total[state.person]),
    )
}

/// Tech points that are left to the player in this turn.
fn points_left(state: &PlayState) -> String {
    match state.shown.state().budget().tech_points {
        _ if !state.is_persons_turn() => String::new(),
        1 => ", 1 tech point".to_owned(),
        points => format!(", {points} tech points"),
    }
}

/// Minutes and seconds.
fn time(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

/// Points and souls of a side, and the souls that are due before its next turn.
pub(super) fn money_line(state: &PlayState, side: Side) -> String {
    let position = state.shown.state();
    let (points, souls) = (position.points(side), position.souls(side));
    let line =
        format!("{}: {points} of {} points, {souls} souls", side.name(), state.game.config().points_needed);
    match position.pending(side) {
        0 => line,
        due => format!("{line} (+{due} due)"),
    }
}

/// Possessions of a side on a board beside its pieces.
pub(super) fn supplies_line(state: &PlayState, board: usize, side: Side) -> String {
    let Some(view) = state.shown.view(board) else { return String::new() };
    let on_board = view.board;
    let graveyards = on_board.graveyards(view.map, side).len();
    let mut parts =
        vec![counted(graveyards, "graveyard"), format!("income {}", state.shown.income(board, side))];
    let reserves = on_board.reserves(side).map(|(unit, count)| format!("{count} {}", unit.name()));
    let reserves: Vec<String> = reserves.collect();
    if !reserves.is_empty() {
        parts.push(format!("waiting {}", reserves.join(" ")));
    }
    let keeps: Vec<&str> = on_board.candidates(side).map(UnitLabel::name).collect();
    if !keeps.is_empty() {
        parts.push(format!("may keep {}", keeps.join(" ")));
    }
    let hand = on_board.hand(side);
    if !hand.is_empty() {
        parts.push(if state.hidden() == Some(side) {
            format!("hand of {}", hand.len())
        } else {
            format!("hand {}", hand.iter().map(|card| card.name()).collect::<Vec<_>>().join(" "))
        });
    }
    if side == view.side && on_board.mana() != 0 {
        parts.push(format!("mana {}", on_board.mana()));
    }
    format!("{:<7} {}", format!("{}:", side.name()), parts.join("; "))
}

/// The row of cards of the side to move, unless it is hidden.
pub(super) fn row_line(state: &PlayState) -> String {
    let position = state.shown.state();
    if position.row().is_empty() || state.hidden() == Some(position.side_to_move()) {
        return String::new();
    }
    let cards = position.row().iter().enumerate().map(|(place, card)| {
        if position.is_taken(place) { format!("({})", card.name()) } else { card.name().to_owned() }
    });
    format!("Row of cards: {}", cards.collect::<Vec<_>>().join(" "))
}

/// Content of the hex under the cursor: terrain, the piece with its figures, and what has happened to it.
pub(super) fn hex_lines(state: &PlayState) -> [String; 3] {
    let Some(view) = state.shown.view(state.board) else { return Default::default() };
    let hex = state.hex;
    let terrain = sign(view.board.tile(view.map, hex)).1;
    let Some(piece) = view.board.piece(hex) else {
        return [format!("{hex}: {terrain}"), board_note(&view), String::new()];
    };
    let name = format!("{hex}: {} {}, on {terrain}", piece.side().name(), piece.unit().name());
    let now = view.current(piece);
    let mut news = vec![format!("damage {} of {}", piece.damage(), now.defense)];
    for (holds, word) in [(piece.exhausted(), "exhausted"), (piece.moved(), "moved")] {
        if holds {
            news.push(word.to_owned());
        }
    }
    match piece.attacks() {
        0 => {}
        1 => news.push("attacked once".to_owned()),
        times => news.push(format!("attacked {times} times")),
    }
    news.extend(piece.modifiers().iter().map(|(modifier, turns)| format!("{} for {turns}", modifier.name())));
    let figures = format!("{}{}", figures(view.rules, piece.unit()), keywords(view.unit(piece)));
    [name, figures, news.join(", ")]
}

/// Traits of a unit beside its figures, each behind a comma.
fn keywords(unit: &Unit) -> String {
    let all = [
        (unit.flying, "flying"),
        (unit.lumbering, "lumbering"),
        (unit.persistent, "persistent"),
        (unit.blink, "blink"),
        (unit.spawn_range > 0, "spawner"),
        (unit.ability.is_some(), "ability"),
    ];
    let words = all.into_iter().filter(|(has, _)| *has).flat_map(|(_, word)| [", ", word]);
    words.collect()
}

/// Demands and prohibitions of a board this turn.
fn board_note(view: &View<'_>) -> String {
    let marks = view.board.marks();
    let note = if view.awaits_setup() {
        "the board was reset: choose the unit that you keep (k)"
    } else if marks.resigned {
        "the board is resigned"
    } else if view.board.state() == BoardState::FirstTurn {
        "on the first turn of the game nothing is placed"
    } else if marks.spawn_phase {
        "spawn phase: a late walk or attack goes before it, if it can"
    } else {
        ""
    };
    note.to_owned()
}
