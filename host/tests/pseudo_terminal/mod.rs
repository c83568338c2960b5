//! The program in a pseudo-terminal: keys go in, and a terminal in memory says what stands on the screen.

use std::io::{Read, Write};
use std::path::Path;
use std::process::Child;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use pty_process::Size;
use pty_process::blocking::{Command, Pty, open};
use vt100::{Color, Parser};

use super::program::signal;

/// Rows and columns of the terminal at first.
pub(crate) const SIZE: (u16, u16) = (24, 80);

const PROGRAM: &str = env!("CARGO_BIN_EXE_barrow");

/// Time after which a screen that is waited for is taken not to come: far more than any needs.
const PATIENCE: Duration = Duration::from_mins(2);

/// The program in a terminal.
pub(crate) struct Game {
    pty: Arc<Pty>,
    child: Child,
    output: Receiver<Vec<u8>>,
    parser: Parser,
}

impl Game {
    /// Starts a game in a folder.
    pub(crate) fn start(folder: &Path, arguments: &[&str]) -> Game {
        Game::start_as(folder, &[&["play"], arguments].concat(), "xterm-256color")
    }

    /// Starts a command in a folder, on a terminal that calls itself so.
    pub(crate) fn start_as(folder: &Path, arguments: &[&str], term: &str) -> Game {
        Game::start_program(folder, PROGRAM, arguments, term)
    }

    /// Starts a game, and behind it what tells how the terminal is set.
    pub(crate) fn start_in_shell(folder: &Path, arguments: &str) -> Game {
        let script = format!("{PROGRAM} play {arguments} && stty -a");
        Game::start_program(folder, "sh", &["-c", &script], "xterm-256color")
    }

    fn start_program(folder: &Path, program: &str, arguments: &[&str], term: &str) -> Game {
        let (pty, pts) = open().unwrap();
        pty.resize(Size::new(SIZE.0, SIZE.1)).unwrap();
        let command = Command::new(program).args(arguments);
        let child = command.current_dir(folder).env("TERM", term).env_remove("NO_COLOR").spawn(pts).unwrap();
        let pty = Arc::new(pty);
        let (sender, output) = channel();
        let reader = pty.clone();
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            // The end is an error on some systems.
            while let Ok(count @ 1..) = (&*reader).read(&mut bytes) {
                if sender.send(bytes[..count].to_vec()).is_err() {
                    return;
                }
            }
        });
        Game { pty, child, output, parser: parser(SIZE) }
    }

    /// Types keys, as a terminal sends them.
    pub(crate) fn type_keys(&mut self, keys: &str) {
        (&*self.pty).write_all(keys.as_bytes()).unwrap();
    }

    /// Changes the size of the terminal.
    pub(crate) fn resize(&mut self, rows: u16, columns: u16) {
        self.parser.screen_mut().set_size(rows.try_into().unwrap(), columns.try_into().unwrap());
        self.pty.resize(Size::new(rows, columns)).unwrap();
    }

    /// Sends a signal, by its name.
    pub(crate) fn signal(&self, name: &str) {
        signal(&self.child, name);
    }

    /// Waits until a text stands on the screen.
    pub(crate) fn wait_for(&mut self, wanted: &str) {
        self.wait_until(wanted, |screen| screen.contains(wanted));
    }

    /// Waits until the screen is as wanted.
    pub(crate) fn wait_until(&mut self, what: &str, is_so: impl Fn(&str) -> bool) {
        let end = Instant::now() + PATIENCE;
        loop {
            let screen = self.parser.screen().contents();
            if is_so(&screen) {
                return;
            }
            assert!(Instant::now() < end, "waited for {what}:\n{screen}");
            match self.output.recv_timeout(Duration::from_millis(100)) {
                Ok(bytes) => self.parser.process(&bytes),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => panic!("ended before {what}:\n{screen}"),
            }
        }
    }

    /// Whether the program has the alternate screen.
    pub(crate) fn is_on_alternate_screen(&self) -> bool {
        self.parser.screen().alternate_screen()
    }

    /// Whether the terminal's own cursor is hidden.
    pub(crate) fn hides_cursor(&self) -> bool {
        self.parser.screen().hide_cursor()
    }

    /// Whether anything on the screen has a colour.
    pub(crate) fn has_colors(&self) -> bool {
        let screen = self.parser.screen();
        let mut cells =
            (0..SIZE.0).flat_map(|row| (0..SIZE.1).filter_map(move |column| screen.cell(row, column)));
        cells.any(|cell| cell.fgcolor() != Color::Default || cell.bgcolor() != Color::Default)
    }

    /// Closes the terminal after these last keys, whose answer nobody reads, and waits for the end of the program.
    pub(crate) fn hang_up(mut self, keys: &str) {
        drop(self.output);
        (&*self.pty).write_all(keys.as_bytes()).unwrap();
        // The last one who has it is the thread that reads: until the answer.
        drop(self.pty);
        let end = Instant::now() + PATIENCE;
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            if Instant::now() >= end {
                self.child.kill().unwrap();
                panic!("it goes on without a terminal");
            }
            thread::sleep(Duration::from_millis(20));
        };
        assert!(status.code().is_some(), "it breaks down: {status}");
    }

    /// Waits for the end of the program: exit code 0, and the terminal as it was. Returns what stands on it then.
    pub(crate) fn ended(mut self) -> String {
        let end = Instant::now() + PATIENCE;
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(Instant::now() < end, "it does not end:\n{}", self.parser.screen().contents());
            if let Ok(bytes) = self.output.recv_timeout(Duration::from_millis(50)) {
                self.parser.process(&bytes);
            }
        };
        // What it wrote last: until the terminal is quiet.
        while let Ok(bytes) = self.output.recv_timeout(Duration::from_millis(300)) {
            self.parser.process(&bytes);
        }
        let screen = self.parser.screen();
        let text = screen.contents();
        assert_eq!(status.code(), Some(0), "{text}");
        assert!(!screen.alternate_screen() && !screen.hide_cursor(), "the terminal is not given back");
        text
    }
}

fn parser((rows, columns): (u16, u16)) -> Parser {
    Parser::new(rows.try_into().unwrap(), columns.try_into().unwrap(), 0)
}
