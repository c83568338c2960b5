//! A word that an interrupt or another thread may change.

/// Word that may be changed while a call works with the handle that it belongs to: an atomic where the processor has them;
/// on those that have one core and no atomics, a word that the compiler reads and writes where the code says so.
#[repr(transparent)]
pub(crate) struct Word(inner::Inner);

impl Word {
    pub(crate) const fn new(value: u32) -> Word {
        Word(inner::Inner::new(value))
    }

    pub(crate) fn get(&self) -> u32 {
        inner::get(&self.0)
    }

    pub(crate) fn set(&self, value: u32) {
        inner::set(&self.0, value);
    }

    /// Changes 0 to 1; false if it was 1 already. Without atomics an interrupt may come in between, but it gives the word
    /// back before it returns.
    pub(crate) fn take(&self) -> bool {
        inner::take(&self.0)
    }
}

#[cfg(target_has_atomic = "32")]
mod inner {
    use core::sync::atomic::AtomicU32;
    use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};

    pub(super) type Inner = AtomicU32;

    pub(super) fn get(word: &Inner) -> u32 {
        word.load(Acquire)
    }

    pub(super) fn set(word: &Inner, value: u32) {
        word.store(value, Release);
    }

    pub(super) fn take(word: &Inner) -> bool {
        word.compare_exchange(0, 1, Acquire, Relaxed).is_ok()
    }
}

#[cfg(not(target_has_atomic = "32"))]
mod inner {
    use core::cell::UnsafeCell;
    use core::ptr;

    #[repr(transparent)]
    pub(super) struct Inner(UnsafeCell<u32>);

    impl Inner {
        pub(super) const fn new(value: u32) -> Inner {
            Inner(UnsafeCell::new(value))
        }
    }

    pub(super) fn get(word: &Inner) -> u32 {
        // SAFETY: the cell is a valid, aligned word; there is one core, which reads a word in one piece.
        unsafe { ptr::read_volatile(word.0.get()) }
    }

    pub(super) fn set(word: &Inner, value: u32) {
        // SAFETY: as in `get`.
        unsafe { ptr::write_volatile(word.0.get(), value) }
    }

    pub(super) fn take(word: &Inner) -> bool {
        let free = get(word) == 0;
        if free {
            set(word, 1);
        }
        free
    }
}
