//! The part of a state near an explorer as a game for SmitsiMax, and the depth of its search (rules §12.4).

use crate::contests::kutulu::constants::YELL_RANGE;
use crate::contests::kutulu::{Action, Actions, EXPLORERS, EffectKind, MapTables, State};
use crate::contests::lcg48::Lcg48;
use crate::search::smitsimax::Simultaneous;

use super::outlook::{SCALE, leaf_value};
use super::{Tuning, light};

/// The game of the explorers near the own one, for the search. All other explorers stand still.
#[derive(Clone, Copy, Debug)]
pub struct LocalGame<'m> {
    tables: &'m MapTables,
    /// Bit i is set if explorer i has a tree in the search.
    trees: u8,
    tuning: &'m Tuning,
    own: usize,
    /// The first turn in which skills are no actions any more.
    skills_until: u16,
    /// Whether the own light is an action in the first turn.
    may_light: bool,
    /// The other of the last two explorers, if they are two and each wants to outlive the other.
    duel: Option<[usize; 2]>,
}

/// The root of a search: game, state and depth.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchRoot<'m> {
    pub(super) local_game: LocalGame<'m>,
    /// The state without distant wanderers.
    pub(super) state: State,
    /// Depth of the search in turns.
    pub(super) depth: usize,
}

impl<'m> LocalGame<'m> {
    /// A game in which all explorers act.
    pub fn all(tables: &'m MapTables) -> LocalGame<'m> {
        LocalGame {
            tables,
            trees: (1 << EXPLORERS) - 1,
            tuning: &Tuning::SEED,
            own: 0,
            skills_until: 0,
            may_light: false,
            duel: None,
        }
    }

    /// A game in which the own explorer acts, and all whose paths can meet its path within `depth` turns.
    fn near(
        tables: &'m MapTables,
        state: &State,
        own: usize,
        depth: usize,
        tuning: &'m Tuning,
    ) -> LocalGame<'m> {
        let at = state.point(tables.map(), own);
        let range = 2 * depth as i16 + 2;
        let is_near = |id: &usize| state.point(tables.map(), *id).manhattan(at) <= range;
        let trees = state.living().filter(is_near).fold(0, |trees, id| trees | 1 << id);
        let explorer = &state.explorers[own];
        let may_light = tuning.skills.light
            && explorer.lights > 0
            && !state.has_effect(own)
            && light::is_useful(tables, state, own);
        let mut living = state.living();
        let duel = match (living.next(), living.next(), living.next()) {
            (Some(one), Some(other), None) if tuning.outlook.duel => Some([one, other]),
            _ => None,
        };
        let skills_until = state.turn.saturating_add(tuning.skill_turns);
        LocalGame { tables, trees, tuning, own, skills_until, may_light, duel }
    }

    /// Number of acting explorers besides the own one.
    fn others(&self) -> u32 {
        self.trees.count_ones().saturating_sub(1)
    }
}

impl LocalGame<'_> {
    /// Whether a duel is over: one explorer has outlived the other, and nothing else counts.
    fn is_decided(&self, world: &State) -> bool {
        self.duel.is_some() && world.living_count() < 2
    }

    /// Calls `add` with the skills that an explorer may use.
    fn skills(&self, world: &State, player: usize, add: &mut dyn FnMut(Action)) {
        let skills = &self.tuning.skills;
        let is_own = player == self.own;
        if world.turn >= self.skills_until {
            return;
        }
        let (plan, yell) =
            if is_own { (skills.plan, skills.yell) } else { (skills.others_plan, skills.others_yell) };
        let explorer = &world.explorers[player];
        if plan && explorer.plans > 0 && !world.has_effect(player) {
            add(Action::Plan);
        }
        if is_own && self.may_light && world.turn + self.tuning.skill_turns == self.skills_until {
            add(Action::Light);
        }
        if yell {
            let at = world.point(self.tables.map(), player);
            let is_victim = |id: usize| {
                let near = world.point(self.tables.map(), id).manhattan(at) <= YELL_RANGE;
                id != player && near && explorer.yelled_at >> id & 1 == 0 && !world.is_locked(id)
            };
            if world.living().any(is_victim) {
                add(Action::Yell);
            }
        }
    }

    /// Outcome of a simulation for an explorer by itself, in quarters of a point of sanity.
    fn outcome(&self, root: &State, end: &State, player: usize) -> i32 {
        let outlook = &self.tuning.outlook;
        let sanity = |state: &State| i32::from(state.explorers[player].sanity);
        let change = SCALE * (sanity(end) - sanity(root));
        if !root.is_alive(player) {
            return 0;
        }
        if end.is_alive(player) {
            let outlived = (root.alive & !end.alive).count_ones() as i32;
            change + outlook.outlive * outlived + leaf_value(self.tables, outlook, root, end, player)
        } else {
            change - outlook.outlive * end.living_count() as i32
        }
    }

    /// Share of the mean change of the others' sanity that counts against an explorer, in quarters of a point.
    fn rivals_gain(&self, root: &State, end: &State, player: usize) -> i32 {
        let rivalry = self.tuning.outlook.rivalry;
        // The others are taken for players who look after themselves alone.
        if rivalry == 0 || player != self.own {
            return 0;
        }
        let (mut gain, mut count) = (0, 0);
        for id in root.living().filter(|&id| id != player) {
            gain += i32::from(end.explorers[id].sanity) - i32::from(root.explorers[id].sanity);
            count += 1;
        }
        if count == 0 { 0 } else { SCALE * gain * rivalry / (100 * count) }
    }
}

impl<'m> SearchRoot<'m> {
    /// The root for an explorer: the deepest search whose work fits the budget, without distant wanderers.
    pub(super) fn new(
        tables: &'m MapTables,
        state: &State,
        own: usize,
        tuning: &'m Tuning,
    ) -> SearchRoot<'m> {
        let [least, most] = tuning.depth;
        let widest = cut(tables, state, own, most);
        let entities =
            LocalGame::near(tables, state, own, most, tuning).others() + widest.minions.len() as u32;
        let cell = state.explorers[own].cell;
        let budget = tuning.branch_budget.saturating_mul(4);
        let fits = |depth: &usize| tables.branch(cell, *depth).saturating_mul(4 + entities) <= budget;
        let depth = (least..=most).rev().find(fits).unwrap_or(least);
        SearchRoot {
            local_game: LocalGame::near(tables, state, own, depth, tuning),
            state: cut(tables, state, own, depth),
            depth,
        }
    }
}

/// The state without the wanderers that cannot come near the own explorer within `depth` turns.
fn cut(tables: &MapTables, state: &State, own: usize, depth: usize) -> State {
    let mut cut = *state;
    let cell = state.explorers[own].cell;
    cut.minions.retain(|minion| {
        let steps = tables.distance(minion.cell, cell).map(usize::from);
        minion.is_slasher || steps.is_some_and(|steps| steps <= 2 * depth)
    });
    cut
}

impl Simultaneous<EXPLORERS> for LocalGame<'_> {
    type World = State;
    type Action = Action;

    fn acts(&self, world: &State, player: usize) -> bool {
        (self.trees & world.alive) >> player & 1 == 1 && !world.is_over()
    }

    fn actions(&self, world: &State, player: usize, add: &mut dyn FnMut(Action)) {
        add(Action::Wait);
        if !world.is_locked(player) {
            let cell = world.explorers[player].cell;
            self.tables.neighbours(cell).for_each(|(direction, _)| add(Action::Step(direction)));
            self.skills(world, player, add);
        }
    }

    fn play(&self, world: &mut State, actions: &Actions) {
        if self.is_decided(world) {
            return;
        }
        let is_lit = self.may_light
            && (actions[self.own] == Some(Action::Light)
                || world.effects.iter().any(|effect| effect.kind == EffectKind::Light));
        // A minion that found no room is too far away to matter.
        let _ =
            if is_lit { world.play_lit(self.tables, actions) } else { world.play_fast(self.tables, actions) };
    }

    fn score(&self, root: &State, end: &State, player: usize) -> i32 {
        match self.duel {
            Some([one, other]) if player == one || player == other => {
                let rival = if player == one { other } else { one };
                self.outcome(root, end, player) - self.outcome(root, end, rival)
            }
            _ => self.outcome(root, end, player) - self.rivals_gain(root, end, player),
        }
    }

    fn reseed(&self, world: &mut State, chance: u64) {
        world.dice = Lcg48::new(chance);
    }
}
