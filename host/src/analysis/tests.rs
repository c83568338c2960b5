use std::io::Cursor;
use std::sync::{Arc, Mutex};

use barrow_core::minions::text::fen;
use serde_json::{Map, Value};

use super::*;
use crate::bench::test_positions;
use barrow_session::notation::read_turn;

#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn settings(workers: usize) -> Settings {
    Settings {
        workers,
        threads: 1,
        hash: 4,
        movetime: Duration::from_hours(1),
        network: None,
        caps: Caps::default(),
    }
}

/// Answers to lines of input that are all there at once.
fn answers(workers: usize, input: &str) -> Vec<Value> {
    let output = Shared::default();
    run(settings(workers), Cursor::new(input.to_owned().into_bytes()), output.clone()).unwrap();
    read(&output)
}

fn read(output: &Shared) -> Vec<Value> {
    let text = String::from_utf8(output.0.lock().unwrap().clone()).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn finals<'a>(answers: &'a [Value], id: &str) -> Vec<&'a Value> {
    answers.iter().filter(|answer| answer["id"] == id && answer["final"] == true).collect()
}

#[test]
fn a_byte_order_mark_is_no_part_of_a_query_and_other_bytes_are_an_error() {
    let output = Shared::default();
    let version = |id: &[u8]| [b"{\"id\":\"", id, b"\",\"action\":\"version\"}\n"].concat();
    let input = ["\u{feff}".as_bytes(), &version(b"a"), &version(b"b\xff"), &version(b"c")].concat();
    run(settings(1), Cursor::new(input), output.clone()).unwrap();
    let answers = read(&output);
    let told: Vec<_> = answers.iter().map(|answer| (&answer["id"], answer["error"].as_str())).collect();
    let wrong = (&Value::Null, Some("a line that is not UTF-8"));
    assert_eq!(told, [(&json!("a"), None), wrong, (&json!("c"), None)]);
}

#[test]
fn every_position_gets_one_final_answer_with_a_legal_turn() {
    let games = test_positions::middle_games(barrow_core::minions::Ruleset::Server);
    let fens: Vec<String> = games.iter().take(3).map(|game| fen::Extended(game).to_string()).collect();
    let query =
        json!({ "id": "a", "positions": fens, "nodes": 12, "candidates": 2, "include": ["nets", "tree"] });
    let answers =
        answers(2, &format!("{query}\n{}", r#"{"id":"b","nodes":3,"config":"1 BlackenedShores S,P,W"}"#));
    assert_eq!((answers.len(), finals(&answers, "b").len()), (4, 1));
    let mut found = finals(&answers, "a");
    found.sort_by_key(|answer| answer["index"].as_u64());
    assert_eq!(found.len(), 3);
    for (answer, game) in found.into_iter().zip(&games) {
        let lines: Vec<&str> = answer["turn"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        assert_eq!(lines.last(), Some(&"endturn"));
        let turn = read_turn(game, &lines[..lines.len() - 1].join("\n")).unwrap();
        game.clone().play(&turn).unwrap();
        assert_eq!(answer["candidates"][0]["turn"], answer["turn"]);
        assert!(answer["candidates"].as_array().unwrap().len() <= 2 && answer["nodes"] == 12, "{answer}");
        assert_eq!(answer["nets"]["boards"].as_array().unwrap().len(), game.config().num_boards());
        assert!(answer["tree"]["generals"].is_array());
        assert_eq!(fen::parse(answer["fen"].as_str().unwrap(), game.config()).unwrap().state(), game.state());
    }
}

#[test]
fn answers_do_not_depend_on_what_was_asked_before() {
    let [a, b] = [r#"{"id":"a","nodes":40}"#, r#"{"id":"b","nodes":40,"ruleset":"spooky"}"#];
    let timeless = |mut answers: Vec<Value>, id: &str| {
        answers.retain(|answer| answer["id"] == id);
        for answer in &mut answers {
            answer.as_object_mut().unwrap().remove("seconds");
        }
        answers
    };
    let alone = timeless(answers(1, b), "b");
    assert_eq!(alone, timeless(answers(1, &format!("{a}\n{b}\n")), "b"));
    assert_eq!(alone, timeless(answers(3, &format!("{a}\n{b}\n{{\"id\":\"c\",\"nodes\":9}}")), "b"));
}

#[test]
fn greater_priorities_are_answered_first() {
    // The lines come one by one, so the first search begins alone; it is cancelled when the others wait.
    let input = [
        r#"{"id":"long","movetime":3600000}"#,
        r#"{"id":"low","nodes":1,"priority":-1}"#,
        r#"{"id":"middle","nodes":1}"#,
        r#"{"id":"high","nodes":1,"priority":9}"#,
        r#"{"id":"end","action":"cancel","query":"long"}"#,
    ];
    let answers = answers(1, &input.join("\n"));
    let order: Vec<&str> = answers
        .iter()
        .filter(|answer| answer["final"] == true && answer["id"] != "long")
        .filter_map(|answer| answer["id"].as_str())
        .collect();
    assert_eq!(order, ["high", "middle", "low"]);
    assert_eq!(finals(&answers, "long").len(), 1);
    assert_eq!(finals(&answers, "long")[0]["cancelled"], true);
}

#[test]
fn a_cancelled_query_is_answered_once_for_each_position() {
    let input = "{\"id\":\"a\",\"positions\":[\"startpos\",\"startpos\",\"startpos\"]}\n\
                 {\"id\":\"b\",\"positions\":[\"startpos\",\"startpos\"]}\n\
                 {\"id\":\"all\",\"action\":\"cancel\"}\n{\"id\":\"c\",\"nodes\":1}";
    let answers = answers(1, input);
    assert_eq!(["a", "b", "c"].map(|id| finals(&answers, id).len()), [3, 2, 1]);
    let acted = answers.iter().find(|answer| answer["action"] == "cancel").unwrap();
    assert_eq!(acted["cancelled"], 5);
    assert_eq!(finals(&answers, "b").iter().filter(|answer| answer["cancelled"] == true).count(), 2);
}

#[test]
fn a_game_is_reviewed_behind_its_answers() {
    let query = r#"{"id":"r","ruleset":"spooky","turns":[["action tech 0"],[]],"nodes":20,"review":true,"progress":true}"#;
    let all = answers(2, query);
    assert_eq!(finals(&all, "r").len(), 3);
    let reviews: Vec<&Value> = all.iter().filter(|line| line["review"].is_object()).collect();
    let (last, before) = reviews.split_last().unwrap();
    assert_eq!(*last, all.last().unwrap(), "{all:?}");
    assert!(!before.is_empty());
    assert!(before.iter().all(|line| line["review"]["final"] == false));
    let review = &last["review"];
    assert_eq!((&review["final"], &review["searched"]), (&true.into(), &3.into()));
    let sides: Vec<&Value> = review["turns"].as_array().unwrap().iter().map(|turn| &turn["side"]).collect();
    assert_eq!(sides, ["Yellow", "Blue"]);
    let refused = answers(1, r#"{"id":"r","positions":["startpos"],"review":true}"#);
    assert_eq!(refused[0]["error"], "review excludes positions and after");
}

#[test]
fn a_bad_line_gets_one_error_and_the_next_is_answered() {
    let answers = answers(
        1,
        "nonsense\n\n{\"id\":\"a\",\"positions\":[\"startpos\",\"x\"]}\n{\"id\":\"a\",\"nodes\":1}\n{\"id\":\"v\",\"action\":\"version\"}",
    );
    assert_eq!(answers.len(), 4, "{answers:?}");
    assert_eq!(answers[0]["id"], Value::Null);
    assert!(answers[1]["error"].as_str().unwrap().starts_with("positions[1]: column"));
    assert_eq!(finals(&answers, "a").len(), 1);
    assert!(answers.iter().any(|answer| answer["version"] == env!("CARGO_PKG_VERSION")));
}

/// Input whose second line comes when the output has a final answer.
struct Patient {
    lines: Vec<&'static str>,
    output: Shared,
}

impl Read for Patient {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.lines.len() == 1 {
            while !read(&self.output).iter().any(|answer| answer["final"] == true) {
                thread::sleep(Duration::from_millis(1));
            }
        }
        let line = self.lines.pop().unwrap_or_default().as_bytes();
        buffer[..line.len()].copy_from_slice(line);
        Ok(line.len())
    }
}

#[test]
fn a_name_is_taken_until_its_query_is_answered() {
    let answers =
        answers(1, "{\"id\":\"a\"}\n{\"id\":\"a\",\"nodes\":1}\n{\"id\":\"c\",\"action\":\"cancel\"}");
    assert!(answers.iter().any(|line| line["error"] == "a query of the name a is not finished"));
    assert_eq!(finals(&answers, "a").len(), 1);

    let output = Shared::default();
    let lines = vec!["{\"id\":\"a\",\"nodes\":2}\n", "{\"id\":\"a\",\"nodes\":1}\n"];
    run(settings(1), Patient { lines, output: output.clone() }, output.clone()).unwrap();
    let nodes: Vec<Value> =
        finals(&read(&output), "a").iter().map(|answer| answer["nodes"].clone()).collect();
    assert_eq!(nodes, [1, 2]);
}

#[test]
fn a_game_that_is_over_is_answered_with_its_result() {
    let mut game = test_positions::middle_games(barrow_core::minions::Ruleset::Spooky)[0].clone();
    let mut dice = barrow_core::rng::Rng::new(1);
    while !game.state().is_over() {
        let turn = barrow_core::minions::players::Brain::choose(
            &mut barrow_core::minions::players::Greedy::new(dice.next_u64()),
            &game,
        );
        game.play(&turn).unwrap();
    }
    let answers = answers(1, &json!({ "id": "a", "position": fen::Extended(&game).to_string() }).to_string());
    assert_eq!(answers.len(), 1);
    assert_eq!(answers[0]["result"], game.state().winner().map_or("draw", |side| side.name()));
    assert!(answers[0].get("turn").is_none());
}

/// Keys of an object that its schema lacks, and those that it requires in vain.
fn strangers(schema: &Value, object: &Map<String, Value>) -> Vec<String> {
    let known = schema["properties"].as_object().unwrap();
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    let missing = required.iter().filter_map(Value::as_str).filter(|key| !object.contains_key(*key));
    let unknown = object.keys().map(String::as_str).filter(|key| !known.contains_key(*key));
    missing.chain(unknown).map(str::to_owned).collect()
}

#[test]
fn the_schemas_name_every_key_that_is_written() {
    let schemas = schemas();
    let review = r#"{"id":"r","ruleset":"spooky","turns":[[]],"nodes":5,"review":true}"#;
    let query = r#"{"id":"a","nodes":30,"include":["nets","tree"]}"#;
    let answers = answers(1, &format!("{query}\n{review}\n{{}}"));
    let refused = answers.iter().find(|answer| answer.get("error").is_some()).unwrap();
    assert_eq!(strangers(&schemas["refused"], refused.as_object().unwrap()), [""; 0]);
    let answer = &schemas["answer"];
    let found = finals(&answers, "a")[0].as_object().unwrap();
    assert_eq!(strangers(answer, found), [""; 0]);
    let candidate = found["candidates"][0].as_object().unwrap();
    assert_eq!(strangers(&answer["$defs"]["AnalysedCandidate"], candidate), [""; 0]);
    assert_eq!(strangers(&answer["$defs"]["RootRecord"], found["tree"].as_object().unwrap()), [""; 0]);
    let reviewed = answers.iter().find_map(|answer| answer["review"].as_object()).unwrap();
    assert_eq!(strangers(&schemas["reviewed"]["$defs"]["Review"], reviewed), [""; 0]);
    let turn = reviewed["turns"][0].as_object().unwrap();
    assert_eq!(strangers(&schemas["reviewed"]["$defs"]["TurnReview"], turn), [""; 0]);
    // A key of a query that the schema lacks would be refused.
    assert_eq!(schemas["query"]["additionalProperties"], false);
}
