//! Analysis by WebSocket: the protocol of `barrow analysis`.

use serde_json::{Value, json};

use crate::program::{empty_folder, text, with_input};
use crate::server::{PATIENCE, Server, wait_for};

/// Answer without what depends on the clock.
fn timeless(mut answer: Value) -> Value {
    answer.as_object_mut().unwrap().remove("seconds");
    answer
}

#[test]
fn the_server_finds_what_the_program_finds() {
    let folder = empty_folder("serve-analysis");
    let server = Server::start(&folder, &[]);
    let mut socket = server.socket("/api/analysis");
    let query = json!({ "id": "a", "nodes": 60, "include": ["tree"], "config": "1 BlackenedShores S,P,W" });
    socket.send(&query);
    let found = timeless(socket.next().unwrap());
    let printed = with_input(&folder, &["analysis", "--workers", "1", "--hash", "4"], &query.to_string());
    assert_eq!(found, timeless(serde_json::from_str(text(&printed.stdout)).unwrap()));
    assert_eq!(found["final"], true);
}

/// 20 positions of the tactical file, the same that `host/web/engine/tests/turns.mjs` has.
fn tactical_positions() -> Vec<String> {
    let file = include_str!("../../data/tactics.fen");
    let lines: Vec<&str> = file.lines().collect();
    let positions = lines.iter().step_by(lines.len() / 20).take(20);
    positions.map(|line| line.split('\t').nth(3).unwrap().to_owned()).collect()
}

/// Program, analysis socket and game socket find the same turns. `host/web/engine/tests/turns.mjs` compares the module in the
/// page with the program in the same positions. Not part of everyday tests:
///
///     cargo test --release -p barrow --test serve -- --ignored turns_of_20_positions
#[test]
#[ignore = "30,000 nodes: long where nothing is optimised"]
fn turns_of_20_positions() {
    let folder = empty_folder("serve-turns");
    let server = Server::start(&folder, &[]);
    let positions = tactical_positions();
    let query = json!({ "id": "a", "nodes": 500, "positions": positions, "candidates": 1 });
    let printed = with_input(&folder, &["analysis", "--workers", "1", "--hash", "64"], &query.to_string());
    let by = |answers: &mut dyn Iterator<Item = Value>| -> Vec<Value> {
        let mut found = vec![Value::Null; positions.len()];
        for answer in answers {
            let index = answer["index"].as_u64().unwrap() as usize;
            found[index] = answer;
        }
        found
    };
    let program = by(&mut text(&printed.stdout).lines().map(|line| serde_json::from_str(line).unwrap()));
    let mut socket = server.socket("/api/analysis");
    socket.send(&query);
    let analysed = by(&mut (0..positions.len()).map(|_| socket.next().unwrap()));
    let mut game = server.socket("/api/game");
    game.ask(&json!({ "id": 1, "ask": "new" }));
    for (index, position) in positions.iter().enumerate() {
        let ask = json!({ "id": 2, "ask": "search", "place": { "text": position }, "nodes": 500, "candidates": 1, "progress": false });
        let searched = game.ask(&ask);
        let turn = &program[index]["turn"];
        assert!(turn.as_array().is_some_and(|turn| turn.len() >= 2), "{index}: {}", program[index]);
        assert_eq!([&analysed[index]["turn"], &searched["turns"][0]["lines"]], [turn, turn], "{index}");
        assert_eq!(analysed[index]["value"], program[index]["value"], "{index}");
        assert_eq!(searched["turns"][0]["value"], program[index]["value"], "{index}");
    }
}

#[test]
fn progress_streams_and_a_cancelled_search_answers_at_once() {
    let server = Server::start(&empty_folder("serve-progress"), &["--workers", "1"]);
    let mut socket = server.socket("/api/analysis");
    socket.send_text(r#"{"id":"a","movetime":60000,"progress":true}"#);
    let first = socket.until(|message| message["id"] == "a");
    assert_eq!(first["final"], false);
    assert!(first["value"].is_f64() && first["turn"].is_array());
    socket.send_text(r#"{"id":"b"}"#);
    socket.send_text(r#"{"id":"end","action":"cancel"}"#);
    let mut finals = Vec::new();
    while finals.len() < 2 {
        let message = socket.until(|message| message["final"] == true);
        assert_eq!(message["cancelled"], true);
        finals.push(message["id"].clone());
    }
    finals.sort_by_key(|id| id.as_str().map(str::to_owned));
    assert_eq!(finals, ["a", "b"]);
}

#[test]
fn a_client_that_leaves_frees_the_engine() {
    let server = Server::start(&empty_folder("serve-leaving"), &["--workers", "1"]);
    let mut socket = server.socket("/api/analysis");
    socket.send_text(r#"{"id":"a","positions":["startpos","startpos","startpos"],"movetime":60000}"#);
    wait_for("a search", || server.metric("barrow_searches_running") == 1);
    drop(socket);
    let mut other = server.socket("/api/analysis");
    other.0.get_mut().set_read_timeout(Some(PATIENCE / 4)).unwrap();
    other.send_text(r#"{"id":"b","nodes":1}"#);
    assert_eq!(other.next().unwrap()["id"], "b");
    wait_for("the end of all searches", || {
        server.metric("barrow_searches_running") + server.metric("barrow_searches_waiting") == 0
    });
}

#[test]
fn the_longest_search_is_as_long_as_the_server_allows() {
    let server = Server::start(&empty_folder("serve-longest"), &["--longest", "50", "--workers", "1"]);
    let mut socket = server.socket("/api/analysis");
    socket.send_text(r#"{"id":"a","movetime":51}"#);
    assert_eq!(socket.next().unwrap()["error"], "movetime must be at most 50");
    socket.send_text(r#"{"id":"b","nodes":1000000000}"#);
    let found = socket.next().unwrap();
    assert!(found["nodes"].as_u64().unwrap() < 1_000_000_000 && found["cancelled"] == false, "{found}");
    // A level of the page that thinks longer plays all the same.
    let mut game = server.socket("/api/game");
    game.ask(&json!({ "id": 1, "ask": "new" }));
    let found = game.ask(&json!({ "id": 2, "ask": "search", "movetime": 3_600_000, "progress": false }));
    assert_eq!((&found["final"], found["turns"].as_array().unwrap().is_empty()), (&json!(true), false));
}
