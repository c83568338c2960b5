//! The machine: registers, picture memory, keys, save memory.

use barrow_screen::art::palette::{Colour, PALETTE};
use barrow_screen::buttons::Buttons;
use barrow_screen::draw::{HEIGHT, Surface, WIDTH};
use barrow_screen::save::SAVE_BYTES;

const DISPLAY_CONTROL: *mut u16 = 0x0400_0000 as *mut u16;
const DISPLAY_STATUS: *mut u16 = 0x0400_0004 as *mut u16;
const INTERRUPT_ENABLE: *mut u16 = 0x0400_0200 as *mut u16;
const WAIT_CONTROL: *mut u16 = 0x0400_0204 as *mut u16;
const INTERRUPT_MASTER: *mut u16 = 0x0400_0208 as *mut u16;
const COLOURS: *mut u16 = 0x0500_0000 as *mut u16;
const PICTURE: *mut u16 = 0x0600_0000 as *mut u16;
const SAVE_MEMORY: *mut u8 = 0x0e00_0000 as *mut u8;

/// Places of the ring of keys.
const RING: usize = 64;

/// Keys of the latest changes, written by the interrupt handler; its offsets are in the start code.
#[repr(C)]
struct Keys {
    /// Frames so far.
    frames: u32,
    /// Changes so far.
    changes: u32,
    /// Keys of the last frame; a bit is 0 where a key is held.
    last: u32,
    /// Keys after each change.
    ring: [u16; RING],
}

#[unsafe(no_mangle)]
#[unsafe(link_section = ".iwram_bss")]
static mut KEYS: Keys = Keys { frames: 0, changes: 0, last: 0, ring: [0; RING] };

/// Text by which flash carts and emulators know which kind of save memory there is.
#[used]
#[unsafe(link_section = ".rodata.save_kind")]
static SAVE_KIND: [u8; 12] = *b"SRAM_V113\0\0\0";

/// Switches picture and interrupts on.
pub fn start() {
    // SAFETY: registers of the machine, written as its manual demands; nobody else uses them.
    unsafe {
        let _ = core::ptr::read_volatile(&raw const SAVE_KIND);
        // Short waits for the cartridge, with prefetch; 8 cycles for the save memory.
        WAIT_CONTROL.write_volatile(0x4317);
        for (place, [red, green, blue]) in PALETTE.iter().enumerate() {
            let five = |value: u8| u16::from(value >> 3);
            COLOURS.add(place).write_volatile(five(*red) | five(*green) << 5 | five(*blue) << 10);
        }
        // A picture of 240 by 160 bytes, each a number of the palette.
        DISPLAY_CONTROL.write_volatile(0x0404);
        DISPLAY_STATUS.write_volatile(0x0008);
        INTERRUPT_ENABLE.write_volatile(0x0001);
        INTERRUPT_MASTER.write_volatile(1);
    }
}

/// Waits for the next interrupt.
pub fn wait() {
    // SAFETY: the system's call `Halt` changes no register that the compiler relies on but r0 to r3.
    unsafe { core::arch::asm!("swi 2", out("r0") _, out("r1") _, out("r2") _, out("r3") _) };
}

/// Frames since the machine was switched on.
pub fn frames() -> u32 {
    // SAFETY: a single number that the handler writes whole; read as volatile, since it changes on its own.
    unsafe { core::ptr::read_volatile(&raw const KEYS.frames) }
}

/// Reader of the ring of keys: nothing that is pressed is lost while the engine works.
pub struct KeyReader {
    changes: u32,
    frames: u32,
    last: Buttons,
}

impl KeyReader {
    /// A reader of the keys from now on.
    pub const fn new() -> KeyReader {
        KeyReader { changes: 0, frames: 0, last: Buttons(0) }
    }

    /// Keys of the next frame: first each change since the last call, then the keys as they stay. `None` when no frame
    /// is over.
    pub fn next(&mut self) -> Option<Buttons> {
        // SAFETY: as in `frames`.
        let changes = unsafe { core::ptr::read_volatile(&raw const KEYS.changes) };
        if changes != self.changes {
            self.changes = self.changes.max(changes.saturating_sub(RING as u32 / 2));
            let place = self.changes as usize % RING;
            // SAFETY: as above; the place is within the ring.
            let keys = unsafe { core::ptr::read_volatile((&raw const KEYS.ring).cast::<u16>().add(place)) };
            self.changes += 1;
            self.frames = self.frames.wrapping_add(1);
            // Bits lie as in `Buttons`.
            self.last = Buttons(!keys & 0x03ff);
            return Some(self.last);
        }
        let now = frames();
        // After a long pause nothing is repeated for the time that is over.
        self.frames = self.frames.max(now.saturating_sub(2)).min(now);
        if self.frames == now {
            return None;
        }
        self.frames += 1;
        Some(self.last)
    }
}

/// Picture memory, which takes two bytes at a time.
pub struct Display;

impl Surface for Display {
    fn span(&mut self, x: usize, y: usize, pixels: &[Colour]) {
        if x >= WIDTH || y >= HEIGHT {
            return;
        }
        let pixels = pixels.get(..WIDTH - x).unwrap_or(pixels);
        let start = y * WIDTH + x;
        let (head, even) =
            if start % 2 == 1 { pixels.split_at_checked(1).unwrap_or((&[], &[])) } else { (&[][..], pixels) };
        let half = |place: usize| place / 2;
        // SAFETY: rows and columns are within the picture, so every address is within the picture memory.
        unsafe {
            if let [pixel] = head {
                let at = PICTURE.add(half(start));
                at.write_volatile(at.read_volatile() & 0x00ff | u16::from(*pixel) << 8);
            }
            let mut at = PICTURE.add(half(start + head.len()));
            let (pairs, tail) = even.as_chunks::<2>();
            for pair in pairs {
                at.write_volatile(u16::from_le_bytes(*pair));
                at = at.add(1);
            }
            if let [pixel] = tail {
                at.write_volatile(at.read_volatile() & 0xff00 | u16::from(*pixel));
            }
        }
    }
}

/// Copies the save memory, which takes single bytes.
pub fn read_save(memory: &mut [u8; SAVE_BYTES]) {
    for (place, byte) in memory.iter_mut().enumerate() {
        // SAFETY: the save memory has 32 KiB, more than a container.
        *byte = unsafe { SAVE_MEMORY.add(place).read_volatile() };
    }
}

/// Writes the save memory.
pub fn write_save(memory: &[u8; SAVE_BYTES]) {
    for (place, &byte) in memory.iter().enumerate() {
        // SAFETY: the save memory has 32 KiB, more than a container.
        unsafe { SAVE_MEMORY.add(place).write_volatile(byte) };
    }
}

/// Writes numbers behind the container, where tests read them.
pub fn report(numbers: [u32; 4]) {
    for (place, byte) in numbers.iter().flat_map(|number| number.to_le_bytes()).enumerate() {
        // SAFETY: the save memory has 32 KiB, more than a container and a few numbers.
        unsafe { SAVE_MEMORY.add(SAVE_BYTES + place).write_volatile(byte) };
    }
}

/// Turns the whole screen red.
pub fn alarm() {
    // SAFETY: the first colour of the palette, which the whole screen is switched to by taking the picture away.
    unsafe {
        COLOURS.write_volatile(0x001f);
        DISPLAY_CONTROL.write_volatile(0);
    }
}
