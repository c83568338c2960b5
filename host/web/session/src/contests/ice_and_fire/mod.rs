//! A Code of Ice and Fire: recorded games, their scenes, and games between built-in bots.

pub mod input_line;
mod live;
pub mod record;
mod scene;

use anyhow::{Context, Result};
use barrow_core::contests::ice_and_fire::SIZE;

pub(super) use live::{BOTS, IceAndFireMatch};

use super::lines::LineReader;
use super::{first_game, named};
use crate::messages::{Contest, WatchedGame};

/// Number of players.
pub(super) const SEATS: usize = 2;

/// The first recorded game of a text with its scenes.
pub(super) fn watched(text: &str, names: &[String]) -> Result<WatchedGame> {
    let text = first_game(text, &["SEED"]);
    let seed = text.lines().find_map(|line| line.strip_prefix("SEED ")).unwrap_or_default();
    let mut watched = WatchedGame {
        contest: Contest::IceAndFire,
        title: format!("map {seed}"),
        players: named(names, SEATS),
        width: SIZE.into(),
        height: SIZE.into(),
        fixtures: Vec::new(),
        scenes: Vec::new(),
        is_live: false,
        mismatch: None,
    };
    let mut lines = LineReader::new(text);
    let followed = record::replay(&mut lines, &mut |step| {
        if watched.scenes.is_empty() {
            watched.fixtures = scene::fixtures(step.game.state());
        }
        watched.scenes.push(scene::scene(step.game, step.answer));
        if let Some(difference) = step.difference {
            watched.mismatch.get_or_insert(format!("line {}: {difference}", step.line));
        }
    });
    followed.with_context(|| format!("line {}", lines.number()))?;
    Ok(watched)
}
