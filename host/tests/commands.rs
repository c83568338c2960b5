//! The commands as a user meets them: output, JSON on the last line, exit codes.

mod program;

use serde_json::{Value, json};

use program::{assert_misused, assert_refused, barrow, done, last_line, text};

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn analyze_needs_no_arguments() {
    let output = barrow(&["analyze", "--nodes", "2", "--json"], "");
    assert_eq!(output.status.code(), Some(0));
    let report = last_line(&output);
    assert_eq!(
        keys(&report),
        [
            "boards",
            "candidates",
            "confidence",
            "expected_error",
            "fen",
            "nodes",
            "seconds",
            "side",
            "turn",
            "value",
            "wdl"
        ]
    );
    let (wdl, best) = (report["wdl"].as_array().unwrap(), &report["candidates"][0]);
    let sum: u64 = wdl.iter().filter_map(Value::as_u64).sum();
    assert_eq!((report["side"].as_str(), sum, &best["wdl"]), (Some("Yellow"), 1000, &report["wdl"]));
    assert_eq!(best["actions"].as_array().unwrap().len() + 2, report["turn"].as_array().unwrap().len());
    let sum = report["confidence"].as_f64().unwrap() + report["expected_error"].as_f64().unwrap();
    assert!((sum - 1.0).abs() < 1e-9, "{sum}");
    let turn = report["turn"].as_array().unwrap();
    assert_eq!((turn[0].as_str(), turn[turn.len() - 1].as_str()), (Some("turn"), Some("endturn")));
    assert!(text(&output.stderr).starts_with("Turn 1, Yellow to move\n"));
}

#[test]
fn every_number_of_analyze_and_eval_says_whose_it_is_and_of_what() {
    let output = barrow(&["analyze", "--nodes", "40", "--movetime", "600000", "--json"], "");
    let said = text(&output.stderr);
    let line =
        |start: &str| said.lines().find(|line| line.starts_with(start)).unwrap_or_else(|| panic!("{said}"));
    let report = last_line(&output);
    let percent = |number: &Value| 100.0 * number.as_f64().unwrap();
    assert_eq!(
        line("by the search, "),
        format!(
            "by the search, Yellow wins the game with {:.1}%, give or take {:.0} points",
            percent(&report["value"]),
            percent(&report["expected_error"])
        )
    );
    assert!(line("by the count of material, Yellow is ").contains(" on board 1, "), "{said}");
    assert!(
        line("before any search, ")
            .starts_with("before any search, by the network, Yellow wins the game with ")
    );
    assert!(said.contains("how often Yellow wins with each, give or take points:\n  1. "), "{said}");
    // Candidates can be told apart.
    let listed: Vec<&str> =
        said.lines().filter_map(|line| line.split_once(" visits: ")).map(|(_, words)| words).collect();
    assert!(listed.len() > 1 && listed[1..].iter().all(|words| words.starts_with("as 1, but ")), "{said}");
    assert!((1..listed.len()).all(|place| !listed[..place].contains(&listed[place])), "{said}");
    // Sure of nothing at the start of a game, whoever says it.
    assert!(percent(&report["expected_error"]) > 2.0 && !said.contains("confidence 100%"), "{said}");

    let output = barrow(&["eval", "--json"], "");
    let (said, report) = (text(&output.stderr), last_line(&output));
    let start = format!(
        "\nby the network, Yellow wins the game with {:.1}%, give or take ",
        percent(&report["value"])
    );
    assert!(said.contains(&start) && said.contains("\nby the count of material, Yellow is "), "{said}");
    assert!(said.contains("the next point here, if there is one, is Yellow's with "), "{said}");
    assert!((percent(&report["confidence"]) + percent(&report["expected_error"]) - 100.0).abs() < 1e-9);
}

#[test]
fn rules_print_cards_and_the_tech_line() {
    let card = barrow(&["rules", "unit", "Zombie"], "");
    assert!(text(&card.stdout).starts_with("zombie (Z)\n  costs 2 souls\n"));
    let spooky = barrow(&["rules", "unit", "necromancer", "--ruleset", "spooky"], "");
    assert!(text(&spooky.stdout).contains("earns 1 soul each turn"));
    assert!(text(&barrow(&["rules", "spell", "freeze-ray"], "").stdout).starts_with("freeze_ray\n"));
    assert!(text(&barrow(&["rules", "techs"], "").stdout).contains("\n   24  "));
    assert!(text(&barrow(&["rules", "spell"], "").stdout).lines().count() > 20);
    assert_misused(&barrow(&["rules", "unit", "dragon"], ""), "no such unit: dragon");
    assert_misused(&barrow(&["rules", "spell", "fireball"], ""), "no such spell: fireball");
}

#[test]
fn colours_come_when_they_are_asked_for() {
    let shows = |arguments: &[&str]| text(&barrow(arguments, "").stdout).contains('\u{1b}');
    assert!(!shows(&["show"]) && !shows(&["show", "--color", "never"]));
    assert!(shows(&["show", "--color", "always"]) && shows(&["--color", "always", "show"]));
    assert_eq!(barrow(&["show", "--color", "sometimes"], "").status.code(), Some(2));
}

#[test]
fn with_json_standard_output_is_one_object() {
    let commands: [&[&str]; 10] = [
        &["analyze", "--nodes", "2", "--tree"],
        &["eval"],
        &["show"],
        &["bench", "--nodes", "2"],
        &["perft", "--board", "0"],
        &["net", "../nnue/nets/tiny.brw"],
        &["match", "--a", "builtin:greedy", "--b", "builtin:random", "--games", "2"],
        &["replay", "tests/data/turns.jsonl.gz"],
        &["kutulu", "show"],
        &["ice-and-fire", "show", "--seed", "1"],
    ];
    for command in commands {
        let output = barrow(&[command, &["--json"]].concat(), "");
        assert!(output.status.success(), "{command:?}: {}", text(&output.stderr));
        let lines: Vec<&str> = text(&output.stdout).lines().collect();
        let report: Result<Value, _> = serde_json::from_str(lines[0]);
        assert!(lines.len() == 1 && report.is_ok_and(|report| report.is_object()), "{command:?}: {lines:?}");
    }
}

#[test]
fn perft_says_where_its_limit_ended_the_count() {
    let fen = "4|2 0|0 ULL|LLL n|ZS|z|||0/2ZZ6/2NZ6/2ZZz5/3zz5/2Szz5/7z2/6znz1/6zz2/0 0 5";
    let counted = |limit| {
        let perft = ["perft", fen, "--config", "1 MidnightLake S,P,W", "--limit", limit];
        let output = barrow(&perft, "");
        let report = last_line(&barrow(&[&perft[..], &["--json"]].concat(), ""));
        assert_eq!(report["limited"], limit == "3");
        text(&output.stdout).split(" in ").next().unwrap().to_owned()
    };
    assert_eq!(counted("3"), "3 minimal attacks or more, by --limit,");
    assert_eq!(counted("1000"), "16 minimal attacks");
}

#[test]
fn show_reads_what_it_writes() {
    let first = barrow(&["show", "--json"], "");
    let fen = last_line(&first)["fen"].as_str().unwrap().to_owned();
    let second = barrow(&["show", "--json", "-"], &fen);
    assert_eq!(text(&first.stdout), text(&second.stdout));
    let words: Vec<&str> = ["show", "--json"].into_iter().chain(fen.split(' ')).collect();
    assert_eq!(text(&first.stdout), text(&barrow(&words, "").stdout));
}

#[test]
fn show_marks_where_a_piece_can_go_and_draws_svg() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("board.svg");
    let name = file.to_str().unwrap();
    let shown = ["show", "--board", "1", "--from", "d1", "--svg", name];
    let output = barrow(&shown, "");
    assert!(
        text(&output.stdout).contains("  marked o and !: Yellow's zombie d1 can walk to e1; "),
        "{}",
        text(&output.stdout)
    );
    assert!(!text(&output.stdout).contains("board 0"));
    assert_eq!(std::fs::read_to_string(&file).unwrap().matches("<polygon").count(), 100);
    assert_refused(&barrow(&shown, ""), "exists already");
    assert!(barrow(&[&shown[..], &["--force"]].concat(), "").status.success());
    assert_refused(&barrow(&["show", "--board", "0", "--from", "h7"], ""), "no piece of Yellow");
    for bad in [["--from", "k1"], ["--place", "dragon"]] {
        assert_eq!(barrow(&[&["show", "--board", "0"][..], &bad].concat(), "").status.code(), Some(2));
    }
}

#[test]
fn bad_input_and_bad_usage_are_told_apart() {
    assert_misused(&barrow(&["show", "--from", "d1"], ""), "say which with --board");
    assert_misused(&barrow(&["show", "--board", "2"], ""), "there are 2 boards");
    assert_refused(&barrow(&["show", "1|1 0|0 nonsense"], ""), "column 9");
    assert_refused(&barrow(&["analyze", "Cargo.toml"], ""), "a recorded game is given by --game");
    let one = "4|2 0|0 ULL|LLL n|||||0/0/0/0/0/0/0/0/0/0 0 5";
    assert_refused(
        &barrow(&["show", one], ""),
        "it has 1 of 2 boards (BlackenedShores, MidnightLake): --config",
    );
    assert_refused(&barrow(&["replay", "no such file"], ""), "no such file");
    assert_refused(&barrow(&["replay", "-"], "{}\n"), "line 1");
    assert_eq!(barrow(&["dance"], "").status.code(), Some(2));
    assert_eq!(barrow(&["bench", "--nodes", "0"], "").status.code(), Some(2));
    assert_eq!(barrow(&["--help"], "").status.code(), Some(0));
}

#[test]
fn on_a_pipe_it_speaks_umi() {
    let output = barrow(&[], "umi\ndisplay\nquit\n");
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stdout).contains("\numiok\n") && text(&output.stdout).contains("Yellow to move"));
}

#[test]
fn umi_knows_every_command_that_its_help_lists() {
    let help = barrow(&["umi"], "help\nquit\n");
    let commands = text(&help.stdout).lines().filter(|line| !line.starts_with(' '));
    let names: Vec<&str> = commands.filter_map(|line| line.split([' ', ',']).next()).collect();
    assert!(names.len() > 15, "{names:?}");
    // An argument that none of them knows keeps them from doing their work.
    let mut talk = String::new();
    for name in names {
        talk.extend([name, " ?\n"]);
    }
    let answer = barrow(&["umi"], &talk);
    assert!(!text(&answer.stdout).contains("no such command"), "{}", text(&answer.stdout));
}

#[test]
fn umi_adds_what_was_said_to_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a b.log");
    std::fs::write(&file, "before\n").unwrap();
    let talk = format!(
        "setoption name Debug Log File value {}\nisready\ndance\nsetoption name Debug Log File value <empty>\nisready\n",
        file.display()
    );
    let output = barrow(&["umi"], &talk);
    assert_eq!(text(&output.stdout), "readyok\nerror: no such command: dance\nreadyok\n");
    assert_eq!(
        std::fs::read_to_string(&file).unwrap(),
        "before\n> isready\n< readyok\n> dance\n< error: no such command: dance\n\
         > setoption name Debug Log File value <empty>\n"
    );
    let missing = folder.path().join("no/such/folder");
    let refused = barrow(&["umi"], &format!("setoption name Debug Log File value {}\n", missing.display()));
    assert!(text(&refused.stdout).starts_with("error: Debug Log File: "));
}

#[cfg(target_os = "linux")]
#[test]
fn umi_says_once_that_the_file_of_what_was_said_is_full_and_goes_on() {
    let talk = "setoption name Debug Log File value /dev/full\nisready\nisready\ndance\nquit\n";
    let output = barrow(&["umi"], talk);
    let told = "readyok\ninfo string Debug Log File: /dev/full: No space left on device (os error 28); the \
                transcript ends here\nreadyok\nerror: no such command: dance\n";
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(0), told));
}

#[test]
fn completions_and_manual_pages_come_from_the_command_line_itself() {
    let shells = ["bash", "zsh", "fish", "elvish", "powershell"];
    for shell in shells {
        let output = barrow(&["completions", shell], "");
        assert!(text(&output.stdout).contains("selfplay") && output.status.success(), "{shell}");
    }
    assert_eq!(barrow(&["completions", "tcsh"], "").status.code(), Some(2));
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("pages");
    let write = |more: &[&str]| barrow(&[&["manual", "--out", out.to_str().unwrap()], more].concat(), "");
    assert!(write(&[]).status.success());
    let page = std::fs::read_to_string(out.join("barrow-analyze.1")).unwrap();
    assert!(page.contains("movetime") && out.join("barrow.1").exists());
    assert_refused(&write(&[]), "not empty");
    assert!(write(&["--force"]).status.success());
}

#[test]
fn umi_takes_its_host_and_options_as_arguments() {
    let talk = "config 1 AllLand S,P,W,G,T,H,K,X,A,U,J,V,M,L,O,C,R,Q,B,E,Y,D,1,2,3\nplay nodes 1\ngetfen\n";
    let output = barrow(&["umi", "--for", "web-server", "--option", "heuristic=greedy"], talk);
    let said = text(&output.stdout);
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""));
    assert!(said.starts_with("info eval winprob ") && said.lines().nth(1) == Some("turn"), "{said}");
    assert!(said.contains(" x1 cfg=server:"), "{said}");
    // What stands last counts, as with setoption.
    let output = barrow(&["umi", "--for", "web-server", "--option", "Host=other"], talk);
    assert!(!text(&output.stdout).contains(" x1 "));
    for (option, reason) in [
        ("Hash=0", "Hash cannot be 0"),
        ("Colour=red", "no such option: Colour"),
        ("Hash", "expected NAME=VALUE, not Hash"),
        ("EvalFile=no/such/file", "no/such/file"),
        ("\u{1b}[2J=1", "no such option: "),
    ] {
        let output = barrow(&["umi", "--option", option], talk);
        let complaint = text(&output.stderr);
        assert_eq!((output.status.code(), text(&output.stdout)), (Some(2), ""), "{option}");
        assert!(complaint.starts_with("barrow: --option: ") && complaint.contains(reason), "{complaint}");
        assert!(complaint.lines().count() == 1 && !complaint.contains('\u{1b}'), "{complaint:?}");
    }
    assert_eq!(barrow(&["umi", "--for", "nobody"], "").status.code(), Some(2));
}

#[test]
fn a_match_with_handicaps_counts_them() {
    let play =
        ["match", "--a", "builtin:random", "--b", "builtin:random,seed=1", "--games", "8", "--boards", "1"];
    let output = barrow(&[&play[..], &["--ruleset", "mixed", "--handicaps", "1", "--json"]].concat(), "");
    let report = last_line(&output);
    assert_eq!((report["handicapped_pairs"].as_u64(), report["ruleset"].as_str()), (Some(4), Some("mixed")));
    let output = barrow(&[&play[..], &["--handicaps", "1"]].concat(), "");
    assert!(
        text(&output.stdout).contains("\n4 of 4 pairs began with a handicap\n"),
        "{}",
        text(&output.stdout)
    );
    assert!(!text(&barrow(&play, "").stdout).contains("handicap"));
    assert_eq!(barrow(&[&play[..], &["--handicaps", "often"]].concat(), "").status.code(), Some(2));
}

#[test]
fn bench_prints_its_keys() {
    let output = barrow(&["bench", "--nodes", "4", "--json"], "");
    assert_eq!(keys(&last_line(&output)), ["nodes", "nps", "seconds", "signature", "threads"]);
}

#[test]
fn analyze_tells_the_stages() {
    let arguments =
        ["analyze", "--tree", "--nodes", "60", "--movetime", "600000", "--hash", "8", "--threads", "2"];
    let output = barrow(&arguments, "");
    assert_eq!(output.status.code(), Some(0));
    let said = text(&output.stdout);
    let tree = said.split_once("\nstages ").unwrap().1;
    assert!(tree.lines().any(|line| line.starts_with("general: ")), "{tree}");
    for board in ["board 0: ", "board 1: "] {
        assert!(tree.lines().any(|line| line.starts_with(board) && line.contains(" attacks")), "{tree}");
    }
    assert_eq!(tree.matches("  souls given, claimed win chance and visits: ").count(), 2, "{tree}");
    // The general's choice, and on each board the attack and its finish.
    let chosen = tree.lines().filter(|line| line.trim_start().starts_with('*')).count();
    assert!(chosen >= 5, "{tree}");
    assert_eq!(barrow(&["analyze", "--threads", "0"], "").status.code(), Some(2));
}

#[test]
fn the_start_position_is_the_same_game_everywhere() {
    let said = |arguments: &[&str], input: &str| text(&barrow(arguments, input).stdout).to_owned();
    let played = said(&["play", "--hash", "4"], "fen\nquit\n");
    let start = played.lines().find(|line| line.contains(" x1 ") && !line.starts_with("to go on")).unwrap();
    let analyzed = last_line(&barrow(&["analyze", "--nodes", "1", "--hash", "4", "--json"], ""));
    assert_eq!(analyzed["fen"], start);
    // A host that speaks UMI gets Spooky's start position (umi, T2) and asks for this one.
    let asked = said(&["umi", "--option", "Ruleset=server"], "position startpos\ngetfen\nquit\n");
    assert_eq!(asked.trim_end(), start);
    let spooky = said(&["umi"], "position startpos\ngetfen\nquit\n");
    assert!(spooky.contains(" f|I|i|"), "{spooky}");
}

#[test]
fn a_position_that_is_empty_is_not_the_start_position() {
    for (arguments, input) in [(["analyze", ""], ""), (["analyze", "-"], ""), (["perft", "-"], " \n")] {
        assert_refused(&barrow(&arguments, input), "FEN: empty");
    }
}

#[test]
fn a_game_is_played_through_a_pipe() {
    let start = ["play", "--ruleset", "spooky", "--side", "yellow", "--movetime", "1", "--hash", "4"];
    let input = "help\ntech 1\n0 d1e1\n0 a0a1\nnonsense\n1 d1e1\nundo\nlines\nend\nfen\nquit\n";
    let output = barrow(&start, input);
    assert_eq!(output.status.code(), Some(0));
    let said = text(&output.stdout);
    let errors: Vec<&str> = said.lines().filter(|line| line.starts_with("error: ")).collect();
    assert_eq!(errors.len(), 2, "{said}");
    assert!(errors[0].starts_with("error: 0 a0a1: "), "{said}");
    assert_eq!(errors[1], "error: nonsense: no such command; an action begins with its board", "{said}");
    // The lines that were accepted have outlived the errors, and the one taken back has not come back.
    assert!(said.contains("\naction tech 1\naction board 0 move d1e1\n\nTurn 2"), "{said}");
    assert!(said.contains("Blue plays ("), "{said}");
    let (go_on, fen) = said.lines().last().unwrap().split_once(" \"").unwrap();
    assert_eq!(go_on, "to go on: barrow play --side yellow");
    let fen = fen.trim_end_matches('"');
    assert!(said.lines().any(|line| line == fen) && fen.contains("/2Z1Z5/"), "{said}");
    // The game goes on from there, also when the input just ends.
    let again = barrow(&["play", "--movetime", "1", "--hash", "4", fen], "");
    assert!(text(&again.stdout).contains("Turn 3, Yellow to move"), "{}", text(&again.stdout));
    assert!(text(&again.stdout).trim_end().ends_with(&format!("\"{fen}\"")));
}

#[test]
fn a_line_that_replaces_another_says_so() {
    let start = ["play", "--plain", "--ruleset", "spooky", "--movetime", "1", "--hash", "4"];
    let output = barrow(&start, "tech 1\n0 d1e1\ntech 0\nlines\n");
    let told = "  in place of action tech 1\naction tech 0\naction board 0 move d1e1\n";
    assert!(text(&output.stdout).contains(told), "{}", text(&output.stdout));
}

#[test]
fn a_game_that_is_over_is_valued_by_its_result() {
    let config = ["--config", "1 AllLand S,P", "--ruleset", "server"];
    let fen =
        done(&barrow(&[&["show", "--json"], &config[..]].concat(), ""))["fen"].as_str().unwrap().to_owned();
    let won = fen.replace(" x1 ", " x1 over=0 ");
    let output = barrow(&["eval", &won, "--json"], "");
    let report = done(&output);
    assert_eq!((&report["value"], &report["confidence"]), (&json!(1.0), &json!(1.0)));
    assert_refused(&barrow(&["analyze", &won], ""), "the game is over, Yellow has won");
}

#[test]
fn a_game_played_to_its_end_has_a_winner() {
    let config = "1 AllLand S,P,W,G,T,H,K,X,A,U,J,V,M,L,O,C,R,Q,B,E,Y,D,1,2,3";
    let fen =
        "50|0 0|0 LLLLLLLLLLLLLLLLLLLLLLLLL|LLLLLLLLLLLLLLLLLLLLLLLLL n|||||0/0/2N7/0/0/0/7D2/7n2/0/0 0 5";
    let start = ["play", "--config", config, "--hash", "4", "--movetime", "50", fen];
    let output = barrow(&start, "h6h7\nend\n");
    assert!(text(&output.stdout).ends_with("you have won\n"), "{}", text(&output.stdout));
    let output = barrow(&[&start[..], &["--side", "blue"]].concat(), "");
    assert!(text(&output.stdout).ends_with("Yellow has won\n"), "{}", text(&output.stdout));
}

#[test]
fn replay_counts_what_comes_through_a_pipe() {
    let output = barrow(&["replay", "--json", "-"], "");
    assert_refused(&output, "barrow: -: no turn and no position to replay");
    let game = barrow(&["selfplay", "--games", "1", "--boards", "1", "--out", "-"], "");
    let output = barrow(&["replay", "--json", "-"], text(&game.stdout));
    let tally: serde_json::Value = serde_json::from_str(text(&output.stdout)).unwrap();
    assert!(tally["steps"].as_u64() > Some(5), "{tally}");
    assert_eq!((tally["files"].as_u64(), tally["mismatches"].as_u64()), (Some(1), Some(0)));
}

#[test]
fn a_reader_that_has_enough_is_no_error() {
    let mut child = program::program()
        .args(["bench", "search", "--nodes", "20"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""));
}

/// Standard output and the last line on standard error of a run that is sent a signal while its first search runs.
#[cfg(unix)]
fn cut_short(arguments: &[&str], signal: &str, positions: &str) -> (std::process::Output, String) {
    use std::io::{BufRead, BufReader, Write};
    let mut child = program::start(std::path::Path::new("."), arguments);
    child.stdin.take().unwrap().write_all(positions.as_bytes()).unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    assert!(lines.any(|line| line.contains("search begins")));
    program::signal(&child, signal);
    let last = lines.last().unwrap_or_default();
    (child.wait_with_output().unwrap(), last)
}

#[cfg(unix)]
#[test]
fn a_bench_that_is_cut_short_tells_no_figures() {
    let tactic = barrow::tactics::BUILT_IN.lines().find(|line| line.starts_with("defend")).unwrap();
    let fen = last_line(&barrow(&["show", "--json"], ""))["fen"].as_str().unwrap().to_owned();
    for (subject, positions, more) in
        [("tactics", tactic, &[][..]), ("optimism", &fen, &[]), ("threads", &fen, &["--threads", "1"])]
    {
        for signal in ["INT", "TERM"] {
            let bench = ["-vv", "bench", subject, "--positions", "-", "--movetime", "1h", "--json"];
            let (output, last) = cut_short(&[&bench[..], more].concat(), signal, positions);
            assert_eq!((output.status.code(), text(&output.stdout)), (Some(1), ""), "{subject} {last}");
            assert_eq!(last, "barrow: interrupted", "{subject}");
        }
    }
}
