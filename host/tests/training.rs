//! From games to a network file by the commands, and what they say about files that are none.

mod program;

use std::io::{BufRead, BufReader};
use std::path::Path;

use program::{
    assert_misused, assert_refused, barrow_in as barrow, done, empty_folder as folder, signal, start,
};
use serde_json::Value;

#[test]
fn from_games_to_a_network_and_back_to_its_checkpoint() {
    let folder = folder("pipeline");
    let report = done(&barrow(&folder, &["selfplay", "--games", "17", "--out", "games.gz", "--json"]));
    assert_eq!(report["games"], 17);
    let train = ["train", "--profile", "tiny", "--data", "games.gz", "--epochs", "2", "--out", "net.brw"];
    let report = done(&barrow(
        &folder,
        &[&train[..], &["--checkpoint", "net.float", "--note", "here", "--json"]].concat(),
    ));
    assert_eq!((report["games"].as_u64(), report["profile"].as_str()), (Some(17), Some("tiny")));
    let positions = report["positions"].as_u64().unwrap();
    assert_eq!(report["learnt"].as_u64(), Some(2 * positions));
    assert!(report["marks"].as_array().unwrap().len() > 8);
    assert!(report["rounding"]["oracle"]["mean"].as_f64().unwrap() < 0.02);

    let network = std::fs::read(folder.join("net.brw")).unwrap();
    assert_eq!(report["bytes"].as_u64(), Some(network.len() as u64));
    let header = done(&barrow(&folder, &["net", "net.brw", "--json"]));
    let provenance = header["provenance"].as_str().unwrap();
    assert!(provenance.starts_with("file, 17 games") && provenance.ends_with("here"), "{provenance}");
    done(&barrow(&folder, &["quantize", "net.float", "--out", "again.brw"]));
    assert_eq!(std::fs::read(folder.join("again.brw")).unwrap(), network);

    // The same games without the detour over text give the same network.
    let direct = ["train", "--profile", "tiny", "--games", "17", "--epochs", "2", "--out", "direct.brw"];
    done(&barrow(&folder, &direct));
    let direct = std::fs::read(folder.join("direct.brw")).unwrap();
    assert!(direct[256..] == network[256..]);

    let further =
        ["train", "--profile", "tiny", "--games", "17", "--from", "net.float", "--out", "further.brw"];
    done(&barrow(&folder, &further));
}

#[test]
fn shards_together_hold_the_games_of_one_run_and_a_search_plays_them() {
    let folder = folder("shards");
    let play = ["selfplay", "--player", "builtin:mcts,nodes=6,hash=4", "--opponent", "builtin:greedy"];
    let play = [&play[..], &["--boards", "1", "--seed", "8"]].concat();
    let lines = |name: &str| -> Vec<String> {
        std::fs::read_to_string(folder.join(name)).unwrap().lines().map(str::to_owned).collect()
    };
    done(&barrow(&folder, &[&play[..], &["--games", "4", "--out", "all"]].concat()));
    for (shard, name) in [("0/2", "even"), ("1/2", "odd")] {
        done(&barrow(&folder, &[&play[..], &["--games", "2", "--shard", shard, "--out", name]].concat()));
    }
    let [all, even, odd] = ["all", "even", "odd"].map(lines);
    assert!(all.iter().eq([&even[0], &odd[0], &even[1], &odd[1]]));
    assert!(all[0].contains("\"roots\":["), "a search leaves its roots");
    done(&barrow(
        &folder,
        &[&play[..], &["--games", "3", "--shard", "1/2", "--out", "odd", "--resume"]].concat(),
    ));
    assert_eq!(lines("odd")[..2], odd);
    let other = [&play[..], &["--games", "4", "--shard", "0/2", "--out", "odd", "--resume"]].concat();
    assert_refused(&barrow(&folder, &other), "shard");
    assert_eq!(barrow(&folder, &["selfplay", "--shard", "2/2", "--out", "x"]).status.code(), Some(2));
}

#[test]
fn handicaps_are_the_same_in_one_run_in_shards_and_after_a_cut() {
    let folder = folder("handicaps");
    let play =
        ["selfplay", "--ruleset", "mixed", "--boards", "1", "--seed", "8", "--handicaps", "0.4", "--json"];
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    let lines = |name: &str| -> Vec<String> { read(name).lines().map(str::to_owned).collect() };
    let report = done(&barrow(&folder, &[&play[..], &["--games", "70", "--out", "all"]].concat()));
    assert!((10..50).contains(&report["handicapped"].as_u64().unwrap()), "{report}");
    for (shard, name) in [("0/2", "even"), ("1/2", "odd")] {
        done(&barrow(&folder, &[&play[..], &["--games", "35", "--shard", shard, "--out", name]].concat()));
    }
    let (all, even, odd) = (lines("all"), lines("even"), lines("odd"));
    assert!(all.iter().eq(even.iter().zip(&odd).flat_map(|(even, odd)| [even, odd])));
    let whole = read("all");
    std::fs::write(folder.join("all"), &whole[..whole.len() - 900]).unwrap();
    let resume = |more: &[&str]| {
        barrow(&folder, &[&play[..], &["--games", "70", "--out", "all", "--resume"], more].concat())
    };
    // Other openings are found wherever they differ, whatever the last game is.
    for other in [["--handicaps", "0"], ["--handicaps", "1"], ["--ruleset", "server"], ["--boards", "1-2"]] {
        let rest: Vec<&str> =
            play[1..].chunks(2).filter(|pair| pair[0] != other[0]).flatten().copied().collect();
        let rest =
            [&["selfplay"], &rest[..], &other, &["--games", "70", "--out", "all", "--resume"]].concat();
        assert_refused(&barrow(&folder, &rest), "handicaps");
    }
    done(&resume(&[]));
    assert!(read("all") == whole);
    assert_eq!(barrow(&folder, &["selfplay", "--handicaps", "1.5", "--out", "x"]).status.code(), Some(2));
}

#[cfg(unix)]
#[test]
fn games_are_the_same_wherever_ctrl_c_has_cut_a_block() {
    let folder = folder("cut-blocks");
    let play = ["selfplay", "--player", "builtin:mcts,nodes=4,hash=4", "--boards", "1", "--seed", "6"];
    let lines = |name: &str| {
        let file = std::fs::File::open(folder.join(name)).unwrap();
        BufReader::new(flate2::read::MultiGzDecoder::new(file))
            .lines()
            .collect::<Result<Vec<_>, _>>()
            .unwrap()
    };
    let mut child = start(&folder, &[&play[..], &["--games", "100000", "--out", "cut.gz"]].concat());
    while std::fs::metadata(folder.join("cut.gz")).map_or(0, |file| file.len()) == 0 {
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    signal(&child, "INT");
    child.wait().unwrap();
    let games = (lines("cut.gz").len() + 70).to_string();
    done(&barrow(&folder, &[&play[..], &["--games", &games, "--out", "cut.gz", "--resume"]].concat()));
    done(&barrow(&folder, &[&play[..], &["--games", &games, "--out", "whole.gz"]].concat()));
    assert!(lines("cut.gz") == lines("whole.gz"));
}

#[test]
fn files_that_are_no_networks_are_refused_in_one_line() {
    let folder = folder("refused");
    std::fs::write(folder.join("text"), "not a network").unwrap();
    assert_refused(&barrow(&folder, &["net", "missing.brw"]), "missing.brw");
    assert_refused(&barrow(&folder, &["net", "text"]), "too short");
    assert_refused(&barrow(&folder, &["quantize", "text", "--out", "x.brw"]), "not a checkpoint");
    // Before the games are read, which may take long.
    let resume = ["train", "--data", "missing", "--resume", "text", "--out", "x.brw"];
    assert_refused(&barrow(&folder, &resume), "text: not a checkpoint");
    assert_refused(&barrow(&folder, &["train", "--data", "text", "--out", "x.brw"]), "line 1");
    assert_refused(&barrow(&folder, &["train", "--games", "2", "--from", "text", "--out", "x.brw"]), "text");
    assert_refused(
        &barrow(&folder, &["selfplay", "--games", "1", "--out", "no/such/folder"]),
        "no/such/folder",
    );
    assert_eq!(barrow(&folder, &["train", "--games", "0", "--out", "x.brw"]).status.code(), Some(2));
    assert_eq!(barrow(&folder, &["train", "--curve", "x.txt", "--out", "x.brw"]).status.code(), Some(2));
    assert_eq!(barrow(&folder, &["train", "--average", "1", "--out", "x.brw"]).status.code(), Some(2));
    assert_refused(&barrow(&folder, &["train", "--resume", "missing", "--out", "x.brw"]), "missing");
}

#[test]
fn a_device_that_cannot_train_is_refused_in_one_line() {
    let folder = folder("device");
    let on = |more: &[&str]| {
        barrow(&folder, &[&["train", "--games", "2", "--out", "x.brw", "--device"][..], more].concat())
    };
    if !cfg!(feature = "burn") {
        assert_refused(&on(&["burn"]), "--features burn");
    }
    if !cfg!(feature = "cuda") {
        assert_refused(&on(&["cuda"]), "--features cuda");
    }
    assert_refused(&on(&["burn", "--only", "seer"]), "--only");
    assert_refused(&on(&["burn", "--batch", "65537"]), "at most 65536 positions");
    assert_eq!(on(&["abacus"]).status.code(), Some(2));
    assert!(!folder.join("x.brw").exists());
}

#[test]
fn a_training_that_leaves_all_bounds_writes_nothing() {
    let folder = folder("diverged");
    let files = ["net", "state", "loss.csv", "loss.svg"];
    for name in files {
        std::fs::write(folder.join(name), "kept").unwrap();
    }
    let train = ["train", "--profile", "tiny", "--data", &sample(), "--turns", "32", "--epochs", "2"];
    let files_of = ["--out", "net", "--checkpoint", "state", "--curve", "loss.csv", "--force"];
    for rate in ["1e38", "3e38"] {
        let output = barrow(&folder, &[&train[..], &files_of, &["--batch", "64", "--rate", rate]].concat());
        assert_eq!(output.status.code(), Some(1));
        let said = std::str::from_utf8(&output.stderr).unwrap();
        let complaints: Vec<&str> = said.lines().filter(|line| line.starts_with("barrow: ")).collect();
        assert!(complaints.len() == 1 && complaints[0].contains("are no numbers any more"), "{said}");
        for name in files {
            assert_eq!(std::fs::read(folder.join(name)).unwrap(), b"kept", "{name}");
        }
    }
}

#[test]
fn a_judge_of_places_is_refused_where_no_places_are_learnt() {
    let folder = folder("judge");
    let train = ["train", "--profile", "tiny", "--out", "net", "--judge", "missing", "--only"];
    let judged = |net| barrow(&folder, &[&train[..], &[net]].concat());
    assert_misused(&judged("general"), "--judge is for Dark Seer, which --only general leaves as it is");
    assert_refused(&judged("seer"), "missing");
    assert!(std::fs::read_dir(&folder).unwrap().next().is_none());
}

#[test]
fn a_damaged_network_is_refused() {
    let folder = folder("damaged");
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("../nnue/nets/tiny.brw");
    let whole = std::fs::read(shipped).unwrap();
    let mut flipped = whole.clone();
    flipped[5_000] ^= 4;
    for (name, bytes, what) in [
        ("flipped", &flipped[..], "damaged"),
        ("short", &whole[..whole.len() - 1], "ends after"),
        ("long", &[&whole[..], b"x"].concat(), "expected"),
        ("head", &whole[..200], "too short"),
    ] {
        std::fs::write(folder.join(name), bytes).unwrap();
        assert_refused(&barrow(&folder, &["net", name]), what);
    }
}

#[test]
fn the_shipped_networks_are_whole_and_trained() {
    let folder = folder("shipped");
    for profile in ["desktop", "handheld", "tiny"] {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../nnue/nets").join(format!("{profile}.brw"));
        let header = done(&barrow(&folder, &["net", file.to_str().unwrap(), "--json"]));
        assert_eq!(header["profile"], profile);
        assert!(header["provenance"].as_str().unwrap().contains("win loss"));
        let limit = if profile == "tiny" { 256 * 1024 } else { 8 * 1024 * 1024 };
        assert!(header["bytes"].as_u64().unwrap() <= limit);
    }
}

/// The sample of games that comes with the sources: `barrow selfplay --player builtin:mcts,nodes=40,hash=4 --boards 1-2
/// --games 24 --seed 77 --handicaps 0`.
fn sample() -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data/sample.jsonl.gz").display().to_string()
}

#[test]
fn the_sample_trains_a_tiny_network_whose_loss_falls() {
    let folder = folder("sample");
    assert!(std::fs::metadata(sample()).unwrap().len() <= 1 << 20);
    let train = [
        "train",
        "--profile",
        "tiny",
        "--data",
        &sample(),
        "--turns",
        "48",
        "--epochs",
        "4",
        "--batch",
        "64",
    ];
    let train = [&train[..], &["--rate", "4e-3", "--out", "net", "--curve", "loss.csv", "--json"]].concat();
    let report = done(&barrow(&folder, &train));
    assert_eq!((report["games"].as_u64(), report["damaged"].as_u64()), (Some(24), Some(0)));
    let csv = std::fs::read_to_string(folder.join("loss.csv")).unwrap();
    let rows: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows[0], ["step", "positions", "rate", "training_loss", "held_out_loss", "win_loss"]);
    let column = |index: usize| -> Vec<f64> {
        rows[1..].iter().filter(|row| !row[index].is_empty()).map(|row| row[index].parse().unwrap()).collect()
    };
    let (training, held_out) = (column(3), column(4));
    assert_eq!(held_out.len(), 4);
    assert!(column(2).iter().all(|rate| (1e-5..=4e-3).contains(rate)), "{csv}");
    assert!(training.last().unwrap() < &(0.8 * training[0]), "{csv}");
    assert!(held_out[3] < held_out[0], "{csv}");
    assert!((held_out[3] - report["loss"].as_f64().unwrap()).abs() < 1e-5);
    let svg = std::fs::read_to_string(folder.join("loss.svg")).unwrap();
    assert!(svg.starts_with("<svg") && svg.matches("<polyline").count() == 3);
    assert_refused(&barrow(&folder, &train), "exists already");
}

/// Starts a training and waits until it has written a checkpoint.
#[cfg(unix)]
fn start_training(folder: &Path, arguments: &[&str]) -> std::process::Child {
    let child = start(folder, &[arguments, &["--checkpoint", "state"]].concat());
    while !folder.join("state").exists() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    child
}

#[cfg(unix)]
#[test]
fn training_that_is_killed_or_ended_goes_on_to_the_same_network() {
    let folder = folder("resumed");
    let train = [
        "train",
        "--profile",
        "tiny",
        "--data",
        &sample(),
        "--turns",
        "32",
        "--epochs",
        "6",
        "--batch",
        "32",
    ];
    let train = [&train[..], &["--average", "0.9", "--out", "net"]].concat();
    let report = done(&barrow(&folder, &[&train[..], &["--curve", "whole.csv", "--json"]].concat()));
    let whole = std::fs::read(folder.join("net")).unwrap();
    for name in ["KILL", "INT"] {
        let _ = std::fs::remove_file(folder.join("net"));
        let _ = std::fs::remove_file(folder.join("state"));
        let mut child = start_training(&folder, &train);
        signal(&child, name);
        child.wait().unwrap();
        // Ctrl-C writes the network so far.
        let _ = std::fs::remove_file(folder.join("net"));
        let other = [&train[..], &["--rate", "0.1", "--resume", "state"]].concat();
        assert_refused(&barrow(&folder, &other), "rate 0.0015 there, rate 0.1 here");
        let resume = [&train[..], &["--resume", "state", "--curve", "again.csv", "--force"]].concat();
        let again = done(&barrow(&folder, &[&resume[..], &["--json"]].concat()));
        assert_eq!((&again["marks"], &again["steps"]), (&report["marks"], &report["steps"]), "{name}");
        assert!(std::fs::read(folder.join("net")).unwrap() == whole, "{name}");
        let curve = |name: &str| std::fs::read(folder.join(name)).unwrap();
        assert!(curve("whole.csv") == curve("again.csv") && curve("whole.svg") == curve("again.svg"));
        assert_refused(&barrow(&folder, &resume), "that is done");
    }
}

#[cfg(unix)]
#[test]
fn a_training_that_ended_before_its_network_was_written_ends_as_it_would_have() {
    let folder = folder("resumed-at-the-end");
    let train = ["train", "--profile", "tiny", "--data", &sample(), "--turns", "32", "--epochs", "4"];
    let train = [&train[..], &["--batch", "32", "--only", "seer"]].concat();
    let whole = ["--out", "whole", "--checkpoint", "whole.state", "--curve", "whole.csv", "--json"];
    let mut report = done(&barrow(&folder, &[&train[..], &whole].concat()));
    let header = done(&barrow(&folder, &["net", "whole", "--json"]));
    let provenance = header["provenance"].as_str().unwrap();
    assert!(provenance.contains(", 4 epochs, "), "{provenance}");
    // Its place goes while it learns, so that the network cannot be written when all epochs are over.
    let place = folder.join("place");
    std::fs::create_dir(&place).unwrap();
    let child =
        start_training(&folder, &[&train[..], &["--out", "place/net", "--curve", "again.csv"]].concat());
    std::fs::rename(&place, folder.join("elsewhere")).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    std::fs::create_dir(&place).unwrap();
    let resume = ["--out", "place/net", "--resume", "state", "--curve", "again.csv"];
    let resume = [&train[..], &resume].concat();
    let output = barrow(&folder, &[&resume[..], &["--json"]].concat());
    let mut again = done(&output);
    let said = std::str::from_utf8(&output.stderr).unwrap();
    assert!(said.contains("state: all epochs are over; what is not written yet is written now"), "{said}");
    for report in [&mut report, &mut again] {
        report.as_object_mut().unwrap().remove("positions_per_second").unwrap();
    }
    assert_eq!(again, report);
    for (again, whole) in [
        ("place/net", "whole"),
        ("state", "whole.state"),
        ("again.csv", "whole.csv"),
        ("again.svg", "whole.svg"),
    ] {
        let read = |name| std::fs::read(folder.join(name)).unwrap();
        assert!(read(again) == read(whole), "{again}");
    }
    assert_refused(&barrow(&folder, &[&resume[..], &["--force"]].concat()), "that is done");
}

#[cfg(unix)]
#[test]
fn a_second_ctrl_c_leaves_nothing_behind() {
    let folder = folder("twice");
    // One batch of everything takes long enough to be interrupted twice.
    let train =
        ["train", "--profile", "desktop", "--data", &sample(), "--epochs", "9999", "--batch", "1000000"];
    let mut child = start(
        &folder,
        &[&train[..], &["--out", "net", "--checkpoint", "state", "--curve", "a.csv"]].concat(),
    );
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    lines.next().unwrap().unwrap();
    let parts = || std::fs::read_dir(&folder).unwrap().count();
    assert!(parts() >= 4, "outputs are open");
    for _ in 0..200 {
        // Once the first has been seen; the second ends the program at once.
        let sent = std::process::Command::new("kill").args(["-s", "INT", &child.id().to_string()]).status();
        if !sent.unwrap().success() || child.try_wait().unwrap().is_some() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(parts(), 0, "{:?}", std::fs::read_dir(&folder).unwrap().collect::<Vec<_>>());
}

#[test]
fn several_files_are_learnt_from_and_damage_is_left_out() {
    let folder = folder("several");
    let whole = std::fs::read(sample()).unwrap();
    let mut damaged = whole.clone();
    damaged[whole.len() / 2] ^= 1;
    std::fs::write(folder.join("damaged.gz"), &damaged).unwrap();
    done(&barrow(&folder, &["selfplay", "--games", "18", "--boards", "1", "--out", "games"]));
    let text = std::fs::read_to_string(folder.join("games")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    std::fs::write(folder.join("games"), lines.join("\n").replacen(lines[3], "{\"start\":", 1)).unwrap();
    let train =
        ["train", "--profile", "tiny", "--turns", "32", "--epochs", "1", "--out", "net", "--json", "--data"];
    let output = barrow(&folder, &[&train[..], &["damaged.gz", "games", "--data", "games"]].concat());
    let report = done(&output);
    assert_eq!(report["games"], 34);
    assert_eq!(report["damaged"], 3);
    assert!(report["duplicates"].as_u64().unwrap() > 100);
    let said = std::str::from_utf8(&output.stderr).unwrap().lines();
    let warnings: Vec<&str> = said.filter(|line| line.starts_with("barrow: ")).collect();
    assert_eq!(warnings.len(), 3, "{warnings:?}");
    assert!(warnings[0].starts_with("barrow: warning: damaged.gz: bytes 0 to "), "{warnings:?}");
    assert!(warnings[0].ends_with("; left out") && warnings[1].contains("games: line 4: "), "{warnings:?}");
    let train = ["train", "--profile", "tiny", "--out", "net", "--force", "--data", "games", "missing"];
    assert_refused(&barrow(&folder, &train), "missing");
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_training_with_the_network_so_far() {
    let folder = folder("interrupted");
    let train = ["train", "--profile", "tiny", "--games", "17", "--epochs", "10000", "--out", "net.brw"];
    let mut child = start(&folder, &[&train[..], &["--json"]].concat());
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    while !lines.next().unwrap().unwrap().starts_with("epoch 1:") {}
    signal(&child, "INT");
    lines.for_each(drop);
    let report: Value = serde_json::from_reader(child.stdout.take().unwrap()).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(report["interrupted"], true);
    done(&barrow(&folder, &["net", "net.brw"]));
}
