//! Texts and bytes that callers lend for a call.

use core::ffi::c_char;
use core::slice;

use crate::memory::Span;
use crate::message::{Failure, Message};
use crate::status::{BARROW_NOT_UTF8, BARROW_NULL, BARROW_OVERLAP, BARROW_RANGE};

/// Length of a text that ends with a zero byte.
pub(crate) const TERMINATED: usize = usize::MAX;

/// Bytes of the caller's; null without bytes is empty.
///
/// # Safety
/// `pointer` is null, or `length` bytes can be read there and are not changed while `'t` lasts.
pub(crate) unsafe fn bytes<'t>(
    pointer: *const u8,
    length: usize,
    apart: &[Span],
) -> Result<&'t [u8], Failure> {
    if length == 0 {
        return Ok(&[]);
    }
    if pointer.is_null() {
        return Err(Failure(BARROW_NULL));
    }
    if length > isize::MAX as usize || pointer.addr().checked_add(length).is_none() {
        return Err(Failure(BARROW_RANGE));
    }
    if apart.iter().any(|other| Span::of(pointer, length).overlaps(*other)) {
        return Err(Failure(BARROW_OVERLAP));
    }
    // SAFETY: readable as the caller says; not null, not longer than memory can be, and no memory of a handle.
    Ok(unsafe { slice::from_raw_parts(pointer, length) })
}

/// Length of a text up to its zero byte, or a failure if it reaches into one of these before: their memory is not looked
/// at.
///
/// # Safety
/// The bytes up to the first zero byte can be read.
unsafe fn length_of(pointer: *const c_char, apart: &[Span]) -> Result<usize, Failure> {
    let room = apart.iter().map(|other| other.distance_from(pointer.addr())).min().unwrap_or(usize::MAX);
    let mut length = 0;
    while length < room {
        // SAFETY: readable as the caller says, since no byte before was zero.
        if unsafe { pointer.add(length).read() } == 0 {
            return Ok(length);
        }
        length += 1;
    }
    Err(Failure(BARROW_OVERLAP))
}

/// Text of the caller's; null without bytes is empty.
///
/// # Safety
/// As [`bytes`]; with the length [`TERMINATED`] up to the first zero byte.
pub(crate) unsafe fn text<'t>(
    pointer: *const c_char,
    length: usize,
    apart: &[Span],
    message: &mut Message,
) -> Result<&'t str, Failure> {
    let length = if length == TERMINATED {
        if pointer.is_null() {
            return Err(Failure(BARROW_NULL));
        }
        // SAFETY: as the caller says.
        unsafe { length_of(pointer, apart) }?
    } else {
        length
    };
    // SAFETY: as the caller says.
    let bytes = unsafe { bytes(pointer.cast(), length, apart) }?;
    str::from_utf8(bytes).map_err(|error| {
        message.fail(BARROW_NOT_UTF8, format_args!("byte {} of the text is not UTF-8", error.valid_up_to()))
    })
}

/// Lines of a text with their numbers from 1 and their first words; blank lines are left out.
pub(crate) struct Lines<'t> {
    rest: Option<&'t str>,
    number: usize,
}

impl<'t> Lines<'t> {
    pub(crate) fn of(text: &'t str) -> Lines<'t> {
        Lines { rest: Some(text), number: 0 }
    }
}

impl<'t> Iterator for Lines<'t> {
    type Item = (usize, &'t str, &'t str);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let rest = self.rest?;
            let end = rest.bytes().position(|byte| byte == b'\n');
            self.number += 1;
            self.rest = end.and_then(|end| rest.get(end + 1..));
            let line = end.map_or(Some(rest), |end| rest.get(..end))?;
            if let Some(word) = line.split_ascii_whitespace().next() {
                return Some((self.number, line, word));
            }
        }
    }
}
