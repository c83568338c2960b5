//! Reviews as text, as JSON, and as notes of the game.

use std::collections::BTreeMap;
use std::fmt::Write;

use barrow_core::minions::text::fen::{Display, Extended};
use barrow_core::minions::text::umi::TurnText;
use barrow_core::minions::{Game, GameTurn, Side};
use schemars::JsonSchema;
use serde::Serialize;

use super::game_review::{BetterTurn, GameReview, Mark, ReviewSettings, ReviewedTurn, SearchedValue};
use crate::notation::{AnnotatedGame, Chance, LineText, RecordedCandidate, Tags};
use crate::text::narrate::Narration;

/// Text of a review: a line for each turn, then the totals of both sides.
pub fn review_text(game: &AnnotatedGame, review: &GameReview) -> String {
    let name = |tag| game.tags.get(tag).unwrap_or("?");
    let mut text = format!("Yellow: {}, Blue: {}\n", name(Tags::YELLOW), name(Tags::BLUE));
    text.push_str("win chance of the side that plays: with the best turn known, with the turn played\n\n");
    text.push_str("turn  side      best   played    loss\n");
    for (number, turn) in (1..).zip(&review.turns) {
        let sign = turn.mark.map_or("", Mark::sign);
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
    turns: Vec<TurnReport>,
    /// Totals of Yellow.
    yellow: SideReport,
    /// Totals of Blue.
    blue: SideReport,
    /// Result as the game has it; null where it has none.
    result: Option<String>,
    /// Whether the review ended early.
    interrupted: bool,
}

/// Turn of a review.
#[derive(Serialize, JsonSchema)]
struct TurnReport {
    /// Number of the turn, from 1.
    turn: usize,
    /// Side that plays.
    side: &'static str,
    /// Position before the turn in Spooky's form of FEN.
    fen: String,
    /// Win chance of Yellow by the best turn known.
    yellow: f64,
    /// Value of the best turn known, for the side that plays.
    best: ValueReport,
    /// Value of the turn played.
    played: ValueReport,
    /// Win chance that the game itself has for the turn; null without one.
    recorded: Option<f64>,
    /// Win chance given away.
    loss: f64,
    /// Standard error of the loss.
    loss_error: f64,
    /// `blunder` or `mistake`; null for any other turn.
    mark: Option<&'static str>,
    /// Turn played, in UMI, `endturn` included.
    lines: Vec<String>,
    /// Better turn; null where none is known.
    better: Option<BetterReport>,
}

/// Value of a turn.
#[derive(Serialize, JsonSchema)]
struct ValueReport {
    /// Win chance.
    chance: f64,
    /// Standard error of the win chance.
    error: f64,
}

/// Better turn than the one played.
#[derive(Serialize, JsonSchema)]
struct BetterReport {
    #[serde(flatten)]
    value: ValueReport,
    /// Visits.
    visits: u64,
    /// Turn in UMI, `endturn` included.
    lines: Vec<String>,
    /// Turn in a few words.
    summary: String,
}

/// Totals of a side.
#[derive(Serialize, JsonSchema)]
struct SideReport {
    /// Turns.
    turns: usize,
    /// Blunders.
    blunders: usize,
    /// Mistakes.
    mistakes: usize,
    /// Win chance given away a turn.
    mean_loss: f64,
}

impl ReviewReport {
    /// Report of the review of a game.
    pub fn new(game: &AnnotatedGame, review: &GameReview, settings: &ReviewSettings) -> ReviewReport {
        let turns =
            (1..).zip(review.turns.iter().zip(&game.turns)).map(|(number, (turn, annotated))| TurnReport {
                turn: number,
                side: turn.side.name(),
                fen: Display(&turn.before).to_string(),
                yellow: rounded(turn.best.for_yellow(turn.side)),
                best: ValueReport::new(turn.best),
                played: ValueReport::new(turn.value),
                recorded: annotated.notes.value.map(|value| value.chance.get()),
                loss: rounded(turn.loss),
                loss_error: rounded(turn.loss_error),
                mark: turn.mark.map(Mark::name),
                lines: lines(&turn.before, &turn.played),
                better: turn.better.as_ref().map(|better| BetterReport::new(turn, better)),
            });
        ReviewReport {
            tags: game.tags.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect(),
            start: Extended(&game.start).to_string(),
            blunder: settings.blunder,
            turns: turns.collect(),
            yellow: SideReport::new(review, Side::Yellow),
            blue: SideReport::new(review, Side::Blue),
            result: game.ending.as_ref().map(ToString::to_string),
            interrupted: review.interrupted,
        }
    }
}

impl SideReport {
    fn new(review: &GameReview, side: Side) -> SideReport {
        let summary = review.summary(side);
        SideReport {
            turns: summary.turns,
            blunders: summary.blunders,
            mistakes: summary.mistakes,
            mean_loss: rounded(summary.mean_loss),
        }
    }
}

impl BetterReport {
    fn new(turn: &ReviewedTurn, better: &BetterTurn) -> BetterReport {
        BetterReport {
            value: ValueReport::new(better.value),
            visits: better.visits,
            lines: lines(&turn.before, &better.turn),
            summary: Narration::new(&turn.before, &better.turn).summary(),
        }
    }
}

impl ValueReport {
    fn new(value: SearchedValue) -> ValueReport {
        ValueReport { chance: rounded(value.chance), error: rounded(value.error) }
    }
}

/// A chance to four decimals.
fn rounded(chance: f64) -> f64 {
    Chance::new(chance).get()
}

/// The turn as UMI lines, `endturn` included.
fn lines(game: &Game, turn: &GameTurn) -> Vec<String> {
    let text = TurnText::new(game, turn).to_string();
    text.lines().map(str::to_owned).chain(["endturn".to_owned()]).collect()
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
