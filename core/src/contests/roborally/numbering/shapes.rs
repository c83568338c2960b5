//! Numbers of actions (rules §9, counting). N depends only on how many classes there are of each size: 97
//! shapes for hands of up to nine cards. Everything about them is tabulated when the program is compiled.

use crate::contests::roborally::state::{HAND_CAP, REGISTERS};

/// Multisets of class sizes with a sum of at most nine: the partitions of 0 to 9.
const SHAPES: usize = 97;

/// Length of tables by shape, a power of two, so that a mask brings any index into range.
const ROOM: usize = 128;

/// Length of tables by class size, a power of two, so that a mask brings any index into range.
const SIZES: usize = 16;

/// The multiset of class sizes of a hand, as an index of the tables.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Shape(u8);

/// Tables by shape.
struct Tables {
    /// N(shape, r) for r registers; the largest is 9! / 4! = 15,120.
    counts: [[u16; REGISTERS + 1]; ROOM],
    /// N of the shape with one card less in a class of this size, for r registers; 0 for size 0.
    after: [[[u16; SIZES]; ROOM]; REGISTERS],
    /// The shape with one card less in a class of this size; itself where there is no such class.
    less: [[u8; SIZES]; ROOM],
    /// The shape with another class of this size; itself where that would be too many cards.
    more: [[u8; SIZES]; ROOM],
}

static TABLES: Tables = tabulate();

impl Shape {
    /// Number of actions that fill `registers` registers.
    pub(super) fn count(self, registers: usize) -> u32 {
        TABLES.counts[self.0 as usize % ROOM].get(registers).map_or(0, |&count| u32::from(count))
    }

    /// For each class size, the actions that fill `registers` registers, four at most, once a card of such a class
    /// has been taken.
    pub(super) fn after(self, registers: usize) -> &'static [u16; SIZES] {
        &TABLES.after[registers.min(REGISTERS - 1)][self.0 as usize % ROOM]
    }

    /// The shape with one card less in a class of a size.
    pub(super) fn less(self, size: u8) -> Shape {
        Shape(TABLES.less[self.0 as usize % ROOM][size as usize % SIZES])
    }

    /// The shape with another class of a size.
    pub(super) fn more(self, size: u8) -> Shape {
        Shape(TABLES.more[self.0 as usize % ROOM][size as usize % SIZES])
    }
}

/// The key of a shape with one more class. A key holds the number of classes of each size, four bits each.
const fn key_with(key: u64, size: usize) -> u64 {
    key + (1 << (4 * size))
}

const fn key_less(key: u64, size: usize) -> u64 {
    let rest = key - (1 << (4 * size));
    if size > 1 { rest + (1 << (4 * (size - 1))) } else { rest }
}

const fn classes(key: u64, size: usize) -> u16 {
    (key >> (4 * size) & 15) as u16
}

const fn place(keys: &[u64; SHAPES], key: u64) -> u8 {
    let mut at = 0;
    while keys[at] != key {
        at += 1;
    }
    at as u8
}

const fn contains(keys: &[u64; SHAPES], count: usize, key: u64) -> bool {
    let mut at = 0;
    while at < count {
        if keys[at] == key {
            return true;
        }
        at += 1;
    }
    false
}

const fn cards(key: u64) -> usize {
    let mut sum = 0;
    let mut size = 1;
    while size <= HAND_CAP {
        sum += size * classes(key, size) as usize;
        size += 1;
    }
    sum
}

/// All keys, the empty one first.
const fn enumerate() -> [u64; SHAPES] {
    let mut keys = [0; SHAPES];
    let (mut count, mut next) = (1, 0);
    while next < count {
        let mut size = 1;
        while size + cards(keys[next]) <= HAND_CAP {
            let grown = key_with(keys[next], size);
            if !contains(&keys, count, grown) {
                keys[count] = grown;
                count += 1;
            }
            size += 1;
        }
        next += 1;
    }
    assert!(count == SHAPES);
    keys
}

#[expect(clippy::large_stack_arrays, reason = "only the compiler runs it")]
const fn tabulate() -> Tables {
    let keys = enumerate();
    let mut tables = Tables {
        counts: [[0; REGISTERS + 1]; ROOM],
        after: [[[0; SIZES]; ROOM]; REGISTERS],
        less: [[0; SIZES]; ROOM],
        more: [[0; SIZES]; ROOM],
    };
    let mut at = 0;
    while at < SHAPES {
        tables.counts[at][0] = 1;
        let mut size = 0;
        while size < SIZES {
            let some = size > 0 && size <= HAND_CAP && classes(keys[at], size) > 0;
            tables.less[at][size] = if some { place(&keys, key_less(keys[at], size)) } else { at as u8 };
            let room = size > 0 && cards(keys[at]) + size <= HAND_CAP;
            tables.more[at][size] = if room { place(&keys, key_with(keys[at], size)) } else { at as u8 };
            size += 1;
        }
        at += 1;
    }
    let mut registers = 1;
    while registers <= REGISTERS {
        let mut at = 0;
        while at < SHAPES {
            let mut size = 1;
            while size <= HAND_CAP {
                let less = tables.less[at][size] as usize;
                tables.after[registers - 1][at][size] = tables.counts[less][registers - 1];
                tables.counts[at][registers] += classes(keys[at], size) * tables.counts[less][registers - 1];
                size += 1;
            }
            at += 1;
        }
        registers += 1;
    }
    tables
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(sizes: &[u8]) -> Shape {
        sizes.iter().fold(Shape::default(), |shape, &size| shape.more(size))
    }

    #[test]
    fn roborally_rule_9_counts_of_the_example() {
        let example = shape(&[2, 3, 2, 1, 1]);
        assert_eq!([1, 2, 3, 4, 5].map(|registers| example.count(registers)), [5, 23, 97, 370, 1250]);
        assert_eq!(shape(&[1; 9]).count(5), 15_120);
        assert_eq!((shape(&[9]).count(5), shape(&[2]).count(3), Shape::default().count(0)), (1, 0, 1));
        assert_eq!((example.count(6), shape(&[3, 2, 1, 1, 1, 1]).count(5)), (0, 2250));
    }

    #[test]
    fn order_does_not_matter_and_less_undoes_more() {
        assert_eq!(shape(&[1, 3, 2]), shape(&[3, 2, 1]));
        assert_eq!(shape(&[3, 2, 1]).less(3), shape(&[2, 2, 1]));
        assert_eq!(shape(&[3, 1]).less(1), shape(&[3]));
        assert_eq!((shape(&[9]).more(1), shape(&[4]).less(2)), (shape(&[9]), shape(&[4])));
    }
}
