//! Everything that is legal can be chosen, and everything that can be chosen is legal.

use std::collections::BTreeSet;

use barrow_core::minions::players::{Greedy, Random};
use barrow_core::minions::text::umi::BoardActText;
use barrow_core::minions::{Action, Game, GameConfig, GeneralAction, MapLabel, Ruleset};

use super::super::board_choices::{buy_menu, card_menu, keep_menu, place_menu};
use super::super::menu::{Act, Item};
use super::super::piece_choices::{aim_of_piece, menu_of_hex};
use super::super::play_state::PlayState;
use super::super::tech_choices::{legal_lines, tech_menu};
use super::state_of;

/// Lines to which choices lead, through menus and aims.
fn lines_of(items: &[Item], lines: &mut BTreeSet<String>) {
    for item in items {
        match &item.act {
            Ok(Act::Line(line)) => {
                lines.insert(line.clone());
            }
            Ok(Act::Menu(menu)) => lines_of(&menu.items, lines),
            Ok(Act::Aim(aim)) => aim.targets.iter().for_each(|target| lines_of(&target.items, lines)),
            Ok(Act::Do(_)) => {}
            Err(why) => assert!(!why.is_empty(), "{}", item.text),
        }
    }
}

/// Lines that can be chosen by cursor and menus on the board under the cursor.
fn chosen_lines(state: &PlayState) -> BTreeSet<String> {
    let mut lines = BTreeSet::new();
    let own = state.shown.view(state.board).unwrap().board.pieces(state.person);
    for hex in own {
        if let Ok(aim) = aim_of_piece(&state.shown, &state.entry, state.board, hex) {
            aim.targets.iter().for_each(|target| lines_of(&target.items, &mut lines));
        }
    }
    for hex in barrow_core::hex::Hex::all() {
        if let Ok(menu) = menu_of_hex(&state.shown, state.board, hex) {
            lines_of(&menu.items, &mut lines);
        }
    }
    let menus = [buy_menu(state), place_menu(state), keep_menu(state), card_menu(state)];
    for menu in menus.into_iter().flatten() {
        lines_of(&menu.items, &mut lines);
    }
    lines_of(&tech_menu(state).items, &mut lines);
    lines
}

fn check(state: &mut PlayState) {
    for board in 0..state.game.config().num_boards() {
        state.board = board;
        let chosen = chosen_lines(state);
        for line in &chosen {
            assert_eq!(state.entry.check(line), Ok(()), "{line}");
        }
        let mut legal = Vec::new();
        state
            .shown
            .legal_board_actions(board, |action| legal.push(format!("{board} {}", BoardActText(&action))));
        state.shown.view(board).unwrap().swaps(|a, b| legal.push(format!("{board} move_cyclic {a} {b}")));
        for line in &legal {
            assert!(chosen.contains(line), "{line} cannot be chosen");
        }
        state.shown.legal_general_actions(|action| {
            let Action::General(action) = action else { return };
            let known = match action {
                GeneralAction::BuySpell => chosen.contains("buy_spell"),
                GeneralAction::Sell => chosen.contains("sell"),
                GeneralAction::Assign { board, card } => {
                    let spell = state.shown.state().row()[usize::from(card)].name();
                    chosen.contains(&format!("give_spell {board} {spell} {card}"))
                }
                GeneralAction::March | GeneralAction::Advance { .. } => {
                    chosen.iter().any(|line| line.starts_with("tech "))
                }
            };
            assert!(known, "{action:?} cannot be chosen");
        });
    }
    for line in legal_lines(state) {
        assert_eq!(state.entry.check(&line), Ok(()), "{line}");
    }
}

fn check_game(ruleset: Ruleset, maps: &[MapLabel], seed: u64) {
    let mut game = Game::new(GameConfig::new(ruleset, maps).unwrap(), seed);
    for turn in 0..14 {
        if game.state().is_over() {
            return;
        }
        let played =
            if turn % 4 == 3 { Random::new(turn).choose(&game) } else { Greedy::new(seed).choose(&game) };
        let (mut state, _) = state_of(game.clone(), game.side_to_move());
        if turn % 3 == 0 {
            check(&mut state);
        }
        // In the middle of the turn, too: every other line of a turn that is played.
        let text = barrow_core::minions::text::umi::TurnText::new(&game, &played).to_string();
        for line in text.lines().skip(1).step_by(2) {
            let _ = state.enter(line);
        }
        if turn % 3 == 1 {
            check(&mut state);
        }
        game.play(&played).unwrap();
    }
}

#[test]
fn what_is_legal_can_be_chosen_and_what_can_be_chosen_is_legal() {
    check_game(Ruleset::Server, &[MapLabel::SorcerersLair, MapLabel::ChaosDiamond], 5);
    check_game(Ruleset::Spooky, &[MapLabel::MidnightLake], 6);
}
