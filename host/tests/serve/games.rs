//! Games by WebSocket: played, watched, opened again by their links, on one server or on two.

use std::path::Path;

use barrow::bench::test_positions::middle_games;
use barrow_core::minions::Ruleset;
use barrow_core::minions::text::fen::Extended;
use serde_json::{Value, json};

use crate::program::{empty_folder, text, with_input};
use crate::server::{Server, Socket};

/// New game of one board on a server: its WebSocket, the link to play, the link to watch.
fn new_game(server: &Server) -> (Socket, String, String) {
    let mut socket = server.socket("/api/game");
    socket.send(&json!({ "id": 1, "ask": "new", "maps": ["BlackenedShores"] }));
    let opened = socket.next().unwrap();
    assert_eq!((&opened["id"], &opened["reply"]), (&Value::Null, &json!("game")), "{opened}");
    let position = socket.next().unwrap();
    assert_eq!((&position["id"], &position["reply"]), (&json!(1), &json!("position")), "{position}");
    let link = |role: &str| opened[role].as_str().unwrap().to_owned();
    (socket, link("play"), link("watch"))
}

/// WebSocket with the game of a link open, and its position.
fn open(server: &Server, link: &str) -> (Socket, Value) {
    let mut socket = server.socket("/api/game");
    let opened = socket.ask(&json!({ "id": 5, "ask": "open", "link": link }));
    assert_eq!(opened["reply"], "game", "{opened}");
    let position = socket.until(|message| message["reply"] == "position");
    (socket, position)
}

/// Text of the game of a link.
fn record(server: &Server, link: &str) -> String {
    let response = server.request("GET", "/api/games", &[("Authorization", &format!("Bearer {link}"))], b"");
    assert_eq!(response.status, 200);
    response.text().to_owned()
}

/// Searches few nodes and plays the best turn; its lines, and the position after it.
fn engine_turn(socket: &mut Socket, id: u64) -> (Value, Value) {
    let found = socket.ask(&json!({ "id": id, "ask": "search", "nodes": 12, "progress": false }));
    assert_eq!((&found["reply"], &found["final"]), (&json!("analysis"), &json!(true)), "{found}");
    let turn = found["turns"][0]["lines"].clone();
    let played = socket.ask(&json!({ "id": id + 1, "ask": "play", "turn": turn }));
    assert_eq!(played["reply"], "position", "{played}");
    (turn, played)
}

#[test]
fn a_turn_is_entered_refused_where_it_is_illegal_and_answered_by_the_engine() {
    let server = Server::start(&empty_folder("serve-turn"), &[]);
    let (mut socket, play, _) = new_game(&server);
    let start = socket.ask(&json!({ "id": 2, "ask": "position" }));
    let march = start["march"].as_str().unwrap();
    let entered = socket.ask(&json!({ "id": 3, "ask": "enter", "line": march }));
    assert_eq!(entered["lines"].as_array().unwrap().len(), 1, "{entered}");
    let illegal = socket.ask(&json!({ "id": 4, "ask": "enter", "line": "0 a1j10" }));
    assert!(illegal["error"].as_str().unwrap().len() > 10, "{illegal}");
    let same = socket.ask(&json!({ "id": 5, "ask": "position" }));
    assert_eq!(same["lines"], entered["lines"]);
    let ended = socket.ask(&json!({ "id": 6, "ask": "end_turn" }));
    assert_eq!((&ended["side"], &ended["after"]), (&json!("Blue"), &json!(1)), "{ended}");
    let (_, answered) = engine_turn(&mut socket, 7);
    assert_eq!((&answered["side"], &answered["after"]), (&json!("Yellow"), &json!(2)));
    // The text of the game makes the same game again.
    let text = record(&server, &play);
    let copy = server.request("POST", "/api/games", &[], text.as_bytes());
    assert_eq!(copy.status, 201, "{}", copy.text());
    let (_, copied) = open(&server, copy.json()["play"].as_str().unwrap());
    assert_eq!((&copied["fen"], &copied["after"]), (&answered["fen"], &answered["after"]));
    assert!(server.metric("barrow_game_changes_total") >= 3);
    // Of several games none is chosen without a word.
    let refused = server.request("POST", "/api/games", &[], format!("{text}\n{text}").as_bytes());
    assert_eq!(refused.status, 422);
    assert!(refused.text().contains("it holds 2 games, of which one can be loaded"), "{}", refused.text());
    let labelled = server.request("POST", "/api/games", &[], format!("game 1\n{text}").as_bytes());
    assert_eq!(labelled.status, 201, "{}", labelled.text());
}

#[test]
fn a_turn_that_is_ended_twice_ends_once() {
    let server = Server::start(&empty_folder("serve-twice"), &[]);
    let (mut socket, play, _) = new_game(&server);
    let (mut other, _) = open(&server, &play);
    let ends = |id| json!({ "id": id, "ask": "end_turn", "seen": 0 });
    assert_eq!(socket.ask(&ends(2))["after"], 1);
    for late in [&mut socket, &mut other] {
        let refused = late.ask(&ends(3));
        assert_eq!(refused["error"], "the game has gone on; turns so far: 1", "{refused}");
    }
    assert_eq!(socket.ask(&json!({ "id": 4, "ask": "position" }))["after"], 1);
}

#[test]
fn a_game_that_is_not_to_be_kept_is_played_and_stored_nowhere() {
    let server = Server::start(&empty_folder("serve-lessons"), &[]);
    let (mut socket, _, watch) = new_game(&server);
    let fen = socket.ask(&json!({ "id": 2, "ask": "export", "form": "fen" }))["text"].clone();
    // More than there may be new games.
    let mut march = json!(null);
    for id in 3..30 {
        let loaded = socket.ask(&json!({ "id": id, "ask": "load", "text": fen, "keep": false }));
        assert_eq!((&loaded["reply"], &loaded["fen"]), (&json!("position"), &fen), "{loaded}");
        march = loaded["march"].clone();
    }
    let position = socket.ask(&json!({ "id": 40, "ask": "enter", "line": march }));
    assert_eq!(position["lines"].as_array().unwrap().len(), 1, "{position}");
    let found = socket.ask(&json!({ "id": 41, "ask": "search", "nodes": 4, "progress": false }));
    assert_eq!(found["reply"], "analysis", "{found}");
    assert_eq!(server.metric("barrow_stored_games"), 1);
    // The game that was open before has not seen any of it.
    assert_eq!(open(&server, &watch).1["lines"], json!([]));
}

#[test]
fn a_killed_server_has_lost_nothing_that_it_has_answered() {
    let folder = empty_folder("serve-kill");
    let server = Server::start(&folder, &[]);
    let mut games = Vec::new();
    for _ in 0..3 {
        let (mut socket, play, watch) = new_game(&server);
        engine_turn(&mut socket, 10);
        let position = socket.ask(&json!({ "id": 20, "ask": "position" }));
        let march = position["march"].as_str().unwrap();
        let entered = socket.ask(&json!({ "id": 21, "ask": "enter", "line": march }));
        games.push((play.clone(), watch, entered, record(&server, &play)));
    }
    // A search is on its way, and the program is gone in the middle of it.
    let (mut socket, _) = open(&server, &games[0].0);
    socket.send(&json!({ "id": 30, "ask": "search", "movetime": 60_000 }));
    socket.until(|message| message["reply"] == "analysis");
    server.kill();
    let server = Server::start(&folder, &[]);
    assert_eq!(server.metric("barrow_stored_games"), 3);
    for (play, watch, before, text) in &games {
        for link in [play, watch] {
            let (_, position) = open(&server, link);
            for part in ["fen", "lines", "history", "after", "sentences"] {
                assert_eq!(position[part], before[part], "{part}");
            }
            assert_eq!(&record(&server, link), text);
        }
    }
    let (mut socket, _) = open(&server, &games[1].0);
    let undone = socket.ask(&json!({ "id": 7, "ask": "undo" }));
    assert_eq!(undone["lines"], json!([]));
}

#[test]
fn who_has_the_link_to_watch_sees_everything_and_changes_nothing() {
    let server = Server::start(&empty_folder("serve-watch"), &[]);
    let (mut player, _, watch) = new_game(&server);
    let mut watcher = server.socket("/api/game");
    let opened = watcher.ask(&json!({ "id": 5, "ask": "open", "link": watch }));
    assert!(opened.get("play").is_none() && opened["watch"] == watch, "{opened}");
    let first = watcher.next().unwrap();
    let march = first["march"].as_str().unwrap();
    for request in [
        json!({ "id": 9, "ask": "enter", "line": march }),
        json!({ "id": 9, "ask": "undo" }),
        json!({ "id": 9, "ask": "clear" }),
        json!({ "id": 9, "ask": "propose", "turn": [] }),
        json!({ "id": 9, "ask": "end_turn" }),
        json!({ "id": 9, "ask": "play", "turn": [] }),
        json!({ "id": 9, "ask": "take_back", "turns": 0 }),
        json!({ "id": 9, "ask": "resign" }),
    ] {
        assert_eq!(watcher.ask(&request)["error"], "this link is only to watch", "{request}");
    }
    let entered = player.ask(&json!({ "id": 2, "ask": "enter", "line": march }));
    let seen = watcher.until(|message| message["reply"] == "position");
    assert_eq!((&seen["id"], &seen["lines"]), (&Value::Null, &entered["lines"]));
    let found = watcher.ask(&json!({ "id": 6, "ask": "search", "nodes": 4, "progress": false }));
    assert_eq!(found["reply"], "analysis");
    let unknown = watcher.ask(&json!({ "id": 7, "ask": "open", "link": "0123456789abcdef0123456789abcdef" }));
    assert_eq!(unknown["error"], "there is no such game");
}

#[test]
fn who_opens_a_game_twice_still_sees_what_others_change() {
    let server = Server::start(&empty_folder("serve-twice"), &[]);
    let (mut player, play, _) = new_game(&server);
    let (mut other, first) = open(&server, &play);
    assert_eq!(other.ask(&json!({ "id": 6, "ask": "open", "link": play }))["reply"], "game");
    assert_eq!(other.next().unwrap()["lines"], json!([]));
    let entered = player.ask(&json!({ "id": 2, "ask": "enter", "line": first["march"] }));
    let seen = other.next().unwrap();
    assert_eq!((&seen["id"], &seen["lines"]), (&Value::Null, &entered["lines"]), "{seen}");
}

#[test]
fn two_servers_on_one_store_are_as_one() {
    let folder = empty_folder("serve-replicas");
    let [one, two] = [(); 2].map(|()| Server::start(&folder, &[]));
    let (mut here, play, watch) = new_game(&one);
    let (mut there, _) = open(&two, &play);
    let (mut watcher, _) = open(&two, &watch);
    // Turns from both sides; each server shows what the other has stored.
    let (_, first) = engine_turn(&mut here, 10);
    assert_eq!(
        there.until(|message| message["reply"] == "position" && message["after"] == 1)["fen"],
        first["fen"]
    );
    let (_, second) = engine_turn(&mut there, 10);
    assert_eq!(
        here.until(|message| message["reply"] == "position" && message["after"] == 2)["fen"],
        second["fen"]
    );
    assert_eq!(watcher.until(|message| message["after"] == 2)["fen"], second["fen"]);
    // A client that has not seen the newest position yet changes that one.
    let march = second["march"].as_str().unwrap();
    there.ask(&json!({ "id": 20, "ask": "enter", "line": march }));
    let undone = here.ask(&json!({ "id": 20, "ask": "undo" }));
    assert_eq!(undone["lines"], json!([]), "{undone}");
    // A server that is killed takes nothing with it.
    one.kill();
    assert!(here.next().is_none());
    let (_, third) = engine_turn(&mut there, 30);
    assert_eq!(watcher.until(|message| message["after"] == 3)["fen"], third["fen"]);
    assert_eq!(record(&two, &play), record(&two, &watch));
    let one = Server::start(&folder, &[]);
    assert_eq!(open(&one, &play).1["fen"], third["fen"]);
}

#[test]
fn changes_of_two_servers_at_once_are_all_kept_or_refused() {
    let folder = empty_folder("serve-race");
    let servers = [(); 2].map(|()| Server::start(&folder, &["--rate", "1000"]));
    let (_, play, _) = new_game(&servers[0]);
    let counts: Vec<[usize; 2]> = std::thread::scope(|scope| {
        let work = |(walk, server): (&'static str, _)| {
            let play = &play;
            move || {
                // Neither line replaces the other, and a second walk of a piece is refused.
                let (mut socket, _) = open(server, play);
                let mut done = [0; 2];
                for id in 100..140 {
                    let ask = if id % 2 == 0 {
                        json!({ "id": id, "ask": "enter", "line": walk })
                    } else {
                        json!({ "id": id, "ask": "undo" })
                    };
                    done[id % 2] += usize::from(socket.ask(&ask).get("error").is_none());
                }
                done
            }
        };
        let walks = ["0 d1e1", "0 d2e2"].into_iter().zip(&servers);
        let threads: Vec<_> = walks.map(|walk| scope.spawn(work(walk))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(counts.iter().all(|done| done[0] + done[1] > 0), "{counts:?}");
    let [one, two] = [0, 1].map(|index| open(&servers[index], &play).1);
    assert_eq!((&one["lines"], &one["fen"]), (&two["lines"], &two["fen"]));
    // What was entered and not taken back is there: no change that was answered is lost, and none is there twice.
    let [entered, undone] = [0, 1].map(|what| counts.iter().map(|done| done[what]).sum::<usize>());
    assert_eq!(entered - undone, one["lines"].as_array().unwrap().len(), "{counts:?}");
}

#[test]
fn links_are_in_no_log_and_not_in_the_store() {
    let folder = empty_folder("serve-log");
    let server = Server::start(&folder, &["-vv"]);
    let (mut socket, play, watch) = new_game(&server);
    record(&server, &play);
    let (mut watcher, _) = open(&server, &watch);
    watcher.ask(&json!({ "id": 7, "ask": "open", "link": play }));
    engine_turn(&mut socket, 10);
    server.get(&format!("/{play}"));
    let (_, output, log) = server.stop();
    assert!(log.contains("GET 200") && log.contains("stopping"), "{log}");
    let files = std::fs::read_dir(folder.join("games")).unwrap();
    let store: Vec<u8> = files.flat_map(|file| std::fs::read(file.unwrap().path()).unwrap()).collect();
    let holds = |bytes: &[u8]| store.windows(bytes.len()).any(|window| window == bytes);
    // The game is there.
    assert!(holds(b"BlackenedShores"));
    for link in [&play, &watch] {
        assert!(!log.contains(link.as_str()) && !output.contains(link.as_str()));
        // Neither as a text nor as the number that it is.
        assert!(!holds(link.as_bytes()) && !holds(&u128::from_str_radix(link, 16).unwrap().to_be_bytes()));
    }
}

/// Positions and nodes: the same turn comes from the command line, from the analysis and from the game's WebSocket.
#[test]
fn the_server_finds_the_turn_of_the_program() {
    // An everyday build takes its time for a node.
    let (count, nodes) = if cfg!(debug_assertions) { (3, 60) } else { (20, 500) };
    let games = [Ruleset::Server, Ruleset::Spooky].map(middle_games).concat();
    let fens: Vec<String> = games.iter().take(count).map(|game| Extended(game).to_string()).collect();
    assert_eq!(fens.len(), count);
    let server = Server::start(&empty_folder("serve-equal"), &["--hash", "64", "--longest", "600000"]);
    let query = json!({ "id": "a", "positions": fens, "nodes": nodes });
    let arguments = ["analysis", "--workers", "1", "--hash", "64"];
    let printed = with_input(Path::new("."), &arguments, &query.to_string());
    let mut analysis = server.socket("/api/analysis");
    analysis.send(&query);
    let mut analysed: Vec<Value> =
        (0..count).map(|_| analysis.until(|message| message["final"] == true)).collect();
    analysed.sort_by_key(|answer| answer["index"].as_u64());
    let (mut socket, _, _) = new_game(&server);
    for (line, analysed) in text(&printed.stdout).lines().zip(&analysed) {
        let native: Value = serde_json::from_str(line).unwrap();
        assert_eq!((&analysed["turn"], &analysed["value"]), (&native["turn"], &native["value"]));
        let place = json!({ "text": native["fen"] });
        let search = json!({ "id": 9, "ask": "search", "place": place, "nodes": nodes, "progress": false });
        let found = socket.ask(&search);
        assert_eq!(
            (&found["turns"][0]["lines"], &found["value"]),
            (&native["turn"], &native["value"]),
            "{found}"
        );
    }
    assert_eq!(text(&printed.stdout).lines().count(), count);
}

#[test]
fn a_game_is_reviewed_and_contest_games_are_watched_beside_it() {
    let server = Server::start(&empty_folder("serve-review"), &[]);
    let (mut socket, _, watch) = new_game(&server);
    assert!(socket.ask(&json!({ "id": 2, "ask": "review", "nodes": 5 }))["error"].is_string());
    for id in [3, 5] {
        engine_turn(&mut socket, id);
    }
    socket.send(&json!({ "id": 8, "ask": "review", "nodes": 5 }));
    let mut searched = Vec::new();
    let review = loop {
        let message = socket.until(|message| message["id"] == 8);
        assert_eq!(message["reply"], "review", "{message}");
        searched.push(message["searched"].as_u64().unwrap());
        if message["final"] == true {
            break message;
        }
    };
    assert!(searched.is_sorted() && searched.last() == Some(&3), "{searched:?}");
    assert_eq!((review["turns"].as_array().unwrap().len(), &review["blue"]["turns"]), (2, &json!(1)));
    // Who only watches may review, and watch contest games.
    let (mut watcher, _) = open(&server, &watch);
    assert_eq!(
        watcher.ask(&json!({ "id": 1, "ask": "review", "nodes": 3, "progress": false }))["final"],
        true
    );
    let begun = watcher.ask(&json!({ "id": 2, "ask": "match", "contest": "kutulu", "bots": ["random", "random", "random", "random"] }));
    assert_eq!((&begun["reply"], &begun["is_live"]), (&json!("watched"), &json!(true)));
    assert_eq!(watcher.ask(&json!({ "id": 3, "ask": "match_turn" }))["reply"], "scenes");
    // Each conversation has contest games of its own.
    assert!(socket.ask(&json!({ "id": 9, "ask": "match_turn" }))["error"].is_string());
    assert!(socket.ask(&json!({ "id": 10, "ask": "watch", "text": "nonsense" }))["error"].is_string());
    assert_eq!(socket.ask(&json!({ "id": 11, "ask": "contests" }))["contests"][0]["seats"], 4);
}
