//! The commands of RoboRally as a user meets them.

mod program;

use std::env;
use std::fs;
use std::process::Output;

use program::{assert_refused, last_line, text};

fn barrow(arguments: &[&str], input: &str) -> Output {
    program::barrow(&[&["roborally"], arguments].concat(), input)
}

const SCENARIO: &str = "SCENARIO W1 a wall\nBOARD\nsize 3 1\n.. .. ..\nwall 1 0 E\nENDBOARD\n\
    ROBOT 0 0 0 E 0 3 1 0 0 E A\nREGS 0 80 0 0 0 0\nRUN 1\nEXPECT\n0 1 0 E 0 3 1 0 0 E A\n";

#[test]
fn replay_counts_steps_and_mismatches() {
    let good = barrow(&["replay", "-", "--json"], SCENARIO);
    assert!(good.status.success(), "{}", text(&good.stderr));
    let expected = serde_json::json!({"files": 1, "steps": 1, "mismatches": 0});
    assert_eq!(last_line(&good), expected);

    let wrong = barrow(&["replay", "-", "--json"], &SCENARIO.replace("\n0 1 0 E", "\n0 2 0 E"));
    assert_eq!((wrong.status.code(), last_line(&wrong)["mismatches"].as_u64()), (Some(1), Some(1)));
    let told = "-:11: file 0 2 0 E 0 3 1 0 0 E A, engine 0 1 0 E 0 3 1 0 0 E A";
    assert_eq!(text(&wrong.stderr).lines().next(), Some(told));

    let broken = barrow(&["replay", "-"], &SCENARIO.replace("RUN", "RUIN"));
    assert_eq!(broken.status.code(), Some(1));
    assert_eq!(text(&broken.stderr), "barrow: -: line 9: no line begins with RUIN\n");
    let cut = barrow(&["replay", "-"], "COURSE checkmate\nROBOTS 2\nTURN 1\nS");
    assert_refused(&cut, "barrow: -: line 4: no line begins with S");
}

#[test]
fn courses_are_listed_drawn_and_written() {
    let list = barrow(&["show"], "");
    assert!(text(&list.stdout).lines().any(|line| line.starts_with("twister ")), "{}", text(&list.stdout));
    let drawn = barrow(&["show", "twister", "--turns", "2"], "");
    assert!(text(&drawn.stdout).contains("turn 2\nrobot 0: "), "{}", text(&drawn.stdout));
    let written = barrow(&["show", "checkmate", "--text"], "");
    let file = env::temp_dir().join(format!("barrow-{}", std::process::id())).join("checkmate.txt");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, &written.stdout).unwrap();
    let again = barrow(&["replay", file.to_str().unwrap()], "");
    assert!(again.status.success(), "{}", text(&again.stdout));
    // What a file holds tells what it is, whatever its name.
    let under_any_name = barrow(&["replay", "-", "--json"], text(&written.stdout));
    assert_eq!(last_line(&under_any_name), serde_json::json!({"files": 1, "steps": 1, "mismatches": 0}));
    let named = file.with_file_name("twister.txt");
    for content in ["size 2 1\n.. ..\nflag 0 0\nstart 1 0 W\n", SCENARIO] {
        fs::write(&named, content).unwrap();
        let told = barrow(&["replay", named.to_str().unwrap()], "");
        assert_eq!(told.status.success(), content == SCENARIO, "{}", text(&told.stdout));
        let refused = "twister.txt: a board that is none of the built-in courses, and no recorded race: ";
        let complaint = text(&told.stderr);
        assert_eq!(complaint.contains(refused) && complaint.lines().count() == 1, content != SCENARIO);
    }
    fs::remove_dir_all(file.parent().unwrap()).unwrap();
}

#[test]
fn arena_reports_the_promised_keys() {
    let players = ["--players", "mc:playouts=20,playout=random,focus=8", "random", "random"];
    let terms = ["--games", "6", "--course", "checkmate", "twister", "--turn-limit", "15", "--json"];
    let raced = barrow(&[&["arena"], &players[..], &terms].concat(), "");
    assert!(raced.status.success(), "{}", text(&raced.stderr));
    let json = last_line(&raced);
    assert_eq!((json["games"].as_u64(), json["players"].as_array().map(Vec::len)), (Some(6), Some(2)));
    for key in ["name", "wins", "win_rate", "ci95", "mean_place"] {
        assert!(!json["players"][0][key].is_null(), "{json}");
    }
    let bad = barrow(&["arena", "--players", "mc:depth=x"], "");
    assert_eq!(bad.status.code(), Some(2));
    assert_eq!(text(&bad.stderr), "barrow: mc:depth=x: depth: not a fitting number: x\n");
}

#[test]
fn tuning_prints_weights() {
    let player = ["tune", "--player", "mc:playouts=4,playout=random,depth=1"];
    let terms = ["--iterations", "2", "--games", "2", "--turn-limit", "3", "--json"];
    let tuned = barrow(&[&player[..], &terms].concat(), "");
    assert!(tuned.status.success(), "{}", text(&tuned.stderr));
    assert_eq!(last_line(&tuned)["won"].as_i64(), Some(10_000));
}

#[test]
fn the_bot_answers_a_conversation() {
    let said = barrow(
        &["bot", "--player", "mc:playouts=30"],
        "roborally\ncourse twister\nrace 4 3\nyou 2\nhand 44 75 13 17 15 82 19 73 67\ngo\nfly\nquit\n",
    );
    let lines: Vec<&str> = text(&said.stdout).lines().collect();
    assert_eq!((lines.len(), lines[1], lines[4]), (5, "roborallyok", "error: unknown command fly"));
    assert!(lines[2].starts_with("info playouts 30 ") && lines[3].starts_with("program "), "{lines:?}");
}

#[test]
fn the_bot_is_stopped_while_it_thinks() {
    let said = barrow(
        &["bot", "--player", "mc:playout=random,playouts=18446744073709551615"],
        "course twister\nrace 4 3\nyou 2\nhand 44 75 13 17 15 82 19 73 67\ngo\nisready\nstop\nstay\n",
    );
    let lines: Vec<&str> = text(&said.stdout).lines().collect();
    assert_eq!((lines.len(), lines[0], lines[3]), (4, "readyok", "stay no"), "{lines:?}");
    assert!(lines[2].starts_with("program "), "{lines:?}");
}

#[test]
fn other_programs_race_in_the_arena() {
    let program = env!("CARGO_BIN_EXE_barrow");
    let by_odds = "odds:playouts=30,focus=8,foresee=4";
    for (rules, player) in [("classic", "search:samples=3"), ("2016", by_odds), ("2023", by_odds)] {
        let other = format!("cmd:{program} roborally bot --rules {rules} --player {player}");
        let players = ["arena", "--players", &other, "random", "--rules", rules];
        let raced = barrow(&[&players[..], &["--games", "2", "--turn-limit", "6", "--json"]].concat(), "");
        assert!(raced.status.success(), "{}", text(&raced.stderr));
        let json = last_line(&raced);
        assert_eq!((json["games"].as_u64(), json["players"][0]["name"].as_str()), (Some(2), Some(&*other)));
    }
    let dead = barrow(&["arena", "--players", "cmd:no-such-program", "random", "--games", "1"], "");
    assert_eq!(dead.status.code(), Some(1), "{}", text(&dead.stdout));
}

#[test]
fn a_race_of_the_second_edition_is_recorded_replayed_and_shown() {
    let folder = env::temp_dir().join(format!("barrow-2016-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join("races.txt");
    let name = file.to_str().unwrap();
    let terms = ["--players", "best", "random", "--course", "vault", "first-lap", "--games", "3"];
    let raced = barrow(&[&["arena"], &terms[..], &["--turn-limit", "8", "--record", name]].concat(), "");
    assert!(raced.status.success(), "{}", text(&raced.stderr));
    let again = barrow(&["replay", name], "");
    assert!(text(&again.stdout).ends_with(", 0 mismatches\n"), "{}", text(&again.stdout));
    let late = folder.join("late.txt");
    let late_terms = ["--rules", "2023", "--turn-limit", "12", "--record", late.to_str().unwrap()];
    let raced = barrow(&[&["arena"], &terms[..], &late_terms].concat(), "");
    assert!(raced.status.success(), "{}", text(&raced.stderr));
    assert!(fs::read_to_string(&late).unwrap().contains("\nFLOOR vault 2023\n"));
    let again = barrow(&["replay", late.to_str().unwrap()], "");
    assert!(text(&again.stdout).ends_with(", 0 mismatches\n"), "{}", text(&again.stdout));
    let shown = barrow(&["show", name, "--turns", "2"], "");
    assert!(text(&shown.stdout).contains("turn 2\nrobot 0: flag "), "{}", text(&shown.stdout));
    let numbers = last_line(&barrow(&["show", name, "--turns", "2", "--json"], ""));
    let robots = numbers["robots"].as_array().unwrap();
    assert_eq!((numbers["turn"].as_u64(), robots.len()), (Some(2), 2), "{numbers}");
    for (number, robot) in robots.iter().enumerate() {
        let told = |key: &str| robot[key].as_u64();
        let line = format!(
            "robot {number}: flag {}, energy {}, damage cards {}\n",
            told("next_flag").unwrap(),
            told("energy").unwrap(),
            told("damage_cards").unwrap()
        );
        assert!(text(&shown.stdout).contains(&line), "{line}\n{}", text(&shown.stdout));
        assert_eq!((told("robot"), told("lives")), (Some(number as u64), None));
    }
    let last = fs::read_to_string(&file).unwrap();
    let last = last.split("FLOOR ").nth(1).unwrap().matches("\nTURN ").count();
    for (turn, is_there) in [(last, true), (last + 1, false), (65_535, false)] {
        let shown = barrow(&["show", name, "--turns", &turn.to_string()], "");
        assert_eq!(shown.status.success(), is_there, "{}", text(&shown.stdout));
        let told = format!("{name}: the race has {last} turns\n");
        assert_eq!(text(&shown.stderr).ends_with(&told), !is_there, "{}", text(&shown.stderr));
    }
    let said = |words: &[&str]| {
        let shown = barrow(&[&["show", name][..], words].concat(), "");
        (text(&shown.stdout).to_owned(), text(&shown.stderr).to_owned())
    };
    let games = text(&fs::read(name).unwrap()).matches("\nFLOOR ").count();
    let told = format!("barrow: {name}: the first of {games} games; --number N chooses another\n");
    let (first, last) = (said(&["--number", "1"]), said(&["--number", &games.to_string()]));
    assert_eq!((said(&[]).0, said(&[]).1, &*first.1, &*last.1), (first.0.clone(), told, "", ""));
    assert_ne!(first.0, last.0);
    let refused = barrow(&["show", name, "--text"], "");
    assert_eq!(refused.status.code(), Some(2));
    assert!(
        text(&refused.stderr).ends_with(": a recorded race takes no --text\n"),
        "{}",
        text(&refused.stderr)
    );
    let written = barrow(&["show", "push-yard", "--text"], "");
    let board = folder.join("push-yard.txt");
    fs::write(&board, &written.stdout).unwrap();
    let compared = barrow(&["replay", board.to_str().unwrap()], "");
    assert!(compared.status.success(), "{}", text(&compared.stdout));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_race_of_2005_is_shown_in_numbers() {
    let of = |more: &[&str]| barrow(&[&["show", "twister", "--turns", "5"], more].concat(), "");
    let picture = of(&[]);
    let numbers = last_line(&of(&["--json"]));
    assert_eq!((numbers["turn"].as_u64(), numbers["flags"].as_u64()), (Some(5), Some(4)), "{numbers}");
    let robots = numbers["robots"].as_array().unwrap();
    assert_eq!(robots.len(), 4, "{numbers}");
    let rows: Vec<Vec<char>> = text(&picture.stdout).lines().map(|line| line.chars().collect()).collect();
    let mut standing = 0;
    for (number, robot) in robots.iter().enumerate() {
        let [flag, damage, lives] = ["next_flag", "damage", "lives"].map(|key| robot[key].as_u64().unwrap());
        let line = format!("robot {number}: flag {flag}, damage {damage}, lives {lives}");
        assert!(text(&picture.stdout).contains(&line), "{line}\n{}", text(&picture.stdout));
        let Some(at) = robot["at"].as_object() else { continue };
        let [x, y] = ["x", "y"].map(|key| at[key].as_u64().unwrap());
        let arrow = match at["facing"].as_str().unwrap() {
            "N" => '^',
            "E" => '>',
            "S" => 'v',
            _ => '<',
        };
        // A row begins with its number and a space; a cell has a wall and two characters.
        let row = rows.iter().find(|row| row.starts_with(&format!("{y:>2} ").chars().collect::<Vec<_>>()));
        let cell = &row.unwrap()[4 + 3 * x as usize..][..2];
        assert_eq!(*cell, [char::from(b'0' + number as u8), arrow], "{robot}\n{}", text(&picture.stdout));
        standing += 1;
    }
    assert!(standing > 0, "{numbers}");
    let start = last_line(&barrow(&["show", "twister", "--json"], ""));
    assert_eq!(start, serde_json::json!({"turn": 0, "flags": 4, "robots": []}));
    assert_eq!(barrow(&["show", "--json"], "").status.code(), Some(2));
}
