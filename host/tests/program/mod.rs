//! Runs of the program for tests.

// Each test file uses some of it.
#![allow(dead_code)]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;

/// Runs the program with this on its standard input.
pub(crate) fn barrow(arguments: &[&str], input: &str) -> Output {
    with_input(Path::new("."), arguments, input)
}

/// Runs the program in a folder with this on its standard input.
pub(crate) fn with_input(folder: &Path, arguments: &[&str], input: &str) -> Output {
    let mut child = start(folder, arguments);
    // A program that reads nothing may have closed its end already.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

/// Runs the program in a folder, with nothing on its standard input.
pub(crate) fn barrow_in(folder: &Path, arguments: &[&str]) -> Output {
    let mut child = start(folder, arguments);
    drop(child.stdin.take());
    child.wait_with_output().unwrap()
}

/// Program that does not look at what the user of the machine has configured.
pub(crate) fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_barrow"));
    for variable in ["HASH", "THREADS", "NET", "MOVETIME", "RULESET", "COLOR"] {
        command.env_remove(format!("BARROW_{variable}"));
    }
    command.env("BARROW_CONFIG", "");
    command
}

/// Starts the program in a folder, with pipes.
pub(crate) fn start(folder: &Path, arguments: &[&str]) -> Child {
    program()
        .current_dir(folder)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Empty folder for a test.
pub(crate) fn empty_folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Output as text.
pub(crate) fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// The JSON object on the last line.
pub(crate) fn last_line(output: &Output) -> Value {
    serde_json::from_str(text(&output.stdout).lines().last().unwrap()).unwrap()
}

/// The JSON object on the last line of a run that was done.
pub(crate) fn done(output: &Output) -> Value {
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let last = text(&output.stdout).lines().last().unwrap_or_default();
    serde_json::from_str(last).unwrap_or(Value::Null)
}

/// Bad input: exit code 1 and one line that says what is wrong.
pub(crate) fn assert_refused(output: &Output, what: &str) {
    let complaint = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{complaint}");
    assert!(complaint.lines().count() == 1 && complaint.contains(what), "{complaint}");
}

/// Asserts that arguments were refused: exit code 2, and one line that says why.
pub(crate) fn assert_misused(output: &Output, what: &str) {
    let complaint = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{complaint}");
    assert!(complaint.lines().count() == 1 && complaint.contains(what), "{complaint}");
}

/// Turns and mismatches of files by `replay`.
pub(crate) fn replayed(folder: &Path, files: &[&str]) -> (u64, u64) {
    let output = barrow_in(folder, &[&["replay", "--json"], files].concat());
    let tally = last_line(&output);
    (tally["steps"].as_u64().unwrap(), tally["mismatches"].as_u64().unwrap())
}

/// Output of a run that was done, as text.
pub(crate) fn said(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    text(&output.stdout).to_owned()
}

/// Text of a file in a folder.
pub(crate) fn read(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).unwrap()
}

/// Sends a signal, by its name, to a process.
pub(crate) fn signal(child: &Child, name: &str) {
    assert!(Command::new("kill").args(["-s", name, &child.id().to_string()]).status().unwrap().success());
}

/// The most memory in MiB that a running process has had so far; 0 when it has ended.
pub(crate) fn peak_memory(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    kib.unwrap_or(0) >> 10
}
