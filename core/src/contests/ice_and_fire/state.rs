//! The position in ten cell sets and a few numbers, 256 bytes (rules §2).
//!
//! Units and buildings stand on land of their owners, so the position stores no owner of a unit or building. Only the
//! protocol needs ids of units; [`Game`](super::Game) stores them.

use core::fmt;

use super::rules::{Level, MINE_INCOME, Player, START_GOLD};
use super::{Cell, CellSet, Map};

/// A position. [`State::check`] is the definition of a valid one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    pub(super) open: CellSet,
    pub(super) mine_spots: CellSet,
    pub(super) owned: [CellSet; 2],
    /// Owned cells that are connected to the owner's headquarters.
    pub(super) active: CellSet,
    /// Cells with a unit whose level has bit 0 set, and bit 1.
    pub(super) levels: [CellSet; 2],
    pub(super) towers: CellSet,
    pub(super) mines: CellSet,
    /// Cells with a unit that may still move in this turn.
    pub(super) ready: CellSet,
    pub(super) gold: [i32; 2],
    /// Incomes as the protocol shows them, which after a bankruptcy are not those of the cells (rules §3, step 4).
    pub(super) income: [i16; 2],
    pub(super) turn: u8,
    pub(super) mover: Player,
}

/// Why land, units and buildings are not a valid position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum StateError {
    /// Headquarters on a void cell.
    NoHeadquarters,
    /// A void cell with an owner, or a cell with two owners.
    Owner,
    /// A unit on a cell without owner, or a ready unit of the player who is not to move.
    Unit,
    /// A building on a cell without owner, or on another building.
    Building,
    /// A unit on a building other than headquarters just taken.
    Crowded,
    /// A mine where there is no spot for one, or a spot on a void cell.
    MineSpot,
    /// Active flags that do not follow from the owners.
    Activity,
}

impl fmt::Display for StateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            StateError::NoHeadquarters => "headquarters on a void cell",
            StateError::Owner => "a cell with two owners, or a void one with one",
            StateError::Unit => "a unit outside its owner's land, or ready out of turn",
            StateError::Building => "a building outside its owner's land, or on another",
            StateError::Crowded => "a unit on a building",
            StateError::MineSpot => "a mine without a spot, or a spot on a void cell",
            StateError::Activity => "active cells that are not connected, or the other way round",
        })
    }
}

impl core::error::Error for StateError {}

impl State {
    /// The start of a game, before the first turn begins.
    pub fn start(map: &Map) -> State {
        let mut state = State::empty(map);
        for &player in &Player::BOTH {
            state.owned[player.index()] = player.headquarters().to_set() & map.open;
        }
        // The referee gives the second player (11,10) too.
        if let Some(extra) = Cell::at(11, 10) {
            state.owned[1] |= extra.to_set() & map.open;
        }
        state.gold = [START_GOLD; 2];
        state.refresh();
        state
    }

    /// A position without land, units, buildings and gold.
    pub(super) const fn empty(map: &Map) -> State {
        State {
            open: map.open,
            mine_spots: map.mine_spots,
            owned: [CellSet::EMPTY; 2],
            active: CellSet::EMPTY,
            levels: [CellSet::EMPTY; 2],
            towers: CellSet::EMPTY,
            mines: CellSet::EMPTY,
            ready: CellSet::EMPTY,
            gold: [0; 2],
            income: [0; 2],
            turn: 1,
            mover: Player::Zero,
        }
    }

    /// Cells that are not void.
    pub const fn open(&self) -> CellSet {
        self.open
    }

    /// Cells on which mines can be built.
    pub const fn mine_spots(&self) -> CellSet {
        self.mine_spots
    }

    /// Cells of a player, active or not.
    pub const fn owned(&self, player: Player) -> CellSet {
        self.owned[player.index()]
    }

    /// Cells of a player that are connected to its headquarters.
    pub fn active(&self, player: Player) -> CellSet {
        self.active & self.owned[player.index()]
    }

    /// Cells that are neither void nor owned.
    pub fn unowned(&self) -> CellSet {
        self.open - self.owned[0] - self.owned[1]
    }

    /// Cells with units of both players.
    pub fn all_units(&self) -> CellSet {
        self.levels[0] | self.levels[1]
    }

    /// Cells with units of a player.
    pub fn units(&self, player: Player) -> CellSet {
        self.all_units() & self.owned[player.index()]
    }

    /// Cells with units of this level.
    pub fn of_level(&self, level: Level) -> CellSet {
        let [low, high] = self.levels;
        match level {
            Level::One => low - high,
            Level::Two => high - low,
            Level::Three => low & high,
        }
    }

    /// Level of the unit on a cell, if there is one.
    pub const fn level(&self, cell: Cell) -> Option<Level> {
        let [low, high] = &self.levels;
        Level::new(high.contains(cell) as u32 * 2 + low.contains(cell) as u32)
    }

    /// Units of the player to move that may still move.
    pub const fn ready(&self) -> CellSet {
        self.ready
    }

    /// Cells with towers.
    pub const fn towers(&self) -> CellSet {
        self.towers
    }

    /// Cells with mines.
    pub const fn mines(&self) -> CellSet {
        self.mines
    }

    /// Cells with towers, mines or headquarters.
    pub fn buildings(&self) -> CellSet {
        let [zero, one] = Player::BOTH.map(|player| player.headquarters().to_set());
        self.towers | self.mines | zero | one
    }

    /// Gold of a player.
    pub const fn gold(&self, player: Player) -> i32 {
        self.gold[player.index()]
    }

    /// Income of a player as the protocol shows it.
    pub const fn income(&self, player: Player) -> i32 {
        self.income[player.index()] as i32
    }

    /// The turn, from 1; 101 when all turns are over.
    pub const fn turn(&self) -> u8 {
        self.turn
    }

    /// The player to move.
    pub const fn mover(&self) -> Player {
        self.mover
    }

    /// The player who took the opponent's headquarters, if one did.
    pub fn conqueror(&self) -> Option<Player> {
        let mut players = Player::BOTH.iter().copied();
        players.find(|player| self.owned[player.index()].contains(player.opponent().headquarters()))
    }

    /// Score of a player: gold and the prices of living units (rules §8).
    pub fn score(&self, player: Player) -> i32 {
        self.gold(player).saturating_add(self.unit_cost(self.owned(player)))
    }

    /// Sum of the prices of the units on these cells.
    pub fn unit_cost(&self, cells: CellSet) -> i32 {
        let [low, high] = self.levels;
        10 * (low & cells).len() as i32 + 20 * (high & cells).len() as i32
    }

    /// Sum of the upkeep of the units on these cells, in gold per turn.
    pub fn upkeep(&self, cells: CellSet) -> i32 {
        Level::ALL.iter().map(|&level| level.upkeep() * (self.of_level(level) & cells).len() as i32).sum()
    }

    /// Income of a player by the cells: one per active cell, four per active mine, less the upkeep (rules §2).
    pub fn earnings(&self, player: Player) -> i32 {
        let active = self.active(player);
        active.len() as i32 + MINE_INCOME * (self.mines & active).len() as i32 - self.upkeep(active)
    }

    /// Cells of a player that units of levels 1 and 2 of the other cannot enter because of towers (rules §2,
    /// "enterable" 1 and 2).
    pub fn shielded(&self, player: Player) -> CellSet {
        let towers = self.towers & self.owned[player.index()];
        let active = self.active(player);
        towers | ((towers & active).neighbours() & active)
    }

    /// Cells that a unit of this level can enter, wherever it comes from (rules §2).
    pub fn enterable(&self, player: Player, level: Level) -> CellSet {
        let occupied = self.all_units() | self.buildings();
        let own = self.owned(player) & occupied;
        let strong = match level {
            Level::One => self.all_units(),
            Level::Two => self.levels[1],
            Level::Three => return self.open - own,
        };
        self.open - own - (strong & self.owned(player.opponent())) - self.shielded(player.opponent())
    }

    /// Cells where a player can train or build as far as distance is concerned (rules §2).
    pub fn playable(&self, player: Player) -> CellSet {
        let active = self.active(player);
        self.open & (active | active.neighbours())
    }

    /// The cells closest to `target` among the non-void neighbours of `from`, if they are closer than `from` itself:
    /// those whose static distance is smaller (rules §6).
    pub(super) fn closer(&self, from: Cell, target: Cell) -> CellSet {
        let mut nearer = CellSet::EMPTY;
        let mut reached = target.to_set() & self.open;
        while !reached.contains(from) {
            let wider = reached | (reached.neighbours() & self.open);
            if wider == reached {
                // No path: every neighbour is as far.
                return CellSet::EMPTY;
            }
            nearer = reached;
            reached = wider;
        }
        nearer & from.to_set().neighbours()
    }

    /// Checks the invariants of a position.
    pub fn check(&self) -> Result<(), StateError> {
        let land = self.owned[0] | self.owned[1];
        let units = self.all_units();
        let built = self.towers | self.mines;
        let quarters = Player::BOTH.iter().map(|player| player.headquarters()).collect::<CellSet>();
        let taken = match self.conqueror() {
            Some(player) => player.opponent().headquarters().to_set(),
            None => CellSet::EMPTY,
        };
        let tests = [
            (quarters.is_subset(self.open), StateError::NoHeadquarters),
            (land.is_subset(self.open) && !self.owned[0].intersects(self.owned[1]), StateError::Owner),
            (units.is_subset(land) && self.ready.is_subset(self.units(self.mover)), StateError::Unit),
            (
                built.is_subset(land) && !self.towers.intersects(self.mines) && !built.intersects(quarters),
                StateError::Building,
            ),
            (!units.intersects((built | quarters) - taken), StateError::Crowded),
            (
                self.mines.is_subset(self.mine_spots) && self.mine_spots.is_subset(self.open),
                StateError::MineSpot,
            ),
            (self.active == self.connected(), StateError::Activity),
        ];
        tests.iter().find(|(holds, _)| !holds).map_or(Ok(()), |&(_, invalid)| Err(invalid))
    }

    /// Owned cells connected to their owner's headquarters, by flood fill.
    fn connected(&self) -> CellSet {
        Player::BOTH.iter().fold(CellSet::EMPTY, |all, player| {
            all | player.headquarters().to_set().flood(self.owned[player.index()])
        })
    }

    /// Recomputes active cells and incomes of both players.
    pub(super) fn refresh(&mut self) {
        self.active = self.connected();
        self.count_income();
    }

    /// Recomputes the incomes of both players.
    pub(super) fn count_income(&mut self) {
        // At most 144 cells and as many mines, at least 144 units of level 3.
        self.income = Player::BOTH.map(|player| self.earnings(player) as i16);
    }

    /// Removes unit and building of a cell.
    pub(super) const fn clear(&mut self, cell: Cell) {
        self.levels[0].remove(cell);
        self.levels[1].remove(cell);
        self.towers.remove(cell);
        self.mines.remove(cell);
        self.ready.remove(cell);
    }

    /// Puts a unit on an empty cell.
    pub(super) const fn put_unit(&mut self, cell: Cell, level: Level) {
        if level.number() & 1 != 0 {
            self.levels[0].insert(cell);
        }
        if level.number() & 2 != 0 {
            self.levels[1].insert(cell);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contests::ice_and_fire::Rules;

    #[test]
    fn ice_and_fire_states_are_small() {
        assert_eq!(size_of::<State>(), 256);
    }

    #[test]
    fn ice_and_fire_start_is_as_rules_1_has_it() {
        let map = Map::generate(1, &Rules::PERMANENT);
        let state = State::start(&map);
        assert_eq!(state.check(), Ok(()));
        assert_eq!(Player::BOTH.map(|player| state.owned(player).len()), [1, 2]);
        assert_eq!(Player::BOTH.map(|player| (state.gold(player), state.income(player))), [(20, 1), (20, 2)]);
        assert_eq!(state.conqueror(), None);
    }

    #[test]
    fn ice_and_fire_check_finds_what_is_wrong() {
        let map = Map::generate(1, &Rules::PERMANENT);
        let good = State::start(&map);
        let cell = |x, y| Cell::at(x, y).unwrap();
        let broken = |spoil: fn(&mut State, Cell, Cell)| {
            let mut state = good;
            // A void cell and an open one that nobody owns.
            spoil(&mut state, cell(11, 0), cell(2, 2));
            state.check()
        };
        assert_eq!(
            broken(|state, _, _| state.open.remove(Player::One.headquarters())),
            Err(StateError::NoHeadquarters)
        );
        assert_eq!(broken(|state, void, _| state.owned[0].insert(void)), Err(StateError::Owner));
        assert_eq!(broken(|state, _, open| state.put_unit(open, Level::Two)), Err(StateError::Unit));
        assert_eq!(broken(|state, _, open| state.ready.insert(open)), Err(StateError::Unit));
        assert_eq!(broken(|state, _, open| state.towers.insert(open)), Err(StateError::Building));
        assert_eq!(
            broken(|state, _, _| state.put_unit(Player::One.headquarters(), Level::One)),
            Err(StateError::Crowded)
        );
        assert_eq!(broken(|state, void, _| state.mine_spots.insert(void)), Err(StateError::MineSpot));
        assert_eq!(broken(|state, _, open| state.owned[0].insert(open)), Ok(()));
        assert_eq!(
            broken(|state, _, _| {
                let beside = Cell::at(0, 1).unwrap();
                state.owned[0].insert(beside);
            }),
            Err(StateError::Activity)
        );
    }

    #[test]
    fn ice_and_fire_static_distance_leads_round_void() {
        let map = Map::generate(1, &Rules::PERMANENT);
        let state = State::start(&map);
        let cell = |x, y| Cell::at(x, y).unwrap();
        // Row 0 ends at (2,0); the way to the right goes through row 1.
        assert_eq!(state.closer(cell(2, 0), cell(9, 1)), cell(2, 1).to_set());
        assert_eq!(state.closer(cell(2, 0), cell(2, 0)), CellSet::EMPTY);
        assert_eq!(state.closer(cell(2, 0), cell(11, 0)), CellSet::EMPTY);
        assert_eq!(state.closer(cell(2, 2), cell(4, 4)), cell(3, 2).to_set() | cell(2, 3).to_set());
    }
}
