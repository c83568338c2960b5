//! Recorded turns: verdicts on attempts, the position before the turn ends, and the position after.
//!
//! Each turn is played three ways: in the plain order of phases, in free entry order, and from the position that
//! the turn before left behind.

use std::collections::BTreeMap;

use anyhow::{Context, Result, anyhow};
use barrow_core::minions::{
    Action, BoardAction, Deal, Game, GeneralAction, IllegalReason, SideArray, TurnEntry, UndoLog,
};

use super::attempts::{Attempt, RecordedAttempt, canonical, recorded_attempt};
use super::difference::first_difference;
use super::trace_format::GameLine;
use super::{load, names};

/// Replayed turn: the difference between the trace and the rules, or the game after the turn.
pub(super) struct ReplayedTurn {
    pub(super) difference: Option<String>,
    pub(super) game: Option<Game>,
}

/// Replays the turn of a line. `carried` is the game after the line before, if both lines belong to one game.
pub(super) fn play(line: &GameLine, carried: Option<Game>) -> Result<ReplayedTurn> {
    let loaded = load::game(load::config(&line.cfg)?, &line.before).context("before")?;
    let mut attempts = Vec::with_capacity(line.actions.len());
    for (index, entry) in line.actions.iter().enumerate() {
        attempts.push(recorded_attempt(entry).with_context(|| format!("action {index}"))?);
    }
    let mut lists = BTreeMap::new();
    for (board, list) in &line.canonical {
        let board = board.parse().map_err(|_| anyhow!("canonical: `{board}` is not a board"))?;
        lists.insert(board, canonical(board, list).with_context(|| format!("canonical of board {board}"))?);
    }
    let dealt = [names::spells(&line.dealt[0])?, names::spells(&line.dealt[1])?];

    let mut difference = None;
    let mut game = loaded.clone();
    if let Some(carried) = carried {
        difference = carried_difference(line, &carried, &loaded);
        if difference.is_none() {
            game = carried;
        }
    }
    let difference = difference
        .or_else(|| enter_freely(line, &attempts, loaded))
        .or_else(|| play_in_order(&attempts, &lists, &mut game))
        .or_else(|| Some(format!("mid {}", first_difference(&line.mid, &load::mid_turn(&game))?)))
        .or_else(|| end_turn(line, &dealt, &mut game));
    let game = difference.is_none().then_some(game);
    Ok(ReplayedTurn { difference, game })
}

/// Difference between the game carried over from the turn before and the game loaded from this line, which must be
/// equal in everything, also in what traces do not show.
fn carried_difference(line: &GameLine, carried: &Game, loaded: &Game) -> Option<String> {
    if carried == loaded {
        return None;
    }
    let shown = first_difference(&line.before, &load::position(carried));
    let what = shown.unwrap_or_else(|| "something that traces do not show".into());
    Some(format!("carried over from the turn before: {what}"))
}

/// Difference when all attempts are entered in the order of the trace, as the free entry order of the rules allows.
fn enter_freely(line: &GameLine, attempts: &[RecordedAttempt], mut game: Game) -> Option<String> {
    let mut entry = TurnEntry::new(&game);
    for (index, recorded) in attempts.iter().enumerate() {
        let verdict = match &recorded.attempt {
            Attempt::Board(board, actions) => entry.enter(&mut game, *board, actions).map(|_| ()),
            Attempt::General(action) => entry.enter_general(&mut game, *action),
            Attempt::Extra(cards) => {
                append(&mut game, cards);
                entry.enter_general(&mut game, GeneralAction::BuySpell)
            }
            Attempt::Impossible(_) => impossible(),
        };
        if let Some(text) = verdict_difference(index, recorded, verdict) {
            return Some(format!("free entry, {text}"));
        }
    }
    Some(format!("free entry, mid {}", first_difference(&line.mid, &load::mid_turn(&game))?))
}

/// Difference when the attempts are played phase by phase. A board with a canonical list plays that list instead of its
/// attempts.
fn play_in_order(
    attempts: &[RecordedAttempt],
    lists: &BTreeMap<u8, Vec<Vec<BoardAction>>>,
    game: &mut Game,
) -> Option<String> {
    let mut log = UndoLog::off();
    for (index, recorded) in attempts.iter().enumerate() {
        if recorded.attempt.phase_board().is_some_and(|board| lists.contains_key(&board)) {
            continue;
        }
        let verdict = match &recorded.attempt {
            Attempt::Board(board, actions) => game.apply_next(*board, actions, &mut log).map(|_| ()),
            Attempt::General(action) => game.apply(Action::General(*action), &mut log),
            Attempt::Extra(cards) => {
                append(game, cards);
                game.apply(Action::General(GeneralAction::BuySpell), &mut log)
            }
            Attempt::Impossible(_) => impossible(),
        };
        let text = verdict_difference(index, recorded, verdict);
        if text.is_some() {
            return text;
        }
    }
    for (board, list) in lists {
        for (index, actions) in list.iter().enumerate() {
            if let Err(reason) = game.apply_next(*board, actions, &mut log) {
                return Some(format!(
                    "canonical of board {board}, action {index}: trace ok, engine illegal ({reason})"
                ));
            }
        }
    }
    None
}

/// Verdict of the rules on an attempt that no action can express.
fn impossible() -> Result<(), IllegalReason> {
    Err(IllegalReason::BadPath)
}

/// Appends cards to the decks of Yellow and of Blue.
fn append(game: &mut Game, [yellow, blue]: &[Vec<barrow_core::minions::Spell>; 2]) {
    game.append_cards(SideArray::new(yellow, blue));
}

/// Difference between the recorded verdict on an attempt and the verdict of the rules.
fn verdict_difference(
    index: usize,
    recorded: &RecordedAttempt,
    verdict: Result<(), IllegalReason>,
) -> Option<String> {
    match (recorded.legal, verdict) {
        (true, Err(reason)) => Some(format!("action {index}: trace ok, engine illegal ({reason})")),
        (false, Ok(())) => Some(format!("action {index}: trace illegal, engine ok")),
        _ => None,
    }
}

/// Difference in the position after the end of the turn, in which these cards are dealt.
fn end_turn(
    line: &GameLine,
    [yellow, blue]: &[Vec<barrow_core::minions::Spell>; 2],
    game: &mut Game,
) -> Option<String> {
    match game.end_turn_with(Deal::Cards(SideArray::new(yellow, blue))) {
        Err(illegal) => return Some(format!("end of turn: {illegal}")),
        Ok(outcome) if outcome.lost_to_capacity > 0 => {
            return Some(format!(
                "end of turn: {} cards or units lost to capacity",
                outcome.lost_to_capacity
            ));
        }
        Ok(_) => {}
    }
    if let Err(invalid) = game.validate() {
        return Some(format!("after: {invalid}"));
    }
    Some(format!("after {}", first_difference(&line.after, &load::position(game))?))
}
