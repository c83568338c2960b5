//! The commands of Code of Kutulu as a user meets them, and the single-file bot against the rules.

mod program;

use std::env;
use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use barrow::child_process::ChildProcess;
use barrow::contests::kutulu::{bundle, player_input};
use barrow_core::contests::kutulu::{Action, EXPLORERS, MapTables, State, pool_map};

use program::{last_line, text};

fn barrow(arguments: &[&str], input: &str) -> Output {
    program::barrow(&[&["kutulu"], arguments].concat(), input)
}

fn start(seed: u64) -> (MapTables, State) {
    let (index, constants, dice) = State::draw(seed);
    let tables = MapTables::new(&pool_map(index).unwrap());
    let state = State::start(tables.map(), constants, dice);
    (tables, state)
}

#[test]
fn the_bundle_compiles_alone_and_plays() {
    let source = bundle::source().unwrap();
    // The limit of the contest's site.
    assert!(source.len() < 100_000, "{}", source.len());
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (file, program) = (folder.join("kutulu_bot.rs"), folder.join("kutulu_bot"));
    std::fs::write(&file, source).unwrap();
    let rustc = env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let output = Command::new(rustc).arg("-O").arg("-o").arg(&program).arg(&file).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    for seed in [21, 128] {
        let (tables, mut state) = start(seed);
        let mut bot = ChildProcess::start(&[program.to_str().unwrap().to_owned()]).unwrap();
        bot.send(&player_input::greeting(tables.map(), &state)).unwrap();
        let first = state.explorers[0].cell;
        let mut has_moved = false;
        for _ in 0..15 {
            bot.send(&player_input::turn(tables.map(), &state, 0)).unwrap();
            // The machine may be busy with other tests.
            let line = bot.receive(Instant::now() + Duration::from_secs(20)).unwrap();
            let mut actions = [Some(Action::Wait); EXPLORERS];
            actions[0] = Action::read(&line, &tables, state.explorers[0].cell);
            assert!(actions[0].is_some(), "{line}");
            state.play(&tables, &actions).unwrap();
            has_moved |= state.explorers[0].cell != first;
        }
        assert!(state.is_alive(0) && has_moved, "seed {seed}");
    }
}

#[test]
fn the_bot_answers_a_turn_whose_number_of_entities_is_bad_or_missing() {
    let (tables, state) = start(21);
    let greeting = player_input::greeting(tables.map(), &state);
    let turn = player_input::turn(tables.map(), &state, 0);
    let (count, entities) = turn.split_once('\n').unwrap();
    assert_eq!(count, "4");
    for (lost, answers, errors) in [
        (format!("4x\n{entities}"), 3, 1),
        (entities.to_owned(), 3, 1),
        (format!("\n \n{turn}\n"), 3, 0),
        ("noise\nmore noise\n".to_owned(), 2, 1),
        // Too many lines: what is left over asks for no second answer.
        (format!("{turn}WANDERER 4 1 1 30 1 -1\nEFFECT_PLAN -1 1 1 3 0 -1\n"), 3, 1),
    ] {
        let output = barrow(&["bot", "--simulations", "20"], &format!("{greeting}{turn}{lost}{turn}"));
        let (told, wrong) = (text(&output.stdout), text(&output.stderr));
        assert_eq!((told.lines().count(), wrong.lines().count()), (answers, errors), "{lost}: {told}{wrong}");
        assert_eq!(output.status.code(), Some(0));
    }
}

#[test]
fn the_bot_answers_every_turn_and_reports_nonsense() {
    let (tables, state) = start(21);
    let turn = player_input::turn(tables.map(), &state, 0);
    let input = format!(
        "{}{turn}nonsense\n99999999999\n2\nEXPLORER 0 0 0 1 1 1\nEXPLORER x\n{turn}3\n",
        player_input::greeting(tables.map(), &state)
    );
    let output = barrow(&["bot", "--simulations", "20"], &input);
    assert_eq!(output.status.code(), Some(0));
    let answers: Vec<&str> = text(&output.stdout).lines().collect();
    assert_eq!((answers.len(), answers[1]), (3, "WAIT"));
    assert!(Action::read(answers[2], &tables, state.explorers[0].cell).is_some());
    let errors: Vec<&str> = text(&output.stderr).lines().collect();
    assert_eq!(errors.len(), 3);
    assert!(errors.iter().all(|error| error.starts_with("error: ")), "{errors:?}");
    let number = input.lines().position(|line| line == "nonsense").unwrap() + 1;
    assert_eq!(errors[0], format!("error: line {number}: expected the number of entities: \"nonsense\""));
    assert_eq!(errors[1], format!("error: line {}: no entity: \"EXPLORER x\"", number + 4));
    assert_eq!(errors[2], format!("error: line {}: entity 0 is not possible", number + 3));
    let rows = format!("3\n18446744073709551615\n{}", "...\n".repeat(100));
    let line = format!("3\n1\n{}", "x".repeat(1 << 20));
    for (input, what) in [
        ("x\n", "line 1"),
        ("3\n9\n...\n", "stdin: line 4: expected a row of 3 squares"),
        ("3\n2\n...\n.?.\n", "stdin: line 4: a square that is none of #.wUS"),
        ("24\n20\n", "stdin: line 3: expected a row of 24 squares"),
        ("3\n1\n...\n1 2\n", "line 4"),
        (&*rows, "stdin: lines 1 and 2: a map has 1 to 24 columns and 1 to 20 rows"),
        (&*line, "stdin: line 3: expected a row of 3 squares"),
    ] {
        let output = barrow(&["bot"], input);
        assert_eq!(output.status.code(), Some(1));
        let complaint = text(&output.stderr);
        assert!(complaint.lines().count() == 1 && complaint.contains(what), "{complaint}");
    }
}

#[test]
fn the_arena_prints_the_promised_keys() {
    let arguments = ["arena", "random", "smitsimax,simulations=16", "--games", "4", "--map", "cog", "--json"];
    let json = last_line(&barrow(&arguments, ""));
    assert_eq!(json["games"], 4);
    let player = json["players"][1].as_object().unwrap();
    for key in ["name", "wins", "win_rate", "ci95", "mean_place"] {
        assert!(player.contains_key(key), "{key}");
    }
    assert!(json["pairs"]["rates"][1][0].as_f64().unwrap() > 0.5);
    let table = barrow(&["arena", "wait", "--games", "4"], "");
    assert!(text(&table.stdout).contains("mean place"));
    assert_eq!(barrow(&["arena", "nobody"], "").status.code(), Some(2));
    assert_eq!(barrow(&["arena", "wait", "--map", "nowhere"], "").status.code(), Some(2));
}

#[test]
fn replay_tells_where_a_game_differs() {
    let game = "SEED 21\nMAP Hypersonic\nCONSTS 5 1 4 33\nTURN 1 4\nEXPLORER 0 5 5 250 2 3\nEXPLORER 1 9 5 250 2 3\n\
                EXPLORER 2 5 7 250 2 3\nEXPLORER 3 9 7 250 2 3\nACT 0 FLY\nACT 1 FLY\nACT 2 FLY\nACT 3 FLY\n\
                END 1 0\nSCORES -1 -1 -1 -1\n";
    let good = barrow(&["replay", "-", "--json"], game);
    assert_eq!(good.status.code(), Some(0));
    let json = last_line(&good);
    assert_eq!((&json["files"], &json["steps"], &json["mismatches"]), (&1.into(), &2.into(), &0.into()));
    let bad = barrow(&["replay", "-"], &game.replace("2 5 7 250", "2 5 7 249"));
    assert_eq!(bad.status.code(), Some(1));
    assert!(text(&bad.stdout).contains("-:8: turn 1: expected \"EXPLORER 2 5 7 249 2 3\""));
    for (input, what) in [("", "line 1"), ("SEED x\n", "line 1"), ("MAP 0 3 9 name\n...\n", "line 2")] {
        let output = barrow(&["replay", "-"], input);
        assert_eq!(output.status.code(), Some(1));
        assert!(text(&output.stderr).contains(what), "{}", text(&output.stderr));
    }
    let shown = barrow(&["show", "-", "--turn", "1", "--json"], game);
    assert_eq!((last_line(&shown)["turn"].as_u64(), shown.status.code()), (Some(1), Some(0)));
    assert!(text(&shown.stderr).contains("# . . . . 0 . . . 1 . . . . #"));
    for turn in ["2", "65535"] {
        let refused = barrow(&["show", "-", "--turn", turn], game);
        assert_eq!(refused.status.code(), Some(1), "{}", text(&refused.stdout));
        assert_eq!(text(&refused.stderr), "barrow: -: the game has 1 turn\n");
    }
    // Of several games any is drawn, and that there are more is told.
    let several = format!("{game}// another\n{}", game.replace("SEED 21", "SEED x"));
    let first = barrow(&["show", "-"], &several);
    assert_eq!(text(&first.stderr), "barrow: -: the first of 2 games; --number N chooses another\n");
    assert_eq!(text(&first.stdout), text(&barrow(&["show", "-"], game).stdout));
    let chosen = |number: &str| barrow(&["show", "-", "--number", number], &several);
    assert_eq!((text(&chosen("1").stdout), text(&chosen("1").stderr)), (text(&first.stdout), ""));
    assert!(text(&chosen("2").stderr).starts_with("barrow: -: line 16: "), "{}", text(&chosen("2").stderr));
    assert_eq!(text(&chosen("3").stderr), "barrow: -: there is no game 3, only 2\n");
    assert!(text(&barrow(&["show", "--map", "typhoon"], "").stdout).starts_with("Typhoon\n"));
}
