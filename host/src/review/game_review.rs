//! Review of a whole game: every position is searched, and every turn is measured by how much win chance it gave away
//! against the best turn that the search knew.
//!
//! The value of the turn that was played is that of the position after it, searched as long as the one before: as the
//! programs that review games of chess do it. A turn is marked where the loss is at least a threshold and at least twice
//! its standard error, so that noise of short searches marks nothing.

use std::time::Duration;

use anyhow::Result;
use barrow_core::minions::{Game, GameTurn, Side};

use crate::engine::{Candidate, Engine, Limits};
use crate::interrupt;
use crate::notation::AnnotatedGame;

/// Settings of a review.
#[derive(Clone, Copy, Debug)]
pub struct ReviewSettings {
    /// Time for each position.
    pub time: Duration,
    /// Nodes for each position.
    pub nodes: u64,
    /// Loss of win chance, 0 to 1, from which on a turn is a blunder; from half of it on it is a mistake.
    pub blunder: f64,
}

/// Value of a position or of a turn for a side, with its standard error.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SearchedValue {
    /// Win chance, 0 to 1.
    pub chance: f64,
    /// Standard error of the win chance.
    pub error: f64,
}

/// Mark of a turn that gave something away.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// At least half of the threshold.
    Mistake,
    /// At least the threshold.
    Blunder,
}

/// Turn that would have been better.
#[derive(Clone, Debug)]
pub struct BetterTurn {
    /// The turn.
    pub turn: GameTurn,
    /// Its value for the side that plays it.
    pub value: SearchedValue,
    /// Its visits in the search.
    pub visits: u64,
}

/// Turn of a game as the review sees it.
#[derive(Clone, Debug)]
pub struct ReviewedTurn {
    /// Side that played the turn.
    pub side: Side,
    /// Position before the turn.
    pub before: Game,
    /// Turn that was played.
    pub played: GameTurn,
    /// Value of the best turn that the search knows, for the side.
    pub best: SearchedValue,
    /// Value of the turn that was played, for the side.
    pub value: SearchedValue,
    /// Win chance given away, 0 to 1.
    pub loss: f64,
    /// Standard error of the loss.
    pub loss_error: f64,
    /// Mark, if the turn gave much away.
    pub mark: Option<Mark>,
    /// Best turn that the search knows, where the turn played has a mark.
    pub better: Option<BetterTurn>,
}

/// Review of a game.
#[derive(Clone, Debug, Default)]
pub struct GameReview {
    /// Turns in order.
    pub turns: Vec<ReviewedTurn>,
    /// Whether Ctrl-C ended the review before the last turn.
    pub interrupted: bool,
}

/// Totals of one side.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct SideSummary {
    /// Turns.
    pub turns: usize,
    /// Mistakes.
    pub mistakes: usize,
    /// Blunders.
    pub blunders: usize,
    /// Mean loss of win chance of a turn.
    pub mean_loss: f64,
}

impl Mark {
    /// Name of the mark.
    pub fn name(self) -> &'static str {
        match self {
            Mark::Mistake => "mistake",
            Mark::Blunder => "blunder",
        }
    }

    /// Sign of the mark, as books on chess have it.
    pub fn sign(self) -> &'static str {
        match self {
            Mark::Mistake => "?",
            Mark::Blunder => "??",
        }
    }
}

impl SearchedValue {
    fn of(candidate: &Candidate) -> SearchedValue {
        SearchedValue { chance: candidate.value, error: candidate.error }
    }

    /// The value for the other side.
    fn flipped(self) -> SearchedValue {
        SearchedValue { chance: 1.0 - self.chance, ..self }
    }

    /// Win chance of Yellow, where this is the value for a side.
    pub fn for_yellow(self, side: Side) -> f64 {
        if side == Side::Yellow { self.chance } else { 1.0 - self.chance }
    }
}

impl GameReview {
    /// Totals of a side.
    pub fn summary(&self, side: Side) -> SideSummary {
        let own: Vec<&ReviewedTurn> = self.turns.iter().filter(|turn| turn.side == side).collect();
        let count = |mark| own.iter().filter(|turn| turn.mark == Some(mark)).count();
        let loss: f64 = own.iter().map(|turn| turn.loss).sum();
        SideSummary {
            turns: own.len(),
            mistakes: count(Mark::Mistake),
            blunders: count(Mark::Blunder),
            mean_loss: loss / own.len().max(1) as f64,
        }
    }
}

/// What a search knows of a position: the value for the side to move, and the best turn; only the value where the game is
/// over.
struct Searched {
    value: SearchedValue,
    best: Option<Candidate>,
}

/// Reviews a game, and calls `watch` after every turn. Ctrl-C ends the review with the turns so far.
pub fn review(
    game: &AnnotatedGame,
    engine: &mut Engine,
    settings: &ReviewSettings,
    mut watch: impl FnMut(usize),
) -> Result<GameReview> {
    let mut review = GameReview::default();
    let mut walk = game.walk();
    // What is known of the position after the last turn.
    let mut known: Option<Searched> = None;
    while let Some((before, played, annotated)) = walk.next_turn()? {
        let carried = known.take().filter(|_| annotated.position.is_none());
        let search = carried.unwrap_or_else(|| searched(&before, engine, settings));
        let after = searched(walk.game(), engine, settings);
        if interrupt::requested() {
            review.interrupted = true;
            break;
        }
        let side = before.side_to_move();
        let value = if walk.game().side_to_move() == side { after.value } else { after.value.flipped() };
        review.turns.push(judged(before, played, walk.game(), search, value, settings));
        watch(review.turns.len());
        known = Some(after);
    }
    Ok(review)
}

/// Searches a position.
fn searched(game: &Game, engine: &mut Engine, settings: &ReviewSettings) -> Searched {
    let state = game.state();
    if state.is_over() {
        let chance = state.winner().map_or(0.5, |winner| f64::from(u8::from(winner == game.side_to_move())));
        return Searched { value: SearchedValue { chance, error: 0.0 }, best: None };
    }
    let mut result = engine.search(game, &Limits::new(settings.time, settings.nodes));
    let best = result.candidates.swap_remove(0);
    Searched { value: SearchedValue::of(&best), best: Some(best) }
}

/// Compares the turn that was played, of this value, with the best one.
fn judged(
    before: Game,
    played: GameTurn,
    after: &Game,
    search: Searched,
    value: SearchedValue,
    settings: &ReviewSettings,
) -> ReviewedTurn {
    let best = search.value;
    let is_best = search.best.as_ref().is_some_and(|best| {
        let mut other = before.clone();
        other.play(&best.turn).is_ok() && other == *after
    });
    let loss = if is_best { 0.0 } else { (best.chance - value.chance).max(0.0) };
    let loss_error = best.error.hypot(value.error);
    let mark = match loss {
        _ if loss < 2.0 * loss_error || loss <= 0.0 => None,
        _ if loss >= settings.blunder => Some(Mark::Blunder),
        _ if loss >= settings.blunder / 2.0 => Some(Mark::Mistake),
        _ => None,
    };
    let better = search.best.filter(|_| mark.is_some());
    ReviewedTurn {
        side: before.side_to_move(),
        before,
        played,
        best,
        value,
        loss,
        loss_error,
        mark,
        better: better.map(|best| BetterTurn {
            value: SearchedValue::of(&best),
            visits: best.visits,
            turn: best.turn,
        }),
    }
}

#[cfg(test)]
mod tests {
    use barrow_core::minions::text::fen;
    use barrow_core::minions::{GameConfig, MapLabel, Ruleset};

    use super::*;
    use crate::notation::{AnnotatedTurn, GameParser, Tags, TurnNotes, game_text, now};
    use crate::review::{ReviewReport, annotated, value_chart};
    use barrow_core::minions::turn_search::SearchOptions;

    /// A necromancer that can be killed for the winning point, and a turn that does nothing instead.
    fn missed_win() -> AnnotatedGame {
        let config =
            fen::parse_config("1 AllLand S,P,W,G,T,H,K,X,A,U,J,V,M,L,O,C,R,Q,B,E,Y,D,1,2,3", Ruleset::Spooky);
        let text = "50|0 0|0 LLLLLLLLLLLLLLLLLLLLLLLLL|LLLLLLLLLLLLLLLLLLLLLLLLL n|||||0/0/2N7/2d7/0/0/7D2/7n2/0/0 0 5";
        let start = fen::parse(text, &config.unwrap()).unwrap();
        let mut game = AnnotatedGame::new(Tags::of_event("test", &now()), start.clone());
        let turn = GameTurn { marches: 1, ..GameTurn::new() };
        game.turns.push(AnnotatedTurn::new(&start, &turn, TurnNotes::default()));
        game
    }

    fn settings() -> ReviewSettings {
        ReviewSettings { time: Duration::MAX, nodes: 30, blunder: 0.1 }
    }

    #[test]
    fn a_missed_win_is_a_blunder_with_a_better_turn() {
        let game = missed_win();
        let mut engine = Engine::new(8, SearchOptions::default());
        let review = review(&game, &mut engine, &settings(), |_| {}).unwrap();
        let [turn] = &review.turns[..] else { panic!("{review:?}") };
        assert_eq!((turn.side, turn.mark), (Side::Yellow, Some(Mark::Blunder)), "{turn:?}");
        let better = turn.better.as_ref().unwrap();
        let mut after = turn.before.clone();
        assert_eq!(after.play(&better.turn).unwrap().winner, Some(Side::Yellow));
        assert_eq!(
            review.summary(Side::Yellow),
            SideSummary { turns: 1, mistakes: 0, blunders: 1, mean_loss: turn.loss }
        );
        assert_eq!(review.summary(Side::Blue), SideSummary::default());
        // What is written of it is read again, with the better turn.
        let written = game_text(&annotated(&game, &review));
        let mut parser = GameParser::default();
        written.lines().for_each(|line| parser.feed(line).unwrap());
        let read = parser.finish().unwrap();
        assert!(read.turns[0].notes.comments[0].as_str().starts_with("review: blunder, "), "{written}");
        assert_eq!(read.turns[0].notes.candidates.len(), 1);
        assert!(value_chart(&game, &review).svg().contains("blunder"));
        let json = serde_json::to_value(ReviewReport::new(&game, &review, &settings())).unwrap();
        assert_eq!(json["turns"][0]["mark"], "blunder");
        assert_eq!(json["turns"][0]["better"]["lines"][0], "turn");
    }

    #[test]
    fn the_turn_that_the_search_would_play_is_no_loss() {
        let config = GameConfig::new(Ruleset::Spooky, &[MapLabel::AllLand]).unwrap();
        let start = Game::new(config, 3);
        let mut game = AnnotatedGame::new(Tags::of_event("test", &now()), start.clone());
        let mut engine = Engine::new(8, SearchOptions::default());
        let best = engine.search(&start, &Limits::new(Duration::MAX, 30)).candidates.swap_remove(0).turn;
        game.turns.push(AnnotatedTurn::new(&start, &best, TurnNotes::default()));
        engine.clear();
        let review = review(&game, &mut engine, &settings(), |_| {}).unwrap();
        assert_eq!((review.turns[0].loss, review.turns[0].mark), (0.0, None));
    }
}
