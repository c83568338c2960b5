//! Tactical positions with one right idea: a necromancer that can be killed this turn, graveyards that must be retaken, a
//! trade that is better than all others. [`find`] takes them from games and verifies them by listing every attack.
//!
//! A line of the file has four fields between tabs: the task (`kill`, `defend` or `trade`), the board, the smallest balance
//! that solves a trade (hundredths of a soul; 0 for other tasks), and the position in extended FEN.

pub mod find;

use anyhow::{Context, Result, bail, ensure};
use barrow_core::hex::HexSet;
use barrow_core::minions::tables::config::GRAVEYARDS_TO_WIN;
use barrow_core::minions::text::fen;
use barrow_core::minions::{Game, GameTurn, UndoLog, View};

/// The tactical positions that are part of the program, one line each.
pub const BUILT_IN: &str = include_str!("../../data/tactics.fen");

/// The task of a tactical position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Task {
    /// Kill the enemy necromancer.
    Kill,
    /// Leave the enemy fewer graveyards than win the board, or win it.
    Defend,
    /// Remove enemies with at least this balance: their worth less that of the enemy's best answer, in hundredths of a
    /// soul.
    Trade(i32),
}

impl Task {
    /// Name of the task in files and reports.
    pub fn name(self) -> &'static str {
        match self {
            Task::Kill => "kill",
            Task::Defend => "defend",
            Task::Trade(_) => "trade",
        }
    }
}

/// A tactical position.
#[derive(Clone, Debug)]
pub struct Tactic {
    /// Task of the side to move.
    pub task: Task,
    /// Board on which the task is set, counted from 0.
    pub board: usize,
    /// Position at the start of the turn.
    pub game: Game,
}

impl Tactic {
    /// Reads one line of the file.
    pub fn parse(line: &str) -> Result<Tactic> {
        let mut fields = line.splitn(4, '\t');
        let (Some(task), Some(board), Some(worth), Some(position)) =
            (fields.next(), fields.next(), fields.next(), fields.next())
        else {
            bail!("expected four fields between tabs");
        };
        let worth: i32 = worth.parse().with_context(|| format!("worth {worth}"))?;
        let task = match task {
            "kill" => Task::Kill,
            "defend" => Task::Defend,
            "trade" => Task::Trade(worth),
            _ => bail!("unknown task {task}"),
        };
        let game = Game::from_fen(position).context("position")?;
        let board: usize = board.parse().with_context(|| format!("board {board}"))?;
        ensure!(board < game.config().num_boards(), "there is no board {board}");
        Ok(Tactic { task, board, game })
    }

    /// The line that [`Tactic::parse`] reads.
    pub fn line(&self) -> String {
        let worth = if let Task::Trade(worth) = self.task { worth } else { 0 };
        format!("{}\t{}\t{worth}\t{}", self.task.name(), self.board, fen::Extended(&self.game))
    }

    /// Whether a turn solves the task, or wins the game in another way. An illegal turn does not.
    pub fn is_solved(&self, turn: &GameTurn) -> bool {
        let mut after = self.game.clone();
        if after.enter(turn, &mut UndoLog::off()).is_err() {
            return false;
        }
        let mut ended = after.clone();
        if ended.end_turn().is_ok() && ended.state().winner() == Some(self.game.side_to_move()) {
            return true;
        }
        let (Some(before), Some(after)) = (self.game.view(self.board), after.view(self.board)) else {
            return false;
        };
        let enemy = before.side.opponent();
        let won = after.board.marks().won;
        match self.task {
            Task::Kill => won,
            Task::Defend => won || after.board.graveyards(after.map, enemy).len() < GRAVEYARDS_TO_WIN,
            Task::Trade(least) => {
                find::balance(&self.game, turn, self.board).is_some_and(|left| left >= least)
            }
        }
    }
}

/// Worth of killing and unsummoning these enemies, in hundredths of a soul. A kill is worth the price less most of the
/// rebate; an unsummoning is worth a third of the price, for the turn that the unit misses. Necromancers count nothing.
pub fn worth_of(view: &View<'_>, killed: HexSet, unsummoned: HexSet) -> i32 {
    let unit = |at| view.board.piece(at).map(|piece| view.unit(piece)).filter(|unit| !unit.necromancer);
    let dead = |at| unit(at).map_or(0, |unit| i32::from(unit.cost) * 100 - i32::from(unit.rebate) * 60);
    let away = |at| unit(at).map_or(0, |unit| i32::from(unit.cost) * 33);
    killed.iter().map(dead).sum::<i32>() + unsummoned.iter().map(away).sum::<i32>()
}

/// Reads all positions of a file's text. The error names the line.
pub fn parse_all(text: &str) -> Result<Vec<Tactic>> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    lines.map(|(number, line)| Tactic::parse(line).with_context(|| format!("line {}", number + 1))).collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use barrow_core::minions::BoardAction;
    use barrow_core::minions::turn_search::SearchOptions;

    use super::*;
    use crate::engine::{Engine, Limits};

    #[test]
    fn a_game_that_is_won_on_another_board_solves_a_task() {
        // The last point is to be had on either board.
        let tactics = parse_all(BUILT_IN).unwrap();
        let mut tactic = tactics[81].clone();
        assert_eq!((tactic.task, tactic.board), (Task::Kill, 0));
        let mut engine = Engine::new(16, SearchOptions::default());
        let found = engine.search(&tactic.game, &Limits::new(Duration::MAX, 200));
        let kill = found.best().turn.board(1);
        let end = kill.iter().rposition(BoardAction::is_attack).unwrap();
        let mut turn = GameTurn::default();
        assert!(!tactic.is_solved(&turn));
        for &action in &kill[..=end] {
            turn.push(1, action).unwrap();
        }
        for board in 0..2 {
            tactic.board = board;
            assert!(tactic.is_solved(&turn));
        }
    }
}
