//! Data files of A Code of Ice and Fire against the rules and the cut detection (rules §9).
//!
//! The first word of a file is its kind: `SCENARIO`, `seed` (maps), `SEED` (a recorded game) or `CASE` (cuts); lines
//! that begin with `//` are remarks.

mod cut_cases;
mod maps;
mod position_text;
mod scenario;

use anyhow::{Context, Result, anyhow};
use barrow_session::contests::ice_and_fire::record;

use crate::replay::Tally;
pub use barrow_session::contests::ice_and_fire::record::game_at;
use barrow_session::contests::lines::LineReader;

/// Replays the text of a file; a step is a player's turn, a map, or a list of cuts. Fails where the text does not have
/// the form of these files.
pub fn text(name: &str, text: &str, tally: &mut Tally) -> Result<()> {
    let mut lines = LineReader::new(text);
    let outcome = match lines.peek_word() {
        Some("SCENARIO") => scenario::replay(&mut lines, name, tally),
        Some("seed") => maps::replay(&mut lines, name, tally),
        Some("SEED") => record::replay(&mut lines, &mut |step| {
            tally.count(step.difference.map(|what| format!("{name}:{}: {what}", step.line)));
        }),
        Some("CASE") => cut_cases::replay(&mut lines, name, tally),
        _ => Err(anyhow!("expected SCENARIO, seed, SEED or CASE")),
    };
    outcome.with_context(|| format!("line {}", lines.number()))
}
