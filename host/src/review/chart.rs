//! Chart of a review: the win chance of Yellow before every turn, and where something was given away.

use barrow_session::messages::TurnMark;

use super::game_review::GameReview;
use crate::chart::{Chart, ChartLine};
use crate::notation::{AnnotatedGame, Tags};

/// Chart of the win chance of Yellow in percent by turn, as the review and as the players have it, with the blunders.
pub fn value_chart(game: &AnnotatedGame, review: &GameReview) -> Chart {
    let turn = |index: usize| index as f64 + 1.0;
    let curve: Vec<(f64, f64)> = (0..)
        .zip(&review.turns)
        .map(|(index, reviewed)| (turn(index), 100.0 * reviewed.best.for_yellow(reviewed.side)))
        .collect();
    let own = (0..).zip(&review.turns).zip(&game.turns).filter_map(|((index, reviewed), annotated)| {
        let value = annotated.notes.value?.chance.get();
        let yellow = if reviewed.side == barrow_core::minions::Side::Yellow { value } else { 1.0 - value };
        Some((turn(index), 100.0 * yellow))
    });
    let blunders = (0..).zip(&review.turns).filter(|(_, reviewed)| reviewed.mark == Some(TurnMark::Blunder));
    let blunders =
        blunders.map(|(index, reviewed)| (turn(index), 100.0 * reviewed.best.for_yellow(reviewed.side)));
    let line = |name: &str, points: Vec<(f64, f64)>| ChartLine {
        name: name.to_owned(),
        points,
        ..ChartLine::default()
    };
    let mut lines =
        vec![line("review", curve), line("players", own.collect()), line("blunders", blunders.collect())];
    lines[2].dotted = true;
    lines[2].scattered = true;
    lines.retain(|line| !line.points.is_empty());
    let name = |tag| game.tags.get(tag).unwrap_or("?");
    Chart {
        title: format!("{} against {}", name(Tags::YELLOW), name(Tags::BLUE)),
        x_label: "turn".to_owned(),
        y_label: "Yellow's win chance, %".to_owned(),
        lines,
    }
}
