//! Games of a player who enters whatever is offered, at random: everything that is offered is taken.

use barrow_core::rng::Rng;
use barrow_session::messages::{Ask, Choices, Form, NewGame, PositionView, Reply, Subject};
use barrow_session::session::Session;

/// Turns of a game, and lines tried in each.
const TURNS: usize = 14;
const LINES: u32 = 10;

fn position(session: &mut Session, ask: &Ask) -> PositionView {
    match session.obey(ask) {
        Ok(Reply::Position(view)) => *view,
        other => panic!("{ask:?}: {other:?}"),
    }
}

fn choices(session: &mut Session, subject: &Subject) -> Choices {
    match session.obey(&Ask::Choices(subject.clone())) {
        Ok(Reply::Choices(found)) => found,
        other => panic!("{subject:?}: {other:?}"),
    }
}

fn enter(session: &mut Session, line: &str) -> PositionView {
    position(session, &Ask::Enter { line: line.to_owned() })
}

/// Everything that a page may ask about at a board.
fn subjects(view: &PositionView, board: usize) -> Vec<Subject> {
    let (shown, side) = (&view.boards[board], usize::from(view.side == "Blue"));
    let about = Subject { board, ..Subject::default() };
    let pieces = shown.pieces.iter().map(|piece| Subject { hex: Some(piece.hex.clone()), ..about.clone() });
    let units = shown.reinforcements[side].iter();
    let units = units.map(|unit| Subject { unit: Some(unit.unit.clone()), ..about.clone() });
    let spells =
        shown.hands[side].iter().map(|spell| Subject { spell: Some(spell.clone()), ..about.clone() });
    pieces.chain(units).chain(spells).chain([about.clone()]).collect()
}

fn pick<'a, T>(dice: &mut Rng, list: &'a [T]) -> Option<&'a T> {
    if list.is_empty() { None } else { list.get(dice.below(list.len() as u32) as usize) }
}

/// A line at random of those that are offered for techs, cards and boards.
fn offered(session: &mut Session, view: &PositionView, dice: &mut Rng) -> Option<String> {
    if dice.below(6) == 0 {
        let techs = view.techs.iter().filter_map(|tech| tech.line.clone());
        let cards = view.row.iter().flat_map(|card| card.lines.iter().flatten().cloned());
        let all: Vec<String> =
            techs.chain(cards).chain(view.march.clone()).chain(view.buy_spell.clone()).collect();
        return pick(dice, &all).cloned();
    }
    let board = dice.below(view.boards.len() as u32) as usize;
    let subjects = subjects(view, board);
    let subject = pick(dice, &subjects)?.clone();
    let found = choices(session, &subject);
    assert!(!found.choices.is_empty() || found.why.is_some(), "{subject:?}");
    let possible: Vec<_> = found.choices.into_iter().filter(|choice| choice.why.is_none()).collect();
    let choice = pick(dice, &possible)?;
    // Resignation ends boards before anything happens there.
    (!choice.line.ends_with("resign")).then(|| choice.line.clone())
}

fn play(ruleset: &str, seed: u64) {
    let mut dice = Rng::new(seed);
    let mut session = Session::new().unwrap();
    let asked = NewGame { ruleset: Some(ruleset.to_owned()), seed, ..NewGame::default() };
    let mut view = position(&mut session, &Ask::New(asked));
    for _ in 0..TURNS {
        for _ in 0..LINES {
            let Some(line) = offered(&mut session, &view, &mut dice) else { continue };
            let after = enter(&mut session, &line);
            if dice.below(8) == 0 {
                assert_eq!(position(&mut session, &Ask::Undo), view, "{line}");
            } else {
                view = after;
            }
        }
        if view.end_refused.is_some() {
            view = position(&mut session, &Ask::Clear);
            for board in 0..view.boards.len() {
                let found = choices(&mut session, &Subject { board, ..Subject::default() });
                let keep = found
                    .choices
                    .iter()
                    .find(|choice| choice.line.contains("setup") || choice.line.contains("keep"));
                if let Some(keep) = keep.filter(|_| view.boards[board].awaits_setup) {
                    enter(&mut session, &keep.line);
                }
            }
        }
        view = position(&mut session, &Ask::EndTurn);
        if view.result.is_some() {
            break;
        }
    }
    let Ok(Reply::Text { text }) = session.obey(&Ask::Export { form: Form::Mgn }) else { panic!() };
    let mut other = Session::new().unwrap();
    let again = position(&mut other, &Ask::Load { text, ruleset: None, config: None, keep: true });
    assert_eq!((again.fen, again.history.len()), (view.fen, view.history.len()));
}

#[test]
fn whatever_is_offered_is_taken_and_the_game_is_read_back() {
    for seed in 0..6 {
        play("server", seed);
        play("spooky", seed);
    }
}
