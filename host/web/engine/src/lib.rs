//! The engine in the page: one WebAssembly module with a session, its searches and a network.
//!
//! Texts go in and out through two buffers of the module, so that nothing here reads memory by address: the page writes a
//! request where [`input`] says, calls [`obey`], and reads [`output_length`] bytes where [`output`] says. The page counts the
//! time and calls [`step`] for slices of work, so that it can stop a search between two slices.
//!
//! Built for shared memory (`host/web/engine/build OUT threads`) the module is instantiated once for each thread over one memory;
//! threads but the first only [`help`].

use std::cell::RefCell;

use barrow_nnue::embedded_nets;
use barrow_nnue::format::Line;
use barrow_session::network::SessionNetwork;
use barrow_session::page_engine::PageEngine;
use barrow_session::shared_search::{self, ThreadMemory};

/// Engine and buffers of the module.
#[derive(Default)]
struct Module {
    engine: Option<PageEngine>,
    input: Vec<u8>,
    output: Vec<u8>,
}

thread_local! {
    static MODULE: RefCell<Module> = RefCell::default();
    static HELPER: RefCell<ThreadMemory> = RefCell::default();
}

impl Module {
    /// The engine, made when it is first asked for.
    fn engine(&mut self) -> Option<&mut PageEngine> {
        if self.engine.is_none() {
            let network = SessionNetwork::from_bytes(embedded_nets::HANDHELD).ok();
            self.engine = PageEngine::new(network).ok();
        }
        self.engine.as_mut()
    }
}

fn with<T>(act: impl FnOnce(&mut Module) -> T) -> T {
    MODULE.with_borrow_mut(act)
}

/// Makes room for an input of so many bytes. Returns its address.
#[allow(unsafe_code, reason = "the name of an export")]
#[unsafe(no_mangle)]
pub extern "C" fn input(length: usize) -> *mut u8 {
    with(|module| {
        module.input.clear();
        module.input.resize(length, 0);
        module.input.as_mut_ptr()
    })
}

/// Address of the output.
#[allow(unsafe_code, reason = "the name of an export")]
#[unsafe(no_mangle)]
pub extern "C" fn output() -> *const u8 {
    with(|module| module.output.as_ptr())
}

/// Bytes of the output.
#[allow(unsafe_code, reason = "the name of an export")]
#[unsafe(no_mangle)]
pub extern "C" fn output_length() -> usize {
    with(|module| module.output.len())
}

/// Answers the request of the input. A search is only begun, and then the output is empty.
#[allow(unsafe_code, reason = "the name of an export")]
#[unsafe(no_mangle)]
pub extern "C" fn obey() {
    with(|module| {
        let text = String::from_utf8_lossy(&module.input).into_owned();
        module.output = module.engine().map_or_else(String::new, |engine| engine.obey(&text)).into_bytes();
    });
}

/// Searches so many nodes more. Returns 0 when there is nothing more to do.
#[allow(unsafe_code, reason = "the name of an export")]
#[unsafe(no_mangle)]
pub extern "C" fn step(nodes: u32) -> u32 {
    with(|module| module.engine().map_or(0, |engine| u32::from(engine.step(u64::from(nodes)))))
}

/// Writes the answer with what the search has found; the last one, with `is_final` not 0, ends it.
#[allow(unsafe_code, reason = "the name of an export")]
#[unsafe(no_mangle)]
pub extern "C" fn result(is_final: u32, seconds: f64) {
    with(|module| {
        let text = module.engine().map_or_else(String::new, |engine| engine.result(is_final != 0, seconds));
        module.output = text.into_bytes();
    });
}

/// Room of so many bytes that stays forever: the stack and the local memory of a thread. Returns its address, which is
/// divisible by 16.
#[allow(unsafe_code, reason = "the name of an export")]
#[unsafe(no_mangle)]
pub extern "C" fn reserve(bytes: usize) -> *mut u8 {
    vec![0_u128; bytes.div_ceil(16)].leak().as_mut_ptr().cast()
}

/// Helps, as the thread of an index from 1, with the search that a thread has begun which shares this memory, until it is
/// over. Returns the nodes searched.
#[allow(unsafe_code, reason = "the name of an export")]
#[unsafe(no_mangle)]
pub extern "C" fn help(index: u32) -> u32 {
    HELPER.with_borrow_mut(|memory| shared_search::help(index.into(), memory)) as u32
}

/// Takes the input as the network of the searches from now on. The output is empty, or says what is wrong with it.
#[allow(unsafe_code, reason = "the name of an export")]
#[unsafe(no_mangle)]
pub extern "C" fn take_network() {
    with(|module| {
        let mut lines = vec![Line::ZERO; module.input.len().div_ceil(size_of::<Line>())];
        let length = module.input.len();
        Line::bytes_mut(&mut lines)[..length].copy_from_slice(&module.input);
        module.input = Vec::new();
        let bytes: &'static [u8] = &Line::bytes(lines.leak())[..length];
        module.output = match SessionNetwork::from_bytes(bytes) {
            Ok(network) => {
                if let Some(engine) = module.engine() {
                    engine.set_network(network);
                }
                Vec::new()
            }
            Err(error) => error.into_bytes(),
        };
    });
}
