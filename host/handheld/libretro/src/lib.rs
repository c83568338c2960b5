//! The game of Minions as a libretro core: a library that RetroArch and other frontends load, on every console they run on.
//!
//! [`console`] is the game without any of the interface; this file is the interface, functions that C calls one after the
//! other on one thread. State lies behind a lock, so that a frontend which breaks this promise waits, or, where it calls from within
//! a call, never returns: there is no undefined behaviour.

pub mod abi;
pub mod console;
pub mod picture;

use core::cell::UnsafeCell;
use core::ffi::{c_char, c_uint, c_void};
use core::ptr;
use std::sync::{Mutex, MutexGuard, PoisonError};

use abi::{
    AudioSample, AudioSampleBatch, Environment, GameGeometry, InputDescriptor, InputPoll, InputState,
    SystemAvInfo, SystemInfo, VideoRefresh,
};
use barrow_screen::buttons::{Buttons, Touch};
use barrow_screen::draw::{HEIGHT, WIDTH};
use barrow_screen::save::SAVE_BYTES;
use console::{Console, STATE_BYTES};
use picture::{LARGE_HEIGHT, LARGE_WIDTH};

const FRAMES: usize = 60;
const SAMPLES: usize = 44_100;

/// Functions of the frontend.
struct Frontend {
    environment: Option<Environment>,
    video: Option<VideoRefresh>,
    audio: Option<AudioSampleBatch>,
    poll: Option<InputPoll>,
    input: Option<InputState>,
}

static FRONTEND: Mutex<Frontend> =
    Mutex::new(Frontend { environment: None, video: None, audio: None, poll: None, input: None });

/// The console, made once; whether it has run since the game was loaded.
static CONSOLE: Mutex<(Option<Console>, bool)> = Mutex::new((None, false));

/// Save memory, which the frontend reads and writes by its address.
struct SaveMemory(UnsafeCell<[u8; SAVE_BYTES]>);

// SAFETY: Rust touches the bytes only while it holds the lock of `CONSOLE`; the frontend touches them between calls of the
// core, as the interface demands.
unsafe impl Sync for SaveMemory {}

static SAVE: SaveMemory = SaveMemory(UnsafeCell::new([0; SAVE_BYTES]));

fn frontend() -> MutexGuard<'static, Frontend> {
    FRONTEND.lock().unwrap_or_else(PoisonError::into_inner)
}

fn console() -> MutexGuard<'static, (Option<Console>, bool)> {
    CONSOLE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn ask(command: c_uint, data: *mut c_void) -> bool {
    let environment = frontend().environment;
    // SAFETY: the frontend gave this function; `data` is what the command demands and lives to the end of the call.
    environment.is_some_and(|environment| unsafe { environment(command, data) })
}

/// Takes the function by which the frontend is asked.
#[unsafe(no_mangle)]
pub extern "C" fn retro_set_environment(environment: Option<Environment>) {
    frontend().environment = environment;
    let mut yes = true;
    ask(abi::SET_SUPPORT_NO_GAME, (&raw mut yes).cast());
}

/// Takes the function for pictures.
#[unsafe(no_mangle)]
pub extern "C" fn retro_set_video_refresh(video: Option<VideoRefresh>) {
    frontend().video = video;
}

/// Takes the function for single samples, which this core does not use.
#[unsafe(no_mangle)]
pub extern "C" fn retro_set_audio_sample(_: Option<AudioSample>) {}

/// Takes the function for samples.
#[unsafe(no_mangle)]
pub extern "C" fn retro_set_audio_sample_batch(audio: Option<AudioSampleBatch>) {
    frontend().audio = audio;
}

/// Takes the function that looks at the input devices.
#[unsafe(no_mangle)]
pub extern "C" fn retro_set_input_poll(poll: Option<InputPoll>) {
    frontend().poll = poll;
}

/// Takes the function that tells the state of inputs.
#[unsafe(no_mangle)]
pub extern "C" fn retro_set_input_state(input: Option<InputState>) {
    frontend().input = input;
}

/// Makes the console.
#[unsafe(no_mangle)]
pub extern "C" fn retro_init() {
    let mut console = console();
    if console.0.is_none() {
        console.0 = Console::new();
    }
}

/// Forgets the functions of the frontend. The console stays for the next time.
#[unsafe(no_mangle)]
pub extern "C" fn retro_deinit() {
    *frontend() = Frontend { environment: None, video: None, audio: None, poll: None, input: None };
}

/// Version of the interface.
#[unsafe(no_mangle)]
pub extern "C" fn retro_api_version() -> c_uint {
    abi::API_VERSION
}

/// Says what the core is.
///
/// # Safety
/// `info` is null or points to room for a [`SystemInfo`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn retro_get_system_info(info: *mut SystemInfo) {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    if !info.is_null() {
        let value = SystemInfo {
            library_name: c"Barrow".as_ptr(),
            library_version: VERSION.as_ptr().cast(),
            valid_extensions: c"".as_ptr(),
            need_fullpath: false,
            block_extract: false,
        };
        // SAFETY: not null, and the caller promises room.
        unsafe { info.write(value) };
    }
}

/// Says how large the picture is.
///
/// # Safety
/// `info` is null or points to room for a [`SystemAvInfo`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn retro_get_system_av_info(info: *mut SystemAvInfo) {
    let (width, height) = (LARGE_WIDTH as c_uint, LARGE_HEIGHT as c_uint);
    if !info.is_null() {
        let value = SystemAvInfo {
            geometry: GameGeometry {
                base_width: width,
                base_height: height,
                max_width: width,
                max_height: height,
                aspect_ratio: 1.5,
            },
            fps: FRAMES as f64,
            sample_rate: SAMPLES as f64,
        };
        // SAFETY: not null, and the caller promises room.
        unsafe { info.write(value) };
    }
}

/// Takes note of a device; every device is looked at anyway.
#[unsafe(no_mangle)]
pub extern "C" fn retro_set_controller_port_device(_: c_uint, _: c_uint) {}

/// Switches off and on again.
#[unsafe(no_mangle)]
pub extern "C" fn retro_reset() {
    let mut console = console();
    if let (Some(console), _) = &mut *console {
        // SAFETY: the lock is held, and the frontend is in this call.
        console.reset(unsafe { &*SAVE.0.get() });
    }
}

/// The buttons that are held, and the place that is touched.
fn input() -> (Buttons, Option<Touch>) {
    let (poll, state) = {
        let frontend = frontend();
        (frontend.poll, frontend.input)
    };
    let (Some(poll), Some(state)) = (poll, state) else { return (Buttons::default(), None) };
    // SAFETY: the frontend gave this function.
    unsafe { poll() };
    // SAFETY: the frontend gave this function; devices and identifiers are those of the interface.
    let read = |device, id| unsafe { state(0, device, 0, id) };
    let order = [
        Buttons::B,
        Buttons::SELECT,
        Buttons::START,
        Buttons::UP,
        Buttons::DOWN,
        Buttons::LEFT,
        Buttons::RIGHT,
        Buttons::A,
        Buttons::L,
        Buttons::R,
    ];
    let mut buttons = Buttons::default();
    for ((_, id), button) in abi::JOYPAD.into_iter().zip(order) {
        if read(abi::DEVICE_JOYPAD, id) != 0 {
            buttons.0 |= button.0;
        }
    }
    let pointer = |id| read(abi::DEVICE_POINTER, id);
    let pressed = pointer(abi::POINTER_PRESSED) != 0 && pointer(abi::POINTER_IS_OFFSCREEN) == 0;
    let (x, y) = (pointer(abi::POINTER_X), pointer(abi::POINTER_Y));
    // Whoever touches what is beside the picture means nothing in it.
    let within = x != abi::POINTER_NOWHERE && y != abi::POINTER_NOWHERE;
    let scaled = |at: i16, size: usize| {
        let place = (i32::from(at) + 32_767).max(0) as usize;
        (place * size / 65_535).min(size - 1) as u8
    };
    let touch = (pressed && within).then(|| Touch { x: scaled(x, WIDTH), y: scaled(y, HEIGHT) });
    (buttons, touch)
}

/// Runs one frame.
#[unsafe(no_mangle)]
pub extern "C" fn retro_run() {
    let (buttons, touch) = input();
    let (video, audio) = {
        let frontend = frontend();
        (frontend.video, frontend.audio)
    };
    let mut console = console();
    let (Some(console), has_run) = &mut *console else { return };
    // SAFETY: the lock is held, and the frontend is in this call.
    let memory = unsafe { &mut *SAVE.0.get() };
    if !*has_run {
        // The frontend fills the save memory between loading and the first frame.
        *has_run = true;
        console.reset(memory);
    }
    console.frame(buttons, touch, memory);
    if let Some(video) = video {
        let picture = console.picture().as_ptr();
        // SAFETY: the picture has this width, height and length of rows.
        unsafe { video(picture.cast(), LARGE_WIDTH as c_uint, LARGE_HEIGHT as c_uint, 4 * LARGE_WIDTH) };
    }
    if let Some(audio) = audio {
        const SILENCE: [i16; 2 * SAMPLES / FRAMES] = [0; 2 * SAMPLES / FRAMES];
        // SAFETY: two numbers for each sample.
        unsafe { audio(SILENCE.as_ptr(), SAMPLES / FRAMES) };
    }
}

/// Bytes of a state, always the same.
#[unsafe(no_mangle)]
pub extern "C" fn retro_serialize_size() -> usize {
    STATE_BYTES
}

/// Writes the state.
///
/// # Safety
/// `data` is null or points to `size` bytes apart from the save memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn retro_serialize(data: *mut c_void, size: usize) -> bool {
    let mut console = console();
    let (Some(console), _) = &mut *console else { return false };
    if data.is_null() {
        return false;
    }
    // SAFETY: the lock is held, and the frontend is in this call.
    let memory = unsafe { &*SAVE.0.get() };
    // SAFETY: not null, and the caller promises that many bytes, which nobody else touches during the call, nor are they
    // those of the save memory.
    console.serialize(unsafe { core::slice::from_raw_parts_mut(data.cast(), size) }, memory)
}

/// Goes on with a state. False, and nothing has changed, when it is none.
///
/// # Safety
/// `data` is null or points to `size` bytes apart from the save memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn retro_unserialize(data: *const c_void, size: usize) -> bool {
    let mut console = console();
    let (Some(console), has_run) = &mut *console else { return false };
    if data.is_null() {
        return false;
    }
    // SAFETY: the lock is held, and the frontend is in this call.
    let memory = unsafe { &mut *SAVE.0.get() };
    // SAFETY: not null, and the caller promises that many bytes, which nobody changes during the call, nor are they those of
    // the save memory.
    let done = console.unserialize(unsafe { core::slice::from_raw_parts(data.cast(), size) }, memory).is_ok();
    *has_run |= done;
    done
}

/// Cheats: there are none.
#[unsafe(no_mangle)]
pub extern "C" fn retro_cheat_reset() {}

/// Cheats: there are none.
#[unsafe(no_mangle)]
pub extern "C" fn retro_cheat_set(_: c_uint, _: bool, _: *const c_char) {}

/// Starts the game, which needs no file.
#[unsafe(no_mangle)]
pub extern "C" fn retro_load_game(_: *const c_void) -> bool {
    let mut format = abi::PIXEL_XRGB8888;
    if !ask(abi::SET_PIXEL_FORMAT, (&raw mut format).cast()) {
        return false;
    }
    let end = InputDescriptor { port: 0, device: 0, index: 0, id: 0, description: ptr::null() };
    let mut inputs = [end; abi::JOYPAD.len() + 1];
    for (input, (words, id)) in inputs.iter_mut().zip(abi::JOYPAD) {
        *input = InputDescriptor {
            port: 0,
            device: abi::DEVICE_JOYPAD,
            index: 0,
            id,
            description: words.as_ptr(),
        };
    }
    ask(abi::SET_INPUT_DESCRIPTORS, inputs.as_mut_ptr().cast());
    let mut console = console();
    console.1 = false;
    // SAFETY: the lock is held, and the frontend is in this call.
    let memory = unsafe { &mut *SAVE.0.get() };
    // What an earlier game left; the frontend fills it from a file of its own.
    memory.fill(0);
    let Some(console) = &mut console.0 else { return false };
    // Frontends may take a state before the first frame.
    console.reset(memory);
    true
}

/// Starts a game of several files: there are none.
#[unsafe(no_mangle)]
pub extern "C" fn retro_load_game_special(_: c_uint, _: *const c_void, _: usize) -> bool {
    false
}

/// Ends the game.
#[unsafe(no_mangle)]
pub extern "C" fn retro_unload_game() {
    console().1 = false;
}

/// Region: 60 frames a second.
#[unsafe(no_mangle)]
pub extern "C" fn retro_get_region() -> c_uint {
    abi::REGION_NTSC
}

/// Address of a memory.
#[unsafe(no_mangle)]
pub extern "C" fn retro_get_memory_data(memory: c_uint) -> *mut c_void {
    if memory == abi::MEMORY_SAVE_RAM { SAVE.0.get().cast() } else { ptr::null_mut() }
}

/// Bytes of a memory.
#[unsafe(no_mangle)]
pub extern "C" fn retro_get_memory_size(memory: c_uint) -> usize {
    if memory == abi::MEMORY_SAVE_RAM { SAVE_BYTES } else { 0 }
}
