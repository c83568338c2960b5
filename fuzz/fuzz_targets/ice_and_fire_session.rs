//! Sessions of the bot of A Code of Ice and Fire with arbitrary input: nothing panics, each complete turn is answered by a
//! line that the referee recognises, and unreadable input is an error. The same bytes are read as a file of scenarios,
//! maps, traces or cuts, and as a player's line.

#![no_main]

use std::time::Duration;

use barrow::contests::ice_and_fire::{protocol, replay};
use barrow::replay::Tally;
use barrow_core::contests::ice_and_fire::bot::Options;
use barrow_core::contests::ice_and_fire::command::commands;
use barrow_core::contests::ice_and_fire::{Game, Map, Rules};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let rules = Rules::PERMANENT;
    if let Ok(text) = std::str::from_utf8(data) {
        let _ = replay::text("fuzz", text, &mut Tally::default());
        let _ = replay::game_at(text, 3);
        let mut game = Game::new(&Map::generate(1, &rules));
        let recognised = game.execute(&rules, text).is_ok();
        assert_eq!(recognised, commands(text).all(|command| command.is_ok()));
        assert_eq!(game.state().check(), Ok(()));
    }
    let options = Options { lines: 3, work: 300, ..Options::FULL };
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    protocol::play(&mut &data[..], &mut output, &mut errors, &rules, &options, Duration::MAX)
        .expect("no stream fails");
    let answers = String::from_utf8(output).expect("answers are text");
    for answer in answers.lines() {
        assert!(commands(answer).all(|command| command.is_ok()), "{answer:?}");
    }
    let errors = String::from_utf8(errors).expect("errors are text");
    assert!(errors.lines().all(|line| line.starts_with("error: ")), "{errors:?}");
});
