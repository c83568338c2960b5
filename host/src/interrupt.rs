//! Interruption of long commands by Ctrl-C or by SIGTERM and SIGHUP, as systems send them when they shut down: the
//! handler sets a flag, which the command checks between steps.

use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Result, bail};

static REQUESTED: AtomicBool = AtomicBool::new(false);

/// Installs the handler: the first Ctrl-C or signal sets the flag. A second one calls `abort` and ends the program at
/// once, for commands that are stuck.
pub fn install(abort: fn()) {
    // Without a handler the signals just keep their usual effect.
    let _ = ctrlc::set_handler(move || {
        if REQUESTED.swap(true, Ordering::Relaxed) {
            abort();
            std::process::exit(130);
        }
    });
}

/// Whether an interrupt came since [`install`].
pub fn requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}

/// Returns an error after an interrupt, for commands whose result would be incomplete.
pub fn check() -> Result<()> {
    if requested() {
        bail!("interrupted");
    }
    Ok(())
}
