//! Status codes and versions of the interface.

use core::ffi::{CStr, c_char};

/// Outcome of a call: 0 and above if it did what it says, below 0 if nothing was done. Unknown codes of later versions
/// keep this meaning of their sign.
pub type BarrowStatus = i32;

/// Version of the binary interface. Functions and codes may be added under the same version; whatever else changes makes
/// a new one, and a new soname.
pub const BARROW_ABI_VERSION: u32 = 1;

/// The call did what it says.
pub const BARROW_OK: BarrowStatus = 0;
/// A search has reached its limit of nodes, or nothing more can be done in its memory.
pub const BARROW_FINISHED: BarrowStatus = 1;
/// A search has found its stop flag set.
pub const BARROW_STOPPED: BarrowStatus = 2;
/// No attack is left that is not forbidden.
pub const BARROW_NO_MORE: BarrowStatus = 3;
/// Planning has used up its effort without an answer, or cannot know all attacks of a board.
pub const BARROW_UNKNOWN: BarrowStatus = 4;
/// A pointer is null that may not be.
pub const BARROW_NULL: BarrowStatus = -1;
/// An address is not aligned as it must be.
pub const BARROW_MISALIGNED: BarrowStatus = -2;
/// The memory for a handle is too small.
pub const BARROW_MEMORY_TOO_SMALL: BarrowStatus = -3;
/// A text does not fit into its buffer; what fits was written, and the length tells how much there is.
pub const BARROW_BUFFER_TOO_SMALL: BarrowStatus = -4;
/// A buffer reaches into the memory of a handle or of another output, or a handle was given twice.
pub const BARROW_OVERLAP: BarrowStatus = -5;
/// The pointer is no open handle of the kind that the function takes.
pub const BARROW_WRONG_HANDLE: BarrowStatus = -6;
/// The handle is in use by another call that has not returned.
pub const BARROW_BUSY: BarrowStatus = -7;
/// A text is not UTF-8.
pub const BARROW_NOT_UTF8: BarrowStatus = -8;
/// A text cannot be read; the text of the error says where and why.
pub const BARROW_UNREADABLE: BarrowStatus = -9;
/// The rules forbid it; the text of the error says why.
pub const BARROW_ILLEGAL: BarrowStatus = -10;
/// The game is over.
pub const BARROW_GAME_OVER: BarrowStatus = -11;
/// A number is out of its range: a board, a rank, a length.
pub const BARROW_RANGE: BarrowStatus = -12;
/// Memory of a handle is full: the undo log, or what planner or search work in.
pub const BARROW_CAPACITY: BarrowStatus = -13;
/// The bytes are no network for this library; the text of the error says why.
pub const BARROW_BAD_NET: BarrowStatus = -14;
/// The call comes too early: something has to be set, begun or applied before.
pub const BARROW_TOO_EARLY: BarrowStatus = -15;

/// Sentence for each status, or for an unknown one.
pub(crate) fn text_of(status: BarrowStatus) -> &'static CStr {
    match status {
        BARROW_OK => c"done",
        BARROW_FINISHED => c"the search is finished",
        BARROW_STOPPED => c"the search was stopped",
        BARROW_NO_MORE => c"no attack is left",
        BARROW_UNKNOWN => c"the effort did not suffice for an answer",
        BARROW_NULL => c"a pointer is null",
        BARROW_MISALIGNED => c"an address is not aligned",
        BARROW_MEMORY_TOO_SMALL => c"the memory for the handle is too small",
        BARROW_BUFFER_TOO_SMALL => c"the text does not fit into the buffer",
        BARROW_OVERLAP => c"a buffer overlaps a handle or another output, or a handle was given twice",
        BARROW_WRONG_HANDLE => c"not an open handle of this kind",
        BARROW_BUSY => c"the handle is in use by another call",
        BARROW_NOT_UTF8 => c"the text is not UTF-8",
        BARROW_UNREADABLE => c"the text cannot be read",
        BARROW_ILLEGAL => c"the rules forbid it",
        BARROW_GAME_OVER => c"the game is over",
        BARROW_RANGE => c"a number is out of range",
        BARROW_CAPACITY => c"the memory of the handle is full",
        BARROW_BAD_NET => c"not a network for this library",
        BARROW_TOO_EARLY => c"something must be done before this call",
        _ => c"an unknown status",
    }
}

/// Version of the binary interface that the library has; a program made with another `BARROW_ABI_VERSION` must not call
/// anything else.
#[unsafe(no_mangle)]
pub extern "C" fn barrow_abi_version() -> u32 {
    BARROW_ABI_VERSION
}

/// Version of the engine, a text that stays.
#[unsafe(no_mangle)]
pub extern "C" fn barrow_version() -> *const c_char {
    const VERSION: &CStr =
        match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
            Ok(version) => version,
            Err(_) => c"",
        };
    VERSION.as_ptr()
}

/// Sentence for a status, a text that stays. Handles know more about their last error: `barrow_error_text`.
#[unsafe(no_mangle)]
pub extern "C" fn barrow_status_text(status: BarrowStatus) -> *const c_char {
    text_of(status).as_ptr()
}
