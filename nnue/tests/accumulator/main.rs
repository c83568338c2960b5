//! Accumulators updated along actions and their undoing equal accumulators computed from the position.

use barrow_core::minions::text::fen;
use barrow_core::minions::{Change, Game, GameConfig, MapLabel, Ruleset};
use barrow_core::rng::Rng;
use barrow_nnue::layout::{Folded, Full};
use barrow_nnue::shape::{Desktop, Handheld, Tiny, Trunk};

use barrow_nnue_testing::incremental::AccumulatorTest;
use barrow_nnue_testing::weights::Weights;
use barrow_testing::generators::choices::Choices;
use barrow_testing::generators::positions::position;
use barrow_testing::random_play::random_game;

/// Recorded middle games, positions of random play with spells, and invented ones.
fn positions() -> Vec<Game> {
    let mut dice = Rng::new(99);
    let config = GameConfig::default().with_ruleset(Ruleset::Spooky);
    let recorded = barrow_testing::MIDGAME.lines();
    let mut games: Vec<Game> = recorded.map(|line| fen::parse(line, &config).unwrap()).collect();
    for index in 0..200 {
        let ruleset = if index % 4 == 3 { Ruleset::Spooky } else { Ruleset::Server };
        let maps: Vec<MapLabel> = (0..2).map(|_| *dice.choose(&MapLabel::ALL).unwrap()).collect();
        games.push(random_game(dice.next_u64(), ruleset, &maps, dice.below(12), dice.below(20)));
        let data: Vec<u8> = (0..800).map(|_| dice.next_u64() as u8).collect();
        games.push(position(&mut Choices::new(&data), ruleset));
    }
    games
}

/// Follows random actions from random positions; `count` sequences, all of them undone. `BARROW_SHARE=100` runs a
/// hundredth of them, for emulated processors.
fn follow<P: barrow_nnue::shape::Profile, const ROWS: usize>(seed: u64, count: usize)
where
    P::Weight: TryFrom<i8>,
{
    let weights: Weights<P> = Weights::random(seed);
    let mut dice = Rng::new(seed);
    let games = positions();
    let mut memory = vec![Change::default(); 4096];
    let (mut actions, mut overflows) = (0, 0);
    let count = barrow_testing::rounds(count as u64) as usize;
    for _ in 0..count {
        let game = dice.choose(&games).unwrap();
        let length = 16 + dice.below(48);
        let data: Vec<u8> = (0..length).map(|_| dice.next_u64() as u8).collect();
        let mut test: AccumulatorTest<'_, P, ROWS> =
            AccumulatorTest::new(&weights, game, &mut Choices::new(&data));
        test.run(&mut Choices::new(&data), &mut memory);
        actions += test.actions;
        overflows += test.overflows;
    }
    assert!(actions > count, "{actions} actions in {count} sequences");
    assert!(10 * overflows < actions, "{overflows} of {actions} needed a refresh");
}

#[test]
fn a_hundred_thousand_sequences_of_a_small_trunk_with_all_features() {
    follow::<Trunk<32, i16, Full>, 32>(1, 80_000);
}

#[test]
fn sequences_of_the_smallest_network() {
    follow::<Tiny, 16>(2, 24_000);
}

#[test]
fn sequences_of_the_larger_networks() {
    follow::<Desktop, 64>(3, 2_000);
    follow::<Handheld, 8>(4, 2_000);
    follow::<Trunk<32, i8, Full>, 64>(5, 1_000);
    follow::<Trunk<64, i16, Folded>, 64>(6, 1_000);
}
