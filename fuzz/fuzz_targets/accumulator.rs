//! Accumulators along a path of actions, some of them undone: the sums of two small networks, updated step by step, on
//! demand and for candidates of one parent, equal the sums of all active rows.
//!
//! The first byte chooses the ruleset; `barrow_testing::generators` read the rest as decisions.

#![no_main]

use std::cell::RefCell;
use std::sync::LazyLock;

use barrow_core::minions::{Change, Ruleset};
use barrow_nnue::layout::Full;
use barrow_nnue::shape::{Tiny, Trunk};
use libfuzzer_sys::fuzz_target;

use barrow_nnue_testing::incremental::AccumulatorTest;
use barrow_nnue_testing::weights::Weights;
use barrow_testing::generators::choices::Choices;
use barrow_testing::generators::positions::position;

type Small = Trunk<32, i16, Full>;

static FULL: LazyLock<Weights<Small>> = LazyLock::new(|| Weights::random(1));
static FOLDED: LazyLock<Weights<Tiny>> = LazyLock::new(|| Weights::random(2));

thread_local! {
    /// Memory of the undo log, allocated once for all inputs.
    static MEMORY: RefCell<Vec<Change>> = RefCell::new(vec![Change::default(); 4096]);
}

fuzz_target!(|data: &[u8]| {
    let choices = &mut Choices::new(data);
    let ruleset = if choices.below(4) == 3 { Ruleset::Spooky } else { Ruleset::Server };
    let game = position(choices, ruleset);
    MEMORY.with_borrow_mut(|memory| {
        if choices.chance(8) {
            AccumulatorTest::<Small, 48>::new(&FULL, &game, choices).run(choices, memory);
        } else {
            AccumulatorTest::<Tiny, 16>::new(&FOLDED, &game, choices).run(choices, memory);
        }
    });
});
