//! Searches of positions anew, for errors of searches that are longer than those that played the recorded games.

use std::time::Duration;

use barrow_core::minions::Game;
use barrow_core::minions::turn_search::SearchOptions;
use barrow_core::rng::Rng;
use indicatif::ProgressBar;
use rayon::prelude::*;

use super::judged_games::Judgement;
use crate::engine::expected_error;
use crate::engine::network::StaticNetwork;
use crate::engine::{Engine, Limits};
use crate::interrupt;

/// Memory of a search in MiB.
const HASH: usize = 64;

/// Turns that are searched from each position on: every search but the last two has its error.
const TURNS: usize = 4;

/// Plan of searches anew.
#[derive(Clone, Copy, Debug)]
pub struct SearchAnew {
    /// Network of the searches.
    pub network: StaticNetwork,
    /// Nodes of a search.
    pub nodes: u64,
    /// Positions to begin from.
    pub positions: usize,
    /// Seed of the choice of positions.
    pub seed: u64,
}

/// Draws positions, each with the number of its game, plays on from them by searches of a fixed number of nodes, and
/// returns what each search said with what the search said two turns later. Moves the bar by one for every position; after
/// Ctrl-C the rest is left out. Positions follow from the seed, and what is found from them.
pub fn search_anew(positions: &[(usize, Game)], plan: &SearchAnew, bar: &ProgressBar) -> Vec<Judgement> {
    let mut order: Vec<usize> = (0..positions.len()).collect();
    Rng::new(plan.seed).shuffle(&mut order);
    order.truncate(plan.positions);
    let play = |&index: &usize| -> Vec<Judgement> {
        // An engine takes as long to make as some searches.
        if interrupt::requested() {
            return Vec::new();
        }
        let (game, position) = &positions[index];
        let found = play_on(*game, position, plan);
        bar.inc(1);
        found
    };
    order.par_iter().flat_map_iter(play).collect()
}

/// Plays on from a position.
fn play_on(number: usize, position: &Game, plan: &SearchAnew) -> Vec<Judgement> {
    let mut engine = Engine::new(HASH, SearchOptions::default());
    engine.set_network(Some(plan.network));
    // What is calibrated is what the search says.
    engine.set_verifies(false);
    let mut game = position.clone();
    let mut said: Vec<Judgement> = Vec::new();
    for _ in 0..TURNS {
        if game.state().is_over() || interrupt::requested() {
            break;
        }
        let found = engine.search(&game, &Limits::new(Duration::MAX, plan.nodes));
        let best = found.best();
        said.push(Judgement {
            game: number,
            value: best.claim,
            error: Some(expected_error::deviation(best.claim, best.error, best.visits as f64)),
            standard_error: Some(best.error),
            later: None,
            // Nobody plays these games to their ends.
            result: 0.5,
        });
        if found.breakdown.is_some() || game.play(&best.turn).is_err() {
            break;
        }
    }
    let values: Vec<f64> = said.iter().map(|said| said.value).collect();
    let ended = game.state().is_over();
    let mut side = position.side_to_move();
    for (index, said) in said.iter_mut().enumerate() {
        let result = game.state().winner().map_or(0.5, |winner| f64::from(u8::from(winner == side)));
        said.later = values.get(index + 2).copied().or(ended.then_some(result));
        side = side.opponent();
    }
    said
}
