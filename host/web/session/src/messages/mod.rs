//! Messages between a page and whoever knows the game: one JSON object each.
//!
//! A [`Request`] has a number, which its [`Answer`]s repeat. Every request gets one answer, a search one for each progress and
//! a last one. A request that is refused changes nothing, and its answer says why in words.

mod analysis;
mod ask;
mod book;
mod choices;
mod contests;
mod position;
mod reply;
mod review;

pub use analysis::{
    AnalysedBoard, AnalysedTurn, Analysis, Arrow, ArrowKind, Fate, FateKind, StageChoice, StageReport,
};
pub use ask::{Ask, Form, Handicap, NewGame, Place, Request, SearchAsk, Subject};
pub use book::{Book, Effect, LevelRow, MapRow, SpellRow, TerrainRow, UnitRow};
pub use choices::{Choice, ChoiceKind, Choices};
pub use contests::{Contest, ContestRow, Fixture, MatchAsk, Scene, Standing, Token, WatchedGame};
pub use position::{
    BoardView, CardView, MovableView, PieceView, PlayedTurn, PositionView, ReinforcementView, TechState,
    TechView, TileView, WaitingModifier,
};
pub use reply::{Answer, Refusal, Reply};
pub use review::{BetterTurnReview, Review, ReviewAsk, ReviewedValue, SideReview, TurnMark, TurnReview};
