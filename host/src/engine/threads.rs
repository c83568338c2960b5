//! Threads, locks and atomic numbers of a search: those of the standard library, or with the feature `shuttle` those of
//! the model checker shuttle, which tries orders of events that a machine rarely shows.

use std::cell::Cell;
use std::time::Duration;
#[cfg(not(feature = "shuttle"))]
use std::time::Instant;

#[cfg(not(feature = "shuttle"))]
pub(super) use parking_lot::{Mutex, MutexGuard};
#[cfg(feature = "shuttle")]
pub(super) use shuttle::{
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
    sync::{Mutex, MutexGuard},
    thread::{Scope, ScopedJoinHandle, scope, sleep},
};
#[cfg(feature = "shuttle")]
use std::sync::PoisonError;
#[cfg(not(feature = "shuttle"))]
pub(super) use std::{
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
    thread::{Scope, ScopedJoinHandle, scope, sleep},
};

/// Stack of a search thread, in bytes.
pub(super) const STACK_BYTES: usize = 16 << 20;

/// Looks at a lock before a thread lets others have its core: some ten microseconds, as long as a search keeps its lock at
/// most.
#[cfg(not(feature = "shuttle"))]
const LOOKS: u32 = 400;

/// Looks at a lock before a thread sleeps, after each of which others may have its core. To fall asleep and to be woken
/// takes longer than nearly all waiting, and the other thread's time as well (docs/search.md).
#[cfg(not(feature = "shuttle"))]
const PATIENT_LOOKS: u32 = 1_000;

thread_local! {
    /// Time that this thread has waited for locks since it was asked last, in nanoseconds.
    static WAITED: Cell<u64> = const { Cell::new(0) };
}

/// Takes a lock that is kept for moments only, also after a thread that had it has panicked.
#[cfg(not(feature = "shuttle"))]
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.try_lock().unwrap_or_else(|| wait_for(mutex))
}

/// Takes a lock that another thread has. It is only looked at while it is taken, since each attempt to take it would take its
/// memory from the thread that has it ("test and test-and-set": L. Rudolph, Z. Segall, "Dynamic decentralized cache schemes
/// for MIMD parallel processors", 1984).
#[cfg(not(feature = "shuttle"))]
#[cold]
fn wait_for<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    let begun = Instant::now();
    let look = |number| {
        if number < LOOKS {
            std::hint::spin_loop();
        } else {
            std::thread::yield_now();
        }
        if mutex.is_locked() { None } else { mutex.try_lock() }
    };
    let guard = (0..LOOKS + PATIENT_LOOKS).find_map(look).unwrap_or_else(|| mutex.lock());
    let taken = begun.elapsed().as_nanos() as u64;
    WAITED.set(WAITED.get().saturating_add(taken));
    guard
}

/// Takes a lock, also after a thread that had it has panicked.
#[cfg(feature = "shuttle")]
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The contents of a lock that no thread uses any more.
pub(super) fn into_inner<T>(mutex: Mutex<T>) -> T {
    #[cfg(feature = "shuttle")]
    return mutex.into_inner().unwrap_or_else(PoisonError::into_inner);
    #[cfg(not(feature = "shuttle"))]
    mutex.into_inner()
}

/// Time that this thread has waited for locks since it was asked last.
pub(super) fn take_waited() -> Duration {
    Duration::from_nanos(WAITED.take())
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
