//! One game of a match.

use std::time::Instant;

use barrow_core::minions::{Game, Side};

use super::lateness::Lateness;
use super::openings::Opening;
use super::player::{Fault, Player};
use crate::interrupt;

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Ending {
    /// A side reached the target of board points.
    Points,
    /// The limit of turns, a draw.
    PlyLimit,
    /// The side to move had no legal turn to offer and lost.
    Fault(Side, Fault),
}

/// A game that was played to its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Record {
    /// Who won; nobody in a draw.
    pub winner: Option<Side>,
    /// Turns played, those of the opening included.
    pub plies: u32,
    /// Why it ended.
    pub ending: Ending,
    /// How late the turns of Yellow and of Blue came.
    pub lateness: [Lateness; 2],
}

/// Plays one game; `None` when Ctrl-C came in between.
pub(super) fn play(
    opening: &Opening,
    yellow: &mut Player,
    blue: &mut Player,
    max_plies: u32,
) -> Option<Record> {
    let mut game: Game = opening.game.clone();
    for (side, player) in [(Side::Yellow, &mut *yellow), (Side::Blue, &mut *blue)] {
        // The two sides draw their chances from different seeds.
        if let Err(fault) = player.begin(&game, opening.seed.wrapping_add(side as u64)) {
            return lost(side, 0, fault);
        }
    }
    let mut plies = game.state().turn();
    let mut lateness = [Lateness::default(); 2];
    while plies < max_plies {
        if interrupt::requested() {
            return None;
        }
        let side = game.side_to_move();
        let player = if side == Side::Yellow { &mut *yellow } else { &mut *blue };
        let started = Instant::now();
        let turn = match player.turn(&game) {
            Ok(turn) => turn,
            Err(fault) => return lost(side, plies, fault),
        };
        if let Some(allowed) = player.allowance() {
            lateness[side as usize].count(started.elapsed().saturating_sub(allowed));
        }
        plies += 1;
        match game.play(&turn) {
            Err(error) => return lost(side, plies, Fault::Illegal(error.to_string())),
            Ok(_) if game.state().is_over() => {
                return Some(Record {
                    winner: game.state().winner(),
                    plies,
                    ending: Ending::Points,
                    lateness,
                });
            }
            Ok(_) => {}
        }
    }
    Some(Record { winner: None, plies, ending: Ending::PlyLimit, lateness })
}

/// Faults while the program is being interrupted are no faults: the signal reaches the engines too.
fn lost(side: Side, plies: u32, fault: Fault) -> Option<Record> {
    if interrupt::requested() {
        return None;
    }
    let lateness = [Lateness::default(); 2];
    Some(Record { winner: Some(side.opponent()), plies, ending: Ending::Fault(side, fault), lateness })
}
