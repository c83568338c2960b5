//! Outputs of calls, written through pointers: texts and numbers.

use core::ffi::c_char;
use core::fmt;
use core::ptr;

use crate::memory::Span;
use crate::message::{Failure, write_encoded};
use crate::status::{
    BARROW_BUFFER_TOO_SMALL, BARROW_MISALIGNED, BARROW_NULL, BARROW_OK, BARROW_OVERLAP, BARROW_RANGE,
    BarrowStatus,
};

/// Fails when memory reaches into one of these.
fn check_apart(memory: Span, others: &[Span]) -> Result<(), Failure> {
    if others.iter().any(|other| memory.overlaps(*other)) { Err(Failure(BARROW_OVERLAP)) } else { Ok(()) }
}

/// Place of the caller's for one value.
pub(crate) struct Place<T>(*mut T);

impl<T> Place<T> {
    /// A place that must be there.
    ///
    /// # Safety
    /// The pointer is null, or a `T` can be written there until the call returns.
    pub(crate) unsafe fn new(pointer: *mut T, apart: &[Span]) -> Result<Place<T>, Failure> {
        if pointer.is_null() {
            return Err(Failure(BARROW_NULL));
        }
        // SAFETY: as the caller says.
        unsafe { Place::optional(pointer, apart) }
    }

    /// A place that may be null: then the value is not wanted.
    ///
    /// # Safety
    /// As [`Place::new`].
    pub(crate) unsafe fn optional(pointer: *mut T, apart: &[Span]) -> Result<Place<T>, Failure> {
        if !pointer.is_null() {
            if !pointer.is_aligned() {
                return Err(Failure(BARROW_MISALIGNED));
            }
            check_apart(Span::of(pointer, size_of::<T>()), apart)?;
        }
        Ok(Place(pointer))
    }

    /// Memory of the place, none if the value is not wanted.
    pub(crate) fn span(&self) -> Span {
        Span::of(self.0, if self.0.is_null() { 0 } else { size_of::<T>() })
    }

    pub(crate) fn put(&self, value: T) {
        if !self.0.is_null() {
            // SAFETY: aligned and in nobody's way, as was checked, and writable, as the caller of `new` has said.
            unsafe { self.0.write(value) }
        }
    }
}

/// Buffer of the caller's for a text.
pub(crate) struct Output {
    buffer: *mut u8,
    capacity: usize,
    length: Place<usize>,
    /// Bytes of the text so far, whether or not they fit.
    written: usize,
}

impl Output {
    /// A buffer of so many bytes. A null one, without bytes, asks for the length.
    ///
    /// # Safety
    /// `buffer` is null, or `capacity` bytes can be written there until the call returns; `length` is as in
    /// [`Place::optional`].
    pub(crate) unsafe fn new(
        buffer: *mut c_char,
        capacity: usize,
        length: *mut usize,
        apart: &[Span],
    ) -> Result<Output, Failure> {
        // SAFETY: as the caller says.
        let length = unsafe { Place::optional(length, apart) }?;
        if buffer.is_null() && (capacity > 0 || length.0.is_null()) {
            return Err(Failure(BARROW_NULL));
        }
        if capacity > isize::MAX as usize {
            return Err(Failure(BARROW_RANGE));
        }
        let span = Span::of(buffer, capacity);
        check_apart(span, apart)?;
        check_apart(span, &[length.span()])?;
        Ok(Output { buffer: buffer.cast(), capacity, length, written: 0 })
    }

    /// Memory of buffer and length together with that of two handles, with which a further output must have nothing in
    /// common.
    pub(crate) fn and(&self, [one, two]: [Span; 2]) -> [Span; 4] {
        [one, two, Span::of(self.buffer, self.capacity), self.length.span()]
    }

    /// Ends the text with a zero byte and tells its length.
    pub(crate) fn finish(self) -> Result<BarrowStatus, Failure> {
        self.length.put(self.written);
        if self.buffer.is_null() {
            return Ok(BARROW_OK);
        }
        if let Some(last) = self.capacity.checked_sub(1) {
            // SAFETY: within the buffer, at the end of the text or at the end of the buffer.
            unsafe { self.buffer.add(self.written.min(last)).write(0) };
        }
        if self.written < self.capacity { Ok(BARROW_OK) } else { Err(Failure(BARROW_BUFFER_TOO_SMALL)) }
    }
}

impl fmt::Write for Output {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        // The last byte is for the zero.
        let room = self.capacity.saturating_sub(1).saturating_sub(self.written).min(text.len());
        if room > 0 {
            // SAFETY: the buffer has `room` bytes more than the text so far, all of which fitted, and is not the text's,
            // which is the library's own.
            unsafe { ptr::copy_nonoverlapping(text.as_ptr(), self.buffer.add(self.written), room) };
        }
        self.written = self.written.saturating_add(text.len());
        Ok(())
    }

    fn write_char(&mut self, sign: char) -> fmt::Result {
        write_encoded(sign, self)
    }
}

/// Fills a structure of the caller's, which may be shorter or longer than it is here: later versions have more at the end.
///
/// # Safety
/// `pointer` is null, or `size` bytes can be written there. `T` is made of numbers without gaps.
pub(crate) unsafe fn fill<T: Copy>(
    pointer: *mut T,
    size: usize,
    value: &T,
    apart: &[Span],
) -> Result<BarrowStatus, Failure> {
    /// More than any version of a structure has.
    const MOST: usize = 4096;
    if pointer.is_null() {
        return Err(Failure(BARROW_NULL));
    }
    if !pointer.is_aligned() {
        return Err(Failure(BARROW_MISALIGNED));
    }
    if !size.is_multiple_of(align_of::<T>()) || size == 0 || size > MOST {
        return Err(Failure(BARROW_RANGE));
    }
    check_apart(Span::of(pointer, size), apart)?;
    let known = size.min(size_of::<T>());
    // SAFETY: `known` bytes are there on both sides, which do not overlap, since `value` is the library's own; the rest
    // is the caller's.
    unsafe {
        ptr::copy_nonoverlapping(ptr::from_ref(value).cast::<u8>(), pointer.cast::<u8>(), known);
        pointer.cast::<u8>().add(known).write_bytes(0, size - known);
    }
    Ok(BARROW_OK)
}
