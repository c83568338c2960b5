//! Annotated games in every form, there and back; files that break off or are damaged.

use std::fs;

use barrow_core::minions::players::Random;
use barrow_core::minions::{Builder, Game, GameConfig, MapLabel, Ruleset};
use barrow_testing::generators::choices::Choices;
use barrow_testing::generators::positions::position;
use barrow_testing::generators::turns::turn;
use indicatif::ProgressBar;
use proptest::prelude::*;

use super::*;
use crate::notation::block_file::BlockFile;
use crate::records::game_record::GameRecord;
use crate::training::SelfPlay;
use barrow_session::notation::{actions_of, read_turn};

/// Words of generated comments and tags.
const WORDS: [&str; 8] = ["good", "\"!?\"", "a;b", "[x]", "100 %", "ä → é", "\\", "endturn"];

fn words(choices: &mut Choices<'_>) -> LineText {
    let count = choices.below(4);
    let all: Vec<&str> = (0..count).map(|_| WORDS[choices.below(WORDS.len())]).collect();
    LineText::new(&all.join(" "))
}

fn value(choices: &mut Choices<'_>) -> Value {
    let mut chance = || Chance::new(choices.below(256) as f64 / 255.0);
    Value { chance: chance(), error: chance() }
}

fn number(choices: &mut Choices<'_>) -> Option<u64> {
    choices.chance(2).then(|| choices.below(256) as u64 * [1, 1000, u64::MAX / 255][choices.below(3)])
}

/// A legal turn: a generated one, or a random one where that is not legal.
fn legal_turn(choices: &mut Choices<'_>, game: &Game) -> barrow_core::minions::GameTurn {
    let generated = turn(choices, game, 8);
    if game.clone().play(&generated).is_ok() {
        return generated;
    }
    Random::new(u64::from(choices.byte())).choose(game)
}

fn notes(choices: &mut Choices<'_>, game: &Game) -> TurnNotes {
    let candidates = (0..choices.below(3)).map(|_| {
        let turn = legal_turn(choices, game);
        let text = barrow_core::minions::umi::TurnText::new(game, &turn).to_string();
        let turn = read_turn(game, &text).unwrap();
        RecordedCandidate { value: value(choices), visits: 3, actions: actions_of(game, &turn) }
    });
    let candidates = candidates.collect();
    TurnNotes {
        time: number(choices),
        clock: number(choices),
        nodes: number(choices),
        value: choices.chance(2).then(|| value(choices)),
        candidates,
        comments: (0..choices.below(3)).map(|_| words(choices)).collect(),
    }
}

/// A game of a few turns with notes; in some the position is set in between.
fn generated(bytes: &[u8], ruleset: Ruleset) -> AnnotatedGame {
    let choices = &mut Choices::new(bytes);
    let start = position(choices, ruleset);
    let mut tags = Tags::of_event(words(choices).as_str(), &now());
    tags.set(Tags::YELLOW, words(choices).as_str());
    tags.set("Annotator", words(choices).as_str());
    let mut record = AnnotatedGame::new(tags, start.clone());
    record.comments = (0..choices.below(3)).map(|_| words(choices)).collect();
    let mut game = start;
    for _ in 0..choices.below(4) {
        if game.state().is_over() {
            break;
        }
        let mut set = None;
        if choices.chance(4) {
            game = Game::new(game.config().clone(), u64::from(choices.byte()));
            set = Some(Box::new(game.clone()));
        }
        let turn = legal_turn(choices, &game);
        let notes = notes(choices, &game);
        let annotated = AnnotatedTurn { position: set, ..AnnotatedTurn::new(&game, &turn, notes) };
        let read = annotated.read(&game).unwrap();
        game.play(&read).unwrap();
        record.turns.push(annotated);
    }
    record.ending = choices.chance(2).then(|| Ending { text: words(choices), ..Ending::at(&game) });
    record
}

fn parsed(text: &str) -> Result<AnnotatedGame, Fault> {
    let mut parser = GameParser::default();
    text.lines().try_for_each(|line| parser.feed(line))?;
    parser.finish()
}

/// The games of a file with this content.
fn games_of(name: &str, content: &[u8]) -> anyhow::Result<Vec<ReadGame>> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join(name).display().to_string();
    fs::write(&path, content)?;
    let mut file = GameFile::open(&path, FileSettings::default(), &ProgressBar::hidden())?;
    let mut games = Vec::new();
    while let Some(game) = file.next_game()? {
        games.push(game);
    }
    Ok(games)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_game_is_read_back_as_it_was_printed(bytes in proptest::collection::vec(any::<u8>(), 0..900), spooky: bool) {
        let game = generated(&bytes, if spooky { Ruleset::Spooky } else { Ruleset::Server });
        let text = game_text(&game);
        prop_assert_eq!(&parsed(&text).unwrap(), &game, "{}", text);
        // As JSON, too.
        let mut parser = GameParser::default();
        let line = json_form::to_line(&game).unwrap();
        json_form::feed(&mut parser, &line).unwrap().unwrap();
        prop_assert_eq!(parser.finish().unwrap(), game, "{}", line);
    }

    #[test]
    fn what_the_servers_form_can_say_is_read_back_with_all_notes(
        bytes in proptest::collection::vec(any::<u8>(), 0..900),
        offset in 0..=1_u8,
        spooky: bool,
    ) {
        let game = generated(&bytes, if spooky { Ruleset::Spooky } else { Ruleset::Server });
        if let Ok(text) = server_form::to_text(&game, offset) && !game.turns.is_empty() {
            let games = games_of("game.txt", text.as_bytes()).unwrap();
            prop_assert_eq!((games.len(), &games[0].illegal), (1, &None));
            prop_assert_eq!(&games[0].game, &game, "{}", text);
        }
    }
}

/// A game of twelve turns between random players under Spooky's rules, or under the server's without cards.
fn played(ruleset: Ruleset, seed: u64) -> AnnotatedGame {
    let mut config = GameConfig::new(ruleset, &[MapLabel::BlackenedShores]).unwrap();
    config.points_needed = 2;
    let mut game = Game::new(config, seed);
    let mut record = AnnotatedGame::new(Tags::of_event("test", &now()), game.clone());
    for number in 0..12 {
        let turn = Random::new(seed + number).choose(&game);
        let annotated = AnnotatedTurn::new(&game, &turn, TurnNotes::default());
        game.play(&annotated.read(&game).unwrap()).unwrap();
        record.turns.push(annotated);
    }
    record.ending = Some(Ending::at(&game));
    record
}

#[test]
fn a_file_that_breaks_off_anywhere_is_read_up_to_a_whole_turn() {
    let game = played(Ruleset::Spooky, 3);
    let text = game_text(&game);
    let ends: Vec<usize> = text.match_indices("endturn").map(|(place, word)| place + word.len()).collect();
    let start_end = text.find("\n\n").unwrap() - 1;
    for len in (0..text.len()).filter(|len| len % 7 == 0 || len % 11 == 0) {
        let games =
            games_of("cut.mgn", &text.as_bytes()[..len]).unwrap_or_else(|error| panic!("{len}: {error:#}"));
        let whole = ends.iter().filter(|&&end| end <= len).count();
        let turns: Vec<usize> = games.iter().map(|read| read.game.turns.len()).collect();
        assert_eq!(turns, if len > start_end { vec![whole] } else { vec![] }, "{len} bytes");
        assert!(games.iter().all(|read| read.game.start == game.start && read.illegal.is_none()));
    }
}

#[test]
fn a_game_that_breaks_off_anywhere_does_not_hide_those_behind_it() {
    let game = played(Ruleset::Spooky, 3);
    let text = game_text(&game);
    let start_end = text.find("\n\n").unwrap() - 1;
    let folder = tempfile::tempdir().unwrap();
    for len in (0..text.len()).filter(|len| len % 7 == 0 || len % 11 == 0) {
        let name = folder.path().join(len.to_string()).display().to_string();
        fs::write(&name, &text[..len]).unwrap();
        let mut file = BlockFile::append(&name, false).unwrap();
        file.write(&text).unwrap();
        let games =
            games_of("on.mgn", &fs::read(&name).unwrap()).unwrap_or_else(|error| panic!("{len}: {error:#}"));
        assert_eq!(games.len(), if len > start_end { 2 } else { 1 }, "{len} bytes");
        assert_eq!(games.last().unwrap().game, game, "{len} bytes");
    }
}

#[test]
fn games_that_are_written_at_once_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["games.mgn", "games.mgn.gz"] {
        let name = folder.path().join(name).display().to_string();
        let games = vec![played(Ruleset::Spooky, 1), played(Ruleset::Server, 2)];
        let file = RecordingFile::create(&name, false).unwrap();
        let empty = |game: &AnnotatedGame| AnnotatedGame { turns: Vec::new(), ending: None, ..game.clone() };
        let writers = [0, 1].map(|at| file.begin(Some(&at.to_string()), &empty(&games[at])).unwrap());
        for turn in 0..12 {
            for (writer, game) in writers.iter().zip(&games) {
                writer.turn(&game.turns[turn]).unwrap();
            }
        }
        for (writer, game) in writers.iter().zip(&games).rev() {
            writer.end(game.ending.as_ref().unwrap()).unwrap();
        }
        let mut file = GameFile::open(&name, FileSettings::default(), &ProgressBar::hidden()).unwrap();
        let read: Vec<AnnotatedGame> =
            std::iter::from_fn(|| file.next_game().unwrap()).map(|read| read.game).collect();
        // The second ended first.
        assert!(read == vec![games[1].clone(), games[0].clone()]);
        assert!(RecordingFile::create(&name, false).is_err());
        let folder_name = folder.path().join("folder").display().to_string();
        RecordingFolder::create(&folder_name, true).unwrap().begin(7, &games[0]).unwrap();
        assert!(RecordingFolder::create(&folder_name, false).is_err());
    }
}

#[test]
fn damage_is_named_with_its_line() {
    let text = game_text(&played(Ruleset::Spooky, 5));
    let header = text.lines().position(str::is_empty).unwrap();
    for (from, to, reason) in [
        ("[Mgn \"1\"]", "[Mgn \"2\"]", "line 1: version 2 is not known"),
        ("[Event \"test\"]", "[Event \"test]", "line 3: expected a tag"),
        ("[Event \"test\"]", "[Program \"test\"]", "line 3: a second tag Program"),
        ("[Ruleset \"spooky\"]", "[Ruleset \"server\"]", "another ruleset"),
        ("[Config \"2 ", "[Config \"3 ", "another configuration"),
        ("action tech", "action dance", "action dance"),
        ("endturn", "endturn now", "endturn: expected nothing"),
        ("result none", "result Yellow", "the result is none unfinished by the position"),
        ("result none unfinished", "value 1 0", "value: expected turn, position or result"),
    ] {
        let error = games_of("damaged.mgn", text.replacen(from, to, 1).as_bytes()).unwrap_err();
        let error = format!("{error:#}");
        assert!(error.starts_with("line ") && error.contains(reason), "{to}: {error}");
    }
    for (line, reason) in [
        ("time x", "time: expected a whole number"),
        ("value 0.5", "value: expected a chance and its error"),
        ("value 0.5 2", "value: expected a chance from 0 to 1"),
        ("candidate 0.5 0.1 3 board 0 dance", "candidate: action board 0 dance"),
        ("candidate 0.5 0.1", "candidate: expected value, error, visits and actions"),
        ("turn", "turn: expected action, a note or endturn"),
    ] {
        let damaged = text.replacen("endturn", &format!("{line}\nendturn"), 1);
        let error = format!("{:#}", games_of("damaged.mgn", damaged.as_bytes()).unwrap_err());
        assert!(error.contains(reason) && error.starts_with("line "), "{line}: {error}");
        let at: usize = error[5..].split(':').next().unwrap().parse().unwrap();
        assert!(at > header && damaged.lines().nth(at - 1) == Some(line), "{error}");
    }
    assert!(games_of("empty.mgn", b"").unwrap().is_empty());
    assert!(games_of("other.mgn", b"hello\n").unwrap_err().to_string().contains("line 1: no game"));
}

#[test]
fn a_turn_that_is_not_legal_ends_the_judgement_of_its_game_only() {
    let (first, second) = (played(Ruleset::Spooky, 6), played(Ruleset::Server, 7));
    let text = game_text(&first).replacen("endturn", "action tech 9 9 9 9\nendturn", 1) + &game_text(&second);
    let games = games_of("games.mgn", text.as_bytes()).unwrap();
    assert_eq!(games.len(), 2);
    let reason = games[0].illegal.clone().unwrap();
    assert!(reason.contains(": turn 1: ") && games[0].unjudged == 11, "{reason} {}", games[0].unjudged);
    assert_eq!(games[1], ReadGame { line: games[1].line, ..ReadGame::clone(&games[1]) });
    assert_eq!(games[1].clone().legal().unwrap(), second);
}

#[test]
fn games_of_self_play_become_annotated_games_and_records_again() {
    let games = SelfPlay::new(9).unwrap();
    let mut decided = 0;
    for number in 0..6 {
        let record = games.play(number).unwrap().unwrap();
        let line = record.to_line().unwrap();
        let read = games_of("games.jsonl", line.as_bytes()).unwrap().remove(0);
        let game = read.legal().unwrap();
        assert_eq!(parsed(&game_text(&game)).unwrap(), game);
        assert_eq!(self_play::record(&game).unwrap(), record);
        let last = game.last_position().unwrap();
        if last.state().is_over() {
            assert_eq!(game.ending, Some(Ending::at(&last)));
            decided += 1;
        }
        let mut jumped = game.clone();
        if let Some(turn) = jumped.turns.first_mut() {
            turn.position = Some(Box::new(game.start.clone()));
        }
        assert!(self_play::record(&jumped).is_err());
        assert!(games_of("games.jsonl", line.replacen("action tech", "action dance", 1).as_bytes()).is_err());
        assert!(GameRecord::from_line(&line).is_ok());
    }
    assert!(decided > 0);
}

#[test]
fn games_that_were_cut_short_keep_their_result_as_records() {
    let mut record = SelfPlay::new(9).unwrap().play(0).unwrap().unwrap();
    record.plies.truncate(8);
    for (ending, result) in [
        (None, "draw turns"),
        (Some("Yellow resignation"), "Yellow resignation"),
        (Some("Blue fault"), "Blue fault"),
        (Some("none unfinished"), "none unfinished"),
    ] {
        record.ending = ending.map(|text| text.parse().unwrap());
        let line = record.to_line().unwrap();
        let game = games_of("games.jsonl", line.as_bytes()).unwrap().remove(0).legal().unwrap();
        assert_eq!(game.ending.as_ref().map(ToString::to_string).as_deref(), Some(result));
        assert_eq!(self_play::record(&game).unwrap(), record);
    }
    // A fragment, such as a match leaves that was interrupted.
    let line = record.to_line().unwrap();
    let mut game = games_of("games.jsonl", line.as_bytes()).unwrap().remove(0).legal().unwrap();
    game.ending = None;
    assert_eq!(self_play::record(&game).unwrap(), record);
}

#[test]
fn the_first_position_may_be_named_as_in_umi() {
    let game = parsed("[Mgn \"1\"]\n[Ruleset \"spooky\"]\n[Config \"1 AllLand S,P\"]\n[Start \"9|0 0|0 LL|LL n|||||0/0/2Nz6/0/0/0/0/7n2/0/0 0 5\"]\n").unwrap();
    assert_eq!(game.start.config().num_boards(), 1);
    assert_eq!(game.start.config().ruleset, Ruleset::Spooky);
    assert!(Builder::new(game.start.config().clone(), 0).build().is_ok());
}

#[test]
fn the_example_of_the_book_is_a_game() {
    let book = include_str!("../../../docs/spec/notation.md");
    let example = book.split("```text\n").nth(1).unwrap().split("```").next().unwrap();
    let game = parsed(example).unwrap();
    assert_eq!((game.turns.len(), game.turns[0].notes.candidates.len()), (1, 2));
    assert_eq!(parsed(&game_text(&game)).unwrap(), game);
}

/// Turns of a game that the web server's own rules and adapter played, as a replay of the server has them.
#[test]
fn a_game_of_the_web_server_is_read_with_its_tech_positions() {
    let name = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/dialogues.jsonl.gz");
    let mut lines = crate::io::open(name).unwrap();
    let (mut text, mut config, mut turns) = (String::new(), String::new(), 0);
    // Turns that the server broke off within, so that its next position is another one than the turn leads to.
    let mut broken = 0;
    while let Some(line) = lines.next_line().unwrap() {
        let turn: serde_json::Value = serde_json::from_str(line).unwrap();
        if turn["mode"] != "at once" {
            continue;
        }
        turns += 1;
        broken += usize::from(!turn["died"].is_null());
        config = turn["config"].as_str().unwrap().to_owned();
        let lines = turn["lines"].as_array().unwrap().iter().map(|line| line.as_str().unwrap());
        let actions: Vec<&str> = lines.filter(|line| *line != "turn").collect();
        let fen = turn["fen"].as_str().unwrap();
        text.extend(["fen ", fen, "\nturn [winprob 0.5]\n", &actions.join("\n"), "\n\n"]);
    }
    let config = barrow_core::minions::text::fen::parse_config(&config, Ruleset::Server).unwrap();
    let jumps = |tech_offset| {
        let settings =
            FileSettings { config: config.clone(), tech_offset, quiet: true, ..FileSettings::default() };
        let lines =
            crate::io::TextLines::new(Box::new(std::io::Cursor::new(text.clone().into_bytes())), "replay");
        let mut file = GameFile::of_lines(lines, "replay", settings).unwrap();
        let read = file.next_game().unwrap().unwrap();
        assert!(file.next_game().unwrap().is_none());
        let set = read.game.turns.iter().filter(|turn| turn.position.is_some()).count();
        (read.game.turns.len(), read.illegal, set)
    };
    assert_eq!(jumps(None), (turns, None, broken));
    assert_eq!(jumps(Some(1)), (turns, None, broken));
    assert_ne!(jumps(Some(0)), (turns, None, broken));
}
