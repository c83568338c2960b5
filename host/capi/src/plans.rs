//! Planners: attacks that the rules allow, found by the constraint solver.

use core::ffi::{c_char, c_void};

use barrow_solver::attack::PLANNER_WORDS;

use crate::game::{BarrowGame, GameBody, check_going};
use crate::handle::{Body, Entered, apart, call, enter, mark, open, size_of_handle};
use crate::message::Failure;
use crate::outputs::{Output, Place};
use crate::planner::{Answer, Planning, read_goals, take_memory};
use crate::status::{BARROW_NO_MORE, BARROW_OK, BARROW_RANGE, BARROW_UNKNOWN, BarrowStatus};
use crate::texts::text;

/// Words of memory with which the boards of ordinary games can be planned on; 0 stands for them.
pub const BARROW_PLANNER_WORDS: u32 = 51_200;

const _: () = assert!(BARROW_PLANNER_WORDS as usize == PLANNER_WORDS);

/// Words of memory for a number in which 0 stands for the usual one.
pub(crate) fn words_or_usual(words: u32) -> usize {
    (if words == 0 { BARROW_PLANNER_WORDS } else { words }) as usize
}

/// Handle of a planner of attacks.
pub struct BarrowPlanner {
    _opaque: [u8; 0],
}

struct PlannerBody(Planning);

impl Body for PlannerBody {
    const MARK: u32 = mark(*b"plan");
    type Opaque = BarrowPlanner;
}

/// Bytes of memory for a planner with so many words of four bytes to work in, 0 for `BARROW_PLANNER_WORDS`, and the model
/// of a board.
#[unsafe(no_mangle)]
pub extern "C" fn barrow_planner_size(words: u32) -> usize {
    size_of_handle::<PlannerBody>(|region| take_memory(region, words_or_usual(words)).map(|_| ()))
}

/// Opens a planner in the caller's memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_planner_open(
    memory: *mut c_void,
    size: usize,
    words: u32,
    planner: *mut *mut BarrowPlanner,
) -> BarrowStatus {
    // SAFETY: as the header asks of every pointer.
    unsafe {
        open::<PlannerBody>(memory, size, barrow_planner_size(words), planner, |region| {
            Planning::new(region, words_or_usual(words)).map(PlannerBody)
        })
    }
}

/// Plans the best legal attack on a board and writes it as lines that `barrow_game_apply` takes. `barrow_game_play` takes them,
/// too, unless another board has to be set up first.
///
/// Goals stand one a line, the most important first: `remove d4` (an enemy, by whatever means), `kill d4`, `unsummon d4`,
/// `spare d4`, `passive c3` (a friend that does not fight). A goal that cannot be met together with those before it is given
/// up; `met`, which may be null, gets a bit for each one that is met, the first in the lowest bit. `effort` is the number of
/// conflicts of the solver at most; 400 are ample.
///
/// Returns `BARROW_NO_MORE` when all attacks are forbidden, `BARROW_UNKNOWN` when the effort did not suffice, or the board has
/// so many pieces in contact that there may be attacks which the planner does not know.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_planner_plan(
    planner: *mut BarrowPlanner,
    game: *mut BarrowGame,
    board: u32,
    goals: *const c_char,
    goals_length: usize,
    effort: u64,
    met: *mut u64,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> BarrowStatus {
    // SAFETY: as the header asks of every pointer.
    unsafe {
        call::<PlannerBody>(planner, |entered| {
            let game = enter::<GameBody>(game).map_err(Failure)?;
            let spans = apart(entered, &game);
            let Entered { body, message, .. } = entered;
            let goals = read_goals(text(goals, goals_length, &spans, message)?, message)?;
            let mut output = Output::new(buffer, capacity, length, &spans)?;
            let met = Place::optional(met, &output.and(spans))?;
            if board as usize >= game.body.game.config().num_boards() {
                return Err(Failure(BARROW_RANGE));
            }
            check_going(&game.body.game)?;
            let answer =
                body.0.plan(&game.body.game, board, goals.as_slice(), effort, &mut output, message)?;
            let (status, bits) = match &answer {
                Answer::Plan(bits, _) => (BARROW_OK, *bits),
                Answer::NoMore => (BARROW_NO_MORE, 0),
                Answer::Unknown => (BARROW_UNKNOWN, 0),
            };
            output.finish()?;
            met.put(bits);
            body.0.note(&game.body.game, board, &answer);
            Ok(status)
        })
    }
}

/// Forbids the attack that was planned last, and every other one that kills and unsummons the same enemies by the same
/// friends, as long as plans are about the same board of the same position under the same rules.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_planner_forbid(planner: *mut BarrowPlanner) -> BarrowStatus {
    // SAFETY: as the header asks of every pointer.
    unsafe {
        call::<PlannerBody>(planner, |entered| {
            let Entered { body, message, .. } = entered;
            body.0.forbid(message).map(|()| BARROW_OK)
        })
    }
}

/// Allows all attacks again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_planner_allow_all(planner: *mut BarrowPlanner) -> BarrowStatus {
    // SAFETY: as the header asks of every pointer.
    unsafe {
        call::<PlannerBody>(planner, |entered| {
            entered.body.0.allow_all();
            Ok(BARROW_OK)
        })
    }
}
