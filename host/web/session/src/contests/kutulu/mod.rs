//! Code of Kutulu: recorded games, their scenes, and games between built-in bots.

mod live;
pub mod record;
mod scene;
pub mod state_lines;

pub(super) use live::{BOTS, KutuluMatch, maps};

/// Number of players.
pub(super) const SEATS: usize = EXPLORERS;

use anyhow::{Context, Result};
use barrow_core::contests::kutulu::EXPLORERS;

use super::lines::LineReader;
use super::{first_game, named};
use crate::messages::{Contest, WatchedGame};

/// The first recorded game of a text with its scenes.
pub(super) fn watched(text: &str, names: &[String]) -> Result<WatchedGame> {
    let text = first_game(text, &["SEED"]);
    let title = text.lines().find_map(|line| line.strip_prefix("MAP ")).unwrap_or_default().to_owned();
    let mut watched = WatchedGame {
        contest: Contest::Kutulu,
        title,
        players: named(names, EXPLORERS),
        width: 0,
        height: 0,
        fixtures: Vec::new(),
        scenes: Vec::new(),
        is_live: false,
        mismatch: None,
    };
    let mut lines = LineReader::new(text);
    let followed = record::replay(&mut lines, &mut |step| {
        if watched.scenes.is_empty() {
            (watched.width, watched.height) = (step.map.width(), step.map.height());
            watched.fixtures = scene::fixtures(step.map);
        }
        watched.scenes.push(scene::scene(step.map, step.state, step.actions));
        if let Some(difference) = step.difference {
            watched.mismatch.get_or_insert(format!("line {}: {difference}", step.line));
        }
    });
    followed.with_context(|| format!("line {}", lines.number()))?;
    Ok(watched)
}
