//! Parsers of positions and configurations: they panic on no text, and what they accept is valid, can be written and read
//! back, and yields turns of the players that are legal and read back as they are printed.
//!
//! The lowest bit of the first byte chooses the ruleset. With the highest bit set, the rest is read as decisions about a
//! position whose text has faults; else it is text: a position, and its configuration on the second line, if any.
//! The hand-written players play in one input of eight.

#![no_main]

use barrow_core::minions::players::{Greedy, Random};
use barrow_core::minions::text::fen;
use barrow_core::minions::{Game, GameConfig, Ruleset};
use barrow_fuzz::one_in;
use barrow_testing::generators::choices::Choices;
use barrow_testing::generators::texts::position_text;
use barrow_testing::print_parse::{check_position, check_turn};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((&choice, text)) = data.split_first() else { return };
    let ruleset = if choice & 1 == 0 { Ruleset::Server } else { Ruleset::Spooky };
    if choice >= 128 {
        let (position, config) = position_text(&mut Choices::new(text), ruleset);
        read(&position, &config, one_in(8, data));
        return;
    }
    let text = String::from_utf8_lossy(text);
    let (position, config) = text.split_once('\n').unwrap_or((&text, ""));
    let config = match fen::parse_config(config, ruleset) {
        Ok(config) => {
            assert_eq!(
                fen::parse_config(&fen::ConfigLine(&config).to_string(), ruleset).as_ref(),
                Ok(&config)
            );
            config
        }
        Err(error) => {
            assert!((1..=config.len() + 1).contains(&error.column), "{error}");
            GameConfig::default().with_ruleset(ruleset)
        }
    };
    read(position, &config, one_in(8, data));
});

fn read(position: &str, config: &GameConfig, is_played: bool) {
    match fen::parse(position, config) {
        Ok(game) => check(&game, position, is_played),
        Err(error) => assert!((1..=position.len() + 1).contains(&error.column), "{error}"),
    }
}

fn check(game: &Game, position: &str, is_played: bool) {
    assert_eq!(game.validate(), Ok(()));
    check_position(game);
    let extended = fen::Extended(game).to_string();
    assert_eq!(Game::from_fen(&extended).as_ref(), Ok(game), "{extended}");
    if is_played && !game.state().is_over() {
        for turn in [Greedy::new(1).choose(game), Random::new(game.state().key()).choose(game)] {
            assert!(check_turn(game, &turn).is_some(), "an illegal turn in {extended}");
        }
    }

    // The plain form keeps everything of a Spooky game without extensions.
    let extends = position.split_ascii_whitespace().any(|word| word == "x1");
    if !game.config().rules.spells && !extends {
        let plain = fen::Display(game).to_string();
        assert_eq!(fen::parse(&plain, game.config()).as_ref(), Ok(game), "{plain}");
    }
}
