//! Recorded games with arguments that contradict them, and with damage in front of other games.

mod program;

use std::fs;
use std::path::Path;

use program::{
    assert_misused, assert_refused, barrow, barrow_in, done, empty_folder, program, read, replayed, said,
    text,
};
use serde_json::Value;

/// Records two games of one board under Spooky's rules.
fn record(folder: &Path) {
    let play =
        "match --a builtin:greedy --b builtin:random --games 2 --boards 1 --max-plies 8 --ruleset spooky";
    let play: Vec<&str> = play.split(' ').chain(["--record", "games.mgn"]).collect();
    said(&barrow_in(folder, &play));
    // Not at once, but one after the other.
    said(&barrow_in(folder, &["convert", "games.mgn", "--out", "games.mgn", "--force"]));
}

#[test]
fn arguments_that_contradict_a_recorded_game_are_refused() {
    let folder = empty_folder("contradicted");
    record(&folder);
    said(&barrow_in(&folder, &["convert", "games.mgn", "--number", "1", "--out", "one.mgn"]));
    let tag = |name: &str| {
        let game = read(&folder, "one.mgn");
        let line = game.lines().find_map(|line| line.strip_prefix(&format!("[{name} \""))).unwrap();
        line.strip_suffix("\"]").unwrap().to_owned()
    };
    let config = tag("Config");
    let shown =
        |more: &[&str]| barrow_in(&folder, &[&["show", "--game", "one.mgn", "--turn", "0"], more].concat());
    let plain = said(&shown(&[]));
    assert_eq!(said(&shown(&["--config", &config, "--ruleset", "spooky"])), plain);
    let map = config.split(' ').nth(1).unwrap();
    let other = &config.replace(map, if map == "AllLand" { "MidnightLake" } else { "AllLand" });
    let named = format!("--config: one.mgn is a game of another one: {config}");
    assert_misused(&shown(&["--config", other]), &named);
    let ruled = "--ruleset: one.mgn is a game under the ruleset spooky";
    assert_misused(&shown(&["--ruleset", "server"]), ruled);
    let analyzed = |more: &[&str]| {
        let analyze = ["analyze", "--game", "one.mgn", "--nodes", "1", "--hash", "4"];
        barrow_in(&folder, &[&analyze, more].concat())
    };
    assert_misused(&analyzed(&["--config", other]), &named);
    assert_misused(&analyzed(&["--turn", "1", "--ruleset", "server"]), ruled);
    for of_one in [&["--tree"][..], &["--candidates", "2"]] {
        let told = format!("{} is of one position: say by --turn which of the game", of_one[0]);
        assert_misused(&analyzed(of_one), &told);
    }
    assert!(said(&analyzed(&["--turn", "1", "--tree"])).contains("stage"));
    // A default that is configured means positions that do not say.
    let mut configured = program();
    configured.current_dir(&folder).env("BARROW_RULESET", "server");
    configured.args(["show", "--game", "one.mgn", "--turn", "0"]);
    assert_eq!(said(&configured.output().unwrap()), plain);
    // A replay of the web server does not say its configuration.
    let web_server =
        ["convert", "one.mgn", "--to", "web-server", "--tech-offset", "0", "--out", "replay.txt"];
    assert!(barrow_in(&folder, &web_server).status.success());
    // Its first turn, since the server's rules are others.
    let lines = read(&folder, "replay.txt").split_inclusive("endturn\n").next().unwrap().to_owned();
    let lines = lines.lines().map(|line| if line.starts_with("turn") { "turn" } else { line });
    fs::write(folder.join("replay.txt"), lines.collect::<Vec<_>>().join("\n") + "\n").unwrap();
    let replay = ["show", "--game", "replay.txt", "--turn", "0"];
    assert_refused(&barrow_in(&folder, &replay), "replay.txt: line 2: tag Start: ");
    assert!(
        said(&barrow_in(&folder, &[&replay[..], &["--config", &config]].concat())).starts_with("Turn 1, ")
    );
}

#[test]
fn arguments_that_contradict_a_position_are_refused() {
    let fen = done(&barrow(&["show", "--json"], ""))["fen"].as_str().unwrap().to_owned();
    let shown = |more: &[&str]| barrow(&[&["show", &fen], more].concat(), "");
    let plain = said(&shown(&[]));
    let said_too = [
        "--ruleset",
        "server",
        "--config",
        "2 BlackenedShores,MidnightLake S,P,W,G,T,H,K,X,A,U,J,V,M,L,O,C,R,Q,B,E,Y,D,1,2,3",
    ];
    assert_eq!(said(&shown(&said_too)), plain);
    assert_misused(
        &shown(&["--ruleset", "spooky"]),
        "--ruleset: the FEN is a position under the ruleset server",
    );
    let other = "--config: the FEN is a position of another one: 2 BlackenedShores,MidnightLake S,P,";
    assert_misused(&shown(&["--config", "1 AllLand S,P"]), other);
    // A default that is configured means positions that do not say.
    let configured = program().env("BARROW_RULESET", "spooky").args(["show", &fen]).output().unwrap();
    assert_eq!(said(&configured), plain);
}

#[test]
fn arguments_that_contradict_a_position_of_a_file_are_refused() {
    let folder = empty_folder("contradicted_lines");
    let fen = done(&barrow(&["show", "--json"], ""))["fen"].as_str().unwrap().to_owned();
    fs::write(folder.join("list.fen"), format!("# one\n{fen}\n")).unwrap();
    let commands: [&[&str]; 4] = [
        &["attack", "list.fen", "--rounds", "1"],
        &["bench", "optimism", "--nodes", "1", "--positions", "list.fen"],
        &["bench", "threads", "--movetime", "1", "--threads", "1", "--positions", "list.fen"],
        &[
            "match",
            "--a",
            "builtin:random",
            "--b",
            "builtin:random",
            "--games",
            "2",
            "--openings",
            "list.fen",
        ],
    ];
    for command in commands {
        let with = |more: &[&str]| barrow_in(&folder, &[command, more].concat());
        let kind = if command[0] == "match" { "an opening" } else { "a position" };
        let ruled = format!("--ruleset: list.fen: line 2 is {kind} under the ruleset server");
        assert_misused(&with(&["--ruleset", "spooky"]), &ruled);
        let named = format!("--config: list.fen: line 2 is {kind} of another one: 2 BlackenedShores,");
        assert_misused(&with(&["--config", "1 AllLand S,P"]), &named);
        done(&with(&["--ruleset", "server"]));
    }
}

#[test]
fn a_line_that_is_no_game_counts_and_the_games_behind_it_are_judged() {
    let folder = empty_folder("damaged_line");
    record(&folder);
    let turns = replayed(&folder, &["games.mgn"]).0;
    said(&barrow_in(&folder, &["convert", "games.mgn", "--to", "json", "--out", "games.jsonl"]));
    let whole = fs::read(folder.join("games.jsonl")).unwrap();
    let second = whole.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    for bad in [&b"{\"mgn\":"[..], b"{}", b"no game", b"\xff\xfe"] {
        let lines = [&whole[..second], bad, b"\n", &whole[second..]].concat();
        fs::write(folder.join("bad.jsonl"), lines).unwrap();
        assert_eq!(replayed(&folder, &["bad.jsonl"]), (turns, 1), "{bad:?}");
        let output = barrow_in(&folder, &["replay", "bad.jsonl"]);
        let told = text(&output.stdout);
        assert_eq!((output.status.code(), text(&output.stderr)), (Some(1), ""));
        assert!(
            told.starts_with("bad.jsonl: line 2: ") && told.contains("; the line is left out\n"),
            "{told}"
        );
        // What makes a file of another one stops there.
        let output = barrow_in(&folder, &["convert", "bad.jsonl", "--out", "converted.mgn", "--force"]);
        assert_refused(&output, "bad.jsonl: line 2: ");
    }
}

#[test]
fn a_damaged_end_of_a_game_in_front_of_another_one_counts() {
    let folder = empty_folder("damaged_end");
    record(&folder);
    let whole = read(&folder, "games.mgn");
    let turns = replayed(&folder, &["games.mgn"]).0;
    let line = whole.lines().position(|line| line.starts_with("result ")).unwrap() + 1;
    assert!(!whole.contains("\ngame "));
    let ending = whole.lines().nth(line - 1).unwrap();
    let contradicting =
        if ending.contains("Yellow") { "result Blue necromancer" } else { "result Yellow points" };
    for (bad, lost) in [("result x", 0), (contradicting, 0), ("resu", 0), ("endtu", 1), ("", 1)] {
        let mut bad = whole.replacen(ending, bad, 1);
        if lost > 0 {
            // Within the last turn of the first game.
            let cut = bad
                .match_indices("endturn\n")
                .map(|(at, _)| at)
                .take_while(|at| *at < whole.find(ending).unwrap());
            bad.replace_range(cut.last().unwrap().., "");
            let second = whole.match_indices("[Mgn ").nth(1).unwrap().0;
            let next = &whole[second..];
            bad.push_str(if whole[..second].ends_with('\n') { "" } else { "\n" });
            bad.push_str(next);
        }
        fs::write(folder.join("bad.mgn"), &bad).unwrap();
        assert_eq!(replayed(&folder, &["bad.mgn"]), (turns - lost, 1), "{bad}");
        let output = barrow_in(&folder, &["replay", "bad.mgn"]);
        let told = text(&output.stdout);
        assert_eq!((output.status.code(), text(&output.stderr)), (Some(1), ""));
        assert!(
            told.starts_with("bad.mgn: line ")
                && told.contains("; the game is read up to its last whole turn\n")
        );
        assert!(lost > 0 || told.starts_with(&format!("bad.mgn: line {line}: ")), "{told}");
        // What judges nothing warns, and both games are read; what joins games counts the damage.
        let output = barrow_in(&folder, &["convert", "bad.mgn", "--out", "converted.mgn", "--force"]);
        assert_eq!(said(&output), format!("2 games, {} turns\n", turns - lost));
        assert_eq!(text(&output.stderr).lines().count(), 1, "{}", text(&output.stderr));
        let merge = ["merge", "bad.mgn", "--out", "joined.jsonl", "--force", "--json"];
        let output = barrow_in(&folder, &merge);
        let joined: Value = serde_json::from_str(text(&output.stdout)).unwrap();
        assert_eq!(output.status.code(), Some(1));
        assert_eq!((&joined["items"], &joined["damaged"]), (&2.into(), &1.into()), "{joined}");
    }
    // At the end of a file it is what a killed program leaves.
    fs::write(folder.join("bad.mgn"), whole.trim_end().strip_suffix(|_: char| true).unwrap()).unwrap();
    assert_eq!(replayed(&folder, &["bad.mgn"]).1, 0);
    // Of games that are written at once the others go on behind it.
    let names = |text: &str, label: &str| format!("game {label}\n{text}");
    let second = whole.match_indices("[Mgn ").nth(1).unwrap().0;
    let bad = names(&whole[..second].replacen(ending, "result x", 1), "a") + &names(&whole[second..], "b");
    fs::write(folder.join("bad.mgn"), &bad).unwrap();
    assert_eq!(replayed(&folder, &["bad.mgn"]), (turns, 1), "{bad}");
    fs::write(folder.join("bad.mgn"), bad + "game a\nvalue 0.5 0.1\n").unwrap();
    assert_refused(&barrow_in(&folder, &["replay", "bad.mgn"]), &format!("bad.mgn: line {}: ", line + 1));
}

#[test]
fn a_position_without_a_turn_is_told() {
    let folder = empty_folder("lone_position");
    record(&folder);
    said(&barrow_in(&folder, &["convert", "games.mgn", "--number", "1", "--out", "one.mgn"]));
    let whole = read(&folder, "one.mgn");
    let turns = replayed(&folder, &["one.mgn"]).0;
    let start = whole.lines().find_map(|line| line.strip_prefix("[Start \"")?.strip_suffix("\"]")).unwrap();
    let (head, ending) = whole.trim_end().rsplit_once('\n').unwrap();
    let position = format!("position {start}\n");
    // At the end of a file it is what a killed program leaves, in front of another game damage.
    fs::write(folder.join("bad.mgn"), format!("{head}\n{position}")).unwrap();
    let output = barrow_in(&folder, &["convert", "bad.mgn", "--out", "read.mgn"]);
    assert_eq!(said(&output), format!("1 game, {turns} turns\n"));
    let warning = "barrow: warning: bad.mgn: line 1: the game that begins there breaks off; its last whole turn is read\n";
    assert_eq!(text(&output.stderr), warning);
    fs::write(folder.join("bad.mgn"), format!("{head}\n{position}{whole}")).unwrap();
    assert_eq!(replayed(&folder, &["bad.mgn"]), (2 * turns, 1));
    for (next, word) in [(ending, "result"), (&*position, "position")] {
        let bad = format!("{head}\n{position}{next}\n");
        let line = bad.trim_end().lines().count();
        fs::write(folder.join("bad.mgn"), bad).unwrap();
        let told = format!("bad.mgn: line {line}: {word}: the position before it has no turn");
        assert_refused(&barrow_in(&folder, &["convert", "bad.mgn"]), &told);
    }
}

#[test]
fn what_cannot_be_read_is_told_with_its_file_and_in_words() {
    let folder = empty_folder("named_faults");
    record(&folder);
    said(&barrow_in(&folder, &["convert", "games.mgn", "--to", "json", "--out", "games.json"]));
    fs::write(folder.join("cut.json"), &fs::read(folder.join("games.json")).unwrap()[..300]).unwrap();
    let cut = barrow_in(&folder, &["convert", "cut.json"]);
    let told = "barrow: warning: cut.json: the end is cut off; read up to line 0\nbarrow: cut.json: there are no games\n";
    assert_eq!((cut.status.code(), text(&cut.stderr)), (Some(1), told));
    fs::write(folder.join("null.json"), "null\n").unwrap();
    let expected = "null.json: line 1: column 4: invalid type: null, expected an object with a turn of a game or a position";
    assert_refused(&barrow_in(&folder, &["replay", "null.json"]), expected);
    let tags: Vec<String> = read(&folder, "games.mgn")
        .lines()
        .take_while(|line| line.starts_with('['))
        .map(str::to_owned)
        .collect();
    fs::write(folder.join("none.mgn"), tags.join("\n") + "\n").unwrap();
    assert_refused(
        &barrow_in(&folder, &["analyze", "--game", "none.mgn"]),
        "none.mgn: the game has no turns",
    );
    #[cfg(target_os = "linux")]
    {
        let drawn = barrow_in(&folder, &["show", "--svg", "/dev/full"]);
        assert_refused(&drawn, "barrow: /dev/full: ");
    }
}
