//! The `info` lines of a search (UMI §14): each candidate with its value, the speed, the position expected next.

use std::fmt;
use std::time::Duration;

use barrow_core::minions::Game;
use barrow_core::minions::text::fen;

use crate::engine::{Candidate, SearchResult};
use crate::text::narrate::Narration;

/// A probability in permille, printed as a fraction with three digits.
pub(super) struct Permille(pub(super) u16);

impl Permille {
    /// A probability from 0 to 1, rounded.
    pub(super) fn of(value: f64) -> Permille {
        Permille((value * 1000.0).round().clamp(0.0, 1000.0) as u16)
    }
}

impl fmt::Display for Permille {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:03}", self.0 / 1000, self.0 % 1000)
    }
}

/// Nodes per second, printed with one decimal.
pub(super) struct Speed {
    pub(super) nodes: u64,
    pub(super) time: Duration,
}

impl fmt::Display for Speed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tenths = u128::from(self.nodes) * 10_000_000_000 / self.time.as_nanos().max(1);
        write!(f, "{}.{}", tenths / 10, tenths % 10)
    }
}

/// Lines for each of the first `multi_pv` candidates, without the word `info`.
pub(super) fn candidate_lines(game: &Game, result: &SearchResult, multi_pv: usize) -> Vec<String> {
    let SearchResult { candidates, statistics, time, .. } = result;
    let rate = statistics.nodes as f64 / time.as_secs_f64().max(1e-6);
    let line = |(index, candidate): (usize, &Candidate)| {
        format!(
            "depth {} nodes {} nps {rate:.0} time {} {} hashfull {} multipv {} visits {} pv {}",
            statistics.depth,
            statistics.nodes,
            time.as_millis(),
            score(candidate),
            statistics.fullness,
            index + 1,
            candidate.visits,
            Narration::new(game, &candidate.turn).summary(),
        )
    };
    candidates.iter().take(multi_pv).enumerate().map(line).collect()
}

/// Win chance, the same as wins, draws and losses in permille, and the confidence in it.
fn score(candidate: &Candidate) -> String {
    let wins = Permille::of(candidate.value);
    format!(
        "score winprob {wins} wdl {} 0 {} confidence {:.3}",
        wins.0,
        1000 - wins.0,
        candidate.confidence()
    )
}

/// The line `ponder fen FEN` with the position after the best turn and the reply expected to it, without the word
/// `info`. `None` where no reply is known, or the game is over after it.
pub(super) fn ponder_line(game: &Game, result: &SearchResult) -> Option<String> {
    let next = result.expected_position(game)?;
    let extended = next.config().rules.spells;
    let fen = if extended { fen::Extended(&next).to_string() } else { fen::Display(&next).to_string() };
    Some(format!("ponder fen {fen}"))
}
