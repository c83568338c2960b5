//! Output of text for people: on standard output, or on standard error in a run whose standard output is for JSON alone
//! (`--json`) or for a file (`-` for its name).

use std::io::{ErrorKind, IsTerminal, Write, stderr, stdout};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::{env, fmt};

use anyhow::Result;
use serde::Serialize;

static STDOUT_IS_FOR_JSON: AtomicBool = AtomicBool::new(false);

static TEXT_IS_ON_STDERR: AtomicBool = AtomicBool::new(false);

/// Whether what the command makes is in files, and text only tells of it.
static TEXT_IS_ASIDE: AtomicBool = AtomicBool::new(false);

/// Goes on from now on where nobody reads the text for people: a file is written whose work would be lost.
pub fn go_on_unread() {
    TEXT_IS_ASIDE.store(true, Ordering::Relaxed);
}

/// Keeps standard output for JSON from now on.
pub fn keep_stdout_for_json() {
    STDOUT_IS_FOR_JSON.store(true, Ordering::Relaxed);
    keep_stdout_for_file();
}

/// Keeps standard output for a file that goes there, from now on.
pub fn keep_stdout_for_file() {
    TEXT_IS_ON_STDERR.store(true, Ordering::Relaxed);
}

/// Whether standard output is kept for JSON.
pub fn stdout_is_for_json() -> bool {
    STDOUT_IS_FOR_JSON.load(Ordering::Relaxed)
}

/// Choice of when text for people is coloured.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, clap::ValueEnum)]
pub enum Color {
    /// On a terminal that knows colours, unless the environment has NO_COLOR
    #[default]
    Auto,
    /// In files and pipes too
    Always,
    /// Not at all
    Never,
}

static COLOR: OnceLock<Color> = OnceLock::new();

/// Fixes when text is coloured; only the first call counts.
pub fn choose_color(color: Color) {
    let _ = COLOR.set(color);
}

/// Whether text for people is to be coloured. By default it is on a terminal, unless `NO_COLOR` is set and not empty, or
/// `TERM` is `dumb`.
pub fn is_colored() -> bool {
    match COLOR.get().copied().unwrap_or_default() {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => {
            let plain = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
                || env::var_os("TERM").is_some_and(|value| value == "dumb");
            let on_stderr = TEXT_IS_ON_STDERR.load(Ordering::Relaxed);
            !plain && if on_stderr { stderr().is_terminal() } else { stdout().is_terminal() }
        }
    }
}

/// Prints text for people. Where standard output is for something else, text that nobody reads is no fault; nor is it where
/// files are written.
pub fn print_text(text: fmt::Arguments<'_>) {
    if TEXT_IS_ON_STDERR.load(Ordering::Relaxed) {
        let _ = stderr().write_fmt(text);
    } else if TEXT_IS_ASIDE.load(Ordering::Relaxed) {
        match stdout().write_fmt(text) {
            Err(error) if error.kind() != ErrorKind::BrokenPipe => print!("{text}"),
            _ => {}
        }
    } else {
        print!("{text}");
    }
}

/// Prints what `--json` promises: one JSON value on one line of standard output.
pub fn print_json(report: &impl Serialize) -> Result<()> {
    println!("{}", serde_json::to_string(report)?);
    Ok(())
}

/// Prints text for people, as `print!` does.
#[macro_export]
macro_rules! say_part {
    ($($text:tt)*) => { $crate::text::output::print_text(format_args!($($text)*)) };
}

/// Prints a line for people, as `println!` does.
#[macro_export]
macro_rules! say {
    () => { $crate::say_part!("\n") };
    // One piece, so that lines of several threads stay whole.
    ($($text:tt)*) => { $crate::say_part!("{}\n", format_args!($($text)*)) };
}
