//! Threads, locks and atomic numbers of a search: those of the standard library, or with the feature `shuttle` those of
//! the model checker shuttle, which tries orders of events that a machine rarely shows.

#[cfg(feature = "shuttle")]
pub(super) use shuttle::{
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
    sync::{Mutex, MutexGuard},
    thread::{Scope, ScopedJoinHandle, scope, sleep},
};
use std::sync::LockResult;
#[cfg(not(feature = "shuttle"))]
use std::sync::TryLockError;
#[cfg(not(feature = "shuttle"))]
pub(super) use std::{
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
    sync::{Mutex, MutexGuard},
    thread::{Scope, ScopedJoinHandle, scope, sleep},
};

/// Stack of a search thread, in bytes.
#[cfg(not(feature = "shuttle"))]
const STACK_BYTES: usize = 16 << 20;

/// Attempts to take a lock before a thread sleeps: some ten microseconds, as long as a search keeps its lock at most. To
/// fall asleep and to be woken takes about as long, and the other thread's time as well.
#[cfg(not(feature = "shuttle"))]
const ATTEMPTS: u32 = 400;

/// Takes a lock that is kept for moments only.
///
/// # Errors
/// When a thread has panicked while it had the lock.
#[cfg(not(feature = "shuttle"))]
pub(super) fn lock<T>(mutex: &Mutex<T>) -> LockResult<MutexGuard<'_, T>> {
    for _ in 0..ATTEMPTS {
        match mutex.try_lock() {
            Ok(guard) => return Ok(guard),
            Err(TryLockError::Poisoned(poisoned)) => return Err(poisoned),
            Err(TryLockError::WouldBlock) => std::hint::spin_loop(),
        }
    }
    mutex.lock()
}

/// Takes a lock.
///
/// # Errors
/// When a thread has panicked while it had the lock.
#[cfg(feature = "shuttle")]
pub(super) fn lock<T>(mutex: &Mutex<T>) -> LockResult<MutexGuard<'_, T>> {
    mutex.lock()
}

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
