//! Boards: pieces by hex, reinforcements, hands, movable tiles, souls still to be paid, and the key.
//!
//! Every change of a board goes through a setter, which keeps the piece sets and the Zobrist key consistent.

use heapless::Vec;

use crate::heapless_vec;
use crate::hex::{Hex, HexSet};

use super::key::{Fact, cell_fact, fact};
use super::piece::Piece;
use crate::minions::tables::capacities::HAND_CAP;
use crate::minions::tables::figures::Unit;
use crate::minions::tables::map::Map;
use crate::minions::tables::side::{Side, SideArray};
use crate::minions::tables::spell::Spell;
use crate::minions::tables::terrain::{Movable, TileType, walker_class};
use crate::minions::tables::unit::{UNIT_COUNT, UnitLabel};

/// Hand: the cards a side holds on a board, oldest first.
pub type Hand = Vec<Spell, HAND_CAP, u8>;

/// State of a board (rules §4.1).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum BoardState {
    /// Yellow's first turn of the game.
    FirstTurn = 0,
    /// Any turn that none of the other states covers.
    Normal = 1,
    /// First turn after a reset of the board.
    Reset1 = 2,
    /// Second turn after a reset of the board.
    Reset2 = 3,
}

impl BoardState {
    /// State of the board after the end of a turn.
    pub const fn next(self) -> BoardState {
        match self {
            BoardState::Reset1 => BoardState::Reset2,
            BoardState::FirstTurn | BoardState::Normal | BoardState::Reset2 => BoardState::Normal,
        }
    }

    /// Whether reinforcements may be placed.
    pub const fn allows_spawn(self) -> bool {
        matches!(self, BoardState::Normal | BoardState::Reset2)
    }

    /// Whether a kept unit is chosen in this state.
    pub const fn is_reset(self) -> bool {
        matches!(self, BoardState::Reset1 | BoardState::Reset2)
    }

    /// The FEN letter: `f`, `n`, `1` or `2`.
    pub const fn letter(self) -> u8 {
        match self {
            BoardState::FirstTurn => b'f',
            BoardState::Normal => b'n',
            BoardState::Reset1 => b'1',
            BoardState::Reset2 => b'2',
        }
    }

    /// The state with this FEN letter.
    pub const fn from_letter(letter: u8) -> Option<BoardState> {
        match letter {
            b'f' => Some(BoardState::FirstTurn),
            b'n' => Some(BoardState::Normal),
            b'1' => Some(BoardState::Reset1),
            b'2' => Some(BoardState::Reset2),
            _ => None,
        }
    }
}

/// Marks: what has happened on a board during the current turn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Marks {
    /// The attack phase is over.
    pub spawn_phase: bool,
    /// The side to move has won the board by killing a necromancer.
    pub won: bool,
    /// The side to move has lost the board through graveyards.
    pub lost: bool,
    /// The side to move has resigned.
    pub resigned: bool,
    /// A spawner tile was used.
    pub tile_used: bool,
    /// The mandatory setup was done (divergence 41).
    pub set_up: bool,
    /// Cards of the row given to this board.
    pub picks: u8,
}

impl Marks {
    const fn packed(self) -> u64 {
        (self.spawn_phase as u64)
            | (self.won as u64) << 1
            | (self.lost as u64) << 2
            | (self.resigned as u64) << 3
            | (self.tile_used as u64) << 4
            | (self.set_up as u64) << 5
            | (self.picks as u64) << 8
    }
}

const NO_HEX: u8 = u8::MAX;

/// Board: its pieces and everything else that belongs to one map (seed 000 "Board").
#[derive(PartialEq, Eq, Debug)]
pub struct Board {
    occupied: SideArray<HexSet>,
    key: u64,
    candidates: SideArray<u64>,
    cells: [Piece; Hex::COUNT],
    reinforcements: SideArray<[u8; UNIT_COUNT]>,
    hands: SideArray<Hand>,
    pending: SideArray<u16>,
    mana: i16,
    movable: [u8; 4],
    free: SideArray<u8>,
    state: BoardState,
    marks: Marks,
}

const _: () = assert!(core::mem::size_of::<Board>() <= 2048);

impl Clone for Board {
    #[inline]
    fn clone(&self) -> Board {
        // One by one: a clone of the array is a call that could panic, to the eyes of the compiler.
        let [yellow, blue] = &self.hands.0;
        Board { hands: SideArray::new(yellow.clone(), blue.clone()), ..*self }
    }

    // In place: searches copy boards all the time, and the stack of a small machine would hold another one meanwhile.
    fn clone_from(&mut self, source: &Board) {
        (self.occupied, self.key, self.candidates) = (source.occupied, source.key, source.candidates);
        self.cells = source.cells;
        self.reinforcements = source.reinforcements;
        for side in Side::ALL {
            heapless_vec::copy(&mut self.hands[side], &source.hands[side]);
        }
        (self.pending, self.mana, self.movable) = (source.pending, source.mana, source.movable);
        (self.free, self.state, self.marks) = (source.free, source.state, source.marks);
    }
}

impl Default for Board {
    fn default() -> Self {
        Board::empty()
    }
}

impl Board {
    /// A board without pieces, tiles and reinforcements, in state `Normal`.
    pub fn empty() -> Board {
        let mut board = Board {
            occupied: SideArray::default(),
            key: 0,
            candidates: SideArray::default(),
            cells: [Piece::NONE; Hex::COUNT],
            reinforcements: SideArray([[0; UNIT_COUNT]; 2]),
            hands: SideArray::new(Vec::new(), Vec::new()),
            pending: SideArray::default(),
            mana: 0,
            movable: [NO_HEX; 4],
            free: SideArray::default(),
            state: BoardState::Normal,
            marks: Marks::default(),
        };
        board.key = board.computed_key();
        board
    }

    /// Lays the movable tiles where the map has them at the start.
    pub fn lay_movable(&mut self, map: &Map) {
        for kind in Movable::ALL {
            self.set_movable(kind, map.movable_start(kind));
        }
    }

    // --- queries ---

    /// Piece on a hex.
    #[inline]
    pub fn piece(&self, hex: Hex) -> Option<Piece> {
        self.cells.get(hex.index()).copied().filter(|piece| !piece.is_none())
    }

    /// Hexes with pieces of a side.
    #[inline]
    pub fn pieces(&self, side: Side) -> HexSet {
        self.occupied[side]
    }

    /// Hexes with a piece.
    #[inline]
    pub fn all_pieces(&self) -> HexSet {
        self.occupied[Side::Yellow] | self.occupied[Side::Blue]
    }

    /// Pieces of a side with their hexes, row by row.
    pub fn iter(&self, side: Side) -> impl Iterator<Item = (Hex, Piece)> + '_ {
        self.occupied[side].into_iter().filter_map(|hex| self.piece(hex).map(|piece| (hex, piece)))
    }

    /// All pieces with their hexes, row by row.
    pub fn iter_all(&self) -> impl Iterator<Item = (Hex, Piece)> + '_ {
        self.all_pieces().into_iter().filter_map(|hex| self.piece(hex).map(|piece| (hex, piece)))
    }

    /// Units of a type waiting to be placed.
    pub fn reserve(&self, side: Side, unit: UnitLabel) -> u8 {
        self.reinforcements[side].get(unit.index()).copied().unwrap_or(0)
    }

    /// Unit types waiting to be placed, with their numbers, in master-list order.
    pub fn reserves(&self, side: Side) -> impl Iterator<Item = (UnitLabel, u8)> + '_ {
        UnitLabel::ALL.into_iter().zip(self.reinforcements[side]).filter(|&(_, count)| count > 0)
    }

    /// Numbers of units waiting to be placed, by position in the master list.
    pub fn reserve_counts(&self, side: Side) -> &[u8; UNIT_COUNT] {
        &self.reinforcements[side]
    }

    /// Hand of a side, oldest card first.
    pub fn hand(&self, side: Side) -> &Hand {
        &self.hands[side]
    }

    /// Souls to be paid out before a side's next turn (rules §5).
    pub fn pending(&self, side: Side) -> u16 {
        self.pending[side]
    }

    /// Mana of the side to move; may be negative while the hand can cover it.
    pub fn mana(&self) -> i16 {
        self.mana
    }

    /// Hex of the movable tile of this kind.
    pub fn movable(&self, kind: Movable) -> Option<Hex> {
        Hex::new(self.movable.get(kind.index()).copied()?)
    }

    /// Kind of the movable tile on a hex.
    pub fn movable_at(&self, hex: Hex) -> Option<Movable> {
        Movable::ALL.into_iter().find(|&kind| self.movable(kind) == Some(hex))
    }

    /// Free units a side may still choose (rules §17), 0 or 1.
    pub fn free(&self, side: Side) -> u8 {
        self.free[side]
    }

    /// Types a side may keep, in master-list order.
    pub fn candidates(&self, side: Side) -> impl Iterator<Item = UnitLabel> + use<> {
        let bits = self.candidates[side];
        UnitLabel::ALL.into_iter().filter(move |unit| bits & (1 << unit.index()) != 0)
    }

    /// Types a side may keep, as a bit set by position in the master list.
    pub fn candidate_bits(&self, side: Side) -> u64 {
        self.candidates[side]
    }

    /// Whether a type is among those a side may keep.
    pub fn is_candidate(&self, side: Side, unit: UnitLabel) -> bool {
        self.candidates[side] & (1 << unit.index()) != 0
    }

    /// State of the board (rules §4.1).
    pub fn state(&self) -> BoardState {
        self.state
    }

    /// Marks of the current turn.
    pub fn marks(&self) -> Marks {
        self.marks
    }

    /// Terrain of a hex, movable tiles included.
    pub fn tile(&self, map: &Map, hex: Hex) -> TileType {
        match self.movable_at(hex) {
            Some(kind) => kind.tile(),
            None => map.fixed_tile(hex),
        }
    }

    /// Hexes whose terrain admits this unit type now, pieces ignored.
    #[inline]
    pub fn walkable(&self, map: &Map, unit: &Unit) -> HexSet {
        let class = walker_class(unit);
        let mut open = map.walkable(class);
        if self.movable == [NO_HEX; 4] {
            return open;
        }
        for kind in Movable::ALL {
            if let Some(hex) = self.movable(kind)
                && !kind.tile().admits(class)
            {
                open.remove(hex);
            }
        }
        open
    }

    /// Graveyards a side occupies.
    pub fn graveyards(&self, map: &Map, side: Side) -> HexSet {
        self.occupied[side] & map.all(TileType::Graveyard)
    }

    /// Key of everything on this board, kept incrementally. Equal boards have equal keys wherever they stand.
    pub fn key(&self) -> u64 {
        self.key
    }

    // --- setters ---

    /// Puts a piece on a hex or clears the hex; returns the piece that stood there.
    #[inline]
    pub fn set_piece(&mut self, hex: Hex, piece: Option<Piece>) -> Option<Piece> {
        let new = piece.unwrap_or(Piece::NONE);
        let cell = self.cells.get_mut(hex.index())?;
        let old = core::mem::replace(cell, new);
        let before = if old.is_none() {
            None
        } else {
            self.key ^= cell_key(hex, old);
            self.occupied[old.side()].remove(hex);
            Some(old)
        };
        if !new.is_none() {
            self.key ^= cell_key(hex, new);
            self.occupied[new.side()].insert(hex);
        }
        before
    }

    /// Sets the number of waiting units of a type.
    pub fn set_reserve(&mut self, side: Side, unit: UnitLabel, count: u8) {
        let old = self.reserve(side, unit);
        self.key ^= reserve_key(side, unit, old) ^ reserve_key(side, unit, count);
        if let Some(slot) = self.reinforcements[side].get_mut(unit.index()) {
            *slot = count;
        }
    }

    /// Empties a side's reinforcements.
    pub fn clear_reserves(&mut self, side: Side) {
        for unit in UnitLabel::ALL {
            self.set_reserve(side, unit, 0);
        }
    }

    /// Sets the souls a side is owed.
    pub fn set_pending(&mut self, side: Side, souls: u16) {
        self.key ^= scalar_key(Fact::Pending, side.index(), u64::from(self.pending[side]));
        self.pending[side] = souls;
        self.key ^= scalar_key(Fact::Pending, side.index(), u64::from(souls));
    }

    /// Sets the mana of the side to move.
    pub fn set_mana(&mut self, mana: i16) {
        self.key ^= scalar_key(Fact::Mana, 0, u64::from(self.mana as u16));
        self.mana = mana;
        self.key ^= scalar_key(Fact::Mana, 0, u64::from(mana as u16));
    }

    /// Lays the movable tile of a kind on a hex, or takes it away.
    pub fn set_movable(&mut self, kind: Movable, hex: Option<Hex>) {
        if let Some(slot) = self.movable.get_mut(kind.index()) {
            self.key ^= scalar_key(Fact::Movable, kind.index(), tile_value(*slot));
            *slot = hex.map_or(NO_HEX, |hex| hex.index() as u8);
            self.key ^= scalar_key(Fact::Movable, kind.index(), tile_value(*slot));
        }
    }

    /// Sets the number of free units a side may still choose.
    pub fn set_free(&mut self, side: Side, free: u8) {
        self.key ^= scalar_key(Fact::Free, side.index(), u64::from(self.free[side]));
        self.free[side] = free;
        self.key ^= scalar_key(Fact::Free, side.index(), u64::from(free));
    }

    /// Adds a type to those a side may keep.
    pub fn add_candidate(&mut self, side: Side, unit: UnitLabel) {
        self.set_candidates(side, self.candidates[side] | 1 << unit.index());
    }

    /// Clears the types that a side may keep.
    pub fn clear_candidates(&mut self, side: Side) {
        self.set_candidates(side, 0);
    }

    fn set_candidates(&mut self, side: Side, bits: u64) {
        self.key ^= scalar_key(Fact::Candidates, side.index(), self.candidates[side]);
        self.candidates[side] = bits;
        self.key ^= scalar_key(Fact::Candidates, side.index(), bits);
    }

    /// Sets the board's state.
    pub fn set_state(&mut self, state: BoardState) {
        self.key ^= scalar_key(Fact::BoardState, 0, self.state as u64);
        self.state = state;
        self.key ^= scalar_key(Fact::BoardState, 0, state as u64);
    }

    /// Sets the marks of the current turn.
    pub fn set_marks(&mut self, marks: Marks) {
        self.key ^= scalar_key(Fact::Marks, 0, self.marks.packed());
        self.marks = marks;
        self.key ^= scalar_key(Fact::Marks, 0, marks.packed());
    }

    /// Adds a card as the newest of a hand. `None` when the hand is full.
    pub fn push_card(&mut self, side: Side, spell: Spell) -> Option<()> {
        let place = self.hands[side].len();
        self.hands[side].push(spell).ok()?;
        self.key ^= card_key(side, place, spell);
        Some(())
    }

    /// Inserts a card at a position of a hand; undoes [`Board::remove_card`].
    pub(crate) fn insert_card(&mut self, side: Side, place: usize, spell: Spell) {
        self.key ^= self.hand_key(side);
        let _ = heapless_vec::insert(&mut self.hands[side], place, spell);
        self.key ^= self.hand_key(side);
    }

    /// Removes the card at a position of a hand and returns it.
    pub fn remove_card(&mut self, side: Side, place: usize) -> Option<Spell> {
        if place >= self.hands[side].len() {
            return None;
        }
        self.key ^= self.hand_key(side);
        let spell = heapless_vec::remove(&mut self.hands[side], place);
        self.key ^= self.hand_key(side);
        spell
    }

    // --- keys ---

    fn hand_key(&self, side: Side) -> u64 {
        let cards = self.hands[side].iter().enumerate();
        cards.fold(0, |key, (place, &spell)| key ^ card_key(side, place, spell))
    }

    /// Key of the board computed from scratch; equals [`Board::key`].
    pub fn computed_key(&self) -> u64 {
        let mut key = 0;
        for (hex, piece) in self.iter_all() {
            key ^= cell_key(hex, piece);
        }
        for side in Side::ALL {
            for (unit, count) in self.reserves(side) {
                key ^= reserve_key(side, unit, count);
            }
            key ^= self.hand_key(side);
            key ^= scalar_key(Fact::Pending, side.index(), u64::from(self.pending[side]));
            key ^= scalar_key(Fact::Free, side.index(), u64::from(self.free[side]));
            key ^= scalar_key(Fact::Candidates, side.index(), self.candidates[side]);
        }
        for kind in Movable::ALL {
            let at = self.movable.get(kind.index()).copied().unwrap_or(NO_HEX);
            key ^= scalar_key(Fact::Movable, kind.index(), tile_value(at));
        }
        key ^= scalar_key(Fact::Mana, 0, u64::from(self.mana as u16));
        key ^= scalar_key(Fact::BoardState, 0, self.state as u64);
        key ^ scalar_key(Fact::Marks, 0, self.marks.packed())
    }
}

#[inline]
fn cell_key(hex: Hex, piece: Piece) -> u64 {
    let (low, high) = piece.packed();
    cell_fact(hex, low, high)
}

// Values of zero hash to zero, so that an empty record costs nothing and needs no starting key.
fn scalar_key(kind: Fact, place: usize, value: u64) -> u64 {
    if value == 0 { 0 } else { fact(kind, place as u64, value) }
}

fn reserve_key(side: Side, unit: UnitLabel, count: u8) -> u64 {
    scalar_key(Fact::Reinforcement, unit.index() << 1 | side.index(), u64::from(count))
}

fn card_key(side: Side, place: usize, spell: Spell) -> u64 {
    fact(Fact::Hand, (place << 1 | side.index()) as u64, spell as u64)
}

fn tile_value(at: u8) -> u64 {
    u64::from(at.wrapping_add(1))
}
