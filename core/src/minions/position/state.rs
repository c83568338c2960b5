//! Game states: boards, money, techs, cards, and the side to move (seed 000 "GameState").

use heapless::Vec;

use crate::heapless_vec;
use crate::list;
use crate::rng::Rng;

use super::board::{Board, BoardState};
use super::key::{Fact, fact, mix};
use super::piece::Piece;
use crate::hex::Hex;
use crate::minions::tables::capacities::{BOARD_CAP, QUEUE_CAP, QUEUE_EXTRA, ROW_CAP};
use crate::minions::tables::config::GameConfig;
use crate::minions::tables::side::{Side, SideArray};
use crate::minions::tables::spell::{DECK_SIZE, SPELL_COUNT, Spell};
use crate::minions::tables::tech::TechLevels;
use crate::minions::tables::unit::UnitLabel;

/// Deck of a side: the queue of upcoming cards and the rest that is not dealt yet (rules §7).
#[derive(PartialEq, Eq, Debug)]
pub struct Deck {
    /// Upcoming cards, next first.
    pub(crate) queue: Vec<Spell, QUEUE_CAP, u8>,
    left: [u8; SPELL_COUNT],
    rng: u64,
}

impl Clone for Deck {
    #[inline]
    fn clone(&self) -> Deck {
        Deck { queue: self.queue.clone(), ..*self }
    }

    fn clone_from(&mut self, source: &Deck) {
        let Deck { queue, left, rng } = source;
        heapless_vec::copy(&mut self.queue, queue);
        (self.left, self.rng) = (*left, *rng);
    }
}

impl Deck {
    /// A full deck, shuffled by this seed; nothing in the queue.
    pub fn new(seed: u64) -> Deck {
        Deck { queue: Vec::new(), left: full_deck(), rng: seed }
    }

    /// A deck with this queue, these copies left, and this generator state. `None` when the queue is too long or
    /// more copies are left than the deck holds.
    pub fn with(queue: &[Spell], left: [u8; SPELL_COUNT], rng: u64) -> Option<Deck> {
        let fits = left.iter().zip(full_deck()).all(|(&left, copies)| left <= copies);
        if !fits || queue.len() > QUEUE_CAP - 2 {
            return None;
        }
        Some(Deck { queue: Vec::from_slice(queue).ok()?, left, rng })
    }

    /// Upcoming cards, next first.
    pub fn queue(&self) -> &[Spell] {
        &self.queue
    }

    /// Copies of each spell not dealt yet.
    pub fn left(&self) -> &[u8; SPELL_COUNT] {
        &self.left
    }

    /// State of the generator that shuffles.
    pub fn rng(&self) -> u64 {
        self.rng
    }

    /// Deals one card: drawing from the unshuffled rest with equal chances is the same as shuffling first.
    pub(crate) fn deal(&mut self) -> Spell {
        let mut total: u16 = self.left.iter().map(|&copies| u16::from(copies)).sum();
        if total == 0 {
            self.left = full_deck();
            total = DECK_SIZE;
        }
        let mut rng = Rng::from_state(self.rng);
        let mut rank = rng.below(u32::from(total));
        self.rng = rng.state();
        for spell in Spell::ALL {
            if let Some(copies) = self.left.get_mut(spell.index()) {
                if rank < u32::from(*copies) {
                    *copies -= 1;
                    return spell;
                }
                rank -= u32::from(*copies);
            }
        }
        Spell::Fester
    }

    /// Deals until the queue has this many cards.
    fn fill(&mut self, cards: usize) {
        while self.queue.len() < cards {
            let card = self.deal();
            if self.queue.push(card).is_err() {
                break;
            }
        }
    }

    /// Returns a dealt card to the rest and restores the generator; undoes [`Deck::deal`].
    pub(crate) fn take_back(&mut self, spell: Spell, rng: u64, reshuffled: bool) {
        self.rng = rng;
        if reshuffled {
            self.left = [0; SPELL_COUNT];
        } else if let Some(copies) = self.left.get_mut(spell.index()) {
            *copies += 1;
        }
    }

    pub(crate) fn is_exhausted(&self) -> bool {
        self.left.iter().all(|&copies| copies == 0)
    }
}

fn full_deck() -> [u8; SPELL_COUNT] {
    let mut left = [0; SPELL_COUNT];
    for spell in Spell::ALL {
        if let Some(copies) = left.get_mut(spell.index()) {
            *copies = spell.copies();
        }
    }
    left
}

/// Budget of the general in this turn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Budget {
    /// Tech points left.
    pub tech_points: u8,
    /// Extra spells bought.
    pub bought: u8,
    /// The free tech point was sold.
    pub sold: bool,
}

/// Game state, or position: everything that changes during a game (seed 000 "GameState").
#[derive(PartialEq, Eq, Debug)]
pub struct GameState {
    /// Boards, as many as the configuration has maps.
    pub(crate) boards: Vec<Board, BOARD_CAP, u8>,
    pub(crate) side: Side,
    pub(crate) winner: Option<Side>,
    pub(crate) drawn: bool,
    /// Completed turns; even when Yellow is to move, except after a `spooky` win.
    pub(crate) turn: u32,
    pub(crate) points: SideArray<u8>,
    pub(crate) souls: SideArray<u32>,
    pub(crate) tech: SideArray<TechLevels>,
    /// Levels when the current turn began.
    pub(crate) tech_start: SideArray<TechLevels>,
    pub(crate) budget: Budget,
    pub(crate) row: Vec<Spell, ROW_CAP, u8>,
    /// Cards of the row that boards have taken, by position.
    pub(crate) taken: u64,
    pub(crate) decks: SideArray<Deck>,
}

// Four boards and the general's part must fit into 12 KiB; so do eight.
const _: () = assert!(core::mem::size_of::<GameState>() <= 12 * 1024);

impl Clone for GameState {
    fn clone(&self) -> GameState {
        let mut state =
            GameState { boards: Vec::new(), decks: self.decks.clone(), row: self.row.clone(), ..*self };
        // There is room: both lists have the same capacity.
        let _ = list::append(&mut state.boards, self.boards.iter().cloned());
        state
    }

    // Searches copy states all the time, so only boards that exist are copied, each once.
    fn clone_from(&mut self, source: &GameState) {
        let GameState {
            boards,
            side,
            winner,
            drawn,
            turn,
            points,
            souls,
            tech,
            tech_start,
            budget,
            row,
            taken,
            decks,
        } = source;
        self.boards.truncate(boards.len());
        for (own, other) in self.boards.iter_mut().zip(boards) {
            own.clone_from(other);
        }
        let known = self.boards.len();
        let _ = list::append(&mut self.boards, boards.iter().skip(known).cloned());
        self.side = *side;
        self.winner = *winner;
        self.drawn = *drawn;
        self.turn = *turn;
        self.points = *points;
        self.souls = *souls;
        self.tech = *tech;
        self.tech_start = *tech_start;
        self.budget = *budget;
        heapless_vec::copy(&mut self.row, row);
        self.taken = *taken;
        for side in Side::ALL {
            self.decks[side].clone_from(&decks[side]);
        }
    }
}

impl GameState {
    /// The start position (rules §3). `seed` determines the order of both decks.
    pub fn start(config: &GameConfig, seed: u64) -> GameState {
        let mut state = GameState::bare(config, seed);
        for index in 0..config.num_boards() {
            if let Some(board) = state.boards.get_mut(index) {
                board.lay_movable(config.map(index));
                set_up_pieces(board, config, index);
                board.set_state(BoardState::FirstTurn);
                for side in Side::ALL {
                    board.set_reserve(side, config.rules.start_reserve, 1);
                    board.set_free(side, 1);
                }
            }
        }
        state.souls[Side::Blue] = 6 * config.num_boards() as u32;
        state
    }

    /// Empty boards in state `Normal`, Yellow to move, no money; cards dealt when there are spells.
    pub fn bare(config: &GameConfig, seed: u64) -> GameState {
        let mut rng = Rng::new(seed);
        let decks = SideArray::new(Deck::new(rng.next_u64()), Deck::new(rng.next_u64()));
        let boards = list::first((0..config.num_boards()).map(|_| Board::empty()));
        let mut state = GameState {
            boards,
            side: Side::Yellow,
            winner: None,
            drawn: false,
            turn: 0,
            points: SideArray::default(),
            souls: SideArray::default(),
            tech: SideArray::default(),
            tech_start: SideArray::default(),
            budget: Budget { tech_points: 1, bought: 0, sold: false },
            row: Vec::new(),
            taken: 0,
            decks,
        };
        if config.rules.spells {
            state.refill(config);
            state.draw_row(config);
        }
        state
    }

    /// Fills both queues to n + 11 cards (rules §7).
    pub(crate) fn refill(&mut self, config: &GameConfig) {
        for side in Side::ALL {
            self.decks[side].fill(config.num_boards() + QUEUE_EXTRA);
        }
    }

    /// Draws the row of the side to move: the next n + 1 cards of its queue.
    pub(crate) fn draw_row(&mut self, config: &GameConfig) {
        self.row.clear();
        self.taken = 0;
        let queue = &mut self.decks[self.side].queue;
        for _ in 0..=config.num_boards() {
            if queue.is_empty() {
                break;
            }
            let _ = self.row.push(queue.remove(0));
        }
    }

    /// The row of the side to move after this many more purchases of a spell: the present cards, then those that come
    /// next from its queue, which is filled up before each purchase (rules §7). A full row takes no more.
    pub fn row_after(&self, config: &GameConfig, bought: usize) -> Vec<Spell, ROW_CAP, u8> {
        let mut row = self.row.clone();
        let mut deck = self.decks[self.side].clone();
        for _ in 0..if config.rules.spells { bought } else { 0 } {
            deck.fill(config.num_boards() + QUEUE_EXTRA);
            if deck.queue.is_empty() || row.push(deck.queue.remove(0)).is_err() {
                break;
            }
        }
        row
    }

    // --- queries ---

    /// The boards.
    pub fn boards(&self) -> &[Board] {
        &self.boards
    }

    /// Side to move.
    pub fn side_to_move(&self) -> Side {
        self.side
    }

    /// Winner of the game, if there is one.
    pub fn winner(&self) -> Option<Side> {
        self.winner
    }

    /// Whether the game was drawn by the optional turn limit.
    pub fn is_drawn(&self) -> bool {
        self.drawn
    }

    /// Whether no further action is accepted.
    pub fn is_over(&self) -> bool {
        self.winner.is_some() || self.drawn
    }

    /// Completed turns. Where the turn does not pass after a win ([`Rules`](crate::minions::Rules)), the one that ended the
    /// game is not counted, and its side stays to move.
    pub fn turn(&self) -> u32 {
        self.turn
    }

    /// Board points of a side.
    pub fn points(&self, side: Side) -> u8 {
        self.points[side]
    }

    /// Spendable souls of a side.
    pub fn souls(&self, side: Side) -> u32 {
        self.souls[side]
    }

    /// Souls still to be paid to a side over all boards.
    pub fn pending(&self, side: Side) -> u32 {
        self.boards.iter().map(|board| u32::from(board.pending(side))).sum()
    }

    /// Tech levels of a side.
    pub fn tech(&self, side: Side) -> TechLevels {
        self.tech[side]
    }

    /// Tech levels of a side when the current turn began.
    pub fn tech_at_start(&self, side: Side) -> TechLevels {
        self.tech_start[side]
    }

    /// Budget of the general in this turn.
    pub fn budget(&self) -> Budget {
        self.budget
    }

    /// The spell row of the side to move, taken cards included.
    pub fn row(&self) -> &[Spell] {
        &self.row
    }

    /// Whether the card at this position of the row was given to a board.
    pub fn is_taken(&self, card: usize) -> bool {
        card >= ROW_CAP || self.taken & (1 << card) != 0
    }

    /// Cards of the row given to boards this turn.
    pub fn num_taken(&self) -> usize {
        self.taken.count_ones() as usize
    }

    /// Deck of a side.
    pub fn deck(&self, side: Side) -> &Deck {
        &self.decks[side]
    }

    /// Key of the whole position except the turn counter and the undealt cards, whose order is unknown to both sides.
    pub fn key(&self) -> u64 {
        let mut key = fact(Fact::Mover, 0, self.side as u64);
        for (index, board) in self.boards.iter().enumerate() {
            key ^= mix(board.key().wrapping_add((index as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)));
        }
        for side in Side::ALL {
            let at = side.index() as u64;
            key ^= fact(Fact::Souls, at, u64::from(self.souls[side]));
            key ^= fact(Fact::Points, at, u64::from(self.points[side]));
            key ^= fact(Fact::Tech, at, levels_value(self.tech[side]));
            key ^= fact(Fact::TechStart, at, levels_value(self.tech_start[side]));
            for (place, &card) in self.decks[side].queue.iter().enumerate() {
                key ^= fact(Fact::Queue, (place as u64) << 1 | at, card as u64);
            }
        }
        for (place, &card) in self.row.iter().enumerate() {
            key ^= fact(Fact::Row, place as u64, card as u64);
        }
        let spent = u64::from(self.budget.tech_points)
            | u64::from(self.budget.bought) << 8
            | u64::from(self.budget.sold) << 16;
        key ^= fact(Fact::Budget, 0, spent) ^ fact(Fact::Deck, 0, self.taken);
        key ^ fact(Fact::Winner, u64::from(self.drawn), self.winner.map_or(0, |side| side as u64 + 1))
    }
}

fn levels_value(levels: TechLevels) -> u64 {
    u64::from(levels.unlocked_bits()) << 32 | u64::from(levels.acquired_bits())
}

/// Places the necromancers on c2 and h7, and zombies on their neighbours where zombies may stand (rules §3, §17).
pub(crate) fn set_up_pieces(board: &mut Board, config: &GameConfig, index: usize) {
    let open = board.walkable(config.map(index), config.rules.unit(UnitLabel::Zombie));
    for (side, home) in [(Side::Yellow, Hex::at(2, 2)), (Side::Blue, Hex::at(7, 7))] {
        let Some(home) = home else { continue };
        board.set_piece(home, Some(Piece::fresh(side, UnitLabel::Necromancer, home)));
        for &hex in home.neighbours() {
            if open.contains(hex) {
                board.set_piece(hex, Some(Piece::fresh(side, UnitLabel::Zombie, hex)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::vec::Vec as List;

    use super::*;
    use crate::minions::players::Greedy;
    use crate::minions::{Game, MapLabel, Ruleset};

    #[test]
    fn a_position_copied_over_another_is_the_same_as_a_copy() {
        let mut states = List::new();
        for boards in 1..=4 {
            let config = GameConfig::new(Ruleset::Server, &MapLabel::ALL[..boards]).unwrap();
            let mut game = Game::new(config, boards as u64);
            for seed in 0..6 {
                states.push(game.state().clone());
                let turn = Greedy::new(seed).choose(&game);
                game.play(&turn).unwrap();
            }
        }
        for source in &states {
            for target in &states {
                let mut copy = target.clone();
                copy.clone_from(source);
                assert_eq!(&copy, source);
                assert_eq!(copy.key(), source.key());
            }
        }
    }
}
