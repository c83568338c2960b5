//! `barrow calibrate`: the numbers shown to users hold on games that nothing was learnt from.

mod program;

use std::fs;
use std::path::Path;

use program::{assert_refused, barrow_in as barrow, done, empty_folder as folder, text};

/// The sample of games that comes with the sources; the shipped networks did not learn from it.
fn sample() -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data/sample.jsonl.gz").display().to_string()
}

#[test]
fn win_chances_hold_on_the_sample() {
    let folder = folder("calibration");
    let calibrate =
        ["calibrate", "--every", "1", "--csv", "table.csv", "--svg", "picture.svg", "--json", "--data"];
    let sample = sample();
    let calibrate = [&calibrate[..], &[&sample]].concat();
    let output = barrow(&folder, &calibrate);
    let report = done(&output);
    assert_eq!(report["games"], 24);
    let [network, search] = [0, 1].map(|index| &report["reports"][index]);
    assert_eq!((&network["source"], &search["source"]), (&"network".into(), &"search of the games".into()));
    let number = |value: &serde_json::Value| value.as_f64().unwrap();
    // The sample is of players before the present networks, whose mistakes they do not foresee.
    for (source, largest) in [(network, 0.205), (search, 0.2)] {
        assert_eq!(source["outcome"]["count"], report["positions"]);
        assert!(number(&source["outcome"]["brier"]) < largest, "{source}");
    }
    assert!(network["error"]["shown"]["count"].as_u64().unwrap() > 600, "{network}");
    // The sample is older than the visits that a search's deviation follows from.
    assert!(search["error"].is_null());
    let csv = fs::read_to_string(folder.join("table.csv")).unwrap();
    assert!(
        csv.starts_with("source,of,from,to,count,predicted,real\nnetwork,win chance,0.0000,0.1000,"),
        "{csv}"
    );
    assert!(
        csv.contains("\nnetwork,shown error,") && csv.contains("\nsearch of the games,win chance,"),
        "{csv}"
    );
    let svg = fs::read_to_string(folder.join("picture.svg")).unwrap();
    assert!(
        svg.contains("desktop: win chance and results") && svg.matches("<polyline").count() == 5,
        "{svg}"
    );
    assert!(text(&output.stderr).contains("network: errors of "), "{}", text(&output.stderr));
    assert_refused(&barrow(&folder, &calibrate), "table.csv: exists already");
}

#[test]
fn expected_errors_hold_on_new_games() {
    let folder = folder("calibration-errors");
    let play = ["selfplay", "--player", "builtin:mcts,nodes=24,hash=4", "--boards", "1-2", "--games", "48"];
    done(&barrow(&folder, &[&play[..], &["--seed", "3", "--out", "games.gz"]].concat()));
    let report = done(&barrow(&folder, &["calibrate", "--every", "1", "--json", "--data", "games.gz"]));
    let [network, search] = [0, 1].map(|index| &report["reports"][index]);
    // The map of searches is made for 80 nodes.
    for (source, off, apart) in [(network, 0.02, 0.025), (search, 0.025, 0.03)] {
        let shown = &source["error"]["shown"];
        let number = |key| shown[key].as_f64().unwrap();
        assert!((number("predicted") - number("real")).abs() < off && number("gap") < apart, "{shown}");
        assert!(number("gap") < source["error"]["raw"]["gap"].as_f64().unwrap(), "{source}");
    }
}

#[test]
fn searches_of_new_games_are_judged_by_the_deviation_of_their_values() {
    let folder = folder("calibration-search");
    let play = ["selfplay", "--player", "builtin:mcts,nodes=12,hash=4", "--boards", "1", "--games", "6"];
    done(&barrow(&folder, &[&play[..], &["--out", "games.gz"]].concat()));
    let calibrate = ["calibrate", "--every", "2", "--nodes", "10", "--positions", "6", "--json", "--data"];
    let output = barrow(&folder, &[&calibrate[..], &["games.gz"]].concat());
    let report = done(&output);
    assert_eq!(report["games"], 3);
    let [games, anew] = [1, 2].map(|index| &report["reports"][index]);
    assert_eq!((&anew["source"], &anew["outcome"]), (&"search anew".into(), &serde_json::Value::Null));
    for source in [games, anew] {
        let error = &source["error"];
        assert!(error["shown"]["count"].as_u64().unwrap() > 5, "{error}");
        assert!(error["interval"]["count"] == error["shown"]["count"], "{error}");
    }
    assert_eq!(done(&barrow(&folder, &[&calibrate[..], &["games.gz"]].concat())), report);
}

#[test]
fn annotated_games_count_by_their_result_and_without_one_not_at_all() {
    let folder = folder("calibration-cut");
    done(&barrow(&folder, &["selfplay", "--games", "20", "--boards", "1", "--out", "games.jsonl"]));
    done(&barrow(&folder, &["convert", "games.jsonl", "--to", "mgn", "--out", "games.mgn"]));
    let whole = fs::read_to_string(folder.join("games.mgn")).unwrap();
    // Each game up to its tenth turn, with an ending that follows from its number.
    let cut = |ending: &dyn Fn(usize) -> &'static str| {
        let cut = |(number, game): (usize, &str)| {
            let (end, turn) = game.match_indices("\nendturn\n").nth(9).unwrap();
            format!("[Mgn {}{}", &game[..end + turn.len()], ending(number))
        };
        whole.split("[Mgn ").skip(1).enumerate().map(cut).collect::<Vec<_>>().join("\n")
    };
    let calibrate = ["calibrate", "--every", "1", "--json", "--data", "cut.mgn"];
    let brier = |ending: &dyn Fn(usize) -> &'static str| {
        fs::write(folder.join("cut.mgn"), cut(ending)).unwrap();
        let report = done(&barrow(&folder, &calibrate));
        let reports = &report["reports"][0]["outcome"]["brier"];
        (report["games"].as_u64().unwrap(), report["unfinished"].as_u64().unwrap(), reports.as_f64().unwrap())
    };
    let (games, unfinished, won) = brier(&|_| "result Yellow resignation\n");
    assert_eq!((games, unfinished), (20, 0));
    let drawn = brier(&|_| "result draw turns\n").2;
    assert!((won - drawn).abs() > 0.02, "{won} {drawn}");
    // Fragments and games that were left do not count, wherever they stand.
    let mixed = |number| match number % 4 {
        0 => "result Yellow resignation\n",
        1 => "result Blue fault no turn in time\n",
        2 => "result none unfinished\n",
        _ => "",
    };
    let (games, unfinished, _) = brier(&mixed);
    assert_eq!((games, unfinished), (10, 10));
    let train =
        ["train", "--profile", "tiny", "--epochs", "1", "--out", "net", "--json", "--data", "cut.mgn"];
    let output = barrow(&folder, &train);
    let report = done(&output);
    assert_eq!((report["games"].as_u64(), report["unfinished"].as_u64()), (Some(10), Some(10)));
    assert_eq!(report["damaged"], 0);
    assert!(text(&output.stderr).contains("; 10 unfinished games left out\n"), "{}", text(&output.stderr));
    fs::write(folder.join("cut.mgn"), cut(&|_| "result none unfinished\n")).unwrap();
    assert_refused(&barrow(&folder, &calibrate), "cut.mgn: no game is over or has a result");
}

#[test]
fn what_is_no_game_is_refused() {
    let folder = folder("calibration-refused");
    fs::write(folder.join("text"), "no game\n").unwrap();
    fs::write(folder.join("empty"), "").unwrap();
    assert_refused(&barrow(&folder, &["calibrate", "--data", "text"]), "text: line 1");
    assert_refused(&barrow(&folder, &["calibrate", "--data", "empty"]), "empty: no games");
    assert_refused(&barrow(&folder, &["calibrate", "--data", "missing"]), "missing");
    assert_refused(&barrow(&folder, &["calibrate", "--data", "text", "--net", "text"]), "too short");
    assert_eq!(barrow(&folder, &["calibrate"]).status.code(), Some(2));
    assert_eq!(barrow(&folder, &["calibrate", "--data", "text", "--every", "0"]).status.code(), Some(2));
}
