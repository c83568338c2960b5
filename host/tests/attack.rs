//! `barrow attack` reads each line of its file under the right rules.

mod program;

use program::{assert_misused, barrow, last_line};

/// Number of removals that the plans on these lines grant.
fn accepted(arguments: &[&str], lines: &str) -> u64 {
    let output = barrow(&[&["attack", "-", "--json", "--rounds", "1"], arguments].concat(), lines);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    last_line(&output)["accepted"].as_u64().unwrap()
}

/// A sorcerer on the far side of the lake from a zombie: only one that flies comes near enough.
const LAKE: &str = "0|0 0|0 LLLLLLLLLLLLLLLLLLLLLLLLL|LLLLLLLLLLLLLLLLLLLLLLLLL \
                    n|||||0/0/0/0/0/0/0/0/0/0 n|||||0/0/0/4z2U2/0/0/0/0/0/0 0 3";

#[test]
fn the_rules_are_those_of_the_line_or_else_those_asked_for() {
    assert_eq!(accepted(&[], LAKE), 0);
    assert_eq!(accepted(&["--ruleset", "spooky"], LAKE), 0);
    assert_eq!(accepted(&["--ruleset", "server"], LAKE), 1);
    let shown = last_line(&barrow(&["show", "--json", "--ruleset", "server", "-"], LAKE));
    let extended = shown["fen"].as_str().unwrap();
    assert!(extended.contains("cfg=server"), "{extended}");
    assert_eq!(accepted(&[], extended), 1);
    // Lines of both forms stand beside each other; what one says itself is not passed over for an argument.
    let both = format!("{LAKE}\n\n{extended}\n");
    assert_eq!(accepted(&[], &both), 1);
    assert_eq!(accepted(&["--ruleset", "server"], &both), 2);
    let refused = barrow(&["attack", "-", "--ruleset", "spooky"], &both);
    assert_misused(&refused, "--ruleset: -: line 3 is a position under the ruleset server");
}

#[test]
fn remarks_and_a_byte_order_mark_are_no_positions() {
    let server = ["--ruleset", "server"];
    assert_eq!(accepted(&server, &format!("\u{feff}# a lake\n\n  {LAKE}  \n#\n")), 1);
    let shown = |mark: &str| barrow(&["show", "--json", "-"], &format!("{mark}{LAKE}\n"));
    assert_eq!(last_line(&shown("\u{feff}")), last_line(&shown("")));
    for subject in ["optimism", "threads"] {
        let bench = ["bench", subject, "--movetime", "1", "--positions", "-"];
        let output = barrow(&bench, &format!("# a lake\n{LAKE}\n"));
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        let output = barrow(&bench, "# nonsense\n0|0 what\n");
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(complaint.starts_with("barrow: -: line 2: column "), "{complaint}");
    }
}

#[test]
fn other_maps_can_be_asked_for() {
    let dry = ["--config", "2 AllLand,AllLand S"];
    let short = LAKE.replace("LLLLLLLLLLLLLLLLLLLLLLLLL", "L");
    assert_eq!(accepted(&dry, &short), 1);
}

#[test]
fn bad_rules_are_bad_usage_and_bad_lines_are_named() {
    assert_eq!(barrow(&["attack", "-", "--ruleset", "chess"], "").status.code(), Some(2));
    let output = barrow(&["attack", "-"], &format!("{LAKE}\n0|0 what\n"));
    assert_eq!(output.status.code(), Some(1));
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert!(complaint.lines().count() == 1 && complaint.contains("-: line 2: column"), "{complaint}");
}

/// A board without a free hex: fifty zombies of either side in rows of their own.
const FULL: &str = "0|0 0|0 LLLLLLLLLLLLLLLLLLLLLLLLL|LLLLLLLLLLLLLLLLLLLLLLLLL \
                    n|||||0/0/0/0/0/0/0/0/0/0 n|||||ZZZZZZZZZZ/zzzzzzzzzz/ZZZZZZZZZZ/zzzzzzzzzz/ZZZZZZZZZZ/zzzzzzzzzz/\
                    ZZZZZZZZZZ/zzzzzzzzzz/ZZZZZZZZZZ/zzzzzzzzzz 0 3";

#[test]
fn a_crowded_board_ends_no_file() {
    let output = barrow(&["attack", "-", "--json", "--rounds", "1"], &format!("{FULL}\n{LAKE}\n{FULL}\n"));
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let report = last_line(&output);
    assert_eq!([&report["boards"], &report["proved"]].map(serde_json::Value::as_u64), [Some(6); 2]);
    assert_eq!([&report["refused"], &report["reduced"]].map(serde_json::Value::as_u64), [Some(0); 2]);
    assert!(report["accepted"].as_u64() > Some(20), "{report}");
}

#[test]
fn a_game_that_is_over_ends_no_file_but_is_no_success() {
    let over = LAKE.replacen("0|0 0|0 ", "0|0 9|0 ", 1);
    let output = barrow(&["attack", "-", "--json", "--rounds", "1"], &format!("{over}\n{LAKE}\n"));
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{complaint}");
    assert!(complaint.starts_with("barrow: -: line 1: board 0: the game is over\n"), "{complaint}");
    let report = last_line(&output);
    assert_eq!([&report["boards"], &report["refused"]].map(serde_json::Value::as_u64), [Some(2); 2]);
    let output = barrow(&["attack", "-"], &over);
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{complaint}");
    assert!(complaint.ends_with("barrow: -: every board was refused\n"), "{complaint}");
    let output = barrow(&["attack", "-"], "# no more than this\n");
    assert_eq!(output.stderr, b"barrow: -: no position\n");
}

/// A board with ninety pieces, units of both sides mixed, and another with fewer.
const MELEE: &str = "15|19 0|1 AAUUAAAUAAAUAUUAUAAUAUAAU|UUAAUUUAUUUAUAAUAUUAUAUUA \
                     n|||||CiZmRZZjrX/MVxkPAQkib/v1sQaNGCQM/sQZBSCQnRd/ZpeO2zZOz/KZzUhzzbaO/vZ1cAo1CZu/EaeoVGejPz/1S1rzYgaiH/CvsbqzCCmx \
                     n|||||QZQ1KjbvgN/J2jwZz2B/ZAYg1Sncgg/ZtCgU1Aloi/Ydgpa1R1jz/j1z1ZJgY1t/1d3kgQeS/IMTMz1zgeQ/1Y1le1gOzi/uWaQWIzRvW 1 38";

#[test]
fn a_small_budget_still_gives_a_plan() {
    let output = barrow(&["attack", "-", "--json", "--rounds", "1", "--budget", "0"], MELEE);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let report = last_line(&output);
    assert_eq!([&report["boards"], &report["refused"]].map(serde_json::Value::as_u64), [Some(2), Some(0)]);
    assert!(report["proved"].as_u64() < Some(2), "{report}");
}
