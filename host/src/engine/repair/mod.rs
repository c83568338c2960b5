//! Verification and repair of the final choice. A turn after which an attack wins the game for the opponent is not played where
//! another one is known; where none is, the boards on which it loses are played anew (counterexample-guided, as in A. Solar-Lezama's
//! synthesis): what refutes a draft says which enemies to attack, which hexes to occupy and what must not be relied on. In the same
//! way turns are found that win at the next turn whatever the opponent replies. Whether a turn does is a matter of solver and
//! rules alone; cards, of which the solver knows nothing, can only make more turns lose, and turns are not shown as won where they
//! matter.
//!
//! All this happens only where a loss that decides the game is near ([`stakes`]), within a share of the search's effort.

mod aim;
mod descent;
mod draft;
mod effort;
mod hold;
mod net;
mod parry;
mod seek;
mod stakes;
mod strikes;
mod turns;

use std::time::Duration;

use barrow_core::minions::{Game, GameTurn, Side};
use barrow_core::rng::Rng;
use barrow_core::search::value::CERTAIN;

use super::limits::Limits;
use super::network::StaticNetwork;
use super::proof::Prover;
use super::search_result::{Candidate, SearchResult};
use crate::processor_time::thread_time;
use effort::Effort;
use hold::Hold;
use net::Net;
use seek::Means;
use stakes::{PARTS, Stakes, is_lost};
use turns::Repairer;

/// Turns that are verified at most.
const MOST: usize = 6;

/// Conflicts that the solver may take for an answer: few enough to be in time.
const CONFLICTS: u64 = 200;

/// Verifier of final choices.
pub(super) struct Verifier {
    prover: Prover,
}

/// Plan of a verification: made before the search, carried out after it.
pub(super) struct Plan {
    stakes: Stakes,
    /// Limits of the search, which leave time for the verification.
    pub limits: Limits,
    /// Processor time for search and verification, and that of this thread when the search begins.
    processor: Option<Duration>,
    begun: Option<Duration>,
}

impl Plan {
    /// Whether a search of this position is probed: a pass would lose, and there is time, which a search that cannot help leaves to
    /// a repair.
    pub(super) fn is_probed(&self) -> bool {
        self.stakes.threatened && self.limits.nodes == u64::MAX
    }

    /// Processor time that is left after a search on so many threads.
    fn left(&self, threads: usize) -> Option<Duration> {
        let spent =
            self.begun.zip(thread_time()).map_or(Duration::ZERO, |(begun, now)| now.saturating_sub(begun));
        self.processor.map(|time| time.saturating_sub(spent * threads as u32))
    }
}

impl Default for Verifier {
    fn default() -> Self {
        Verifier { prover: Prover::with_conflicts(CONFLICTS) }
    }
}

impl Verifier {
    /// Looks at what is at stake, and divides the limits of a search.
    pub(super) fn plan(&mut self, game: &Game, limits: &Limits) -> Plan {
        let begun = limits.processor.and_then(|_| thread_time());
        let stakes = Stakes::new(game, &mut self.prover, &mut Effort::before(limits));
        let spent = begun.zip(thread_time()).map_or(Duration::ZERO, |(begun, now)| now.saturating_sub(begun));
        tracing::debug!("{stakes:?}");
        let mut divided = limits.clone();
        let kept = |time: Duration| time / PARTS * stakes.parts();
        let left = |time: Duration| time.saturating_sub(kept(time));
        let processor = limits.processor.map(|time| time.saturating_sub(spent));
        divided.processor = processor.map(left);
        if limits.hard_bound != Duration::MAX {
            divided.hard_bound = left(limits.hard_bound);
            divided.soft_bound = limits.soft_bound.map(left);
        }
        Plan { stakes, limits: divided, processor, begun: thread_time() }
    }

    /// Verifies the choice of a search, and repairs it where it is lost. `limits` are those of the whole.
    pub(super) fn carry_out(
        &mut self,
        plan: &Plan,
        (game, limits): (&Game, &Limits),
        (seed, threads, network): (u64, usize, Option<StaticNetwork>),
        result: &mut SearchResult,
    ) {
        if plan.stakes.are_none() || result.candidates.is_empty() || ends(game, &result.best().turn) {
            return;
        }
        let mut rng = Rng::new(seed ^ game.state().key());
        let turns: Vec<GameTurn> = result.candidates.iter().map(|candidate| candidate.turn.clone()).collect();
        let mut value = |after: &Game| value(after, game.side_to_move(), network);
        let mut effort = Effort::within(limits, plan.left(threads));
        if plan.stakes.wins_are_near() {
            let mut part = if plan.stakes.near { effort.half() } else { effort.clone() };
            let means = Means { prover: &mut self.prover, effort: &mut part, rng: &mut rng };
            let mut repairer = Repairer { game, turns: &turns, means, value: &mut value };
            if let Some(turn) = winning(&mut repairer, &plan.stakes) {
                put_first(result, Candidate::won(turn));
                return;
            }
        }
        if !plan.stakes.near || !self.lost_behind(game, result, &mut effort) {
            return;
        }
        let means = Means { prover: &mut self.prover, effort: &mut effort, rng: &mut rng };
        let parried = Repairer { game, turns: &turns, means, value: &mut value }.parried();
        let mut after = game.clone();
        if let Some(turn) = parried.filter(|turn| after.play(turn).is_ok()) {
            let worth = value(&after);
            put_first(result, Candidate::unsearched(turn, worth));
        }
    }

    /// Whether all of the best turns so far are proved to lose, within a small part of the effort.
    pub(super) fn gives_up(&mut self, game: &Game, limits: &Limits, candidates: &[Candidate]) -> bool {
        let mut effort = Effort::before(limits);
        let mut loses = |candidate: &Candidate| {
            let mut after = game.clone();
            let is_legal = after.play(&candidate.turn).is_ok();
            is_legal && is_lost(&after, game.side_to_move(), &mut self.prover, &mut effort)
        };
        !candidates.is_empty() && candidates.iter().take(MOST).all(&mut loses)
    }

    /// Puts candidates that are proved to lose behind all others, the best of those that are left first. Where all that are
    /// looked at lose, the order stays; whether that is so.
    fn lost_behind(&mut self, game: &Game, result: &mut SearchResult, effort: &mut Effort) -> bool {
        let looked_at = result.candidates.len().min(MOST);
        let mut losing = 0;
        for candidate in result.candidates.iter_mut().take(looked_at) {
            let mut after = game.clone();
            let is_legal = after.play(&candidate.turn).is_ok();
            if !is_legal || !is_lost(&after, game.side_to_move(), &mut self.prover, effort) {
                break;
            }
            candidate.prove_lost();
            losing += 1;
        }
        if losing > 0 && losing < looked_at {
            result.candidates.rotate_left(losing);
            // The answer that was expected is one to another turn.
            result.reply = None;
        }
        losing == looked_at
    }
}

/// A turn that wins at the next turn, proved.
fn winning(repairer: &mut Repairer<'_, '_>, stakes: &Stakes) -> Option<GameTurn> {
    if stakes.net {
        return repairer.winning(0, &mut Net::default());
    }
    let effort = repairer.means.effort.clone();
    stakes.sieges.iter().find_map(|&board| {
        *repairer.means.effort = effort.half();
        repairer.winning(board, &mut Hold::default())
    })
}

/// Whether the game is over after a turn.
fn ends(game: &Game, turn: &GameTurn) -> bool {
    let mut after = game.clone();
    after.play(turn).is_err() || after.state().is_over()
}

/// Value of a position at the end of a side's turn by Oracle, for that side, 0 to 1.
fn value(after: &Game, side: Side, network: Option<StaticNetwork>) -> f64 {
    if after.state().is_over() {
        return f64::from(u8::from(after.state().winner() == Some(side)));
    }
    let Some(network) = network else { return 0.5 };
    let mut evaluator = network.evaluator();
    evaluator.begin(after);
    1.0 - f64::from(evaluator.evaluate(after).win) / f64::from(CERTAIN)
}

/// Puts a candidate before all others. The answer that was expected is one to another turn.
fn put_first(result: &mut SearchResult, candidate: Candidate) {
    result.candidates.retain(|known| known.turn != candidate.turn);
    result.candidates.insert(0, candidate);
    result.reply = None;
}
