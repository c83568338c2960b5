//! Interruption of long commands by Ctrl-C or by SIGTERM and SIGHUP, as systems send them when they shut down: the
//! handler sets a flag, which the command checks between steps.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Result, bail};

static REQUESTED: AtomicBool = AtomicBool::new(false);

/// End of the time that the user gave a command.
static DEADLINE: OnceLock<Instant> = OnceLock::new();

/// Interrupts the command once this much time has passed. Only the first call of a program counts.
pub fn set_deadline(time: Duration) {
    if let Some(end) = Instant::now().checked_add(time) {
        let _ = DEADLINE.set(end);
    }
}

/// Whether the time of [`set_deadline`] has passed.
pub fn is_overdue() -> bool {
    DEADLINE.get().is_some_and(|&end| Instant::now() >= end)
}

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

/// Whether an interrupt came since [`install`], or the deadline has passed.
pub fn requested() -> bool {
    REQUESTED.load(Ordering::Relaxed) || is_overdue()
}

/// Returns an error after an interrupt, for commands whose result would be incomplete.
pub fn check() -> Result<()> {
    if requested() {
        bail!("interrupted");
    }
    Ok(())
}
