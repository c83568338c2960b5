//! Threads, locks and atomic numbers of a search: those of the standard library, or with the feature `shuttle` those of
//! the model checker shuttle, which tries orders of events that a machine rarely shows.

#[cfg(feature = "shuttle")]
pub(super) use shuttle::{
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
    sync::{Mutex, MutexGuard},
    thread::{Scope, ScopedJoinHandle, scope, sleep},
};
#[cfg(not(feature = "shuttle"))]
pub(super) use std::{
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
    sync::{Mutex, MutexGuard},
    thread::{Scope, ScopedJoinHandle, scope, sleep},
};

/// Stack of a search thread, in bytes.
#[cfg(not(feature = "shuttle"))]
const STACK_BYTES: usize = 16 << 20;

/// Starts a thread of a search; `None` where the system has none to give.
#[cfg(not(feature = "shuttle"))]
pub(super) fn spawn<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> Option<ScopedJoinHandle<'scope, T>> {
    std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work).ok()
}

/// Starts a thread of a search, with the stack that the model checker is told of.
// The other version can fail.
#[allow(clippy::unnecessary_wraps)]
#[cfg(feature = "shuttle")]
pub(super) fn spawn<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> Option<ScopedJoinHandle<'scope, T>> {
    Some(scope.spawn(work))
}
