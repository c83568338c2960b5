//! The hand-written player Greedy, which answers at once.

use core::ffi::{c_char, c_void};
use core::fmt::Write;

use barrow_core::minions::DraftMemory;
use barrow_core::minions::players::Greedy;
use barrow_core::minions::text::umi;

use crate::game::{BarrowGame, GameBody, check_going};
use crate::handle::{call, fault_of};
use crate::memory::{Region, Span};
use crate::message::Failure;
use crate::outputs::Output;
use crate::status::{BARROW_MEMORY_TOO_SMALL, BARROW_OVERLAP, BarrowStatus};

/// Writes the turn of the hand-written player Greedy in lines of UMI, and the seed decides between moves of almost equal
/// worth. It works on the stack; `barrow_game_greedy_in` takes memory of the caller instead.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_game_greedy(
    game: *mut BarrowGame,
    seed: u64,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> BarrowStatus {
    // SAFETY: as the header asks of every pointer.
    unsafe {
        call::<GameBody>(game, |entered| {
            let mut output = Output::new(buffer, capacity, length, &[entered.span()])?;
            let game = &entered.body.game;
            check_going(game)?;
            let turn = Greedy::new(seed).choose(game);
            // What does not fit is counted.
            let _ = write!(output, "{}", umi::TurnText::new(game, &turn));
            output.finish()
        })
    }
}

/// Bytes of memory that `barrow_game_greedy_in` works in.
#[unsafe(no_mangle)]
pub extern "C" fn barrow_greedy_size() -> usize {
    let mut region = Region::counting();
    region.take_one(DraftMemory::new).map_or(usize::MAX, |_| region.counted())
}

/// Writes the turn of Greedy as `barrow_game_greedy` does, and works in memory of the caller: `barrow_greedy_size()` bytes,
/// aligned as memory for a handle is, which belong to the caller again when the call returns.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_game_greedy_in(
    game: *mut BarrowGame,
    seed: u64,
    memory: *mut c_void,
    size: usize,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> BarrowStatus {
    // SAFETY: as the header asks of every pointer.
    unsafe {
        call::<GameBody>(game, |entered| {
            let lent = Span::of(memory, size);
            if let Some(status) = fault_of(memory, size, barrow_greedy_size()) {
                return Err(Failure(status));
            }
            if lent.overlaps(entered.span()) {
                return Err(Failure(BARROW_OVERLAP));
            }
            let mut output = Output::new(buffer, capacity, length, &[entered.span(), lent])?;
            let game = &entered.body.game;
            check_going(game)?;
            // SAFETY: the memory is the caller's, has `size` bytes, and nothing else is in it.
            let mut region = Region::over(memory, size);
            let mut draft = region.take_one(DraftMemory::new).ok_or(Failure(BARROW_MEMORY_TOO_SMALL))?;
            let draft = draft.borrow_one().ok_or(Failure(BARROW_MEMORY_TOO_SMALL))?;
            let turn = Greedy::new(seed).choose_in(game, draft);
            // What does not fit is counted.
            let _ = write!(output, "{}", umi::TurnText::new(game, turn));
            output.finish()
        })
    }
}
