//! Every command with good and with bad arguments: exit code, what stands on standard error, and that what `--json` prints
//! is what its schema says. A command that is added to the program without rows here fails the test, and so does one that
//! the README does not list.

#[path = "../program/mod.rs"]
mod program;
mod rows;
mod schema;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use rayon::prelude::*;
use serde_json::Value;

use program::{barrow_in, empty_folder, text, with_input};
use rows::{ROWS, Row};
use schema::assert_valid;

/// Words of a command line that has none in quotes.
fn words(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

/// Commands that do something themselves, with those above them, and whether they have `--json`.
fn commands() -> Vec<(String, bool)> {
    fn below(command: &clap::Command, name: &str, found: &mut Vec<(String, bool)>) {
        for child in command.get_subcommands() {
            let name = format!("{name} {}", child.get_name()).trim().to_owned();
            if child.has_subcommands() {
                below(child, &name, found);
            } else {
                found.push((name, child.get_arguments().any(|argument| argument.get_id() == "json")));
            }
        }
    }
    let mut found = Vec::new();
    below(&barrow::cli::definition(), "", &mut found);
    found
}

/// Folder with the files that rows name: a recorded match, games of self-play, positions, networks.
fn prepared(name: &str) -> PathBuf {
    let folder = empty_folder(name);
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    fs::copy(here.join("../nnue/nets/tiny.brw"), folder.join("tiny.brw")).unwrap();
    fs::write(folder.join("notes.txt"), "of a cat\n").unwrap();
    fs::write(folder.join("positions.fen"), format!("{}\n", rows::FEN)).unwrap();
    for (file, content) in
        [("wall.txt", rows::WALL), ("flight.txt", rows::FLIGHT), ("island.txt", rows::ISLAND)]
    {
        fs::write(folder.join(file), content).unwrap();
    }
    for line in [
        "match --a builtin:greedy --b builtin:random --games 2 --boards 1 --max-plies 6 --ruleset spooky --record games.mgn",
        "selfplay --games 18 --boards 1 --out games.jsonl",
        "train --profile tiny --data games.jsonl --epochs 1 --turns 16 --out net.brw --checkpoint net.float",
    ] {
        let output = barrow_in(&folder, &words(line));
        assert!(output.status.success(), "{line}: {}", text(&output.stderr));
    }
    folder
}

fn run(folder: &Path, row: &Row, arguments: &str, more: &[&str]) -> (Vec<String>, Output) {
    let line = [words(row.command), words(arguments), more.to_vec()].concat();
    let line: Vec<String> =
        line.iter().map(|word| word.replace("BARROW", env!("CARGO_BIN_EXE_barrow"))).collect();
    let borrowed: Vec<&str> = line.iter().map(String::as_str).collect();
    let output = with_input(folder, &borrowed, row.input);
    (line, output)
}

/// Checks the rows of one command in a folder of its own.
fn check(row: &Row, has_json: bool) {
    let folder = empty_folder(&format!("command-{}", row.command.replace(' ', "-")));
    for entry in fs::read_dir(Path::new(env!("CARGO_TARGET_TMPDIR")).join("command-line")).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, folder.join(path.file_name().unwrap())).unwrap();
    }
    for (arguments, says) in row.good {
        let (line, output) = run(&folder, row, arguments, &[]);
        let (said, complaint) = (text(&output.stdout), text(&output.stderr));
        assert_eq!((output.status.code(), complaint), (Some(0), ""), "{line:?}: {said}");
        assert!(said.contains(says), "{line:?}: {says} in {said}");
    }
    for (arguments, code, says) in row.bad {
        let (line, output) = run(&folder, row, arguments, &[]);
        let (said, complaint) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(output.status.code(), Some(*code), "{line:?}: {complaint}");
        assert!(complaint.contains(says), "{line:?}: {says} in {complaint}");
        if *code == 1 {
            let is_line = complaint.lines().count() == 1 && complaint.starts_with("barrow: ");
            assert!(is_line, "{line:?}: {complaint}");
            assert!(!said.contains('{'), "{line:?}: {said}");
        }
    }
    let described = barrow_in(&folder, &[&["schema"], &words(row.command)[..]].concat());
    assert_eq!(described.status.success(), has_json, "{}: {}", row.command, text(&described.stderr));
    assert_eq!(row.json.is_empty(), !has_json, "{}: rows for --json", row.command);
    for (arguments, code) in row.json {
        let schema: Value = serde_json::from_slice(&described.stdout).unwrap();
        let (line, output) = run(&folder, row, arguments, &["--json"]);
        assert_eq!(output.status.code(), Some(*code), "{line:?}: {}", text(&output.stderr));
        let said = text(&output.stdout);
        let report: Value =
            serde_json::from_str(said).unwrap_or_else(|error| panic!("{line:?}: {error}: {said}"));
        assert_eq!(said.lines().count(), 1, "{line:?}: {said}");
        assert_valid(&schema, &report, row.command);
    }
}

#[test]
fn every_command_keeps_what_is_promised_of_it() {
    let commands = commands();
    let named: BTreeSet<&str> = commands.iter().map(|(name, _)| name.as_str()).collect();
    let rows: BTreeSet<&str> = ROWS.iter().map(|row| row.command).collect();
    assert_eq!(named, rows, "commands and rows");
    prepared("command-line");
    let faulty = |row: &&Row| {
        let (_, has_json) = commands.iter().find(|(name, _)| name == row.command).unwrap();
        std::panic::catch_unwind(|| check(row, *has_json)).is_err()
    };
    let faulty: Vec<&str> = ROWS.par_iter().filter(faulty).map(|row| row.command).collect();
    assert!(faulty.is_empty(), "{faulty:?}; the reasons stand above");
}

#[test]
fn every_command_has_help_and_knows_no_other_arguments() {
    commands().par_iter().for_each(|(name, _)| {
        let with = |more: &[&str]| barrow_in(Path::new("."), &[&words(name)[..], more].concat());
        let help = with(&["--help"]);
        assert_eq!((help.status.code(), text(&help.stderr)), (Some(0), ""), "{name}");
        let said = text(&help.stdout);
        assert!(said.contains(&format!("Usage: barrow {name}")), "{said}");
        let unknown = with(&["--no-such-argument"]);
        assert_eq!((unknown.status.code(), text(&unknown.stdout)), (Some(2), ""), "{name}");
        let complaint = text(&unknown.stderr).lines().next().unwrap();
        assert!(complaint.starts_with("error: unexpected argument '--no-such-argument'"), "{complaint}");
    });
}

#[test]
fn the_readme_lists_every_command() {
    let readme = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md")).unwrap();
    let rows = readme.lines().filter_map(|line| line.strip_prefix("| `barrow ")?.split(" | ").next());
    let listed: BTreeSet<&str> = rows
        .flat_map(|cell| cell.split("`barrow "))
        .filter_map(|call| call.split([' ', '`']).next())
        .collect();
    let definition = barrow::cli::definition();
    let known: BTreeSet<&str> = definition.get_subcommands().map(clap::Command::get_name).collect();
    assert_eq!(listed, known);
}
