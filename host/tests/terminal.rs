//! `barrow play` in a real pseudo-terminal, as a person plays it.
#![cfg(unix)]

mod program;
mod pseudo_terminal;

use program::{assert_refused, barrow_in, empty_folder, text};
use pseudo_terminal::{Game, SIZE};

/// A game on one small board whose engine looks at a few positions only.
const QUICK: [&str; 6] = ["--hash", "4", "--nodes", "1", "--side", "yellow"];

fn files(folder: &std::path::Path) -> Vec<String> {
    let names = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = names.map(|name| name.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_game_is_played_on_the_screen() {
    let folder = empty_folder("terminal_play");
    let mut game = Game::start(&folder, &QUICK);
    game.wait_for("Turn 1, Yellow to move (you)");
    assert!(game.is_on_alternate_screen() && game.hides_cursor());
    // The cursor goes from c2 to d2; the zombie there walks to e2, and comes back.
    game.type_keys("\x1b[C");
    game.wait_for("d2: Yellow zombie");
    game.type_keys("\r");
    game.wait_for("zombie d2: choose a lit hex");
    game.type_keys("\x1b[C");
    game.wait_for("Enter: zombie d2 walks to e2");
    game.type_keys("\r");
    game.wait_for("board 0: zombie d2 walks to e2");
    game.type_keys("u");
    game.wait_for("taken back: board 0 move d2e2");
    // The same typed; a tech; the end of the turn; the engine's answer.
    game.type_keys(":0 d2e2\r");
    game.wait_for("board 0: zombie d2 walks to e2");
    game.type_keys("t\r");
    game.wait_for("unlocks skeleton");
    game.type_keys("\x1b");
    game.wait_until("the menu is closed", |screen| !screen.contains("Techs ("));
    game.type_keys("e");
    game.wait_for("Blue has played");
    // A list that is longer than the screen is left by Escape alone.
    game.type_keys("\x1b");
    game.wait_for("Turn 3, Yellow to move (you)");
    // Other sizes, one of them too small.
    game.resize(30, 146);
    game.wait_for("board 1 of 0 to 1");
    game.resize(20, 60);
    game.wait_for("has 60 x 20 characters");
    game.resize(SIZE.0, SIZE.1);
    game.wait_for("board 0 of 0 to 1");
    game.type_keys("s\x7f\x7f\x7f\x7f\x7f\x7f\x7f\x7fa.mgn\r");
    game.wait_for("saved 2 turns to a.mgn");
    game.type_keys("q");
    assert!(game.ended().contains("to go on: barrow play --side yellow \""));
    let replayed = barrow_in(&folder, &["replay", "a.mgn", "--json"]);
    assert_eq!(text(&replayed.stdout), "{\"files\":1,\"steps\":2,\"mismatches\":0}\n");
}

#[test]
fn keys_that_arrive_with_a_new_size_are_taken() {
    let folder = empty_folder("terminal_sizes");
    let mut game = Game::start(&folder, &QUICK);
    game.wait_for("Turn 1, Yellow to move (you)");
    for width in 0..400 {
        game.type_keys("?");
        game.wait_for("arrows scroll, Esc leaves");
        game.resize(SIZE.0, SIZE.1 + width % 2);
        game.type_keys("\x1b");
        game.wait_until("the help is closed", |screen| !screen.contains("arrows scroll, Esc leaves"));
    }
    game.type_keys("q");
    game.ended();
}

#[test]
fn a_game_can_be_left_at_any_time_and_is_kept() {
    let folder = empty_folder("terminal_leave");
    // In the first menu.
    let mut game = Game::start(&folder, &["--hash", "4"]);
    game.wait_for("play Yellow, who moves first");
    game.type_keys("q");
    game.ended();
    // In the middle of a turn: Ctrl-C asks, and once more saves.
    let mut game = Game::start(&folder, &QUICK);
    game.wait_for("Turn 1, Yellow to move (you)");
    game.type_keys(":1 d2e2\r");
    game.wait_for("board 1: zombie d2 walks to e2");
    game.type_keys("\x03");
    game.wait_for("Leave the game?");
    game.type_keys("\x03");
    let said = game.ended();
    let [name] = &files(&folder)[..] else { panic!("one file: {said}") };
    assert!(said.contains(&format!("to go on: barrow play --side yellow --game {name}")), "{said}");
    // The turn goes on where it was; a signal saves it again, to another file.
    let mut game = Game::start(&folder, &[&QUICK[..], &["--game", name]].concat());
    game.wait_for("board 1: zombie d2 walks to e2");
    game.signal("TERM");
    game.ended();
    assert_eq!(files(&folder).len(), 1, "the file has it all");
    // While the engine thinks.
    let mut game = Game::start(&folder, &["--hash", "4", "--side", "blue", "--movetime", "600000"]);
    game.wait_for("the engine thinks");
    game.type_keys("v");
    game.wait_for("+- Position");
    game.type_keys("\x1bq");
    game.ended();
    // It plays at once when it is told to.
    let mut game = Game::start(&folder, &["--hash", "4", "--side", "blue", "--movetime", "600000"]);
    game.wait_for("the engine thinks");
    game.type_keys("m");
    game.wait_for("Yellow has played");
    // On a terminal that has become too small, what is not saved is saved.
    game.resize(10, 40);
    game.wait_for("the game needs 80 x 24");
    game.type_keys("q");
    game.ended();
    assert_eq!(files(&folder).len(), 2);
    // A terminal that is about to be closed, and one that is, in the middle of a turn.
    for count in [3, 4] {
        let mut game = Game::start(&folder, &QUICK);
        game.wait_for("Turn 1, Yellow to move (you)");
        game.type_keys(":0 d2e2\r");
        game.wait_for("board 0: zombie d2 walks to e2");
        if count == 3 {
            game.signal("HUP");
            game.ended();
        } else {
            game.hang_up("?");
        }
        assert_eq!(files(&folder).len(), count);
    }
}

#[test]
fn a_game_by_lines_ends_with_its_terminal() {
    let folder = empty_folder("terminal_lines");
    let mut game = Game::start(&folder, &[&QUICK[..], &["--plain", "--record", "r.mgn"]].concat());
    game.wait_for("> ");
    game.type_keys("0 d2e2\rend\r0 c2d2\rlines\r");
    game.wait_for("action board 0 move c2d2");
    game.hang_up("show\r");
    let record = std::fs::read_to_string(folder.join("r.mgn")).unwrap();
    assert!(record.contains("turn so far: ") && record.contains("move c2d2"), "{record}");
}

#[test]
fn a_recorded_game_needs_no_question() {
    let folder = empty_folder("terminal_record");
    let mut game = Game::start(&folder, &[&QUICK[..], &["--record", "r.mgn"]].concat());
    game.wait_for("Turn 1, Yellow to move (you)");
    game.type_keys(":tech 1\r");
    game.wait_for("unlocks skeleton");
    game.type_keys("e");
    game.wait_for("Blue has played");
    game.type_keys("\x1bq");
    assert!(game.ended().contains("--game r.mgn"));
    let record = std::fs::read_to_string(folder.join("r.mgn")).unwrap();
    assert!(
        record.contains("[Yellow \"a person\"]") && record.contains("\nresult none unfinished\n"),
        "{record}"
    );
    assert_refused(&barrow_in(&folder, &["play", "--record", "r.mgn"]), "exists already");
}

#[test]
fn the_terminal_is_set_as_before() {
    let folder = empty_folder("terminal_set");
    let mut game = Game::start_in_shell(&folder, &QUICK.join(" "));
    game.wait_for("Turn 1, Yellow to move (you)");
    game.type_keys("q");
    let said = game.ended();
    let settings: Vec<&str> = said.split([' ', ';', '\n']).collect();
    for setting in ["icanon", "echo", "isig", "icrnl", "opost"] {
        assert!(settings.contains(&setting), "{setting}: {said}");
    }
}

#[test]
fn colours_are_left_out_where_nobody_wants_them() {
    let folder = empty_folder("terminal_colors");
    for (color, are_there) in [("always", true), ("never", false)] {
        let mut game = Game::start(&folder, &[&QUICK[..], &["--color", color]].concat());
        game.wait_for("? help  q quit");
        assert_eq!(game.has_colors(), are_there, "{color}");
        game.type_keys("q");
        game.ended();
    }
}

#[test]
fn without_a_screen_the_game_is_played_line_by_line() {
    let folder = empty_folder("terminal_plain");
    let quick = [&["play"], &QUICK[..]].concat();
    let plain = [&quick[..], &["--plain"]].concat();
    for (arguments, term) in [(&plain[..], "xterm-256color"), (&quick[..], "dumb")] {
        let mut game = Game::start_as(&folder, arguments, term);
        game.wait_for("your turn; help lists what you can type");
        assert!(!game.is_on_alternate_screen() && !game.hides_cursor());
        game.type_keys("quit\r");
        assert!(game.ended().contains("to go on: "));
    }
}

#[test]
fn whoever_types_umi_begins_with_the_game_of_play() {
    let folder = empty_folder("terminal_umi");
    let mut session = Game::start_as(&folder, &["umi"], "xterm");
    session.wait_for("The start position is that of barrow play.");
    session.type_keys("position startpos\rgetfen\r");
    session.wait_for("cfg=server:2:BlackenedShores,MidnightLake");
    session.type_keys("quit\r");
    session.ended();
}
