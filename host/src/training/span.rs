//! Ranges of the long lists that samples are kept in.

/// Range of a list, as start and length.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Span {
    start: u32,
    len: u32,
}

impl Span {
    pub(super) fn from_start<T>(start: usize, list: &[T]) -> Span {
        Span { start: start as u32, len: (list.len() - start) as u32 }
    }

    pub(super) fn shifted(self, by: usize) -> Span {
        Span { start: self.start + by as u32, ..self }
    }

    /// Elements of the list in this range.
    #[inline]
    pub(super) fn of<T>(self, list: &[T]) -> &[T] {
        &list[self.start as usize..][..self.len as usize]
    }

    /// Start and length.
    pub(super) fn numbers(self) -> [u32; 2] {
        [self.start, self.len]
    }

    pub(super) fn is_empty(self) -> bool {
        self.len == 0
    }
}
