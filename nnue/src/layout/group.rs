//! Groups of rows: first row, numbering inside, and how many rows a position can make active.

use super::perspective::PerspectivePair;

/// Group of consecutive rows of a table. Row `variant * cells + cell` of the group stands for a variant in a cell;
/// the cell, such as a hex, counts fastest.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Group {
    /// Name, part of the layout's fingerprint; a group whose meaning changes gets another name.
    pub name: &'static str,
    /// Numbering of the variants and cells, in words.
    pub index: &'static str,
    /// Number of the first row in its table.
    pub first: u16,
    /// Number of rows, variants times cells.
    pub rows: u16,
    /// Number of cells.
    pub cells: u16,
    /// Most rows of one cell that a position makes active at once; a row that two features name counts twice.
    pub per_cell: u16,
    /// Whether several features of a position can name the same row.
    pub repeats: bool,
    /// Most cells with active rows.
    pub places: u16,
    /// Most rows that a position makes active at once.
    pub active: u16,
}

impl Group {
    /// Group at the beginning of its table. One row of each cell can be active.
    pub(super) const fn new(name: &'static str, index: &'static str, variants: u16, cells: u16) -> Group {
        Group {
            name,
            index,
            first: 0,
            rows: variants * cells,
            cells,
            per_cell: 1,
            repeats: false,
            places: cells,
            active: cells,
        }
    }

    /// The same group behind another one.
    pub(super) const fn after(mut self, before: &Group) -> Group {
        self.first = before.first + before.rows;
        self
    }

    /// The same group this many rows further on.
    #[inline]
    pub(super) const fn moved(mut self, rows: u16) -> Group {
        self.first += rows;
        self
    }

    /// The same group with this many rows of a cell active at once.
    pub(super) const fn per_cell(mut self, rows: u16) -> Group {
        self.per_cell = rows;
        self.active = rows * self.places;
        self
    }

    /// The same group with this many cells in use at once.
    pub(super) const fn places(mut self, cells: u16) -> Group {
        self.places = cells;
        self.active = self.per_cell * cells;
        self
    }

    /// The same group where this many features fall on the rows of a cell.
    pub(super) const fn repeated(mut self, features: u16) -> Group {
        self.repeats = true;
        self.per_cell(features)
    }

    /// The same group where all rows of a cell can be active at once.
    pub(super) const fn all_at_once(self) -> Group {
        self.per_cell(self.rows / self.cells)
    }

    /// Number of a row in its table; `None` beyond the group.
    #[inline]
    pub(super) fn row(&self, variant: u16, cell: u16) -> Option<u16> {
        let place = variant.checked_mul(self.cells)?.checked_add(cell)?;
        if cell < self.cells && place < self.rows { Some(self.first + place) } else { None }
    }

    /// Numbers of a row as each side sees it; `None` beyond the group.
    #[inline]
    pub(super) fn both(
        &self,
        variant: impl Into<PerspectivePair>,
        cell: impl Into<PerspectivePair>,
    ) -> Option<PerspectivePair> {
        let ([mut yellow, mut blue], cells) = (variant.into().0, cell.into().0);
        let beyond = cells.iter().any(|&cell| cell >= self.cells);
        yellow = yellow.checked_mul(self.cells)?.checked_add(cells[0])?;
        blue = blue.checked_mul(self.cells)?.checked_add(cells[1])?;
        if beyond || yellow >= self.rows || blue >= self.rows {
            return None;
        }
        Some(PerspectivePair([self.first + yellow, self.first + blue]))
    }

    /// Largest absolute value that the active rows of this group can sum up to in one lane, given the absolute
    /// weight of each row in that lane, by row of the table. A bound: of the sums of the `per_cell` largest of every
    /// cell the `places` largest.
    pub fn largest_sum(&self, weight: impl Fn(u16) -> u32) -> u64 {
        let cells = (0..self.cells).map(|cell| {
            let variants = (0..self.rows / self.cells.max(1)).filter_map(|variant| self.row(variant, cell));
            let weights = variants.map(|row| u64::from(weight(row)));
            if self.repeats {
                weights.max().unwrap_or(0) * u64::from(self.per_cell)
            } else {
                largest(weights, self.per_cell)
            }
        });
        largest(cells, self.places)
    }
}

/// Most numbers that [`largest`] sorts; of more numbers it returns a multiple of the largest.
const KEPT: usize = 104;

/// Upper bound of the sum of the `count` largest numbers; exact up to [`KEPT`] numbers.
fn largest(numbers: impl Iterator<Item = u64>, count: u16) -> u64 {
    let count = usize::from(count);
    let mut top: heapless::Vec<u64, KEPT> = heapless::Vec::new();
    let kept = count.min(KEPT);
    let (mut sum, mut all) = (0, 0usize);
    for number in numbers {
        sum += number;
        all += 1;
        if top.len() == kept {
            if top.last().is_none_or(|&smallest| smallest >= number) {
                continue;
            }
            top.pop();
        }
        let place = top.partition_point(|&other| other > number);
        let _ = top.insert(place, number);
    }
    if all <= count {
        sum
    } else if count <= KEPT {
        top.iter().sum()
    } else {
        top.first().copied().unwrap_or(0) * count as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_sum_takes_the_largest_rows_of_the_largest_cells() {
        // Two cells, three variants: cell 0 has weights 1, 5, 2, cell 1 has 4, 4, 0.
        let weights = [1, 4, 5, 4, 2, 0];
        let weight = |row: u16| weights[usize::from(row)];
        let group = Group::new("x", "", 3, 2);
        assert_eq!(group.largest_sum(weight), 5 + 4);
        assert_eq!(group.places(1).largest_sum(weight), 5);
        assert_eq!(group.per_cell(2).largest_sum(weight), 5 + 2 + 4 + 4);
        assert_eq!(group.all_at_once().largest_sum(weight), 16);
        assert_eq!(group.all_at_once().places(1).largest_sum(weight), 8);
        assert_eq!(group.repeated(7).largest_sum(weight), 7 * (5 + 4));
        let wide = Group::new("y", "", 1, 200);
        assert_eq!(wide.largest_sum(u32::from), 199 * 200 / 2);
        assert!(wide.places(150).largest_sum(u32::from) >= (50..200).sum::<u64>());
    }

    #[test]
    fn rows_are_numbered_behind_the_group_before_and_end_with_the_group() {
        let before = Group::new("x", "", 3, 2);
        let group = Group::new("y", "", 2, 5).after(&before);
        assert_eq!((before.rows, group.first, group.rows), (6, 6, 10));
        assert_eq!((group.per_cell(2).active, group.places(3).active), (10, 3));
        assert_eq!((group.all_at_once().per_cell, group.all_at_once().active), (2, 10));
        for variant in 0..4 {
            for cell in 0..7 {
                let known = (variant < 2 && cell < 5).then_some(6 + 5 * variant + cell);
                assert_eq!(group.row(variant, cell), known, "{variant} {cell}");
                for other in 0..7 {
                    let pair = group.both(PerspectivePair([variant, 1]), PerspectivePair([cell, other]));
                    let both = known.filter(|_| other < 5).map(|row| [row, 11 + other]);
                    assert_eq!(pair.map(|pair| pair.0), both, "{variant} {cell} {other}");
                }
            }
        }
    }
}
