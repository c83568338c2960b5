//! Positions as text, read and printed, and lines of configuration.

use barrow_core::minions::GameConfig;
use barrow_core::minions::text::fen;

use crate::input::{number, print, ruleset, text};

/// Everything that is offered for positions as text.
pub fn run() {
    match fen::parse_config(text(), ruleset()) {
        Ok(config) => {
            print(fen::ConfigLine(&config));
            read(&config);
        }
        Err(error) => print(error),
    }
    read(&GameConfig::default());
}

fn read(config: &GameConfig) {
    match fen::parse_seeded(text(), config, number()) {
        Ok(game) => {
            print(fen::Display(&game));
            print(fen::Extended(&game));
        }
        Err(error) => print(error),
    }
}
