//! What the session asks a turn of: one interface for every brain.

use std::time::Duration;

use barrow_core::minions::players::Brain;
use barrow_core::minions::players::heuristics::eval;
use barrow_core::minions::text::fen;
use barrow_core::minions::{BoardAction, Game, GameTurn};

use crate::engine::{Candidate, Engine, Progress};
use crate::text::narrate::Narration;

use super::search_thread::Chance;
use crate::engine::limits::Limits;

/// What a search has found.
#[derive(Clone, Debug)]
pub struct Thought {
    /// The turn to play.
    pub turn: GameTurn,
    /// Chance of the side to move to win the game, in permille.
    pub win_permille: u16,
    /// Nodes searched, at least one.
    pub nodes: u64,
}

/// Who hears of a search while it runs.
pub struct Audience<'a> {
    /// Most turns to list.
    pub multi_pv: usize,
    /// Whether to say at the end which position is expected next.
    pub ponder: bool,
    /// Takes a line, to be shown after the word `info`.
    pub tell: &'a mut dyn FnMut(String),
}

/// A brain that respects limits.
pub trait TimedBrain: Send {
    /// A turn for the side to move of a game that is not over.
    fn think(&mut self, game: &Game, limits: &Limits, audience: &mut Audience<'_>) -> Thought;
}

/// A hand-written brain: one node, the turn it chooses.
#[derive(Clone, Debug)]
pub struct HandWritten<B>(pub B);

impl<B: Brain + Send> TimedBrain for HandWritten<B> {
    fn think(&mut self, game: &Game, _: &Limits, _: &mut Audience<'_>) -> Thought {
        let turn = self.0.choose(game);
        let win_permille = chance_after(game, &turn);
        Thought { turn, win_permille, nodes: 1 }
    }
}

impl TimedBrain for Engine {
    fn think(&mut self, game: &Game, limits: &Limits, audience: &mut Audience<'_>) -> Thought {
        let count = audience.multi_pv;
        let mut watch = |progress: &Progress<'_>| report(game, progress, count, audience.tell);
        let found = self.search_watched(game, limits, &mut watch);
        let time = limits.started.elapsed();
        let progress = Progress {
            candidates: &found.candidates,
            report: found.report,
            reply: found.reply.as_ref(),
            time,
        };
        report(game, &progress, count, audience.tell);
        if audience.ponder
            && let Some(expected) = expected(game, &progress)
        {
            (audience.tell)(format!("ponder fen {expected}"));
        }
        let best = &found.candidates[0];
        Thought {
            turn: best.turn.clone(),
            win_permille: permille(best.value),
            nodes: found.report.nodes.max(1),
        }
    }
}

/// One line for each of the best turns.
fn report(game: &Game, progress: &Progress<'_>, count: usize, tell: &mut dyn FnMut(String)) {
    let Progress { candidates, report, time, .. } = progress;
    let rate = report.nodes as f64 / time.as_secs_f64().max(1e-6);
    for (index, candidate) in candidates.iter().take(count).enumerate() {
        tell(format!(
            "depth {} nodes {} nps {rate:.0} time {} {} hashfull {} multipv {} visits {} pv {}",
            report.depth,
            report.nodes,
            milliseconds(*time),
            score(candidate),
            report.fullness,
            index + 1,
            candidate.visits,
            Narration::new(game, &candidate.turn).summary(),
        ));
    }
}

/// Win chance, the same as wins, draws and losses in permille, and how sure that is.
fn score(candidate: &Candidate) -> String {
    let wins = permille(candidate.value);
    format!(
        "score winprob {} wdl {wins} 0 {} confidence {:.3}",
        Chance(wins),
        1000 - wins,
        candidate.confidence()
    )
}

fn permille(value: f64) -> u16 {
    (value * 1000.0).round().clamp(0.0, 1000.0) as u16
}

fn milliseconds(time: Duration) -> u128 {
    time.as_millis()
}

/// The position after the best turn and the best reply known to it.
fn expected(game: &Game, progress: &Progress<'_>) -> Option<String> {
    let mut next = game.clone();
    next.play(&progress.candidates.first()?.turn).ok()?;
    next.play(progress.reply?).ok()?;
    let spells = next.config().rules.spells;
    let over = next.state().is_over();
    (!over).then(|| if spells { fen::Extended(&next).to_string() } else { fen::Display(&next).to_string() })
}

/// The chance of the side to move after this turn, by the hand-written value of the position it leads to.
fn chance_after(game: &Game, turn: &GameTurn) -> u16 {
    let mover = game.side_to_move();
    let mut after = game.clone();
    let _ = after.play(turn);
    let chance = eval::win_permille(eval::score(&after));
    // The turn does not pass where the game is won, nor when the turn is refused.
    if after.side_to_move() == mover { chance } else { 1000 - chance }
}

/// A turn that is legal in every position of a game that is not over: what must be set up, and no more than the
/// free tech.
pub(super) fn modest_turn(game: &Game) -> GameTurn {
    // Where unused tech points march by themselves, units are kept by themselves too.
    if game.config().rules.auto_march {
        return GameTurn::new();
    }
    let mut turn = GameTurn { marches: 1, ..GameTurn::new() };
    let reset = game.state().boards().iter().enumerate().filter(|(_, board)| board.state().is_reset());
    for (index, _) in reset {
        turn.push(index, BoardAction::Keep { unit: None });
    }
    turn
}
