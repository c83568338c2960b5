//! Calls of the C interface as bytes decide them.

use arbitrary::Arbitrary;

/// A pointer to a handle.
#[derive(Arbitrary, Clone, Copy, Debug)]
pub enum Pointer {
    /// The handle that fits, the first one.
    Right,
    /// The handle in one of the places, whatever it is.
    Place(u8),
    Null,
    /// Off by some bytes.
    Off(u8),
}

/// A text.
#[derive(Arbitrary, Clone, Copy, Debug)]
pub enum Text<'a> {
    /// A legal action, if the call takes one.
    Legal(u8, u8),
    /// The position or the turn that was printed last.
    Printed,
    Known(u8),
    Bytes(&'a [u8]),
    Null(u8),
}

/// Texts that one call or another takes.
pub const KNOWN: [&str; 15] = [
    "",
    "server",
    "spooky",
    "1 MidnightLake S,P,W",
    "2 BlackenedShores,AllLand Z,S",
    "0|0 0|0 LLL|LLL n|||||0/0/2N7/0/2Wz6/0/0/7n2/0/0 0 5",
    "turn\naction board 0 attack c4d4\nendturn",
    "action board 0 end_phase",
    "action board 0 resign",
    "action board 1 resign",
    "action board 0 move d1e1\naction board 0 move d1e1",
    "remove d4\nkill h7\npassive c4\nspare h7",
    "tiny",
    "turn",
    "endturn",
];

#[derive(Arbitrary, Debug)]
pub enum Call<'a> {
    Open { place: u8, less: u8, off: u8 },
    Close(Pointer),
    Start { game: Pointer, ruleset: Text<'a>, config: Text<'a>, seed: u8 },
    Read { game: Pointer, text: Text<'a>, seed: u8 },
    Write { game: Pointer, extended: bool, capacity: u16 },
    Copy { to: Pointer, from: Pointer },
    Legal { game: Pointer, board: u8, capacity: u16 },
    Apply { game: Pointer, text: Text<'a> },
    Undo(Pointer),
    EndTurn(Pointer),
    Play { game: Pointer, text: Text<'a> },
    Greedy { game: Pointer, seed: u8 },
    Evaluate { game: Pointer, net: Pointer },
    Load { net: Pointer, offset: u8, less: u8 },
    Embedded { net: Pointer, name: Text<'a> },
    Plan { planner: Pointer, game: Pointer, board: u8, goals: Text<'a> },
    Forbid(Pointer),
    SetNet { search: Pointer, net: Pointer },
    SetNodes { search: Pointer, nodes: u8 },
    Begin { search: Pointer, game: Pointer, keep: bool },
    Run { search: Pointer, nodes: u8 },
    Stop(Pointer),
    Turn { search: Pointer, rank: u8 },
    Facts { game: Pointer, size: u16 },
}
