//! Recorded dialogues: turns that the web server's own rules and adapter played with an engine.
//!
//! `host/tests/data/dialogues.jsonl.gz` is a selection, in which refusals are in short: what was asked and why it was
//! refused. The whole recording lies beside the repository, where there is one.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;

use barrow::umi::Session;
use barrow_core::minions::text::fen;
use barrow_core::minions::{Ruleset, Side};
use flate2::read::MultiGzDecoder;
use serde::Deserialize;
use serde_json::Value;

use crate::acceptance::Turn;
use crate::adapter::{Mode, play};

/// A recorded turn.
#[derive(Deserialize)]
struct Dialogue {
    config: String,
    fen: String,
    mode: String,
    lines: Vec<String>,
    refused: Vec<Value>,
    died: Option<String>,
    after: String,
}

fn read(path: &PathBuf) -> Vec<Dialogue> {
    let lines = BufReader::new(MultiGzDecoder::new(File::open(path).unwrap())).lines();
    lines.map(|line| serde_json::from_str(&line.unwrap()).unwrap()).collect()
}

/// The selection, and the whole recording if it is there.
fn recordings() -> Vec<Vec<Dialogue>> {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let whole = here.join("../../shared/data/web-server/dialogues.jsonl.gz");
    let whole = std::env::var_os("BARROW_DIALOGUES").map_or(whole, PathBuf::from);
    let sample = here.join("tests/data/dialogues.jsonl.gz");
    [sample, whole].iter().filter(|path| path.exists()).map(read).collect()
}

/// A refusal in short, be it recorded so or in the server's words.
fn in_short(refusal: &Value) -> String {
    let Some(query) = refusal["query"].as_str() else { return refusal.as_str().unwrap().to_owned() };
    let reason = refusal["reason"].as_str().unwrap();
    let words: Vec<&str> = query.split(['(', ')', ',']).filter(|word| !word.is_empty()).collect();
    let what = match *words {
        ["DoGameAction", "PerformTech", _, number] => format!("tech {number}"),
        ["DoBoardAction", board, "DoGeneralBoardAction", "BuyReinforcement", unit, _] => {
            format!("buy {board} {unit}")
        }
        ["DoBoardAction", board, "PlayerActions", "List", "Spawn", at, unit] => {
            format!("spawn {board} {unit} {at}")
        }
        ["DoBoardAction", board, "PlayerActions", "List", "Attack", ..] => format!("attack {board}"),
        _ => panic!("{query}"),
    };
    let why = match reason.split(':').next().unwrap() {
        "No such piece in reinforcements" => "none left",
        "No non-newly-spawned piece with spawn in range" => "no spawner near",
        "Attack range not large enough" => "out of range",
        "Already own this tech" => "already owned",
        "Cannot acquire tech owned by the opponent" => "the opponent's",
        "Must unlock techs in order" => "out of order",
        "Invalid tech idx" => "no such number",
        "Piece would end in the same space as enemies" => "on an enemy",
        "Cannot buy pieces on the same turn as teching to them" => "acquired just now",
        "Piece tech not acquired yet" => "not acquired",
        other => panic!("{other}"),
    };
    format!("{what}: {why}")
}

/// The hexes of the move at which a translation broke off: `Invalid move d5 -> f4 (cannot find path)`.
fn lost_move(died: &str) -> String {
    let hexes = died
        .split_ascii_whitespace()
        .filter(|word| word.len() == 2 && word.ends_with(|c: char| c.is_ascii_digit()));
    format!("no path {}", hexes.collect::<String>())
}

#[test]
fn the_model_reproduces_every_recorded_refusal_and_death() {
    for dialogues in recordings() {
        let (mut refusals, mut deaths, mut positions) = (0, 0, 0);
        for (place, dialogue) in dialogues.iter().enumerate() {
            let config = fen::parse_config(&dialogue.config, Ruleset::Server).unwrap();
            let mode = if dialogue.mode == "in order" { Mode::InOrder } else { Mode::AtOnce };
            let turn = Turn::from_fen(&config, &dialogue.fen);
            let side = turn.game.side_to_move();
            let answer = play(turn, &dialogue.lines, mode);
            let recorded: Vec<String> = dialogue.refused.iter().map(in_short).collect();
            let died = dialogue.died.as_deref().map(lost_move);
            assert_eq!((&answer.refused, &answer.died), (&recorded, &died), "dialogue {place}");
            refusals += recorded.len();
            deaths += usize::from(died.is_some());
            // Of Yellow's turns that died the recorder carried nothing out; the server's engines are Blue.
            if died.is_none() || side == Side::Blue || mode == Mode::InOrder {
                assert_eq!(fen::Display(&answer.after).to_string(), dialogue.after, "dialogue {place}");
                positions += 1;
            }
        }
        println!("{} turns: {refusals} refusals, {deaths} deaths, {positions} positions", dialogues.len());
        assert!(refusals >= 40 && deaths >= 4 && positions >= 30);
    }
}

#[test]
fn recorded_positions_are_answered_without_refusal() {
    let dialogues = recordings().remove(0);
    let mut session = Session::new(Vec::new());
    let mut config_line = "";
    for dialogue in &dialogues {
        // In the middle of a game nothing tells the server from others but what it was told.
        if dialogue.config != config_line {
            config_line = &dialogue.config;
            session.handle("setoption name Host value web-server").unwrap();
            session.handle(&format!("config {config_line}")).unwrap();
        }
        let config = fen::parse_config(config_line, Ruleset::Server).unwrap();
        // What the engine expected after its turn is not what comes next: neither need it have played the last turn.
        for line in [&dialogue.fen, &dialogue.after] {
            let turn = || Turn::from_fen(&config, line);
            if turn().game.state().is_over() {
                continue;
            }
            let lines = crate::games::ask(&mut session, line, 1);
            for mode in [Mode::InOrder, Mode::AtOnce] {
                let answer = play(turn(), &lines, mode);
                assert_eq!((answer.refused, answer.died), (vec![], None), "{line}\n{lines:#?}");
            }
        }
    }
}
