//! Ctrl-C ends a long command in good order: the handler only raises a flag that the command looks at.

use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Result, bail};

static REQUESTED: AtomicBool = AtomicBool::new(false);

/// From now on Ctrl-C raises the flag instead of killing the program. A second Ctrl-C kills it after all, for
/// commands that are stuck.
pub fn install() {
    // Without a handler Ctrl-C just keeps its usual effect.
    let _ = ctrlc::set_handler(|| {
        if REQUESTED.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
}

/// Whether Ctrl-C was pressed.
pub fn requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}

/// An error once Ctrl-C was pressed, for commands whose result would be incomplete.
pub fn check() -> Result<()> {
    if requested() {
        bail!("interrupted");
    }
    Ok(())
}
