//! Whatever keys are pressed and whatever size the terminal has: nothing panics, the position shown is the one of the
//! lines entered, and the game changes by whole turns only.

use barrow_core::minions::players::Greedy;
use barrow_core::minions::{Game, GameConfig, Side};
use proptest::prelude::*;

use super::super::effect::Effect;
use super::super::engine_thread::SearchAnswer;
use super::super::keys::Key;
use super::super::play_state::PlayState;
use super::{screen, state_of};
use crate::engine::SearchResult;

fn key() -> impl Strategy<Value = Key> {
    let letters: Vec<char> = "abpctkeuUhmilvLsor?:q01 n  nnntbpc".chars().collect();
    prop_oneof![
        6 => proptest::sample::select(letters).prop_map(Key::Char),
        6 => Just(Key::Enter),
        2 => proptest::sample::select(vec![Key::Up, Key::Down, Key::Left, Key::Right, Key::Down]),
        2 => proptest::sample::select(vec![
            Key::Escape, Key::Tab, Key::BackTab, Key::PageUp, Key::PageDown, Key::Home, Key::End, Key::Backspace,
            Key::Interrupt,
        ]),
    ]
}

/// A position after some turns.
fn position(turns: u64, seed: u64) -> Game {
    let mut game = Game::new(GameConfig::default(), seed);
    for turn in 0..turns {
        if !game.state().is_over() {
            game.play(&Greedy::new(turn).choose(&game)).unwrap();
        }
    }
    game
}

/// Does what the effects ask for; the number of turns that were recorded.
fn serve(state: &mut PlayState, effects: Vec<Effect>) -> u32 {
    let mut turns = 0;
    for effect in effects {
        match effect {
            Effect::Search(request) => {
                let turn = Greedy::new(1).choose(&request.game);
                let result = SearchResult::unsearched(turn, 0.5);
                let further = state.answer(SearchAnswer { id: request.id, result });
                turns += serve(state, further);
            }
            Effect::Record(_) => turns += 1,
            Effect::NewGame => {
                let further = state.new_game(Game::new(GameConfig::default(), 0), state.person());
                turns = 0;
                turns += serve(state, further);
            }
            _ => {}
        }
    }
    turns
}

proptest! {
    // PROPTEST_CASES asks for more: 256 of them are eight here.
    #![proptest_config(ProptestConfig {
        cases: (ProptestConfig::default().cases / 32).max(1), failure_persistence: None, ..ProptestConfig::default()
    })]

    #[test]
    fn any_keys_leave_a_game_that_the_rules_know(
        turns in 0..12u64,
        seed in 0..4u64,
        keys in proptest::collection::vec(key(), 1..60),
        width in 0..200u16,
        height in 0..60u16,
    ) {
        let game = position(turns, seed);
        let (mut state, effects) = state_of(game, Side::Yellow);
        serve(&mut state, effects);
        for key in keys {
            let before = state.game.clone();
            let effects = state.press(key);
            let is_new = effects.iter().any(|effect| matches!(effect, Effect::NewGame));
            let played = serve(&mut state, effects);
            if played == 0 && !is_new {
                prop_assert_eq!(&state.game, &before);
            }
            prop_assert_eq!(&state.shown, &state.entry.shown());
            prop_assert!(state.entry.turn().is_ok());
            screen(&state, width, height);
            screen(&state, 80, 24);
        }
    }
}
