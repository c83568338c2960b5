//! Facts of the libretro interface that the core uses: numbers, and structures as C lays them out
//! (<https://docs.libretro.com/development/cores/developing-cores/>).

use core::ffi::{c_char, c_uint, c_void};

/// Version of the interface.
pub const API_VERSION: c_uint = 1;

/// Device: joypad.
pub const DEVICE_JOYPAD: c_uint = 1;
/// Device: pointer, whose coordinates go from -32,767 to 32,767 over the picture.
pub const DEVICE_POINTER: c_uint = 6;

/// Joypad buttons by their identifiers, `B` being 0.
pub const JOYPAD: [(&core::ffi::CStr, c_uint); 10] = [
    (c"Back, take back", 0),
    (c"Next piece, card", 2),
    (c"Menu", 3),
    (c"Up", 4),
    (c"Down", 5),
    (c"Left", 6),
    (c"Right", 7),
    (c"Choose", 8),
    (c"Previous board", 10),
    (c"Next board", 11),
];

/// Pointer: place from the left.
pub const POINTER_X: c_uint = 0;
/// Pointer: place from the top.
pub const POINTER_Y: c_uint = 1;
/// Pointer: whether it is pressed.
pub const POINTER_PRESSED: c_uint = 2;
/// Pointer: whether it is beside the picture, with its place moved to the nearest edge. Older frontends answer 0.
pub const POINTER_IS_OFFSCREEN: c_uint = 15;
/// Place of a pointer beside the picture, in older frontends.
pub const POINTER_NOWHERE: i16 = -32_768;

/// Memory: what the frontend saves to a file.
pub const MEMORY_SAVE_RAM: c_uint = 0;

/// Region with 60 frames a second.
pub const REGION_NTSC: c_uint = 0;

/// Environment: sets the format of pixels.
pub const SET_PIXEL_FORMAT: c_uint = 10;
/// Environment: describes the buttons.
pub const SET_INPUT_DESCRIPTORS: c_uint = 11;
/// Environment: says that the core starts without a file.
pub const SET_SUPPORT_NO_GAME: c_uint = 18;

/// Format of pixels: 32 bits, of which the lowest byte is blue.
pub const PIXEL_XRGB8888: c_uint = 1;

/// Asks the frontend for something.
pub type Environment = unsafe extern "C" fn(c_uint, *mut c_void) -> bool;
/// Takes a picture: pixels, width, height, bytes of a row.
pub type VideoRefresh = unsafe extern "C" fn(*const c_void, c_uint, c_uint, usize);
/// Takes one sample of sound.
pub type AudioSample = unsafe extern "C" fn(i16, i16);
/// Takes samples of sound, two numbers each.
pub type AudioSampleBatch = unsafe extern "C" fn(*const i16, usize) -> usize;
/// Looks at the input devices.
pub type InputPoll = unsafe extern "C" fn();
/// Tells the state of an input: port, device, index, identifier.
pub type InputState = unsafe extern "C" fn(c_uint, c_uint, c_uint, c_uint) -> i16;

/// Description of the core for the frontend.
#[repr(C)]
#[derive(Debug)]
pub struct SystemInfo {
    /// Name.
    pub library_name: *const c_char,
    /// Version.
    pub library_version: *const c_char,
    /// Endings of files, none.
    pub valid_extensions: *const c_char,
    /// Whether files are given by path.
    pub need_fullpath: bool,
    /// Whether archives are left as they are.
    pub block_extract: bool,
}

/// Size of the picture.
#[repr(C)]
#[derive(Debug)]
pub struct GameGeometry {
    /// Width in pixels.
    pub base_width: c_uint,
    /// Height in pixels.
    pub base_height: c_uint,
    /// Largest width.
    pub max_width: c_uint,
    /// Largest height.
    pub max_height: c_uint,
    /// Width by height.
    pub aspect_ratio: f32,
}

/// Size of the picture, frames and samples per second.
#[repr(C)]
#[derive(Debug)]
pub struct SystemAvInfo {
    /// Size of the picture.
    pub geometry: GameGeometry,
    /// Frames a second.
    pub fps: f64,
    /// Samples of sound a second.
    pub sample_rate: f64,
}

/// Description of one input.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct InputDescriptor {
    /// Port.
    pub port: c_uint,
    /// Device.
    pub device: c_uint,
    /// Index.
    pub index: c_uint,
    /// Identifier.
    pub id: c_uint,
    /// Words; null ends a list.
    pub description: *const c_char,
}
