//! The floors: eight of the factory, two docking bays, and the two whole boards of the paper's program. Drawn one
//! letter a cell: `.` floor, `#` pit, `+` repair, `*` repair with option, `c` and `a` gears clockwise and
//! anti-clockwise, `^ > v <` belts, `N E S W` express belts. Generated once from public transcriptions; `barrow
//! roborally replay` compares them with board files.

use crate::contests::roborally::geometry::Direction;
use crate::contests::roborally::geometry::Direction::{East, North, South, West};

/// A floor: one square of a course, or a docking bay, as drawn.
pub(super) struct Floor {
    /// One letter a cell, the northernmost row first.
    pub(super) rows: &'static [&'static str],
    /// Column, row and the sides with walls.
    pub(super) walls: &'static [(u8, u8, &'static [Direction])],
    /// Column, row, direction, strength.
    pub(super) lasers: &'static [(u8, u8, Direction, u8)],
    /// Column, row, direction, bits of the registers.
    pub(super) pushers: &'static [(u8, u8, Direction, u8)],
    /// Column and row.
    pub(super) flags: &'static [(u8, u8)],
    /// Column, row, facing.
    pub(super) docks: &'static [(u8, u8, Direction)],
}

/// The floor `chess`.
#[rustfmt::skip]
pub(super) static CHESS: Floor = Floor {
    rows: &[
        "...........+",
        ".EEEEEEEEES.",
        ".N>.>.<.<.S.",
        ".N.>.>.<.<S.",
        ".N>.>.#.<.S.",
        ".N.#.*.<.<S.",
        ".N>.>.*.<.S.",
        ".N.>.#.<.<S.",
        ".N>.>.<.#.S.",
        ".N.>.>.<.<S.",
        ".NWWWWWWWWW.",
        "+...........",
    ],
    walls: &[
        (0, 9, &[West]), (0, 7, &[West]), (0, 4, &[West]), (0, 2, &[West]), (2, 0, &[North]),
        (4, 0, &[North]), (7, 0, &[North]), (9, 0, &[North]), (11, 2, &[East]), (11, 4, &[East]),
        (11, 7, &[East]), (11, 9, &[East]), (9, 11, &[South]), (7, 11, &[South]), (4, 11, &[South]),
        (2, 11, &[South]), (10, 6, &[West]), (10, 5, &[West]), (8, 1, &[South]), (6, 1, &[South]),
        (5, 1, &[South]), (3, 1, &[South]), (1, 3, &[East]), (1, 5, &[East]), (1, 6, &[East]),
        (1, 8, &[East]), (3, 10, &[North]), (5, 10, &[North]), (6, 10, &[North]), (8, 10, &[North]),
        (10, 8, &[West]),
    ],
    lasers: &[],
    pushers: &[],
    flags: &[],
    docks: &[],
};

/// The floor `chop-shop`.
#[rustfmt::skip]
pub(super) static CHOP_SHOP: Floor = Floor {
    rows: &[
        "+..N.S^.v...",
        ".#.N.S^.vv<<",
        "...NWW^.vv..",
        "...N..^..#..",
        "...N.>a..*..",
        "<<cN.*v<c<<<",
        ">vaN..v#....",
        ".v.N..v.....",
        ".v..ca..a<<<",
        ".v*^.#..v#..",
        "...^....v...",
        ".v.^....v..+",
    ],
    walls: &[
        (9, 11, &[South]), (7, 11, &[South]), (4, 11, &[South]), (2, 11, &[South]), (0, 9, &[West]),
        (0, 7, &[West]), (0, 4, &[West]), (0, 2, &[West]), (2, 0, &[North]), (4, 0, &[North]),
        (7, 0, &[North]), (9, 0, &[North]), (11, 2, &[East]), (11, 4, &[East]), (11, 7, &[East]),
        (11, 9, &[East]), (10, 10, &[West]), (7, 10, &[West]), (6, 8, &[East]), (2, 8, &[East]),
        (2, 7, &[South]), (5, 3, &[South, West]), (2, 1, &[East]), (2, 2, &[North]), (5, 1, &[East]),
        (8, 4, &[North]), (8, 6, &[South]), (10, 6, &[South]), (1, 10, &[East, West]),
    ],
    lasers: &[
        (6, 8, West, 2), (2, 7, North, 1), (5, 1, West, 1), (8, 6, North, 1), (1, 10, West, 3),
        (7, 10, East, 1),
    ],
    pushers: &[],
    flags: &[],
    docks: &[],
};

/// The floor `cross`.
#[rustfmt::skip]
pub(super) static CROSS: Floor = Floor {
    rows: &[
        ".v...v^...^#",
        ".>>>>v^..#^<",
        ".....v^....+",
        "..#..v^.....",
        "..*..v^<....",
        "<<<<<<#^<<<<",
        ">>>>v###>>>>",
        "....>v#>^##.",
        ".....v>^.*..",
        "..#..v^.....",
        ">v...v^<<<<.",
        "+v...v^...^.",
    ],
    walls: &[
        (7, 3, &[East, South]), (4, 8, &[North, East]), (4, 11, &[South]), (9, 0, &[North]),
        (7, 0, &[North]), (4, 0, &[North, West]), (0, 2, &[West]), (10, 8, &[West, North]),
        (11, 7, &[East]), (11, 9, &[East]), (7, 11, &[South]), (9, 11, &[South]), (2, 0, &[North]),
        (4, 4, &[South, East]), (4, 3, &[East]), (11, 4, &[North, East]), (9, 2, &[West]), (3, 3, &[West]),
        (0, 4, &[West]), (2, 7, &[North]), (3, 8, &[North]), (3, 11, &[North]), (2, 11, &[South]),
        (7, 9, &[North]), (8, 8, &[West]), (9, 3, &[East]), (11, 2, &[East]), (0, 9, &[West]),
        (0, 7, &[West]), (1, 4, &[South]),
    ],
    lasers: &[
        (3, 8, South, 2), (9, 3, West, 1), (7, 9, South, 1), (4, 3, West, 1),
    ],
    pushers: &[],
    flags: &[],
    docks: &[],
};

/// The floor `exchange`.
#[rustfmt::skip]
pub(super) static EXCHANGE: Floor = Floor {
    rows: &[
        "+..^.v^.v.^.",
        "<.#^.v^.v.c<",
        "...^.v^.v...",
        ">>>a.v^.vEEE",
        ".....v^.....",
        "<<<<<..<<<<<",
        ".>>>>..EEEEE",
        ".....S^*....",
        "<<<a.S^.a<<<",
        "...^.S^.v...",
        "#..^.S^.v.c>",
        "...^.S..v.^+",
    ],
    walls: &[
        (0, 2, &[West]), (2, 0, &[North]), (4, 0, &[North]), (7, 0, &[North]), (9, 0, &[North]),
        (9, 2, &[West]), (11, 2, &[East]), (4, 4, &[South, East]), (7, 4, &[West, South]),
        (11, 4, &[East]), (0, 7, &[West]), (4, 7, &[North, East]), (7, 7, &[North, West]),
        (11, 7, &[East]), (0, 9, &[West]), (10, 9, &[North]), (11, 9, &[East]), (1, 10, &[South]),
        (2, 11, &[South]), (4, 11, &[South]), (7, 11, &[South]), (9, 11, &[South]),
    ],
    lasers: &[
        (11, 2, West, 1),
    ],
    pushers: &[],
    flags: &[],
    docks: &[],
};

/// The floor `island`.
#[rustfmt::skip]
pub(super) static ISLAND: Floor = Floor {
    rows: &[
        "+...........",
        ".##......##.",
        ".#c>>>>>>>#.",
        "..^a<<<<av..",
        "..^v##^.^v..",
        "..^v#*^.^v..",
        "..^v.v.#^v..",
        "..^v.v##^v..",
        "..^a>>>>av..",
        ".#c<<<<<<v#.",
        ".##......##.",
        ".........+..",
    ],
    walls: &[
        (0, 9, &[West]), (0, 7, &[West]), (0, 4, &[West]), (0, 2, &[West]), (6, 2, &[South]),
        (5, 9, &[North]), (2, 11, &[South]), (4, 11, &[South]), (7, 11, &[South]), (9, 11, &[South]),
        (11, 9, &[East]), (11, 7, &[East]), (11, 4, &[East]), (11, 2, &[East]), (2, 0, &[North]),
        (4, 0, &[North]), (7, 0, &[North]), (9, 0, &[North]), (9, 6, &[West]),
    ],
    lasers: &[],
    pushers: &[],
    flags: &[],
    docks: &[],
};

/// The floor `maelstrom`.
#[rustfmt::skip]
pub(super) static MAELSTROM: Floor = Floor {
    rows: &[
        ".S.*.S^....+",
        ".EEEEEEEESv<",
        ".N>>>>>>vSv.",
        ".N^EEEESvSv.",
        ".N^N>>vSvSv.",
        ".N^N^##SvSv<",
        "EN^N^##SvSv>",
        ".N^N^NWWvSv.",
        ".N^N^<<<<Sv.",
        ".N^NWWWWWWv.",
        "EN^<<<<<<<<.",
        "+.....^.*.^.",
    ],
    walls: &[
        (0, 7, &[West]), (0, 9, &[West]), (0, 4, &[West]), (0, 2, &[West]), (2, 0, &[North]),
        (4, 0, &[North]), (7, 0, &[North]), (9, 0, &[North]), (11, 2, &[East]), (11, 4, &[East]),
        (11, 7, &[East]), (11, 9, &[East]), (5, 7, &[South]), (6, 8, &[South]), (6, 4, &[North]),
        (4, 5, &[West]), (3, 6, &[West]), (7, 6, &[East]), (8, 5, &[East]), (5, 3, &[North]),
        (9, 11, &[South]), (7, 11, &[South]), (4, 11, &[South]), (2, 11, &[South]),
    ],
    lasers: &[
        (3, 6, East, 1), (4, 5, East, 1), (5, 3, South, 1), (6, 4, South, 1),
    ],
    pushers: &[
        (0, 9, East, 0b01010), (0, 7, East, 0b10101), (0, 4, East, 0b10101), (0, 2, East, 0b01010),
        (2, 0, South, 0b01010), (4, 0, South, 0b10101), (2, 11, North, 0b01010), (9, 11, North, 0b01010),
        (7, 11, North, 0b10101), (4, 11, North, 0b10101), (11, 7, West, 0b10101), (11, 4, West, 0b10101),
        (11, 9, West, 0b01010), (11, 2, West, 0b01010), (9, 0, South, 0b01010), (7, 0, South, 0b10101),
    ],
    flags: &[],
    docks: &[],
};

/// The floor `spin-zone`.
#[rustfmt::skip]
pub(super) static SPIN_ZONE: Floor = Floor {
    rows: &[
        "............",
        ".EEES..EEES.",
        ".Nc.Sa.Nc.S.",
        ".N+cS..N*cS.",
        ".NWWW.aNWWW.",
        "....a....a..",
        "..a....a....",
        ".EEESa.EEES.",
        ".Nc*S..Nc+S.",
        ".N.cS.aN.cS.",
        ".NWWW..NWWW.",
        "............",
    ],
    walls: &[
        (2, 11, &[South]), (4, 11, &[South]), (7, 11, &[South]), (9, 11, &[South]), (11, 9, &[East]),
        (11, 7, &[East]), (11, 4, &[East]), (9, 0, &[North]), (7, 0, &[North]), (11, 2, &[East]),
        (2, 0, &[North]), (4, 0, &[North]), (0, 2, &[West]), (0, 4, &[West]), (0, 7, &[West]),
        (0, 9, &[West]), (5, 8, &[West]), (6, 8, &[East]), (8, 9, &[North]), (8, 5, &[North]),
        (5, 3, &[West]), (6, 3, &[East]), (3, 2, &[South]), (3, 6, &[South]),
    ],
    lasers: &[
        (5, 8, East, 1), (8, 5, South, 1), (6, 3, West, 1), (3, 6, North, 1),
    ],
    pushers: &[],
    flags: &[],
    docks: &[],
};

/// The floor `vault`.
#[rustfmt::skip]
pub(super) static VAULT: Floor = Floor {
    rows: &[
        "+..N..N...^.",
        "cEEN..N...^.",
        "v..#....#.^.",
        ">v........^.",
        ".v..........",
        ".v...**.....",
        ".v...**...>>",
        ".v........^.",
        "<c........^.",
        "...#....#.^.",
        ">v....>>>>^.",
        ".v....^....+",
    ],
    walls: &[
        (2, 11, &[South]), (4, 11, &[South]), (7, 11, &[South]), (9, 11, &[South]), (11, 9, &[East]),
        (11, 7, &[East]), (11, 4, &[East]), (11, 2, &[East]), (9, 0, &[North]), (7, 0, &[North]),
        (4, 0, &[North]), (2, 0, &[North]), (0, 2, &[West]), (0, 4, &[West]), (0, 7, &[West]),
        (0, 9, &[West]), (2, 8, &[North]), (2, 6, &[East]), (2, 5, &[East]), (4, 4, &[West, North]),
        (5, 2, &[South]), (6, 2, &[South]), (5, 1, &[West]), (7, 4, &[North, East]),
        (7, 7, &[East, South]), (4, 7, &[West, South]), (5, 9, &[North]), (6, 9, &[North]),
        (9, 5, &[West]), (9, 6, &[West]),
    ],
    lasers: &[
        (0, 7, East, 1), (2, 11, North, 1), (11, 7, West, 1), (11, 4, West, 1), (0, 4, East, 1),
    ],
    pushers: &[
        (2, 6, West, 0b10101), (5, 1, East, 0b01010), (6, 2, North, 0b10101), (9, 5, East, 0b10101),
        (9, 6, East, 0b01010), (6, 9, South, 0b10101),
    ],
    flags: &[],
    docks: &[],
};

/// The floor `docking-bay-1`.
#[rustfmt::skip]
pub(super) static DOCKING_BAY_1: Floor = Floor {
    rows: &[
        "............",
        "............",
        ">>v......v<<",
        "..>>>..<<<..",
    ],
    walls: &[
        (2, 0, &[North]), (4, 0, &[North, West]), (7, 0, &[North, East]), (9, 0, &[North]),
        (0, 1, &[East]), (2, 1, &[West]), (9, 1, &[East]), (11, 1, &[West]), (5, 2, &[East]),
        (5, 3, &[East]),
    ],
    lasers: &[],
    pushers: &[],
    flags: &[],
    docks: &[
        (5, 2, North), (6, 2, North), (3, 2, North), (8, 2, North), (1, 1, North), (10, 1, North),
        (0, 0, North), (11, 0, North),
    ],
};

/// The floor `docking-bay-2`.
#[rustfmt::skip]
pub(super) static DOCKING_BAY_2: Floor = Floor {
    rows: &[
        "............",
        "............",
        "............",
        "............",
    ],
    walls: &[
        (1, 2, &[West]), (2, 3, &[South]), (4, 3, &[South]), (11, 2, &[West]), (7, 3, &[South]),
        (9, 3, &[South]), (9, 2, &[West]), (7, 2, &[West]), (6, 2, &[West]), (5, 2, &[West]),
        (3, 2, &[West]), (2, 0, &[North]), (4, 0, &[North]), (7, 0, &[North]), (9, 0, &[North]),
    ],
    lasers: &[],
    pushers: &[],
    flags: &[],
    docks: &[
        (5, 2, North), (6, 2, North), (3, 2, North), (8, 2, North), (1, 2, North), (10, 2, North),
        (0, 2, North), (11, 2, North),
    ],
};

/// The floor `rallyrobo-example`.
#[rustfmt::skip]
pub(super) static RALLYROBO_EXAMPLE: Floor = Floor {
    rows: &[
        "............",
        "............",
        "+....#......",
        "............",
        "....+.......",
        "..#v<<<<<<<<",
        "<<<<..>>>>>>",
        ".+....^##...",
        "..>>>>^.....",
        "..^.+...+...",
        "..^.........",
        ".+^.........",
    ],
    walls: &[
        (3, 11, &[West]), (5, 11, &[South]), (9, 10, &[North, West]), (6, 9, &[West]), (0, 7, &[West]),
        (3, 7, &[North, East]), (6, 5, &[North]), (10, 3, &[West]), (2, 2, &[North]), (4, 0, &[West]),
    ],
    lasers: &[],
    pushers: &[],
    flags: &[
        (0, 0), (8, 4), (7, 10), (4, 3),
    ],
    docks: &[
        (0, 9, East), (10, 8, North), (0, 4, North), (8, 1, South),
    ],
};

/// The floor `rallyrobo-1v1`.
#[rustfmt::skip]
pub(super) static RALLYROBO_1V1: Floor = Floor {
    rows: &[
        "..........^.",
        "..........^.",
        "..........^.",
        "..#+....+.^.",
        "<<<.v<<<..^.",
        "..^.v..^.#^.",
        "..^.v..^#.^.",
        "....>>>^.#^.",
        ".#.+....+.^.",
        "..........^.",
        "..........^.",
        "..........^.",
    ],
    walls: &[
        (1, 7, &[East]), (1, 6, &[East]), (1, 5, &[East]), (2, 5, &[East]), (0, 4, &[North]),
        (2, 4, &[North, East]),
    ],
    lasers: &[],
    pushers: &[],
    flags: &[
        (5, 6), (6, 5), (0, 6), (9, 6),
    ],
    docks: &[
        (5, 10, South), (5, 1, North),
    ],
};
