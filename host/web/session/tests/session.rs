//! A game at a board in a browser, request by request.

use barrow_core::minions::text::fen::ConfigLine;
use barrow_session::messages::{
    Analysis, Answer, Ask, ChoiceKind, Choices, Form, Handicap, NewGame, PositionView, Reply, Request,
    Subject,
};
use barrow_session::page_engine::PageEngine;
use barrow_session::session::Session;

fn position(session: &mut Session, ask: &Ask) -> PositionView {
    match session.obey(ask) {
        Ok(Reply::Position(view)) => *view,
        other => panic!("{ask:?}: {other:?}"),
    }
}

fn choices(session: &mut Session, subject: Subject) -> Choices {
    match session.obey(&Ask::Choices(subject)) {
        Ok(Reply::Choices(choices)) => choices,
        other => panic!("{other:?}"),
    }
}

fn text(session: &mut Session, form: Form) -> String {
    match session.obey(&Ask::Export { form }) {
        Ok(Reply::Text { text }) => text,
        other => panic!("{other:?}"),
    }
}

fn refused(session: &mut Session, ask: &Ask) -> String {
    session.obey(ask).unwrap_err().0
}

fn enter(line: &str) -> Ask {
    Ask::Enter { line: line.to_owned() }
}

fn spooky() -> Session {
    let mut session = Session::new().unwrap();
    position(&mut session, &Ask::New(NewGame { ruleset: Some("spooky".to_owned()), ..NewGame::default() }));
    session
}

#[test]
fn a_turn_is_entered_taken_back_and_ended() {
    let mut session = spooky();
    let start = position(&mut session, &Ask::Position { after: None });
    assert_eq!((start.boards.len(), start.side.as_str(), start.souls), (2, "Yellow", [0, 12]));
    assert_eq!(start.end_refused, None);
    let march = start.march.clone().unwrap();
    position(&mut session, &enter(&march));
    let walked = position(&mut session, &enter("0 d1e1"));
    assert_eq!(walked.lines, ["action tech 1", "action board 0 move d1e1"]);
    assert_eq!(walked.sentences, ["unlocks skeleton", "board 0: zombie d1 walks to e1"]);
    assert!(walked.boards[0].pieces.iter().any(|piece| piece.hex == "e1" && piece.moved && !piece.ready));
    let back = position(&mut session, &Ask::Undo);
    assert_eq!(back.lines, ["action tech 1"]);
    let ended = position(&mut session, &Ask::EndTurn);
    assert_eq!((ended.side.as_str(), ended.turn, ended.history.len()), ("Blue", 1, 1));
    assert_eq!(ended.history[0].summary, "unlocks skeleton");
    assert_eq!(position(&mut session, &Ask::Position { after: Some(0) }).boards, start.boards);
    assert_eq!(position(&mut session, &Ask::TakeBack { turns: 0 }), start);
}

#[test]
fn what_is_refused_says_why_and_changes_nothing() {
    let mut session = spooky();
    let before = position(&mut session, &Ask::Position { after: None });
    for (ask, why) in [
        (enter("0 d1j9"), "short enough"),
        (enter("0 a9b9"), "no piece"),
        (enter("7 d1e1"), "board"),
        (Ask::Undo, "nothing to take back"),
        (Ask::TakeBack { turns: 3 }, "0 turns"),
        (Ask::Load { text: "nonsense".to_owned(), ruleset: None, config: None, keep: true }, "column"),
        (Ask::Load { text: "[Mgn \"9\"]".to_owned(), ruleset: None, config: None, keep: true }, "line 1"),
        (
            Ask::Load { text: "barrow 1\nserver".to_owned(), ruleset: None, config: None, keep: true },
            "link ends",
        ),
        (Ask::New(NewGame { maps: vec!["Atlantis".to_owned()], ..NewGame::default() }), "no such map"),
        (Ask::New(NewGame { maps: vec!["AllLand".to_owned(); 9], ..NewGame::default() }), "too many"),
        (Ask::Play { turn: vec!["action board 0 move a1j9".to_owned()], value: None }, "board 0"),
        (Ask::Position { after: Some(5) }, "0 turns"),
        (Ask::Stop, "no engine"),
        (Ask::Book { ruleset: Some("chess".to_owned()) }, "no such ruleset"),
    ] {
        let error = refused(&mut session, &ask);
        assert!(error.contains(why) && !error.is_empty() && !error.contains('\n'), "{ask:?}: {error}");
        assert_eq!(position(&mut session, &Ask::Position { after: None }), before, "{ask:?}");
    }
}

#[test]
fn every_choice_can_be_entered_and_nothing_else_is_offered() {
    let mut session = spooky();
    let piece = |hex: &str| Subject { board: 1, hex: Some(hex.to_owned()), ..Subject::default() };
    let view = position(&mut session, &Ask::Position { after: None });
    let mut offered = 0;
    for own in view.boards[1].pieces.iter().filter(|piece| piece.side == "Yellow") {
        let found = choices(&mut session, piece(&own.hex));
        assert_eq!(found.choices.is_empty(), found.why.is_some(), "{}", own.hex);
        for choice in found.choices {
            offered += 1;
            position(&mut session, &enter(&choice.line));
            position(&mut session, &Ask::Undo);
        }
    }
    assert!(offered > 20, "{offered}");
    let foreign = choices(&mut session, piece("h7"));
    assert!(foreign.choices.is_empty() && foreign.why.is_some());
    let board = choices(&mut session, Subject { board: 1, ..Subject::default() });
    let zombie = board.choices.iter().find(|choice| choice.unit.as_deref() == Some("zombie")).unwrap();
    assert_eq!((zombie.kind, zombie.price), (ChoiceKind::Buy, Some(2)));
    assert!(zombie.line.is_empty() && zombie.why.is_some(), "Yellow has no souls on its first turn");
}

#[test]
fn games_go_out_as_text_and_come_back() {
    let mut session = spooky();
    for line in ["tech 1", "0 d1e1", "1 d1e1"] {
        position(&mut session, &enter(line));
    }
    position(&mut session, &Ask::EndTurn);
    let entered = position(&mut session, &enter("tech 1"));
    for form in [Form::Fen, Form::Mgn, Form::Link] {
        let exported = text(&mut session, form);
        let mut other = Session::new().unwrap();
        let loaded = position(
            &mut other,
            &Ask::Load { text: exported.clone(), ruleset: None, config: None, keep: true },
        );
        assert_eq!((loaded.fen, &loaded.ruleset), (entered.fen.clone(), &entered.ruleset), "{exported}");
        assert_eq!(loaded.lines.is_empty(), form != Form::Link, "{exported}");
        assert_eq!(loaded.history.len(), usize::from(form == Form::Mgn));
        if form != Form::Mgn {
            assert_eq!(text(&mut other, form), exported);
        }
    }
}

#[test]
fn one_game_of_a_file_is_loaded_and_of_several_none() {
    let mut session = spooky();
    position(&mut session, &enter("tech 1"));
    position(&mut session, &Ask::EndTurn);
    let game = text(&mut session, Form::Mgn);
    let load = |text: String| Ask::Load { text, ruleset: None, config: None, keep: true };
    // A match writes the lines of each game behind its label.
    let labelled = format!("game 1\n{game}");
    let history = position(&mut Session::new().unwrap(), &load(labelled)).history;
    assert_eq!(history.len(), 1);
    let (tags, rest) = game.split_once('\n').unwrap();
    let at_once = format!("game a\n{tags}\ngame b\n{tags}\ngame a\n{rest}game b\n{rest}");
    for several in [format!("{game}\n{game}"), at_once] {
        let refusal = refused(&mut session, &load(several));
        assert!(refusal.starts_with("it holds 2 games, of which one can be loaded; "), "{refusal}");
    }
    let none = refused(&mut session, &load("game 1\n".to_owned()));
    assert_eq!(none, "it holds no game");
}

#[test]
fn rules_that_contradict_a_text_are_refused() {
    let mut session = spooky();
    let config = session.table().now().config().clone();
    let same = ConfigLine(&config).to_string();
    for form in [Form::Fen, Form::Mgn, Form::Link] {
        let text = text(&mut session, form);
        let load = |ruleset: Option<&str>, config: Option<&str>| Ask::Load {
            text: text.clone(),
            ruleset: ruleset.map(str::to_owned),
            config: config.map(str::to_owned),
            keep: true,
        };
        let ruled = refused(&mut session, &load(Some("server"), None));
        assert_eq!(ruled, "it names its ruleset itself, which is spooky");
        let told = refused(&mut session, &load(None, Some("1 AllLand S,P")));
        assert_eq!(told, format!("it names its configuration itself, which is {same}"));
        position(&mut session, &load(Some("spooky"), Some(&same)));
    }
}

#[test]
fn a_handicap_is_in_the_first_position() {
    let mut session = Session::new().unwrap();
    let handicap = Handicap { souls: 5, income: 2, unlocked: 3 };
    let asked = NewGame {
        maps: vec!["AllLand".to_owned(), "MidnightLake".to_owned(), "RiverStyx".to_owned()],
        points: Some(1),
        yellow: handicap,
        ..NewGame::default()
    };
    let view = position(&mut session, &Ask::New(asked));
    assert_eq!((view.boards.len(), view.points_to_win, view.souls[0]), (3, 1, 5));
    let unlocked =
        view.techs.iter().filter(|tech| tech.state[0] == barrow_session::messages::TechState::Unlocked);
    assert_eq!(unlocked.count(), 3);
}

#[test]
fn a_resigned_game_is_over() {
    let mut session = spooky();
    let view = position(&mut session, &Ask::Resign);
    assert_eq!((view.result.as_deref(), view.result_reason.as_deref()), (Some("Blue"), Some("resignation")));
    assert_eq!(refused(&mut session, &enter("tech 1")), "the game is over");
    assert!(text(&mut session, Form::Mgn).contains("result Blue resignation"));
    let offered = choices(&mut session, Subject::default());
    assert_eq!((offered.choices, offered.why.as_deref()), (vec![], Some("the game is over")));
    let checked = session.obey(&Ask::Check { line: "tech 1".to_owned() }).unwrap();
    assert_eq!(checked, Reply::Checked { why: Some("the game is over".to_owned()) });
}

#[test]
fn a_resigned_board_offers_nothing() {
    let mut session = spooky();
    position(&mut session, &enter("0 resign"));
    let on_board = Subject::default();
    let with_piece = Subject { hex: Some("d1".to_owned()), ..Subject::default() };
    for subject in [on_board, with_piece] {
        let offered = choices(&mut session, subject);
        assert_eq!((offered.choices, offered.why.as_deref()), (vec![], Some("the board was resigned")));
    }
    assert!(!choices(&mut session, Subject { board: 1, ..Subject::default() }).choices.is_empty());
}

#[test]
fn a_position_of_other_boards_needs_its_configuration_and_is_told_so() {
    let mut session = Session::new().unwrap();
    let text = "\u{feff}4|2 0|0 ULL|LLL n|ZS|z|||0/2ZZ6/2N7/2Z7/4z5/0/7z2/6znz1/6zz2/0 0 5";
    let load = |config: Option<&str>| Ask::Load {
        text: text.to_owned(),
        ruleset: Some("server".to_owned()),
        config: config.map(str::to_owned),
        keep: true,
    };
    let why = refused(&mut session, &load(None));
    assert!(
        why.ends_with("it has 1 of 2 boards (BlackenedShores, MidnightLake): the configuration names others"),
        "{why}"
    );
    let loaded = position(&mut session, &load(Some("1 MidnightLake S,P,W")));
    assert_eq!((loaded.boards.len(), &*loaded.ruleset, loaded.turn), (1, "server", 4));
}

#[test]
fn a_game_that_breaks_off_is_read_up_to_its_last_whole_turn() {
    let mut session = spooky();
    for line in ["0 d1e1", "0 g7f7"] {
        position(&mut session, &enter(line));
        position(&mut session, &Ask::EndTurn);
    }
    let whole = text(&mut session, Form::Mgn);
    let mut load = |text: &str| {
        session.obey(&Ask::Load { text: text.to_owned(), ruleset: None, config: None, keep: true })
    };
    let second = whole.rfind("\nturn").unwrap();
    for end in second..whole.rfind("endturn").unwrap() {
        let Ok(Reply::Position(view)) = load(&whole[..end]) else { panic!("{}", &whole[..end]) };
        assert_eq!(view.history.len(), 1, "{}", &whole[..end]);
    }
    // A line that is wrong elsewhere, or a whole one, is none at which somebody was killed.
    for wrong in [whole.replacen("d1e1", "d1e", 1), format!("{}\naction bo\n", &whole[..=second])] {
        assert!(load(&wrong).is_err(), "{wrong}");
    }
}

#[test]
fn a_foreign_text_is_told_to_be_one() {
    let mut session = Session::new().unwrap();
    for text in ["", "{\"games\":[]}", "<!doctype html>", "; a game\n[Mgn \"1\"]"] {
        let ask = Ask::Load { text: text.to_owned(), ruleset: None, config: None, keep: true };
        let why = refused(&mut session, &ask);
        assert!(why.starts_with("neither an annotated game") && why.contains("FEN"), "{text}: {why}");
    }
    // What begins like a position is told what is wrong with it as one.
    let ask = Ask::Load { text: "4|2 0|0".to_owned(), ruleset: None, config: None, keep: true };
    let why = refused(&mut session, &ask);
    assert!(why.starts_with("column "), "{why}");
}

#[test]
fn texts_are_answered_whatever_they_are() {
    let mut engine = PageEngine::new(None).unwrap();
    // A request that has a number is answered by it, or somebody would wait for ever.
    for (wrong, id) in [
        ("", None),
        ("{", None),
        ("[]", None),
        ("{\"id\":-1,\"ask\":\"undo\"}", None),
        ("{\"id\":1}", Some(1)),
        ("{\"id\":2,\"ask\":\"dance\"}", Some(2)),
        ("{\"id\":3,\"ask\":\"load\",\"text\":5}", Some(3)),
    ] {
        let answer: Answer = serde_json::from_str(&engine.obey(wrong)).unwrap();
        assert!(answer.reply.is_none() && answer.error.is_some() && answer.id == id, "{wrong}");
    }
    let request = Request { id: 7, seen: None, ask: Ask::Book { ruleset: None } };
    let answer = engine.obey(&serde_json::to_string(&request).unwrap());
    let answer: Answer = serde_json::from_str(&answer).unwrap();
    let Some(Reply::Book(book)) = answer.reply else { panic!("{answer:?}") };
    assert_eq!((answer.id, book.units.len(), book.levels.len()), (Some(7), 34, 7));
    assert!(book.maps.iter().all(|map| map.rows.len() == 10 && map.rows.iter().all(|row| row.len() == 10)));
}

fn analysis_of(text: &str) -> Analysis {
    let reply: Reply = serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    let Reply::Analysis(analysis) = reply else { panic!("{text}") };
    *analysis
}

#[test]
fn a_search_goes_by_slices_and_its_turn_can_be_played() {
    let mut engine = PageEngine::new(None).unwrap();
    let ask = r#"{"id":1,"ask":"search","nodes":40,"stages":true}"#;
    let mut whole = PageEngine::new(None).unwrap();
    for engine in [&mut engine, &mut whole] {
        assert_eq!(engine.obey(ask), "");
    }
    whole.step(40);
    let first = analysis_of(&engine.result(false, 0.0));
    assert!(!first.is_final && first.turns.is_empty());
    while engine.step(7) {}
    let (parts, whole) = (engine.result(true, 0.5), whole.result(true, 0.5));
    assert_eq!(parts, whole);
    assert_eq!((engine.result(true, 0.5), engine.step(1)), (String::new(), false));
    let found = analysis_of(&parts);
    assert_eq!((found.nodes, found.is_final, found.stages.is_some()), (40, true, true));
    let best = &found.turns[0];
    assert!(!best.arrows.is_empty() && (0.0..=1.0).contains(&best.value));
    let play = Request {
        id: 2,
        seen: Some(0),
        ask: Ask::Play { turn: best.lines.clone(), value: Some([best.value, best.expected_error]) },
    };
    let answer: Answer = serde_json::from_str(&engine.obey(&serde_json::to_string(&play).unwrap())).unwrap();
    let Some(Reply::Position(view)) = answer.reply else { panic!("{answer:?}") };
    assert_eq!((view.turn, view.history.len()), (1, 1));
}

#[test]
fn a_change_of_a_turn_that_is_over_is_refused() {
    let mut session = spooky();
    let ends = Request { id: 1, seen: Some(0), ask: Ask::EndTurn };
    assert!(session.answer(&ends).is_ok());
    let after_one = position(&mut session, &Ask::Position { after: None });
    // A key that was pressed twice, and all else that a page may ask that has not seen the new turn.
    for ask in [Ask::EndTurn, enter("tech 1"), Ask::Clear, Ask::TakeBack { turns: 0 }, Ask::Resign] {
        let late = Request { ask, ..ends.clone() };
        assert_eq!(session.answer(&late).unwrap_err().0, "the game has gone on; turns so far: 1");
    }
    assert_eq!(position(&mut session, &Ask::Position { after: None }), after_one);
    // What changes no game that is there is obeyed whatever was seen.
    for ask in [Ask::Position { after: None }, Ask::New(NewGame::default())] {
        assert!(session.answer(&Request { ask, seen: Some(9), id: 2 }).is_ok());
    }
    assert!(session.answer(&Request { id: 3, seen: Some(0), ask: Ask::EndTurn }).is_ok());
    assert!(session.answer(&Request { id: 3, seen: None, ask: Ask::EndTurn }).is_ok());
}
