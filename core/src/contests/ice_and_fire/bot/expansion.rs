//! Opening: a search over plans of expansion (seed 004, "filling territory near-optimally"; rules §11.4).
//!
//! While the players are apart, a turn is about land and gold only. A plan says for each of the next turns which cells
//! are wanted most, how many units are trained, and whether mines are built; playing it on own land alone, with the
//! opponent's land growing by a step a turn, gives its worth at the end. The search changes plans at random and keeps
//! what is not worse, after J. C. Bean's random keys ("Genetic algorithms and random keys for sequencing and
//! optimization", 1994), so that all units' steps are chosen together and for several turns.

use crate::contests::ice_and_fire::{Action, Cell, CellSet, Level, MINE_INCOME, Player, Rules, SLOTS, State};
use crate::list::List;
use crate::rng::Rng;

use super::options::Expansion;
use super::planner::Planner;
use super::turn_draft::TurnDraft;

/// Most turns of a plan.
pub(super) const MOST_TURNS: usize = 10;

/// Keys of cells are below this; a free neighbour counts [`ROOM`] of them.
const KEYS: u32 = 24;

/// Key points of a free cell beside a cell that is chosen.
const ROOM: u32 = 6;

/// Work of playing one plan, in cuts evaluated.
const PLAN_WORK: u32 = 12;

/// Genes of one turn of a plan.
#[derive(Clone, Copy)]
struct TurnPlan {
    /// How much each cell is wanted.
    keys: [u8; SLOTS],
    /// Most units trained.
    trainings: u8,
    /// Whether mines are built, before trainings.
    mines: bool,
}

/// A plan of expansion for some turns.
#[derive(Clone, Copy)]
struct ExpansionPlan {
    turns: [TurnPlan; MOST_TURNS],
}

/// Actions of a plan's first turn.
type FirstTurn = List<Action, 96>;

/// Own land while a plan is played.
struct Colony {
    own: CellSet,
    units: CellSet,
    mines: CellSet,
    gold: i32,
}

/// Setting that all plans of a search share.
struct Outset<'p> {
    state: &'p State,
    rules: &'p Rules,
    expansion: &'p Expansion,
    player: Player,
    /// Cells that nobody owns and the opponent has not reached, by turn.
    free: [CellSet; MOST_TURNS],
    turns: usize,
    /// Upkeep of units beyond that of level 1.
    upkeep: i32,
}

impl Planner<'_> {
    /// Whether the opening goes on: it is an early turn, land is left, and the players are apart.
    pub(super) fn is_opening(&self, state: &State) -> bool {
        let expansion = &self.options.expansion;
        state.turn() <= expansion.last && !state.unowned().is_empty() && are_apart(state, expansion.apart)
    }

    /// Whether the turn is planned by expansion alone: no cut of either player is worth it either.
    pub(super) fn opens_at_once(&mut self, state: &State) -> bool {
        !self.options.expansion.chosen
            && self.is_opening(state)
            && self.best_cut(state).is_none()
            && self.best_threat(state).is_none()
    }

    /// A turn of expansion, with defence against what it opens.
    pub(super) fn open(&mut self, state: &State) -> TurnDraft {
        let mut draft = TurnDraft::new(state);
        self.expand(&mut draft);
        self.parry_threats(&mut draft);
        draft
    }

    /// Adds the best first turn of a plan of expansion to a turn.
    pub(super) fn expand(&mut self, draft: &mut TurnDraft) {
        let state = *draft.state();
        if state.conqueror().is_some() {
            return;
        }
        let expansion = self.options.expansion;
        let outset = Outset::new(&state, self.rules, &expansion);
        let mut rng = Rng::new(u64::from(state.turn()) << 8 | u64::from(expansion.seed));
        let mut best = ExpansionPlan::first(&mut rng);
        let mut worth = outset.play(&best, None);
        for _ in 1..expansion.plans {
            if !self.has_time() {
                break;
            }
            self.evaluated = self.evaluated.saturating_add(PLAN_WORK);
            let mut plan = best;
            plan.change(outset.turns, &mut rng);
            let value = outset.play(&plan, None);
            if value >= worth {
                (best, worth) = (plan, value);
            }
        }
        let mut actions = FirstTurn::new();
        outset.play(&best, Some(&mut actions));
        for &action in actions.iter() {
            // The rules decide; what a plan has wrong is left out.
            draft.play(self.rules, action);
        }
    }
}

/// Whether the players' lands are more than some steps from each other.
fn are_apart(state: &State, steps: u8) -> bool {
    let [one, other] = Player::BOTH.map(|player| state.owned(player));
    let near = (0..steps).fold(one, |near, _| near | (near.neighbours() & state.open()));
    !near.intersects(other)
}

impl ExpansionPlan {
    /// A plan with random keys that trains what the gold pays.
    fn first(rng: &mut Rng) -> ExpansionPlan {
        let mut plan = ExpansionPlan {
            turns: [TurnPlan { keys: [0; SLOTS], trainings: u8::MAX, mines: false }; MOST_TURNS],
        };
        for turn in &mut plan.turns {
            turn.keys.iter_mut().for_each(|key| *key = rng.below(KEYS) as u8);
        }
        plan
    }

    /// Changes a part of one turn or two.
    fn change(&mut self, turns: usize, rng: &mut Rng) {
        for _ in 0..=rng.below(2) {
            let at = rng.below(turns.max(1) as u32) as usize;
            let Some(turn) = self.turns.get_mut(at) else { return };
            match rng.below(8) {
                0 => turn.mines = !turn.mines,
                1 => turn.trainings = if rng.chance(1, 2) { u8::MAX } else { rng.below(4) as u8 },
                _ => {
                    let share = 2 + rng.below(14);
                    for key in &mut turn.keys {
                        if rng.below(share) == 0 {
                            *key = rng.below(KEYS) as u8;
                        }
                    }
                }
            }
        }
    }
}

impl TurnPlan {
    /// The most wanted of some cells.
    fn best(&self, cells: CellSet, free: CellSet) -> Option<Cell> {
        let wanted = |cell: &Cell| {
            let key = self.keys.get(cell.index()).map_or(0, |&key| u32::from(key));
            key + ROOM * (cell.to_set().neighbours() & free).len()
        };
        cells.iter().max_by_key(wanted)
    }
}

impl<'p> Outset<'p> {
    fn new(state: &'p State, rules: &'p Rules, expansion: &'p Expansion) -> Outset<'p> {
        let player = state.mover();
        let mut free = [CellSet::EMPTY; MOST_TURNS];
        let mut theirs = state.owned(player.opponent());
        for cells in &mut free {
            *cells = state.unowned() - theirs;
            theirs |= theirs.neighbours() & state.open();
        }
        let left = usize::from(expansion.horizon.saturating_sub(state.turn()));
        let turns = left.max(usize::from(expansion.least)).clamp(1, MOST_TURNS);
        let land = state.active(player);
        let upkeep = state.upkeep(land) - (state.units(player) & land).len() as i32;
        Outset { state, rules, expansion, player, free, turns, upkeep }
    }

    /// Plays a plan; returns its worth, and in `first` the actions of its first turn.
    fn play(&self, plan: &ExpansionPlan, mut first: Option<&mut FirstTurn>) -> i32 {
        let land = self.state.active(self.player);
        let mut colony = Colony {
            own: land,
            units: self.state.units(self.player) & land,
            mines: self.state.mines() & land,
            gold: self.state.gold(self.player),
        };
        let mut income = 0;
        for (number, (turn, free)) in plan.turns.iter().zip(self.free).take(self.turns).enumerate() {
            let mut told = first.take().filter(|_| number == 0);
            let ready = if number == 0 { self.state.ready() & colony.units } else { colony.units };
            self.move_units(turn, &mut colony, free, ready, &mut told);
            if turn.mines {
                self.build_mines(&mut colony, &mut told);
            }
            Self::train(turn, &mut colony, free, &mut told);
            income = colony.own.len() as i32 + MINE_INCOME * colony.mines.len() as i32
                - colony.units.len() as i32
                - self.upkeep;
            colony.gold = colony.gold.saturating_add(income);
            if colony.gold < 0 {
                return i32::MIN;
            }
        }
        let expansion = self.expansion;
        let things = i32::from(expansion.cell) * colony.own.len() as i32
            + i32::from(expansion.unit) * colony.units.len() as i32
            + i32::from(expansion.income) * income;
        colony.gold.saturating_mul(100).saturating_add(things)
    }

    /// Moves all units that are ready: those with the fewest free neighbours first, and those without any towards free
    /// land.
    fn move_units(
        &self,
        turn: &TurnPlan,
        colony: &mut Colony,
        free: CellSet,
        ready: CellSet,
        told: &mut Option<&mut FirstTurn>,
    ) {
        let mut waiting = ready;
        loop {
            let left = free - colony.own;
            let choices = |cell: &Cell| (cell.to_set().neighbours() & left).len();
            let narrow = waiting.iter().filter(|cell| choices(cell) > 0).min_by_key(choices);
            let Some(from) = narrow else { break };
            waiting.remove(from);
            if let Some(target) = turn.best(from.to_set().neighbours() & left, left) {
                colony.step(from, target, told);
            }
        }
        // Rings around the free land, which meet the units behind it one after the other.
        let mut reached = free - colony.own;
        let mut ring = reached;
        while !waiting.is_empty() && !ring.is_empty() {
            for from in (ring.neighbours() & waiting).iter() {
                waiting.remove(from);
                let ways = from.to_set().neighbours() & ring & colony.own;
                let ways = ways - colony.units - self.state.buildings() - colony.mines;
                if let Some(target) = turn.best(ways, CellSet::EMPTY) {
                    colony.step(from, target, told);
                }
            }
            ring = (ring.neighbours() & colony.own) - reached;
            reached |= ring;
        }
    }

    fn build_mines(&self, colony: &mut Colony, told: &mut Option<&mut FirstTurn>) {
        let spots = (self.state.mine_spots() & colony.own) - colony.units - colony.mines;
        for at in (spots - self.state.buildings()).iter() {
            let owned = colony.mines.len() as i32;
            let price = self.rules.mine_cost.saturating_add(self.rules.mine_step.saturating_mul(owned));
            if colony.gold < price {
                return;
            }
            colony.gold = colony.gold.saturating_sub(price);
            colony.mines.insert(at);
            tell(told, Action::Mine(at));
        }
    }

    fn train(turn: &TurnPlan, colony: &mut Colony, free: CellSet, told: &mut Option<&mut FirstTurn>) {
        for _ in 0..turn.trainings {
            let left = free - colony.own;
            if colony.gold < Level::One.cost() {
                return;
            }
            let Some(at) = turn.best(colony.own.neighbours() & left, left) else { return };
            colony.gold -= Level::One.cost();
            colony.own.insert(at);
            colony.units.insert(at);
            tell(told, Action::Train { level: Level::One, at });
        }
    }
}

impl Colony {
    fn step(&mut self, from: Cell, target: Cell, told: &mut Option<&mut FirstTurn>) {
        self.units.remove(from);
        self.units.insert(target);
        self.own.insert(target);
        tell(told, Action::Move { from, target });
    }
}

fn tell(told: &mut Option<&mut FirstTurn>, action: Action) {
    if let Some(actions) = told {
        // A turn with more actions does without the last ones.
        let _ = actions.push(action);
    }
}
