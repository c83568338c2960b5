//! How commands end early: after Ctrl-C, with what they have, and when nobody reads what they print.
#![cfg(target_os = "linux")]

mod program;

use std::fs;
use std::path::Path;
use std::process::{Child, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

use program::{assert_refused, barrow_in, done, empty_folder, program, signal, start, text, with_input};

/// Position in which the first board has more minimal attacks than can be counted.
const CROWD: &str = "10|12 0|0 ULLLLLLLLLLLLLLLLLLLLLLLL|LLLLLLLLLLLLLLLLLLLLLLLLL \
    n|I|i|||0/1ZZZZZZ3/1zzzzzz3/1ZZZZZZ3/1zzzzzz3/1ZZZZZZ3/1zzzzzz3/0/0/0 \
    n|I|i|||0/1Z1NZ5/2Z7/Z2Z6/1Z8/0/7zz1/6znz1/6zz2/0 0 2";

/// Waits until the program would notice Ctrl-C.
fn wait_for_handler(child: &Child) {
    let caught = |status: String| {
        let line = status.lines().find_map(|line| line.strip_prefix("SigCgt:"))?;
        u64::from_str_radix(line.trim(), 16).ok()
    };
    let status = format!("/proc/{}/status", child.id());
    while fs::read_to_string(&status).ok().and_then(caught).unwrap_or(0) & 0b10 == 0 {
        sleep(Duration::from_millis(5));
    }
}

/// Starts a command, interrupts it when the file exists, if one is named, and waits for its end.
fn interrupted(folder: &Path, arguments: &[&str], begun: Option<&str>) -> Output {
    let mut child = start(folder, arguments);
    drop(child.stdin.take());
    wait_for_handler(&child);
    while begun.is_some_and(|name| !folder.join(name).exists()) {
        assert!(child.try_wait().unwrap().is_none(), "{arguments:?} has ended");
        sleep(Duration::from_millis(5));
    }
    signal(&child, "INT");
    child.wait_with_output().unwrap()
}

#[test]
fn work_without_a_result_says_that_it_is_interrupted() {
    let folder = empty_folder("interrupted");
    fs::write(folder.join("positions.fen"), format!("{CROWD}\n")).unwrap();
    fs::write(folder.join("engine"), "echo umiok\ntouch asked\nexec sleep 1000\n").unwrap();
    for (command, begun) in [
        (&["attack", "positions.fen", "--rounds", "4000000000"][..], None),
        (&["perft", CROWD], None),
        (&["bench", "rules", "--movetime", "4000000000"], None),
        (&["bench", "eval", "--movetime", "4000000000"], None),
        (&["check", "cmd:sh engine"], Some("asked")),
    ] {
        let output = interrupted(&folder, command, begun);
        assert_refused(&output, "barrow: interrupted");
        assert_eq!(text(&output.stdout), "", "{command:?}");
    }
}

#[test]
fn an_arena_ends_with_the_races_that_were_run() {
    let folder = empty_folder("interrupted-arena");
    // The first program answers at random by way of the bot, the others never.
    let bot = format!(
        "if mkdir first; then exec {} roborally bot --player random; fi\ntouch asked\nexec sleep 1000\n",
        env!("CARGO_BIN_EXE_barrow")
    );
    fs::write(folder.join("bot"), bot).unwrap();
    let run =
        ["roborally", "arena", "--players", "cmd:sh bot", "random", "--games", "2", "--turn-limit", "3"];
    let output = {
        // On one thread one race follows the other.
        let mut command = program();
        command.current_dir(&folder).env("RAYON_NUM_THREADS", "1").args(run);
        command.args(["--course", "checkmate", "--json", "--record", "races.txt"]);
        let child =
            command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        while !folder.join("asked").exists() {
            sleep(Duration::from_millis(5));
        }
        signal(&child, "INT");
        child.wait_with_output().unwrap()
    };
    let report = done(&output);
    assert_eq!((&report["games"], &report["interrupted"]), (&1.into(), &true.into()), "{report}");
    assert_eq!(report["faults"].as_array().map(Vec::len), Some(0), "{report}");
    let replayed = done(&barrow_in(&folder, &["roborally", "replay", "races.txt", "--json"]));
    assert!(replayed["steps"].as_u64() > Some(3) && replayed["mismatches"] == 0, "{replayed}");
}

#[test]
fn an_arena_of_built_in_players_ends_between_two_turns() {
    let folder = empty_folder("interrupted-race");
    let player = "mc:playouts=2000,playout=random";
    // A race of as many turns as there are never ends in the time of a test.
    let run = ["roborally", "arena", "--players", player, player, "--games", "1", "--turn-limit", "65535"];
    let output = interrupted(&folder, &[&run[..], &["--lives", "200", "--json"]].concat(), None);
    let report = done(&output);
    assert_eq!((&report["games"], &report["interrupted"]), (&0.into(), &true.into()), "{report}");
}

#[test]
fn what_nobody_reads_is_no_fault() {
    let folder = empty_folder("unread");
    done(&barrow_in(&folder, &["selfplay", "--games", "2", "--boards", "1", "--out", "games.jsonl"]));
    for command in [
        &["convert", "games.jsonl"][..],
        &["kutulu", "bundle"],
        &["ice-and-fire", "bundle"],
        &["completions", "bash"],
        &["selfplay", "--games", "2", "--boards", "1", "--out", "-"],
        &["kutulu", "show"],
        &["schema"],
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output =
            program().current_dir(&folder).args(command).stdin(Stdio::null()).stdout(writer).output();
        let output = output.unwrap();
        assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""), "{command:?}");
    }
}

#[test]
fn what_goes_to_a_file_is_made_whoever_reads_the_text() {
    let folder = empty_folder("unread-text");
    let train = "train --profile tiny --games 20 --epochs 1 --out net.brw";
    for (command, file) in [(train, "net.brw"), ("show --svg boards.svg", "boards.svg")] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let words: Vec<&str> = command.split(' ').collect();
        let output = program().current_dir(&folder).args(words).stdin(Stdio::null()).stdout(writer).output();
        let output = output.unwrap();
        assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""), "{command}");
        assert!(folder.join(file).exists(), "{command}");
    }
}

#[test]
fn a_file_on_standard_output_stands_there_alone() {
    let folder = empty_folder("on-stdout");
    done(&barrow_in(&folder, &["selfplay", "--games", "2", "--boards", "1", "--out", "games.jsonl"]));
    for (command, first, last) in [
        ("show --svg -", "<svg", "</svg>\n"),
        ("calibrate --data games.jsonl --every 1 --csv -", "source,of,from,to,count,predicted,real\n", "\n"),
    ] {
        let words: Vec<&str> = command.split(' ').collect();
        let output = barrow_in(&folder, &words);
        let printed = text(&output.stdout);
        assert!(printed.starts_with(first) && printed.ends_with(last), "{command}: {printed}");
        let rows = printed.lines().filter(|line| line.contains("win chance"));
        assert!(rows.into_iter().all(|row| row.matches(',').count() == 6), "{command}: {printed}");
        assert!(!output.stderr.is_empty(), "{command}");
    }
}

#[test]
fn input_that_cannot_be_read_is_named() {
    let folder = empty_folder("unreadable");
    for command in [
        &["umi"][..],
        &["analysis"],
        &["play", "--plain"],
        &["kutulu", "bot"],
        &["ice-and-fire", "bot"],
        &["roborally", "bot"],
    ] {
        let stdin = Stdio::from(fs::File::open(&folder).unwrap());
        let output = program().args(command).stdin(stdin).output().unwrap();
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{command:?}: {said}");
        assert!(said.contains("Is a directory") && !said.contains("output"), "{command:?}: {said}");
    }
    let output = with_input(&folder, &["kutulu", "bot"], "garbage\n");
    assert_refused(&output, "barrow: stdin: line 1: expected the width");
}

#[test]
fn what_can_be_read_once_is_not_merged() {
    let folder = empty_folder("once");
    for (name, what) in [("-", "stdin"), ("/dev/stdin", "a pipe")] {
        let mut merge = start(&folder, &["merge", name, "--out", "games"]);
        drop(merge.stdin.take());
        let output = merge.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        let why = format!("{name}: files are read twice, which {what} cannot be");
        assert!(text(&output.stderr).contains(&why), "{}", text(&output.stderr));
    }
    assert!(!folder.join("games").exists());
}

#[test]
fn files_in_which_there_is_nothing_are_refused_and_replace_nothing() {
    let folder = empty_folder("nothing");
    fs::write(folder.join("empty"), "").unwrap();
    fs::write(folder.join("bytes"), [0xff, 0xfe, 0, b'\n', 0xff]).unwrap();
    fs::write(folder.join("games"), "what was here before\n").unwrap();
    for (command, why) in [
        (&["replay", "empty"][..], "empty: no turn and no position to replay"),
        (&["bench", "tactics", "--positions", "empty"], "empty: no position"),
        (
            &["merge", "--force", "--out", "games", "bytes"],
            "not UTF-8: no games, so that games is not written",
        ),
        (&["merge", "--force", "--out", "games", "empty"], "empty: no games, so that games is not written"),
    ] {
        let output = barrow_in(&folder, command);
        assert_eq!(output.status.code(), Some(1), "{command:?}");
        assert!(text(&output.stderr).trim_end().ends_with(why), "{command:?}: {}", text(&output.stderr));
    }
    assert_eq!(fs::read_to_string(folder.join("games")).unwrap(), "what was here before\n");
}
