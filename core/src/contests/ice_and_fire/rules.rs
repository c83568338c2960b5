//! The constants of the game (rules §1) and those of the contest of May 2019 (rules §7).

use super::Cell;

/// Turns of a game; each is a turn of both players.
pub const TURNS: u8 = 100;

/// Gold that each player starts with.
pub const START_GOLD: i32 = 20;

/// Gold for a tower.
pub const TOWER_COST: i32 = 15;

/// Gold that a mine on an active cell brings per turn, beside the 1 of its cell.
pub const MINE_INCOME: i32 = 4;

/// One of the two players.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Player {
    /// Begins, at (0,0).
    Zero,
    /// At (11,11).
    One,
}

impl Player {
    /// Both, in the order of play.
    pub const BOTH: [Player; 2] = [Player::Zero, Player::One];

    /// 0 or 1.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The other one.
    pub const fn opponent(self) -> Player {
        match self {
            Player::Zero => Player::One,
            Player::One => Player::Zero,
        }
    }

    /// Where its headquarters stand.
    pub const fn headquarters(self) -> Cell {
        let Some(corner) = Cell::at(0, 0) else { unreachable!() };
        match self {
            Player::Zero => corner,
            Player::One => corner.rotated(),
        }
    }
}

/// Strength of a unit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Level {
    /// Takes what is undefended.
    One = 1,
    /// Also takes units of level 1.
    Two = 2,
    /// Takes everything.
    Three = 3,
}

impl Level {
    /// All three, the cheapest first.
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

    /// 1 to 3.
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// Gold to train one.
    pub const fn cost(self) -> i32 {
        10 * self as i32
    }

    /// Gold per turn to keep one.
    pub const fn upkeep(self) -> i32 {
        match self {
            Level::One => 1,
            Level::Two => 4,
            Level::Three => 20,
        }
    }
}

/// How many mine spots a map gets.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MineSpotCount {
    /// Depends on the number of open cells (rules §6 step 8).
    BySize,
    /// 8 to 20, drawn before the map (rules §7).
    Drawn,
}

/// What the two variants of the game differ in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rules {
    /// Gold for the first mine.
    pub mine_cost: i32,
    /// Gold that each mine already owned adds to the price of the next.
    pub mine_step: i32,
    /// How many mine spots a map gets.
    pub mine_spots: MineSpotCount,
}

impl Rules {
    /// The permanent game.
    pub const PERMANENT: Rules = Rules { mine_cost: 15, mine_step: 0, mine_spots: MineSpotCount::BySize };
    /// The contest of May 2019.
    pub const CONTEST: Rules = Rules { mine_cost: 20, mine_step: 4, mine_spots: MineSpotCount::Drawn };
}

impl Default for Rules {
    fn default() -> Rules {
        Rules::PERMANENT
    }
}
