//! Replays trace files and recorded games through the rules and counts where the two disagree.
//!
//! A trace line holds a position, what was tried in it with verdicts, and the positions that followed; the rules
//! must agree on all of it. A recorded game, annotated or of self-play, holds turns, which must be legal. Games are the unit of parallel work, and only a bounded number of them is in memory.

mod attempts;
mod difference;
mod game_lines;
mod line_groups;
mod load;
mod names;
mod position_lines;
mod recorded_games;
mod tally;
mod trace_format;

use std::io::BufRead;

use anyhow::{Context, Result, ensure};
use indicatif::ProgressBar;
use rayon::prelude::*;

use self::line_groups::{LineGroup, LineGroups};
use crate::interrupt;
use crate::io::{JsonFault, TextLines, open_watched};
use crate::notation::{FileSettings, GameFile, GameForm};

pub use self::tally::Tally;

/// Most line groups in memory at a time: about a dozen MiB of text when they are games.
const BATCH: usize = 128;

/// Text in bytes with which a batch of line groups is full before that.
const BATCH_BYTES: usize = 16 << 20;

/// Steps and mismatches of one line group.
#[derive(Default)]
struct GroupFindings {
    steps: u64,
    mismatches: Vec<String>,
}

/// Replays trace files and files of recorded games; `-` is stdin, and a name that ends in `.gz` is decompressed. The bar
/// follows the bytes read. The settings are for replays of the web server. Fails at the first line that is none of such a
/// file, and for a file without a turn or a position.
pub fn files(names: &[String], settings: &FileSettings, bar: &ProgressBar) -> Result<Tally> {
    let mut tally = Tally::default();
    for name in names {
        let known = tally.steps;
        replay_file(name, settings, bar, &mut tally).with_context(|| name.clone())?;
        ensure!(tally.steps > known, "{name}: no turn and no position to replay");
        tally.files += 1;
    }
    Ok(tally)
}

fn replay_file(name: &str, settings: &FileSettings, bar: &ProgressBar, tally: &mut Tally) -> Result<()> {
    let mut lines = open_watched(name, bar)?;
    if lines.peek_full_line()?.and_then(GameForm::of_line).is_some() {
        let settings = FileSettings { keeps_damage: true, ..settings.clone() };
        return recorded_games::replay(GameFile::of_lines(lines, name, settings)?, name, tally);
    }
    replay(LineGroups::new(lines), name, tally)
}

/// Replays the trace lines of a reader. Descriptions of mismatches begin with `name`.
pub fn reader(lines: Box<dyn BufRead>, name: &str) -> Result<Tally> {
    let mut tally = Tally { files: 1, ..Tally::default() };
    replay(LineGroups::new(TextLines::new(lines, name)), name, &mut tally)?;
    Ok(tally)
}

fn replay(mut groups: LineGroups, name: &str, tally: &mut Tally) -> Result<()> {
    loop {
        interrupt::check()?;
        let (mut batch, mut bytes) = (Vec::with_capacity(BATCH), 0);
        while batch.len() < BATCH && bytes < BATCH_BYTES {
            match groups.next()? {
                Some(group) => {
                    bytes += group.len();
                    batch.push(group);
                }
                None => break,
            }
        }
        if batch.is_empty() {
            return Ok(());
        }
        let findings: Vec<GroupFindings> =
            batch.par_iter().map(|group| replay_group(group, name)).collect::<Result<_>>()?;
        for found in findings {
            tally.add(found.steps, found.mismatches);
        }
    }
}

/// Replays the lines of a group in order.
fn replay_group(group: &LineGroup, name: &str) -> Result<GroupFindings> {
    let mut findings = GroupFindings::default();
    let mut carried = None;
    for (number, text) in (group.first_line..).zip(&group.lines) {
        let at = || format!("line {number}");
        let (what, difference) = if group.is_game {
            let line: trace_format::GameLine =
                serde_json::from_str(text).map_err(JsonFault).with_context(at)?;
            let replayed = game_lines::play(&line, carried.take()).with_context(at)?;
            carried = replayed.game;
            (format!("game {} step {}", line.game, line.step), replayed.difference)
        } else {
            let line: trace_format::ReachLine =
                serde_json::from_str(text).map_err(JsonFault).with_context(at)?;
            let what = format!("position {}", line.id);
            (what, position_lines::check(line).with_context(at)?)
        };
        findings.steps += 1;
        if let Some(difference) = difference {
            findings.mismatches.push(format!("{name}:{number}: {what}: {difference}"));
        }
    }
    Ok(findings)
}
