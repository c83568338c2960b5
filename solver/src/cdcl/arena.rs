//! Bump allocation: the arrays of a solver are taken, one after the other, from one slice that the caller lends.

use super::array::Array;

/// A bump allocator over a slice of 32-bit words. The arrays contain whatever the slice contained.
pub(super) struct Arena<'m> {
    rest: &'m mut [u32],
}

impl<'m> Arena<'m> {
    pub(super) fn new(memory: &'m mut [u32]) -> Self {
        Arena { rest: memory }
    }

    /// The next `count` words; fewer when the slice ends, which [`super::Limits::words`] rules out.
    pub(super) fn words(&mut self, count: usize) -> Array<'m, u32> {
        Array::new(self.take(count))
    }

    /// The next `count` words; fewer when the slice ends.
    fn take(&mut self, count: usize) -> &'m mut [u32] {
        let rest = core::mem::take(&mut self.rest);
        let (taken, left) = rest.split_at_mut(count.min(rest.len()));
        self.rest = left;
        taken
    }

    /// The next `count` groups of words.
    pub(super) fn chunks<const N: usize>(&mut self, count: usize) -> Array<'m, [u32; N]> {
        Array::new(self.take(N * count).as_chunks_mut().0)
    }

    /// The next `count` half words.
    pub(super) fn halves(&mut self, count: usize) -> Array<'m, u16> {
        let words: &mut [u16] = bytemuck::cast_slice_mut(self.take(words_of_halves(count)));
        let len = count.min(words.len());
        Array::new(words.get_mut(..len).unwrap_or_default())
    }

    /// The next `count` bytes.
    pub(super) fn bytes(&mut self, count: usize) -> Array<'m, u8> {
        let words: &mut [u8] = bytemuck::cast_slice_mut(self.take(words_of_bytes(count)));
        let len = count.min(words.len());
        Array::new(words.get_mut(..len).unwrap_or_default())
    }

    /// The next `count` bytes, made zero.
    pub(super) fn zero_bytes(&mut self, count: usize) -> Array<'m, u8> {
        let mut bytes = self.bytes(count);
        bytes.fill(0);
        bytes
    }
}

/// Words that an array of half words takes.
pub(super) const fn words_of_halves(count: usize) -> usize {
    count.div_ceil(2)
}

/// Words that an array of bytes takes.
pub(super) const fn words_of_bytes(count: usize) -> usize {
    count.div_ceil(4)
}
