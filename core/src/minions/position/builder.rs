//! Builder of positions from their parts; the result has passed [`Game::validate`].

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

/// Builder of a position. It starts from [`GameState::bare`]: empty boards in state `Normal` without movable tiles,
/// Yellow to move, no souls, one tech point.
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

    /// A builder that starts from the position of a game.
    pub fn from_game(game: Game) -> Builder {
        Builder { game }
    }

    /// Board with this index, to be filled; `None` beyond the last.
    pub fn board(&mut self, index: usize) -> Option<&mut Board> {
        self.game.state.boards.get_mut(index)
    }

    /// Sets the side to move and the number of completed turns.
    pub fn turn(&mut self, side: Side, completed: u32) -> &mut Self {
        self.game.state.side = side;
        self.game.state.turn = completed;
        self
    }

    /// Sets the winner, if the game is over.
    pub fn winner(&mut self, winner: Option<Side>) -> &mut Self {
        self.game.state.winner = winner;
        self
    }

    /// Sets whether the game was drawn by the turn limit.
    pub fn drawn(&mut self, drawn: bool) -> &mut Self {
        self.game.state.drawn = drawn;
        self
    }

    /// Sets the spendable souls.
    pub fn souls(&mut self, souls: SideArray<u32>) -> &mut Self {
        self.game.state.souls = souls;
        self
    }

    /// Sets the board points.
    pub fn points(&mut self, points: SideArray<u8>) -> &mut Self {
        self.game.state.points = points;
        self
    }

    /// Sets the tech levels now and at the start of the turn.
    pub fn tech(&mut self, now: SideArray<TechLevels>, start: SideArray<TechLevels>) -> &mut Self {
        self.game.state.tech = now;
        self.game.state.tech_start = start;
        self
    }

    /// Sets what the general has spent.
    pub fn budget(&mut self, budget: Budget) -> &mut Self {
        self.game.state.budget = budget;
        self
    }

    /// Sets the spell row and, as a bit set, which of its cards are taken. `None` when the row is too long.
    pub fn row(&mut self, row: &[Spell], taken: u64) -> Option<&mut Self> {
        self.game.state.row = Vec::<Spell, ROW_CAP, u8>::from_slice(row).ok()?;
        self.game.state.taken = taken;
        Some(self)
    }

    /// Sets the deck of a side.
    pub fn deck(&mut self, side: Side, deck: Deck) -> &mut Self {
        self.game.state.decks[side] = deck;
        self
    }

    /// Returns the game if the position is valid, else the invariant that it breaks.
    pub fn build(self) -> Result<Game, Invalid> {
        self.game.validate()?;
        Ok(self.game)
    }
}
