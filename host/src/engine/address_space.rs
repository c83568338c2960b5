//! Address space that is left to the program where the system bounds it, as `ulimit -v` does.

/// Bytes of address space that are left; `None` where there is no bound, or none that is known.
#[cfg(target_os = "linux")]
pub(super) fn left() -> Option<usize> {
    let bound = rustix::process::getrlimit(rustix::process::Resource::As).current?;
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let used = status.lines().find_map(|line| line.strip_prefix("VmSize:"))?;
    let used: u64 = used.trim().strip_suffix(" kB")?.parse().ok()?;
    usize::try_from(bound.saturating_sub(used << 10)).ok()
}

/// Bytes of address space that are left; `None` where there is no bound, or none that is known.
#[cfg(not(target_os = "linux"))]
pub(super) fn left() -> Option<usize> {
    None
}
