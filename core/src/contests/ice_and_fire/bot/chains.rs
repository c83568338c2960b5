//! The cheapest chains of one move and some trainings into every cell: Dijkstra's algorithm with the
//! shortcuts of rules §11.1.
//!
//! The level that a cell needs is taken from the starting position; only one unit moves; a cheap chain hides a dearer,
//! better one.

use crate::contests::ice_and_fire::{Action, CELLS, Cell, CellSet, Level, Player, SLOTS, State};
use crate::list::List;

/// Most actions of a chain: one per cell of the board.
pub const CHAIN_CAP: usize = CELLS;

/// The label of a cell that no chain has reached.
const FAR: u64 = u64::MAX;

/// No parent, or no unit that moves.
const NONE: u8 = u8::MAX;

/// The cheapest chains of a player: for each cell the level needed there and the cheapest chain to the cell.
#[derive(Clone, Debug)]
pub struct Chains {
    player: Player,
    /// Cells that need a level of at least 1, 2 and 3.
    needs: [CellSet; 3],
    /// Gold, upkeep, length and level of the unit that moves, packed so that they compare in this order.
    labels: [u64; SLOTS],
    parents: [u8; SLOTS],
    /// Cell of the unit that moves, by last cell of the chain.
    movers: [u8; SLOTS],
    reached: CellSet,
}

/// The chain to one cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Chain {
    /// Gold for the trainings.
    pub gold: i32,
    /// Upkeep of the units trained.
    pub upkeep: i32,
    /// The unit that makes the first step.
    pub mover: Option<(Cell, Level)>,
    /// The cells of the chain.
    pub path: CellSet,
}

const fn label(gold: u64, upkeep: u64, length: u64, mover: u64) -> u64 {
    gold << 32 | upkeep << 16 | length << 4 | mover
}

/// The order in which cells with equal labels are settled; the last one becomes the parent.
const fn rank(order: u8, cell: Cell) -> u8 {
    let straight = cell.index() as u8;
    if order == 1 { u8::MAX - straight } else { straight }
}

/// The first order of chains that start on one cell only: this one on the first cell.
const ONE_START: u8 = 4;

/// The order of chains that start on a cell.
pub const fn order_from(start: Cell) -> u8 {
    ONE_START + start.index() as u8
}

/// Whether chains of this order may start on a cell: 2 and 3 only on one side of the diagonal between the headquarters,
/// and those above on one cell.
const fn may_start(order: u8, cell: Cell) -> bool {
    match order {
        0 | 1 => true,
        2 => cell.x() > cell.y(),
        3 => cell.x() <= cell.y(),
        _ => order == order_from(cell),
    }
}

impl Chains {
    /// Chains of a player, whose units that are ready may move, for at most `budget` gold. `order` 0 is that of rules
    /// §11.1; 1 chooses otherwise among equal labels, 2 and 3 start on one side of the diagonal only, those of
    /// [`order_from`] on one cell, so that other chains than the cheapest are seen too.
    pub fn new(state: &State, player: Player, budget: i32, order: u8) -> Chains {
        let needs = needs(state, player);
        let mut chains = Chains {
            player,
            needs,
            labels: [FAR; SLOTS],
            parents: [NONE; SLOTS],
            movers: [NONE; SLOTS],
            reached: CellSet::EMPTY,
        };
        let own = state.active(player);
        let land = state.open() - own;
        let ready = state.ready() & own;
        let mut waiting = CellSet::EMPTY;
        for cell in starts(state, player).iter().filter(|&cell| may_start(order, cell)) {
            let need = chains.need(cell);
            let beside = cell.to_set().neighbours() & ready;
            let mut able = Level::ALL.iter().filter(|level| level.number() >= need);
            let unit = able.find_map(|&level| Some(((beside & state.of_level(level)).first()?, level)));
            let (start, mover) = match unit {
                Some((from, level)) => (label(0, 0, 1, level.number().into()), from.index() as u8),
                None => (chains.price(cell) + label(0, 0, 1, 0), NONE),
            };
            if chains.offer(cell, start, NONE, mover, budget) {
                waiting.insert(cell);
            }
        }
        // So few cells wait at a time that looking through them beats a heap.
        while let Some(cell) =
            waiting.iter().min_by_key(|&cell| (chains.labels[cell.index()], rank(order, cell)))
        {
            waiting.remove(cell);
            chains.reached.insert(cell);
            let here = chains.labels[cell.index()] + label(0, 0, 1, 0);
            let mover = chains.movers[cell.index()];
            for next in ((cell.to_set().neighbours() & land) - chains.reached).iter() {
                let there = here + chains.price(next);
                if chains.offer(next, there, cell.index() as u8, mover, budget) {
                    waiting.insert(next);
                }
            }
        }
        chains
    }

    /// Relaxes the label of a cell; of equal labels the last one is kept. Returns whether the budget pays the label.
    fn offer(&mut self, cell: Cell, label: u64, parent: u8, mover: u8, budget: i32) -> bool {
        if (label >> 32) as i64 > i64::from(budget) {
            return false;
        }
        if label <= self.labels[cell.index()] {
            self.labels[cell.index()] = label;
            self.parents[cell.index()] = parent;
            self.movers[cell.index()] = mover;
        }
        true
    }

    /// The level that a cell needs; 0 for the player's own land.
    fn need(&self, cell: Cell) -> u8 {
        self.needs.iter().map(|needy| u8::from(needy.contains(cell))).sum()
    }

    /// The part of a label for a training on a cell.
    fn price(&self, cell: Cell) -> u64 {
        match Level::new(self.need(cell).into()) {
            None => 0,
            Some(level) => label(level.cost() as u64, level.upkeep() as u64, 0, 0),
        }
    }

    /// Cells to which the budget pays a chain.
    pub const fn reached(&self) -> CellSet {
        self.reached
    }

    /// The cheapest chain to a cell, if the budget pays one.
    pub fn to(&self, target: Cell) -> Option<Chain> {
        if !self.reached.contains(target) {
            return None;
        }
        let label = self.labels[target.index()];
        let mover = Cell::new(self.movers[target.index()]).zip(Level::new(label as u32 & 15));
        let path = self.back(target).collect::<CellSet>();
        Some(Chain { gold: (label >> 32) as i32, upkeep: (label >> 16) as i32 & 0xffff, mover, path })
    }

    /// The cells of the chain from its end to its beginning.
    fn back(&self, target: Cell) -> impl Iterator<Item = Cell> + '_ {
        let mut next = Some(target).filter(|&target| self.reached.contains(target));
        core::iter::from_fn(move || {
            let cell = next?;
            next = Cell::new(self.parents[cell.index()]);
            Some(cell)
        })
    }

    /// The actions of the chain to a cell, in order.
    pub fn actions(&self, target: Cell) -> List<Action, CHAIN_CAP> {
        let mut actions = List::new();
        let mut mover = Cell::new(self.movers[target.index()]);
        let mut cells = List::<Cell, CHAIN_CAP>::new();
        for cell in self.back(target) {
            // A chain meets no cell twice.
            let _ = cells.push(cell);
        }
        for &cell in cells.iter().rev() {
            let action = match (mover.take(), Level::new(self.need(cell).into())) {
                (Some(from), _) => Action::Move { from, target: cell },
                (None, Some(level)) => Action::Train { level, at: cell },
                (None, None) => continue,
            };
            // No more actions than cells.
            let _ = actions.push(action);
        }
        actions
    }

    /// The player whose chains these are.
    pub const fn player(&self) -> Player {
        self.player
    }
}

/// Cells on which a chain of a player can start.
pub(super) fn starts(state: &State, player: Player) -> CellSet {
    (state.active(player).neighbours() & state.open()) - state.owned(player)
}

/// Cells that need a level of at least 1, 2 and 3 (rules §11.1, "need").
fn needs(state: &State, player: Player) -> [CellSet; 3] {
    let opponent = player.opponent();
    let land = state.owned(opponent);
    let strong = land & (state.of_level(Level::Two) | state.of_level(Level::Three));
    let three = state.shielded(opponent) | strong;
    let two = three | (land & state.of_level(Level::One));
    [state.open() - state.owned(player), two, three]
}
