//! Lists of rows of two tables, for both perspectives.

use barrow_core::minions::{Side, SideArray};

use crate::layout::Row;

/// List of up to `N` rows, at most 255, of each perspective: wide rows from the front, narrow rows from the back of
/// an array. The same place of both arrays belongs to the same feature.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rows<const N: usize> {
    list: SideArray<[u16; N]>,
    wide: u8,
    narrow: u8,
}

impl<const N: usize> PartialEq for Rows<N> {
    fn eq(&self, other: &Self) -> bool {
        Side::ALL
            .into_iter()
            .all(|side| self.wide(side) == other.wide(side) && self.narrow(side) == other.narrow(side))
    }
}

impl<const N: usize> Eq for Rows<N> {}

impl<const N: usize> Rows<N> {
    pub(super) const EMPTY: Rows<N> = {
        assert!(N <= u8::MAX as usize);
        Rows { list: SideArray::new([0; N], [0; N]), wide: 0, narrow: 0 }
    };

    pub(super) fn len(&self) -> usize {
        usize::from(self.wide) + usize::from(self.narrow)
    }

    #[inline]
    pub(super) fn wide(&self, side: Side) -> &[u16] {
        self.list[side].get(..usize::from(self.wide)).unwrap_or_default()
    }

    #[inline]
    pub(super) fn narrow(&self, side: Side) -> &[u16] {
        self.list[side].get(N - usize::from(self.narrow)..).unwrap_or_default()
    }

    /// Adds the rows of a feature; false when the list is full.
    #[inline]
    pub(super) fn push(&mut self, rows: SideArray<Row>) -> bool {
        if self.len() >= N {
            return false;
        }
        let (place, pair) = match rows.0 {
            [Row::Wide(yellow), Row::Wide(blue)] => {
                self.wide += 1;
                (usize::from(self.wide) - 1, [yellow, blue])
            }
            [Row::Narrow(yellow) | Row::Wide(yellow), Row::Narrow(blue) | Row::Wide(blue)] => {
                self.narrow += 1;
                (N - usize::from(self.narrow), [yellow, blue])
            }
        };
        for (list, row) in self.list.0.iter_mut().zip(pair) {
            if let Some(slot) = list.get_mut(place) {
                *slot = row;
            }
        }
        true
    }

    /// Removes one copy of a feature's rows; false when they are not in the list.
    #[inline]
    pub(super) fn take(&mut self, rows: SideArray<Row>) -> bool {
        match rows.0 {
            [Row::Wide(yellow), Row::Wide(blue)] => {
                let Some(place) = self.find(0, usize::from(self.wide), [yellow, blue]) else { return false };
                self.wide -= 1;
                self.copy(usize::from(self.wide), place);
            }
            [Row::Narrow(yellow) | Row::Wide(yellow), Row::Narrow(blue) | Row::Wide(blue)] => {
                let first = N - usize::from(self.narrow);
                let Some(place) = self.find(first, N, [yellow, blue]) else { return false };
                self.narrow -= 1;
                self.copy(first, place);
            }
        }
        true
    }

    #[inline]
    fn find(&self, from: usize, to: usize, pair: [u16; 2]) -> Option<usize> {
        let [yellow, blue] = &self.list.0;
        let pairs = yellow.get(from..to)?.iter().zip(blue.get(from..to)?);
        let place = pairs.map(|(&yellow, &blue)| [yellow, blue]).position(|other| other == pair)?;
        Some(from + place)
    }

    /// Puts the rows of one place in another, too.
    #[inline]
    fn copy(&mut self, from: usize, to: usize) {
        for list in &mut self.list.0 {
            if let Some(&row) = list.get(from)
                && let Some(slot) = list.get_mut(to)
            {
                *slot = row;
            }
        }
    }

    pub(super) fn clear(&mut self) {
        self.wide = 0;
        self.narrow = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wide(row: u16) -> SideArray<Row> {
        SideArray::new(Row::Wide(row), Row::Wide(100 + row))
    }

    fn narrow(row: u16) -> SideArray<Row> {
        SideArray::new(Row::Narrow(row), Row::Narrow(100 + row))
    }

    #[test]
    fn both_tables_share_the_room() {
        let mut rows: Rows<5> = Rows::EMPTY;
        for row in [wide(1), narrow(7), wide(2), narrow(8), narrow(7)] {
            assert!(rows.push(row));
        }
        assert!(!rows.push(wide(3)));
        assert_eq!((rows.wide(Side::Yellow), rows.narrow(Side::Blue)), (&[1, 2][..], &[107, 108, 107][..]));
        assert!(rows.take(narrow(8)) && !rows.take(narrow(8)) && !rows.take(wide(7)));
        assert!(!rows.take(SideArray::new(Row::Wide(1), Row::Wide(1))), "the rows of two features");
        assert_eq!(rows.narrow(Side::Yellow), [7, 7]);
        assert!(rows.take(wide(1)));
        assert_eq!(
            (rows.wide(Side::Blue), rows.narrow(Side::Yellow), rows.len()),
            (&[102][..], &[7, 7][..], 3)
        );
        assert!(rows.push(wide(3)) && rows.push(wide(4)) && !rows.push(narrow(9)));
        assert_eq!(rows.wide(Side::Yellow), [2, 3, 4]);
    }
}
