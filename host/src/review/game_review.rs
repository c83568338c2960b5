//! Review of a whole game by this machine's engine: it searches the positions of the game in order. What the review makes of
//! them is the same in a page ([`barrow_session::review`]).

use std::time::Duration;

use anyhow::Result;
use barrow_core::minions::{Game, Side};
use barrow_session::messages::SideReview;
use barrow_session::review::{
    BetterTurn, GameUnderReview, ReviewedTurn, Searched, SearchedValue, side_review,
};

use crate::engine::{Engine, Limits, SearchResult};
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

/// Review of a game.
#[derive(Clone, Debug, Default)]
pub struct GameReview {
    /// Turns in order.
    pub turns: Vec<ReviewedTurn>,
    /// Whether Ctrl-C ended the review before the last turn.
    pub interrupted: bool,
}

impl GameReview {
    /// Totals of a side.
    pub fn summary(&self, side: Side) -> SideReview {
        side_review(&self.turns, side)
    }
}

/// Reviews a game, and calls `watch` after every turn. Ctrl-C ends the review with the turns so far.
pub fn review(
    game: &AnnotatedGame,
    engine: &mut Engine,
    settings: &ReviewSettings,
    mut watch: impl FnMut(usize),
) -> Result<GameReview> {
    let mut under_review = GameUnderReview::of(game, settings.blunder)?;
    let mut interrupted = false;
    while let Some((place, position)) = under_review.next() {
        let searched = searched(position, engine, settings);
        if interrupt::requested() {
            interrupted = true;
            break;
        }
        under_review.set(place, searched);
        watch(place);
    }
    Ok(GameReview { turns: under_review.turns(), interrupted })
}

/// Searches a position.
fn searched(game: &Game, engine: &mut Engine, settings: &ReviewSettings) -> Searched {
    searched_by(&engine.search(game, &Limits::new(settings.time, settings.nodes)))
}

/// Knowledge of a search about a position, for a review.
pub fn searched_by(found: &SearchResult) -> Searched {
    let best = found.candidates.first().map(|best| BetterTurn {
        turn: best.turn.clone(),
        value: SearchedValue { chance: best.value, error: best.error },
        visits: best.visits,
    });
    Searched {
        value: best.as_ref().map_or(SearchedValue { chance: 0.5, error: 0.5 }, |best| best.value),
        best,
    }
}

#[cfg(test)]
mod tests {
    use barrow_core::minions::text::fen;
    use barrow_core::minions::{GameConfig, GameTurn, MapLabel, Ruleset};
    use barrow_session::messages::TurnMark;

    use super::*;
    use crate::notation::{AnnotatedTurn, Chance, GameParser, Tags, TurnNotes, game_text, now};
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
        assert_eq!((turn.side, turn.mark), (Side::Yellow, Some(TurnMark::Blunder)), "{turn:?}");
        let better = turn.better.as_ref().unwrap();
        let mut after = turn.before.clone();
        assert_eq!(after.play(&better.turn).unwrap().winner, Some(Side::Yellow));
        assert_eq!(
            review.summary(Side::Yellow),
            SideReview { turns: 1, mistakes: 0, blunders: 1, mean_loss: Chance::new(turn.loss).get() }
        );
        assert_eq!(review.summary(Side::Blue).turns, 0);
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
