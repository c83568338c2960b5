//! The command `perft`: the number of distinct minimal attacks on each board of the position.

use std::io::Write;

use barrow_solver::attack::{AttackModel, LargeRoom, OverkillPolicy, memory_for, perft};

use super::session::{CommandResult, Session};
use crate::text::quoted::quoted;

/// Largest number of attacks counted on one board, so that the answer comes soon. `barrow perft` has no such limit.
const LIMIT: u64 = 10_000;

impl<W: Write> Session<W> {
    /// Prints one line `info perft board B attacks N` for the board named, or for every board; `N+` at the limit.
    pub(super) fn count_attacks(&mut self, rest: &str) -> CommandResult {
        let boards = self.game.config().num_boards();
        let wanted = match *rest.split_ascii_whitespace().collect::<Vec<_>>() {
            [] => 0..boards,
            [word] => match word.parse() {
                Ok(board) if board < boards => board..board + 1,
                _ => return Err(format!("perft: no such board: {}", quoted(word)).into()),
            },
            _ => return Err("perft: expected a board or nothing".into()),
        };
        let mut counts = Vec::new();
        let mut room = Box::new(LargeRoom::new());
        for board in wanted {
            let Some(view) = self.game.view(board) else { continue };
            let refused = |error| format!("perft: board {board}: {error}");
            let model = AttackModel::new(&view, &mut *room).map_err(refused)?;
            let model = model.with_overkill_policy(OverkillPolicy::AllHitsNeeded);
            let mut memory = vec![0; memory_for(&model).map_err(refused)?];
            let count = perft(&view, &mut *room, &mut memory, LIMIT).map_err(refused)?;
            counts.push((board, count));
        }
        for (board, count) in counts {
            let more = if count == LIMIT { "+" } else { "" };
            writeln!(self.out, "info perft board {board} attacks {count}{more}")?;
        }
        Ok(())
    }
}
