//! History of a loop: what every generation learnt from, what it lost, and how its match ended.

use serde::{Deserialize, Serialize};

use crate::matches::MatchResult;
use crate::matches::elo;
use crate::matches::elo::{Pentanomial, Sprt};

/// Verdict on the network of a generation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The sequential test accepted the greater strength: the network is the next player.
    Accepted,
    /// The sequential test accepted the lesser strength: the player stays.
    Rejected,
    /// The match ended before the test decided: the player stays.
    Undecided,
}

/// Lesson of a generation: the games it learnt from, and its losses on held-out ones.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct LessonReport {
    /// Games of all generations that were learnt from or held out.
    pub games: usize,
    /// Positions to learn from.
    pub positions: usize,
    /// Held-out positions.
    pub held_out: usize,
    /// Positions that were left out because they were met before.
    pub duplicates: usize,
    /// Places of the files that are damaged and were left out.
    pub damaged: usize,
    /// Mean loss of a held-out position.
    pub loss: f64,
    /// Mean win loss of a held-out position, against the blend of search and result.
    pub win_loss: f64,
    /// Cross entropy of the win chance against the result alone, in nats.
    pub result_loss: f64,
    /// SHA-256 of the network file's weights.
    pub sha256: String,
}

/// Match of a generation's network against the player before it, from the network's point of view.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct GateReport {
    /// Games that were played.
    pub games: u32,
    /// Games won.
    pub wins: u32,
    /// Games lost.
    pub losses: u32,
    /// Games drawn.
    pub draws: u32,
    /// Pairs of games by points.
    pub pentanomial: Pentanomial,
    /// Strength difference in Elo.
    pub elo: f64,
    /// Half the width of its 95 % confidence interval; where an end of that is cut off, the distance of the farther end.
    pub elo_error: f64,
    /// Log-likelihood ratio of the sequential test.
    pub llr: f64,
    /// Games that a fault decided.
    pub faults: u32,
}

/// Report of a generation.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GenerationReport {
    /// Number of the generation, from 1.
    pub generation: u32,
    /// Network file of the player of its games, below the folder of the loop.
    pub player: String,
    /// Games that it played.
    pub games: u32,
    /// Lesson of its training.
    pub lesson: LessonReport,
    /// Its match.
    pub gate: GateReport,
    /// End of the match.
    pub verdict: Verdict,
    /// Seconds of self-play, training and match.
    pub seconds: [f64; 3],
}

impl Verdict {
    /// Verdict as a word.
    pub const fn name(self) -> &'static str {
        match self {
            Verdict::Accepted => "accepted",
            Verdict::Rejected => "rejected",
            Verdict::Undecided => "undecided",
        }
    }
}

impl GenerationReport {
    /// Report in one line.
    pub fn summary(&self) -> String {
        let GateReport { wins, losses, draws, elo, elo_error, .. } = self.gate;
        format!(
            "{}: {}, won {wins}, lost {losses}, drew {draws}, {elo:+.0} ± {elo_error:.0} Elo; win loss {:.4}",
            self.generation,
            self.verdict.name(),
            self.lesson.win_loss
        )
    }
}

impl GateReport {
    /// Report of a match.
    pub(super) fn new(result: &MatchResult, test: Sprt) -> GateReport {
        let elo = elo::elo(&result.pentanomial);
        let faults = result.all_faults();
        GateReport {
            games: result.games(),
            wins: result.wins,
            losses: result.losses,
            draws: result.draws,
            pentanomial: result.pentanomial,
            elo: elo.value,
            elo_error: elo.error,
            llr: test.llr(&result.pentanomial),
            faults: faults.illegal + faults.timeouts + faults.crashes,
        }
    }

    /// Verdict of the test on these games.
    pub(super) fn verdict(&self, test: Sprt) -> Verdict {
        match test.accepted(&self.pentanomial) {
            Some("H1") => Verdict::Accepted,
            Some(_) => Verdict::Rejected,
            None => Verdict::Undecided,
        }
    }
}

/// Strength in Elo after each generation, over the first player: the sum over all accepted networks.
pub(super) fn strengths(history: &[GenerationReport]) -> Vec<f64> {
    let mut strength = 0.0;
    let mut after = |report: &GenerationReport| {
        strength += if report.verdict == Verdict::Accepted { report.gate.elo } else { 0.0 };
        strength
    };
    history.iter().map(&mut after).collect()
}
