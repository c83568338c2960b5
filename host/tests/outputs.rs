//! Files that commands write: nothing is worked on that cannot be written, and nothing that was written is lost.

mod program;

use std::fs;
use std::path::Path;

use program::{
    assert_misused, assert_refused, barrow_in, done, empty_folder, signal, start, text, with_input,
};
use serde_json::Value;

/// Lines of a file of game records, compressed or not.
fn lines(path: &Path) -> Vec<String> {
    let mut lines = barrow::io::open(path.to_str().unwrap()).unwrap();
    let mut found = Vec::new();
    while let Some(line) = lines.next_json_line().unwrap() {
        found.push(line.to_owned());
    }
    found
}

#[test]
fn what_cannot_be_written_is_refused_before_any_work() {
    let folder = empty_folder("unwritable");
    fs::write(folder.join("data"), "not a game").unwrap();
    // Work on these inputs would fail with other words.
    for command in [
        &["train", "--data", "data", "--out", "no/such/folder/x"][..],
        &["train", "--data", "data", "--out", "x", "--checkpoint", "no/such/folder/x"],
        &["selfplay", "--games", "4000000000", "--out", "no/such/folder/x"],
    ] {
        assert_refused(&barrow_in(&folder, command), "barrow: no/such/folder/x: ");
    }
    for game in ["kutulu", "ice-and-fire"] {
        assert_refused(
            &barrow_in(&folder, &[game, "bundle", "--out", "no/such/folder/x"]),
            "no/such/folder/x",
        );
    }
    assert_misused(
        &barrow_in(&folder, &["train", "--data", "data", "--out", "x", "--checkpoint", "x"]),
        "--checkpoint",
    );
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "nothing stays behind");
}

#[test]
fn an_existing_output_is_replaced_by_force_only() {
    let folder = empty_folder("existing");
    let commands: [&[&str]; 4] = [
        &["selfplay", "--games", "2", "--out", "out"],
        &["kutulu", "bundle", "--out", "out"],
        &["ice-and-fire", "bundle", "--out", "out"],
        &["train", "--games", "17", "--epochs", "1", "--profile", "tiny", "--out", "out"],
    ];
    for command in commands {
        fs::write(folder.join("out"), "precious").unwrap();
        assert_refused(&barrow_in(&folder, command), "out: exists already; ");
        assert_eq!(fs::read(folder.join("out")).unwrap(), b"precious", "{command:?}");
        done(&barrow_in(&folder, &[command, &["--force"]].concat()));
        assert!(fs::read(folder.join("out")).unwrap().len() > 100, "{command:?}");
    }
    // A run that fails leaves the file that it was to replace.
    fs::write(folder.join("out"), "precious").unwrap();
    fs::write(folder.join("data"), "not a game").unwrap();
    assert_refused(&barrow_in(&folder, &["train", "--data", "data", "--out", "out", "--force"]), "line 1");
    assert_eq!(fs::read(folder.join("out")).unwrap(), b"precious");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 2, "nothing stays behind");
}

#[test]
fn work_that_cannot_begin_leaves_the_files_that_it_was_to_replace() {
    let folder = empty_folder("not-begun");
    let play = "match --a builtin:greedy --b builtin:random --games 2 --boards 1 --results old";
    let commands = [
        format!("{play} --record no/such/x.mgn"),
        format!("{play} --record old.mgn/x/"),
        "match --a cmd:/nonexistent --b builtin:random --games 2 --results old --record old.mgn".to_owned(),
        "match --a builtin:random --b cmd:/nonexistent --games 2 --results old --record old.mgn".to_owned(),
        "selfplay --games 3 --boards 1 --out old --mgn no/such/x".to_owned(),
        "selfplay --games 3 --boards 1 --out old --mgn old.mgn --player cmd:/nonexistent".to_owned(),
        "ice-and-fire tune --player full,x1=8 --tune x1=2..16 --against cmd:/nonexistent --results old"
            .to_owned(),
    ];
    for (number, command) in commands.iter().enumerate() {
        let words: Vec<&str> = command.split(' ').collect();
        for name in ["old", "old.mgn"] {
            fs::write(folder.join(name), "precious").unwrap();
        }
        let output = barrow_in(&folder, &[&words[..], &["--force"]].concat());
        assert_eq!(output.status.code(), Some(1), "{command}: {}", text(&output.stderr));
        for name in ["old", "old.mgn"] {
            assert_eq!(fs::read(folder.join(name)).unwrap(), b"precious", "{command}: {name}");
            if number > 1 {
                fs::remove_file(folder.join(name)).unwrap();
            }
        }
        if number > 1 {
            // Nor does it leave files that hold nothing.
            assert!(!barrow_in(&folder, &words).status.success());
            assert_eq!(fs::read_dir(&folder).unwrap().count(), 0, "{command}");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_written_to_its_end_is_called_by_its_name() {
    let folder = empty_folder("full");
    // A limit of the size of files fails as a full disk does. A network takes its room before games are played for it.
    for words in ["kutulu bundle", "train --profile tiny --games 3"] {
        let program = env!("CARGO_BIN_EXE_barrow");
        let command = format!("trap '' XFSZ; ulimit -f 1; exec {program} {words} --out out");
        let output =
            std::process::Command::new("sh").args(["-c", &command]).current_dir(&folder).output().unwrap();
        assert_refused(&output, "barrow: out: ");
        assert!(!text(&output.stderr).contains(".part"), "{}", text(&output.stderr));
        assert_eq!(text(&output.stdout), "", "{words}");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0, "nothing stays behind");
    }
}

/// Starts self-play without a foreseeable end and waits until the file holds a block.
#[cfg(unix)]
fn start_selfplay(folder: &Path, name: &str) -> std::process::Child {
    let arguments = ["selfplay", "--games", "4000000000", "--seed", "5", "--out", name, "--json"];
    let mut child = start(folder, &arguments);
    let path = folder.join(name);
    while !path.exists() || lines(&path).len() < 64 {
        assert!(child.try_wait().unwrap().is_none(), "self-play has ended");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    child
}

/// Goes on with a file up to some games more than it has, and compares it to a run in one piece.
#[cfg(unix)]
fn assert_goes_on(folder: &Path, name: &str) {
    let games = (lines(&folder.join(name)).len() + 3).to_string();
    let run = ["selfplay", "--games", &games, "--seed", "5", "--json", "--out"];
    let resumed = done(&barrow_in(folder, &[&run[..], &[name, "--resume"]].concat()));
    let whole = done(&barrow_in(folder, &[&run[..], &["whole"]].concat()));
    assert_eq!(resumed, whole);
    assert_eq!(lines(&folder.join(name)), lines(&folder.join("whole")));
    fs::remove_file(folder.join("whole")).unwrap();
}

#[cfg(unix)]
#[test]
fn self_play_that_is_killed_loses_the_last_block_at_most_and_is_gone_on_with() {
    let folder = empty_folder("killed");
    for name in ["games", "games.gz"] {
        let mut child = start_selfplay(&folder, name);
        signal(&child, "KILL");
        child.wait().unwrap();
        let found = lines(&folder.join(name));
        assert!(found.len() >= 64 && found.iter().all(|line| line.ends_with('}')), "{} games", found.len());
        assert_goes_on(&folder, name);
    }
}

#[cfg(unix)]
#[test]
fn self_play_ends_on_sigterm_with_the_games_so_far() {
    let folder = empty_folder("terminated");
    let child = start_selfplay(&folder, "games.gz");
    signal(&child, "TERM");
    let output = child.wait_with_output().unwrap();
    let report = done(&output);
    assert_eq!(report["interrupted"], true);
    assert_eq!(report["games"].as_u64(), Some(lines(&folder.join("games.gz")).len() as u64));
    let said = text(&output.stderr);
    assert!(said.lines().count() == 1 && said.ends_with(", interrupted\n"), "{said}");
    assert_goes_on(&folder, "games.gz");
}

#[test]
fn what_does_not_belong_to_the_run_is_not_gone_on_with() {
    let folder = empty_folder("foreign");
    let run = ["selfplay", "--games", "3", "--out", "games", "--resume"];
    done(&barrow_in(&folder, &[&run[..], &["--seed", "5"]].concat()));
    let games = fs::read(folder.join("games")).unwrap();
    assert_refused(
        &barrow_in(&folder, &[&run[..], &["--seed", "6"]].concat()),
        "games: line 1 is no game of --seed 6",
    );
    let fewer = ["selfplay", "--games", "2", "--out", "games", "--resume", "--seed", "5"];
    assert_refused(&barrow_in(&folder, &fewer), "holds 3 games");
    assert_eq!(fs::read(folder.join("games")).unwrap(), games);
    fs::write(folder.join("games"), "a diary\n").unwrap();
    assert_refused(&barrow_in(&folder, &run), "games: line 1");
    assert_eq!(fs::read(folder.join("games")).unwrap(), b"a diary\n");
}

#[test]
fn a_file_with_a_cut_end_is_read_up_to_the_cut_with_a_warning() {
    let folder = empty_folder("cut");
    done(&barrow_in(&folder, &["selfplay", "--games", "70", "--out", "games.gz"]));
    let whole = fs::read(folder.join("games.gz")).unwrap();
    fs::write(folder.join("games.gz"), &whole[..whole.len() - 100]).unwrap();
    let train =
        ["train", "--profile", "tiny", "--data", "games.gz", "--epochs", "1", "--out", "net", "--json"];
    let output = barrow_in(&folder, &train);
    let games = done(&output)["games"].as_u64().unwrap();
    assert!((64..70).contains(&games), "{games}");
    let warning = format!("barrow: warning: games.gz: the end is cut off; read up to line {games}\n");
    assert!(text(&output.stderr).contains(&warning), "{}", text(&output.stderr));

    let traces = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/turns.jsonl.gz");
    let whole = fs::read(traces).unwrap();
    fs::write(folder.join("cut.gz"), &whole[..whole.len() / 2]).unwrap();
    // A file that is not compressed, too.
    done(&barrow_in(&folder, &["selfplay", "--games", "20", "--out", "games"]));
    let whole = fs::read(folder.join("games")).unwrap();
    fs::write(folder.join("games"), &whole[..whole.len() - 100]).unwrap();
    let train = ["train", "--profile", "tiny", "--data", "games", "--epochs", "1", "--out", "net", "--force"];
    let output = barrow_in(&folder, &[&train[..], &["--json"]].concat());
    assert_eq!(done(&output)["games"], 19);
    let warning = "barrow: warning: games: the end is cut off; read up to line 19\n";
    assert!(text(&output.stderr).contains(warning), "{}", text(&output.stderr));
    let output = barrow_in(&folder, &["replay", "cut.gz", "--json"]);
    let report = done(&output);
    assert!(report["steps"].as_u64().unwrap() > 0 && report["mismatches"] == 0, "{report}");
    assert!(text(&output.stderr).contains("the end is cut off"), "{}", text(&output.stderr));
}

#[cfg(unix)]
#[test]
fn training_that_is_killed_leaves_its_last_checkpoint() {
    use std::io::{BufRead, BufReader};
    let folder = empty_folder("killed-training");
    let train = ["train", "--profile", "tiny", "--games", "17", "--epochs", "10000", "--out", "net"];
    let mut child = start(&folder, &[&train[..], &["--checkpoint", "net.float"]].concat());
    let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
    while !output.next().unwrap().unwrap().starts_with("epoch 1:") {}
    signal(&child, "KILL");
    child.wait().unwrap();
    assert!(!folder.join("net").exists());
    assert_eq!(done(&barrow_in(&folder, &["quantize", "net.float", "--out", "net"])), Value::Null);
    assert_eq!(done(&barrow_in(&folder, &["net", "net", "--json"]))["profile"], "tiny");
    assert_refused(&barrow_in(&folder, &["quantize", "net.float", "--out", "net"]), "net: exists already; ");
}

#[test]
fn text_is_compressed_where_the_name_of_its_file_says_so() {
    let folder = empty_folder("compressed");
    let play =
        "match --a builtin:greedy --b builtin:random --games 2 --boards 1 --max-plies 4 --record games.mgn";
    let play: Vec<&str> = play.split(' ').collect();
    done(&barrow_in(&folder, &play));
    let review = "analyze --game games.mgn --number 1 --nodes 1 --hash 4 --annotated review.mgn.gz --svg curve.svg.gz --json";
    done(&barrow_in(&folder, &review.split(' ').collect::<Vec<_>>()));
    done(&barrow_in(
        &folder,
        &["kutulu", "arena", "wait", "wait", "wait", "wait", "--games", "2", "--record", "k.txt.gz"],
    ));
    done(&barrow_in(
        &folder,
        &["ice-and-fire", "arena", "wait", "random", "--games", "2", "--record", "i.txt.gz"],
    ));
    done(&barrow_in(&folder, &["kutulu", "bundle", "--out", "bot.rs.gz"]));
    done(&with_input(&folder, &["play", "--plain"], "save saved.mgn.gz\nquit\n"));
    for name in ["review.mgn.gz", "curve.svg.gz", "k.txt.gz", "i.txt.gz", "bot.rs.gz", "saved.mgn.gz"] {
        assert!(fs::read(folder.join(name)).unwrap().starts_with(&[0x1f, 0x8b]), "{name}");
        assert!(!barrow::io::read_text(folder.join(name).to_str().unwrap()).unwrap().is_empty(), "{name}");
    }
    let replays: [&[&str]; 4] = [
        &["replay", "review.mgn.gz"],
        &["kutulu", "replay", "k.txt.gz"],
        &["ice-and-fire", "replay", "i.txt.gz"],
        &["convert", "saved.mgn.gz"],
    ];
    for words in replays {
        done(&barrow_in(&folder, words));
    }
}
