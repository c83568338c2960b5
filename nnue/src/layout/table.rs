//! Tables of rows: groups one behind the other, then the rows of later unit types.

use super::group::Group;
use crate::shape::{UNIT_CAP, later_units};

/// Rows of one of the three tables of a layout. The groups of every network come first; behind them each unit type
/// past the first [`BASE_UNITS`](crate::shape::BASE_UNITS) has its own `later` groups, whose rows are numbered from
/// the type's first row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Table {
    /// Groups that every network has, in the order of their rows.
    pub groups: &'static [Group],
    /// Groups of one later unit type, in the order of their rows.
    pub later: &'static [Group],
}

impl Table {
    /// Table of these groups.
    pub(super) const fn new(groups: &'static [Group], later: &'static [Group]) -> Table {
        let table = Table { groups, later };
        assert!(table.rows(UNIT_CAP) <= 1 << 16, "rows are numbered by 16 bits");
        table
    }

    /// Number of rows of a network for this many unit types.
    pub const fn rows(&self, units: usize) -> usize {
        total(self.groups).saturating_add(later_units(units).saturating_mul(total(self.later)))
    }

    /// Groups of a network for this many unit types, in the order of their rows.
    pub fn groups(&self, units: usize) -> impl Iterator<Item = Group> {
        let later = (0..later_units(units))
            .flat_map(move |place| self.later.iter().filter_map(move |group| self.of_later(place, group)));
        self.groups.iter().copied().chain(later)
    }

    /// Group that a row belongs to; `None` beyond the rows of [`UNIT_CAP`] unit types.
    pub fn group_of(&self, row: u16) -> Option<Group> {
        self.groups(UNIT_CAP).find(|group| (group.first..group.first + group.rows).contains(&row))
    }

    /// Row of one of the `later` groups, of the later unit type at this place; `None` beyond [`UNIT_CAP`] unit types.
    #[inline]
    pub(super) const fn of_later(&self, place: usize, group: &Group) -> Option<Group> {
        if place >= later_units(UNIT_CAP) {
            return None;
        }
        Some(group.moved((total(self.groups) + place * total(self.later)) as u16))
    }
}

/// Rows of consecutive groups.
const fn total(groups: &[Group]) -> usize {
    let mut rows = 0;
    let mut index = 0;
    while index < groups.len() {
        rows += groups[index].rows as usize;
        index += 1;
    }
    rows
}

/// Fingerprint of the tables of a network without or, if `later`, with rows of later unit types.
pub(super) const fn tables_fingerprint(tables: [Table; 3], later: bool) -> u64 {
    let mut hash = FNV_OFFSET;
    let mut index = 0;
    while index < tables.len() {
        hash = fingerprint(hash, tables[index].groups);
        if later {
            hash = fingerprint(hash, tables[index].later);
        }
        index += 1;
    }
    hash
}

/// Fingerprint of a list of groups: 64-bit FNV-1a over names, numbers of rows and of cells.
const fn fingerprint(mut hash: u64, groups: &[Group]) -> u64 {
    let mut index = 0;
    while index < groups.len() {
        let group = &groups[index];
        let name = group.name.as_bytes();
        let mut at = 0;
        while at < name.len() {
            hash = mixed(hash, name[at]);
            at += 1;
        }
        let [a, b] = group.rows.to_le_bytes();
        let [c, d] = group.cells.to_le_bytes();
        hash = mixed(mixed(mixed(mixed(mixed(hash, 0), a), b), c), d);
        index += 1;
    }
    mixed(hash, u8::MAX)
}

/// Fingerprint of nothing: the offset of FNV-1a.
const FNV_OFFSET: u64 = 0xcbf2_9ce4_8422_2325;

const fn mixed(hash: u64, byte: u8) -> u64 {
    (hash ^ byte as u64).wrapping_mul(0x0000_0100_0000_01b3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprints_are_fnv_1a() {
        // The published vector of the empty string is the offset, that of "a" is one round.
        assert_eq!(mixed(FNV_OFFSET, b'a'), 0xaf63_dc4c_8601_ec8c);
        let group = Group::new("x", "", 2, 3);
        let other = Group { cells: 2, ..group };
        assert_ne!(fingerprint(FNV_OFFSET, &[group]), fingerprint(FNV_OFFSET, &[other]));
        let named = Group { name: "y", ..group };
        assert_ne!(fingerprint(FNV_OFFSET, &[group]), fingerprint(FNV_OFFSET, &[named]));
        // A name of three letters, its end, two numbers of two bytes, and the end of the list.
        let letters = *b"abc\0\x02\x01\x03\0\xff";
        let expected = letters.into_iter().fold(FNV_OFFSET, mixed);
        let group = Group { name: "abc", rows: 0x102, cells: 3, ..group };
        assert_eq!(fingerprint(FNV_OFFSET, &[group]), expected);
        assert_ne!(fingerprint(FNV_OFFSET, &[group, other]), fingerprint(FNV_OFFSET, &[other, group]));
    }
}
