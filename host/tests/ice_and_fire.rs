//! The commands of A Code of Ice and Fire as a user meets them, and the single-file bot.

mod program;

use std::env;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use barrow::contests::ice_and_fire::bundle;
use barrow_core::contests::ice_and_fire::input::{MineSpotLines, TurnInput};
use barrow_core::contests::ice_and_fire::{Game, Map, Rules};

use program::{last_line, text};

fn barrow(arguments: &[&str], input: &str) -> Output {
    program::barrow(&[&["ice-and-fire"], arguments].concat(), input)
}

#[test]
fn the_bundle_compiles_alone_and_plays_as_the_bot_does() {
    let source = bundle::source().unwrap();
    // The limit of the contest's site.
    assert!(source.len() < 100_000, "{}", source.len());
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (file, program) = (folder.join("ice_and_fire_bot.rs"), folder.join("ice_and_fire_bot"));
    std::fs::write(&file, source).unwrap();
    let rustc = env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let output = Command::new(rustc).arg("-O").arg("-o").arg(&program).arg(&file).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    let command = format!("cmd:{}", program.to_str().unwrap());
    let output = barrow(&["arena", &command, "greedy", "--games", "2", "--json"], "");
    let json = last_line(&output);
    assert_eq!((&json["games"], &json["endings"]["fault"]), (&2.into(), &0.into()), "{json}");
    assert_eq!(
        (&json["players"][0]["wins"], &json["deeds"][0]["rejected"]),
        (&2.0.into(), &0.into()),
        "{json}"
    );
    // The first turn takes no time to think about, so the answers are the same.
    let game = Game::new(&Map::generate(3, &Rules::PERMANENT));
    let input = format!(
        "{}\n{}\n",
        MineSpotLines(game.state().mine_spots()),
        TurnInput::new(&game, game.state().mover())
    );
    let mut child = Command::new(&program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(text(&output.stdout), text(&barrow(&["bot"], &input).stdout));
}

#[test]
fn the_bot_answers_each_turn_and_tells_what_it_cannot_read() {
    let game = Game::new(&Map::generate(1, &Rules::PERMANENT));
    let turn = TurnInput::new(&game, game.state().mover()).to_string();
    let spots = MineSpotLines(game.state().mine_spots());
    let input = format!("{spots}\n{turn}\nnonsense\n{turn}\n");
    let output = barrow(&["bot"], &input);
    assert!(output.status.success());
    let answers: Vec<&str> = text(&output.stdout).lines().collect();
    assert_eq!(answers.len(), 2, "{answers:?}");
    for answer in answers {
        let report = game.clone().execute(&Rules::PERMANENT, answer).unwrap();
        assert!(report.done > 0 && report.rejected == 0, "{answer}");
    }
    let number = spots.to_string().lines().count() + turn.lines().count() + 1;
    let told = format!("error: line {number}: expected own gold: \"nonsense\"\n");
    assert_eq!(text(&output.stderr), told);
    // Of a line without an end no more is kept than a line of the contest may have.
    let output = barrow(&["bot"], &"x".repeat(1 << 16));
    let told = text(&output.stderr);
    assert!(output.status.success() && told.lines().count() == 1 && told.len() < 300, "{told}");
}

#[test]
fn the_bot_tells_a_bad_line_once_waits_in_its_turn_and_goes_on() {
    let game = Game::new(&Map::generate(1, &Rules::PERMANENT));
    let turn = TurnInput::new(&game, game.state().mover()).to_string();
    let spots = MineSpotLines(game.state().mine_spots()).to_string();
    let row = turn.lines().nth(6).unwrap();
    let bad = turn.replacen(row, "..?.........", 1);
    let output = barrow(&["bot"], &format!("{spots}\n{bad}\n{turn}\n"));
    let answers: Vec<&str> = text(&output.stdout).lines().collect();
    assert!(answers.len() == 2 && answers[0] == "WAIT" && answers[1] != "WAIT", "{answers:?}");
    let place = bad.lines().position(|line| line.contains('?')).unwrap();
    let told = format!(
        "error: line {}: expected row {}: twelve of #.OoXx: \"..?.........\"\n",
        spots.lines().count() + place + 1,
        place - 4,
    );
    assert_eq!(text(&output.stderr), told);
}

#[test]
fn the_arena_counts_both_seats() {
    let output =
        barrow(&["arena", "plain", "greedy", "random", "--games", "4", "--threads", "1", "--json"], "");
    let json = last_line(&output);
    assert_eq!(json["games"], 12);
    assert_eq!(json["players"][0]["name"], "plain");
    assert_eq!(json["players"][0]["wins"], 8.0);
    for stats in json["deeds"].as_array().unwrap() {
        assert_eq!((&stats["rejected"], &stats["faults"]), (&0.into(), &0.into()));
    }
    assert!(
        text(&barrow(&["arena", "plain", "wait", "--games", "2"], "").stdout).contains("by headquarters")
    );
    assert_eq!(barrow(&["arena", "plain", "nobody"], "").status.code(), Some(2));
}

const TRACE: &str = "SEED 31
INIT 8,1 0,1 1,2 4,8 4,3 7,9 7,10 10,10 11
T 1 P 0 IN 21 1 20 2 | O..#########/...#########/...#....####/#..#.....###/#.........##/#..........#/#..........#/##.........#/###.....#..#/####....#.../#########..X/#########..X | 0 0 0 0;1 0 11 11 |
OUT TRAIN 1 1 0
T 1 P 1 IN 22 2 11 1 | XX.#########/...#########/...#....####/#..#.....###/#.........##/#..........#/#..........#/##.........#/###.....#..#/####....#.../#########..O/#########..O | 0 0 11 11;1 0 0 0 | 1 1 1 1 0
OUT JUMP
END 1
SCORES 21 -1
";

#[test]
fn replay_counts_steps_and_tells_differences() {
    let output = barrow(&["replay", "-", "--json"], TRACE);
    assert!(output.status.success(), "{}", text(&output.stdout));
    let json = last_line(&output);
    assert_eq!(json, serde_json::json!({"files": 1, "steps": 3, "mismatches": 0}));
    let output = barrow(&["replay", "-"], &TRACE.replace("22 2 11 1", "22 2 12 1"));
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).starts_with("-:5: input: file 22 2 12 1"), "{}", text(&output.stdout));
    let output = barrow(&["replay", "-"], "SEED x\n");
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).starts_with("barrow: -: line 1: "), "{}", text(&output.stderr));
}

#[test]
fn show_draws_starts_and_recorded_games() {
    let output = barrow(&["show", "--seed", "1", "--json"], "");
    assert!(text(&output.stderr).contains(" 0 AH .* .  #"), "{}", text(&output.stderr));
    assert_eq!(last_line(&output)["gold"], serde_json::json!([21, 20]));
    let output = barrow(&["show", "-"], TRACE);
    assert!(text(&output.stdout).contains("over: 21 to -1"), "{}", text(&output.stdout));
    assert!(!barrow(&["show", "no such file"], "").status.success());
    assert_eq!(last_line(&barrow(&["show", "-", "--turn", "1", "--json"], TRACE))["turn"], 1);
    let whole: Vec<&str> = TRACE.lines().collect();
    let cut = |lines: usize| whole[..lines].join("\n");
    for (record, turn) in [(TRACE, "2"), (TRACE, "255"), (&*cut(4), "2")] {
        let refused = barrow(&["show", "-", "--turn", turn], record);
        assert_eq!(refused.status.code(), Some(1), "{}", text(&refused.stdout));
        assert_eq!(text(&refused.stderr), "barrow: -: the game has 1 turn\n");
    }
    let several = format!("{TRACE}{}", cut(4));
    let first = barrow(&["show", "-"], &several);
    assert!(text(&first.stdout).contains("over: 21 to -1"), "{}", text(&first.stdout));
    assert_eq!(text(&first.stderr), "barrow: -: the first of 2 games; --number N chooses another\n");
    let second = barrow(&["show", "-", "--number", "2"], &several);
    assert_eq!((text(&second.stdout).contains("over"), text(&second.stderr)), (false, ""));
    // A turn that its first player lost by a fault is one.
    let fault = cut(3) + "\nOUT JUMP\nEND 1\nSCORES -1 20\n";
    assert_eq!(last_line(&barrow(&["show", "-", "--turn", "1", "--json"], &fault))["turn"], 1);
    assert_eq!(barrow(&["show", "-", "--turn", "2"], &fault).status.code(), Some(1));
}
