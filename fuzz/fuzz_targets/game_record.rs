//! Game records: the reader panics on no text, and a record that it accepts is written and read back as the same.
//!
//! An input that begins with a brace is a line of JSON. Any other is read as decisions: a generated game is written as a
//! record, words of which are exchanged, repeated or dropped.

#![no_main]

use barrow::records::game_record::{GameRecord, Ply, Policy};
use barrow_core::minions::Ruleset;
use barrow_core::minions::players::Random;
use barrow_testing::generators::choices::Choices;
use barrow_testing::generators::positions::position;
use barrow_testing::generators::turns::turn;
use libfuzzer_sys::fuzz_target;

/// Largest number of turns in a generated game.
const TURNS: usize = 4;

/// Largest number of actions that are tried on each board in a generated turn.
const ACTIONS: usize = 8;

/// Largest number of faults in a generated record, less one.
const FAULTS: usize = 3;

fuzz_target!(|data: &[u8]| {
    if data.first() == Some(&b'{') {
        check(&String::from_utf8_lossy(data));
        return;
    }
    let choices = &mut Choices::new(data);
    let faults = choices.below(FAULTS);
    let line = played(choices).to_line().expect("every turn of a record is legal");
    if faults == 0 {
        assert!(GameRecord::from_line(&line).is_ok(), "{line}");
    }
    let mut words: Vec<&str> = line.split(' ').collect();
    for _ in 0..faults {
        spoil(choices, &mut words);
    }
    check(&words.join(" "));
});

/// Plays a game, whose turns are generated where those are legal and else random.
fn played(choices: &mut Choices<'_>) -> GameRecord {
    let ruleset = if choices.below(4) == 3 { Ruleset::Spooky } else { Ruleset::Server };
    let start = position(choices, ruleset);
    let (mut game, mut plies) = (start.clone(), Vec::new());
    for _ in 0..choices.below(TURNS + 1) {
        if game.state().is_over() {
            break;
        }
        let mut turn = turn(choices, &game, ACTIONS);
        if game.play(&turn).is_err() {
            turn = Random::new(u64::from(choices.byte())).choose(&game);
            game.play(&turn).expect("a random turn is legal");
        }
        let policy = if choices.chance(8) { Policy::Random } else { Policy::Teacher };
        plies.push(Ply { turn, policy, root: None });
    }
    GameRecord { start, plies, ending: None }
}

/// Exchanges, repeats or drops a word.
fn spoil<'t>(choices: &mut Choices<'_>, words: &mut Vec<&'t str>) {
    let place = |choices: &mut Choices<'_>, words: &[&'t str]| {
        (choices.below(256) << 8 | choices.below(256)) % words.len().max(1)
    };
    let (here, there) = (place(choices, words), place(choices, words));
    match choices.below(4) {
        0 => words.swap(here, there),
        1 => words.insert(here, words[there]),
        2 => words[here] = words[there],
        _ if words.len() > 1 => drop(words.remove(here)),
        _ => {}
    }
}

/// Panics unless a line is refused, or read as a record that is written and read back as the same.
fn check(text: &str) {
    let Ok(record) = GameRecord::from_line(text) else { return };
    let line = record.to_line().expect("every turn of a record is legal");
    let again = GameRecord::from_line(&line).expect("its own line");
    assert_eq!(again.to_line().expect("every turn of a record is legal"), line);
    assert!(again.start == record.start && again.plies.len() == record.plies.len(), "{line}");
    let [mut one, mut other] = [record.start, again.start];
    for (ply, twin) in record.plies.iter().zip(&again.plies) {
        one.play(&ply.turn).expect("every turn of a record is legal");
        other.play(&twin.turn).expect("every turn of a record is legal");
        assert!(one == other && ply.policy == twin.policy, "{line}");
    }
}
