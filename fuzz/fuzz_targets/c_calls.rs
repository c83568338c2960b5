//! Sequences of calls of the C interface, right and wrong ones, in any order and with any texts, sizes and handles: what can
//! be known of a status beforehand is as foreseen, a failure has a text and changes no position, undo restores every bit,
//! what a call prints is read back, and nothing beside the memory that was given is written to.
//!
//! More than 500 lines: each of the calls with what is foreseen of it.

#![no_main]

use core::ffi::{c_char, c_void};
use core::ptr::null_mut;
use std::cell::RefCell;

use arbitrary::{Arbitrary, Unstructured};
use barrow_capi::*;
use barrow_fuzz::c_calls::{Call, KNOWN, Pointer, Text};
use barrow_nnue::embedded_nets::TINY;
use libfuzzer_sys::fuzz_target;

/// Most calls of a sequence.
const CALLS: usize = 48;
/// Most calls that take long: searches, plans, turns of Greedy.
const LONG_CALLS: usize = 2;
/// Actions that can be undone in a game.
const ACTIONS: u32 = 12;
/// Nodes and planner words of the search.
const SEARCH: (u32, u32) = (16, 12 * 1024);
/// Bytes before and behind each handle's memory, and their value.
const GUARD: (usize, u8) = (64, 0xC7);

/// Places in memory for a handle each: two games, a network, a planner, a search.
const PLACES: usize = 5;

/// Kinds of handles, in the order of their places (games are twice there).
const GAME: usize = 0;
const NET: usize = 2;
const PLANNER: usize = 3;
const SEARCH_KIND: usize = 4;

/// Line of memory.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([u8; 64]);

/// The memory, which is made once, and what is known of the handles in it.
struct World {
    memory: [Vec<Line>; PLACES],
    sizes: [usize; PLACES],
    open: [bool; PLACES],
    /// For each game the positions before each action that can be undone.
    undos: [Vec<String>; 2],
    printed: String,
    buffer: Vec<u8>,
    long: usize,
}

fn kind_of(place: usize) -> usize {
    if place == 1 { GAME } else { place }
}

impl World {
    fn new() -> World {
        let (game, (nodes, words)) = (barrow_game_size(ACTIONS), SEARCH);
        let sizes =
            [game, game, barrow_net_size(), barrow_planner_size(words), barrow_search_size(nodes, words)];
        let memory = sizes.map(|size| vec![Line([GUARD.1; 64]); size.div_ceil(64) + 2]);
        World {
            memory,
            sizes,
            open: [false; PLACES],
            undos: [Vec::new(), Vec::new()],
            printed: String::new(),
            buffer: vec![0; 1 << 16],
            long: 0,
        }
    }

    /// Closes what is open, so that the next sequence begins with nothing.
    fn reset(&mut self) {
        for place in 0..PLACES {
            if std::mem::take(&mut self.open[place]) {
                // SAFETY: the place has an open handle.
                assert_eq!(unsafe { barrow_close(self.start(place)) }, BARROW_OK);
            }
        }
        self.undos.iter_mut().for_each(Vec::clear);
        self.printed.clear();
        self.long = 0;
    }

    fn start(&mut self, place: usize) -> *mut c_void {
        self.memory[place].as_mut_ptr().wrapping_add(1).cast()
    }

    /// Whether another call that takes long may be made.
    fn may_take_long(&mut self) -> bool {
        self.long += 1;
        self.long <= LONG_CALLS
    }

    /// A pointer for a kind of handle: its address, the place of the handle if it is a right one, else the status that a
    /// call with it must have.
    fn resolve(&mut self, pointer: Pointer, kind: usize) -> (*mut c_void, Result<usize, BarrowStatus>) {
        let place = match pointer {
            Pointer::Right => kind,
            Pointer::Place(place) => usize::from(place) % PLACES,
            Pointer::Null => return (null_mut(), Err(BARROW_NULL)),
            Pointer::Off(off) => {
                let start = self.start(usize::from(off) % PLACES);
                return (start.wrapping_byte_add(usize::from(off % 63) + 1), Err(BARROW_MISALIGNED));
            }
        };
        let right = self.open[place] && kind_of(place) == kind;
        (self.start(place), if right { Ok(place) } else { Err(BARROW_WRONG_HANDLE) })
    }

    /// The position of a game, with everything that belongs to it.
    fn position(&mut self, place: usize) -> String {
        let game = self.start(place).cast();
        self.text(|buffer, capacity, length| unsafe { barrow_game_write(game, 1, buffer, capacity, length) })
            .expect("a position can be written")
    }

    /// A text that a call writes, or its status.
    fn text(
        &mut self,
        write: impl FnOnce(*mut c_char, usize, *mut usize) -> BarrowStatus,
    ) -> Result<String, BarrowStatus> {
        let mut length = usize::MAX;
        let status = write(self.buffer.as_mut_ptr().cast(), self.buffer.len(), &raw mut length);
        if status != BARROW_OK {
            return Err(status);
        }
        assert_eq!(self.buffer[length], 0);
        Ok(std::str::from_utf8(&self.buffer[..length]).expect("texts are UTF-8").to_owned())
    }

    /// Text for a call about a game.
    fn input(&mut self, text: Text<'_>, game: Option<usize>) -> (Vec<u8>, usize, bool) {
        let bytes = match text {
            Text::Legal(board, which) => {
                let Some(place) = game else { return (Vec::new(), 0, false) };
                let lines = self.legal(place, board);
                let lines: Vec<&str> = lines.lines().collect();
                lines.get(usize::from(which) % lines.len().max(1)).unwrap_or(&"").as_bytes().to_vec()
            }
            Text::Printed => self.printed.clone().into_bytes(),
            Text::Known(which) => KNOWN[usize::from(which) % KNOWN.len()].as_bytes().to_vec(),
            Text::Bytes(bytes) => bytes.to_vec(),
            Text::Null(length) => return (Vec::new(), usize::from(length), true),
        };
        let length = bytes.len();
        (bytes, length, false)
    }

    /// Legal actions of a board, or of the general.
    fn legal(&mut self, place: usize, board: u8) -> String {
        let game = self.start(place).cast();
        let board = if board == 255 { BARROW_GENERAL } else { u32::from(board) % 2 };
        let found = self.text(|buffer, capacity, length| unsafe {
            barrow_game_legal(game, board, buffer, capacity, length, null_mut())
        });
        found.unwrap_or_default()
    }

    /// A failed call with a handle that is open has left a text.
    fn check_error(&mut self, place: usize, status: BarrowStatus) {
        let handle = self.start(place);
        let text = self
            .text(|buffer, capacity, length| unsafe { barrow_error_text(handle, buffer, capacity, length) });
        assert_eq!(text.expect("the handle is open").is_empty(), status >= 0, "{status}");
    }

    fn check_guards(&self) {
        for (memory, size) in self.memory.iter().zip(self.sizes) {
            // SAFETY: lines are bytes without gaps.
            let bytes =
                unsafe { core::slice::from_raw_parts(memory.as_ptr().cast::<u8>(), memory.len() * 64) };
            let around = bytes[..GUARD.0].iter().chain(&bytes[GUARD.0 + size..]);
            assert!(around.into_iter().all(|byte| *byte == GUARD.1), "a guard was overwritten");
        }
    }

    fn open(&mut self, place: usize, less: u8, off: u8) {
        let (start, size) =
            (self.start(place).wrapping_byte_add(off.into()), self.sizes[place] - usize::from(less));
        let mut handle: *mut c_void = null_mut();
        let out = &raw mut handle;
        // SAFETY: the memory is there; nobody uses what was in it before.
        let status = unsafe {
            match kind_of(place) {
                GAME => barrow_game_open(start, size, ACTIONS, out.cast()),
                NET => barrow_net_open(start, size, out.cast()),
                PLANNER => barrow_planner_open(start, size, SEARCH.1, out.cast()),
                _ => barrow_search_open(start, size, SEARCH.0, SEARCH.1, out.cast()),
            }
        };
        if off > 0 {
            assert_eq!(status, BARROW_MISALIGNED);
        } else {
            assert_eq!(status, if less > 0 { BARROW_MEMORY_TOO_SMALL } else { BARROW_OK });
        }
        assert_eq!(handle.is_null(), status != BARROW_OK);
        // An earlier handle in memory that was refused is as it was.
        if status == BARROW_OK {
            self.open[place] = true;
            if place < 2 {
                self.undos[place].clear();
            }
        }
    }

    /// A call that changes a game, or fails and changes nothing; returns its status.
    fn change(
        &mut self,
        pointer: Pointer,
        call: impl FnOnce(&mut World, *mut BarrowGame, Option<usize>) -> BarrowStatus,
    ) {
        let (game, place) = self.resolve(pointer, GAME);
        let before = place.ok().map(|place| self.position(place));
        let status = call(self, game.cast(), place.ok());
        match place {
            Err(foreseen) => assert_eq!(status, foreseen),
            Ok(place) => {
                self.check_error(place, status);
                if status < 0 {
                    assert_eq!(
                        Some(self.position(place)),
                        before,
                        "status {status} has changed the position"
                    );
                }
            }
        }
    }

    fn make(&mut self, call: Call<'_>) {
        // SAFETY: handles are what `resolve` says, buffers and texts are there for as many bytes as are said.
        unsafe {
            match call {
                Call::Open { place, less, off } => {
                    self.open(usize::from(place) % PLACES, less.saturating_sub(200), off.saturating_sub(200));
                }
                Call::Close(pointer) => {
                    let (handle, _) = self.resolve(pointer, GAME);
                    let status = barrow_close(handle);
                    if status == BARROW_OK {
                        let place = (0..PLACES).find(|place| self.start(*place) == handle).expect("a place");
                        assert!(std::mem::take(&mut self.open[place]));
                    }
                }
                Call::Apply { game, text } => self.change(game, |world, game, place| {
                    let legal = matches!(text, Text::Legal(..));
                    let text = world.input(text, place);
                    let before = place.map(|place| world.position(place));
                    let status = barrow_game_apply(game, pointer_to(&text), text.1);
                    if let (Some(place), BARROW_OK) = (place, status) {
                        world.undos[place].extend(before);
                        assert!(world.undos[place].len() <= ACTIONS as usize);
                    }
                    let foreseen = [BARROW_OK, BARROW_CAPACITY].contains(&status);
                    assert!(!legal || text.1 == 0 || foreseen, "{status}: {:?}", String::from_utf8(text.0));
                    status
                }),
                Call::Undo(game) => self.change(game, |world, game, place| {
                    let status = barrow_game_undo(game);
                    if let Some(place) = place {
                        let last = world.undos[place].pop();
                        assert_eq!(status, if last.is_some() { BARROW_OK } else { BARROW_TOO_EARLY });
                        assert!(
                            last.is_none_or(|last| last == world.position(place)),
                            "undo leaves another position"
                        );
                    }
                    status
                }),
                Call::EndTurn(game) => self.change(game, |world, game, place| {
                    let status = barrow_game_end_turn(game);
                    world.forget(place, status);
                    status
                }),
                Call::Play { game, text } => self.change(game, |world, game, place| {
                    let text = world.input(text, place);
                    let status = barrow_game_play(game, pointer_to(&text), text.1);
                    world.forget(place, status);
                    status
                }),
                Call::Copy { to, from } => {
                    let (from, source) = self.resolve(from, GAME);
                    self.change(to, |world, game, place| {
                        let status = barrow_game_copy(game, from.cast());
                        world.forget(place, status);
                        match (place, source) {
                            (Some(to), Ok(from)) if to == from => assert_eq!(status, BARROW_OVERLAP),
                            (Some(to), Ok(from)) => assert_eq!(world.position(to), world.position(from)),
                            (Some(_), Err(foreseen)) if foreseen != BARROW_WRONG_HANDLE => {
                                assert_eq!(status, foreseen)
                            }
                            _ => {}
                        }
                        status
                    });
                }
                other => self.replace(other),
            }
        }
    }

    /// Nothing can be undone in a game that a call has replaced.
    fn forget(&mut self, place: Option<usize>, status: BarrowStatus) {
        if let (Some(place), BARROW_OK) = (place, status) {
            self.undos[place].clear();
        }
    }
}

/// Pointer to a text of [`World::input`].
fn pointer_to(text: &(Vec<u8>, usize, bool)) -> *const c_char {
    if text.2 { core::ptr::null() } else { text.0.as_ptr().cast() }
}

impl World {
    /// A call that replaces a game.
    unsafe fn replace(&mut self, call: Call<'_>) {
        // SAFETY: as in `make`.
        unsafe {
            match call {
                Call::Start { game, ruleset, config, seed } => self.change(game, |world, game, place| {
                    let (ruleset, config) = (world.input(ruleset, None), world.input(config, None));
                    let [one, two] = [&ruleset, &config].map(pointer_to);
                    let status = barrow_game_start(game, one, ruleset.1, two, config.1, seed.into());
                    world.forget(place, status);
                    status
                }),
                Call::Read { game, text, seed } => self.change(game, |world, game, place| {
                    let text = world.input(text, None);
                    let status = barrow_game_read(game, pointer_to(&text), text.1, seed.into());
                    world.forget(place, status);
                    status
                }),
                other => self.ask(other),
            }
        }
    }

    /// A call that changes no game.
    unsafe fn ask(&mut self, call: Call<'_>) {
        // SAFETY: as in `make`.
        unsafe {
            match call {
                Call::Write { game, extended, capacity } => self.change(game, |world, game, place| {
                    let mut length = usize::MAX;
                    let mut buffer = vec![GUARD.1; usize::from(capacity) + 8];
                    let start = buffer.as_mut_ptr().cast();
                    let status =
                        barrow_game_write(game, extended.into(), start, capacity.into(), &raw mut length);
                    assert!(buffer[usize::from(capacity)..].iter().all(|byte| *byte == GUARD.1));
                    if place.is_some() {
                        assert_eq!(status == BARROW_OK, length < usize::from(capacity));
                        assert!([BARROW_OK, BARROW_BUFFER_TOO_SMALL].contains(&status));
                    }
                    if let (Some(place), BARROW_OK, true) = (place, status, extended) {
                        world.printed = world.position(place);
                    }
                    status
                }),
                Call::Legal { game, board, capacity } => self.change(game, |_, game, _| {
                    let (mut buffer, mut count) = (vec![GUARD.1; usize::from(capacity) + 8], 0);
                    let start = buffer.as_mut_ptr().cast();
                    let status = barrow_game_legal(
                        game,
                        board.into(),
                        start,
                        capacity.into(),
                        null_mut(),
                        &raw mut count,
                    );
                    assert!(buffer[usize::from(capacity)..].iter().all(|byte| *byte == GUARD.1));
                    status
                }),
                Call::Facts { game, size } => self.change(game, |_, game, _| {
                    let mut place = vec![0u64; 1024];
                    barrow_game_facts(game, place.as_mut_ptr().cast(), size.into())
                }),
                Call::Greedy { game, seed } => self.change(game, |world, game, place| {
                    if place.is_some() && !world.may_take_long() {
                        let mut facts = BarrowFacts::default();
                        return barrow_game_facts(game, &raw mut facts, size_of::<BarrowFacts>());
                    }
                    let found = world.text(|buffer, capacity, length| {
                        barrow_game_greedy(game, seed.into(), buffer, capacity, length)
                    });
                    match found {
                        Ok(turn) => {
                            world.printed = turn;
                            BARROW_OK
                        }
                        Err(status) => status,
                    }
                }),
                Call::Evaluate { game, net } => {
                    let (net, _) = self.resolve(net, NET);
                    self.change(game, |_, game, _| {
                        let (mut win, mut error) = (-1, -1);
                        let status = barrow_evaluate(game, net.cast(), &raw mut win, &raw mut error);
                        assert_eq!(status == BARROW_OK, (0..=BARROW_CERTAIN).contains(&win));
                        status
                    });
                }
                other => self.ask_about_others(other),
            }
        }
    }

    /// A call with a network, a planner or a search.
    unsafe fn ask_about_others(&mut self, call: Call<'_>) {
        // SAFETY: as in `make`.
        unsafe {
            let (place, status) = match call {
                Call::Load { net, offset, less } => {
                    let (net, place) = self.resolve(net, NET);
                    let (offset, less) =
                        (usize::from(offset.saturating_sub(200)), usize::from(less.saturating_sub(200)));
                    let status =
                        barrow_net_load(net.cast(), TINY[offset..].as_ptr(), TINY.len() - offset - less);
                    assert!(place.is_err() || (status == BARROW_OK) == (offset + less == 0));
                    (place, status)
                }
                Call::Embedded { net, name } => {
                    let ((net, place), name) = (self.resolve(net, NET), self.input(name, None));
                    (place, barrow_net_load_embedded(net.cast(), pointer_to(&name), name.1))
                }
                Call::Plan { planner, game, board, goals } => {
                    let ((planner, place), goals) = (self.resolve(planner, PLANNER), self.input(goals, None));
                    let (game, known) = self.resolve(game, GAME);
                    if place.is_ok() && known.is_ok() && !self.may_take_long() {
                        return;
                    }
                    let found = self.text(|buffer, capacity, length| {
                        let (board, goals, long) = (board.into(), pointer_to(&goals), goals.1);
                        let (planner, game) = (planner.cast(), game.cast());
                        barrow_planner_plan(
                            planner,
                            game,
                            board,
                            goals,
                            long,
                            50,
                            null_mut(),
                            buffer,
                            capacity,
                            length,
                        )
                    });
                    if let (Ok(turn), Ok(game)) = (&found, known) {
                        self.check_turn(game, turn);
                    }
                    (place, found.map_or_else(|status| status, |_| BARROW_OK))
                }
                Call::Forbid(planner) => {
                    let (planner, place) = self.resolve(planner, PLANNER);
                    (place, barrow_planner_forbid(planner.cast()))
                }
                Call::SetNet { search, net } => {
                    let ((search, place), (net, _)) =
                        (self.resolve(search, SEARCH_KIND), self.resolve(net, NET));
                    (place, barrow_search_set_net(search.cast(), net.cast()))
                }
                Call::SetNodes { search, nodes } => {
                    let (search, place) = self.resolve(search, SEARCH_KIND);
                    (place, barrow_search_set_nodes(search.cast(), nodes.into()))
                }
                Call::Begin { search, game, keep } => {
                    let ((search, place), (game, _)) =
                        (self.resolve(search, SEARCH_KIND), self.resolve(game, GAME));
                    (place, barrow_search_begin(search.cast(), game.cast(), keep.into()))
                }
                Call::Run { search, nodes } => {
                    let (search, place) = self.resolve(search, SEARCH_KIND);
                    if place.is_ok() && !self.may_take_long() {
                        return;
                    }
                    (place, barrow_search_run(search.cast(), (nodes % 4).into()))
                }
                Call::Stop(search) => {
                    let (search, place) = self.resolve(search, SEARCH_KIND);
                    let status = barrow_search_stop(search.cast());
                    assert_eq!(status, place.err().unwrap_or(BARROW_OK));
                    return;
                }
                Call::Turn { search, rank } => {
                    let (search, place) = self.resolve(search, SEARCH_KIND);
                    let found = self.text(|buffer, capacity, length| {
                        barrow_search_turn(search.cast(), rank.into(), buffer, capacity, length)
                    });
                    if let Ok(turn) = &found {
                        self.printed.clone_from(turn);
                    }
                    (place, found.map_or_else(|status| status, |_| BARROW_OK))
                }
                _ => return,
            };
            match place {
                Ok(place) => self.check_error(place, status),
                Err(foreseen) => assert_eq!(status, foreseen),
            }
        }
    }

    /// A turn that a call has printed for a game can be applied there, and undone.
    fn check_turn(&mut self, place: usize, turn: &str) {
        let before = self.position(place);
        let game: *mut BarrowGame = self.start(place).cast();
        // SAFETY: the handle is open and the text is there.
        unsafe {
            let status = barrow_game_apply(game, turn.as_ptr().cast(), turn.len());
            assert!([BARROW_OK, BARROW_CAPACITY].contains(&status), "{status}: {turn}");
            if status == BARROW_OK {
                assert_eq!(barrow_game_undo(game), BARROW_OK);
            }
        }
        assert_eq!(self.position(place), before);
    }
}

thread_local! {
    static WORLD: RefCell<World> = RefCell::new(World::new());
}

fuzz_target!(|data: &[u8]| {
    WORLD.with_borrow_mut(|world| {
        let mut input = Unstructured::new(data);
        // Most sequences begin with every handle open.
        if !input.ratio(1, 8).unwrap_or(false) {
            (0..PLACES).for_each(|place| world.open(place, 0, 0));
        }
        for _ in 0..CALLS {
            if input.is_empty() {
                break;
            }
            let Ok(call) = Call::arbitrary(&mut input) else { break };
            world.make(call);
        }
        world.check_guards();
        world.reset();
    });
});
