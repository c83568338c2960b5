//! Game of a match: asks the two players for turns in alternation and plays them by the rules.

use std::time::Instant;

use anyhow::Result;
use barrow_core::minions::{Game, Side};

use super::decision::Decision;
use super::fault::Fault;
use super::lateness::Lateness;
use super::openings::Opening;
use super::player::MatchPlayer;
use super::recording::GameRecording;
use super::time_control::GameClocks;
use crate::interrupt;
use crate::notation::{Ending, EndingReason, LineText, Outcome, TurnNotes};
use crate::processor_time::thread_time;

/// Ending of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum GameEnding {
    /// A side has the points that win the game.
    Points,
    /// Draw by the limit of plies.
    PlyLimit,
    /// Loss of this side by a fault.
    Fault(Side, Fault),
}

/// Game that was played to its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct PlayedGame {
    /// Winner; `None` in a draw.
    pub winner: Option<Side>,
    /// Plies of the game, those of the opening included.
    pub plies: u32,
    /// Ending of the game.
    pub ending: GameEnding,
    /// Lateness of the turns of Yellow and of Blue.
    pub lateness: [Lateness; 2],
    /// Propagations of the longest request for an attack of Yellow and of Blue; 0 for a player that does not tell.
    pub longest_requests: [u16; 2],
}

/// Plays one game, whose turns go to a recording if there is one. Returns `None` when Ctrl-C interrupts the game; fails
/// when a player does not start or the recording cannot be written.
pub(super) fn play(
    opening: &Opening,
    yellow: &mut MatchPlayer,
    blue: &mut MatchPlayer,
    max_plies: u32,
    recording: Option<&GameRecording>,
) -> Result<Option<PlayedGame>> {
    let played = play_unended(opening, yellow, blue, max_plies, recording)?;
    if let Some(recording) = recording {
        recording.end(&played.as_ref().map_or_else(interrupted, ending_of))?;
    }
    Ok(played)
}

/// Ending of a game that Ctrl-C interrupted.
fn interrupted() -> Ending {
    Ending { text: LineText::new("interrupted"), ..Ending::new(Outcome::None, EndingReason::Unfinished) }
}

/// Ending as a record has it.
fn ending_of(played: &PlayedGame) -> Ending {
    let outcome = played.winner.map_or(Outcome::Draw, Outcome::Winner);
    match &played.ending {
        GameEnding::Points if played.winner.is_some() => Ending::new(outcome, EndingReason::Points),
        GameEnding::Points | GameEnding::PlyLimit => Ending::new(outcome, EndingReason::Turns),
        GameEnding::Fault(side, fault) => {
            let text = LineText::new(&format!("{}: {fault}", side.name()));
            Ending { text, ..Ending::new(outcome, EndingReason::Fault) }
        }
    }
}

/// Plays one game whose end is still to be recorded.
fn play_unended(
    opening: &Opening,
    yellow: &mut MatchPlayer,
    blue: &mut MatchPlayer,
    max_plies: u32,
    recording: Option<&GameRecording>,
) -> Result<Option<PlayedGame>> {
    let mut game: Game = opening.game.clone();
    for (side, player) in [(Side::Yellow, &mut *yellow), (Side::Blue, &mut *blue)] {
        // Two equal players would otherwise make the same random choices.
        if let Err(fault) = player.begin(&game, opening.seed.wrapping_add(side as u64))? {
            return Ok(lost(side, 0, fault));
        }
    }
    let mut plies = game.state().turn();
    let mut lateness = [Lateness::default(); 2];
    let mut longest_requests = [0; 2];
    let mut clocks = GameClocks::new([yellow.limit(), blue.limit()]);
    while plies < max_plies {
        if interrupt::requested() {
            return Ok(None);
        }
        let side = game.side_to_move();
        let player = if side == Side::Yellow { &mut *yellow } else { &mut *blue };
        let (started, processor) = (Instant::now(), player.is_single_thread().then(thread_time).flatten());
        let Decision { turn, notes, longest_request, .. } = match player.turn(&game, clocks.left) {
            Ok(decision) => decision,
            Err(fault) => return Ok(lost(side, plies, fault)),
        };
        let time = started.elapsed();
        if let Some(allowed) = player.allowance(clocks.left[side as usize]) {
            // A thread that has the processor all the time takes as much of it as goes by.
            let taken = processor.zip(thread_time()).map_or(time, |(before, now)| now.saturating_sub(before));
            lateness[side as usize].count(time.saturating_sub(allowed), time.saturating_sub(taken));
        }
        clocks.spend(side, time);
        longest_requests[side as usize] = longest_request.max(longest_requests[side as usize]);
        plies += 1;
        let before = recording.map(|recording| (recording, game.clone()));
        let outcome = game.play(&turn);
        if let (Ok(_), Some((recording, before))) = (&outcome, before) {
            recording.turn(&before, &turn, TurnNotes { time: TurnNotes::timed(time).time, ..notes })?;
        }
        match outcome {
            Err(error) => return Ok(lost(side, plies, Fault::Illegal(error.to_string()))),
            Ok(_) if game.state().is_over() => {
                return Ok(Some(PlayedGame {
                    winner: game.state().winner(),
                    plies,
                    ending: GameEnding::Points,
                    lateness,
                    longest_requests,
                }));
            }
            Ok(_) => player.ponder(),
        }
    }
    Ok(Some(PlayedGame { winner: None, plies, ending: GameEnding::PlyLimit, lateness, longest_requests }))
}

/// Game lost by a fault of a side. Returns `None` during an interrupt, which ends the wait for an engine too.
fn lost(side: Side, plies: u32, fault: Fault) -> Option<PlayedGame> {
    if interrupt::requested() {
        return None;
    }
    let lateness = [Lateness::default(); 2];
    Some(PlayedGame {
        winner: Some(side.opponent()),
        plies,
        ending: GameEnding::Fault(side, fault),
        lateness,
        longest_requests: [0; 2],
    })
}
