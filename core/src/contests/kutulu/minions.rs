//! What minions do in a turn (rules §6).

use super::constants::{SPOOK_DAMAGE, STALK_TIME, STUN_TIME};
use super::map::EXPLORERS;
use super::path::{self, Walk};
use super::{Cell, CellSet, Direction, Maze, Minion, Mood, State};

/// The ways from a minion to the explorers: by the tables, or by a search when something is lit.
struct Ways<'m> {
    maze: &'m Maze,
    from: Cell,
    offset: usize,
    searched: Option<Walk>,
}

impl<'m> Ways<'m> {
    fn new(maze: &'m Maze, lit: &CellSet, from: Cell, offset: usize) -> Ways<'m> {
        let mut ways = Ways { maze, from, offset, searched: None };
        if !lit.is_empty() {
            let mut walk = Walk::new();
            path::explore(maze, lit, from, offset, &mut walk);
            ways.searched = Some(walk);
        }
        ways
    }

    fn cost(&self, to: Cell) -> Option<u16> {
        match &self.searched {
            Some(walk) => walk.to(to).map(|way| way.0),
            None => self.maze.distance(self.from, to).map(u16::from),
        }
    }

    fn first_step(&self, to: Cell) -> Option<Direction> {
        match &self.searched {
            Some(walk) => walk.to(to).and_then(|way| way.1),
            None => self.maze.first_step(self.from, to, self.offset),
        }
    }
}

/// Cost of the way from a square to each explorer in the game with these squares lit; `None` for the others and
/// where there is no way (rules §5). The bot asks what a light would change.
pub fn chase_costs(maze: &Maze, state: &State, lit: &CellSet, from: Cell) -> [Option<u16>; EXPLORERS] {
    let ways = Ways::new(maze, lit, from, usize::from(state.turn));
    let cost = |id: usize| {
        if state.is_alive(id) { ways.cost(state.explorers[id].cell) } else { None }
    };
    [cost(0), cost(1), cost(2), cost(3)]
}

impl State {
    /// Rules §4, step 6.
    pub(super) fn run_minions<const EXACT: bool>(&mut self, maze: &Maze, lit: &CellSet) {
        self.spooks = [0; EXPLORERS];
        let mut some_leave = false;
        for index in 0..self.minions.len() {
            let mut minion = self.minions[index];
            if minion.is_slasher {
                self.run_slasher::<EXACT>(maze, lit, &mut minion);
            } else {
                some_leave |= self.run_wanderer::<EXACT>(maze, lit, &mut minion);
            }
            self.minions[index] = minion;
        }
        if some_leave {
            self.minions.retain(|minion| minion.is_slasher || minion.counter > 0);
        }
    }

    /// Rules §6.2. Whether it leaves, which a counter of 0 marks.
    fn run_wanderer<const EXACT: bool>(&mut self, maze: &Maze, lit: &CellSet, minion: &mut Minion) -> bool {
        if minion.mood == Mood::Spawning {
            minion.counter = minion.counter.saturating_sub(1);
            if minion.counter == 0 {
                minion.mood = Mood::Wandering;
                minion.counter = self.constants.life;
            }
            // A life of 0 is not one that the rules draw; such a wanderer is gone at once.
            return minion.counter == 0;
        }
        self.chase::<EXACT>(maze, lit, minion);
        let has_spooked = self.spook(minion.cell);
        minion.counter = if has_spooked { 0 } else { minion.counter.saturating_sub(1) };
        minion.counter == 0
    }

    /// Rules §6.3.
    fn run_slasher<const EXACT: bool>(&mut self, maze: &Maze, lit: &CellSet, minion: &mut Minion) {
        let counter = minion.counter.saturating_sub(1);
        match minion.mood {
            Mood::Spawning => {
                minion.counter = counter;
                if counter == 0 {
                    minion.mood = Mood::Rush;
                }
            }
            Mood::Wandering => {
                if self.acquire(maze, minion) {
                    minion.mood = Mood::Stalking;
                    minion.counter = STALK_TIME;
                } else {
                    self.chase::<EXACT>(maze, lit, minion);
                }
            }
            Mood::Stalking => {
                minion.counter = counter;
                self.acquire(maze, minion);
                if counter == 0 {
                    minion.mood = Mood::Rush;
                }
            }
            Mood::Rush => {
                // A target that was acquired stands on the remembered square.
                self.acquire(maze, minion);
                minion.cell = minion.remembered.unwrap_or(minion.cell);
                self.spook(minion.cell);
                minion.target = None;
                minion.remembered = None;
                minion.mood = Mood::Stunned;
                minion.counter = STUN_TIME;
            }
            Mood::Stunned => {
                minion.counter = counter;
                if counter == 0 {
                    minion.mood = Mood::Wandering;
                }
            }
        }
    }

    /// Whether a slasher has somebody in sight, whom it then remembers.
    fn acquire(&self, maze: &Maze, minion: &mut Minion) -> bool {
        let sanity = |id: u8| self.explorers.get(usize::from(id)).map_or(0, |explorer| explorer.sanity);
        if minion.target.is_some_and(|id| sanity(id) == 0) {
            minion.target = None;
            minion.remembered = None;
        }
        if let Some(id) = minion.target {
            let cell = self.explorers[usize::from(id)].cell;
            if maze.sees(minion.cell, cell) {
                minion.remembered = Some(cell);
                return true;
            }
        }
        // The nearest of those in sight is the first of its direction.
        let own = maze.map().point(minion.cell);
        let (mut nearest, mut count, mut best) = (0, 0, i16::MAX);
        for id in self.living() {
            let cell = self.explorers[id].cell;
            if maze.sees(minion.cell, cell) {
                let distance = own.manhattan(maze.map().point(cell));
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

    /// Every explorer on the square is spooked. Whether there was one.
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

    /// Rules §6.1.
    fn chase<const EXACT: bool>(&mut self, maze: &Maze, lit: &CellSet, minion: &mut Minion) {
        let ways = Ways::new(maze, lit, minion.cell, usize::from(self.turn));
        let target =
            if EXACT { self.drawn_target(&ways, minion.target) } else { self.quick_target(maze, minion) };
        let Some(target) = target else { return };
        minion.target = Some(target as u8);
        if let Some(step) = ways.first_step(self.explorers[target].cell) {
            minion.cell = maze.next(minion.cell, step).unwrap_or(minion.cell);
        }
    }

    /// The nearest explorer by the referee's draws.
    fn drawn_target(&mut self, ways: &Ways<'_>, old: Option<u8>) -> Option<usize> {
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
            if let Some(cost) = ways.cost(self.explorers[id].cell) {
                let is_better =
                    best.is_none_or(|(least, _)| cost < least || cost == least && Some(id) == old);
                if is_better {
                    best = Some((cost, id));
                }
            }
        }
        best.map(|(_, id)| id)
    }

    /// The nearest explorer; among several the old target, else any.
    fn quick_target(&mut self, maze: &Maze, minion: &Minion) -> Option<usize> {
        let (mut least, mut nearest) = (u8::MAX, 0_u32);
        for id in self.living() {
            let distance = maze.distance_byte(minion.cell, self.explorers[id].cell);
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
