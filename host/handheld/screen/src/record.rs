//! Record of a game: a position as text, and all that was done since as bytes. It is what a saved game consists of, and
//! what the turn that is being entered is rebuilt from.

use core::fmt::{self, Write};

use barrow_core::minions::text::fen::Extended;
use barrow_core::minions::{Action, Game};

use crate::coding::{Code, Entry, decode, encode};

/// Bytes of a record: a position of eight boards, and some eighty turns on two boards.
pub const RECORD_BYTES: usize = 15 * 1024;

/// Record: text of a position, entries of the turns since, entries of the turn that is being entered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    bytes: [u8; RECORD_BYTES],
    /// End of the text.
    base: u16,
    /// End of the turns that are over.
    turn: u16,
    /// End of the entries.
    end: u16,
}

/// Counts what is written, and keeps what fits.
struct Into<'a> {
    bytes: &'a mut [u8],
    used: usize,
}

impl Write for Into<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let end = self.used + text.len();
        if let Some(room) = self.bytes.get_mut(self.used..end) {
            room.copy_from_slice(text.as_bytes());
        }
        self.used = end;
        Ok(())
    }
}

impl Record {
    /// Record without a game.
    pub const EMPTY: Record = Record { bytes: [0; RECORD_BYTES], base: 0, turn: 0, end: 0 };

    /// Whether there is no game.
    pub fn is_empty(&self) -> bool {
        self.base == 0
    }

    /// All bytes, of which those behind the end mean nothing, and the three ends.
    pub fn parts(&self) -> (&[u8], [u16; 3]) {
        (self.bytes.get(..usize::from(self.end)).unwrap_or(&[]), [self.base, self.turn, self.end])
    }

    /// Replaces the record by these parts. False, and nothing has changed, when the ends do not fit each other.
    pub fn replace(&mut self, bytes: &[u8], [base, turn, end]: [u16; 3]) -> bool {
        let Some(source) = bytes.get(..usize::from(end)) else { return false };
        if base > turn || turn > end {
            return false;
        }
        let Some(room) = self.bytes.get_mut(..usize::from(end)) else { return false };
        room.copy_from_slice(source);
        (self.base, self.turn, self.end) = (base, turn, end);
        true
    }

    /// Begins the record anew with a position at the start of a turn; the entries of the turn that is being entered
    /// stay. False, and nothing has changed, when there is no room.
    pub fn rebase(&mut self, game: &Game) -> bool {
        let mut counted = Into { bytes: &mut [], used: 0 };
        let _ = write!(counted, "{}", Extended(game));
        let (base, tail) = (counted.used, usize::from(self.end - self.turn));
        if base + tail > RECORD_BYTES {
            return false;
        }
        self.bytes.copy_within(usize::from(self.turn)..usize::from(self.end), base);
        let _ = write!(
            Into { bytes: self.bytes.get_mut(..base).unwrap_or(&mut []), used: 0 },
            "{}",
            Extended(game)
        );
        (self.base, self.turn, self.end) = (base as u16, base as u16, (base + tail) as u16);
        true
    }

    /// Text of the position that the record begins with.
    pub fn base(&self) -> &str {
        let text = self.bytes.get(..usize::from(self.base)).unwrap_or(&[]);
        core::str::from_utf8(text).unwrap_or("")
    }

    /// Key of the position at the start of the turn: FNV-1a over the text and the turns that are over. Equal records have equal
    /// keys.
    pub fn start_key(&self) -> u64 {
        let bytes = self.bytes.get(..usize::from(self.turn)).unwrap_or(&[]);
        let step = |key: u64, byte: &u8| (key ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
    }

    /// Entries of the turns that are over.
    pub fn played(&self) -> Entries<'_> {
        self.entries(self.base, self.turn)
    }

    /// Entries of the turn that is being entered.
    pub fn entered(&self) -> Entries<'_> {
        self.entries(self.turn, self.end)
    }

    /// Entries of the turn that is being entered from a number of bytes behind its start on.
    fn entered_from(&self, offset: usize) -> Entries<'_> {
        self.entries(self.turn.saturating_add(offset as u16), self.end)
    }

    fn entries(&self, from: u16, to: u16) -> Entries<'_> {
        Entries { bytes: self.bytes.get(usize::from(from)..usize::from(to)).unwrap_or(&[]) }
    }

    /// Adds entries at a number of bytes behind the start of the turn that is being entered. False, and nothing has
    /// changed, when there is no room.
    pub fn insert(&mut self, offset: usize, entries: &[Entry]) -> bool {
        let added: usize = entries.iter().map(|entry| encode(entry).len()).sum();
        let (place, end) = (usize::from(self.turn) + offset, usize::from(self.end));
        if place > end || end + added > RECORD_BYTES {
            return false;
        }
        self.bytes.copy_within(place..end, place + added);
        let mut at = place;
        for entry in entries {
            let code: Code = encode(entry);
            if let Some(room) = self.bytes.get_mut(at..at + code.len()) {
                room.copy_from_slice(&code);
            }
            at += code.len();
        }
        self.end = (end + added) as u16;
        true
    }

    /// Removes these bytes of the turn that is being entered.
    pub fn remove(&mut self, offset: usize, bytes: usize) {
        let (place, end) = (usize::from(self.turn) + offset, usize::from(self.end));
        if place + bytes <= end {
            self.bytes.copy_within(place + bytes..end, place);
            self.end = (end - bytes) as u16;
        }
    }

    /// Adds an entry at the end of the turn that is being entered.
    pub fn push(&mut self, entry: &Entry) -> bool {
        self.insert(usize::from(self.end - self.turn), core::slice::from_ref(entry))
    }

    /// Empties the turn that is being entered.
    pub fn clear_turn(&mut self) {
        self.end = self.turn;
    }

    /// Takes what was entered as a turn that is over. Nothing of it is taken back any more, and so nobody needs to know
    /// what was entered late.
    pub fn close_turn(&mut self) {
        let mut entries = self.entered();
        let mut offset = 0;
        while let Some(entry) = entries.next() {
            let bytes = encode(&entry).len();
            if matches!(entry, Entry::Late(_)) {
                self.remove(offset, bytes);
                entries = self.entered_from(offset);
            } else {
                offset += bytes;
            }
        }
        self.turn = self.end;
    }
}

/// Entries of a record in order.
#[derive(Clone, Copy)]
pub struct Entries<'a> {
    bytes: &'a [u8],
}

impl<'a> Entries<'a> {
    /// Entries of these bytes.
    pub fn new(bytes: &'a [u8]) -> Entries<'a> {
        Entries { bytes }
    }

    /// Bytes that are left.
    pub fn rest(&self) -> usize {
        self.bytes.len()
    }

    /// Groups of entries that are entered and taken back as one.
    pub fn groups(self) -> Groups<'a> {
        Groups { bytes: self.rest(), left: self }
    }

    /// Whether all that is left are entries.
    pub fn are_sound(mut self) -> bool {
        while self.next().is_some() {}
        self.bytes.is_empty()
    }
}

impl Iterator for Entries<'_> {
    type Item = Entry;

    fn next(&mut self) -> Option<Entry> {
        let (entry, used) = decode(self.bytes)?;
        self.bytes = self.bytes.get(used..)?;
        Some(entry)
    }
}

/// Entries that are entered and taken back as one: an action, or moves of the same moment, with the mark before them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Group {
    /// Bytes before it.
    pub start: usize,
    /// Bytes up to its end.
    pub end: usize,
    /// Bytes that were behind it when it was entered.
    pub behind: usize,
    /// Its first entry that is no mark. `None` where a record that was made up ends with one.
    pub first: Option<Entry>,
}

/// Groups of entries in order.
pub struct Groups<'a> {
    bytes: usize,
    left: Entries<'a>,
}

impl Iterator for Groups<'_> {
    type Item = Group;

    fn next(&mut self) -> Option<Group> {
        let start = self.bytes - self.left.rest();
        let (mut behind, mut first) = (0, None);
        for entry in self.left.by_ref() {
            if let Entry::Late(bytes) = entry {
                behind = usize::from(bytes);
                continue;
            }
            first = first.or(Some(entry));
            if !matches!(entry, Entry::Action(Action::Board(_, action)) if action.is_joined()) {
                break;
            }
        }
        let end = self.bytes - self.left.rest();
        (end > start).then_some(Group { start, end, behind, first })
    }
}
