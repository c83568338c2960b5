//! Calls as programs in C make them, right and wrong ones: whatever can be detected is answered by a status, and nothing
//! beyond the memory that was given is written to.

mod support;

use core::ffi::{c_char, c_void};
use core::ptr::{null, null_mut};

use barrow_capi::*;
use support::{Memory, TERMINATED, error_of, game, read, search};

#[test]
fn every_function_answers_null() {
    let mut size = 0usize;
    // SAFETY: null pointers are what is tested.
    unsafe {
        let no_game: *mut BarrowGame = null_mut();
        let (no_net, no_planner): (*mut BarrowNet, *mut BarrowPlanner) = (null_mut(), null_mut());
        let no_search: *mut BarrowSearch = null_mut();
        let statuses = [
            barrow_close(null_mut()),
            barrow_error_text(null_mut(), null_mut(), 0, &raw mut size),
            barrow_game_open(null_mut(), 0, 0, null_mut()),
            barrow_game_start(no_game, null(), 0, null(), 0, 0),
            barrow_game_read(no_game, null(), 0, 0),
            barrow_game_write(no_game, 0, null_mut(), 0, null_mut()),
            barrow_game_copy(no_game, no_game),
            barrow_game_facts(no_game, null_mut(), 0),
            barrow_game_legal(no_game, 0, null_mut(), 0, null_mut(), null_mut()),
            barrow_game_apply(no_game, null(), 0),
            barrow_game_undo(no_game),
            barrow_game_end_turn(no_game),
            barrow_game_play(no_game, null(), 0),
            barrow_game_greedy(no_game, 0, null_mut(), 0, null_mut()),
            barrow_game_greedy_in(no_game, 0, null_mut(), 0, null_mut(), 0, null_mut()),
            barrow_evaluate(no_game, no_net, null_mut(), null_mut()),
            barrow_net_open(null_mut(), 0, null_mut()),
            barrow_net_load(no_net, null(), 0),
            barrow_net_load_embedded(no_net, null(), 0),
            barrow_net_write(no_net, null_mut(), 0, null_mut()),
            barrow_planner_open(null_mut(), 0, 0, null_mut()),
            barrow_planner_plan(no_planner, no_game, 0, null(), 0, 0, null_mut(), null_mut(), 0, null_mut()),
            barrow_planner_forbid(no_planner),
            barrow_planner_allow_all(no_planner),
            barrow_search_open(null_mut(), 0, 0, 0, null_mut()),
            barrow_search_set_net(no_search, no_net),
            barrow_search_set_seed(no_search, 0),
            barrow_search_set_nodes(no_search, 0),
            barrow_search_begin(no_search, no_game, 0),
            barrow_search_run(no_search, 0),
            barrow_search_stop(no_search),
            barrow_search_statistics(no_search, null_mut(), 0),
            barrow_search_turn(no_search, 0, null_mut(), 0, null_mut()),
            barrow_search_turn_statistics(no_search, 0, null_mut(), 0),
        ];
        assert_eq!(statuses, [BARROW_NULL; 34]);
        // Handles that are there, everything else null.
        let (mut game_memory, game) = game();
        let (mut search_memory, search) = search(0);
        for status in [
            barrow_error_text(game.cast(), null_mut(), 0, null_mut()),
            barrow_error_text(game.cast(), null_mut(), 9, &raw mut size),
            barrow_game_read(game, null(), 5, 0),
            barrow_game_read(game, null(), TERMINATED, 0),
            barrow_game_copy(game, no_game),
            barrow_game_facts(game, null_mut(), 8),
            barrow_evaluate(game, no_net, null_mut(), null_mut()),
            barrow_search_begin(search, no_game, 0),
        ] {
            assert_eq!(status, BARROW_NULL);
        }
        assert!(game_memory.is_intact() && search_memory.is_intact());
    }
}

#[test]
fn memory_is_refused_unless_it_is_aligned_and_large_enough() {
    type Open = fn(*mut c_void, usize, *mut *mut c_void) -> BarrowStatus;
    // SAFETY: the memory is there for as many bytes as are said.
    let kinds: [(usize, Open); 4] = unsafe {
        [
            (barrow_game_size(3), |memory, size, out| barrow_game_open(memory, size, 3, out.cast())),
            (barrow_net_size(), |memory, size, out| barrow_net_open(memory, size, out.cast())),
            (barrow_planner_size(100), |memory, size, out| {
                barrow_planner_open(memory, size, 100, out.cast())
            }),
            (barrow_search_size(80, 100), |memory, size, out| {
                barrow_search_open(memory, size, 80, 100, out.cast())
            }),
        ]
    };
    for (size, open) in kinds {
        let mut memory = Memory::new(size);
        let mut handle: *mut c_void = null_mut();
        for less in [1, 7, 64, size / 2, size - 1, size] {
            assert_eq!(open(memory.start(), size - less, &raw mut handle), BARROW_MEMORY_TOO_SMALL);
            assert!(handle.is_null() && memory.is_intact());
        }
        for off in [1, 4, 8, 32] {
            assert_eq!(
                open(memory.start().wrapping_byte_add(off), size - off, &raw mut handle),
                BARROW_MISALIGNED
            );
        }
        // What is said to be memory may reach to where the handle is to be told.
        let vast = open(memory.start(), usize::MAX / 2 + 1, &raw mut handle);
        assert!([BARROW_RANGE, BARROW_OVERLAP].contains(&vast), "{vast}");
        // The handle would be written into its own memory.
        assert_eq!(open(memory.start(), size, memory.start().cast()), BARROW_OVERLAP);
        assert_eq!(open(memory.start(), size, (&raw mut handle).wrapping_byte_add(1)), BARROW_MISALIGNED);
        assert_eq!(open(memory.start(), size, &raw mut handle), BARROW_OK);
        assert!(handle == memory.start() && memory.is_intact());
    }
    // Where there cannot be so many bytes the size is the largest number.
    let (most, some) = (barrow_search_size(u32::MAX, u32::MAX), barrow_search_size(80, 0));
    assert!(most > some && (most == usize::MAX) == (size_of::<usize>() == 4));
}

#[test]
fn an_open_handle_outlives_memory_that_is_refused_for_another() {
    let (mut memory, game) = game();
    let (mut search_memory, search) = search(64);
    let (mut other, mut found): (*mut BarrowGame, *mut BarrowSearch) = (null_mut(), null_mut());
    // SAFETY: the handles are open, and the memory is there for as many bytes as are said.
    unsafe {
        let position =
            || read(|buffer, capacity, length| barrow_game_write(game, 1, buffer, capacity, length));
        let before = position();
        assert_eq!(barrow_game_apply(game, c"action board 0 move d1e1".as_ptr(), TERMINATED), BARROW_OK);
        for more in [1, 64, 100_000, u32::MAX - 64] {
            let opened = barrow_game_open(memory.start(), memory.size(), 64 + more, &raw mut other);
            assert!(opened == BARROW_MEMORY_TOO_SMALL && other.is_null());
        }
        assert_eq!(barrow_game_undo(game), BARROW_OK);
        assert_eq!(position(), before);
        let turn =
            |search| read(|buffer, capacity, length| barrow_search_turn(search, 0, buffer, capacity, length));
        let run = |search| {
            assert_eq!(barrow_search_begin(search, game, 0), BARROW_OK);
            assert_eq!(barrow_search_run(search, 20), BARROW_OK);
        };
        run(search);
        let best = turn(search);
        for (nodes, words) in [(80, 0), (64, BARROW_PLANNER_WORDS + 64), (100_000, 0), (u32::MAX, u32::MAX)] {
            let size = search_memory.size();
            let opened = barrow_search_open(search_memory.start(), size, nodes, words, &raw mut found);
            assert!(opened == BARROW_MEMORY_TOO_SMALL && found.is_null());
        }
        assert_eq!(turn(search), best);
        assert_eq!(barrow_search_run(search, 20), BARROW_OK);
        run(search);
        assert_eq!(turn(search), best);
    }
    assert!(memory.is_intact() && search_memory.is_intact());
}

#[test]
fn a_handle_of_another_kind_closed_or_copied_is_refused() {
    let (_game_memory, game) = game();
    let (search_memory, search) = search(100);
    // SAFETY: every pointer points to a handle, open or closed, or to a copy of one.
    unsafe {
        assert_eq!(barrow_search_run(game.cast(), 1), BARROW_WRONG_HANDLE);
        assert_eq!(barrow_search_stop(game.cast()), BARROW_WRONG_HANDLE);
        assert_eq!(barrow_game_undo(search.cast()), BARROW_WRONG_HANDLE);
        assert_eq!(barrow_search_begin(search, search.cast(), 0), BARROW_WRONG_HANDLE);
        assert_eq!(barrow_planner_forbid(game.cast()), BARROW_WRONG_HANDLE);
        assert_eq!(barrow_net_load(game.cast(), null(), 0), BARROW_WRONG_HANDLE);
        assert_eq!(barrow_game_copy(game, game), BARROW_OVERLAP);
        assert_eq!(barrow_game_undo(game.wrapping_byte_add(8)), BARROW_MISALIGNED);
        let mut copy = Memory::new(search_memory.size());
        copy.copy_from(&search_memory);
        assert_eq!(barrow_search_run(copy.start().cast(), 1), BARROW_WRONG_HANDLE);
        assert_eq!(barrow_close(copy.start()), BARROW_WRONG_HANDLE);
        let mut nothing = Memory::new(1024);
        assert_eq!(barrow_game_undo(nothing.start().cast()), BARROW_WRONG_HANDLE);
        assert_eq!(barrow_close(nothing.start()), BARROW_WRONG_HANDLE);
        assert_eq!(barrow_close(search.cast()), BARROW_OK);
        assert_eq!(barrow_search_stop(search), BARROW_WRONG_HANDLE);
        assert_eq!(barrow_close(search.cast()), BARROW_WRONG_HANDLE);
    }
}

#[test]
fn a_handle_in_use_is_busy_and_a_search_stops_when_it_is_told_to() {
    struct Shared(*mut BarrowSearch);
    // SAFETY: the one call that is made while another is at work is made for it, or answered by a status.
    unsafe impl Sync for Shared {}
    let (_game_memory, game) = game();
    let (_search_memory, search) = search(100);
    // SAFETY: handles of their kinds; what is done to them at the same time is what is tested.
    unsafe {
        assert_eq!(barrow_search_begin(search, game, 0), BARROW_OK);
        let shared = &Shared(search);
        std::thread::scope(|scope| {
            // While the other thread asks for statistics the handle is in use too.
            let run = scope.spawn(move || {
                loop {
                    let status = barrow_search_run(shared.0, u64::MAX);
                    if status != BARROW_BUSY {
                        return status;
                    }
                }
            });
            let mut statistics = BarrowStatistics::default();
            while barrow_search_statistics(search, &raw mut statistics, size_of_val(&statistics))
                != BARROW_BUSY
            {
                std::thread::yield_now();
            }
            assert_eq!(barrow_close(search.cast()), BARROW_BUSY);
            let mut ignored = 0;
            assert_eq!(barrow_error_text(search.cast(), null_mut(), 0, &raw mut ignored), BARROW_BUSY);
            assert_eq!(barrow_search_stop(search), BARROW_OK);
            assert_eq!(run.join().unwrap(), BARROW_STOPPED);
        });
        // It stays stopped until a search is begun.
        assert_eq!(barrow_search_run(search, 1), BARROW_STOPPED);
        assert_eq!(barrow_search_begin(search, game, 1), BARROW_OK);
        assert_eq!(barrow_search_run(search, 1), BARROW_OK);
    }
}

#[test]
fn another_network_or_seed_keeps_nothing_of_the_last_search() {
    let (_game_memory, game) = game();
    let (_search_memory, search) = search(100);
    // SAFETY: handles of their kinds.
    unsafe {
        let visits = |keep| {
            assert_eq!(barrow_search_begin(search, game, keep), BARROW_OK);
            assert_eq!(barrow_search_run(search, 4), BARROW_OK);
            let mut best = BarrowTurn::default();
            let size = size_of_val(&best);
            assert_eq!(barrow_search_turn_statistics(search, 0, &raw mut best, size), BARROW_OK);
            best.visits
        };
        let fresh = visits(0);
        assert!(visits(1) > fresh);
        assert_eq!(barrow_search_set_seed(search, 0), BARROW_OK);
        assert_eq!(visits(1), fresh);
        assert!(visits(1) > fresh);
        assert_eq!(barrow_search_set_net(search, null_mut()), BARROW_OK);
        assert_eq!(visits(1), fresh);
    }
}

#[test]
fn texts_are_read_only_if_they_are_texts() {
    let (mut memory, game) = game();
    // SAFETY: each text is there for as many bytes as are said.
    unsafe {
        let wrong = b"action \xff".as_ptr().cast::<c_char>();
        assert_eq!(barrow_game_apply(game, wrong, 8), BARROW_NOT_UTF8);
        assert_eq!(error_of(game.cast()), "byte 7 of the text is not UTF-8");
        assert_eq!(barrow_game_apply(game, wrong, usize::MAX / 2 + 1), BARROW_RANGE);
        assert_eq!(barrow_game_apply(game, memory.start().cast(), 4), BARROW_OVERLAP);
        assert_eq!(barrow_game_apply(game, memory.start().cast(), TERMINATED), BARROW_OVERLAP);
        // The byte before the handle is not zero.
        let before = memory.start().cast::<c_char>().wrapping_sub(1);
        assert_eq!(barrow_game_apply(game, before, TERMINATED), BARROW_OVERLAP);
        assert_eq!(barrow_game_apply(game, c"".as_ptr(), TERMINATED), BARROW_UNREADABLE);
        assert_eq!(error_of(game.cast()), "there is no line");
        // So whoever applies a plan can undo it, whatever it is.
        assert_eq!(barrow_game_apply(game, c"turn".as_ptr(), TERMINATED), BARROW_OK);
        assert_eq!([barrow_game_undo(game), barrow_game_undo(game)], [BARROW_OK, BARROW_TOO_EARLY]);
        let two = c"turn\n\naction board 0 move z9z9\n";
        assert_eq!(barrow_game_play(game, two.as_ptr(), TERMINATED), BARROW_UNREADABLE);
        assert_eq!(error_of(game.cast()), "line 3: no such hex");
        let late = c"turn\nendturn\naction tech 0";
        assert_eq!(barrow_game_play(game, late.as_ptr(), TERMINATED), BARROW_UNREADABLE);
        assert_eq!(error_of(game.cast()), "line 3: the turn has ended before");
        assert_eq!(barrow_game_start(game, c"chess".as_ptr(), 5, null(), 0, 0), BARROW_UNREADABLE);
        assert_eq!(error_of(game.cast()), "no such ruleset");
        assert_eq!(barrow_game_start(game, null(), 0, c"1 Atlantis S".as_ptr(), 12, 0), BARROW_UNREADABLE);
        assert_eq!(error_of(game.cast()), "column 3: no such map");
        assert_eq!(barrow_game_read(game, c"1|2".as_ptr(), 3, 0), BARROW_UNREADABLE);
        // A call that does what it says leaves no text of an error.
        assert_eq!(barrow_game_start(game, c"spooky".as_ptr(), 6, null(), 0, 0), BARROW_OK);
        assert_eq!(error_of(game.cast()), "");
    }
    assert!(memory.is_intact());
}

#[test]
fn a_text_is_written_as_far_as_it_fits_with_its_length() {
    let (mut memory, game) = game();
    // SAFETY: the buffer has as many bytes as are said.
    unsafe {
        let whole = read(|buffer, capacity, length| barrow_game_write(game, 1, buffer, capacity, length));
        for capacity in (0..=whole.len() + 2).step_by(3).chain([whole.len(), whole.len() + 1]) {
            let mut buffer = vec![b'#'; whole.len() + 8];
            let mut length = 0;
            let status = barrow_game_write(game, 1, buffer.as_mut_ptr().cast(), capacity, &raw mut length);
            let fits = whole.len() < capacity;
            assert_eq!(status, if fits { BARROW_OK } else { BARROW_BUFFER_TOO_SMALL });
            assert_eq!(length, whole.len());
            let written = whole.len().min(capacity.saturating_sub(1));
            assert_eq!(&buffer[..written], &whole.as_bytes()[..written]);
            assert!(capacity == 0 || buffer[written] == 0);
            assert!(buffer[capacity.min(written + 1)..].iter().all(|byte| *byte == b'#'));
        }
        let start = memory.start().cast::<c_char>();
        assert_eq!(barrow_game_write(game, 0, start.wrapping_sub(4), 8, null_mut()), BARROW_OVERLAP);
        assert_eq!(barrow_game_write(game, 0, null_mut(), 0, start.cast()), BARROW_OVERLAP);
        let mut lengths = [0usize; 2];
        let crooked = lengths.as_mut_ptr().wrapping_byte_add(1);
        assert_eq!(barrow_game_write(game, 0, null_mut(), 0, crooked), BARROW_MISALIGNED);
        assert_eq!(
            read(|buffer, capacity, length| barrow_game_write(game, 1, buffer, capacity, length)),
            whole
        );
    }
    assert!(memory.is_intact());
}

#[test]
fn outputs_that_overlap_are_refused() {
    let (mut memory, game) = game();
    let mut place = [0xA5A5_A5A5_A5A5_A5A5u64; 64];
    let (start, size) = (place.as_mut_ptr(), size_of_val(&place));
    // SAFETY: the place has as many bytes as are said, aligned for every number.
    unsafe {
        let at = |bytes: usize| start.byte_add(bytes);
        assert_eq!(barrow_game_write(game, 0, start.cast(), size, start.cast()), BARROW_OVERLAP);
        assert_eq!(barrow_game_write(game, 0, start.cast(), size, at(size - 8).cast()), BARROW_OVERLAP);
        assert_eq!(
            error_of(game.cast()),
            "a buffer overlaps a handle or another output, or a handle was given twice"
        );
        let (none, count) = (null_mut(), at(16).cast());
        assert_eq!(barrow_game_legal(game, 0, start.cast(), size, none, count), BARROW_OVERLAP);
        assert_eq!(barrow_game_legal(game, 0, null_mut(), 0, at(16).cast(), count), BARROW_OVERLAP);
        assert_eq!(barrow_evaluate(game, null_mut(), start.cast(), start.cast()), BARROW_OVERLAP);
        let mut planner_memory = Memory::new(barrow_planner_size(100));
        let mut planner = null_mut();
        let opened =
            barrow_planner_open(planner_memory.start(), planner_memory.size(), 100, &raw mut planner);
        assert_eq!(opened, BARROW_OK);
        let plan = |met: *mut u64, capacity, length| {
            barrow_planner_plan(planner, game, 0, null(), 0, 1, met, start.cast(), capacity, length)
        };
        assert_eq!(plan(start, size, null_mut()), BARROW_OVERLAP);
        assert_eq!(plan(at(32), 32, at(32).cast()), BARROW_OVERLAP);
        assert!(place.iter().all(|word| *word == 0xA5A5_A5A5_A5A5_A5A5));
        // Outputs side by side have nothing in common.
        assert_eq!(barrow_evaluate(game, null_mut(), start.cast(), at(4).cast()), BARROW_OK);
        assert_eq!(barrow_game_legal(game, 0, null_mut(), 0, start.cast(), at(8).cast()), BARROW_OK);
    }
    assert!(memory.is_intact());
}

#[test]
fn shorter_and_longer_structures_of_other_versions_are_filled() {
    let (_memory, game) = game();
    let size = size_of::<BarrowFacts>();
    let mut whole = BarrowFacts::default();
    // SAFETY: the places have as many bytes as are said.
    unsafe {
        assert_eq!(barrow_game_facts(game, &raw mut whole, size), BARROW_OK);
        assert_eq!((whole.boards, whole.points_to_win, whole.winner), (2, 2, BARROW_NOBODY));
        let bytes = core::slice::from_raw_parts((&raw const whole).cast::<u8>(), size);
        for known in (8..=4096).step_by(8) {
            let mut place = vec![0x1122_3344_5566_7788u64; 600];
            assert_eq!(barrow_game_facts(game, place.as_mut_ptr().cast(), known), BARROW_OK);
            let filled = core::slice::from_raw_parts(place.as_ptr().cast::<u8>(), 4800);
            let common = known.min(size);
            assert_eq!(&filled[..common], &bytes[..common]);
            assert!(filled[common..known].iter().all(|byte| *byte == 0));
            assert!(filled[known..].iter().all(|byte| *byte != 0));
        }
        let mut place = [0u64; 16];
        for wrong in [0, 4, 12, 4104, usize::MAX] {
            assert_eq!(barrow_game_facts(game, place.as_mut_ptr().cast(), wrong), BARROW_RANGE);
        }
        let crooked = place.as_mut_ptr().wrapping_byte_add(4).cast();
        assert_eq!(barrow_game_facts(game, crooked, size), BARROW_MISALIGNED);
        assert_eq!(barrow_game_facts(game, game.cast(), size), BARROW_OVERLAP);
    }
}

#[test]
fn every_status_has_a_sentence_of_its_own() {
    let text = |status| {
        // SAFETY: the texts stay, and end with a zero byte.
        unsafe { core::ffi::CStr::from_ptr(barrow_status_text(status)) }.to_str().unwrap()
    };
    let texts: std::collections::BTreeSet<&str> = (BARROW_TOO_EARLY..=BARROW_UNKNOWN).map(text).collect();
    assert_eq!(texts.len(), 20);
    assert!(!texts.contains(text(99)) && text(99) == text(-99));
    assert_eq!(barrow_abi_version(), BARROW_ABI_VERSION);
}
