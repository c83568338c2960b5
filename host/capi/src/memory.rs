//! The caller's memory, divided.

use core::ffi::c_void;
use core::{ptr, slice};

/// Bytes of memory that belong to somebody, to be compared with others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Span {
    pub(crate) address: usize,
    pub(crate) size: usize,
}

impl Span {
    pub(crate) fn of<T>(pointer: *const T, size: usize) -> Span {
        Span { address: pointer.addr(), size }
    }

    /// Bytes from an address on before the first that belongs to it; the most there can be where none does.
    pub(crate) fn distance_from(self, address: usize) -> usize {
        if self.size == 0 {
            usize::MAX
        } else if address <= self.address {
            self.address - address
        } else if address - self.address < self.size {
            0
        } else {
            usize::MAX
        }
    }

    /// Whether the two have a byte in common.
    pub(crate) fn overlaps(self, other: Span) -> bool {
        let ends_before = |one: Span, two: Span| two.address.saturating_sub(one.address) >= one.size;
        self.size > 0
            && other.size > 0
            && if self.address <= other.address {
                !ends_before(self, other)
            } else {
                !ends_before(other, self)
            }
    }
}

/// Slice of the caller's memory that is lent out once at a time: what a search is begun with anew.
pub(crate) struct Lent<T> {
    start: *mut T,
    len: usize,
}

impl<T> Lent<T> {
    /// The slice, for as long as the caller's memory belongs to the handle.
    ///
    /// # Safety
    /// Nobody has a reference into the slice that is still used.
    pub(crate) unsafe fn borrow(&mut self) -> &'static mut [T] {
        // SAFETY: `Region::take` has made the slice of memory that belongs to the handle alone, and has filled it with
        // values; the caller says that there is no second reference. The handle is not used after its memory.
        unsafe { slice::from_raw_parts_mut(self.start, self.len) }
    }

    /// The one value of [`Region::take_one`]. Never `None`.
    ///
    /// # Safety
    /// As [`Lent::borrow`].
    pub(crate) unsafe fn borrow_one(&mut self) -> Option<&'static mut T> {
        // SAFETY: as the caller says.
        unsafe { self.borrow() }.first_mut()
    }
}

/// Rest of the caller's memory that is not divided yet. Without memory it counts what would be needed.
pub(crate) struct Region {
    /// Address of the next free byte; null for a region that only counts.
    next: *mut u8,
    left: usize,
    counted: usize,
}

impl Region {
    /// A region that only counts the bytes asked for, from an address that is aligned for everything.
    pub(crate) fn counting() -> Region {
        Region { next: ptr::null_mut(), left: usize::MAX, counted: 0 }
    }

    /// A region of memory.
    ///
    /// # Safety
    /// The memory can be written to, and belongs to the region alone.
    pub(crate) unsafe fn over(memory: *mut c_void, size: usize) -> Region {
        Region { next: memory.cast(), left: size, counted: 0 }
    }

    /// Bytes that were taken so far.
    pub(crate) fn counted(&self) -> usize {
        self.counted
    }

    /// Takes the place of one value; otherwise as [`Region::take`].
    pub(crate) fn take_one<T>(&mut self, make: impl FnOnce() -> T) -> Option<Lent<T>> {
        let start: *mut T = self.place(1)?;
        if start.is_null() {
            return Some(Lent { start: ptr::dangling_mut(), len: 0 });
        }
        // SAFETY: the place is within the region, which nobody else uses, and aligned for `T`.
        unsafe { start.write(make()) };
        Some(Lent { start, len: 1 })
    }

    /// Takes a slice of so many copies of a value; `None` when the memory does not suffice. A region that only counts
    /// gives empty slices.
    pub(crate) fn take<T: Copy>(&mut self, len: usize, value: T) -> Option<Lent<T>> {
        let start: *mut T = self.place(len)?;
        if start.is_null() {
            return Some(Lent { start: ptr::dangling_mut(), len: 0 });
        }
        for index in 0..len {
            // SAFETY: the slice is within the region, which nobody else uses, and `start` is aligned for `T`.
            unsafe { start.add(index).write(value) };
        }
        Some(Lent { start, len })
    }

    /// Takes room for so many values: where the first one is to be; null in a region that only counts. `None` when the
    /// memory does not suffice.
    fn place<T>(&mut self, len: usize) -> Option<*mut T> {
        let place = if self.next.is_null() { self.counted } else { self.next.addr() };
        let gap = place.wrapping_neg() % align_of::<T>();
        let bytes = size_of::<T>().checked_mul(len)?.checked_add(gap)?;
        self.counted = self.counted.checked_add(bytes)?;
        self.left = self.left.checked_sub(bytes)?;
        if self.next.is_null() {
            return Some(ptr::null_mut());
        }
        // SAFETY: `gap` is not more than the `bytes` that the region has left.
        let start = unsafe { self.next.add(gap) }.cast::<T>();
        // SAFETY: one past the values is within the region or its end.
        self.next = unsafe { start.add(len) }.cast();
        Some(start)
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;

    #[test]
    fn spans_overlap_if_they_share_a_byte() {
        let span = |address, size| Span { address, size };
        for (one, two, shared) in [
            (span(10, 5), span(15, 5), false),
            (span(10, 6), span(15, 5), true),
            (span(10, 20), span(15, 5), true),
            (span(10, 0), span(10, 5), false),
            (span(10, 5), span(12, 0), false),
            (span(1, usize::MAX), span(9, 1), true),
            (span(usize::MAX - 1, 1), span(usize::MAX, 1), false),
        ] {
            assert_eq!(one.overlaps(two), shared, "{one:?} {two:?}");
            assert_eq!(two.overlaps(one), shared, "{two:?} {one:?}");
        }
    }

    #[test]
    fn a_distance_ends_at_the_first_byte() {
        let span = Span { address: 10, size: 5 };
        for (address, distance) in [(0, 10), (9, 1), (10, 0), (14, 0), (15, usize::MAX)] {
            assert_eq!(span.distance_from(address), distance);
        }
        assert_eq!(Span { address: 10, size: 0 }.distance_from(10), usize::MAX);
    }

    #[test]
    fn what_is_counted_is_what_is_taken() {
        let take = |region: &mut Region| {
            region.take(3, 7u8)?;
            let mut words = region.take(5, 9u64)?;
            region.take(2, 1u16)?;
            // SAFETY: the slice is borrowed once.
            Some(unsafe { words.borrow() }.iter().sum::<u64>())
        };
        let mut counting = Region::counting();
        assert_eq!(take(&mut counting), Some(0));
        assert_eq!(counting.counted(), 52);
        let mut memory = [0u64; 7];
        for (size, sum) in [(52, Some(45)), (51, None), (0, None)] {
            // SAFETY: the memory is there and used by nobody else.
            let mut region = unsafe { Region::over(memory.as_mut_ptr().cast(), size) };
            assert_eq!(take(&mut region), sum);
        }
        assert!(Region::counting().take(usize::MAX, 0u64).is_none());
    }
}
