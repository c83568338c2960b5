//! The text of a handle's last error.

use core::fmt::{self, Write};

use crate::status::{BarrowStatus, text_of};

/// Bytes of a message at most; the end of a longer one is cut off.
const MESSAGE_CAP: usize = 160;

/// Failure of a call: its status, after its text has become the message of the handle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Failure(pub(crate) BarrowStatus);

/// Message: the text of the last error of a handle; empty if its last call did what it says.
pub(crate) struct Message {
    bytes: [u8; MESSAGE_CAP],
    len: usize,
}

impl Message {
    pub(crate) const EMPTY: Message = Message { bytes: [0; MESSAGE_CAP], len: 0 };

    pub(crate) fn clear(&mut self) {
        self.len = 0;
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub(crate) fn text(&self) -> &str {
        self.bytes.get(..self.len).and_then(|bytes| str::from_utf8(bytes).ok()).unwrap_or_default()
    }

    /// Sets the text, and returns the failure that it explains.
    pub(crate) fn fail(&mut self, status: BarrowStatus, text: impl fmt::Display) -> Failure {
        self.clear();
        // A text that is too long is cut off.
        let _ = write!(self, "{text}");
        Failure(status)
    }

    /// Sets the text to the sentence for a status, unless there is one already.
    pub(crate) fn explain(&mut self, status: BarrowStatus) {
        if self.is_empty() {
            let _ = self.fail(status, text_of(status).to_str().unwrap_or_default());
        }
    }
}

impl Write for Message {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let room = MESSAGE_CAP.saturating_sub(self.len);
        // Cut off between two characters.
        let fitting = (0..=room.min(text.len())).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
        for (slot, byte) in self.bytes.iter_mut().skip(self.len).zip(text.bytes().take(fitting)) {
            *slot = byte;
        }
        self.len += fitting;
        if fitting == text.len() { Ok(()) } else { Err(fmt::Error) }
    }

    fn write_char(&mut self, sign: char) -> fmt::Result {
        write_encoded(sign, self)
    }
}

/// Writes a character as a text. The library's own way has an end that panics, which the compiler does not always see to be
/// out of reach.
pub(crate) fn write_encoded(sign: char, to: &mut impl Write) -> fmt::Result {
    let code = u32::from(sign);
    let later = |shift: u32| 0x80 | (code >> shift) as u8 & 0x3F;
    let (bytes, len) = match code {
        0..0x80 => ([code as u8, 0, 0, 0], 1),
        0x80..0x800 => ([0xC0 | (code >> 6) as u8, later(0), 0, 0], 2),
        0x800..0x1_0000 => ([0xE0 | (code >> 12) as u8, later(6), later(0), 0], 3),
        _ => ([0xF0 | (code >> 18) as u8, later(12), later(6), later(0)], 4),
    };
    let text = bytes.get(..len).and_then(|bytes| str::from_utf8(bytes).ok());
    to.write_str(text.ok_or(fmt::Error)?)
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::string::String;

    use super::*;

    #[test]
    fn every_character_is_written_as_itself() {
        for sign in (0..=u32::from(char::MAX)).step_by(7).filter_map(char::from_u32) {
            let (mut text, mut own) = (String::new(), String::new());
            write_encoded(sign, &mut text).unwrap();
            own.push(sign);
            assert_eq!(text, own);
        }
    }

    #[test]
    fn a_long_message_is_cut_off_between_two_characters() {
        let mut message = Message::EMPTY;
        let long: String = std::iter::repeat_n('§', MESSAGE_CAP).collect();
        assert_eq!(message.fail(-1, &long), Failure(-1));
        assert_eq!(message.text().len(), MESSAGE_CAP);
        assert_eq!(message.fail(-2, std::format_args!("x{long}")), Failure(-2));
        assert_eq!(message.text().len(), MESSAGE_CAP - 1);
        message.clear();
        message.explain(crate::status::BARROW_BUSY);
        assert_eq!(message.text(), "the handle is in use by another call");
    }
}
