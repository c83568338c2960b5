//! Handles: objects in memory that the caller gives, each behind a head that tells what it is and whether it is in use.

use core::cell::UnsafeCell;
use core::ffi::{c_char, c_void};
use core::fmt::Write;

use crate::memory::{Region, Span};
use crate::message::{Failure, Message};
use crate::outputs::{Output, Place};
use crate::status::{
    BARROW_BUSY, BARROW_MEMORY_TOO_SMALL, BARROW_MISALIGNED, BARROW_NULL, BARROW_OK, BARROW_OVERLAP,
    BARROW_RANGE, BARROW_WRONG_HANDLE, BarrowStatus,
};
use crate::word::Word;

/// Alignment of the memory for handles: that of the vectors of a network.
const ALIGNMENT: usize = 64;

/// Body of a handle, behind its head.
pub(crate) trait Body: Sized {
    /// Mark of the kind: four letters that no other kind has.
    const MARK: u32;
    /// Name that C has for the kind.
    type Opaque;
}

/// Head of a handle of any kind.
#[repr(C)]
pub(crate) struct Head {
    /// Mark of the kind; 0 after the handle was closed.
    mark: Word,
    /// 1 while a call works with the handle.
    busy: Word,
    /// 1 when a search is to end.
    stop: Word,
    /// Address of the handle: one that was copied elsewhere is none.
    address: usize,
    /// Bytes of memory that belong to the handle, from its address on.
    size: usize,
    message: UnsafeCell<Message>,
}

// As the header of the interface says of memory in which there is no handle.
const _: () = assert!(size_of::<Head>() <= 256);

#[repr(C, align(64))]
struct Handle<B> {
    head: Head,
    body: UnsafeCell<B>,
}

impl Head {
    /// Head of a handle of a certain kind, or of any kind if no mark is given.
    ///
    /// # Safety
    /// The pointer is null, or as many bytes as a head has can be read there while `'h` lasts.
    unsafe fn at<'h>(handle: *const c_void, mark: Option<u32>) -> Result<&'h Head, BarrowStatus> {
        if handle.is_null() {
            return Err(BARROW_NULL);
        }
        if !handle.addr().is_multiple_of(ALIGNMENT) {
            return Err(BARROW_MISALIGNED);
        }
        // SAFETY: aligned, and readable as the caller says. A head has no values that memory cannot have: numbers and
        // bytes only.
        let head = unsafe { &*handle.cast::<Head>() };
        let found = head.mark.get();
        let right = mark.map_or(MARKS.contains(&found), |mark| mark == found);
        if right && head.address == handle.addr() { Ok(head) } else { Err(BARROW_WRONG_HANDLE) }
    }

    pub(crate) fn stop(&self) -> &Word {
        &self.stop
    }
}

/// Marks of all kinds of handles.
pub(crate) const MARKS: [u32; 4] = [mark(*b"game"), mark(*b"bnet"), mark(*b"plan"), mark(*b"find")];

/// Mark of four letters.
pub(crate) const fn mark(letters: [u8; 4]) -> u32 {
    u32::from_le_bytes(letters) ^ 0x8000_8000
}

/// Handle that a call works with; given back at the end of the call.
pub(crate) struct Entered<'h, B> {
    pub(crate) head: &'h Head,
    pub(crate) body: &'h mut B,
    pub(crate) message: &'h mut Message,
}

impl<B> Drop for Entered<'_, B> {
    fn drop(&mut self) {
        self.head.busy.set(0);
    }
}

impl<B> Entered<'_, B> {
    /// Memory of the handle.
    pub(crate) fn span(&self) -> Span {
        Span { address: self.head.address, size: self.head.size }
    }
}

/// Enters a handle, which no other call can until the value is dropped.
///
/// # Safety
/// As [`Head::at`]; a handle of this kind that is open was made by [`open`], and its memory is as it was left.
pub(crate) unsafe fn enter<'h, B: Body>(handle: *mut B::Opaque) -> Result<Entered<'h, B>, BarrowStatus> {
    // SAFETY: as the caller says.
    let head = unsafe { Head::at(handle.cast(), Some(B::MARK)) }?;
    if !head.busy.take() {
        return Err(BARROW_BUSY);
    }
    // SAFETY: the mark and the address say that `open` has put a handle of this kind here. `busy` says that there is no
    // other reference to body and message; the reference to the head covers neither of them but through its cell.
    unsafe {
        let body = &mut *(*handle.cast::<Handle<B>>()).body.get();
        Ok(Entered { head, body, message: &mut *head.message.get() })
    }
}

/// Calls `work` with a handle; its failure leaves a message in the handle.
///
/// # Safety
/// As [`enter`].
pub(crate) unsafe fn call<B: Body>(
    handle: *mut B::Opaque,
    work: impl FnOnce(&mut Entered<'_, B>) -> Result<BarrowStatus, Failure>,
) -> BarrowStatus {
    // SAFETY: as the caller says.
    let mut entered = match unsafe { enter::<B>(handle) } {
        Ok(entered) => entered,
        Err(status) => return status,
    };
    entered.message.clear();
    match work(&mut entered) {
        Ok(status) => status,
        Err(Failure(status)) => {
            entered.message.explain(status);
            status
        }
    }
}

/// Bytes of memory that a handle needs whose body takes further memory by `divide`.
pub(crate) fn size_of_handle<B: Body>(divide: impl FnOnce(&mut Region) -> Option<()>) -> usize {
    let mut region = Region::counting();
    let whole = divide(&mut region).and_then(|()| region.counted().checked_add(size_of::<Handle<B>>()));
    // More than there can be is never enough.
    whole.unwrap_or(usize::MAX)
}

/// Opens a handle in the caller's memory, of which it needs as many bytes as [`size_of_handle`] says. `make` takes what the
/// body needs of the memory behind it.
///
/// Memory that is too small is left as it is: there may be an open handle in it.
///
/// # Safety
/// `memory` is null, or can be written to for `size` bytes, which belong to the handle until it is closed. `handle` is null or
/// can be written to.
pub(crate) unsafe fn open<B: Body>(
    memory: *mut c_void,
    size: usize,
    needed: usize,
    handle: *mut *mut B::Opaque,
    make: impl FnOnce(&mut Region) -> Option<B>,
) -> BarrowStatus {
    let whole = Span::of(memory, size);
    // SAFETY: as the caller says of `handle`.
    let place = match unsafe { Place::new(handle, &[whole]) } {
        Ok(place) => place,
        Err(Failure(status)) => return status,
    };
    place.put(core::ptr::null_mut());
    let head = size_of::<Handle<B>>();
    if let Some(status) = fault_of(memory, size, needed.max(head)) {
        return status;
    }
    // SAFETY: the memory has `size` bytes, at least `head`, and is the handle's alone.
    let mut region = unsafe { Region::over(memory.byte_add(head), size - head) };
    let Some(body) = make(&mut region) else { return BARROW_MEMORY_TOO_SMALL };
    let head = Head {
        mark: Word::new(B::MARK),
        busy: Word::new(0),
        stop: Word::new(0),
        address: memory.addr(),
        size,
        message: UnsafeCell::new(Message::EMPTY),
    };
    // SAFETY: aligned and large enough, as was checked. Nothing in the memory needs to be dropped.
    unsafe { memory.cast::<Handle<B>>().write(Handle { head, body: UnsafeCell::new(body) }) };
    place.put(memory.cast());
    BARROW_OK
}

/// Fault of memory of which at least so many bytes are needed.
pub(crate) fn fault_of(memory: *mut c_void, size: usize, least: usize) -> Option<BarrowStatus> {
    if memory.is_null() {
        Some(BARROW_NULL)
    } else if !memory.addr().is_multiple_of(ALIGNMENT) {
        Some(BARROW_MISALIGNED)
    } else if size > isize::MAX as usize || memory.addr().checked_add(size).is_none() {
        Some(BARROW_RANGE)
    } else if size < least {
        Some(BARROW_MEMORY_TOO_SMALL)
    } else {
        None
    }
}

/// The stop flag of a handle, which may be in use.
///
/// # Safety
/// As [`enter`].
pub(crate) unsafe fn stop_flag<'h, B: Body>(handle: *const B::Opaque) -> Result<&'h Word, BarrowStatus> {
    // SAFETY: as the caller says. The head is read while another call may be working with the handle: that changes
    // nothing of the head but words that are made for it, and the message, which is not looked at.
    unsafe { Head::at(handle.cast(), Some(B::MARK)) }.map(Head::stop)
}

/// Two handles' memory, with which buffers must have nothing in common.
pub(crate) fn apart<A, B>(one: &Entered<'_, A>, two: &Entered<'_, B>) -> [Span; 2] {
    [one.span(), two.span()]
}

/// Alignment in bytes of the memory for every handle.
#[unsafe(no_mangle)]
pub extern "C" fn barrow_alignment() -> usize {
    ALIGNMENT
}

/// Closes a handle of any kind: no other function takes it any more, and its memory is the caller's again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_close(handle: *mut c_void) -> BarrowStatus {
    // SAFETY: as the header asks of every pointer to a handle.
    let head = match unsafe { Head::at(handle, None) } {
        Ok(head) => head,
        Err(status) => return status,
    };
    if !head.busy.take() {
        return BARROW_BUSY;
    }
    head.mark.set(0);
    BARROW_OK
}

/// Text of the error of the last call with a handle, of any kind, as its first argument; empty if that call did what it
/// says. A call that was refused because this handle was in use leaves the text as it was; so do `barrow_search_stop` and this
/// function.
///
/// Texts end with a zero byte. With a null buffer only the length is told, in bytes without the zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_error_text(
    handle: *mut c_void,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> BarrowStatus {
    // SAFETY: as the header asks of every pointer to a handle.
    let head = match unsafe { Head::at(handle, None) } {
        Ok(head) => head,
        Err(status) => return status,
    };
    if !head.busy.take() {
        return BARROW_BUSY;
    }
    // SAFETY: as the header asks of every buffer.
    let output =
        unsafe { Output::new(buffer, capacity, length, &[Span { address: head.address, size: head.size }]) };
    let status = match output {
        Ok(mut output) => {
            // SAFETY: `busy` says that nobody else looks at the message.
            let message = unsafe { &*head.message.get() };
            // What does not fit is counted.
            let _ = output.write_str(message.text());
            output.finish().unwrap_or_else(|Failure(status)| status)
        }
        Err(Failure(status)) => status,
    };
    head.busy.set(0);
    status
}

/// Fails when two handles are one and the same.
pub(crate) fn check_distinct<A, B>(one: *const A, two: *const B) -> Result<(), Failure> {
    if one.addr() == two.addr() { Err(Failure(BARROW_OVERLAP)) } else { Ok(()) }
}
