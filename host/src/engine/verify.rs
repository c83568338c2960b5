//! Verification of the final choice: a turn after which an attack wins the game for the opponent is not played where another one
//! is known. The solver proves it; cards, of which the solver knows nothing, can only make more turns lose.

use barrow_core::minions::Game;

use super::proof::Prover;
use super::search_result::SearchResult;

/// Turns that are verified at most: each takes an attack model of every board.
const MOST: usize = 6;

/// Puts candidates that are proved to lose behind all others, the best of those that are left first. Where all that are looked
/// at lose, the order stays.
pub(super) fn verify(game: &Game, prover: &mut Prover, result: &mut SearchResult) {
    let looked_at = result.candidates.len().min(MOST);
    let mut losing = 0;
    for candidate in result.candidates.iter_mut().take(looked_at) {
        let mut after = game.clone();
        let goes_on = after.play(&candidate.turn).is_ok() && !after.state().is_over();
        if !goes_on || !prover.winning_attack(&after).is_yes() {
            break;
        }
        candidate.prove_lost();
        losing += 1;
    }
    if losing == 0 || losing == result.candidates.len() {
        return;
    }
    if losing < looked_at {
        result.candidates.rotate_left(losing);
        // The answer that was expected is one to another turn.
        result.reply = None;
    }
}
