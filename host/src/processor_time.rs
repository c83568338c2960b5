//! Processor time of a thread, for limits and figures that hold on a busy machine too.

use std::time::Duration;

/// Processor time of the calling thread; nothing where the system does not report it.
#[cfg(unix)]
pub fn thread_time() -> Option<Duration> {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Some(Duration::new(u64::try_from(time.tv_sec).ok()?, u32::try_from(time.tv_nsec).ok()?))
}

/// Processor time of the calling thread; nothing where the system does not report it.
#[cfg(not(unix))]
pub fn thread_time() -> Option<Duration> {
    None
}
