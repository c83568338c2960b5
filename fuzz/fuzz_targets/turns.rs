//! A position and a sequence of actions and turns, on the engine and on the slow reference of the rules: what one
//! accepts the other accepts with the same result, a refusal leaves every bit as it was, undo restores every bit,
//! keys equal those computed from scratch, and every position is valid.
//!
//! The first byte chooses the ruleset; the rest is read as decisions by the inventions of the property tests.

#![no_main]


use barrow_core::minions::Ruleset;
use libfuzzer_sys::fuzz_target;

use barrow_testing::generators::actions::deed;
use barrow_testing::generators::choices::Choices;
use barrow_testing::generators::duel::Duel;
use barrow_testing::generators::positions::position;
use barrow_testing::generators::turns::turn;

/// Deeds in one run; longer games find nothing that shorter ones with other bytes do not.
const DEEDS: usize = 150;

fuzz_target!(|data: &[u8]| {
    let choices = &mut Choices::new(data);
    let ruleset = if choices.below(4) == 3 { Ruleset::Spooky } else { Ruleset::Server };
    let mut duel = Duel::new(position(choices, ruleset));
    for _ in 0..DEEDS {
        if choices.is_empty() || duel.crowded || duel.game.state().is_over() {
            break;
        }
        match choices.below(32) {
            31 => {
                let turn = turn(choices, &duel.game, 12);
                duel.play(&turn);
            }
            29 | 30 => {
                duel.end_turn();
            }
            _ => {
                let deed = deed(choices, &duel.game);
                duel.attempt(&deed);
            }
        }
    }
    duel.end_turn();
});
