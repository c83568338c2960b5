//! Sparring partners: three simple bots of other styles than the bot's own, so that it is not measured against itself
//! alone (ice-and-fire §11.5 has the simplest ones).

use crate::contests::ice_and_fire::bot::{Chains, TurnDraft, steps_to};
use crate::contests::ice_and_fire::{Action, Cell, CellSet, Level, Rules, State, TOWER_COST};

use super::land::land_to_fill;

/// A bot of one simple style. All of them take the headquarters when they can pay the way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sparring {
    /// Fills land: many units of level 1 where most unowned land is, mines with what is left.
    Filler,
    /// Runs to the opponent's headquarters with everything, by the shortest way.
    Rush,
    /// Fills land behind a wall of towers, and comes with units of level 3 when it is rich.
    Wall,
}

/// Gold with which the wall's owner trains units of level 3.
const RICH: i32 = 75;

impl Sparring {
    /// All sparring partners.
    pub const ALL: [Sparring; 3] = [Sparring::Filler, Sparring::Rush, Sparring::Wall];

    /// Name of the sparring partner on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Sparring::Filler => "filler",
            Sparring::Rush => "rush",
            Sparring::Wall => "wall",
        }
    }

    /// The turn of the player to move.
    pub fn turn(self, state: &State, rules: &Rules) -> TurnDraft {
        let mut draft = TurnDraft::new(state);
        if take_headquarters(&mut draft, rules) {
            return draft;
        }
        self.move_units(&mut draft, rules);
        if self == Sparring::Wall {
            build_wall(&mut draft, rules);
        }
        self.train(&mut draft, rules);
        if self != Sparring::Rush {
            build_mines(&mut draft, rules);
        }
        draft
    }

    fn move_units(self, draft: &mut TurnDraft, rules: &Rules) {
        for from in draft.state().ready().iter() {
            let state = *draft.state();
            let Some(level) = state.level(from) else { continue };
            let ways = from.to_set().neighbours() & state.enterable(state.mover(), level);
            if let Some(target) = self.best(&state, ways, from.to_set()) {
                draft.play(rules, Action::Move { from, target });
            }
        }
    }

    /// The best of some cells to enter, for a unit that leaves `but`.
    fn best(self, state: &State, cells: CellSet, but: CellSet) -> Option<Cell> {
        let player = state.mover();
        let quarters = player.opponent().headquarters();
        let way = steps_to(quarters.to_set(), state.open());
        let others = state.units(player) - but;
        let own = state.owned(player);
        let rank = |&cell: &Cell| {
            let far = way.get(cell.index()).copied().unwrap_or(u8::MAX);
            match self {
                Sparring::Rush => (far, u8::from(own.contains(cell)), cell),
                _ if state.owned(player.opponent()).contains(cell) => (0, far, cell),
                _ if own.contains(cell) => (u8::MAX, far, cell),
                _ => (u8::MAX - 1 - land_to_fill(state, cell, others).min(u8::MAX - 2), far, cell),
            }
        };
        cells.iter().min_by_key(rank)
    }

    fn train(self, draft: &mut TurnDraft, rules: &Rules) {
        // Every unit takes a cell, so that this ends.
        loop {
            let state = *draft.state();
            let player = state.mover();
            let gold = state.gold(player);
            let foreign = state.playable(player) - state.owned(player);
            let pays = |level: Level| {
                let left = state.earnings(player) + 1 - level.upkeep();
                level.cost() <= gold && (left >= 0 || gold - level.cost() + 4 * left >= 0)
            };
            let able = |level: Level| {
                let wanted = match (self, level) {
                    (_, Level::One) | (Sparring::Rush, _) => true,
                    (Sparring::Wall, Level::Three) => gold >= RICH,
                    _ => gold >= level.cost() + TOWER_COST,
                };
                if !wanted || !pays(level) {
                    return None;
                }
                let cells = foreign & state.enterable(player, level);
                let cells = if level == Level::One { cells } else { cells & state.owned(player.opponent()) };
                self.best(&state, cells, CellSet::EMPTY).map(|at| Action::Train { level, at })
            };
            let Some(action) = Level::ALL.iter().find_map(|&level| able(level)) else { return };
            if !draft.play(rules, action) || draft.state().conqueror().is_some() {
                return;
            }
        }
    }
}

/// Takes the opponent's headquarters if the gold pays the way.
fn take_headquarters(draft: &mut TurnDraft, rules: &Rules) -> bool {
    let state = *draft.state();
    let player = state.mover();
    let quarters = player.opponent().headquarters();
    let chains = Chains::new(&state, player, state.gold(player), 0);
    if chains.to(quarters).is_none() {
        return false;
    }
    for &action in chains.actions(quarters).iter() {
        if draft.state().conqueror().is_none() && !draft.play(rules, action) {
            break;
        }
    }
    draft.state().conqueror().is_some()
}

/// Towers on own land within two steps of the opponent's, none beside another.
fn build_wall(draft: &mut TurnDraft, rules: &Rules) {
    while draft.state().gold(draft.state().mover()) >= TOWER_COST {
        let state = draft.state();
        let player = state.mover();
        let danger = state.owned(player.opponent()).neighbours();
        let danger = danger | danger.neighbours();
        let free = state.active(player) - state.all_units() - state.buildings() - state.mine_spots();
        let sites = (free & danger) - state.towers().neighbours();
        let Some(site) = sites.first() else { return };
        if !draft.play(rules, Action::Tower(site)) {
            return;
        }
    }
}

/// Mines on own land that no unit of the opponent is near.
fn build_mines(draft: &mut TurnDraft, rules: &Rules) {
    let state = *draft.state();
    let player = state.mover();
    let enemies = state.units(player.opponent());
    let near = enemies | enemies.neighbours();
    let near = near | near.neighbours();
    let spots = (state.active(player) & state.mine_spots()) - state.all_units() - state.buildings() - near;
    for site in spots.iter() {
        if draft.state().gold(player) < draft.state().mine_price(rules, player) + Level::One.cost() {
            return;
        }
        draft.play(rules, Action::Mine(site));
    }
}
