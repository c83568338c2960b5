//! The pointer: what is touched beside the picture is no touch, in the words of new and of old frontends.

use core::ffi::{c_uint, c_void};
use core::ptr;
use core::sync::atomic::{AtomicI16, Ordering::Relaxed};

use barrow_libretro::{
    abi, retro_init, retro_load_game, retro_run, retro_serialize, retro_serialize_size,
    retro_set_environment, retro_set_input_poll, retro_set_input_state,
};

/// Place of the pointer, and whether it is pressed and beside the picture.
static POINTER: [AtomicI16; 4] = [const { AtomicI16::new(0) }; 4];

unsafe extern "C" fn environment(_: c_uint, _: *mut c_void) -> bool {
    true
}

unsafe extern "C" fn poll() {}

unsafe extern "C" fn input(_: c_uint, device: c_uint, _: c_uint, id: c_uint) -> i16 {
    let place = match id {
        abi::POINTER_X => 0,
        abi::POINTER_Y => 1,
        abi::POINTER_PRESSED => 2,
        abi::POINTER_IS_OFFSCREEN => 3,
        _ => return 0,
    };
    if device == abi::DEVICE_POINTER { POINTER[place].load(Relaxed) } else { 0 }
}

/// The page after a touch: a number of the state.
fn page_after(pointer: [i16; 4]) -> u8 {
    for now in [pointer, [0; 4]] {
        POINTER.iter().zip(now).for_each(|(slot, value)| slot.store(value, Relaxed));
        retro_run();
    }
    let mut state = vec![0_u8; retro_serialize_size()];
    // SAFETY: the state has as many bytes as are said.
    assert!(unsafe { retro_serialize(state.as_mut_ptr().cast(), state.len()) });
    // Behind the header of the core, 22 bytes into the container of the screen.
    state[16 + 22]
}

#[test]
fn a_touch_beside_the_picture_is_none() {
    const TITLE: u8 = 0;
    const SETTINGS: u8 = 2;
    retro_set_environment(Some(environment));
    retro_set_input_poll(Some(poll));
    retro_set_input_state(Some(input));
    retro_init();
    assert!(retro_load_game(ptr::null()));
    // "New game" stands in the middle, 96 rows of 160 from the top.
    let y = (96 * 65_535 / 160 - 32_767) as i16;
    assert_eq!(page_after([0, y, 0, 0]), TITLE);
    assert_eq!(page_after([0, y, 1, 0]), SETTINGS);
    // The bar at the upper edge goes back to the title, unless the place is only the nearest one.
    for outside in [[0, -32_767, 1, 1], [abi::POINTER_NOWHERE, abi::POINTER_NOWHERE, 1, 0]] {
        assert_eq!(page_after(outside), SETTINGS, "{outside:?}");
    }
    assert_eq!(page_after([0, -32_767, 1, 0]), TITLE);
}
