//! Decision of a player for one turn, its limits, and the suggestions of a search.

use std::time::Duration;

use anyhow::{Result, bail};
use barrow_core::contests::roborally::numbering::Program;
use barrow_core::search::flat::{Arm, Effort};

use super::budget::Budget;
use barrow_session::contests::roborally::robot_text::number;

/// The choice of a player for one turn.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// Cards for the unlocked registers.
    pub program: Program,
    /// Whether the player announces power down.
    pub announces: bool,
    /// Work of the search.
    pub effort: Effort,
    /// Mean value of the program in 1/65,536; 0 without a search.
    pub value: i32,
    /// The best programs, the chosen one first, as many as were asked for.
    pub hints: Vec<Hint<Program>>,
}

/// A program with what a search thinks of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hint<P> {
    /// The program.
    pub program: P,
    /// Mean value in 1/65,536.
    pub value: i32,
    /// Playouts that began with the program.
    pub playouts: u32,
}

/// Limits that end a decision before the player's own budget does, and what it is to tell.
pub struct Limits<'a> {
    /// Budget in place of the player's own, for players that search. Of the others it bounds the time alone.
    pub budget: Option<Budget>,
    /// Whether the host has asked for the decision.
    pub is_stopped: &'a mut dyn FnMut() -> bool,
    /// Most programs of [`Choice::hints`].
    pub hints: usize,
}

/// A program is suggested only if it had this share of the playouts of the one that had most, in the inverse.
pub(super) const FEWEST: u32 = 4;

/// The best programs with their means: the chosen one first, then by mean those with enough playouts.
pub(super) fn hints<P>(program: impl Fn(u32) -> P, arms: &[Arm], chosen: u32, most: usize) -> Vec<Hint<P>> {
    let visits = |arm: &Arm| arm.stats.visits();
    let fewest = arms.iter().map(visits).max().unwrap_or(0) / FEWEST;
    let mut ranked: Vec<(u32, &Arm)> = (0..).zip(arms).collect();
    ranked.retain(|(action, arm)| *action == chosen || visits(arm) > 0 && visits(arm) >= fewest);
    ranked.sort_by_key(|(action, arm)| (*action != chosen, -arm.stats.mean()));
    let hint = |(action, arm): (u32, &Arm)| Hint {
        program: program(action),
        value: arm.stats.mean(),
        playouts: visits(arm),
    };
    ranked.into_iter().take(most).map(hint).collect()
}

/// Most programs that `go hints` tells.
const HINT_CAP: usize = 64;

/// Reads the limits of the command `go`: a budget, if one is named, and the number of hints.
pub(super) fn read_limits(words: &[&str]) -> Result<(Option<Budget>, usize)> {
    let (mut budget, mut wanted) = (None, 0);
    for limit in words.chunks(2) {
        match *limit {
            ["ms", limit] => budget = Some(Budget::Wall(Duration::from_millis(number(limit)?))),
            ["playouts", limit] => budget = Some(Budget::Playouts(number(limit)?)),
            ["turns", limit] => budget = Some(Budget::Turns(number(limit)?)),
            ["hints", most] => wanted = number::<usize>(most)?.min(HINT_CAP),
            _ => bail!("limits are: ms N, playouts N, turns N; and hints N"),
        }
    }
    Ok((budget, wanted))
}
