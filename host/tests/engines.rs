//! Engines of matches that misbehave: what is an error of the match, what a fault of the engine, and what becomes of
//! their processes.
#![cfg(unix)]

mod program;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use program::{assert_refused, barrow_in, done, empty_folder, signal, start, text};

/// Writes an engine in shell that runs these commands first, and those where a turn is due.
fn write_engine(folder: &Path, first: &str, turn: &str) {
    let script = format!(
        "#!/bin/sh\n{first}\nwhile read -r word rest; do case $word in umi) echo umiok;; isready) echo readyok;; \
         play) {turn};; quit) exit;; esac; done\n"
    );
    fs::write(folder.join("engine"), script).unwrap();
    fs::set_permissions(folder.join("engine"), PermissionsExt::from_mode(0o755)).unwrap();
}

const MATCH: [&str; 9] =
    ["match", "--a", "builtin:random", "--b", "cmd:./engine", "--threads", "1", "--json", "--games"];

/// Plays a match of two games against the engine.
fn play(folder: &Path, more: &[&str]) -> Output {
    play_games(folder, "2", more)
}

fn play_games(folder: &Path, games: &str, more: &[&str]) -> Output {
    barrow_in(folder, &[&MATCH[..], &[games], more].concat())
}

#[test]
fn an_engine_that_never_starts_is_an_error_of_the_match() {
    let folder = empty_folder("never-starts");
    assert_refused(&play(&folder, &[]), "player b does not start: ./engine: ");
    fs::write(folder.join("engine"), "no program").unwrap();
    assert_refused(&play(&folder, &[]), "player b does not start: ./engine: ");
    for (first, reason) in [
        ("exit 0", "no umiok: crash, the engine has ended"),
        ("exec 1>&-", "no umiok: crash, the engine has ended"),
        ("printf 'umi\\377ok\\n'", "no umiok: output that is not UTF-8"),
        ("cat /dev/zero", "no umiok: a line of more than 64 KiB"),
    ] {
        write_engine(&folder, first, ":");
        assert_refused(&play(&folder, &[]), &format!("player b does not start: ./engine: {reason}"));
    }
    write_engine(&folder, "exec sleep 1000", ":");
    assert_refused(
        &play(&folder, &["--startup", "200"]),
        "player b does not start: ./engine: no umiok within 200 ms",
    );
    for arena in [
        ["kutulu", "arena", "cmd:/no/such/bot", "wait"],
        ["ice-and-fire", "arena", "cmd:/no/such/bot", "wait"],
    ] {
        assert_refused(&barrow_in(&folder, &arena), "/no/such/bot: ");
    }
}

#[test]
fn what_was_played_is_printed_when_an_engine_does_not_start_again() {
    let folder = empty_folder("starts-twice");
    write_engine(&folder, "echo >> starts; [ $(wc -l < starts) -gt 2 ] && exit", "exit");
    let output = play_games(&folder, "4", &[]);
    assert_refused(&output, "player b does not start: ./engine: no umiok");
    let report = program::last_line(&output);
    assert_eq!((&report["games"], &report["wins"]), (&2.into(), &2.into()), "{report}");
}

#[test]
fn an_engine_that_overdraws_its_clock_loses() {
    let folder = empty_folder("overdrawn");
    write_engine(&folder, "", "sleep 1000");
    let report = done(&play(&folder, &["--clock", "0.2+9", "--margin", "100"]));
    assert_eq!((&report["wins"], &report["timeouts"]), (&2.into(), &2.into()), "{report}");
}

#[test]
fn faults_are_named_as_what_they_are() {
    let folder = empty_folder("faults");
    for (turn, fault) in [
        ("echo 'error: out of ideas'", "b after 1 turn: no turn, error: out of ideas"),
        ("echo turn; echo error: lost it", "b after 1 turn: no turn, error: lost it"),
        ("printf 'turn\\n\\377\\n'", "b after 1 turn: output that is not UTF-8"),
        ("cat /dev/zero", "b after 1 turn: a line of more than 64 KiB"),
        ("exit", "b after 1 turn: crash, the engine has ended"),
        ("sleep 1000", "b after 1 turn: no turn in time"),
    ] {
        write_engine(&folder, "", turn);
        // Without a time a turn may take a minute; only the silent engine is to use its time up.
        let time: &[&str] = if turn == "sleep 1000" { &["--movetime", "50", "--margin", "50"] } else { &[] };
        let report = done(&play(&folder, time));
        assert_eq!(report["first_fault"], fault, "{report}");
    }
}

/// Whether the process with this number runs. One that has ended and that nobody has waited for does not.
fn runs(process: &str) -> bool {
    match fs::read_to_string(format!("/proc/{process}/stat")) {
        Ok(stat) => !stat.contains(") Z "),
        Err(_) if Path::new("/proc/self/stat").exists() => false,
        Err(_) => {
            Command::new("kill").args(["-0", process]).stderr(Stdio::null()).status().unwrap().success()
        }
    }
}

/// Fails for a process that does not end, rather than waiting for it for good.
fn assert_ends(process: &str) {
    let ended = (0..3000).any(|_| {
        std::thread::sleep(Duration::from_millis(10));
        !runs(process)
    });
    assert!(ended, "process {process} goes on");
}

#[test]
fn an_engine_takes_its_children_along() {
    let folder = empty_folder("grandchildren");
    write_engine(&folder, "sleep 1000 > grandchild.out & echo $! >> grandchildren", "sleep 1000");
    done(&play(&folder, &["--movetime", "50", "--margin", "50"]));
    let grandchildren = fs::read_to_string(folder.join("grandchildren")).unwrap();
    assert_eq!(grandchildren.lines().count(), 2, "{grandchildren}");
    for process in grandchildren.lines() {
        // They are killed at once, but it is not this program that waits for them.
        assert_ends(process);
    }
}

#[test]
fn sigterm_ends_a_match_with_its_engines_while_they_think() {
    let folder = empty_folder("terminated-match");
    write_engine(&folder, "", "sleep 1000 & echo $! > thinker; wait");
    let child = start(&folder, &[&MATCH[..], &["2"]].concat());
    let thinker = loop {
        let text = fs::read_to_string(folder.join("thinker")).unwrap_or_default();
        if text.ends_with('\n') {
            break text.trim().to_owned();
        }
        std::thread::yield_now();
    };
    signal(&child, "TERM");
    let output = child.wait_with_output().unwrap();
    let report = done(&output);
    assert_eq!((&report["games"], &report["interrupted"]), (&0.into(), &true.into()), "{report}");
    assert_ends(&thinker);
}

#[test]
fn faults_of_contest_programs_are_named() {
    let folder = empty_folder("contest-programs");
    for (program, fault) in [
        ("cat /dev/zero", "a line of more than 64 KiB"),
        ("printf '\\377\\n'", "output that is not UTF-8"),
        ("exit", "the program has ended"),
    ] {
        let path = folder.join("bot");
        fs::write(&path, format!("#!/bin/sh\n{program}\n")).unwrap();
        fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
        let arena = |game| {
            let run = [game, "arena", "cmd:./bot", "wait", "--games", "2", "--threads", "1", "--json"];
            // Only what comes too late needs the time.
            let patience: &[&str] = if game == "kutulu" { &["--patience", "20000"] } else { &[] };
            done(&barrow_in(&folder, &[&run[..], patience].concat()))
        };
        let kutulu = arena("kutulu")["players"][0]["first_fault"].clone();
        assert!(kutulu.as_str().is_some_and(|found| found.ends_with(fault)), "{kutulu}");
        let ice = arena("ice-and-fire")["deeds"][0]["first_fault"].clone();
        assert!(ice.as_str().is_some_and(|found| found.ends_with(fault)), "{ice}");
    }
}

#[test]
fn an_engine_is_checked() {
    let folder = empty_folder("checked");
    let own = format!("cmd:\"{}\" umi --option Hash=4", env!("CARGO_BIN_EXE_barrow"));
    let terms = ["--positions", "4", "--movetime", "20", "--margin", "20000", "--ruleset", "mixed", "--json"];
    let report = done(&barrow_in(&folder, &[&["check", &own], &terms[..]].concat()));
    assert_eq!(report["passed"], true, "{report}");
    assert_eq!(report["checks"].as_array().unwrap().len(), 6);

    write_engine(&folder, "", "echo turn; echo action dance; echo endturn");
    let output =
        barrow_in(&folder, &["check", "cmd:./engine", "--positions", "2", "--movetime", "20", "--json"]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let passed: Vec<bool> =
        report["checks"].as_array().unwrap().iter().filter_map(|check| check["passed"].as_bool()).collect();
    assert_eq!(
        (output.status.code(), &passed[..]),
        (Some(1), &[true, true, false, false, false, true][..]),
        "{report}"
    );

    write_engine(&folder, "", "echo turn; echo action tech 1; echo endturn winner Blue");
    let output = barrow_in(&folder, &["check", "cmd:./engine", "--positions", "1"]);
    let said = text(&output.stdout);
    assert!(said.contains("position 0: endturn with winner Blue where there is no winner"), "{said}");

    assert_refused(&barrow_in(&folder, &["check", "cmd:./no-such-engine"]), "no-such-engine");
}
