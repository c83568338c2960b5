//! Money curves: the change of the win logit when souls are spent on one board, measured by letting Greedy spend them.
//!
//! The board becomes a game of its own in which the side to move has the souls of one knot and can do nothing but
//! place units; the hand-written evaluation values the board after Greedy's turn. Souls that are not spent count as
//! lost, so the curve flattens where there is no room left.

use barrow_core::minions::players::Greedy;
use barrow_core::minions::players::heuristics::eval;
use barrow_core::minions::{Builder, Game, GameConfig, SideArray, TechStatus, UndoLog};
use barrow_core::search::value::KNOTS;

/// Evaluation difference, in hundredths of a soul, that changes the win logit by 1: the scale of
/// [`eval::win_permille`].
pub(super) const LOGIT_SCALE: f32 = 4_000.0;

/// Money curve: change of the win logit at each of the [`KNOTS`].
pub type MoneyCurve = [f32; KNOTS.len()];

/// Measures the money curve of a board after the attacks. Returns `None` where no unit can be placed.
pub(super) fn measure(game: &Game, board: usize, seed: u64) -> Option<MoneyCurve> {
    let view = game.view(board)?;
    let marks = view.board.marks();
    if !view.board.state().allows_spawn() || marks.won || marks.lost || marks.resigned {
        return None;
    }
    let before = eval::board_score(&board_game(game, board, 0)?, 0);
    let mut curve = MoneyCurve::default();
    for (slot, souls) in curve.iter_mut().zip(KNOTS) {
        let mut after = board_game(game, board, u32::from(souls))?;
        let turn = Greedy::new(seed).choose(&after);
        after.enter(&turn, &mut UndoLog::off()).ok()?;
        *slot = (eval::board_score(&after, 0) - before) as f32 / LOGIT_SCALE;
    }
    Some(curve)
}

/// Game on one board of another game, in which the side to move can do nothing but place units for these souls.
fn board_game(game: &Game, board: usize, souls: u32) -> Option<Game> {
    let (config, state) = (game.config(), game.state());
    let map = *config.maps().get(board)?;
    let mut single = GameConfig::new(config.ruleset, &[map])?
        .with_points(config.points_needed)
        .with_techline(config.techline.clone());
    // All pieces are exhausted so that none attacks; this switch lets spawners among them spawn all the same.
    single.rules.chain_spawn = true;
    let side = state.side_to_move();
    let mut builder = Builder::new(single, 0);
    let target = builder.board(0)?;
    target.clone_from(state.boards().get(board)?);
    for (hex, piece) in state.boards().get(board)?.iter(side) {
        target.set_piece(hex, Some(piece.with_exhaustion()));
    }
    let mut marks = target.marks();
    marks.picks = 0;
    target.set_marks(marks);
    // With every tech known or taken there is nothing that Greedy would buy a card for.
    let (mut own, mut other) = (state.tech(side), state.tech(side.opponent()));
    for index in 0..config.techline.len() as u8 {
        if own.status(index) == TechStatus::Locked {
            own.set(index, TechStatus::Unlocked);
        }
        if !own.owns(index) {
            other.set(index, TechStatus::Acquired);
        }
    }
    let mut levels = SideArray::new(own, own);
    levels[side.opponent()] = other;
    // What was acquired this turn cannot be bought from where the rules ask for the turn's start.
    let mut start = SideArray::new(state.tech_at_start(side), state.tech_at_start(side));
    start[side.opponent()] = state.tech_at_start(side.opponent());
    let mut balance = SideArray::new(0, 0);
    balance[side] = souls;
    builder.turn(side, state.turn()).souls(balance).tech(levels, start).row(&[], 0)?;
    builder.build().ok()
}

#[cfg(test)]
mod tests {
    use barrow_core::minions::Ruleset;

    use super::*;
    use crate::bench::test_positions;

    #[test]
    fn more_money_is_worth_more_until_there_is_no_room() {
        let mut measured = 0;
        for game in [Ruleset::Server, Ruleset::Spooky].into_iter().flat_map(test_positions::middle_games) {
            for board in 0..game.config().num_boards() {
                let Some(curve) = measure(&game, board, 3) else { continue };
                measured += 1;
                assert!(curve[7] >= curve[0] && curve.iter().all(|change| change.abs() < 5.0), "{curve:?}");
            }
        }
        assert!(measured > 20);
    }

    #[test]
    fn the_board_stands_alone_with_the_money_given() {
        let game = &test_positions::middle_games(Ruleset::Server)[0];
        let single = board_game(game, 1, 9).unwrap();
        assert_eq!(single.state().souls(game.side_to_move()), 9);
        assert_eq!(single.config().maps(), &game.config().maps()[1..2]);
        assert_eq!(single.state().boards()[0].all_pieces(), game.state().boards()[1].all_pieces());
    }
}
