//! Annotated games: the readers of all four forms panic on no text, and a game that they accept is the same when it is
//! written and read again, as text, as JSON and, where that has words for it, in the web server's form.
//!
//! An input that begins like a file of games is one. Any other is read as decisions: a generated game with notes is
//! written in one of the forms, words of which are exchanged, repeated or dropped.

#![no_main]

use std::io::Cursor;

use barrow::io::TextLines;
use barrow::notation::{
    AnnotatedGame, AnnotatedTurn, Chance, Ending, FileSettings, GameFile, LineText, RecordedCandidate, Tags,
    TurnNotes, Value, game_text, json_form, server_form,
};
use barrow_core::minions::players::Random;
use barrow_core::minions::{Game, GameTurn, Ruleset};
use barrow_testing::generators::choices::Choices;
use barrow_testing::generators::positions::position;
use barrow_testing::generators::turns::turn;
use libfuzzer_sys::fuzz_target;

/// Largest number of turns in a generated game, less one.
const TURNS: usize = 4;

/// Largest number of actions that are tried on each board in a generated turn.
const ACTIONS: usize = 6;

/// Largest number of faults in a generated text, less one.
const FAULTS: usize = 3;

/// Beginnings of files of games.
const BEGINNINGS: [&[u8]; 4] = [b"[", b"{", b"fen ", b"game "];

fuzz_target!(|data: &[u8]| {
    if BEGINNINGS.iter().any(|beginning| data.starts_with(beginning)) {
        check(&String::from_utf8_lossy(data));
        return;
    }
    let choices = &mut Choices::new(data);
    let (form, faults) = (choices.below(3), choices.below(FAULTS));
    let game = generated(choices);
    assert_same(&game);
    let text = match form {
        0 => game_text(&game),
        1 => json_form::to_line(&game).expect("every turn is legal"),
        _ => server_form::to_text(&game, 1).unwrap_or_default(),
    };
    let mut words: Vec<&str> = text.split_inclusive([' ', '\n']).collect();
    for _ in 0..faults {
        spoil(choices, &mut words);
    }
    check(&words.concat());
});

/// A game of generated turns with notes, in which a position may be set in between.
fn generated(choices: &mut Choices<'_>) -> AnnotatedGame {
    let ruleset = if choices.below(2) == 1 { Ruleset::Spooky } else { Ruleset::Server };
    let start = position(choices, ruleset);
    let mut tags = Tags::default();
    tags.set(Tags::YELLOW, word(choices).as_str());
    let mut record = AnnotatedGame::new(tags, start.clone());
    record.comments = (0..choices.below(2)).map(|_| word(choices)).collect();
    let mut game = start;
    for _ in 0..choices.below(TURNS) {
        if game.state().is_over() {
            break;
        }
        let mut set = None;
        if choices.chance(6) {
            game = Game::new(game.config().clone(), u64::from(choices.byte()));
            set = Some(Box::new(game.clone()));
        }
        let turn = legal(choices, &game);
        let notes = notes(choices, &game);
        let annotated = AnnotatedTurn { position: set, ..AnnotatedTurn::new(&game, &turn, notes) };
        let read = annotated.read(&game).expect("its own lines");
        game.play(&read).expect("a legal turn, read again");
        record.turns.push(annotated);
    }
    record.ending = choices.chance(2).then(|| Ending { text: word(choices), ..Ending::at(&game) });
    record
}

/// A generated turn where that is legal, else a random one.
fn legal(choices: &mut Choices<'_>, game: &Game) -> GameTurn {
    let generated = turn(choices, game, ACTIONS);
    let is_legal = game.clone().play(&generated).is_ok();
    if is_legal { generated } else { Random::new(u64::from(choices.byte())).choose(game) }
}

fn notes(choices: &mut Choices<'_>, game: &Game) -> TurnNotes {
    let mut chance = || choices.below(256) as f64 / 255.0;
    let pair = [chance(), chance()];
    let candidate = choices.chance(4).then(|| {
        let turn = legal(choices, game);
        // As its own lines have it, which may be in another order.
        let read = AnnotatedTurn::new(game, &turn, TurnNotes::default()).read(game).expect("its own lines");
        RecordedCandidate::of_turn(game, &read, pair, 7)
    });
    TurnNotes {
        time: choices.chance(2).then(|| u64::from(choices.byte())),
        clock: choices.chance(4).then_some(u64::MAX),
        nodes: choices.chance(2).then(|| u64::from(choices.byte())),
        value: choices.chance(2).then(|| Value { chance: Chance::new(pair[0]), error: Chance::new(pair[1]) }),
        candidates: candidate.into_iter().collect(),
        comments: (0..choices.below(2)).map(|_| word(choices)).collect(),
    }
}

fn word(choices: &mut Choices<'_>) -> LineText {
    let bytes: Vec<u8> = (0..choices.below(9)).map(|_| choices.byte()).collect();
    LineText::new(&String::from_utf8_lossy(&bytes))
}

/// Exchanges, repeats or drops a word.
fn spoil<'t>(choices: &mut Choices<'_>, words: &mut Vec<&'t str>) {
    if words.is_empty() {
        return;
    }
    let place = |choices: &mut Choices<'_>, words: &[&'t str]| {
        (choices.below(256) << 8 | choices.below(256)) % words.len()
    };
    let (here, there) = (place(choices, words), place(choices, words));
    match choices.below(4) {
        0 => words.swap(here, there),
        1 => words.insert(here, words[there]),
        2 => words[here] = words[there],
        _ => drop(words.remove(here)),
    }
}

/// The games of a file with this text, up to the first fault.
fn games(text: &str) -> Vec<AnnotatedGame> {
    // A last line without an end is taken for a cut, of which people are warned.
    let bytes = format!("{text}\n").into_bytes();
    let lines = TextLines::new(Box::new(Cursor::new(bytes)), "fuzz");
    let settings = FileSettings { quiet: true, ..FileSettings::default() };
    let Ok(mut file) = GameFile::of_lines(lines, "fuzz", settings) else { return Vec::new() };
    let mut games = Vec::new();
    while let Ok(Some(read)) = file.next_game() {
        games.extend(read.legal().ok());
    }
    games
}

/// Panics unless what is read is the same when it is written and read again.
fn check(text: &str) {
    games(text).iter().for_each(assert_same);
}

fn assert_same(game: &AnnotatedGame) {
    let text = game_text(game);
    assert_eq!(games(&text), std::slice::from_ref(game), "{text}");
    let line = json_form::to_line(game).expect("every turn is legal");
    assert_eq!(games(&line), std::slice::from_ref(game), "{line}");
    if let Ok(text) = server_form::to_text(game, 1) {
        assert_eq!(games(&text), std::slice::from_ref(game), "{text}");
    }
}
