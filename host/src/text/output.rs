//! Output of text for people: on standard output, or on standard error in a run whose standard output is for JSON alone
//! (`--json`).

use std::fmt;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};

static STDOUT_IS_FOR_JSON: AtomicBool = AtomicBool::new(false);

/// Keeps standard output for JSON from now on.
pub fn keep_stdout_for_json() {
    STDOUT_IS_FOR_JSON.store(true, Ordering::Relaxed);
}

/// Prints text for people. Where standard output is for JSON, text that nobody reads is no fault.
pub fn print_text(text: fmt::Arguments<'_>) {
    if STDOUT_IS_FOR_JSON.load(Ordering::Relaxed) {
        let _ = std::io::stderr().write_fmt(text);
    } else {
        print!("{text}");
    }
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
    ($($text:tt)*) => {{
        $crate::say_part!($($text)*);
        $crate::say_part!("\n");
    }};
}
