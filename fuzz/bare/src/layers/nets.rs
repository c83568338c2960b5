//! Networks: loaded from a file, and every question that the turn search asks them.

use core::hint::black_box;

use barrow_core::hex::{Hex, HexSet};
use barrow_core::minions::turn_search::ports::{AttackPolicy, Evaluator, GeneralPolicy, SpawnPolicy, Stage};
use barrow_core::minions::{Action, BoardAction, Game, UndoLog, UnitLabel};
use barrow_nnue::nets::Network;
use barrow_nnue::ports::{GeneralPort, OraclePort, VisionPort};
use barrow_nnue::shape::{Desktop, Handheld, Profile, Tiny};

use crate::input::{hex, number, print, use_up};

/// Everything that the networks of all profiles offer.
pub fn run() {
    let mut game = crate::input::game();
    ask::<Desktop>(&mut game);
    ask::<Handheld>(&mut game);
    ask::<Tiny>(&mut game);
}

fn ask<P: Profile>(game: &mut Game) {
    let network = match Network::<P>::from_bytes(black_box(&[])) {
        Ok(network) => network,
        Err(error) => return print(error),
    };
    let (mut oracle, mut vision) = (OraclePort::new(network), VisionPort::new(network));
    let mut general = GeneralPort::new(network);
    oracle.begin(game);
    if let Some(general) = &mut general {
        general.begin(game);
    }
    let mut worths = [0; Hex::COUNT];
    for _ in 0..black_box(9) {
        let (board, unit) = (number() as usize, black_box(UnitLabel::Zombie));
        let action = Action::Board(number() as u8, black_box(BoardAction::Resign));
        use_up(game.apply(action, &mut UndoLog::off()));
        use_up((oracle.evaluate(game), oracle.evaluate_begun(game), oracle.evaluate_general(game)));
        use_up(oracle.evaluate_board(game, board, black_box(Stage::AfterAttack)));
        use_up((oracle.curve(game, board), oracle.savings(game)));
        use_up(general.as_mut().map(|general| general.prior(game, &[])));
        use_up(vision.prophesy(game, board, 0));
        vision.begin_board(game, board);
        vision.spawn(game, board, unit, black_box(HexSet::ALL), &mut worths);
        vision.stand(game, board, hex(), black_box(HexSet::ALL), &mut worths);
        use_up(vision.unit(game, board, unit));
        use_up(&worths);
    }
}
