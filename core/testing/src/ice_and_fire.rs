//! A slow reference referee of A Code of Ice and Fire, cell by cell as in rules §2 to §5, to compare the engine with.

use barrow_core::contests::ice_and_fire::{Map, Rules};

/// A building, in the order of the protocol's numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Building {
    /// Headquarters.
    Quarters,
    Mine,
    Tower,
}

/// A unit on a cell.
#[derive(Clone, Copy, Debug)]
struct Unit {
    id: u32,
    level: u32,
    ready: bool,
}

/// A cell of the map and all that is on it.
#[derive(Clone, Debug, Default)]
struct Square {
    void: bool,
    mine_spot: bool,
    owner: Option<usize>,
    active: bool,
    unit: Option<Unit>,
    building: Option<Building>,
}

/// A cell: column and row, each in 0..12.
type Coord = (i32, i32);

/// A game. Pairs are indexed by player, 0 or 1.
#[derive(Clone, Debug)]
pub struct Referee {
    squares: Vec<Square>,
    gold: [i32; 2],
    income: [i32; 2],
    next_id: u32,
    /// Whether a headquarters was captured, which ends the game.
    pub captured: bool,
}

/// Cells of the two headquarters.
const QUARTERS: [Coord; 2] = [(0, 0), (11, 11)];

/// Gold per turn that a unit of a level costs.
fn upkeep(level: u32) -> i32 {
    [0, 1, 4, 20][level as usize]
}

impl Referee {
    /// Creates the referee of a game on a map, before the first turn.
    pub fn new(map: &Map) -> Referee {
        let mut squares = vec![Square::default(); 144];
        for cell in barrow_core::contests::ice_and_fire::Cell::all() {
            let square = &mut squares[usize::from(cell.y()) * 12 + usize::from(cell.x())];
            square.void = !map.open.contains(cell);
            square.mine_spot = map.mine_spots.contains(cell);
        }
        let mut referee = Referee { squares, gold: [20; 2], income: [0; 2], next_id: 1, captured: false };
        for (player, at) in [(0, (0, 0)), (1, (11, 11)), (1, (11, 10))] {
            referee.square_mut(at).owner = Some(player);
        }
        for at in QUARTERS {
            referee.square_mut(at).building = Some(Building::Quarters);
        }
        referee.refresh();
        referee
    }

    fn square(&self, (x, y): Coord) -> &Square {
        &self.squares[(y * 12 + x) as usize]
    }

    fn square_mut(&mut self, (x, y): Coord) -> &mut Square {
        &mut self.squares[(y * 12 + x) as usize]
    }

    fn is_cell(&self, (x, y): Coord) -> bool {
        (0..12).contains(&x) && (0..12).contains(&y) && !self.square((x, y)).void
    }

    fn all() -> impl Iterator<Item = Coord> {
        (0..12).flat_map(|y| (0..12).map(move |x| (x, y)))
    }

    fn neighbours(&self, (x, y): Coord) -> Vec<Coord> {
        let four = [(x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)];
        four.into_iter().filter(|&at| self.is_cell(at)).collect()
    }

    /// Recomputes which cells of a player are active: connected to the headquarters by own cells.
    fn refresh_activity(&mut self, player: usize) {
        for at in Self::all() {
            if self.square(at).owner == Some(player) {
                self.square_mut(at).active = false;
            }
        }
        let mut waiting = vec![QUARTERS[player]];
        while let Some(at) = waiting.pop() {
            let square = self.square_mut(at);
            if square.owner == Some(player) && !square.active {
                square.active = true;
                waiting.extend(self.neighbours(at));
            }
        }
    }

    fn refresh(&mut self) {
        self.refresh_activity(0);
        self.refresh_activity(1);
        self.count();
    }

    /// Recomputes the income of both players.
    fn count(&mut self) {
        self.income = [0, 1].map(|player| {
            let active = self.squares.iter().filter(|square| square.owner == Some(player) && square.active);
            active
                .map(|square| {
                    1 + if square.building == Some(Building::Mine) { 4 } else { 0 }
                        - square.unit.map_or(0, |unit| upkeep(unit.level))
                })
                .sum()
        });
    }

    /// Begins the turn of a player: units on inactive cells die, income is paid, all units die if gold runs out.
    pub fn begin(&mut self, player: usize) {
        self.refresh_activity(player);
        for square in &mut self.squares {
            if square.owner == Some(player) && !square.active {
                square.unit = None;
            }
        }
        self.count();
        self.gold[player] += self.income[player];
        let bankrupt = self.gold[player] < 0;
        self.gold[player] = self.gold[player].max(0);
        for square in self.squares.iter_mut().filter(|square| square.owner == Some(player)) {
            if bankrupt {
                square.unit = None;
            }
            if let Some(unit) = &mut square.unit {
                unit.ready = true;
            }
        }
    }

    /// Whether a tower protects a cell: one on it, or an active one of the same owner beside it.
    fn is_protected(&self, at: Coord) -> bool {
        let tower = |square: &Square| square.building == Some(Building::Tower);
        let square = self.square(at);
        let guards = |&other: &Coord| {
            let other = self.square(other);
            other.owner == square.owner && other.active && tower(other)
        };
        tower(square) || self.neighbours(at).iter().any(guards)
    }

    fn can_enter(&self, player: usize, level: u32, at: Coord) -> bool {
        let square = self.square(at);
        let own = square.owner == Some(player);
        if !own && square.owner.is_some() && square.active && self.is_protected(at) && level < 3 {
            return false;
        }
        if !own && square.building == Some(Building::Tower) && level < 3 {
            return false;
        }
        if square.unit.is_none() && square.building.is_none() {
            return true;
        }
        if own {
            return false;
        }
        !square.unit.is_some_and(|unit| level < 3 && level <= unit.level)
    }

    fn is_playable(&self, player: usize, at: Coord) -> bool {
        let active = |&at: &Coord| self.square(at).owner == Some(player) && self.square(at).active;
        active(&at) || self.neighbours(at).iter().any(active)
    }

    fn enter(&mut self, player: usize, unit: Unit, at: Coord) {
        let square = self.square_mut(at);
        square.unit = Some(unit);
        if square.building != Some(Building::Quarters) {
            square.building = None;
        }
        square.owner = Some(player);
        self.captured |= at == QUARTERS[1 - player];
        self.refresh();
    }

    /// Returns the path lengths from every cell to a target, ignoring units and buildings.
    fn distances(&self, target: Coord) -> Vec<u32> {
        let mut distances = vec![u32::MAX; 144];
        let mut waiting = std::collections::VecDeque::from([(target, 0)]);
        while let Some((at, distance)) = waiting.pop_front() {
            let slot = &mut distances[(at.1 * 12 + at.0) as usize];
            if *slot == u32::MAX {
                *slot = distance;
                waiting.extend(self.neighbours(at).into_iter().map(|next| (next, distance + 1)));
            }
        }
        distances
    }

    fn walk(&mut self, player: usize, id: u32, target: Coord) -> bool {
        let stands = |at: &Coord| self.square(*at).unit.is_some_and(|unit| unit.id == id);
        let Some(from) = Self::all().find(stands) else { return false };
        let Some(unit) = self.square(from).unit.filter(|unit| unit.ready) else { return false };
        if self.square(from).owner != Some(player) {
            return false;
        }
        let steps = (from.0 - target.0).abs() + (from.1 - target.1).abs();
        if steps == 1 && !self.can_enter(player, unit.level, target) {
            return false;
        }
        let distances = self.distances(target);
        let far = |at: Coord| distances[(at.1 * 12 + at.0) as usize];
        let (x, y) = from;
        let mut order = [(x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)];
        if player == 1 {
            order.rotate_left(2);
        }
        let mut best = from;
        for at in order {
            if self.is_cell(at) && far(at) < far(best) && self.can_enter(player, unit.level, at) {
                best = at;
            }
        }
        if best == from {
            return false;
        }
        self.square_mut(from).unit = None;
        self.enter(player, Unit { ready: false, ..unit }, best);
        true
    }

    fn train(&mut self, player: usize, level: u32, at: Coord) -> bool {
        let cost = 10 * level as i32;
        if !self.is_playable(player, at) || self.gold[player] < cost || !self.can_enter(player, level, at) {
            return false;
        }
        self.gold[player] -= cost;
        let id = self.next_id;
        self.next_id += 1;
        self.enter(player, Unit { id, level, ready: false }, at);
        true
    }

    fn build(&mut self, rules: &Rules, player: usize, building: Building, at: Coord) -> bool {
        let mine = building == Building::Mine;
        let own = |square: &&Square| square.owner == Some(player) && square.building == Some(Building::Mine);
        let mines = self.squares.iter().filter(own).count() as i32;
        let price = if mine { rules.mine_cost + rules.mine_step * mines } else { 15 };
        let square = self.square(at);
        let free = square.unit.is_none() && square.building.is_none();
        if !self.is_playable(player, at)
            || !free
            || square.owner != Some(player)
            || self.gold[player] < price
            || square.mine_spot != mine
        {
            return false;
        }
        self.gold[player] -= price;
        self.square_mut(at).building = Some(building);
        self.count();
        true
    }

    /// Executes a line of well-formed commands and returns how many of them were carried out.
    pub fn execute(&mut self, rules: &Rules, player: usize, line: &str) -> u32 {
        let newborn = self.next_id;
        let mut done = 0;
        for command in line.split(';') {
            let words: Vec<&str> = command.trim().split(' ').collect();
            let number = |index: usize| words[index].parse::<i32>().unwrap();
            let place = || {
                let at = (number(words.len() - 2), number(words.len() - 1));
                Some(at).filter(|&at| self.is_cell(at))
            };
            if self.captured || words.len() < 4 {
                continue;
            }
            let Some(at) = place() else { continue };
            done += u32::from(match (words[0], words[1]) {
                ("MOVE", _) => (number(1) as u32) < newborn && self.walk(player, number(1) as u32, at),
                ("TRAIN", _) => (1..=3).contains(&number(1)) && self.train(player, number(1) as u32, at),
                ("BUILD", "MINE") => self.build(rules, player, Building::Mine, at),
                _ => self.build(rules, player, Building::Tower, at),
            });
        }
        done
    }

    /// Returns the text that the contest sends to a player for a turn.
    pub fn input(&self, player: usize) -> String {
        let mut lines = Vec::new();
        for who in [player, 1 - player] {
            lines.extend([self.gold[who], self.income[who]].map(|number| number.to_string()));
        }
        for y in 0..12 {
            let row = (0..12).map(|x| {
                let square = self.square((x, y));
                let own = square.owner == Some(player);
                match (square.void, square.owner.is_some(), square.active, own) {
                    (true, ..) => '#',
                    (_, false, ..) => '.',
                    (_, _, true, true) => 'O',
                    (_, _, false, true) => 'o',
                    (_, _, true, false) => 'X',
                    (_, _, false, false) => 'x',
                }
            });
            lines.push(row.collect());
        }
        let relative = |owner: usize| usize::from(owner != player);
        let mut buildings = Vec::new();
        let mut units = Vec::new();
        for (x, y) in Self::all() {
            let square = self.square((x, y));
            if let Some(building) = square.building {
                // Headquarters are their builder's whoever holds the cell.
                let owner = match building {
                    Building::Quarters => usize::from((x, y) == QUARTERS[1]),
                    _ => square.owner.unwrap(),
                };
                buildings.push((relative(owner), building as usize, x, y));
            }
            if let Some(unit) = square.unit {
                units.push((relative(square.owner.unwrap()), unit.id, unit.level, x, y));
            }
        }
        buildings.sort_unstable();
        units.sort_unstable();
        lines.push(buildings.len().to_string());
        lines.extend(buildings.iter().map(|(owner, kind, x, y)| format!("{owner} {kind} {x} {y}")));
        lines.push(units.len().to_string());
        lines.extend(units.iter().map(|(owner, id, level, x, y)| format!("{owner} {id} {level} {x} {y}")));
        lines.join("\n")
    }
}
