//! The loop of learning by the command line: what it decides, and that it goes on wherever it was ended.

mod program;

use std::fs;
use std::path::{Path, PathBuf};

use program::{assert_misused, assert_refused, barrow_in, done, empty_folder, text};
use serde_json::Value;

/// A loop of the smallest settings in a folder, whose match is reproducible, with two strengths in Elo for its test and
/// the greatest number of its games.
fn learn<'a>(folder: &'a str, sprt: [&'a str; 2], games: &'a str) -> Vec<&'a str> {
    let learn = "learn --profile tiny --games 17 --boards 1 --nodes 3 --epochs 2 --turns 48 --gate nodes=2,hash=4 \
                 --keep 2 --json --sprt";
    let more = [sprt[0], sprt[1], "--max-gate-games", games, "--dir", folder];
    learn.split_whitespace().chain(more).collect()
}

/// Test that accepts every network after a few games.
const ACCEPTING: [&str; 2] = ["-900", "-700"];

/// Test that rejects every network after a few games.
const REJECTING: [&str; 2] = ["700", "900"];

fn json(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// History without the times.
fn history(folder: &Path) -> Vec<Value> {
    let mut history = json(&folder.join("loop/history.json")).as_array().unwrap().clone();
    for report in &mut history {
        report.as_object_mut().unwrap().remove("seconds").unwrap();
    }
    history
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn an_accepted_network_is_the_next_player_and_old_games_go() {
    let folder = empty_folder("learn-accepted");
    let learn = learn("loop", ACCEPTING, "40");
    let report = done(&barrow_in(&folder, &[&learn[..], &["--generations", "1"]].concat()));
    assert_eq!(
        (&report["generations"], &report["accepted"], &report["ended"]),
        (&1.into(), &1.into(), &"generations".into())
    );
    assert_eq!(report["player"], "loop/generation-0001/candidate.brw");
    // Settings are remembered.
    let more = ["learn", "--dir", "loop", "--generations", "3", "--json"];
    let report = done(&barrow_in(&folder, &more));
    assert_eq!(report["player"], "loop/generation-0003/candidate.brw");
    let history = history(&folder);
    let players: Vec<&str> = history.iter().map(|report| report["player"].as_str().unwrap()).collect();
    assert_eq!(players, ["start.brw", "generation-0001/candidate.brw", "generation-0002/candidate.brw"]);
    let learnt_from: Vec<u64> =
        history.iter().map(|report| report["lesson"]["games"].as_u64().unwrap()).collect();
    assert_eq!(learnt_from, [17, 34, 34]);
    let header = done(&barrow_in(&folder, &["net", "loop/generation-0003/candidate.brw", "--json"]));
    assert_eq!(header["sha256"], history[2]["lesson"]["sha256"]);
    assert!(header["provenance"].as_str().unwrap().starts_with("learn, generation 3 from "));
    assert!(!folder.join("loop/generation-0001").exists(), "two generations are kept");
    assert!(!folder.join("loop/generation-0003/training.checkpoint").exists());
    let page = fs::read_to_string(folder.join("loop/index.html")).unwrap();
    assert_eq!(page.matches("<svg").count(), 3);
    assert_eq!(page.matches("<tr class=\"accepted\">").count(), 3);
    assert_refused(
        &barrow_in(&folder, &[&more[..], &["--games", "20"]].concat()),
        "loop: was begun with --games 17, not 20",
    );
}

#[test]
fn a_rejected_network_does_not_become_the_player() {
    let folder = empty_folder("learn-rejected");
    let report =
        done(&barrow_in(&folder, &[&learn("loop", REJECTING, "40")[..], &["--generations", "2"]].concat()));
    assert_eq!((&report["accepted"], &report["player"]), (&0.into(), &"loop/start.brw".into()));
    for report in history(&folder) {
        assert_eq!((&report["verdict"], &report["player"]), (&"rejected".into(), &"start.brw".into()));
        assert!(report["gate"]["llr"].as_f64().unwrap() < -2.9, "{report}");
    }
    // A network that nothing is said of does not, either.
    let other = learn("other", ["-10", "10"], "2");
    let report = done(&barrow_in(&folder, &[&other[..], &["--generations", "1"]].concat()));
    assert_eq!((&report["accepted"], &report["player"]), (&0.into(), &"other/start.brw".into()));
    let undecided = json(&folder.join("other/history.json"));
    assert_eq!(undecided[0]["verdict"], "undecided");
}

#[test]
fn a_rate_that_leaves_all_bounds_is_refused_and_the_loop_can_be_read_again() {
    let folder = empty_folder("learn-diverged");
    let learn = learn("loop", ACCEPTING, "4");
    for _ in 0..2 {
        let output = barrow_in(&folder, &[&learn[..], &["--rate", "1e38", "--generations", "1"]].concat());
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.lines().last().unwrap().contains("are no numbers any more"), "{said}");
        let state = json(&folder.join("loop/state.json"));
        assert_eq!((&state["stage"], &state["lesson"]), (&"training".into(), &Value::Null));
    }
}

#[test]
fn settings_with_many_digits_are_the_same_in_the_next_call() {
    let folder = empty_folder("learn-digits");
    for chance in ["0.9452706955539224", "0.38120423768821243"] {
        let begin =
            ["learn", "--profile", "tiny", "--generations", "0", "--dir", chance, "--handicaps", chance];
        for _ in 0..3 {
            done(&barrow_in(&folder, &begin));
        }
    }
}

#[cfg(unix)]
#[test]
fn a_loop_that_is_killed_again_and_again_comes_to_the_same_networks() {
    use program::{signal, start};
    let (whole, killed) = (empty_folder("learn-whole"), empty_folder("learn-killed"));
    let learn = learn("loop", ["-200", "200"], "12");
    let learn = [&learn[..], &["--generations", "2"]].concat();
    let expected = done(&barrow_in(&whole, &learn));
    // Ended as soon as each of these is there, and then some times early.
    let moments = [
        "loop/generation-0001/games.jsonl.gz",
        "loop/generation-0001/training.checkpoint",
        "loop/generation-0001/candidate.brw",
        "loop/generation-0001/gate.json",
        "loop/generation-0002/training.checkpoint",
        "loop/generation-0002/gate.json",
    ];
    for (index, moment) in moments.into_iter().enumerate() {
        let mut child = start(&killed, &learn);
        while !killed.join(moment).exists() {
            assert!(child.try_wait().unwrap().is_none(), "ended before {moment}");
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        signal(&child, if index % 3 == 2 { "TERM" } else { "KILL" });
        child.wait().unwrap();
        assert!(killed.join("loop/state.json").exists());
    }
    let report = done(&barrow_in(&killed, &learn));
    assert_eq!((&report["player"], &report["accepted"]), (&expected["player"], &expected["accepted"]));
    assert_eq!(history(&killed), history(&whole));
    for generation in ["generation-0001", "generation-0002"] {
        let name = format!("loop/{generation}/candidate.brw");
        assert!(fs::read(killed.join(&name)).unwrap() == fs::read(whole.join(&name)).unwrap(), "{name}");
    }
    let names = |folder: &Path| -> Vec<PathBuf> {
        let folder = folder.join("loop");
        let all =
            [files(&folder), files(&folder.join("generation-0001")), files(&folder.join("generation-0002"))];
        all.concat().iter().map(|path| path.strip_prefix(&folder).unwrap().to_owned()).collect()
    };
    assert_eq!(names(&killed), names(&whole), "nothing is left behind");
}

#[cfg(unix)]
#[test]
fn a_folder_is_used_by_one_process_and_hours_end_it() {
    use program::{signal, start};
    let folder = empty_folder("learn-hours");
    // More games than a second can play.
    let learn =
        ["learn", "--dir", "loop", "--profile", "tiny", "--games", "100000", "--nodes", "3", "--boards", "1"];
    let child = start(&folder, &learn);
    while !folder.join("loop/generation-0001/games.jsonl.gz").exists() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    assert_refused(&barrow_in(&folder, &learn), "in use by another process");
    signal(&child, "INT");
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(0));
    let report = done(&barrow_in(&folder, &[&learn[..], &["--hours", "0.0001", "--json"]].concat()));
    assert_eq!((&report["ended"], &report["generations"]), (&"hours".into(), &0.into()));
    assert_misused(
        &barrow_in(&folder, &["learn", "--dir", "x", "--gate", "dance=on"]),
        "--gate: unknown setting dance",
    );
    assert!(!folder.join("x").exists());
    assert_refused(&barrow_in(&folder, &["learn", "--dir", "x", "--from", "missing"]), "missing");
    fs::create_dir(folder.join("page")).unwrap();
    fs::write(folder.join("page/index.html"), "mine").unwrap();
    let page = ["learn", "--dir", "page", "--generations", "0"];
    assert_refused(&barrow_in(&folder, &page), "page: holds something else");
    assert_eq!(files(&folder.join("page")), [folder.join("page/index.html")]);
}
