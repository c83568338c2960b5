//! Data files of Code of Kutulu against the rules (rules §10): maps, scenarios and recorded games.
//!
//! The first word of a file is its kind: `MAP`, `SCENARIO` or `SEED`; lines that begin with `//` are remarks.

mod maps;
mod scenario;

use anyhow::{Context, Result, anyhow};
use barrow_session::contests::kutulu::record;
pub use barrow_session::contests::kutulu::record::state_at;

use crate::replay::Tally;
use barrow_session::contests::lines::LineReader;

/// Replays the text of a file; a step is a turn of a game, or a map. Fails where the text does not have the form of
/// these files.
pub fn text(name: &str, text: &str, tally: &mut Tally) -> Result<()> {
    let mut lines = LineReader::new(text);
    let outcome = match lines.peek_word() {
        Some("MAP") => maps::replay(&mut lines, name, tally),
        Some("SCENARIO") => scenario::replay(&mut lines, name, tally),
        Some("SEED") => record::replay(&mut lines, &mut |step| {
            tally.count(step.difference.map(|what| format!("{name}:{}: {what}", step.line)));
        }),
        _ => Err(anyhow!("expected MAP, SCENARIO or SEED")),
    };
    outcome.with_context(|| format!("line {}", lines.number()))
}
