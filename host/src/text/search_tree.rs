//! The statistics of a search in text, as `analyze --tree` prints them: the candidates of every stage.

use std::fmt::{self, Display, Formatter};

use crate::engine::explain::{ExplainedAttack, ExplainedBoard, ExplainedChoice, Explanation};

/// Largest number of spawn candidates listed for the chosen attack; other attacks have one.
const SPAWNS: usize = 6;

/// The stages of one position as text, a line for each candidate.
pub struct SearchTree<'a>(pub &'a Explanation);

impl Display for SearchTree<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "stages (* chosen; visits, claimed win chance with its standard error, prior):")?;
        writeln!(f, "general: {} choices, {} tried", self.0.generals.len(), tried(&self.0.generals))?;
        for choice in self.0.generals.iter().filter(|choice| choice.visits > 0) {
            line(f, "  ", choice, &percent(choice.prior), "")?;
        }
        for (index, board) in self.0.boards.iter().enumerate() {
            write_board(f, index, board)?;
        }
        Ok(())
    }
}

fn write_board(f: &mut Formatter<'_>, index: usize, board: &ExplainedBoard) -> fmt::Result {
    write!(f, "board {index}: {} attacks", board.attacks.len())?;
    if board.complete {
        write!(f, ", there are no others")?;
    } else if !board.exhausted.is_empty() {
        let names: Vec<_> = board.exhausted.iter().map(ToString::to_string).collect();
        write!(f, ", exhausted: {}", names.join(", "))?;
    }
    writeln!(f)?;
    for attack in &board.attacks {
        write_attack(f, attack)?;
    }
    let money = board.money.iter().filter(|(_, choice)| choice.visits > 0);
    let sums = money.map(|(souls, choice)| format!("{souls}: {} ({})", percent(choice.value), choice.visits));
    writeln!(f, "  souls given, claimed win chance and visits: {}", sums.collect::<Vec<_>>().join(", "))
}

fn write_attack(f: &mut Formatter<'_>, attack: &ExplainedAttack) -> fmt::Result {
    let note = format!(" [{}{}]", attack.family, if attack.pruned { ", pruned" } else { "" });
    line(f, "  ", &attack.choice, &percent(attack.choice.prior), &note)?;
    let mut spawns: Vec<_> = attack.spawns.iter().filter(|spawn| spawn.visits > 0).collect();
    spawns.sort_by_key(|spawn| std::cmp::Reverse((spawn.chosen, spawn.visits)));
    let shown = if attack.choice.chosen { SPAWNS } else { 1 };
    for spawn in spawns.iter().take(shown) {
        line(f, "      ", spawn, "", "")?;
    }
    match spawns.len().saturating_sub(shown) {
        0 => Ok(()),
        more => writeln!(f, "        and {more} more"),
    }
}

fn tried(choices: &[ExplainedChoice]) -> usize {
    choices.iter().filter(|choice| choice.visits > 0).count()
}

fn percent(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}

fn line(
    f: &mut Formatter<'_>,
    indent: &str,
    choice: &ExplainedChoice,
    prior: &str,
    note: &str,
) -> fmt::Result {
    let star = if choice.chosen { '*' } else { ' ' };
    let (value, error) = (100.0 * choice.value, 100.0 * choice.error);
    writeln!(
        f,
        "{indent}{star}{:6} {value:5.1}% +-{error:4.1} {prior:>6} {}{note}",
        choice.visits, choice.text
    )
}
