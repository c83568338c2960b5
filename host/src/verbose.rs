//! Events on standard error for who looks for a fault (`--verbose`): files and networks that are opened, searches, engines
//! and games; said twice, every line of UMI and of other programs too. Without it nothing is written but the warnings and errors of a
//! server, and nothing in the inner loops of a search asks for it.

use std::io::stderr;
use std::sync::atomic::{AtomicBool, Ordering};

use tracing::Level;
use tracing_subscriber::fmt::time::uptime;

static IS_ON: AtomicBool = AtomicBool::new(false);

/// Writes events from now on: none at level 0, those of files, searches and games at 1, lines of protocols too at 2, all that
/// there are above. Only the first call counts.
pub fn begin(level: u8) {
    let level = match level {
        0 => return,
        1 => Level::INFO,
        2 => Level::DEBUG,
        _ => Level::TRACE,
    };
    if write_from(level) {
        IS_ON.store(true, Ordering::Relaxed);
    }
}

/// Writes warnings and errors from now on, for whoever runs a server, where [`begin`] has not begun to write more.
pub fn begin_warnings() {
    write_from(Level::WARN);
}

/// Writes events of a level and of those above it. False where others are written already.
fn write_from(level: Level) -> bool {
    let subscriber = tracing_subscriber::fmt()
        .with_writer(stderr)
        .with_timer(uptime())
        .with_target(false)
        .with_max_level(level)
        .finish();
    tracing::subscriber::set_global_default(subscriber).is_ok()
}

/// Whether events are written, so that nothing else should draw on standard error.
pub fn is_on() -> bool {
    IS_ON.load(Ordering::Relaxed)
}
