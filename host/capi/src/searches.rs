//! Searches: turns found by thinking, a slice of nodes at a time.

use core::ffi::{c_char, c_void};
use core::fmt::Write;

use barrow_core::minions::text::umi;

use crate::game::{BarrowGame, GameBody};
use crate::handle::{Body, Entered, call, enter, mark, open, size_of_handle, stop_flag};
use crate::message::Failure;
use crate::net::{BarrowNet, NetBody};
use crate::outputs::{Output, fill};
use crate::plans::words_or_usual;
use crate::search::{Searching, count};
use crate::status::{BARROW_OK, BarrowStatus};

/// Handle of a search.
pub struct BarrowSearch {
    _opaque: [u8; 0],
}

struct SearchBody(Searching);

impl Body for SearchBody {
    const MARK: u32 = mark(*b"find");
    type Opaque = BarrowSearch;
}

/// Statistics of a search. Later versions may have more of them at the end.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct BarrowStatistics {
    /// Nodes so far, each the value of one position.
    pub nodes: u64,
    /// Length of the longest path, in turns.
    pub depth: u32,
    /// Use of the fullest memory in thousandths.
    pub fullness: u32,
    /// Turns that were found for the position, at most 64 of them.
    pub turns: u32,
    /// Win chance of the side to move, 0 to `BARROW_CERTAIN`; -1 before the first node.
    pub win: i32,
}

/// Statistics of a turn that a search has found. Later versions may have more of them at the end.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct BarrowTurn {
    /// Win chance after the turn of the side that makes it, 0 to `BARROW_CERTAIN`.
    pub win: i32,
    /// Visits of the turn.
    pub visits: u32,
    /// 1 if the turn wins the game at once.
    pub wins: u32,
    /// 0; of use to later versions.
    pub reserved: u32,
}

/// Bytes of memory for a search that remembers so many nodes and plans attacks with so many words of four bytes, 0 for
/// `BARROW_PLANNER_WORDS`; with less than a board needs, attacks are planned there for fewer pieces, and
/// `barrow_planner_plan` with as many words tells what is needed. Fewer than 16 nodes count as 16. When the memory is full, the
/// positions visited least recently make room for others in searches of up to 8,192 nodes; larger ones go on with the turns
/// that they have.
#[unsafe(no_mangle)]
pub extern "C" fn barrow_search_size(nodes: u32, words: u32) -> usize {
    size_of_handle::<SearchBody>(|region| count(region, nodes as usize, words_or_usual(words)))
}

/// Opens a search in the caller's memory: hand-written evaluation, seed 0, no limit of nodes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_search_open(
    memory: *mut c_void,
    size: usize,
    nodes: u32,
    words: u32,
    search: *mut *mut BarrowSearch,
) -> BarrowStatus {
    // SAFETY: as the header asks of every pointer.
    unsafe {
        open::<SearchBody>(memory, size, barrow_search_size(nodes, words), search, |region| {
            Searching::new(region, nodes as usize, words_or_usual(words)).map(SearchBody)
        })
    }
}

/// Sets the network of searches that are begun from now on; null for hand-written evaluation. The handle of the network may be
/// closed, its file must stay.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_search_set_net(
    search: *mut BarrowSearch,
    net: *mut BarrowNet,
) -> BarrowStatus {
    // SAFETY: as the header asks of every pointer.
    unsafe {
        call::<SearchBody>(search, |entered| {
            let net = if net.is_null() {
                None
            } else {
                Some(enter::<NetBody>(net).map_err(Failure)?.body.loaded()?)
            };
            entered.body.0.set_net(net);
            Ok(BARROW_OK)
        })
    }
}

/// Sets the seed of searches that are begun from now on. Equal seeds, networks and nodes give equal turns of
/// searches that keep nothing, on every machine and however the nodes are divided into slices.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_search_set_seed(search: *mut BarrowSearch, seed: u64) -> BarrowStatus {
    // SAFETY: as the header asks of every pointer.
    unsafe {
        call::<SearchBody>(search, |entered| {
            entered.body.0.set_seed(seed);
            Ok(BARROW_OK)
        })
    }
}

/// Sets the nodes of a whole search at most, 0 for no limit.
/// Towards that number a search narrows its choice of turns, so name it where
/// the end is known; without it a search may be stopped at any time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_search_set_nodes(search: *mut BarrowSearch, nodes: u64) -> BarrowStatus {
    // SAFETY: as the header asks of every pointer.
    unsafe {
        call::<SearchBody>(search, |entered| {
            entered.body.0.limit = nodes;
            Ok(BARROW_OK)
        })
    }
}

/// Begins a search of a position, which is copied. The stop flag is cleared first; one that is set while the search is being
/// begun counts for it. With `keep` not 0 what the last search has found about positions that can follow from this one stays, if
/// the game has the same configuration and neither network nor seed was set since. With `BARROW_CAPACITY` there is no search any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_search_begin(
    search: *mut BarrowSearch,
    game: *mut BarrowGame,
    keep: u32,
) -> BarrowStatus {
    // SAFETY: as the header asks of every pointer.
    unsafe {
        call::<SearchBody>(search, |entered| {
            let game = enter::<GameBody>(game).map_err(Failure)?;
            let Entered { head, body, message } = entered;
            body.0.begin(&game.body.game, keep != 0, head.stop(), message)
        })
    }
}

/// Searches so many nodes more, fewer if the search ends before: a slice of work, after which the caller may do something else.
/// `BARROW_OK` if there is more to do, `BARROW_FINISHED` at the limit of nodes or when nothing more can be done,
/// `BARROW_STOPPED` if the stop flag is set, and otherwise `BARROW_RANGE` for a slice of 0 nodes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_search_run(search: *mut BarrowSearch, nodes: u64) -> BarrowStatus {
    // SAFETY: as the header asks of every pointer.
    unsafe {
        call::<SearchBody>(search, |entered| {
            let Entered { head, body, message } = entered;
            body.0.run(nodes, head.stop(), message)
        })
    }
}

/// Sets the stop flag: a slice of work that is being done ends after its present node, and none begins until a search is begun
/// anew. This function alone may be called from another thread or an interrupt while another call works with the handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_search_stop(search: *mut BarrowSearch) -> BarrowStatus {
    // SAFETY: as the header asks of every pointer to a handle.
    match unsafe { stop_flag::<SearchBody>(search) } {
        Ok(flag) => {
            flag.set(1);
            BARROW_OK
        }
        Err(status) => status,
    }
}

/// Fills in statistics of the search so far. `size` is the size of the structure that the caller knows, as in
/// `barrow_game_facts`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_search_statistics(
    search: *mut BarrowSearch,
    statistics: *mut BarrowStatistics,
    size: usize,
) -> BarrowStatus {
    // SAFETY: as the header asks of every pointer; `BarrowStatistics` has no gaps.
    unsafe {
        call::<SearchBody>(search, |entered| {
            let found = entered.body.0.statistics();
            let known = BarrowStatistics {
                nodes: found.nodes,
                depth: u32::from(found.depth),
                fullness: found.fullness,
                turns: entered.body.0.count_lines() as u32,
                win: entered.body.0.win().unwrap_or(-1),
            };
            fill(statistics, size, &known, &[entered.span()])
        })
    }
}

/// Writes a turn that the search has found, in lines of UMI; rank 0 is the best. `BARROW_TOO_EARLY` before the first one is
/// found, `BARROW_RANGE` if there are fewer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_search_turn(
    search: *mut BarrowSearch,
    rank: u32,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> BarrowStatus {
    // SAFETY: as the header asks of every pointer.
    unsafe {
        call::<SearchBody>(search, |entered| {
            let mut output = Output::new(buffer, capacity, length, &[entered.span()])?;
            let search = &entered.body.0;
            let (_, turn, game) = search.turn(rank)?;
            // What does not fit is counted.
            let _ = write!(output, "{}", umi::TurnText::new(game, &turn));
            output.finish()
        })
    }
}

/// Fills in statistics of a turn that the search has found; rank 0 is the best. `size` is the size of the structure that the
/// caller knows, as in `barrow_game_facts`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_search_turn_statistics(
    search: *mut BarrowSearch,
    rank: u32,
    turn: *mut BarrowTurn,
    size: usize,
) -> BarrowStatus {
    // SAFETY: as the header asks of every pointer; `BarrowTurn` has no gaps.
    unsafe {
        call::<SearchBody>(search, |entered| {
            let (line, ..) = entered.body.0.turn(rank)?;
            let known = BarrowTurn {
                win: line.stats.mean(),
                visits: line.stats.visits(),
                wins: u32::from(line.wins),
                reserved: 0,
            };
            fill(turn, size, &known, &[entered.span()])
        })
    }
}
