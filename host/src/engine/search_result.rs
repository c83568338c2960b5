//! Search results: candidate turns with their values. A [`SearchResult`] is the only form between the lines of the search
//! tree and printed text, for searches that still run and for those that have ended.

use std::fmt;
use std::time::Duration;

use barrow_core::minions::turn_search::SearchStatistics;
use barrow_core::minions::{Game, GameTurn};
use barrow_core::search::stats::Stats;
use barrow_core::search::value::CERTAIN;

use super::expected_error;
use super::expected_error::chance_in_words;
use crate::records::root_record::RootRecord;
use barrow_session::explain::Explanation;
use barrow_session::optimism::Optimism;

/// A turn that the search considered.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The turn.
    pub turn: GameTurn,
    /// Win chance of the side that plays the turn as it is shown to users, 0 to 1: the claim without the search's optimism.
    pub value: f64,
    /// Win chance that the search claims, 0 to 1: the mean over the visits.
    pub claim: f64,
    /// Standard error of the claim, 0 to 0.5.
    pub error: f64,
    /// Visits of the turn's edge in the search tree.
    pub visits: u64,
    /// Expected error of the value as it is shown to users, 0 to 1 (see [`expected_error`]); 1 where nobody searched.
    pub expected_error: f64,
    /// Whether it is proved that the opponent's answer wins the game at once.
    pub is_lost: bool,
    /// Whether it is proved that the game is won at the next turn whatever the opponent answers.
    pub is_won: bool,
}

impl Candidate {
    /// A turn with the statistics of its edge, and the optimism of its search.
    pub(super) fn from_stats(turn: GameTurn, stats: &Stats, optimism: Optimism) -> Candidate {
        let certain = f64::from(CERTAIN);
        let visits = u64::from(stats.visits());
        let error = f64::from(stats.deviation()) / certain / (visits.max(1) as f64).sqrt();
        let claim = f64::from(stats.mean()) / certain;
        let value = optimism.without(claim);
        let deviation = expected_error::deviation(claim, error, visits as f64);
        Candidate {
            turn,
            value,
            claim,
            error,
            visits,
            expected_error: expected_error::of_search(deviation),
            is_lost: false,
            is_won: false,
        }
    }

    /// A turn that no search has visited, with an estimate of its value.
    pub(super) fn unsearched(turn: GameTurn, value: f64) -> Candidate {
        Candidate {
            turn,
            value,
            claim: value,
            error: 0.5,
            visits: 1,
            expected_error: 1.0,
            is_lost: false,
            is_won: false,
        }
    }

    /// A turn after which the game is won at the next turn whatever the opponent answers: proved.
    pub(super) fn won(turn: GameTurn) -> Candidate {
        Candidate { error: 0.0, expected_error: 0.0, is_won: true, ..Candidate::unsearched(turn, 1.0) }
    }

    /// Notes that the opponent's answer wins the game at once: nothing of it is left to doubt.
    pub(super) fn prove_lost(&mut self) {
        (self.value, self.claim, self.error, self.expected_error) = (0.0, 0.0, 0.0, 0.0);
        self.is_lost = true;
    }

    /// Confidence in the value, 0 to 1: 1 less the expected error.
    pub fn confidence(&self) -> f64 {
        1.0 - self.expected_error
    }

    /// Win chance with its expected error, such as `63.2%, give or take 8 points`, or that the turn is proved to lose or to win.
    pub fn chance_in_words(&self) -> String {
        if self.is_won {
            return "100%: proved".to_owned();
        }
        if self.is_lost {
            return "0%: proved".to_owned();
        }
        chance_in_words(self.value, self.expected_error)
    }
}

/// Why a search ended without a turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Breakdown {
    /// No turn could be composed, for want of memory perhaps.
    NoTurn,
    /// The search panicked with this message.
    Panic(String),
}

impl fmt::Display for Breakdown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Breakdown::NoTurn => f.write_str("the search broke down: no turn could be composed")?,
            Breakdown::Panic(message) => write!(f, "the search broke down: {message}")?,
        }
        f.write_str("; a simple player's turn takes its place")
    }
}

/// The result of a search, or the result so far of a search that runs.
#[derive(Clone, Debug)]
pub struct SearchResult {
    /// Candidates, the turn to play first. Empty only before a search has composed its first turn.
    pub candidates: Vec<Candidate>,
    /// Nodes, depth and use of memory, all threads together.
    pub statistics: SearchStatistics,
    /// The answer expected to the first candidate, where the search got so far.
    pub reply: Option<GameTurn>,
    /// Time since the search began.
    pub time: Duration,
    /// Time that threads waited for each other, all of them together.
    pub waited: Duration,
    /// The statistics of every stage, if they were asked for.
    pub explanation: Option<Explanation>,
    /// The statistics of every stage as numbers to learn from, if they were asked for.
    pub root: Option<RootRecord>,
    /// Why the turn is not that of the search, if the search broke down.
    pub breakdown: Option<Breakdown>,
}

impl SearchResult {
    /// The result of a player that does not search: one turn, the estimate of its win chance (0 to 1), one node.
    pub fn unsearched(turn: GameTurn, value: f64) -> SearchResult {
        SearchResult {
            candidates: vec![Candidate::unsearched(turn, value)],
            statistics: SearchStatistics { nodes: 1, ..SearchStatistics::default() },
            reply: None,
            time: Duration::ZERO,
            waited: Duration::ZERO,
            explanation: None,
            root: None,
            breakdown: None,
        }
    }

    /// The candidate to play.
    pub fn best(&self) -> &Candidate {
        &self.candidates[0]
    }

    /// The position after the candidate to play and the answer expected to it, in the searched position. `None` where no answer
    /// is known, or the game is over after it.
    pub fn expected_position(&self, game: &Game) -> Option<Game> {
        let mut next = game.clone();
        next.play(&self.candidates.first()?.turn).ok()?;
        next.play(self.reply.as_ref()?).ok()?;
        (!next.state().is_over()).then_some(next)
    }
}
