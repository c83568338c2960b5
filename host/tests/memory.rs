//! Memory stays bounded whatever comes in: through standard input, from files, and from child processes.
#![cfg(target_os = "linux")]

mod program;

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Output, Stdio};
use std::thread;

use program::{assert_refused, empty_folder, last_line, peak_memory, start, text};

/// Most memory in MiB that a run may take: a few times what it takes without any hostile input.
const BOUND: u64 = 200;

/// Waits for the end of a run with its output. Kills it, and fails, when it takes more memory than it may.
fn within_bound(mut child: Child) -> Output {
    drop(child.stdin.take());
    let process = child.id();
    let watch = thread::spawn(move || child.wait_with_output().unwrap());
    let mut most = 0;
    while !watch.is_finished() {
        most = most.max(peak_memory(process));
        if most > BOUND {
            let _ = std::process::Command::new("kill").args(["-9", &process.to_string()]).status();
            break;
        }
        thread::yield_now();
    }
    let output = watch.join().unwrap();
    assert!(most <= BOUND, "{most} MiB");
    output
}

/// A UMI engine in shell, with these commands where a turn is due.
fn engine(name: &str, turn: &str) -> (PathBuf, String) {
    let folder = empty_folder(name);
    let path = folder.join("engine");
    let script = format!(
        "#!/bin/sh\nwhile read -r word rest; do case $word in umi) echo umiok;; isready) echo readyok;; \
         play) {turn};; quit) exit;; esac; done\n"
    );
    std::fs::write(&path, script).unwrap();
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
    (folder, format!("cmd:{}", path.display()))
}

/// Position on whose board there are more minimal attacks than are counted.
const CROWD: &str = "10|12 0|0 ULLLLLLLLLLLLLLLLLLLLLLLL|LLLLLLLLLLLLLLLLLLLLLLLLL \
    n|I|i|||0/1ZZZZZZ3/1zzzzzz3/1ZZZZZZ3/1zzzzzz3/1ZZZZZZ3/1zzzzzz3/0/0/0 \
    n|I|i|||0/1Z1NZ5/2Z7/Z2Z6/1Z8/0/7zz1/6znz1/6zz2/0 0 2";

/// Output of a search of so many nodes on so many threads within so many KiB of address space.
fn search_within(limit: u64, threads: u32, nodes: u32) -> Output {
    let mut child = std::process::Command::new("sh")
        .args(["-c", &format!("ulimit -v {limit}; exec \"$0\" umi"), env!("CARGO_BIN_EXE_barrow")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = format!(
        "setoption name Hash value 4096\nsetoption name Threads value {threads}\ngo nodes {nodes} movetime 60000\n"
    );
    // A program for which there is no memory at all does not read.
    let _ = child.stdin.take().unwrap().write_all(lines.as_bytes());
    child.wait_with_output().unwrap()
}

fn plays(output: &Output) -> bool {
    output.status.success() && text(&output.stdout).ends_with("\nendturn\n")
}

#[test]
fn fewer_threads_search_where_there_is_no_memory_for_all() {
    // From what one thread with the tree's first 64 MiB needs to what all 256 take.
    for limit in [512, 1024, 1536, 2048] {
        let output = search_within(limit << 10, 256, 300);
        assert!(plays(&output), "{limit}: {}", text(&output.stderr));
    }
}

#[test]
fn a_search_goes_on_where_there_is_no_memory_to_grow_into() {
    // A program that is built to watch its memory takes more than any limit.
    let limits = (48..512).step_by(8).map(|mib| mib << 10);
    let enough = limits.skip_while(|&limit| !plays(&search_within(limit, 1, 100)));
    // The least that a short search takes may lack the few hundred KiB that the turns of a long one take in a list.
    for limit in enough.skip(1).take(2) {
        let long = search_within(limit, 1, 12_000);
        assert!(plays(&long), "{limit}: {}", text(&long.stderr));
        assert!(text(&long.stdout).contains(" nodes 12000 "), "{limit}: {}", text(&long.stdout));
    }
}

#[test]
fn lines_wait_in_the_pipe_while_the_session_is_busy() {
    let mut child = start(Path::new("."), &["umi"]);
    let mut input = child.stdin.take().unwrap();
    let writer = thread::spawn(move || {
        // The lines come while the session is busy with the first commands and can take none of them.
        input.write_all(format!("position fen {CROWD}\nperft\n").as_bytes()).unwrap();
        let newlines = vec![b'\n'; 1 << 20];
        (0..16).for_each(|_| input.write_all(&newlines).unwrap());
        input.write_all(b"isready\n").unwrap();
        input
    });
    let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
    while output.next().unwrap().unwrap() != "readyok" {
        assert!(peak_memory(child.id()) <= BOUND);
    }
    let most = peak_memory(child.id());
    assert!(0 < most && most <= BOUND, "{most} MiB");
    drop(writer.join().unwrap());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn commands_that_wait_for_a_search_are_bounded_and_stop_passes_them() {
    let mut child = start(Path::new("."), &["umi"]);
    let mut input = child.stdin.take().unwrap();
    let writer = thread::spawn(move || {
        // A tree that is small beside the bound, however far the search comes.
        input.write_all(b"setoption name Hash value 16\ngo infinite\n").unwrap();
        let mut line = vec![b'x'; 1 << 20];
        line[(1 << 20) - 1] = b'\n';
        (0..400).for_each(|_| input.write_all(&line).unwrap());
        input.write_all(b"stop\nisready\n").unwrap();
    });
    let output = within_bound_of(&mut child);
    writer.join().unwrap();
    let refused =
        output.iter().filter(|line| *line == "error: too many commands wait for the end of the search");
    assert!(refused.count() >= 390);
    assert!(output.iter().any(|line| line == "endturn"), "the search was stopped");
}

/// Lines of a session up to its end. Fails when it takes more memory than it may.
fn within_bound_of(child: &mut Child) -> Vec<String> {
    let mut lines = Vec::new();
    for line in BufReader::new(child.stdout.take().unwrap()).lines() {
        lines.push(line.unwrap());
        assert!(peak_memory(child.id()) <= BOUND, "{} lines", lines.len());
    }
    assert_eq!(child.wait().unwrap().code(), Some(0));
    lines
}

#[test]
fn an_engine_that_prints_no_line_end_is_stopped_at_once() {
    let (folder, spec) = engine("endless-line", "cat /dev/zero");
    let arguments =
        ["match", "--a", &spec, "--b", "builtin:random", "--games", "2", "--movetime", "4000", "--json"];
    let output = within_bound(start(&folder, &arguments));
    assert_eq!(last_line(&output)["faults"][0]["illegal"], 2, "{}", text(&output.stdout));
}

#[test]
fn an_engine_that_prints_without_end_runs_out_of_time() {
    let (folder, spec) = engine("endless-lines", "yes info string nothing");
    let arguments = [
        "match",
        "--a",
        &spec,
        "--b",
        "builtin:random",
        "--games",
        "2",
        "--movetime",
        "1500",
        "--margin",
        "0",
        "--json",
    ];
    let output = within_bound(start(&folder, &arguments));
    assert_eq!(last_line(&output)["timeouts"], 2, "{}", text(&output.stdout));
}

#[test]
fn endless_files_are_refused() {
    let folder = empty_folder("endless");
    for arguments in [
        &["net", "/dev/zero"][..],
        &["quantize", "/dev/zero", "--out", "x"],
        &["train", "--from", "/dev/zero", "--out", "x"],
        &["train", "--data", "/dev/zero", "--out", "x"],
        &["selfplay", "--resume", "--out", "/dev/zero"],
        &["replay", "/dev/zero"],
        &["attack", "/dev/zero"],
        &["kutulu", "replay", "/dev/zero"],
        &["ice-and-fire", "show", "/dev/zero"],
        &["roborally", "show", "/dev/zero"],
    ] {
        assert_refused(&within_bound(start(&folder, arguments)), "/dev/zero: ");
    }
    for arguments in [&["show", "-"][..], &["analyze", "-"], &["replay", "-"], &["kutulu", "replay", "-"]] {
        let child = program::program()
            .args(arguments)
            .stdin(File::open("/dev/zero").unwrap())
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        assert_refused(&within_bound(child), "4 MiB");
    }
}

#[test]
fn messages_repeat_a_little_of_the_input() {
    let folder = empty_folder("long-messages");
    let long = "x".repeat(10 << 20);
    std::fs::write(folder.join("long"), &long).unwrap();
    std::fs::write(folder.join("json"), format!("{{\"game\":\"{long}\"}}\n")).unwrap();
    std::fs::write(folder.join("trace"), format!("{{\"cfg\":{{\"rules\":\"{long}\"}}}}\n")).unwrap();
    for arguments in [
        &["replay", "json"][..],
        &["replay", "trace"],
        &["attack", "long"],
        &["train", "--data", "json", "--out", "x"],
        &["roborally", "show", "long"],
        &["roborally", "replay", "long"],
        &["kutulu", "replay", "long"],
        &["ice-and-fire", "replay", "long"],
    ] {
        let output = within_bound(start(&folder, arguments));
        let complaint = text(&output.stderr);
        assert!(
            complaint.lines().count() == 1 && complaint.len() < 500,
            "{arguments:?}: {} bytes",
            complaint.len()
        );
    }
    for game in [&["umi"][..], &["play"], &["roborally", "bot"], &["kutulu", "bot"], &["ice-and-fire", "bot"]]
    {
        let mut child = start(&folder, game);
        let mut input = child.stdin.take().unwrap();
        // A word each, so that what names the word is long and what names the line is.
        let text = format!(
            "{}\nposition fen {}\nsetoption name {} value 1\n",
            &long[..50_000],
            &long[..50_000],
            &long[..50_000]
        );
        let writer = thread::spawn(move || input.write_all(text.as_bytes()));
        let mut said = String::new();
        child.stdout.take().unwrap().read_to_string(&mut said).unwrap();
        child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        let _ = writer.join().unwrap();
        child.wait().unwrap();
        let mut errors = said
            .lines()
            .filter(|line| line.starts_with("error: ") || line.starts_with("barrow: "))
            .peekable();
        assert!(errors.peek().is_some(), "{game:?}: {said}");
        assert!(errors.all(|line| line.len() < 500), "{game:?}: {} bytes", said.len());
    }
}
