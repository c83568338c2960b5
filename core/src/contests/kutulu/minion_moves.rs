//! Turns of wanderers and slashers, the minions of this game (rules §6).

use super::constants::{SPOOK_DAMAGE, STALK_TIME, STUN_TIME};
use super::map::EXPLORERS;
use super::path_search::{ShortestPaths, search_paths};
use super::{Cell, CellSet, Direction, MapTables, Minion, MinionPhase, State};

/// Paths from a minion to the explorers: out of the map's tables, or searched for when squares are lit.
struct PathsFrom<'m> {
    tables: &'m MapTables,
    from: Cell,
    offset: usize,
    searched: Option<ShortestPaths>,
}

impl<'m> PathsFrom<'m> {
    fn new(tables: &'m MapTables, lit: &CellSet, from: Cell, offset: usize) -> PathsFrom<'m> {
        let mut paths = PathsFrom { tables, from, offset, searched: None };
        if !lit.is_empty() {
            let next = |cell: Cell, direction: Direction| tables.next(cell, direction);
            paths.searched = Some(search_paths(next, lit, from, offset));
        }
        paths
    }

    fn cost(&self, to: Cell) -> Option<u16> {
        match &self.searched {
            Some(paths) => paths.to(to).map(|path| path.0),
            None => self.tables.distance(self.from, to).map(u16::from),
        }
    }

    fn first_step(&self, to: Cell) -> Option<Direction> {
        match &self.searched {
            Some(paths) => paths.to(to).and_then(|path| path.1),
            None => self.tables.first_step(self.from, to, self.offset),
        }
    }
}

/// Cost of the path from a square to each explorer, with the squares of `lit` lit (rules §5). `None` for explorers out
/// of the game, and where no path leads. The bot compares the costs with and without a light of its own.
pub fn chase_costs(tables: &MapTables, state: &State, lit: &CellSet, from: Cell) -> [Option<u16>; EXPLORERS] {
    let paths = PathsFrom::new(tables, lit, from, usize::from(state.turn));
    let cost = |id: usize| {
        if state.is_alive(id) { paths.cost(state.explorers[id].cell) } else { None }
    };
    [cost(0), cost(1), cost(2), cost(3)]
}

impl State {
    /// Plays the turns of all minions (rules §4, step 6).
    pub(super) fn run_minions<const EXACT: bool>(&mut self, tables: &MapTables, lit: &CellSet) {
        self.spooks = [0; EXPLORERS];
        let mut some_leave = false;
        for index in 0..self.minions.len() {
            let mut minion = self.minions[index];
            if minion.is_slasher {
                self.run_slasher::<EXACT>(tables, lit, &mut minion);
            } else {
                some_leave |= self.run_wanderer::<EXACT>(tables, lit, &mut minion);
            }
            self.minions[index] = minion;
        }
        if some_leave {
            self.minions.retain(|minion| minion.is_slasher || minion.counter > 0);
        }
    }

    /// Plays the turn of a wanderer (rules §6.2). Returns whether the wanderer leaves, with a counter of 0.
    fn run_wanderer<const EXACT: bool>(
        &mut self,
        tables: &MapTables,
        lit: &CellSet,
        minion: &mut Minion,
    ) -> bool {
        if minion.phase == MinionPhase::Spawning {
            minion.counter = minion.counter.saturating_sub(1);
            if minion.counter == 0 {
                minion.phase = MinionPhase::Wandering;
                minion.counter = self.constants.life;
            }
            // A life of 0 is not one that the rules draw; such a wanderer is gone at once.
            return minion.counter == 0;
        }
        self.chase::<EXACT>(tables, lit, minion);
        let has_spooked = self.spook(minion.cell);
        minion.counter = if has_spooked { 0 } else { minion.counter.saturating_sub(1) };
        minion.counter == 0
    }

    /// Plays the turn of a slasher (rules §6.3).
    fn run_slasher<const EXACT: bool>(&mut self, tables: &MapTables, lit: &CellSet, minion: &mut Minion) {
        let counter = minion.counter.saturating_sub(1);
        match minion.phase {
            MinionPhase::Spawning => {
                minion.counter = counter;
                if counter == 0 {
                    minion.phase = MinionPhase::Rush;
                }
            }
            MinionPhase::Wandering => {
                if self.acquire(tables, minion) {
                    minion.phase = MinionPhase::Stalking;
                    minion.counter = STALK_TIME;
                } else {
                    self.chase::<EXACT>(tables, lit, minion);
                }
            }
            MinionPhase::Stalking => {
                minion.counter = counter;
                self.acquire(tables, minion);
                if counter == 0 {
                    minion.phase = MinionPhase::Rush;
                }
            }
            MinionPhase::Rush => {
                // A target that was acquired stands on the remembered square.
                self.acquire(tables, minion);
                minion.cell = minion.remembered.unwrap_or(minion.cell);
                self.spook(minion.cell);
                minion.target = None;
                minion.remembered = None;
                minion.phase = MinionPhase::Stunned;
                minion.counter = STUN_TIME;
            }
            MinionPhase::Stunned => {
                minion.counter = counter;
                if counter == 0 {
                    minion.phase = MinionPhase::Wandering;
                }
            }
        }
    }

    /// Looks for the slasher's target and remembers its square. Returns whether one target is in sight.
    fn acquire(&self, tables: &MapTables, minion: &mut Minion) -> bool {
        let sanity = |id: u8| self.explorers.get(usize::from(id)).map_or(0, |explorer| explorer.sanity);
        if minion.target.is_some_and(|id| sanity(id) == 0) {
            minion.target = None;
            minion.remembered = None;
        }
        if let Some(id) = minion.target {
            let cell = self.explorers[usize::from(id)].cell;
            if tables.sees(minion.cell, cell) {
                minion.remembered = Some(cell);
                return true;
            }
        }
        // The nearest of those in sight is the first of its direction.
        let own = tables.map().point(minion.cell);
        let (mut nearest, mut count, mut best) = (0, 0, i16::MAX);
        for id in self.living() {
            let cell = self.explorers[id].cell;
            if tables.sees(minion.cell, cell) {
                let distance = own.manhattan(tables.map().point(cell));
                if distance < best {
                    best = distance;
                    nearest = id;
                    count = 0;
                }
                count += u32::from(distance == best);
            }
        }
        minion.target = if count == 1 { Some(nearest as u8) } else { None };
        match count {
            0 => {}
            1 => minion.remembered = Some(self.explorers[nearest].cell),
            _ => minion.remembered = None,
        }
        count == 1
    }

    /// Spooks every explorer on a square. Returns whether there was one.
    fn spook(&mut self, cell: Cell) -> bool {
        let mut has_spooked = false;
        for id in self.living() {
            let explorer = &mut self.explorers[id];
            if explorer.cell == cell {
                explorer.sanity = explorer.sanity.saturating_sub(SPOOK_DAMAGE);
                self.spooks[id] = self.spooks[id].saturating_add(1);
                has_spooked = true;
            }
        }
        has_spooked
    }

    /// Moves a minion one step towards its target (rules §6.1).
    fn chase<const EXACT: bool>(&mut self, tables: &MapTables, lit: &CellSet, minion: &mut Minion) {
        let paths = PathsFrom::new(tables, lit, minion.cell, usize::from(self.turn));
        let target =
            if EXACT { self.exact_target(&paths, minion.target) } else { self.fast_target(tables, minion) };
        let Some(target) = target else { return };
        minion.target = Some(target as u8);
        if let Some(step) = paths.first_step(self.explorers[target].cell) {
            minion.cell = tables.next(minion.cell, step).unwrap_or(minion.cell);
        }
    }

    /// The nearest explorer by path cost; ties are decided by the draws of the referee.
    fn exact_target(&mut self, paths: &PathsFrom<'_>, old: Option<u8>) -> Option<usize> {
        let mut order = [0; EXPLORERS];
        let mut count = 0;
        for id in self.living() {
            order[count] = id;
            count += 1;
        }
        let old = old.map(usize::from);
        let mut start = 0;
        if let Some(place) = order[..count].iter().position(|&id| Some(id) == old) {
            order.swap(0, place);
            start = 1;
        }
        for place in start..count.saturating_sub(1) {
            let other = place + self.dice.below((count - place) as u32) as usize;
            order.swap(place, other);
        }
        let mut best: Option<(u16, usize)> = None;
        for &id in &order[..count] {
            if let Some(cost) = paths.cost(self.explorers[id].cell) {
                let is_better =
                    best.is_none_or(|(least, _)| cost < least || cost == least && Some(id) == old);
                if is_better {
                    best = Some((cost, id));
                }
            }
        }
        best.map(|(_, id)| id)
    }

    /// The nearest explorer by table distance; among several the old target, else one drawn uniformly.
    fn fast_target(&mut self, tables: &MapTables, minion: &Minion) -> Option<usize> {
        let (mut least, mut nearest) = (u8::MAX, 0_u32);
        for id in self.living() {
            let distance = tables.distance_byte(minion.cell, self.explorers[id].cell);
            if distance < least {
                least = distance;
                nearest = 0;
            }
            if distance == least && distance != u8::MAX {
                nearest |= 1 << id;
            }
        }
        match minion.target {
            Some(old) if nearest.checked_shr(old.into()).unwrap_or(0) & 1 == 1 => {
                return Some(usize::from(old));
            }
            _ => {}
        }
        let count = nearest.count_ones();
        if count > 1 {
            for _ in 0..self.dice.below(count) {
                nearest &= nearest - 1;
            }
        }
        if nearest == 0 { None } else { Some(nearest.trailing_zeros() as usize) }
    }
}
