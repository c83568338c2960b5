//! Reviews as text, as JSON, and as notes of the game.

use std::collections::BTreeMap;
use std::fmt::Write;

use barrow_core::minions::Side;
use barrow_core::minions::text::fen::Extended;
use barrow_session::messages::{SideReview, TurnMark, TurnReview};
use barrow_session::review::turn_review;
use schemars::JsonSchema;
use serde::Serialize;

use super::game_review::{GameReview, ReviewSettings};
use crate::notation::{AnnotatedGame, LineText, RecordedCandidate, Tags};
use crate::text::narrate::Narration;

/// Text of a review: a line for each turn, then the totals of both sides.
pub fn review_text(game: &AnnotatedGame, review: &GameReview) -> String {
    let name = |tag| game.tags.get(tag).unwrap_or("?");
    let mut text = format!("Yellow: {}, Blue: {}\n", name(Tags::YELLOW), name(Tags::BLUE));
    text.push_str("win chance of the side that plays: with the best turn known, with the turn played\n\n");
    text.push_str("turn  side      best   played    loss\n");
    for (number, turn) in (1..).zip(&review.turns) {
        let sign = turn.mark.map_or("", TurnMark::sign);
        let (best, played, loss) = (100.0 * turn.best.chance, 100.0 * turn.value.chance, 100.0 * turn.loss);
        let line = format!(
            "{number:>4}  {:<6}  {best:>5.1}%  {played:>6.1}%  {loss:>5.1}% {sign}",
            turn.side.name()
        );
        // Writing to a string does not fail.
        let _ = writeln!(text, "{}", line.trim_end());
        if let Some(better) = &turn.better {
            let played = Narration::new(&turn.before, &turn.played);
            let better = Narration::new(&turn.before, &better.turn);
            let _ = writeln!(text, "      played: {}", played.summary());
            let _ = writeln!(text, "      better: {}", better.difference(&played));
        }
    }
    text.push('\n');
    for side in Side::ALL {
        let summary = review.summary(side);
        let _ = writeln!(
            text,
            "{}: {} blunders, {} mistakes in {} turns, {:.1}% given away a turn",
            side.name(),
            summary.blunders,
            summary.mistakes,
            summary.turns,
            100.0 * summary.mean_loss
        );
    }
    if let Some(ending) = &game.ending {
        let _ = writeln!(text, "result: {ending}");
    }
    if review.interrupted {
        text.push_str("interrupted\n");
    }
    text
}

/// Report of a review. Win chances are rounded to four decimals.
#[derive(Serialize, JsonSchema)]
pub struct ReviewReport {
    /// Tags of the game.
    tags: BTreeMap<String, String>,
    /// First position in the extended form of FEN.
    start: String,
    /// Win chance that a blunder gives away; a mistake gives away half of it.
    blunder: f64,
    /// Turns in order.
    turns: Vec<TurnReview>,
    /// Totals of Yellow.
    yellow: SideReview,
    /// Totals of Blue.
    blue: SideReview,
    /// Result as the game has it; null where it has none.
    result: Option<String>,
    /// Whether the review ended early.
    interrupted: bool,
}

impl ReviewReport {
    /// Report of the review of a game.
    pub fn new(game: &AnnotatedGame, review: &GameReview, settings: &ReviewSettings) -> ReviewReport {
        let turns = (1..).zip(&review.turns).map(|(number, turn)| turn_review(number, turn));
        ReviewReport {
            tags: game.tags.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect(),
            start: Extended(&game.start).to_string(),
            blunder: settings.blunder,
            turns: turns.collect(),
            yellow: review.summary(Side::Yellow),
            blue: review.summary(Side::Blue),
            result: game.ending.as_ref().map(ToString::to_string),
            interrupted: review.interrupted,
        }
    }
}

/// The game with a comment on every turn, and the better turn as first candidate where one is known.
pub fn annotated(game: &AnnotatedGame, review: &GameReview) -> AnnotatedGame {
    let mut annotated = game.clone();
    annotated.tags.set("Annotator", concat!("Barrow ", env!("CARGO_PKG_VERSION")));
    for (turn, reviewed) in annotated.turns.iter_mut().zip(&review.turns) {
        let mark = reviewed.mark.map_or(String::new(), |mark| format!("{}, ", mark.name()));
        let (best, played) = (100.0 * reviewed.best.chance, 100.0 * reviewed.value.chance);
        let text = format!("review: {mark}best {best:.1}%, played {played:.1}%");
        turn.notes.comments.push(LineText::new(&text));
        if let Some(better) = &reviewed.better {
            let candidate = RecordedCandidate::of_turn(
                &reviewed.before,
                &better.turn,
                [better.value.chance, better.value.error],
                better.visits,
            );
            turn.notes.candidates.retain(|known| known.actions != candidate.actions);
            turn.notes.candidates.insert(0, candidate);
        }
    }
    annotated
}
