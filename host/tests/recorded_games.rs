//! Recorded games as a user meets them: matches, games at a terminal and UMI sessions that record themselves, and the
//! commands that read, review and convert what they write.

mod program;

use std::fs;
use std::path::Path;
use std::process::Child;
use std::thread;
use std::time::Duration;

use barrow::umi::Session;
use program::{
    assert_refused, barrow, barrow_in, done, empty_folder, read, replayed, said, signal, start, text,
};
use serde_json::Value;

const MATCH: [&str; 12] = [
    "match",
    "--a",
    "builtin:mcts,nodes=6,hash=4",
    "--b",
    "builtin:random",
    "--games",
    "2",
    "--boards",
    "1",
    "--max-plies",
    "8",
    "--ruleset",
];

#[test]
fn a_match_is_replayed_reviewed_and_converted_there_and_back_without_loss() {
    let folder = empty_folder("recorded_match");
    for (ruleset, file) in [("spooky", "games.mgn"), ("server", "games.mgn.gz")] {
        let play = [&MATCH[..], &[ruleset, "--record", file, "--json"]].concat();
        let result = done(&barrow_in(&folder, &play));
        assert_eq!((result["games"].as_u64(), result["illegal"].as_u64()), (Some(2), Some(0)));
        // What exists is not touched without --force.
        let before = fs::read(folder.join(file)).unwrap();
        assert_refused(&barrow_in(&folder, &play), "exists already");
        assert_eq!(fs::read(folder.join(file)).unwrap(), before);
        assert_eq!(replayed(&folder, &[file]).1, 0);
        assert!(replayed(&folder, &[file]).0 >= 8);

        // Reviewed, and the review is a game again.
        let review = ["analyze", "--game", file, "--number", "1", "--nodes", "4", "--hash", "4"];
        let files = ["--svg", "curve.svg", "--annotated", "reviewed.mgn", "--force", "--json"];
        let report: Value =
            serde_json::from_str(&said(&barrow_in(&folder, &[&review[..], &files].concat()))).unwrap();
        let turns = report["turns"].as_array().unwrap();
        assert_eq!(replayed(&folder, &["reviewed.mgn"]), (turns.len() as u64, 0));
        assert!(read(&folder, "reviewed.mgn").contains("\ncomment review: "));
        assert!(read(&folder, "curve.svg").contains("win chance"));
        assert!(turns.iter().all(|turn| turn["loss"].as_f64().unwrap() >= 0.0 && turn["lines"][0] == "turn"));
        assert!(said(&barrow_in(&folder, &review)).contains("\nYellow: "));

        // For a browser, and back.
        said(&barrow_in(&folder, &["convert", file, "--out", "plain.mgn", "--force"]));
        said(&barrow_in(&folder, &["convert", file, "--to", "json", "--out", "games.json", "--force"]));
        said(&barrow_in(&folder, &["convert", "games.json", "--out", "back.mgn.gz", "--force"]));
        assert_eq!(said(&barrow_in(&folder, &["convert", "back.mgn.gz"])), read(&folder, "plain.mgn"));
        let line: Value = serde_json::from_str(read(&folder, "games.json").lines().next().unwrap()).unwrap();
        assert_eq!((line["mgn"].as_u64(), line["turns"][0]["side"].as_str()), (Some(1), Some("Yellow")));
        assert!(line["turns"][0]["value"]["chance"].is_f64() || line["turns"][1]["value"]["chance"].is_f64());
    }
    // The server's form knows Spooky's lines, one game at a time.
    let convert = ["convert", "games.mgn", "--to", "web-server"];
    assert_refused(&barrow_in(&folder, &convert), "one game");
    for number in ["1", "2"] {
        let exported = [&convert[..], &["--number", number, "--out", "game.txt", "--force"]].concat();
        let warning = barrow_in(&folder, &exported);
        assert!(text(&warning.stderr).contains("replay page"), "{}", text(&warning.stderr));
        assert!(read(&folder, "game.txt").starts_with("fen 0|"));
        assert_eq!(replayed(&folder, &["game.txt"]).1, 0);
        assert_eq!(
            said(&barrow_in(&folder, &["convert", "game.txt"])),
            said(&barrow_in(&folder, &["convert", "games.mgn", "--number", number]))
        );
    }
}

#[test]
fn each_game_may_have_a_file_of_its_own() {
    let folder = empty_folder("recorded_folder");
    let play = [&MATCH[..], &["spooky", "--record", "games/"]].concat();
    said(&barrow_in(&folder, &play));
    assert_refused(&barrow_in(&folder, &play), "holds game-");
    said(&barrow_in(&folder, &[&play[..], &["--force"]].concat()));
    let names = ["games/game-000001.mgn", "games/game-000002.mgn"];
    assert_eq!(replayed(&folder, &names).1, 0);
    let first = read(&folder, names[0]);
    for tag in
        ["[Yellow \"a mcts\"]", "[YellowLimits \"nodes 6\"]", "[YellowNetwork \"desktop ", "[Round \"1\"]"]
    {
        assert!(first.contains(tag), "{tag} in {first}");
    }
    assert!(first.contains("\nnodes 6\n") && first.contains("\ncandidate 0.") && first.contains("\nresult "));
    assert!(read(&folder, names[1]).contains("[Blue \"a mcts\"]"));
}

/// Waits until a file holds this many turns.
fn wait_for_turns(folder: &Path, name: &str, turns: usize) {
    let written = || fs::read_to_string(folder.join(name)).unwrap_or_default().matches("endturn\n").count();
    for _ in 0..6000 {
        if written() >= turns {
            return;
        }
        thread::sleep(Duration::from_millis(10));
    }
    panic!("{name} has {} turns", written());
}

fn killed(mut child: Child, signal_name: &str) {
    signal(&child, signal_name);
    drop(child.stdin.take());
    child.wait_with_output().unwrap();
}

#[test]
fn a_match_that_is_killed_leaves_every_turn_that_was_played() {
    let folder = empty_folder("killed_match");
    let arguments =
        ["match", "--a", "builtin:mcts,nodes=40,hash=4", "--b", "builtin:greedy", "--record", "games.mgn"];
    let child = start(&folder, &arguments);
    wait_for_turns(&folder, "games.mgn", 9);
    killed(child, "KILL");
    let written = read(&folder, "games.mgn").matches("endturn\n").count() as u64;
    assert_eq!(replayed(&folder, &["games.mgn"]), (written, 0));
}

const PLAY: [&str; 9] = ["play", "--ruleset", "spooky", "--side", "yellow", "--movetime", "1", "--hash", "4"];

#[test]
fn a_game_at_a_terminal_is_kept_whatever_ends_it() {
    let folder = empty_folder("recorded_play");
    let name = |file: &str| folder.join(file).display().to_string();
    let turns = "tech 1\n0 d1e1\nend\n";
    for (file, input) in [("quit.mgn", format!("{turns}quit\n")), ("end.mgn", turns.to_owned())] {
        let path = name(file);
        said(&barrow(&[&PLAY[..], &["--record", &path]].concat(), &input));
        assert_eq!(replayed(&folder, &[file]), (2, 0), "{file}");
        let record = read(&folder, file);
        assert!(
            record.contains("[Yellow \"a person\"]") && record.contains("\nresult none unfinished\n"),
            "{record}"
        );
        assert!(record.contains("\ntime ") && record.contains("[BlueNetwork \"desktop "), "{record}");
        assert_refused(&barrow(&[&PLAY[..], &["--record", &path]].concat(), ""), "exists already");
    }
    // Ctrl-C, and a signal that leaves no time for a last word.
    for signal_name in ["INT", "KILL"] {
        let file = format!("{signal_name}.mgn");
        let mut child = start(&folder, &[&PLAY[..], &["--record", &file]].concat());
        std::io::Write::write_all(child.stdin.as_mut().unwrap(), turns.as_bytes()).unwrap();
        wait_for_turns(&folder, &file, 2);
        killed(child, signal_name);
        assert_eq!(replayed(&folder, &[&file]), (2, 0), "{signal_name}");
    }
    // On demand, and gone on with.
    let saved = format!("{turns}save {}\nsave {}\nquit\n", name("a b.mgn"), name("quit.mgn"));
    let output = said(&barrow(&PLAY, &saved));
    let hint = format!("error: {0}: exists already; `save! {0}` replaces it\n", name("quit.mgn"));
    assert!(output.contains("saved 2 turns") && output.contains(&hint), "{output}");
    // That can be typed, but not for the file that turns go to; and what of a turn a FEN does not have is said.
    let leave = format!("{turns}save! {}\n0 d2e2\nsave! {}\nquit\n", name("quit.mgn"), name("on.mgn"));
    let output = said(&barrow(&[&PLAY[..], &["--record", &name("on.mgn")]].concat(), &leave));
    assert!(output.contains("saved 2 turns"), "{output}");
    assert!(output.contains(&format!("error: save! and --record are the same file: {}\n", name("on.mgn"))));
    let left = "that is without the turn that you were entering, which the recorded game has: action board 0 move d2e2\n";
    assert!(output.ends_with(left), "{output}");
    assert!(said(&barrow(&PLAY, "quit\n")).lines().last().unwrap().starts_with("to go on: "));
    let further =
        ["play", "--game", &name("a b.mgn"), "--movetime", "1", "--hash", "4", "--record", &name("c.mgn")];
    assert!(said(&barrow(&further, "tech 1\nend\nquit\n")).contains("Turn 3, Yellow to move"));
    assert_eq!(replayed(&folder, &["a b.mgn", "c.mgn"]), (6, 0));
    // What can be read once is played on as well.
    let piped = ["play", "--game", "-", "--movetime", "1", "--hash", "4"];
    let game = fs::read_to_string(name("a b.mgn")).unwrap();
    assert!(said(&barrow(&piped, &game)).contains("Turn 3, Yellow to move"));
    // One that a player has given up, or that is drawn, is not begun again without being told so.
    let lost = game.replace("result none unfinished", "result Blue resignation");
    let refused =
        "-: the game is over, Blue has won (resignation); barrow play with --turn 2 goes on all the same";
    assert_refused(&barrow(&piped, &lost), refused);
    assert!(
        said(&barrow(&[&piped[..], &["--turn", "2"]].concat(), &lost)).contains("Turn 3, Yellow to move")
    );
    let drawn = game.replace("result none unfinished", "result draw turns");
    assert_refused(&barrow(&piped, &drawn), "-: the game is over, it is drawn (turns); ");
    // Any of its positions is an argument.
    let shown = |turn: &str| said(&barrow_in(&folder, &["show", "--game", "c.mgn", "--turn", turn]));
    assert!(shown("0").starts_with("Turn 1, ") && shown("3").starts_with("Turn 4, "));
    assert_refused(&barrow_in(&folder, &["show", "--game", "c.mgn", "--turn", "9"]), "the game has 4 turns");
}

#[test]
fn a_session_records_what_is_played_behind_what_the_file_holds() {
    let folder = empty_folder("recorded_session");
    let config = "config 1 AllLand S,P,W,G,T,H,K,X,A,U,J,V,M,L,O,C,R,Q,B,E,Y,D,1,2,3";
    let fen = |number| {
        format!(
            "position fen 0|12 0|0 {0}|{0} f|I|i|||0/2ZZ6/1ZNZ6/1ZZ7/0/0/7zz1/6znz1/6zz2/0 0 {number}",
            "L".repeat(25)
        )
    };
    let (first, third) = (fen(1), fen(3));
    let play = "play btime 1 wtime 90000000 nodes 4";
    let talk = [
        config,
        &first,
        play,
        &third,
        "play nodes 4 movetime 600000",
        "turn",
        "action tech 1",
        "endturn",
        config,
        play,
    ];
    let file = folder.join("session.mgn").display().to_string();
    for games in [2, 4] {
        let mut session = Session::new(Vec::new()).with_option("Hash", "4").unwrap();
        session = session.with_option("Record", &file).unwrap();
        for line in talk {
            session.handle(line).unwrap();
            session.settle().unwrap();
        }
        let said = String::from_utf8(session.output().clone()).unwrap();
        assert!(!said.contains("error") && !said.contains("Record"), "{said}");
        drop(session);
        let record = read(&folder, "session.mgn");
        let count = |text| record.matches(text).count();
        assert_eq!((count("[Mgn "), count("\nposition "), count("\nresult ")), (games, games / 2, games));
        assert_eq!(replayed(&folder, &["session.mgn"]), (2 * games as u64, 0));
        assert!(record.contains("[Yellow \"Barrow ") && count("\nvalue 0.") == 3 * games / 2, "{record}");
        assert!(record.contains("\nclock 899"), "{record}");
    }
    let output = barrow(&["umi"], "setoption name Record value no/such/folder/x.mgn\nquit\n");
    let line = text(&output.stdout);
    assert!(line.starts_with("error: Record: ") && line.lines().count() == 1, "{line}");
}

#[test]
fn a_file_that_cannot_be_opened_leaves_the_recording_that_runs() {
    let folder = empty_folder("recorded_on");
    let file = folder.join("session.mgn").display().to_string();
    let mut session = Session::new(Vec::new()).with_option("Record", &file).unwrap();
    let turn = ["turn", "action tech 1", "endturn"];
    let wrong = ["setoption name Record value no/such/folder/x.mgn"];
    for line in [&turn[..], &wrong, &turn].concat() {
        session.handle(line).unwrap();
        session.settle().unwrap();
    }
    let said = String::from_utf8(session.output().clone()).unwrap();
    assert_eq!(said.matches("error: Record: ").count(), 1, "{said}");
    drop(session);
    let record = read(&folder, "session.mgn");
    assert_eq!((record.matches("endturn\n").count(), record.matches("[Mgn ").count()), (2, 1), "{record}");
}

#[test]
fn turns_of_go_are_recorded_when_the_host_leaves_the_position() {
    let folder = empty_folder("recorded_go");
    let file = folder.join("session.mgn").display().to_string();
    let fen = |number| {
        format!(
            "position fen 0|12 0|0 {0}|{0} f|I|i|||0/2ZZ6/1ZNZ6/1ZZ7/0/0/7zz1/6znz1/6zz2/0 0 {number}",
            "L".repeat(25)
        )
    };
    let mut session = Session::new(Vec::new()).with_option("heuristic", "greedy").unwrap();
    session = session.with_option("Record", &file).unwrap();
    let mut say = |line: &str| {
        session.handle(line).unwrap();
        session.settle().unwrap();
        let said = String::from_utf8(std::mem::take(session.output())).unwrap();
        assert!(!said.contains("error") && !said.contains("Record"), "{line}: {said}");
        said
    };
    let turns = || fs::read_to_string(&file).unwrap_or_default().matches("endturn\n").count();
    say("config 1 AllLand S,P,W,G,T,H,K,X,A,U,J,V,M,L,O,C,R,Q,B,E,Y,D,1,2,3");
    // Searched twice and set again: still the same position.
    for line in [&fen(1), "go", "go", &fen(1), "go"] {
        say(line);
    }
    assert_eq!(turns(), 0);
    say(&fen(3));
    assert_eq!(turns(), 1);
    // The host plays what it was told, line by line: one turn, and it is the engine's.
    let told = say("go");
    let turn = told.lines().skip_while(|line| *line != "turn");
    turn.for_each(|line| {
        say(line);
    });
    assert_eq!(turns(), 2);
    // Now something else than it was told.
    say(&fen(5));
    for line in ["go", "turn", "action tech 1", "endturn"] {
        say(line);
    }
    assert_eq!(turns(), 3);
    say(&fen(7));
    say("go");
    assert_eq!(turns(), 3);
    drop(session);
    let record = read(&folder, "session.mgn");
    assert_eq!((turns(), record.matches("[Mgn ").count(), record.matches("\nresult ").count()), (4, 1, 1));
    // What the engine has found has its time, the turn of the host has none.
    assert_eq!(record.matches("\ntime ").count(), 3, "{record}");
    assert_eq!(replayed(&folder, &["session.mgn"]), (4, 0));
}

#[test]
fn self_play_writes_annotated_games_beside_its_records() {
    let folder = empty_folder("annotated_self_play");
    let play = "selfplay --games 5 --boards 1 --seed 4 --opponent builtin:random --out games.jsonl --mgn";
    let play: Vec<&str> = play.split(' ').collect();
    said(&barrow_in(&folder, &[&play[..], &["games.mgn"]].concat()));
    let whole = read(&folder, "games.mgn");
    let steps = replayed(&folder, &["games.jsonl"]);
    assert_eq!(replayed(&folder, &["games.mgn"]), steps);
    for text in [
        "[Event \"self-play\"]",
        "[Round \"4\"]",
        "[Yellow \"greedy\"]\n",
        "[Yellow \"random\"]\n",
        "\nresult ",
    ] {
        assert!(whole.contains(text), "{text}");
    }
    // A run that is gone on with has all games, also in a folder.
    let more: Vec<&str> = play.iter().map(|word| if *word == "5" { "7" } else { word }).collect();
    said(&barrow_in(&folder, &[&more[..], &["games.mgn", "--resume"]].concat()));
    assert!(read(&folder, "games.mgn").starts_with(&whole));
    assert_eq!(read(&folder, "games.mgn").matches("[Mgn ").count(), 7);
    said(&barrow_in(&folder, &[&more[..], &["folder/", "--resume"]].concat()));
    assert_eq!(fs::read_dir(folder.join("folder")).unwrap().count(), 7);
    let back = barrow_in(&folder, &["convert", "games.mgn", "--to", "selfplay", "--out", "back.jsonl"]);
    assert!(said(&back).starts_with("7 games, "));
    assert_eq!(replayed(&folder, &["back.jsonl"]), replayed(&folder, &["games.jsonl"]));
}

#[test]
fn games_of_self_play_are_replayed_converted_and_learnt_from() {
    let folder = empty_folder("recorded_self_play");
    let play = ["selfplay", "--games", "20", "--boards", "1", "--out", "games.jsonl.gz", "--json"];
    let turns = done(&barrow_in(&folder, &play))["turns"].as_u64().unwrap();
    assert_eq!(replayed(&folder, &["games.jsonl.gz"]), (turns, 0));
    said(&barrow_in(&folder, &["convert", "games.jsonl.gz", "--out", "games.mgn.gz"]));
    assert_eq!(replayed(&folder, &["games.mgn.gz"]), (turns, 0));
    // Back it is the same, but for the letter that says whose turns they are.
    said(&barrow_in(&folder, &["convert", "games.mgn.gz", "--to", "selfplay", "--out", "back.jsonl.gz"]));
    said(&barrow_in(&folder, &["convert", "back.jsonl.gz", "--out", "again.mgn.gz"]));
    let texts = ["games.mgn.gz", "again.mgn.gz"].map(|name| said(&barrow_in(&folder, &["convert", name])));
    assert!(texts[0] == texts[1]);
    // The first line tells the form, whatever the name.
    fs::copy(folder.join("games.mgn.gz"), folder.join("games.gz")).unwrap();
    said(&barrow_in(&folder, &["convert", "games.gz", "--out", "games.txt"]));
    said(&barrow_in(&folder, &["convert", "games.gz", "--to", "json", "--out", "games.json"]));
    fs::copy(folder.join("games.jsonl.gz"), folder.join("records.mgn.gz")).unwrap();
    let merge =
        ["merge", "games.gz", "games.txt", "games.json", "records.mgn.gz", "--out", "merged", "--json"];
    let merged = done(&barrow_in(&folder, &merge));
    let [items, damaged] = [&merged["items"], &merged["damaged"]].map(Value::as_u64);
    // Records say by whom turns are, games do not.
    assert!((items, damaged) == (Some(40), Some(0)) || (items, damaged) == (Some(20), Some(0)), "{merged}");
    let data = ["games.jsonl.gz", "games.mgn.gz", "games.gz", "games.txt", "records.mgn.gz"];
    let learnt = data.map(|data| {
        let train =
            ["train", "--profile", "tiny", "--data", data, "--epochs", "1", "--out", "net.brw", "--force"];
        done(&barrow_in(&folder, &[&train[..], &["--json"]].concat()))["positions"].as_u64()
    });
    assert!(learnt[0] > Some(0) && learnt == [learnt[0]; 5], "{learnt:?}");
}

#[test]
fn damage_is_one_line_with_file_and_place() {
    let folder = empty_folder("damaged_games");
    said(&barrow_in(&folder, &[&MATCH[..], &["spooky", "--record", "games/"]].concat()));
    let whole = read(&folder, "games/game-000001.mgn");
    let commands = [
        &["replay", "bad.mgn"][..],
        &["convert", "bad.mgn"],
        &["show", "--game", "bad.mgn"],
        &["analyze", "--game", "bad.mgn"],
        &["play", "--game", "bad.mgn"],
    ];
    for (from, to) in
        [("[Mgn \"1\"]", "[Mgn \"7\"]"), ("action tech", "action dance"), ("result ", "result x")]
    {
        let bad = whole.replacen(from, to, 1);
        let line = bad.lines().position(|line| line.starts_with(to)).unwrap() + 1;
        fs::write(folder.join("bad.mgn"), &bad).unwrap();
        for command in commands {
            assert_refused(&barrow_in(&folder, command), &format!("bad.mgn: line {line}: "));
        }
    }
    fs::write(folder.join("bad.mgn"), whole.replacen("endturn", "action tech 9 9 9 9\nendturn", 1)).unwrap();
    for command in &commands[1..] {
        assert_refused(&barrow_in(&folder, command), ": turn 1: ");
    }
    let judged = barrow_in(&folder, &["replay", "bad.mgn"]);
    assert_eq!(judged.status.code(), Some(1));
    assert!(text(&judged.stdout).contains("turn 1: ") && text(&judged.stdout).ends_with("1 mismatch\n"));
    for arguments in [
        &["show", "--turn", "1"][..],
        &["analyze", "--svg", "x"],
        &["convert"],
        &["show", "--game", "a", "b"],
    ] {
        assert_eq!(barrow_in(&folder, arguments).status.code(), Some(2), "{arguments:?}");
    }
    assert_refused(&barrow_in(&folder, &["convert", "bad.mgn", "--out", "bad.mgn"]), "exists already");
}
