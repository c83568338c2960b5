//! Matches as a user meets them: several players, openings of files, options of engines, and matches that are gone on with.

mod program;

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output};

use program::{assert_refused, barrow_in, done, empty_folder, last_line, signal, start, text};
use serde_json::Value;

/// Words of a command line, with `BARROW` for the program itself.
fn line(command: &str) -> Vec<String> {
    command.split_whitespace().map(|word| word.replace("BARROW", env!("CARGO_BIN_EXE_barrow"))).collect()
}

fn run(folder: &Path, command: &str) -> std::process::Output {
    let words = line(command);
    barrow_in(folder, &words.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Report without what depends on the clock.
fn timeless(mut report: Value) -> Value {
    report.as_object_mut().unwrap().remove("lateness");
    report
}

/// JSON report of a run that has ended well.
fn line_of(output: &Output) -> Value {
    done(output);
    last_line(output)
}

#[test]
fn a_killed_match_is_gone_on_with_to_the_same_counts() {
    let folder = empty_folder("resumed-match");
    let play =
        "match --a builtin:greedy --b builtin:greedy,seed=9 --games 60 --boards 1-2 --threads 2 --json";
    let whole = done(&run(&folder, play));
    let words = line(&format!("{play} --results results.jsonl --record games.mgn"));
    let mut child = start(&folder, &words.iter().map(String::as_str).collect::<Vec<_>>());
    let lines = || fs::read_to_string(folder.join("results.jsonl")).unwrap_or_default().lines().count();
    while lines() < 4 {
        assert!(child.try_wait().unwrap().is_none(), "the match has ended");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    signal(&child, "KILL");
    child.wait().unwrap();
    // Its last line is cut off, as if the program had been killed there.
    let mut text_of_file = fs::read_to_string(folder.join("results.jsonl")).unwrap();
    let kept = text_of_file.lines().count();
    text_of_file.pop();
    text_of_file.pop();
    fs::write(folder.join("results.jsonl"), &text_of_file).unwrap();

    assert_refused(&run(&folder, &format!("{play} --results results.jsonl")), "--resume goes on with it");
    let other = play.replace("seed=9", "seed=8");
    assert_refused(
        &run(&folder, &format!("{other} --results results.jsonl --resume")),
        "results.jsonl: line 1: results of another match: players ",
    );
    let output = run(&folder, &format!("{play} --results results.jsonl --resume --record games.mgn"));
    assert_eq!(timeless(done(&output)), timeless(whole));
    let warning = format!("barrow: warning: results.jsonl: line {kept} is cut off and dropped\n");
    assert!(text(&output.stderr).contains(&warning), "{}", text(&output.stderr));
    // A line for the terms, and one for each pair: none was played twice.
    assert_eq!(lines(), 31);
    // The games that were cut off stand there beside the ones that were played again.
    let replayed = run(&folder, "replay games.mgn --json");
    assert_eq!(last_line(&replayed)["mismatches"], 0, "{}", text(&replayed.stderr));
    // A compressed recording is gone on with, too.
    let results = fs::read_to_string(folder.join("results.jsonl")).unwrap();
    let some: String = results.split_inclusive('\n').take(20).collect();
    fs::write(folder.join("results.jsonl"), some).unwrap();
    let mut packed = std::fs::File::create(folder.join("packed.mgn.gz")).unwrap();
    let gzip = Command::new("gzip").args(["-c", "games.mgn"]).current_dir(&folder).output().unwrap();
    packed.write_all(&gzip.stdout).unwrap();
    packed.write_all(&gzip.stdout[..100]).unwrap();
    done(&run(&folder, &format!("{play} --results results.jsonl --resume --record packed.mgn.gz")));
    let replayed = [run(&folder, "replay games.mgn --json"), run(&folder, "replay packed.mgn.gz --json")];
    let [before, after] = replayed.map(|output| last_line(&output)["steps"].as_u64());
    assert!(after > before, "{before:?} {after:?}");
    // Nothing is left to play.
    let again = run(&folder, &format!("{play} --results results.jsonl --resume"));
    assert_eq!((last_line(&again)["games"].as_u64(), lines()), (Some(60), 31));
}

#[test]
fn parts_of_a_match_joined_are_the_match() {
    let folder = empty_folder("shared-match");
    let play = "match --a builtin:greedy --b builtin:random --games 30 --boards 1-2 --seed 3 --json";
    let whole = line_of(&run(&folder, &format!("{play} --results whole.jsonl")));
    let parts = ["0/4", "1/4", "2/4", "3/4"];
    for (index, part) in parts.iter().enumerate() {
        done(&run(&folder, &format!("{play} --shard {part} --results {index}.jsonl")));
    }
    let merge =
        |files: &str, more: &str| line_of(&run(&folder, &format!("merge {files} --json --force {more}")));
    // In any order, one of them twice, and one of them joined before.
    merge("3.jsonl 1.jsonl", "--out some.jsonl");
    let joined = merge("some.jsonl 2.jsonl 0.jsonl 2.jsonl", "--out joined.jsonl");
    assert_eq!((joined["kind"].as_str(), joined["items"].as_u64()), (Some("match"), Some(15)));
    assert_eq!((joined["twice"].as_u64(), joined["differing"].as_u64()), (Some(4), Some(0)), "{joined}");
    for key in ["games", "wins", "losses", "draws", "pentanomial", "elo", "elo_error"] {
        assert_eq!(joined["contest"][key], whole[key], "{key}");
    }
    // The file is that of the whole match, but for the order in which pairs were finished there.
    let lines = |name: &str| {
        let text = fs::read_to_string(folder.join(name)).unwrap();
        text.lines().map(str::to_owned).collect::<std::collections::BTreeSet<_>>()
    };
    assert_eq!(lines("joined.jsonl"), lines("whole.jsonl"));
    // A test decides on the pairs in order: it waits for a part that is missing, and ends where the match does.
    let missing = merge("1.jsonl 2.jsonl 3.jsonl", "--out gap.jsonl --sprt 0 50");
    assert_eq!((missing["contest"]["pairs"].as_u64(), missing["items"].as_u64()), (Some(0), Some(12)));
    let ended = line_of(&run(&folder, &format!("{play} --sprt 0 50")));
    let decided = merge("joined.jsonl", "--out decided.jsonl --sprt 0 50");
    assert_eq!(decided["contest"]["accepted"], ended["accepted"]);
    assert_eq!(decided["contest"]["games"], ended["games"], "{decided}");
    // Another match is not joined, and what is whole is written when something is damaged.
    done(&run(&folder, &format!("{} --results other.jsonl", play.replace("seed 3", "seed 4"))));
    assert_refused(
        &run(&folder, "merge whole.jsonl other.jsonl --out x.jsonl"),
        "results of another match: seed",
    );
    // Compressed files are read and written, and the match goes on with none of them.
    assert!(Command::new("gzip").arg("1.jsonl").current_dir(&folder).status().unwrap().success());
    merge("3.jsonl 2.jsonl", "--out packed.jsonl.gz");
    merge("0.jsonl 1.jsonl.gz packed.jsonl.gz", "--out unpacked.jsonl");
    assert_eq!(lines("unpacked.jsonl"), lines("whole.jsonl"));
    let resumed = run(&folder, &format!("{play} --results packed.jsonl.gz --resume"));
    let said = text(&resumed.stderr);
    assert!(resumed.status.code() == Some(2) && said.contains("results are not compressed"), "{said}");
    let text_of_part = fs::read_to_string(folder.join("0.jsonl")).unwrap();
    fs::write(folder.join("0.jsonl"), &text_of_part[..text_of_part.len() - 3]).unwrap();
    let output = run(&folder, "merge 0.jsonl 1.jsonl.gz --out y.jsonl --json");
    assert_eq!((output.status.code(), last_line(&output)["damaged"].as_u64()), (Some(1), Some(1)));
    assert_eq!(last_line(&output)["items"].as_u64(), Some(3 + 4 - 1));
    assert!(text(&output.stderr).contains("0.jsonl: line "), "{}", text(&output.stderr));
}

#[test]
fn a_tuning_begins_with_the_numbers_that_its_player_names() {
    let folder = empty_folder("tuned");
    let tune = "tune --player builtin:mcts,nodes=6,hash=4,noise=100 --tune noise=50..400 --boards 1 --pairs 1 \
                --parts 1 --iterations 1 --threads 1 --results tuned.jsonl --json";
    let report = line_of(&run(&folder, tune));
    let number = report["player"].as_str().unwrap().strip_prefix("builtin:mcts,nodes=6,hash=4,noise=");
    let moved = number.unwrap().parse::<f64>().unwrap() - 100.0;
    assert!((-18.0..=18.0).contains(&moved), "by 5 % of the range at most: {report}");
    // A shard without parts has a file to be joined all the same.
    let shard = tune.replace("tuned.jsonl", "shard.jsonl --shard 1/2");
    line_of(&run(&folder, &shard));
    let first =
        |name: &str| fs::read_to_string(folder.join(name)).unwrap().lines().next().unwrap().to_owned();
    assert_eq!(fs::read_to_string(folder.join("shard.jsonl")).unwrap(), first("tuned.jsonl") + "\n");
    // The same for the bots of contests.
    let tune = "kutulu tune --player smitsimax,simulations=4,yell=25 --against lamp --tune yell=10..40 --parts 1 \
                --pairs 1 --iterations 1 --threads 1 --results kutulu.jsonl --json";
    let report = line_of(&run(&folder, tune));
    let player = report["player"].as_str().unwrap();
    assert!(
        player.starts_with("smitsimax,simulations=4,yell=") && player.matches("yell").count() == 1,
        "{player}"
    );
}

#[test]
fn several_players_have_a_cross_table_and_strengths() {
    let folder = empty_folder("tournament");
    let play = "match --player builtin:greedy --player builtin:random --player builtin:random,seed=1 --games 4 --boards 1";
    let output = run(&folder, play);
    let said = text(&output.stdout);
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""));
    assert!(said.contains("round-robin of 3 players, 12 games, ruleset server\n"), "{said}");
    let table = said.split_once("\npoints against ").unwrap().1;
    let row = table.lines().find(|line| line.starts_with("b ")).unwrap();
    assert_eq!((row.matches(" of 4").count(), row.matches(" .").count()), (2, 1), "{said}");
    let report = done(&run(&folder, &format!("{play} --json")));
    let players = report["players"].as_array().unwrap();
    assert_eq!((players.len(), report["encounters"].as_array().unwrap().len()), (3, 3));
    assert_eq!((&players[0]["elo"], &players[0]["name"]), (&0.0.into(), &"greedy".into()));
    let points: f64 = players.iter().map(|player| player["points"].as_f64().unwrap()).sum();
    assert!((points - 12.0).abs() < 1e-9 && players[1]["elo"].as_f64() < Some(0.0), "{report}");
    let gauntlet = done(&run(&folder, &format!("{play} --format gauntlet --json")));
    assert_eq!(gauntlet["encounters"][1], report["encounters"][1]);
    assert_eq!(gauntlet["encounters"].as_array().unwrap().len(), 2);
}

#[test]
fn matches_begin_at_the_openings_of_a_file() {
    let folder = empty_folder("openings");
    let first = done(&run(
        &folder,
        "match --a builtin:greedy --b builtin:random --games 2 --boards 1 --json --record games.mgn",
    ));
    assert_eq!(first["games"], 2);
    for turn in ["2", "3"] {
        let shown = done(&run(&folder, &format!("show --game games.mgn --number 1 --turn {turn} --json")));
        let mut list = fs::read_to_string(folder.join("list.fen")).unwrap_or_default();
        list = format!("{list}# after {turn} turns\n{}\n", shown["fen"].as_str().unwrap());
        fs::write(folder.join("list.fen"), list).unwrap();
    }
    let play = "match --a builtin:greedy --b builtin:random --games 4 --threads 1 --json --openings list.fen --record";
    let report = done(&run(&folder, &format!("{play} one.mgn")));
    assert_eq!((report["games"].as_u64(), report["ruleset"].as_str()), (Some(4), Some("server")));
    let starts = |file: &str| -> Vec<String> {
        (1..=4)
            .map(|number| {
                let shown = run(&folder, &format!("show --game {file} --number {number} --turn 0 --json"));
                done(&shown)["fen"].as_str().unwrap().to_owned()
            })
            .collect()
    };
    // Both games of a pair begin at one opening, both openings come, and the seed orders them.
    let begun = starts("one.mgn");
    assert!(begun[0] == begun[1] && begun[2] == begun[3] && begun[0] != begun[2], "{begun:?}");
    let orders: std::collections::BTreeSet<bool> = (1..=6)
        .map(|seed| {
            done(&run(&folder, &format!("{play} seed{seed}.mgn --seed {seed}")));
            starts(&format!("seed{seed}.mgn"))[0] == begun[0]
        })
        .collect();
    assert_eq!(orders.len(), 2);
    fs::write(folder.join("bad.fen"), "# none\n\nnonsense\n").unwrap();
    assert_refused(
        &run(&folder, &format!("{play} x.mgn --openings bad.fen").replace("--openings list.fen ", "")),
        "bad.fen: line 3: ",
    );
}

#[test]
fn options_of_engines_are_set_and_refused_ones_end_the_match() {
    let folder = empty_folder("engine-options");
    let play = "match --a builtin:random --games 2 --boards 1 --movetime 50 --margin 60000 --json --b";
    let log = "cmd:BARROW,option.heuristic=greedy,option.Seed=3,option.Debug-Log=x";
    assert_refused(&run(&folder, &format!("{play} {log}")), "player b does not start: ");
    let words = [
        line(play),
        vec![format!(
            "cmd:\"{}\",option.heuristic=greedy,option.Debug Log File=umi log.txt",
            env!("CARGO_BIN_EXE_barrow")
        )],
    ]
    .concat();
    let report = done(&barrow_in(&folder, &words.iter().map(String::as_str).collect::<Vec<_>>()));
    assert_eq!((report["games"].as_u64(), report["illegal"].as_u64()), (Some(2), Some(0)), "{report}");
    assert!(fs::read_to_string(folder.join("umi log.txt")).unwrap().contains("\n> play movetime 50\n"));
}

#[test]
fn engines_are_told_how_much_their_clock_has_left() {
    let folder = empty_folder("clock");
    let play = "match --a builtin:greedy --b cmd:BARROW,option.Debug-Log=clock.txt --games 2 --boards 1 --threads 1 \
                --clock 1.5+0.02 --margin 60000 --record games.mgn --results games.jsonl --json";
    let words: Vec<String> =
        line(play).iter().map(|word| word.replace("Debug-Log", "Debug Log File")).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let report = done(&barrow_in(&folder, &words));
    assert_eq!((report["games"].as_u64(), report["timeouts"].as_u64()), (Some(2), Some(0)), "{report}");
    let log = fs::read_to_string(folder.join("clock.txt")).unwrap();
    let asked = log.lines().filter_map(|line| line.strip_prefix("> play "));
    let clocks: Vec<Vec<u64>> = asked
        .map(|asked| {
            let words: Vec<&str> = asked.split(' ').collect();
            assert_eq!([words[0], words[2], words[4], words[6]], ["wtime", "btime", "winc", "binc"]);
            [1, 3, 5, 7].map(|place| words[place].parse().unwrap()).to_vec()
        })
        .collect();
    // The built-in player has no clock, which never runs then; the engine's is set anew for the second game.
    let own = |clock: &Vec<u64>| if clock[0] == 1_500 { clock[1] } else { clock[0] };
    assert!(clocks.iter().all(|clock| clock[..2].contains(&1_500) && clock[2..] == [20, 20]), "{clocks:?}");
    assert_eq!(clocks.iter().filter(|clock| own(clock) == 1_500).count(), 2, "{clocks:?}");
    // A turn may take less than is added after it.
    assert!(
        clocks.windows(2).all(|two| own(&two[1]) <= own(&two[0]) + 20 || own(&two[1]) == 1_500),
        "{clocks:?}"
    );
    assert!(clocks.iter().any(|clock| own(clock) < 1_400), "{clocks:?}");
    let games = fs::read_to_string(folder.join("games.mgn")).unwrap();
    assert_eq!(games.matches("\"clock 1.5+0.02 s\"").count(), 2, "{games}");
    let other = [&words[..], &["--resume"]].concat();
    done(&barrow_in(&folder, &other));
    let other: Vec<&str> = other.iter().map(|&word| if word == "1.5+0.02" { "1.5" } else { word }).collect();
    assert_refused(&barrow_in(&folder, &other), "games.jsonl: ");
}

#[test]
fn what_is_done_is_told_on_standard_error_when_it_is_asked_for() {
    let folder = empty_folder("verbose");
    let play = "match --a builtin:mcts,nodes=2,hash=4 --b cmd:BARROW,option.heuristic=random --games 2 --boards 1 --max-plies 4 \
                --threads 1";
    let events = |more: &str| {
        let output = run(&folder, &format!("{play} {more}"));
        assert_eq!(output.status.code(), Some(0));
        assert!(!text(&output.stdout).contains("INFO"), "{}", text(&output.stdout));
        text(&output.stderr).to_owned()
    };
    assert_eq!(events(""), "");
    let once = events("-v");
    for event in ["INFO searched turn ", "INFO process ", "INFO game 1 of ab: "] {
        assert!(once.contains(event), "{event} in {once}");
    }
    assert!(!once.contains("DEBUG"), "{once}");
    let twice = events("-vv");
    assert!(
        twice.contains(" > setoption name heuristic value random") && twice.contains(" < readyok"),
        "{twice}"
    );

    let talk = "isready\ndance\nquit\n";
    let output = program::barrow(&["umi", "-vv"], talk);
    assert_eq!(text(&output.stdout), "readyok\nerror: no such command: dance\n");
    let told = text(&output.stderr);
    assert!(told.contains("host > dance") && told.contains("host < error: no such command: dance"), "{told}");
}
