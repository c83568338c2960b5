//! Console: the game on its screen with the engine behind it, as the interface of C needs it, without any of that.

use std::sync::{Mutex, MutexGuard, PoisonError};

use barrow_nnue::nets::Network;
use barrow_nnue::{embedded_nets, shape::Handheld};
use barrow_screen::buttons::{Buttons, Touch};
use barrow_screen::draw::Canvas;
use barrow_screen::engine::TurnSearch;
use barrow_screen::level::{Level, Machine};
use barrow_screen::save::{SAVE_BYTES, SaveError, crc32};
use barrow_screen::screen::{Effect, GameScreen};
use barrow_solver::attack::PLANNER_WORDS;

use crate::picture::{LARGE_HEIGHT, LARGE_WIDTH, Picture};

/// Machine of a libretro frontend: 32 nodes a frame.
pub const MACHINE: Machine = Machine {
    name: "Barrow 0.1   A choose   B back   START menu",
    levels: &[
        Level { name: "easy", about: "plays by simple rules", slices: 0 },
        Level { name: "gentle", about: "looks at 32 positions", slices: 1 },
        Level { name: "medium", about: "looks at 128 positions", slices: 4 },
        Level { name: "hard", about: "looks at 512 positions", slices: 16 },
        Level { name: "strong", about: "looks at 2048 positions", slices: 64 },
        Level { name: "master", about: "looks at 8192 positions", slices: 256 },
    ],
    default_level: 2,
    max_boards: 8,
    nodes_per_slice: 32,
};

/// Bytes of a state: header, container of the screen, save memory, which a later load of the game reads.
///
/// | bytes | content |
/// |---|---|
/// | 8 | `BRWCORE` and a zero |
/// | 4 | version |
/// | 4 | CRC-32 of all that follows |
/// | 16,384 | container of [`barrow_screen::save`] |
/// | 16,384 | save memory |
pub const STATE_BYTES: usize = HEADER + 2 * SAVE_BYTES;

const HEADER: usize = 16;
const MAGIC: &[u8; 12] = b"BRWCORE\0\x01\0\0\0";

/// Game on its screen, with the engine.
pub struct Console {
    screen: GameScreen,
    canvas: Canvas,
    picture: Picture,
    large: Vec<u32>,
    save: Box<[u8; SAVE_BYTES]>,
}

/// The engine: a search of 3,072 positions whose turns are composed, twice as many nodes.
type ConsoleSearch = TurnSearch<Handheld, 3072, { 96 * 1024 }, PLANNER_WORDS>;

/// Engine for all consoles of a program; it is too large for a stack.
static ENGINE: Mutex<ConsoleSearch> = Mutex::new(ConsoleSearch::new());

fn engine() -> MutexGuard<'static, ConsoleSearch> {
    ENGINE.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Console {
    /// Console that has just been switched on. `None` when the network that comes along is not whole.
    pub fn new() -> Option<Console> {
        let network = Network::from_bytes(embedded_nets::HANDHELD).ok()?;
        engine().take_network(network);
        Some(Console {
            screen: GameScreen::new(MACHINE),
            canvas: Canvas::new(),
            picture: Picture::default(),
            large: vec![0; LARGE_WIDTH * LARGE_HEIGHT],
            save: Box::new([0; SAVE_BYTES]),
        })
    }

    /// Switches off and on again, with this save memory.
    pub fn reset(&mut self, memory: &[u8]) {
        self.screen = GameScreen::new(MACHINE);
        self.screen.look_at_save(memory);
    }

    /// Frame: input, a slice of work, what the save memory is to hold if that has changed, the picture.
    pub fn frame(&mut self, buttons: Buttons, touch: Option<Touch>, memory: &mut [u8; SAVE_BYTES]) {
        self.screen.frame(buttons, touch);
        self.screen.think(&mut *engine());
        match self.screen.take_effect() {
            Some(Effect::Save) => {
                self.screen.note_saved();
                self.screen.save(memory);
            }
            Some(Effect::Load) => self.screen.load_game(memory),
            None => {}
        }
        self.canvas.draw(&self.screen, &mut self.picture);
        self.picture.enlarge(&mut self.large);
    }

    /// Picture of the last frame, row by row, 32 bits a pixel.
    pub fn picture(&self) -> &[u32] {
        &self.large
    }

    /// The game on its screen.
    pub fn screen(&self) -> &GameScreen {
        &self.screen
    }

    /// Writes the state, of which the save memory is a part, to the beginning of this room; false when it does not fit.
    pub fn serialize(&mut self, state: &mut [u8], memory: &[u8; SAVE_BYTES]) -> bool {
        let Some((header, rest)) =
            state.get_mut(..STATE_BYTES).and_then(|room| room.split_at_mut_checked(HEADER))
        else {
            return false;
        };
        self.screen.save(&mut self.save);
        let (container, saved) = rest.split_at_mut(SAVE_BYTES);
        container.copy_from_slice(self.save.as_slice());
        saved.copy_from_slice(memory);
        let (magic, crc) = header.split_at_mut(MAGIC.len());
        magic.copy_from_slice(MAGIC);
        crc.copy_from_slice(&crc32(rest).to_le_bytes());
        true
    }

    /// Goes on with the state at the beginning of these bytes: frontends may lend more of them than a state has. On error
    /// nothing has changed.
    pub fn unserialize(&mut self, state: &[u8], memory: &mut [u8; SAVE_BYTES]) -> Result<(), SaveError> {
        let (header, rest) = state
            .get(..STATE_BYTES)
            .and_then(|state| state.split_first_chunk::<HEADER>())
            .ok_or(SaveError::Size)?;
        let (magic, crc) = header.split_at(MAGIC.len());
        if magic.get(..8) != MAGIC.get(..8) {
            return Err(SaveError::Foreign);
        }
        if magic != MAGIC {
            return Err(SaveError::Version);
        }
        if crc != crc32(rest).to_le_bytes() {
            return Err(SaveError::Checksum);
        }
        let (container, saved) = rest.split_first_chunk::<SAVE_BYTES>().ok_or(SaveError::Size)?;
        let saved = saved.first_chunk::<SAVE_BYTES>().ok_or(SaveError::Size)?;
        self.screen.load(container)?;
        *memory = *saved;
        Ok(())
    }
}
