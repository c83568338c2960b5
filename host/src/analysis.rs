//! What to do in a position, and why: turns that a brain proposes, valued by the positions they lead to.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use barrow_core::bots::{Greedy, eval};
use barrow_core::minions::{Game, GameTurn};

use crate::interrupt;

/// How long an analysis may take.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Time; at least one turn is generated in any case.
    pub time: Duration,
    /// Turns generated.
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
    /// How often it was proposed.
    pub visits: u64,
}

/// The outcome of an analysis.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// Different turns, best first; never empty.
    pub candidates: Vec<Candidate>,
    /// Turns generated.
    pub nodes: u64,
    /// Wall clock.
    pub time: Duration,
}

impl Analysis {
    /// Lets a brain propose turns with one seed after another and values each by the position after it.
    pub fn new(game: &Game, effort: Effort) -> Result<Analysis> {
        if game.state().is_over() {
            bail!("the game is over");
        }
        let started = Instant::now();
        let mut candidates: Vec<Candidate> = Vec::new();
        let mut nodes = 0;
        while nodes == 0
            || (nodes < effort.nodes && started.elapsed() < effort.time && !interrupt::requested())
        {
            let turn = Greedy::new(nodes).choose(game);
            nodes += 1;
            if let Some(known) = candidates.iter_mut().find(|candidate| candidate.turn == turn) {
                known.visits += 1;
                continue;
            }
            let mut after = game.clone();
            if let Err(illegal) = after.play(&turn) {
                bail!("the brain proposed an illegal turn: {illegal}");
            }
            let own = if after.side_to_move() == game.side_to_move() { 1 } else { -1 };
            let score = own * eval::score(&after);
            let value = f64::from(eval::win_permille(score)) / 1000.0;
            candidates.push(Candidate { turn, value, score, visits: 1 });
        }
        candidates.sort_by_key(|candidate| (-i64::from(candidate.score), u64::MAX - candidate.visits));
        Ok(Analysis { candidates, nodes, time: started.elapsed() })
    }

    /// The best turn.
    pub fn best(&self) -> &Candidate {
        &self.candidates[0]
    }

    /// How little hinges on the choice, 0 to 1: 1 less the mean distance of all proposals' values from the best.
    pub fn confidence(&self) -> f64 {
        let best = self.best().value;
        let lost = self.candidates.iter().map(|candidate| candidate.visits as f64 * (best - candidate.value));
        1.0 - lost.sum::<f64>() / self.nodes as f64
    }
}

#[cfg(test)]
mod tests {
    use barrow_core::minions::{GameConfig, Ruleset};

    use super::*;
    use crate::positions;

    #[test]
    fn the_best_candidate_comes_first_and_is_legal() {
        for mut game in positions::middle_games(Ruleset::Server).into_iter().take(3) {
            let analysis = Analysis::new(&game, Effort { time: Duration::MAX, nodes: 8 }).unwrap();
            assert_eq!(analysis.nodes, 8);
            assert_eq!(analysis.candidates.iter().map(|candidate| candidate.visits).sum::<u64>(), 8);
            assert!(analysis.candidates.windows(2).all(|pair| pair[0].score >= pair[1].score));
            assert!((0.0..=1.0).contains(&analysis.confidence()));
            game.play(&analysis.best().turn).unwrap();
        }
    }

    #[test]
    fn one_turn_is_generated_whatever_the_effort() {
        let game = Game::new(GameConfig::default(), 0);
        assert_eq!(Analysis::new(&game, Effort { time: Duration::ZERO, nodes: 0 }).unwrap().nodes, 1);
    }
}
