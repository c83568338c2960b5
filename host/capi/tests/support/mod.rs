//! Memory with guards, and handles in it.

// Each test uses a part of it.
#![allow(unreachable_pub, dead_code)]

use core::ffi::{c_char, c_void};
use core::ptr::null_mut;

use barrow_capi::*;

/// Length of a text that ends with a zero byte.
pub const TERMINATED: usize = usize::MAX;

/// Byte that memory beside a handle is filled with.
const GUARD: u8 = 0xC7;

/// Line of memory, aligned as handles are.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([u8; 64]);

/// Memory for a handle between two guards.
pub struct Memory {
    lines: Vec<Line>,
    size: usize,
}

impl Memory {
    /// Memory of so many bytes.
    pub fn new(size: usize) -> Memory {
        Memory { lines: vec![Line([GUARD; 64]); size.div_ceil(64) + 2], size }
    }

    /// First byte of the memory.
    pub fn start(&mut self) -> *mut c_void {
        self.lines.as_mut_ptr().wrapping_add(1).cast()
    }

    /// Bytes of the memory.
    pub fn size(&self) -> usize {
        self.size
    }

    fn bytes(&self) -> &[u8] {
        // SAFETY: lines are bytes without gaps.
        unsafe { core::slice::from_raw_parts(self.lines.as_ptr().cast(), self.lines.len() * 64) }
    }

    /// Copies the bytes of other memory of the same size.
    pub fn copy_from(&mut self, other: &Memory) {
        self.lines.copy_from_slice(&other.lines);
    }

    /// Whether nothing beside the memory has been written to.
    pub fn is_intact(&mut self) -> bool {
        // Handles keep addresses of this memory: it is read anew.
        let size = self.size;
        let bytes = core::hint::black_box(self.bytes());
        bytes[..64].iter().chain(&bytes[64 + size..]).all(|byte| *byte == GUARD)
    }
}

/// A game of the default configuration.
pub fn game() -> (Memory, *mut BarrowGame) {
    let mut memory = Memory::new(barrow_game_size(64));
    let mut game = null_mut();
    // SAFETY: the memory is there and stays with the handle.
    let status = unsafe { barrow_game_open(memory.start(), memory.size(), 64, &raw mut game) };
    assert_eq!(status, BARROW_OK);
    (memory, game)
}

/// A search with room for so many nodes.
pub fn search(nodes: u32) -> (Memory, *mut BarrowSearch) {
    let mut memory = Memory::new(barrow_search_size(nodes, 0));
    let mut search = null_mut();
    // SAFETY: the memory is there and stays with the handle.
    let status = unsafe { barrow_search_open(memory.start(), memory.size(), nodes, 0, &raw mut search) };
    assert_eq!(status, BARROW_OK);
    (memory, search)
}

/// A text that a call writes.
pub fn read(mut write: impl FnMut(*mut c_char, usize, *mut usize) -> BarrowStatus) -> String {
    let mut length = 0;
    assert_eq!(write(null_mut(), 0, &raw mut length), BARROW_OK);
    let mut bytes = vec![0u8; length + 1];
    assert_eq!(write(bytes.as_mut_ptr().cast(), bytes.len(), &raw mut length), BARROW_OK);
    assert_eq!(bytes.pop(), Some(0));
    String::from_utf8(bytes).unwrap()
}

/// Text of the last error of a handle.
pub fn error_of(handle: *mut c_void) -> String {
    // SAFETY: the handle is open.
    read(|buffer, capacity, length| unsafe { barrow_error_text(handle, buffer, capacity, length) })
}
