//! The commands as a user meets them: output, JSON on the last line, exit codes.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn barrow(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_barrow"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that reads nothing may have closed its end already.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

fn last_line(output: &Output) -> Value {
    serde_json::from_str(text(&output.stdout).lines().last().unwrap()).unwrap()
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

/// Bad input: exit code 1 and one line that says what is wrong.
fn assert_refused(output: &Output, what: &str) {
    assert_eq!(output.status.code(), Some(1));
    let complaint = text(&output.stderr);
    assert!(complaint.lines().count() == 1 && complaint.contains(what), "{complaint}");
}

#[test]
fn analyze_needs_no_arguments() {
    let output = barrow(&["analyze", "--nodes", "2", "--json"], "");
    assert_eq!(output.status.code(), Some(0));
    let report = last_line(&output);
    assert_eq!(
        keys(&report),
        ["boards", "candidates", "confidence", "fen", "nodes", "seconds", "turn", "value"]
    );
    let turn = report["turn"].as_array().unwrap();
    assert_eq!((turn[0].as_str(), turn[turn.len() - 1].as_str()), (Some("turn"), Some("endturn")));
    assert!(text(&output.stdout).starts_with("Turn 1, Yellow to move\n"));
}

#[test]
fn show_reads_what_it_writes() {
    let first = barrow(&["show", "--json"], "");
    let fen = last_line(&first)["fen"].as_str().unwrap().to_owned();
    let second = barrow(&["show", "--json", "-"], &fen);
    assert_eq!(text(&first.stdout), text(&second.stdout));
    let words: Vec<&str> = ["show", "--json"].into_iter().chain(fen.split(' ')).collect();
    assert_eq!(text(&first.stdout), text(&barrow(&words, "").stdout));
}

#[test]
fn bad_input_and_bad_usage_are_told_apart() {
    assert_refused(&barrow(&["show", "1|1 0|0 nonsense"], ""), "column 9");
    assert_refused(&barrow(&["replay", "no such file"], ""), "no such file");
    assert_refused(&barrow(&["replay", "-"], "{}\n"), "line 1");
    assert_eq!(barrow(&["dance"], "").status.code(), Some(2));
    assert_eq!(barrow(&["bench", "--nodes", "0"], "").status.code(), Some(2));
    assert_eq!(barrow(&["--help"], "").status.code(), Some(0));
}

#[test]
fn on_a_pipe_it_speaks_umi() {
    let output = barrow(&[], "umi\ndisplay\nquit\n");
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stdout).contains("\numiok\n") && text(&output.stdout).contains("Yellow to move"));
}

#[test]
fn bench_prints_its_keys() {
    let output = barrow(&["bench", "--nodes", "4", "--json"], "");
    assert_eq!(keys(&last_line(&output)), ["nodes", "nps", "seconds", "signature", "threads"]);
}

#[test]
fn replay_counts_what_comes_through_a_pipe() {
    let output = barrow(&["replay", "--json", "-"], "");
    assert_eq!(text(&output.stdout), "{\"files\":1,\"steps\":0,\"mismatches\":0}\n");
}
