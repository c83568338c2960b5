//! Saved state: a container of constant size with version and checksum, little-endian. What is truncated, damaged or of
//! another kind is refused before anything changes.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | `BRWSTATE` |
//! | 2 | version |
//! | 2 | zero |
//! | 4 | CRC-32 of all that follows |
//! | 6 | ends of the record: of its text, of the turns that are over, of the entries |
//! | 1,002 | state of the screen, padded with zeros |
//! | 15,360 | record, padded with zeros |

use barrow_core::hex::Hex;
use barrow_core::minions::{Ability, MapLabel, Movable, Side, Spell, UnitLabel};

use crate::aim::{Aim, Chain};
use crate::buttons::Buttons;
use crate::level::Machine;
use crate::record::RECORD_BYTES;
use crate::table::Table;
use crate::ui::{FIRST, Job, MAX_BOARDS, Page, Purpose, Ui};

/// Bytes of the container.
pub const SAVE_BYTES: usize = 16 * 1024;

const MAGIC: &[u8; 8] = b"BRWSTATE";
const VERSION: u16 = 2;
const HEADER: usize = 16;
const ENDS: usize = HEADER;
const UI: usize = ENDS + 6;
const RECORD: usize = SAVE_BYTES - RECORD_BYTES;

/// Reason why a container is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SaveError {
    /// It has another size.
    Size,
    /// It is not one of this game.
    Foreign,
    /// It is of another version.
    Version,
    /// It is damaged.
    Checksum,
    /// Its content is not a game.
    Content,
}

impl SaveError {
    /// The reason in words.
    pub const fn text(self) -> &'static str {
        match self {
            SaveError::Size => "The saved game has the wrong size.",
            SaveError::Foreign => "The save memory has no game of this program.",
            SaveError::Version => "The game was saved by another version.",
            SaveError::Checksum => "The saved game is damaged.",
            SaveError::Content => "The saved game is not one that can be played.",
        }
    }
}

/// Checksum: CRC-32 (ISO-HDLC: polynomial 0x04C11DB7 reflected, as in zip files), four bits at a time.
pub fn crc32(bytes: &[u8]) -> u32 {
    const TABLE: [u32; 16] = {
        let mut table = [0; 16];
        let mut index = 0;
        while index < 16 {
            let mut value = index as u32;
            let mut bit = 0;
            while bit < 4 {
                value = if value & 1 == 1 { value >> 1 ^ 0xedb8_8320 } else { value >> 1 };
                bit += 1;
            }
            table[index] = value;
            index += 1;
        }
        table
    };
    let step = |crc: u32, bits: u32| crc >> 4 ^ TABLE.get(((crc ^ bits) & 15) as usize).copied().unwrap_or(0);
    !bytes.iter().fold(u32::MAX, |crc, &byte| step(step(crc, u32::from(byte)), u32::from(byte) >> 4))
}

/// Writes bytes one after the other; what does not fit is dropped.
struct Writer<'a> {
    bytes: &'a mut [u8],
    at: usize,
}

impl Writer<'_> {
    fn put(&mut self, bytes: &[u8]) {
        if let Some(room) = self.bytes.get_mut(self.at..self.at + bytes.len()) {
            room.copy_from_slice(bytes);
        }
        self.at += bytes.len();
    }

    fn byte(&mut self, byte: u8) {
        self.put(&[byte]);
    }
}

/// Reads bytes one after the other.
struct Reader<'a> {
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (head, rest) = self.bytes.split_at_checked(count)?;
        self.bytes = rest;
        Some(head)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take(1)?.first().copied()
    }

    fn word(&mut self) -> Option<u16> {
        Some(u16::from_le_bytes(self.take(2)?.try_into().ok()?))
    }

    fn long(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(self.take(4)?.try_into().ok()?))
    }

    fn hex(&mut self) -> Option<Hex> {
        Hex::new(self.byte()?)
    }

    fn flag(&mut self) -> Option<bool> {
        match self.byte()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }

    fn page(&mut self) -> Option<Page> {
        Page::ALL.get(usize::from(self.byte()?)).copied()
    }
}

fn write_aim(to: &mut Writer<'_>, aim: &Aim) {
    let movable = |kind: Option<Movable>| kind.map_or(255, |kind| kind as u8);
    match aim {
        Aim::None => to.byte(0),
        Aim::Pieces(chain) => {
            to.put(&[1, chain.len() as u8]);
            chain.iter().for_each(|hex| to.byte(hex.index() as u8));
        }
        Aim::Teleport(hex) => to.put(&[6, hex.index() as u8]),
        Aim::Place(unit) => to.put(&[2, *unit as u8]),
        Aim::Cast(spell, kind) => to.put(&[3, *spell as u8, movable(*kind)]),
        Aim::CastTo(spell, hex) => to.put(&[4, *spell as u8, hex.index() as u8]),
        Aim::Ability(hex, ability, kind) => to.put(&[5, hex.index() as u8, *ability as u8, movable(*kind)]),
    }
}

fn read_aim(from: &mut Reader<'_>) -> Option<Aim> {
    let movable = |byte: u8| match byte {
        255 => Some(None),
        kind => Movable::ALL.get(usize::from(kind)).copied().map(Some),
    };
    Some(match from.byte()? {
        0 => Aim::None,
        1 => {
            let mut chain = Chain::new();
            for _ in 0..from.byte()? {
                chain.push(from.hex()?).ok()?;
            }
            Aim::Pieces(chain)
        }
        2 => Aim::Place(UnitLabel::from_index(from.byte()?)?),
        3 => Aim::Cast(Spell::from_index(from.byte()?)?, movable(from.byte()?)?),
        4 => Aim::CastTo(Spell::from_index(from.byte()?)?, from.hex()?),
        5 => Aim::Ability(from.hex()?, *Ability::ALL.get(usize::from(from.byte()?))?, movable(from.byte()?)?),
        6 => Aim::Teleport(from.hex()?),
        _ => return None,
    })
}

fn write_ui(to: &mut Writer<'_>, ui: &Ui) {
    to.put(&[ui.page as u8, ui.back as u8]);
    to.put(&ui.chosen);
    to.put(&[ui.board, ui.hex.index() as u8, ui.unit as u8]);
    to.put(&[u8::from(ui.refused), u8::from(ui.in_game), u8::from(ui.is_saved)]);
    to.put(&[ui.level, ui.person as u8]);
    let settings = &ui.settings;
    to.put(&[settings.level, settings.person as u8, settings.boards]);
    to.put(&settings.maps);
    to.put(&[u8::from(settings.spells), u8::from(settings.shuffled)]);
    to.put(&settings.seed.to_le_bytes());
    to.put(&ui.held.buttons.0.to_le_bytes());
    to.put(&[ui.held.wait, u8::from(ui.held.touched)]);
    to.put(&ui.frame.to_le_bytes());
    to.put(&ui.idle.to_le_bytes());
    match ui.job {
        None => to.put(&[255, 0, 0, 0, 0]),
        Some(job) => {
            to.byte(job.purpose as u8);
            to.put(&job.slices.to_le_bytes());
            to.put(&[u8::from(job.done), u8::from(job.hurried)]);
        }
    }
    write_aim(to, &ui.aim);
    to.byte(ui.message.len() as u8);
    to.put(ui.message.as_bytes());
    to.put(&(ui.hint.len() as u16).to_le_bytes());
    to.put(&ui.hint);
}

fn read_ui(from: &mut Reader<'_>, machine: &Machine) -> Option<Ui> {
    let mut ui = Ui::new(machine);
    (ui.page, ui.back) = (from.page()?, from.page()?);
    ui.chosen.copy_from_slice(from.take(Page::COUNT)?);
    ui.board = from.byte()?;
    (ui.hex, ui.unit) = (from.hex()?, UnitLabel::from_index(from.byte()?)?);
    (ui.refused, ui.in_game, ui.is_saved) = (from.flag()?, from.flag()?, from.flag()?);
    // A machine that has more levels or boards may have written it.
    let level = |byte: u8| usize::from(byte).min(machine.levels.len().saturating_sub(1)) as u8;
    (ui.level, ui.person) = (level(from.byte()?), Side::from_index(from.byte()?)?);
    let settings = &mut ui.settings;
    settings.level = level(from.byte()?);
    settings.person = Side::from_index(from.byte()?)?;
    settings.boards = Some(from.byte()?).filter(|boards| (1..=MAX_BOARDS as u8).contains(boards))?;
    settings.boards = settings.boards.min(machine.max_boards);
    settings.maps.copy_from_slice(from.take(MAX_BOARDS)?);
    if settings.maps.iter().any(|&map| usize::from(map) >= MapLabel::ALL.len()) {
        return None;
    }
    (settings.spells, settings.shuffled) = (from.flag()?, from.flag()?);
    settings.seed = from.long()?;
    ui.held.buttons = Buttons(from.word()?);
    (ui.held.wait, ui.held.touched) = (from.byte()?, from.flag()?);
    (ui.frame, ui.idle) = (from.long()?, from.word()?);
    let (purpose, slices, done, hurried) = (from.byte()?, from.word()?, from.flag()?, from.flag()?);
    ui.job = match purpose {
        255 => None,
        number => {
            let purpose = *[Purpose::Turn, Purpose::Hint, Purpose::Ahead].get(usize::from(number))?;
            // On a machine whose level searches longer.
            let slices = slices.min(machine.level(ui.level).slices);
            Some(Job { purpose, slices, done, hurried })
        }
    };
    ui.aim = read_aim(from)?;
    let length = usize::from(from.byte()?);
    ui.message.push_str(core::str::from_utf8(from.take(length)?).ok()?).ok()?;
    let length = usize::from(from.word()?);
    ui.hint.extend_from_slice(from.take(length)?).ok()?;
    Some(ui)
}

/// Writes a container.
pub fn write_save(ui: &Ui, table: &Table, memory: &mut [u8; SAVE_BYTES]) {
    memory.fill(0);
    let (record, ends) = table.record().parts();
    let mut to = Writer { bytes: memory, at: 0 };
    to.put(MAGIC);
    to.put(&VERSION.to_le_bytes());
    to.at = ENDS;
    ends.iter().for_each(|end| to.put(&end.to_le_bytes()));
    write_ui(&mut to, ui);
    debug_assert!(to.at <= RECORD, "the state of the screen fits");
    to.at = RECORD;
    to.put(record);
    sign(memory);
}

/// Writes the checksum of a container.
pub fn sign(memory: &mut [u8; SAVE_BYTES]) {
    let crc = crc32(memory.get(HEADER..).unwrap_or(&[]));
    let mut to = Writer { bytes: memory, at: HEADER - 4 };
    to.put(&crc.to_le_bytes());
}

/// Checks everything about a container but its content.
fn check(memory: &[u8]) -> Result<(), SaveError> {
    if memory.len() != SAVE_BYTES {
        return Err(SaveError::Size);
    }
    let mut from = Reader { bytes: memory };
    if from.take(MAGIC.len()) != Some(MAGIC) {
        return Err(SaveError::Foreign);
    }
    if from.word() != Some(VERSION) || from.word() != Some(0) {
        return Err(SaveError::Version);
    }
    if from.long() != memory.get(HEADER..).map(crc32) { Err(SaveError::Checksum) } else { Ok(()) }
}

/// Whether memory holds a container that is whole.
pub fn is_sound(memory: &[u8]) -> bool {
    check(memory).is_ok()
}

/// Text of the first position, played entries and entered ones of a container that is whole.
pub fn record_of(memory: &[u8]) -> Result<(&[u8], [u16; 3]), SaveError> {
    check(memory)?;
    let mut from = Reader { bytes: memory.get(ENDS..).unwrap_or(&[]) };
    let mut end = || from.word().ok_or(SaveError::Content);
    let ends = [end()?, end()?, end()?];
    let record = memory.get(RECORD..).and_then(|bytes| bytes.get(..usize::from(ends[2])));
    Ok((record.ok_or(SaveError::Content)?, ends))
}

/// Reads a container into a table; returns the state of the screen. On error nothing has changed.
pub fn read_save(memory: &[u8], table: &mut Table, machine: &Machine) -> Result<Ui, SaveError> {
    let (record, ends) = record_of(memory)?;
    let mut from = Reader { bytes: memory.get(UI..RECORD).unwrap_or(&[]) };
    let mut ui = read_ui(&mut from, machine).ok_or(SaveError::Content)?;
    if ends[0] > 0 {
        table.load(record, ends, machine.max_boards).map_err(|_| SaveError::Content)?;
    } else if ui.in_game {
        return Err(SaveError::Content);
    } else {
        table.forget();
    }
    if usize::from(ui.board) >= table.start().config().num_boards() {
        ui.board = 0;
    }
    if ui.hex.index() >= Hex::COUNT {
        ui.hex = FIRST;
    }
    Ok(ui)
}
