//! What a command does to the position (rules §5).

use core::fmt;

use super::rules::{Level, Player, Rules, TOWER_COST};
use super::{Cell, CellSet, Direction, State};

/// A command as the board sees it, without ids.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// The unit on `from` goes one step towards `target`.
    Move {
        /// Where the unit stands.
        from: Cell,
        /// Any cell.
        target: Cell,
    },
    /// A new unit.
    Train {
        /// Its level.
        level: Level,
        /// Where it appears.
        at: Cell,
    },
    /// A new mine.
    Mine(Cell),
    /// A new tower.
    Tower(Cell),
}

impl Default for Action {
    /// A move that goes nowhere, for room that is not in use.
    fn default() -> Action {
        Action::Move { from: Cell::default(), target: Cell::default() }
    }
}

/// Why the referee ignores a command.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Rejection {
    /// The target is off the board or void.
    NoCell,
    /// No level has this number.
    NoLevel,
    /// The player has no such unit, or it was trained in the same line.
    NoUnit,
    /// The unit may not move any more.
    NotReady,
    /// The cell cannot be entered.
    NotEnterable,
    /// No neighbour is closer and enterable. The unit may be moved later in the line.
    NoWay,
    /// The cell is neither active land of the player nor beside it.
    NotPlayable,
    /// Too little gold.
    Gold,
    /// A unit or building stands there.
    Occupied,
    /// Not the player's cell.
    NotOwned,
    /// A mine where there is no spot for one, or a tower where there is.
    MineSpot,
    /// The game is over.
    Over,
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Rejection::NoCell => "no such cell",
            Rejection::NoLevel => "no such level",
            Rejection::NoUnit => "no such unit",
            Rejection::NotReady => "the unit may not move any more",
            Rejection::NotEnterable => "the cell cannot be entered",
            Rejection::NoWay => "no free cell is closer",
            Rejection::NotPlayable => "too far from active land",
            Rejection::Gold => "not enough gold",
            Rejection::Occupied => "something stands there",
            Rejection::NotOwned => "not own land",
            Rejection::MineSpot => "mines need a spot, towers must not have one",
            Rejection::Over => "the game is over",
        })
    }
}

impl core::error::Error for Rejection {}

impl State {
    /// Does what a command of the player to move says; a refused one changes nothing. Returns the cell that was
    /// entered or built on.
    pub fn apply(&mut self, rules: &Rules, action: Action) -> Result<Cell, Rejection> {
        if self.conqueror().is_some() {
            return Err(Rejection::Over);
        }
        match action {
            Action::Move { from, target } => self.walk(from, target),
            Action::Train { level, at } => self.train(level, at),
            Action::Mine(at) => {
                let price = self.mine_price(rules, self.mover);
                self.build(at, price, true)
            }
            Action::Tower(at) => self.build(at, TOWER_COST, false),
        }
    }

    /// What the next mine of a player costs.
    pub fn mine_price(&self, rules: &Rules, player: Player) -> i32 {
        let owned = (self.mines & self.owned(player)).len() as i32;
        rules.mine_cost.saturating_add(rules.mine_step.saturating_mul(owned))
    }

    fn walk(&mut self, from: Cell, target: Cell) -> Result<Cell, Rejection> {
        let level = self.level(from).filter(|_| self.owned(self.mover).contains(from));
        let level = level.ok_or(Rejection::NoUnit)?;
        if !self.open.contains(target) {
            return Err(Rejection::NoCell);
        }
        if !self.ready.contains(from) {
            return Err(Rejection::NotReady);
        }
        let enterable = self.enterable(self.mover, level);
        let to = if from.distance(target) == 1 {
            Some(target).filter(|&to| enterable.contains(to)).ok_or(Rejection::NotEnterable)?
        } else {
            // Static distances of neighbours differ by one, so the first that is closer is as close as any.
            let closer = self.closer(from, target) & enterable;
            let order = order(self.mover);
            let mut ways = order.iter().filter_map(|&way| from.step(way));
            ways.find(|&to| closer.contains(to)).ok_or(Rejection::NoWay)?
        };
        self.clear(from);
        self.enter(to, level);
        Ok(to)
    }

    fn train(&mut self, level: Level, at: Cell) -> Result<Cell, Rejection> {
        if !self.open.contains(at) {
            return Err(Rejection::NoCell);
        }
        if !self.playable(self.mover).contains(at) {
            return Err(Rejection::NotPlayable);
        }
        if self.gold(self.mover) < level.cost() {
            return Err(Rejection::Gold);
        }
        if !self.enterable(self.mover, level).contains(at) {
            return Err(Rejection::NotEnterable);
        }
        self.gold[self.mover.index()] -= level.cost();
        self.enter(at, level);
        Ok(at)
    }

    fn build(&mut self, at: Cell, price: i32, mine: bool) -> Result<Cell, Rejection> {
        if !self.open.contains(at) {
            return Err(Rejection::NoCell);
        }
        if !self.playable(self.mover).contains(at) {
            return Err(Rejection::NotPlayable);
        }
        if (self.all_units() | self.buildings()).contains(at) {
            return Err(Rejection::Occupied);
        }
        if !self.owned(self.mover).contains(at) {
            return Err(Rejection::NotOwned);
        }
        if self.gold(self.mover) < price {
            return Err(Rejection::Gold);
        }
        if self.mine_spots.contains(at) != mine {
            return Err(Rejection::MineSpot);
        }
        self.gold[self.mover.index()] -= price;
        if mine {
            self.mines.insert(at);
        } else {
            self.towers.insert(at);
        }
        self.count_income();
        Ok(at)
    }

    /// A unit of the player to move comes to a cell: what stands there goes, and the cell changes hands.
    fn enter(&mut self, at: Cell, level: Level) {
        let player = self.mover;
        let lost = self.owned(player.opponent()).contains(at);
        self.clear(at);
        self.put_unit(at, level);
        self.owned[player.opponent().index()].remove(at);
        self.owned[player.index()].insert(at);
        self.active.remove(at);
        if lost {
            self.active = self.active(player) | self.home_land(player.opponent());
        }
        // Own land only grows: what is new hangs on the cell that was entered.
        let own = self.active(player);
        if (own | player.headquarters().to_set()).neighbours().contains(at) {
            self.active |= (own | at.to_set()).flood(self.owned(player));
        }
        self.count_income();
    }

    /// Cells of a player that are connected to its headquarters, by a walk.
    fn home_land(&self, player: Player) -> CellSet {
        player.headquarters().to_set().flood(self.owned(player))
    }
}

/// The order in which the referee looks at neighbours (rules §5).
const fn order(player: Player) -> [Direction; 4] {
    use super::Direction::{Down, Left, Right, Up};
    match player {
        Player::Zero => [Up, Right, Down, Left],
        Player::One => [Down, Left, Up, Right],
    }
}
