//! Constants of the game (rules §1) and of the contest of May 2019 (rules §7).

use super::Cell;

/// Turns of a game; in each turn both players play.
pub const TURNS: u8 = 100;

/// Gold of each player at the start.
pub const START_GOLD: i32 = 20;

/// Price of a tower in gold.
pub const TOWER_COST: i32 = 15;

/// Gold per turn of a mine on an active cell, beside the 1 of the cell.
pub const MINE_INCOME: i32 = 4;

/// One of the two players.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Player {
    /// The player who begins, with headquarters at (0,0).
    Zero,
    /// The other player, with headquarters at (11,11).
    One,
}

impl Player {
    /// Both players in the order of play.
    pub const BOTH: [Player; 2] = [Player::Zero, Player::One];

    /// Index of the player, 0 or 1.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The other player.
    pub const fn opponent(self) -> Player {
        match self {
            Player::Zero => Player::One,
            Player::One => Player::Zero,
        }
    }

    /// Cell of the player's headquarters.
    pub const fn headquarters(self) -> Cell {
        match self {
            Player::Zero => Cell::TOP_LEFT,
            Player::One => Cell::TOP_LEFT.rotated(),
        }
    }
}

/// Level of a unit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Level {
    /// Takes undefended cells.
    One = 1,
    /// Also takes units of level 1.
    Two = 2,
    /// Takes every cell.
    Three = 3,
}

impl Level {
    /// All levels, the cheapest first.
    pub const ALL: [Level; 3] = [Level::One, Level::Two, Level::Three];

    /// The level with this number, 1 to 3.
    pub const fn new(number: u32) -> Option<Level> {
        match number {
            1 => Some(Level::One),
            2 => Some(Level::Two),
            3 => Some(Level::Three),
            _ => None,
        }
    }

    /// Number of the level, 1 to 3.
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// Price of a unit of this level in gold.
    pub const fn cost(self) -> i32 {
        10 * self as i32
    }

    /// Upkeep of a unit of this level in gold per turn.
    pub const fn upkeep(self) -> i32 {
        match self {
            Level::One => 1,
            Level::Two => 4,
            Level::Three => 20,
        }
    }
}

/// How the number of mine spots of a map is decided.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MineSpotCount {
    /// By the number of open cells (rules §6, step 8).
    BySize,
    /// By a draw before the map is made, 8 to 20 (rules §7).
    Drawn,
}

/// The rules in which the two variants of the game differ.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rules {
    /// Gold for the first mine.
    pub mine_cost: i32,
    /// Gold that each mine already owned adds to the price of the next.
    pub mine_step: i32,
    /// How the number of mine spots of a map is decided.
    pub mine_spots: MineSpotCount,
}

impl Rules {
    /// Rules of the permanent game.
    pub const PERMANENT: Rules = Rules { mine_cost: 15, mine_step: 0, mine_spots: MineSpotCount::BySize };
    /// Rules of the contest of May 2019.
    pub const CONTEST: Rules = Rules { mine_cost: 20, mine_step: 4, mine_spots: MineSpotCount::Drawn };
}

impl Default for Rules {
    fn default() -> Rules {
        Rules::PERMANENT
    }
}
