//! Actions, the commands of the protocol without ids, and their effect on the position (rules §5).

use core::fmt;

use super::rules::{Level, Player, Rules, TOWER_COST};
use super::{Cell, CellSet, Direction, State};

/// An action of the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// A unit moves one step towards a cell.
    Move {
        /// Cell of the unit.
        from: Cell,
        /// Cell that the unit moves towards, near or far.
        target: Cell,
    },
    /// A unit is trained.
    Train {
        /// Level of the unit.
        level: Level,
        /// Cell of the new unit.
        at: Cell,
    },
    /// A mine is built on a cell.
    Mine(Cell),
    /// A tower is built on a cell.
    Tower(Cell),
}

impl Default for Action {
    /// A move without effect, for unused room of lists.
    fn default() -> Action {
        Action::Move { from: Cell::default(), target: Cell::default() }
    }
}

/// Why the referee rejects a command.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Rejection {
    /// The target is off the board or void.
    NoCell,
    /// No level has this number.
    NoLevel,
    /// The player has no such unit, or it was trained in the same line.
    NoUnit,
    /// The unit has moved already, or may not move in this turn.
    NotReady,
    /// The cell cannot be entered.
    NotEnterable,
    /// No neighbour is closer to the target and enterable. A later command of the line may move the unit.
    NoWay,
    /// The cell is neither active land of the player nor beside it.
    NotPlayable,
    /// The player has too little gold.
    Gold,
    /// The cell holds a unit or a building.
    Occupied,
    /// The player does not own the cell.
    NotOwned,
    /// A mine on a cell that is not a mine spot, or a tower on one that is.
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
    /// Plays an action of the player to move. Returns the cell entered or built on; a rejected action changes nothing.
    pub fn apply(&mut self, rules: &Rules, action: Action) -> Result<Cell, Rejection> {
        if self.conqueror().is_some() {
            return Err(Rejection::Over);
        }
        match action {
            Action::Move { from, target } => self.move_unit(from, target),
            Action::Train { level, at } => self.train(level, at),
            Action::Mine(at) => {
                let price = self.mine_price(rules, self.mover);
                self.build(at, price, true)
            }
            Action::Tower(at) => self.build(at, TOWER_COST, false),
        }
    }

    /// Price of a player's next mine in gold.
    pub fn mine_price(&self, rules: &Rules, player: Player) -> i32 {
        let owned = (self.mines & self.owned(player)).len() as i32;
        rules.mine_cost.saturating_add(rules.mine_step.saturating_mul(owned))
    }

    fn move_unit(&mut self, from: Cell, target: Cell) -> Result<Cell, Rejection> {
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
        // Rules may pay for mines instead of asking a price.
        let purse = &mut self.gold[self.mover.index()];
        *purse = purse.saturating_sub(price);
        if mine {
            self.mines.insert(at);
        } else {
            self.towers.insert(at);
        }
        self.count_income();
        Ok(at)
    }

    /// Puts a unit of the player to move on a cell: unit and building of the cell go, and the player owns the cell.
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

    /// Cells of a player connected to the player's headquarters, by flood fill.
    fn home_land(&self, player: Player) -> CellSet {
        player.headquarters().to_set().flood(self.owned(player))
    }
}

/// The order in which the referee tries neighbours (rules §5).
const fn order(player: Player) -> [Direction; 4] {
    use super::Direction::{Down, Left, Right, Up};
    match player {
        Player::Zero => [Up, Right, Down, Left],
        Player::One => [Down, Left, Up, Right],
    }
}
