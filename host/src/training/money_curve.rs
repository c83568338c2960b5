//! What money is worth on a board, as Greedy would spend it.
//!
//! The board is taken out of the game; its side is given some souls that can be spent here only, and the teacher
//! values what Greedy makes of them. What is not spent is lost, so the curve flattens where there is no room left.

use barrow_core::minions::players::Greedy;
use barrow_core::minions::players::heuristics::eval;
use barrow_core::minions::{Builder, Game, GameConfig, SideArray, TechStatus, UndoLog};

/// Souls at the knots of the curve.
pub const KNOTS: [u32; 8] = [0, 2, 4, 7, 10, 14, 20, 28];

/// Teacher's points, hundredths of a soul, for which the odds multiply by e. The scale of [`eval::win_permille`].
pub(super) const SCALE: f32 = 4_000.0;

/// Change of the win logit at each of [`KNOTS`].
pub type Curve = [f32; KNOTS.len()];

/// Measures the curve of a board after the attacks. `None` where nothing can be placed.
pub(super) fn measure(game: &Game, board: usize, seed: u64) -> Option<Curve> {
    let view = game.view(board)?;
    let marks = view.board.marks();
    if !view.board.state().allows_spawn() || marks.won || marks.lost || marks.resigned {
        return None;
    }
    let before = eval::board_score(&alone(game, board, 0)?, 0);
    let mut curve = Curve::default();
    for (slot, souls) in curve.iter_mut().zip(KNOTS) {
        let mut after = alone(game, board, souls)?;
        let turn = Greedy::new(seed).choose(&after);
        after.enter(&turn, &mut UndoLog::off()).ok()?;
        *slot = (eval::board_score(&after, 0) - before) as f32 / SCALE;
    }
    Some(curve)
}

/// A game of this board alone, in which the side to move can do nothing but place units for these souls.
fn alone(game: &Game, board: usize, souls: u32) -> Option<Game> {
    let (config, state) = (game.config(), game.state());
    let map = *config.maps().get(board)?;
    let mut single = GameConfig::new(config.ruleset, &[map])?
        .with_points(config.points_needed)
        .with_techline(config.techline.clone());
    // Exhausted pieces do not fight; that they still let units be placed takes this switch.
    single.rules.chain_spawn = true;
    let side = state.side_to_move();
    let mut builder = Builder::new(single, 0);
    let target = builder.board(0)?;
    *target = state.boards().get(board)?.clone();
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
    let mut purse = SideArray::new(0, 0);
    purse[side] = souls;
    builder.turn(side, state.turn()).souls(purse).tech(levels, start).row(&[], 0)?;
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
        let single = alone(game, 1, 9).unwrap();
        assert_eq!(single.state().souls(game.side_to_move()), 9);
        assert_eq!(single.config().maps(), &game.config().maps()[1..2]);
        assert_eq!(single.state().boards()[0].all_pieces(), game.state().boards()[1].all_pieces());
    }
}
