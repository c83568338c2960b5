//! The terminal while a game has it: raw input, the alternate screen, no cursor. It gets back what it had, also after a
//! panic.

use std::io::{self, Stdout, stdout};
use std::mem::ManuallyDrop;
use std::panic;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crossterm::cursor::{Hide, Show};
use crossterm::execute;
use crossterm::style::force_color_output;
use crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode};
use ratatui_core::terminal::Terminal;
use ratatui_crossterm::CrosstermBackend;

/// Whether a game has the terminal.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// The terminal that a game has. Dropping it gives it back.
pub(super) struct RawScreen {
    /// Terminal that frames are drawn on. It is not dropped, for it would panic where neither the cursor can be shown
    /// nor anybody told that it cannot; [`restore`] shows it.
    pub terminal: ManuallyDrop<Terminal<CrosstermBackend<Stdout>>>,
}

impl RawScreen {
    /// Takes the terminal.
    pub(super) fn take(color: bool) -> io::Result<RawScreen> {
        give_back_on_panic();
        force_color_output(color);
        TAKEN.store(true, Ordering::SeqCst);
        let screen = || {
            enable_raw_mode()?;
            execute!(stdout(), EnterAlternateScreen, Hide)?;
            Terminal::new(CrosstermBackend::new(stdout()))
        };
        match screen() {
            Ok(terminal) => Ok(RawScreen { terminal: ManuallyDrop::new(terminal) }),
            Err(error) => {
                restore();
                Err(error)
            }
        }
    }
}

impl Drop for RawScreen {
    fn drop(&mut self) {
        restore();
    }
}

/// Gives the terminal back, if a game has it.
pub fn restore() {
    if TAKEN.swap(false, Ordering::SeqCst) {
        // Whoever has hung up needs nothing back.
        let _ = execute!(stdout(), LeaveAlternateScreen, Show);
        let _ = disable_raw_mode();
    }
}

/// Gives the terminal back before the message of a panic, which would be lost on the game's screen. A panic of the
/// engine's threads does not end the game: the search is broken down, and says so on the screen.
fn give_back_on_panic() {
    let usual = panic::take_hook();
    let own = thread::current().id();
    panic::set_hook(Box::new(move |info| {
        if thread::current().id() == own {
            restore();
        } else if TAKEN.load(Ordering::SeqCst) {
            return;
        }
        usual(info);
    }));
}
