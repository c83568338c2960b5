//! Place judge: Oracle's values of the options of a finish's choices, which make shares for Dark Seer to learn. Each option
//! is put on the board that the finish leads to, all other pieces being where the finish has them. A share is the chance
//! of the option by the hand-written worths times a power of the win odds that it gives, as the improved policy of A.
//! Abdolmaleki and others ("Maximum a posteriori policy optimisation", 2018), so that the net learns what Oracle adds.

use barrow_core::hex::Hex;
use barrow_core::minions::turn_search::ports::{Evaluator, Stage};
use barrow_core::minions::{Builder, Game, Piece};
use barrow_core::search::value::CERTAIN;

/// Win logit that multiplies the share of an option by e.
const SHARPNESS: f32 = 0.01;

/// Judge of the boards of one position.
pub(super) struct PlaceJudge<'a> {
    evaluator: &'a mut dyn Evaluator,
    board: usize,
}

impl<'a> PlaceJudge<'a> {
    /// Judge of a board of the position that the turn began with.
    pub(super) fn new(evaluator: &'a mut dyn Evaluator, before: &Game, board: usize) -> PlaceJudge<'a> {
        evaluator.begin(before);
        PlaceJudge { evaluator, board }
    }

    /// Logits of the hexes of a piece that the finish has put on `chosen`, by the win odds that each would give. `None`
    /// when one of the positions is not valid.
    pub(super) fn logits(
        &mut self,
        finished: &Game,
        chosen: Hex,
        hexes: impl IntoIterator<Item = Hex>,
        piece_on: impl Fn(Piece, Hex) -> Piece,
    ) -> Option<Vec<f32>> {
        let piece = finished.state().boards().get(self.board)?.piece(chosen)?;
        let mut logits = Vec::new();
        for hex in hexes {
            let mut builder = Builder::from_game(finished.clone());
            let position = builder.board(self.board)?;
            position.set_piece(chosen, None);
            position.set_piece(hex, Some(piece_on(piece, hex)));
            let game = builder.build().ok()?;
            let win = self.evaluator.evaluate_board(&game, self.board, Stage::AfterSpawn).win;
            let chance = win.clamp(1, CERTAIN - 1) as f32 / CERTAIN as f32;
            logits.push(super::vector::logit(chance) / SHARPNESS);
        }
        Some(logits)
    }
}
