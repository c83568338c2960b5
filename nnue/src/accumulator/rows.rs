//! A bounded list of rows of two tables.

use crate::layout::Row;

/// Wide rows from the front, narrow rows from the back of one array of `N` rows, at most 255.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rows<const N: usize> {
    list: [u16; N],
    wide: u8,
    narrow: u8,
}

impl<const N: usize> PartialEq for Rows<N> {
    fn eq(&self, other: &Self) -> bool {
        self.wide() == other.wide() && self.narrow() == other.narrow()
    }
}

impl<const N: usize> Eq for Rows<N> {}

impl<const N: usize> Rows<N> {
    pub(super) const EMPTY: Rows<N> = {
        assert!(N <= u8::MAX as usize);
        Rows { list: [0; N], wide: 0, narrow: 0 }
    };

    pub(super) fn len(&self) -> usize {
        usize::from(self.wide) + usize::from(self.narrow)
    }

    #[inline]
    pub(super) fn wide(&self) -> &[u16] {
        self.list.get(..usize::from(self.wide)).unwrap_or_default()
    }

    #[inline]
    pub(super) fn narrow(&self) -> &[u16] {
        self.list.get(N - usize::from(self.narrow)..).unwrap_or_default()
    }

    /// Adds a row; false when the list is full.
    #[inline]
    pub(super) fn push(&mut self, row: Row) -> bool {
        if self.len() >= N {
            return false;
        }
        let (place, row) = match row {
            Row::Wide(row) => {
                self.wide += 1;
                (usize::from(self.wide) - 1, row)
            }
            Row::Narrow(row) => {
                self.narrow += 1;
                (N - usize::from(self.narrow), row)
            }
        };
        if let Some(slot) = self.list.get_mut(place) {
            *slot = row;
        }
        true
    }

    /// Takes one copy of a row off the list; false when it is not there.
    #[inline]
    pub(super) fn take(&mut self, row: Row) -> bool {
        let (place, last) = match row {
            Row::Wide(row) => {
                let Some(place) = self.wide().iter().position(|&other| other == row) else { return false };
                self.wide -= 1;
                (place, usize::from(self.wide))
            }
            Row::Narrow(row) => {
                let Some(place) = self.narrow().iter().position(|&other| other == row) else { return false };
                let first = N - usize::from(self.narrow);
                self.narrow -= 1;
                (first + place, first)
            }
        };
        if place < N && last < N {
            self.list.swap(place, last);
        }
        true
    }

    pub(super) fn clear(&mut self) {
        self.wide = 0;
        self.narrow = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_tables_share_the_room() {
        let mut rows: Rows<5> = Rows::EMPTY;
        for row in [Row::Wide(1), Row::Narrow(7), Row::Wide(2), Row::Narrow(8), Row::Narrow(7)] {
            assert!(rows.push(row));
        }
        assert!(!rows.push(Row::Wide(3)));
        assert_eq!((rows.wide(), rows.narrow()), ([1, 2].as_slice(), [7, 8, 7].as_slice()));
        assert!(rows.take(Row::Narrow(8)) && !rows.take(Row::Narrow(8)) && !rows.take(Row::Wide(7)));
        assert_eq!(rows.narrow(), [7, 7]);
        assert!(rows.take(Row::Wide(1)));
        assert_eq!((rows.wide(), rows.narrow(), rows.len()), ([2].as_slice(), [7, 7].as_slice(), 3));
        assert!(rows.push(Row::Wide(3)) && rows.push(Row::Wide(4)) && !rows.push(Row::Narrow(9)));
        assert_eq!(rows.wide(), [2, 3, 4]);
    }
}
