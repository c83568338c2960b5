//! Interruption of long commands by Ctrl-C: the handler sets a flag, which the command checks between steps.

use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Result, bail};

static REQUESTED: AtomicBool = AtomicBool::new(false);

/// Installs the handler: the first Ctrl-C sets the flag. A second Ctrl-C ends the program at once, for commands that are
/// stuck.
pub fn install() {
    // Without a handler Ctrl-C just keeps its usual effect.
    let _ = ctrlc::set_handler(|| {
        if REQUESTED.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
}

/// Whether Ctrl-C was pressed since [`install`].
pub fn requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}

/// Returns an error after Ctrl-C, for commands whose result would be incomplete.
pub fn check() -> Result<()> {
    if requested() {
        bail!("interrupted");
    }
    Ok(())
}
