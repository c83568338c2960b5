//! Tactical positions. Those of one file have one right idea: a necromancer that can be killed this turn, graveyards that
//! must be retaken, a trade that is better than all others; [`find`] takes them from games and verifies them by listing every
//! attack, and [`play_out`] judges trades once more by games. Those of the other are hard, found by [`hard`]: cards that are
//! the only way, threats to be parried, and games that are won at the next turn whatever the opponent replies; rules and
//! solver decide whether a turn solves them ([`crate::engine::forced`]).
//!
//! A line of a file has four fields between tabs: the task, the board, the answer, and the position in extended FEN. The
//! answer is the smallest balance that solves a trade (hundredths of a soul), a turn that solves a hard position (its lines
//! in UMI without `turn` and `action`, between semicolons), or 0.

mod cards;
pub mod check;
pub mod find;
pub mod hard;
pub mod play_out;
mod repair;

use anyhow::{Context, Result, bail, ensure};
use barrow_core::hex::HexSet;
use barrow_core::minions::tables::config::GRAVEYARDS_TO_WIN;
use barrow_core::minions::text::{fen, umi};
use barrow_core::minions::{Game, GameTurn, UndoLog, View};

use crate::engine::forced;
use crate::engine::proof::Prover;

/// The tactical positions that are part of the program, one line each.
pub const BUILT_IN: &str = include_str!("../../data/tactics.fen");

/// The hard positions that are part of the program, one line each.
pub const HARD: &str = include_str!("../../data/hard-tactics.fen");

/// The task of a tactical position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Task {
    /// Kill the enemy necromancer.
    Kill,
    /// Leave the enemy fewer graveyards than win the board, or win it.
    Defend,
    /// Remove enemies with at least this balance: their worth less that of the enemy's best answer, in hundredths of a
    /// soul. Games after such a trade are won more often than after other turns.
    Trade(i32),
    /// Trade as [`Task::Trade`] counts it, of which games do not say that it is right: no mistake if left, but a measure of
    /// how much a search minds souls.
    Souls(i32),
    /// Win the game at once by an attack that needs a card.
    Card,
    /// Take one of the enemy's eight graveyards, for which a card is needed.
    Retake,
    /// Leave the enemy no attack that wins the game; after a pass there is one.
    Escape,
    /// Leave the enemy no attack that wins the game, with such attacks on several boards.
    Split,
    /// Take graveyards that the enemy cannot take back, so that the game is won at the next turn's start.
    Siege,
    /// Leave the enemy no reply after which no attack wins the game.
    Mate,
}

impl Task {
    /// Tasks of the file of hard positions.
    pub const HARD: [Task; 6] =
        [Task::Card, Task::Retake, Task::Escape, Task::Split, Task::Siege, Task::Mate];

    /// Name of the task in files and reports.
    pub fn name(self) -> &'static str {
        match self {
            Task::Kill => "kill",
            Task::Defend => "defend",
            Task::Trade(_) => "trade",
            Task::Souls(_) => "souls",
            Task::Card => "card",
            Task::Retake => "retake",
            Task::Escape => "escape",
            Task::Split => "split",
            Task::Siege => "siege",
            Task::Mate => "mate",
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
    /// A turn that solves the task, where the file has one.
    pub solution: Option<GameTurn>,
}

impl Tactic {
    /// Reads one line of a file.
    pub fn parse(line: &str) -> Result<Tactic> {
        let mut fields = line.splitn(4, '\t');
        let (Some(task), Some(board), Some(answer), Some(position)) =
            (fields.next(), fields.next(), fields.next(), fields.next())
        else {
            bail!("expected four fields between tabs");
        };
        let game = Game::from_fen(position).context("position")?;
        let board: usize = board.parse().with_context(|| format!("board {board}"))?;
        ensure!(board < game.config().num_boards(), "there is no board {board}");
        if let Some(task) = Task::HARD.into_iter().find(|hard| hard.name() == task) {
            let solution = Some(read_turn(&game, answer).with_context(|| format!("turn {answer}"))?);
            return Ok(Tactic { task, board, game, solution });
        }
        let worth: i32 = answer.parse().with_context(|| format!("worth {answer}"))?;
        let task = match task {
            "kill" => Task::Kill,
            "defend" => Task::Defend,
            "trade" => Task::Trade(worth),
            "souls" => Task::Souls(worth),
            _ => bail!("unknown task {task}"),
        };
        Ok(Tactic { task, board, game, solution: None })
    }

    /// The line that [`Tactic::parse`] reads.
    pub fn line(&self) -> String {
        let answer = match (&self.solution, self.task) {
            (Some(turn), _) => turn_text(&self.game, turn),
            (None, Task::Trade(worth) | Task::Souls(worth)) => worth.to_string(),
            (None, _) => "0".to_owned(),
        };
        format!("{}\t{}\t{answer}\t{}", self.task.name(), self.board, fen::Extended(&self.game))
    }

    /// Whether a turn solves the task, or wins the game in another way. An illegal turn does not.
    pub fn is_solved(&self, turn: &GameTurn) -> bool {
        self.is_solved_with(&mut Prover::default(), turn)
    }

    /// Whether a turn solves the task as in [`Tactic::is_solved`], with a prover for many such questions. What cannot be
    /// proved is not solved.
    pub fn is_solved_with(&self, prover: &mut Prover, turn: &GameTurn) -> bool {
        let mut after = self.game.clone();
        if after.enter(turn, &mut UndoLog::off()).is_err() {
            return false;
        }
        let mut ended = after.clone();
        if ended.end_turn().is_err() {
            return false;
        }
        if ended.state().winner() == Some(self.game.side_to_move()) {
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
            Task::Trade(least) | Task::Souls(least) => {
                find::balance(&self.game, turn, self.board).is_some_and(|left| left >= least)
            }
            Task::Card => false,
            Task::Retake => !ended.state().is_over(),
            Task::Escape | Task::Split => prover.is_safe(&ended).is_yes(),
            Task::Siege | Task::Mate => forced::wins_next(prover, &ended).is_yes(),
        }
    }
}

/// A turn on one line: its lines in UMI without `turn` and `action`, between semicolons.
fn turn_text(game: &Game, turn: &GameTurn) -> String {
    let text = umi::TurnText::new(game, turn).to_string();
    let lines = text.lines().filter_map(|line| line.strip_prefix("action "));
    lines.collect::<Vec<&str>>().join(";")
}

/// Reads what [`turn_text`] wrote.
fn read_turn(game: &Game, text: &str) -> Result<GameTurn> {
    let mut reader = umi::TurnReader::new(game, "turn")?;
    for line in text.split(';') {
        reader.read(&format!("action {line}"))?;
    }
    Ok(reader.finish(game)?)
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
