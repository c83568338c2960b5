//! From games to a network file by the commands, and what they say about files that are none.

mod program;

use std::io::{BufRead, BufReader};
use std::path::Path;

use program::{assert_refused, barrow_in as barrow, done, empty_folder as folder, signal, start};
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
fn files_that_are_no_networks_are_refused_in_one_line() {
    let folder = folder("refused");
    std::fs::write(folder.join("text"), "not a network").unwrap();
    assert_refused(&barrow(&folder, &["net", "missing.brw"]), "missing.brw");
    assert_refused(&barrow(&folder, &["net", "text"]), "too short");
    assert_refused(&barrow(&folder, &["quantize", "text", "--out", "x.brw"]), "not a checkpoint");
    assert_refused(&barrow(&folder, &["train", "--data", "text", "--out", "x.brw"]), "line 1");
    assert_refused(&barrow(&folder, &["train", "--games", "2", "--rate", "0", "--out", "x.brw"]), "--rate");
    assert_refused(&barrow(&folder, &["train", "--games", "2", "--from", "text", "--out", "x.brw"]), "text");
    assert_refused(
        &barrow(&folder, &["selfplay", "--games", "1", "--out", "no/such/folder"]),
        "no/such/folder",
    );
    assert_eq!(barrow(&folder, &["train", "--games", "0", "--out", "x.brw"]).status.code(), Some(2));
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

#[cfg(unix)]
#[test]
fn ctrl_c_ends_training_with_the_network_so_far() {
    let folder = folder("interrupted");
    let train = ["train", "--profile", "tiny", "--games", "17", "--epochs", "10000", "--out", "net.brw"];
    let mut child = start(&folder, &[&train[..], &["--json"]].concat());
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    while !lines.next().unwrap().unwrap().starts_with("epoch 1:") {}
    signal(&child, "INT");
    let rest: Vec<String> = lines.map(Result::unwrap).collect();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let report: Value = serde_json::from_str(rest.last().unwrap()).unwrap();
    assert_eq!(report["interrupted"], true);
    done(&barrow(&folder, &["net", "net.brw"]));
}
