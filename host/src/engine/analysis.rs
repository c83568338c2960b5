//! What to do in a position, and why: the turns that a search found best.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use barrow_core::minions::players::heuristics::eval;
use barrow_core::minions::turn_search::{Options, Report};
use barrow_core::minions::{Game, GameTurn};

use super::limits::Limits;
use crate::engine::{Candidate as Known, Engine, Explanation};

/// Memory of the search, in MiB.
pub const HASH_MIB: usize = 256;

/// How long an analysis may take.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Time; at least one turn is composed in any case.
    pub time: Duration,
    /// Nodes of the search.
    pub nodes: u64,
}

/// A turn that was considered.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The turn.
    pub turn: GameTurn,
    /// Chance to win after it, 0 to 1, for the side that plays it.
    pub value: f64,
    /// Hundredths of a soul by which it is ahead after the turn.
    pub score: i32,
    /// Standard error of the value.
    pub error: f64,
    /// How often the search visited it.
    pub visits: u64,
}

/// The outcome of an analysis.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// Different turns, the one to play first; never empty.
    pub candidates: Vec<Candidate>,
    /// How the search went.
    pub report: Report,
    /// Wall clock.
    pub time: Duration,
    /// The statistics behind it, if the engine was asked to explain.
    pub explanation: Option<Explanation>,
}

impl Analysis {
    /// Searches the position.
    pub fn new(game: &Game, effort: Effort) -> Result<Analysis> {
        Analysis::by(&mut Engine::new(HASH_MIB, Options::default()), game, effort)
    }

    /// Lets this engine search the position.
    pub fn by(engine: &mut Engine, game: &Game, effort: Effort) -> Result<Analysis> {
        if game.state().is_over() {
            bail!("the game is over");
        }
        let started = Instant::now();
        let limits = Limits::new(effort.time, effort.nodes);
        let found = engine.search(game, &limits);
        let mut candidates = Vec::new();
        for Known { turn, value, error, visits } in found.candidates {
            let mut after = game.clone();
            if let Err(illegal) = after.play(&turn) {
                bail!("the search proposed an illegal turn: {illegal}");
            }
            let own = if after.side_to_move() == game.side_to_move() { 1 } else { -1 };
            candidates.push(Candidate { turn, value, error, score: own * eval::score(&after), visits });
        }
        Ok(Analysis {
            candidates,
            report: found.report,
            time: started.elapsed(),
            explanation: found.explanation,
        })
    }

    /// The best turn.
    pub fn best(&self) -> &Candidate {
        &self.candidates[0]
    }

    /// How sure the value of the best turn is, 0 to 1: 1 less twice its standard error, as a share of an even game.
    pub fn confidence(&self) -> f64 {
        (1.0 - 4.0 * self.best().error).clamp(0.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use barrow_core::minions::{GameConfig, Ruleset};

    use super::*;
    use crate::bench::test_positions;

    #[test]
    fn the_best_candidate_comes_first_and_is_legal() {
        for mut game in test_positions::middle_games(Ruleset::Server).into_iter().take(3) {
            let analysis = Analysis::new(&game, Effort { time: Duration::MAX, nodes: 40 }).unwrap();
            assert_eq!(analysis.report.nodes, 40);
            assert!(analysis.candidates.len() > 1);
            assert!((0.0..=1.0).contains(&analysis.confidence()));
            game.play(&analysis.best().turn).unwrap();
        }
    }

    #[test]
    fn one_turn_is_composed_whatever_the_effort() {
        let game = Game::new(GameConfig::default(), 0);
        assert_eq!(Analysis::new(&game, Effort { time: Duration::ZERO, nodes: 0 }).unwrap().report.nodes, 1);
    }
}
