//! FEN: every position that random play reaches can be written and read back.

use barrow_core::minions::text::fen;
use barrow_core::minions::{Action, Game, GameConfig, GeneralAction, MapLabel, Ruleset, Side, UndoLog};
use proptest::prelude::*;

use barrow_testing::random_play::random_game;
use barrow_testing::rounds;

/// Positions of self-play games of Spooky in its default configuration, one FEN per line.
use barrow_testing::MIDGAME;

#[test]
fn every_recorded_position_round_trips_byte_for_byte() {
    for ruleset in [Ruleset::Spooky, Ruleset::Server] {
        let config = GameConfig::default().with_ruleset(ruleset);
        for line in MIDGAME.lines() {
            let game = fen::parse(line, &config).unwrap_or_else(|error| panic!("{line}: {error}"));
            assert_eq!(fen::Display(&game).to_string(), line);
            assert_round_trip(&game);
        }
    }
}

fn assert_round_trip(game: &Game) {
    let text = fen::Extended(game).to_string();
    assert!(text.bytes().all(|byte| (b' '..=b'~').contains(&byte)), "{text}");
    let again = Game::from_fen(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(again.state().key(), game.state().key(), "{text}");
    assert_eq!(&again, game, "{text}");
    assert_eq!(again.validate(), Ok(()));
    assert_eq!(fen::Extended(&again).to_string(), text);
}

fn rulesets() -> impl Strategy<Value = Ruleset> {
    prop_oneof![3 => Just(Ruleset::Server), 1 => Just(Ruleset::Spooky)]
}

fn maps() -> impl Strategy<Value = Vec<MapLabel>> {
    prop::collection::vec(prop::sample::select(MapLabel::ALL.to_vec()), 1..4)
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: rounds(200) as u32, failure_persistence: None, ..ProptestConfig::default()
    })]

    #[test]
    fn positions_of_random_play_round_trip(
        seed in any::<u64>(), ruleset in rulesets(), maps in maps(), turns in 0u32..24, rest in 0u32..40,
    ) {
        assert_round_trip(&random_game(seed, ruleset, &maps, turns, rest));
    }

    #[test]
    fn spookys_form_of_its_own_positions_loses_only_who_is_paid_when(
        seed in any::<u64>(), maps in maps(), turns in 0u32..24,
    ) {
        let game = random_game(seed, Ruleset::Spooky, &maps, turns, 0);
        let text = fen::Display(&game).to_string();
        let again = fen::parse(&text, game.config()).unwrap();
        prop_assert_eq!(fen::Display(&again).to_string(), text);
        for side in Side::ALL {
            let total = game.state().souls(side) + game.state().pending(side);
            prop_assert_eq!(again.state().souls(side), total);
        }
    }

    #[test]
    fn damaged_texts_are_read_or_refused(
        seed in any::<u64>(), turns in 0u32..6, at in any::<prop::sample::Index>(), byte in b' '..=b'~',
        cut in any::<prop::sample::Index>(),
    ) {
        let game = random_game(seed, Ruleset::Server, &[MapLabel::Apocalypse], turns, 10);
        let mut text = fen::Extended(&game).to_string().into_bytes();
        let place = at.index(text.len());
        text[place] = byte;
        let whole = String::from_utf8(text).unwrap();
        for part in [&whole[..], &whole[..cut.index(whole.len())]] {
            match Game::from_fen(part) {
                Ok(read) => assert_round_trip(&read),
                Err(error) => prop_assert!((1..=part.len() + 1).contains(&error.column), "{}", error),
            }
        }
    }
}

#[test]
fn damage_in_the_middle_of_a_turn_is_kept() {
    let mut game = Game::new(GameConfig::default(), 3);
    game.apply(Action::General(GeneralAction::March), &mut UndoLog::off()).unwrap();
    assert_round_trip(&game);
    let text = fen::Extended(&game).to_string();
    assert!(text.contains(" tp=0,0,0 ts=LLLL"), "{text}");
}
