//! Undo: every change of a position is recorded in a log in the caller's memory, and undone from there.
//!
//! Rules change a position only through [`Edit`], so an undo restores exactly what the action changed.

use crate::heapless_vec;
use crate::hex::Hex;

use crate::minions::position::board::{Board, Marks};
use crate::minions::position::piece::Piece;
use crate::minions::position::state::{Budget, GameState};
use crate::minions::tables::capacities::{CHANGES_PER_ACTION, SOULS_CAP};
use crate::minions::tables::config::GameConfig;
use crate::minions::tables::side::Side;
use crate::minions::tables::spell::Spell;
use crate::minions::tables::tech::TechLevels;
use crate::minions::tables::terrain::Movable;
use crate::minions::tables::unit::UnitLabel;

/// Recorded change of a position: the value before the change.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Change(Entry);

impl Change {
    /// No change, to fill memory with.
    pub const NOTHING: Change = Change(Entry::Nothing);
}

#[derive(Clone, Copy, PartialEq, Debug, Default)]
enum Entry {
    #[default]
    Nothing,
    // Without a gap before the piece: processors of 32 bits copy whole words by a few instructions, others by a call.
    Cell {
        board: u16,
        hex: Hex,
        old: Option<Piece>,
    },
    Reserve {
        board: u8,
        side: Side,
        unit: UnitLabel,
        old: u8,
    },
    Pending {
        board: u8,
        side: Side,
        old: u16,
    },
    Mana {
        board: u8,
        old: i16,
    },
    Movable {
        board: u8,
        kind: Movable,
        old: Option<Hex>,
    },
    Free {
        board: u8,
        side: Side,
        old: u8,
    },
    Marks {
        board: u8,
        old: Marks,
    },
    CardAdded {
        board: u8,
        side: Side,
    },
    CardGone {
        board: u8,
        side: Side,
        place: u8,
        spell: Spell,
    },
    Souls {
        side: Side,
        old: u32,
    },
    Tech {
        side: Side,
        old: TechLevels,
    },
    Budget {
        old: Budget,
    },
    Taken {
        old: u64,
    },
    Drawn,
    Dealt {
        side: Side,
        rng: u64,
        reshuffled: bool,
    },
}

/// Undo log: changes in the caller's memory. A log that is [`off`](UndoLog::off) records nothing and refuses nothing.
#[derive(Debug)]
pub struct UndoLog<'m> {
    entries: &'m mut [Change],
    len: usize,
    recording: bool,
}

/// Mark: a point in an undo log that the position can return to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct UndoMark(usize);

impl<'m> UndoLog<'m> {
    /// A log over this memory. 4,096 entries are ample for any turn on eight boards.
    pub fn new(entries: &'m mut [Change]) -> UndoLog<'m> {
        UndoLog { entries, len: 0, recording: true }
    }

    /// A log that records nothing, for callers that never undo.
    pub fn off() -> UndoLog<'m> {
        UndoLog { entries: &mut [], len: 0, recording: false }
    }

    /// Mark of the present position.
    pub fn mark(&self) -> UndoMark {
        UndoMark(self.len)
    }

    /// Clears the log; earlier actions can no longer be undone.
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Whether `changes` more entries fit.
    pub(crate) fn has_room(&self, changes: usize) -> bool {
        !self.recording || self.entries.len() - self.len >= changes
    }

    #[inline]
    fn push(&mut self, entry: Entry) {
        if self.recording
            && let Some(slot) = self.entries.get_mut(self.len)
        {
            *slot = Change(entry);
            self.len += 1;
        }
    }
}

/// Edit of a position: its setters record every change in the log.
pub(crate) struct Edit<'a, 'm> {
    pub(crate) config: &'a GameConfig,
    pub(crate) state: &'a mut GameState,
    pub(crate) log: &'a mut UndoLog<'m>,
}

impl Edit<'_, '_> {
    #[inline]
    fn board_mut(&mut self, board: u8) -> Option<&mut Board> {
        self.state.boards.get_mut(usize::from(board))
    }

    pub(crate) fn set_piece(&mut self, board: u8, hex: Hex, piece: Option<Piece>) {
        if let Some(target) = self.board_mut(board) {
            let old = target.set_piece(hex, piece);
            self.log.push(Entry::Cell { board: u16::from(board), hex, old });
        }
    }

    pub(crate) fn set_reserve(&mut self, board: u8, side: Side, unit: UnitLabel, count: u8) {
        if let Some(target) = self.board_mut(board) {
            let old = target.reserve(side, unit);
            target.set_reserve(side, unit, count);
            self.log.push(Entry::Reserve { board, side, unit, old });
        }
    }

    pub(crate) fn add_pending(&mut self, board: u8, side: Side, souls: u16) {
        if let Some(target) = self.board_mut(board) {
            let old = target.pending(side);
            target.set_pending(side, old.saturating_add(souls));
            self.log.push(Entry::Pending { board, side, old });
        }
    }

    pub(crate) fn add_mana(&mut self, board: u8, mana: i16) {
        if let Some(target) = self.board_mut(board) {
            let old = target.mana();
            target.set_mana(old.saturating_add(mana));
            self.log.push(Entry::Mana { board, old });
        }
    }

    pub(crate) fn set_movable(&mut self, board: u8, kind: Movable, hex: Option<Hex>) {
        if let Some(target) = self.board_mut(board) {
            let old = target.movable(kind);
            target.set_movable(kind, hex);
            self.log.push(Entry::Movable { board, kind, old });
        }
    }

    pub(crate) fn set_free(&mut self, board: u8, side: Side, free: u8) {
        if let Some(target) = self.board_mut(board) {
            let old = target.free(side);
            target.set_free(side, free);
            self.log.push(Entry::Free { board, side, old });
        }
    }

    pub(crate) fn change_marks(&mut self, board: u8, change: impl FnOnce(&mut Marks)) {
        if let Some(target) = self.board_mut(board) {
            let old = target.marks();
            let mut marks = old;
            change(&mut marks);
            if marks != old {
                target.set_marks(marks);
                self.log.push(Entry::Marks { board, old });
            }
        }
    }

    pub(crate) fn add_card(&mut self, board: u8, side: Side, spell: Spell) {
        if let Some(target) = self.board_mut(board)
            && target.push_card(side, spell).is_some()
        {
            self.log.push(Entry::CardAdded { board, side });
        }
    }

    pub(crate) fn remove_card(&mut self, board: u8, side: Side, place: usize) {
        if let Some(target) = self.board_mut(board)
            && let Some(spell) = target.remove_card(side, place)
        {
            self.log.push(Entry::CardGone { board, side, place: place as u8, spell });
        }
    }

    pub(crate) fn set_souls(&mut self, side: Side, souls: u32) {
        self.log.push(Entry::Souls { side, old: self.state.souls[side] });
        self.state.souls[side] = souls.min(SOULS_CAP);
    }

    pub(crate) fn set_tech(&mut self, side: Side, levels: TechLevels) {
        self.log.push(Entry::Tech { side, old: self.state.tech[side] });
        self.state.tech[side] = levels;
    }

    pub(crate) fn set_budget(&mut self, budget: Budget) {
        self.log.push(Entry::Budget { old: self.state.budget });
        self.state.budget = budget;
    }

    pub(crate) fn take_row_card(&mut self, place: usize) {
        self.log.push(Entry::Taken { old: self.state.taken });
        self.state.taken |= 1 << place;
    }

    /// Moves the next card of the mover's queue to the row.
    pub(crate) fn draw_card(&mut self) {
        let queue = &mut self.state.decks[self.state.side].queue;
        if !queue.is_empty() && !self.state.row.is_full() {
            let _ = self.state.row.push(queue.remove(0));
            self.log.push(Entry::Drawn);
        }
    }

    /// Deals a card to the end of a queue.
    pub(crate) fn deal_card(&mut self, side: Side) {
        let deck = &mut self.state.decks[side];
        if !deck.queue.is_full() {
            let entry = Entry::Dealt { side, rng: deck.rng(), reshuffled: deck.is_exhausted() };
            let card = deck.deal();
            let _ = deck.queue.push(card);
            self.log.push(entry);
        }
    }

    /// Undoes all changes recorded after `mark`.
    pub(crate) fn undo_to(&mut self, mark: UndoMark) {
        let UndoLog { entries, len, .. } = &mut *self.log;
        while *len > mark.0 {
            *len -= 1;
            // Read where it lies: a copy of the whole would wait for the parts, which were written just before.
            let Some(Change(entry)) = entries.get(*len) else { return };
            self.state.restore(entry);
        }
    }
}

impl GameState {
    fn restore(&mut self, entry: &Entry) {
        match *entry {
            Entry::Nothing => {}
            Entry::Souls { side, old } => self.souls[side] = old,
            Entry::Tech { side, old } => self.tech[side] = old,
            Entry::Budget { old } => self.budget = old,
            Entry::Taken { old } => self.taken = old,
            Entry::Drawn => {
                if let Some(card) = self.row.pop() {
                    let _ = heapless_vec::insert(&mut self.decks[self.side].queue, 0, card);
                }
            }
            Entry::Dealt { side, rng, reshuffled } => {
                let deck = &mut self.decks[side];
                if let Some(card) = deck.queue.pop() {
                    deck.take_back(card, rng, reshuffled);
                }
            }
            Entry::Cell { board, hex, old } => {
                if let Some(target) = self.boards.get_mut(usize::from(board)) {
                    target.set_piece(hex, old);
                }
            }
            Entry::Reserve { board, .. }
            | Entry::Pending { board, .. }
            | Entry::Mana { board, .. }
            | Entry::Movable { board, .. }
            | Entry::Free { board, .. }
            | Entry::Marks { board, .. }
            | Entry::CardAdded { board, .. }
            | Entry::CardGone { board, .. } => {
                if let Some(target) = self.boards.get_mut(usize::from(board)) {
                    restore_board(target, entry);
                }
            }
        }
    }
}

fn restore_board(board: &mut Board, entry: &Entry) {
    match *entry {
        Entry::Reserve { side, unit, old, .. } => board.set_reserve(side, unit, old),
        Entry::Pending { side, old, .. } => board.set_pending(side, old),
        Entry::Mana { old, .. } => board.set_mana(old),
        Entry::Movable { kind, old, .. } => board.set_movable(kind, old),
        Entry::Free { side, old, .. } => board.set_free(side, old),
        Entry::Marks { old, .. } => board.set_marks(old),
        Entry::CardAdded { side, .. } => {
            let newest = board.hand(side).len().saturating_sub(1);
            board.remove_card(side, newest);
        }
        Entry::CardGone { side, place, spell, .. } => board.insert_card(side, usize::from(place), spell),
        _ => {}
    }
}

/// Changes that a simultaneous move makes at most, for the check of the log before the move.
pub(crate) const fn changes_of_moves(movers: usize) -> usize {
    CHANGES_PER_ACTION + 2 * movers
}
