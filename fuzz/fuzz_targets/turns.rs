//! A position and a sequence of actions and turns, played by the engine and by the slow reference of the rules: both
//! accept the same ones with the same result, a refusal changes no bit, undo restores every bit, keys equal those
//! computed from scratch, and every position is valid. Every position and every legal turn is read back as it was
//! printed.
//!
//! The first byte chooses the ruleset; `barrow_testing::generators` read the rest as decisions.

#![no_main]

use barrow_core::minions::Ruleset;
use libfuzzer_sys::fuzz_target;

use barrow_testing::differential::Differential;
use barrow_testing::generators::actions::step;
use barrow_testing::generators::choices::Choices;
use barrow_testing::generators::positions::position;
use barrow_testing::generators::turns::turn;
use barrow_testing::print_parse::{check_position, check_turn};

/// Largest number of steps; longer games find nothing that shorter ones with other bytes do not.
const STEPS: usize = 40;

fuzz_target!(|data: &[u8]| {
    let choices = &mut Choices::new(data);
    let ruleset = if choices.below(4) == 3 { Ruleset::Spooky } else { Ruleset::Server };
    let mut differential = Differential::new(position(choices, ruleset));
    for _ in 0..STEPS {
        if choices.is_empty() || differential.overflowed || differential.game.state().is_over() {
            break;
        }
        match choices.below(32) {
            31 => {
                let turn = turn(choices, &differential.game, 12);
                check_turn(&differential.game, &turn);
                differential.play(&turn);
            }
            29 | 30 => {
                differential.end_turn();
            }
            _ => {
                let step = step(choices, &differential.game);
                differential.step(&step);
            }
        }
    }
    check_position(&differential.game);
    differential.end_turn();
});
