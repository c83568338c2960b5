//! A sample of the recorded games and positions of the Minions web server agrees with the rules; a line that was
//! tampered with does not.

use std::io::{BufReader, Cursor, Read};
use std::path::{Path, PathBuf};

use barrow::notation::FileSettings;
use barrow::replay::{self, Tally};
use flate2::read::GzDecoder;
use indicatif::ProgressBar;
use serde_json::{Value, json};

fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

fn lines(name: &str, count: usize) -> Vec<Value> {
    let mut text = String::new();
    GzDecoder::new(std::fs::File::open(sample(name)).unwrap()).read_to_string(&mut text).unwrap();
    text.lines().take(count).map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn replay_lines(lines: &[Value]) -> anyhow::Result<Tally> {
    let text = lines.iter().map(Value::to_string).collect::<Vec<_>>().join("\n");
    replay::reader(Box::new(BufReader::new(Cursor::new(text))), "lines")
}

#[test]
fn the_sample_agrees_with_the_rules() {
    let names = ["turns.jsonl.gz", "positions.jsonl.gz"].map(|name| sample(name).display().to_string());
    let tally = replay::files(&names, &FileSettings::default(), &ProgressBar::hidden()).unwrap();
    assert_eq!(tally.described, Vec::<String>::new());
    assert_eq!((tally.files, tally.steps, tally.mismatches), (2, TURNS + POSITIONS, 0));
}

/// Numbers of lines of the sample files.
const TURNS: u64 = 1631;
const POSITIONS: u64 = 417;

/// Asserts that a change of the third turn is the only mismatch, and that its description has this word.
fn assert_reported(change: impl FnOnce(&mut Value), word: &str) {
    let mut turns = lines("turns.jsonl.gz", 4);
    change(&mut turns[2]);
    let tally = replay_lines(&turns).unwrap();
    assert_eq!((tally.steps, tally.mismatches), (4, 1), "{word}");
    let complaint = &tally.described[0];
    assert!(complaint.starts_with("lines:3: game 5 step 2: ") && complaint.contains(word), "{complaint}");
}

#[test]
fn a_wrong_verdict_is_reported() {
    assert_reported(
        |line| {
            let verdict = &mut line["actions"][0][0];
            *verdict = json!(if *verdict == "ok" { "illegal" } else { "ok" });
        },
        "action 0: trace ",
    );
}

#[test]
fn a_wrong_position_is_reported() {
    let changes: [(&str, Value); 4] = [
        ("/mid/boards/0/pending/0", json!(77)),
        ("/mid/boards/0/pieces/1", json!("a0 B rat dmg:1")),
        ("/mid/souls/1", json!(77)),
        ("/mid/boards/0/tileUsed", Value::Null),
    ];
    for (place, value) in changes {
        assert_reported(|line| *line.pointer_mut(place).unwrap() = value, "mid ");
    }
    let changes: [(&str, Value); 6] = [
        ("/after/turn", json!(77)),
        ("/after/winner", json!(1)),
        ("/after/queue/1/3", json!("spawn of nothing")),
        ("/after/boards/0/state", json!("Reset1")),
        ("/after/boards/0/cand/0", json!(["rat"])),
        ("/after/boards/0/hand/0", json!(["fester", "fester", "fester"])),
    ];
    for (place, value) in changes {
        assert_reported(|line| *line.pointer_mut(place).unwrap() = value, "after ");
    }
}

#[test]
fn a_turn_that_does_not_follow_from_the_one_before_is_reported() {
    assert_reported(|line| line["before"]["points"][0] = json!(77), "carried over");
}

#[test]
fn a_wrong_position_of_a_reach_file_is_reported() {
    for place in ["reach", "spawn"] {
        let mut positions = lines("positions.jsonl.gz", 30);
        let line = positions.iter_mut().find(|line| line[place] != json!({})).unwrap();
        let entry = line[place].as_object_mut().unwrap().values_mut().next().unwrap();
        let list = if place == "reach" { &mut entry["to"] } else { entry };
        list.as_array_mut().unwrap().push(json!("a0"));
        let tally = replay_lines(&positions).unwrap();
        assert_eq!((tally.steps, tally.mismatches), (30, 1));
        assert!(tally.described[0].contains(place), "{}", tally.described[0]);
    }
}

#[test]
fn a_line_that_is_no_json_is_named_with_its_own_number_and_its_column() {
    let turns: Vec<String> = lines("turns.jsonl.gz", 3).iter().map(Value::to_string).collect();
    let short = &turns[1][..turns[1].len() - 1];
    let typed = turns[1].replacen("\"step\":", "\"step\":\"x\",\"other\":", 1);
    for (bad, column, word) in [
        (short, short.len(), "EOF while parsing an object"),
        ("{\"game\" 5}", 9, "expected `:`"),
        (&typed, 0, "invalid type: string"),
    ] {
        let text = [&*turns[0], bad, &turns[2]].join("\n");
        let error = replay::reader(Box::new(BufReader::new(Cursor::new(text))), "lines").unwrap_err();
        let error = format!("{error:#}");
        let told =
            if column == 0 { "line 2: column ".to_owned() } else { format!("line 2: column {column}: ") };
        assert!(error.starts_with(&told) && error.contains(word) && !error.contains("line 1"), "{error}");
    }
}

#[test]
fn what_is_no_trace_is_refused_with_its_line() {
    for (place, value, word) in [
        ("/before/boards/0/pieces/0", json!("z9 Y rat"), "z9"),
        ("/cfg/maps/0", json!("Atlantis"), "Atlantis"),
        ("/actions/0", json!(["ok", "sing"]), "action 0"),
        ("/game", Value::Null, "neither"),
    ] {
        let mut turns = lines("turns.jsonl.gz", 3);
        *turns[1].pointer_mut(place).unwrap() = value;
        let error = format!("{:#}", replay_lines(&turns).unwrap_err());
        assert!(error.contains("line 2") && error.contains(word), "{error}");
    }
}
