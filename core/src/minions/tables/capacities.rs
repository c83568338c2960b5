//! Capacities: every bound on the size of a Minions game, with the rule or the measurement that sets the bound.
//!
//! Lists of the position, of a turn and of the texts have these sizes. A list that is full is an error value or a
//! counted loss, never a panic. Bounds of the search (candidates, prophecies, plans) belong to `turn_search::ports`.

pub use super::map::MAP_COUNT;
pub use super::spell::{DECK_SIZE, SPELL_COUNT};
pub use super::unit::{UNIT_COUNT, UNIT_TECH_COUNT};

/// Boards of a game at most by the rules (rules §3).
pub const MOST_BOARDS: usize = 8;

/// Boards of a game at most in this program: two, unless a cargo feature `boards-4` or `boards-8` asks for more. Every
/// game, turn and list of boards has room for so many, so a program for a small machine asks for no more than it plays.
pub const BOARD_CAP: usize = if cfg!(feature = "boards-8") {
    MOST_BOARDS
} else if cfg!(feature = "boards-4") {
    4
} else {
    2
};

/// Techs of a line at most: those of the default line, 22 units and the three special techs (rules §6.1).
pub const TECH_CAP: usize = UNIT_TECH_COUNT + 3;

// Levels are bit sets of 32, places of a piece's record have six bits for its unit.
const _: () = assert!(TECH_CAP < 32 && UNIT_COUNT < 64);

/// Cards in the queue of a side after a refill, on top of one per board (rules §7).
pub const QUEUE_EXTRA: usize = 11;

/// Cards in a queue at most: one per board, [`QUEUE_EXTRA`], and room for cards on their way to the row.
pub const QUEUE_CAP: usize = BOARD_CAP + 16;

/// Cards in the spell row at most: one per board, one more, and those bought in one turn. The rules do not bound
/// purchases; 64 cards is what one bit set of taken cards holds.
pub const ROW_CAP: usize = 64;

/// Cards in one hand at most. A hand grows by at most one card a turn without Metamagic, and the rules set no bound;
/// a full hand takes no more (`IllegalReason::Capacity`, or a counted loss at the end of a turn).
pub const HAND_CAP: usize = 48;

/// Modifiers on one piece at most. The rules do not bound how many spells are cast on a piece; a cast beyond the
/// bound is refused (`IllegalReason::Capacity`).
pub const MODIFIER_CAP: usize = 8;

/// Souls of a side at most; a gain beyond the bound is lost, which no game comes near.
pub const SOULS_CAP: u32 = 1_000_000;

/// Steps of a path at most: the speed of the fastest unit (rules §9).
pub const PATH_CAP: usize = 3;

/// Actions of one board in one turn at most. A hundred pieces that all move and attack do not fit; the recorded games
/// need at most 71 over all boards together.
pub const BOARD_ACTION_CAP: usize = 160;

/// Tech steps in one turn at most: unlocking and acquiring each tech of a line.
pub const TECH_STEP_CAP: usize = 2 * TECH_CAP;

/// Cards given to boards in one turn at most: with Metamagic a board takes more than one.
pub const CARD_GIFT_CAP: usize = 2 * BOARD_CAP;

/// Actions of the general in a turn that the search takes over as a candidate, at most. Purchases, tech steps and
/// cards of a turn between equals stay below 20; a turn with more is left out by the search, not by the rules.
pub const GENERAL_ACTION_CAP: usize = 40;

/// Changes that one ordinary action makes to a position at most; simultaneous moves and Rising Horde make more.
pub const CHANGES_PER_ACTION: usize = 48;

#[cfg(test)]
mod tests {
    use super::*;

    /// In numbers what the documentation of each says in words: 22 units and three special techs; a card for each of 8
    /// boards and 16 more; each tech unlocked and acquired; two cards for each board.
    #[test]
    fn capacities_are_as_documented() {
        assert_eq!([TECH_CAP, QUEUE_CAP, TECH_STEP_CAP, CARD_GIFT_CAP], [25, 24, 50, 16]);
    }
}
