//! Sessions line by line.

use super::*;

fn talk(lines: &str) -> String {
    let spec = "mc:playouts=50,playout=random".parse().expect("a player");
    let mut session = Session::new(Vec::new(), spec, 1);
    for line in lines.lines() {
        session.handle(line).expect("memory does not fail");
    }
    String::from_utf8(session.output().clone()).expect("text")
}

#[test]
fn a_program_is_chosen() {
    let said =
        talk("roborally\nisready\ncourse twister\nrace 4 3\nyou 2\nhand 44 75 13 17 15 82 19 73 67\ngo");
    assert!(said.contains("roborallyok\nreadyok\n"), "{said}");
    let last = said.lines().last().expect("an answer");
    let cards: Vec<u8> = last.split(' ').skip(1).map(|card| card.parse().expect("a card")).collect();
    assert!(last.starts_with("program ") && cards.len() == 5, "{said}");
    assert!(said.contains("info playouts 50 turns 100 value "), "{said}");
}

#[test]
fn states_are_told_and_told_back() {
    let state = "state\nrobot 0 5 8 S 6 2 1 5 14 N A\nregs 0 0 0 0 7 8\nrobot 1 4 8 E 1 3 1 3 8 N A announced\nendstate";
    let said = talk(&format!(
        "course dizzy-dash\n{state}\ngetstate\nyou 0\nhand 1 2 3\ngo playouts 9\nstay\nreenter"
    ));
    assert!(said.contains("robot 1 4 8 E 1 3 1 3 8 N A announced\n"), "{said}");
    assert!(said.contains("robot 0 5 8 S 6 2 1 5 14 N A\nregs 0 0 0 0 7 8\n"), "{said}");
    assert!(said.contains("program 1 2 3") && said.ends_with("stay no\ndown no\n"), "{said}");
}

/// The output of a session that reads these lines from a stream.
fn run_on(player: &str, lines: &str) -> String {
    let mut said = Vec::new();
    let input = io::Cursor::new(format!("{RACE}\n{lines}"));
    run(input, &mut said, (player.parse().expect("a player"), Profile::Classic), 1)
        .expect("memory does not fail");
    String::from_utf8(said).expect("text")
}

const RACE: &str = "course twister\nrace 4 3\nyou 2\nhand 44 75 13 17 15 82 19 73 67";

#[test]
fn a_decision_ends_with_the_word_stop_and_other_lines_wait_for_it() {
    for player in ["mc:playout=random", "mc:select=halving", "mc:select=ucb1", "search:samples=4000000000"] {
        let said = run_on(player, "go playouts 18446744073709551615\nisready\nyou 9\nstop\nstop\nstay");
        let mut lines = said.lines();
        assert_eq!(lines.next(), Some("readyok"), "{player}: {said}");
        assert!(lines.next().is_some_and(|line| line.starts_with("info playouts ")), "{player}: {said}");
        assert!(lines.next().is_some_and(|line| line.starts_with("program ")), "{player}: {said}");
        assert_eq!(lines.collect::<Vec<_>>(), ["error: robots are 0 to 7", "stay no"], "{player}");
    }
    let said = run_on("mc:playout=random,ms=86400000", "go\nfly\nstop\nquit\nisready");
    assert!(said.lines().count() == 3 && said.ends_with("\nerror: unknown command fly\n"), "{said}");
}

#[test]
fn time_ends_the_decision_of_every_player() {
    for player in ["mc:eval=win,depth=4000000000", "mc:focus=64,select=halving", "search:samples=4000000000"]
    {
        let said = run_on(player, "go ms 20\nstay");
        assert!(said.contains("\nprogram ") && said.ends_with("\nstay no\n"), "{player}: {said}");
    }
}

#[test]
fn errors_change_nothing() {
    for (lines, error) in [
        ("go", "the board comes first: course NAME, or board"),
        ("course nowhere", "no course nowhere"),
        ("course twister\ngo", "the state comes first: race ROBOTS LIVES, or state"),
        ("course twister\nrace 9 3", "a race has 1 to 8 robots, each with a dock"),
        ("course twister\nrace 2 3\ngo", "the hand has 9 cards, not 0"),
        ("course twister\nrace 2 3\nyou 5\ngo", "robot 5 programs nothing this turn"),
        ("hand 85", "no card 85"),
        ("hand 7 7", "a card comes twice"),
        ("dance", "unknown command dance"),
        ("seed 1 2", "seed with other words than it takes, or where it has no place"),
        ("quit now", "quit with other words than it takes, or where it has no place"),
        ("endboard", "endboard with other words than it takes, or where it has no place"),
        ("board\nsize 1 1\n??", "unknown cell ??"),
        ("player mc:depth", "depth: KEY=VALUE is needed"),
    ] {
        assert_eq!(talk(lines), format!("error: {error}\n"));
    }
    let kept = talk("course twister\nrace 2 3\nstate\nrobot 1 0 0 N\nrobot 2 9 9 N\nendstate\ngetstate");
    assert!(
        kept.starts_with("error: robots come in order\nstate\nrobot 0 5 14 N 0 3 1 5 14 N A\n"),
        "{kept}"
    );
}

#[test]
fn one_bad_line_of_a_board_or_a_state_is_one_error() {
    let board = "board\nsize 2 2\n.. ??\n.. ..\nflag 0 0\nwall 7 7 N\nendboard\nisready";
    assert_eq!(talk(board), "error: unknown cell ??\nreadyok\n");
    // A command ends what is left of it too.
    let state = "course twister\nstate\nrobot x\nregs 0 1\nisready\nrobot 0";
    let said = talk(state);
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!((lines.len(), lines[1]), (3, "readyok"), "{said}");
    assert_eq!(lines[2], "error: unknown command robot");
}

#[test]
fn a_state_is_of_a_race_that_goes_on_and_starts_without_a_hand() {
    let over = "course checkmate\nstate\nrobot 0 5 8 S 0 2 3 5 14 N A\nendstate";
    assert_eq!(talk(over), "error: robot 0 has touched the last flag: the race is over\n");
    for again in ["race 2 3", "rules classic\nrace 2 3", "course twister\nrace 2 3"] {
        let said = talk(&format!("{RACE}\n{again}\nyou 1\ngo"));
        assert_eq!(said, "error: the hand has 9 cards, not 0\n", "{again}");
    }
    for word in ["stay", "reenter"] {
        assert!(talk(word).starts_with("error: the state comes first"), "{word}");
        assert_eq!(talk(&format!("{RACE}\nyou 6\n{word}")), "error: no robot 6\n");
        let out =
            "course checkmate\nstate\nrobot 0 - - - 0 0 1 5 14 N X\nrobot 1 6 14 N 0 3 1 6 14 N A\nendstate";
        assert_eq!(talk(&format!("{out}\n{word}")), "error: robot 0 is out of the race\n");
    }
}

#[test]
fn who_is_destroyed_says_where_to_re_enter() {
    let state =
        "course checkmate\nstate\nrobot 0 - - - 10 2 1 5 14 N D\nrobot 1 6 10 N 0 3 1 6 14 N A\nendstate";
    assert_eq!(talk(&format!("{state}\nentry\nreenter")), "entry 5 14 N\ndown no\n");
    assert_eq!(talk(&format!("{state}\nyou 1\nentry")), "error: robot 1 is not destroyed\n");
    let player = "player mc:power=playouts,playout=random,trials=3,ahead=1";
    let said = talk(&format!("{player}\n{state}\nentry\nentry\nreenter\nreenter"));
    let lines: Vec<&str> = said.lines().collect();
    assert!(
        lines.len() == 4 && lines[0].starts_with("entry 5 14 ") && lines[2].starts_with("down "),
        "{said}"
    );
    assert_eq!((lines[0], lines[2]), (lines[1], lines[3]));
}

#[test]
fn the_referee_runs_a_turn() {
    let mut session = Session::new(Vec::new(), "mc:playouts=20".parse().expect("a player"), 1);
    let mut say = |line: &str| {
        session.output().clear();
        session.handle(line).expect("memory does not fail");
        String::from_utf8(session.output().clone()).expect("text")
    };
    say("course twister");
    say("race 2 3");
    assert_eq!(say("register"), "error: the deal comes first: deal\n");
    let dealt = say("deal");
    assert_eq!(dealt.lines().count(), 2, "{dealt}");
    assert!(say("deal").starts_with("error: the turn is not over"));
    for id in ["0", "1"] {
        assert!(!say("register").is_empty());
        say(&format!("you {id}"));
        let said = say("go hints 3");
        assert!((1..=3).contains(&said.lines().filter(|line| line.starts_with("hint ")).count()), "{said}");
        let program = said.lines().find_map(|line| line.strip_prefix("program ")).expect("a program");
        let hint = said.lines().find(|line| line.starts_with("hint 1 ")).expect("a hint");
        assert!(program.starts_with(hint.split("program ").nth(1).expect("cards")), "{said}");
        assert_eq!(say(&format!("program {id} {program}")), "");
    }
    assert!(say("program 0 1 2 3 4 5").starts_with("error"));
    assert!(say("cleanup").starts_with("error: the registers come first"));
    let first = say("register");
    assert!(first.starts_with("register 1\nrobot 0 ") && first.lines().count() == 5, "{first}");
    assert!(say("turn stay 7").starts_with("error: no robot 7"));
    assert!(say("turn entry 0 1 1 N").starts_with("error: entry belongs to cleanup"));
    let end = say("turn");
    assert!(end.starts_with("turn 1\nrobot 0 "), "{end}");
    assert!(say("register").starts_with("error: the deal comes first"));
    assert!(say("deal").lines().filter(|line| line.starts_with("dealt")).count() <= 2);
}
