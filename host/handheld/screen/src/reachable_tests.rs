//! Every legal action can be entered by the screen: it is an entry of a page, or leads from a lit hex.

extern crate std;

use std::collections::HashSet;
use std::string::String;
use std::vec::Vec;

use barrow_core::hex::Hex;
use barrow_core::minions::{Action, BoardAction, Game, GeneralAction};

use crate::aim::{Aim, Chosen};
use crate::level::{Level, Machine};
use crate::screen::GameScreen;
use crate::ui::{Act, Page};

const MACHINE: Machine = Machine {
    name: "test",
    levels: &[Level { name: "easy", about: "", slices: 0 }],
    default_level: 0,
    max_boards: 8,
    nodes_per_slice: 1,
};

/// All that an aim leads to when lit hexes are chosen.
fn follow(game: &Game, board: usize, aim: &Aim, reached: &mut HashSet<Vec<Action>>) {
    for hex in aim.lit(game, board).all() {
        match aim.choose(game, board, hex) {
            Some(Chosen::Enter(actions)) => {
                reached.insert(actions.to_vec());
            }
            Some(Chosen::Aim(Aim::Pieces(chain))) if chain.len() > 2 => {}
            Some(Chosen::Aim(aim)) => follow(game, board, &aim, reached),
            None => {}
        }
    }
}

fn reached(screen: &mut GameScreen, board: usize) -> HashSet<Vec<Action>> {
    let mut reached = HashSet::new();
    screen.ui.board = board as u8;
    let mut aims = Vec::new();
    for hex in Hex::all() {
        aims.push(Aim::piece(hex));
        screen.ui.hex = hex;
        for page in [Page::Here, Page::Buy, Page::Place, Page::Cards, Page::Keep, Page::Resign, Page::Menu] {
            // Only the first of these pages depends on the cursor.
            if page != Page::Here && hex.index() > 0 {
                continue;
            }
            screen.ui.page = page;
            for item in screen.items().iter().filter(|item| item.refused.is_none()) {
                match &item.act {
                    Act::Enter(action) => {
                        reached.insert([*action].to_vec());
                    }
                    Act::Aim(aim) => aims.push(aim.clone()),
                    _ => {}
                }
            }
        }
    }
    let game = screen.table.shown().clone();
    aims.iter().for_each(|aim| follow(&game, board, aim, &mut reached));
    for entry in 0..game.config().techline.len() + 2 {
        reached.insert([crate::wording::tech_step(&game, entry)].to_vec());
    }
    reached
}

fn legal(game: &Game, board: usize) -> Vec<Vec<Action>> {
    let on = |action| [Action::Board(board as u8, action)].to_vec();
    let mut all = Vec::new();
    game.legal_board_actions(board, |action| all.push(on(action)));
    all.push(on(BoardAction::Resign));
    if !game.state().boards()[board].marks().spawn_phase {
        all.push(on(BoardAction::EndPhase));
    }
    game.legal_general_actions(|action| match action {
        Action::General(GeneralAction::Assign { board: to, .. }) if usize::from(to) != board => {}
        // The step that unlocks the next tech is the march.
        Action::General(GeneralAction::Advance { index })
            if game.state().tech(game.side_to_move()).first_locked(game.config().techline.len())
                == Some(index) => {}
        action => all.push([action].to_vec()),
    });
    if let Some(view) = game.view(board) {
        view.swaps(|first, second| {
            all.push(
                [
                    Action::Board(board as u8, BoardAction::Move { from: first, to: second, joined: true }),
                    Action::Board(board as u8, BoardAction::walk(second, first)),
                ]
                .to_vec(),
            );
        });
    }
    all
}

#[test]
fn every_legal_action_can_be_entered() {
    let mut kinds = HashSet::new();
    let mut draft = barrow_core::minions::DraftMemory::new();
    let mut screen = GameScreen::new(MACHINE);
    screen.ui.in_game = true;
    for seed in 0..6 {
        screen.ui.settings.spells = seed % 3 != 2;
        screen.ui.settings.boards = 1 + seed % 2;
        // Teleporters, spawners and the like are on the later maps.
        screen.ui.settings.maps =
            core::array::from_fn(|place| ((2 + 5 * usize::from(seed) + place) % 20) as u8);
        screen.table.begin(screen.ui.settings.config(), u64::from(seed));
        for turn in 0..24 {
            screen.ui.person = screen.table.start().side_to_move();
            if turn % 2 == 1 || turn > 16 {
                for board in 0..usize::from(screen.ui.settings.boards) {
                    let game = screen.table.shown().clone();
                    let reached = reached(&mut screen, board);
                    for actions in legal(&game, board) {
                        let shown = std::format!("{actions:?}");
                        let kind: String = shown.chars().take_while(|&letter| letter != '{').collect();
                        assert!(reached.contains(&actions), "seed {seed}, turn {turn}: {shown}");
                        kinds.insert(kind);
                    }
                }
            }
            let turn = crate::engine::simple_turn(screen.table.start(), &mut draft).clone();
            for action in crate::engine::actions_of(&turn, screen.table.start().state().budget()) {
                screen.table.enter(&[action]).unwrap();
            }
            screen.table.end_turn().unwrap();
            if screen.table.is_over() {
                break;
            }
        }
    }
    assert!(kinds.len() >= 12, "{kinds:?}");
}
