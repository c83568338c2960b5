//! Building a position from its parts; the result has passed [`Game::validate`].

use heapless::Vec;

use super::board::Board;
use super::state::{Budget, Deck, GameState};
use super::validate::Invalid;
use crate::minions::rules::game::Game;
use crate::minions::tables::capacities::ROW_CAP;
use crate::minions::tables::config::GameConfig;
use crate::minions::tables::side::{Side, SideArray};
use crate::minions::tables::spell::Spell;
use crate::minions::tables::tech::TechLevels;

/// A position under construction. Starts as [`GameState::bare`]: empty boards in state `Normal` without movable
/// tiles, Yellow to move, no souls, one tech point.
#[derive(Clone, Debug)]
pub struct Builder {
    game: Game,
}

impl Builder {
    /// An empty position of this game.
    pub fn new(config: GameConfig, seed: u64) -> Builder {
        let state = GameState::bare(&config, seed);
        Builder { game: Game { config, state } }
    }

    /// The position of a game, to be changed.
    pub fn from_game(game: Game) -> Builder {
        Builder { game }
    }

    /// A board to be filled; `None` beyond the last.
    pub fn board(&mut self, index: usize) -> Option<&mut Board> {
        self.game.state.boards.get_mut(index)
    }

    /// Whose turn it is, and how many turns are completed.
    pub fn turn(&mut self, side: Side, completed: u32) -> &mut Self {
        self.game.state.side = side;
        self.game.state.turn = completed;
        self
    }

    /// The winner, if the game is over.
    pub fn winner(&mut self, winner: Option<Side>) -> &mut Self {
        self.game.state.winner = winner;
        self
    }

    /// Whether the game was drawn by the turn limit.
    pub fn drawn(&mut self, drawn: bool) -> &mut Self {
        self.game.state.drawn = drawn;
        self
    }

    /// Spendable souls.
    pub fn souls(&mut self, souls: SideArray<u32>) -> &mut Self {
        self.game.state.souls = souls;
        self
    }

    /// Board points.
    pub fn points(&mut self, points: SideArray<u8>) -> &mut Self {
        self.game.state.points = points;
        self
    }

    /// Tech levels now and when the turn began.
    pub fn tech(&mut self, now: SideArray<TechLevels>, start: SideArray<TechLevels>) -> &mut Self {
        self.game.state.tech = now;
        self.game.state.tech_start = start;
        self
    }

    /// What the general has spent.
    pub fn budget(&mut self, budget: Budget) -> &mut Self {
        self.game.state.budget = budget;
        self
    }

    /// The spell row and which of its cards are taken, as a bit set. `None` when the row is too long.
    pub fn row(&mut self, row: &[Spell], taken: u64) -> Option<&mut Self> {
        self.game.state.row = Vec::<Spell, ROW_CAP, u8>::from_slice(row).ok()?;
        self.game.state.taken = taken;
        Some(self)
    }

    /// A side's cards to come.
    pub fn deck(&mut self, side: Side, deck: Deck) -> &mut Self {
        self.game.state.decks[side] = deck;
        self
    }

    /// The game, if the position is valid.
    pub fn build(self) -> Result<Game, Invalid> {
        self.game.validate()?;
        Ok(self.game)
    }
}
