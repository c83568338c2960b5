//! The steps of one turn (rules §4).
//!
//! A turn is played exactly, or fast for searches: the fast turn ignores light and decides ties of the chase with fewer
//! draws (rules §12.2). Where nothing is lit and no chase is tied, both give the same state.

use super::constants::{
    COMPANY_RANGE, FULL_SANITY, LAST_TURN, LIGHT_RANGE, LONE_SURVIVOR_LOSS, PLAN_HEAL, PLAN_RANGE,
    SHELTER_ENERGY, SHELTER_HEAL, SHELTER_INTERVAL, SLASHER_SPAWN_TIME, SLASHER_THRESHOLD, SPAWN_INTERVAL,
};
use super::map::EXPLORERS;
use super::{Actions, Cell, CellSet, Effect, EffectKind, MapTables, Minion, State};
use crate::list::Full;

impl State {
    /// Plays a turn as the referee does. Does nothing when the game is over.
    ///
    /// An error says that minions or effects were left out because there was no room for them. That cannot happen in
    /// a game that began with [`State::start`]; the state is valid all the same.
    pub fn play(&mut self, tables: &MapTables, actions: &Actions) -> Result<(), Full> {
        if self.is_over() {
            return Ok(());
        }
        for id in self.living() {
            if actions[id].is_none() {
                self.eliminate(id, -1);
            }
        }
        if self.alive == 0 {
            self.turn += 1;
            return Ok(());
        }
        self.play_turn::<true, true>(tables, actions)
    }

    /// Plays a turn for a search: lit squares are ignored, and no explorer is eliminated for a missing answer. Errors
    /// are those of [`play`](State::play).
    pub fn play_fast(&mut self, tables: &MapTables, actions: &Actions) -> Result<(), Full> {
        if self.is_over() {
            return Ok(());
        }
        self.play_turn::<false, false>(tables, actions)
    }

    /// Plays a turn for a search that has cast a light: as [`play_fast`](State::play_fast), but minions see lit squares.
    pub fn play_lit(&mut self, tables: &MapTables, actions: &Actions) -> Result<(), Full> {
        if self.is_over() {
            return Ok(());
        }
        self.play_turn::<false, true>(tables, actions)
    }

    fn play_turn<const EXACT: bool, const LIT: bool>(
        &mut self,
        tables: &MapTables,
        actions: &Actions,
    ) -> Result<(), Full> {
        let mut result = self.spawn_slashers::<EXACT>();
        if self.turn.is_multiple_of(SPAWN_INTERVAL) {
            result = result.and(self.spawn_wanderers::<EXACT>(tables));
        }
        result = result.and(self.act(tables, actions));
        let lit = self.run_effects::<LIT>(tables);
        self.run_minions::<LIT>(tables, &lit);
        self.lose_sanity(tables);
        self.remove_the_lost();
        if self.turn.is_multiple_of(SHELTER_INTERVAL) {
            result = result.and(self.fill_shelters(tables));
        }
        self.turn += 1;
        // Searches want to see what sanity the survivors have.
        if EXACT && self.is_over() {
            for id in self.living() {
                self.eliminate(id, (LAST_TURN + u16::from(self.explorers[id].sanity)) as i16);
            }
        }
        result
    }

    /// Eliminates an explorer with a score. The explorer's plans and lights end, its locks stay (rules §4 step 8, §13).
    fn eliminate(&mut self, id: usize, score: i16) {
        self.alive &= !(1 << id);
        self.scores[id] = Some(score);
        self.explorers[id].sanity = 0;
        self.effects.retain(|effect| {
            matches!(effect.kind, EffectKind::Yell { .. }) || effect.caster != Some(id as u8)
        });
    }

    fn spawn_slashers<const EXACT: bool>(&mut self) -> Result<(), Full> {
        for id in self.living() {
            let explorer = &mut self.explorers[id];
            if explorer.sanity >= SLASHER_THRESHOLD || explorer.had_slasher {
                continue;
            }
            explorer.had_slasher = true;
            let slasher = Minion {
                is_slasher: true,
                cell: explorer.cell,
                counter: SLASHER_SPAWN_TIME,
                target: Some(id as u8),
                remembered: Some(explorer.cell),
                ..Minion::default()
            };
            self.draw_for_creation::<EXACT>();
            self.create(slasher)?;
        }
        Ok(())
    }

    fn spawn_wanderers<const EXACT: bool>(&mut self, tables: &MapTables) -> Result<(), Full> {
        let map = tables.map();
        let solitude = |state: &State, spawn: Cell| {
            let distances = state.living().map(|id| state.point(map, id).manhattan(map.point(spawn)));
            distances.min()
        };
        let most = map.spawns().iter().map(|&spawn| solitude(self, spawn)).max();
        for &cell in map.spawns() {
            if Some(solitude(self, cell)) == most {
                self.draw_for_creation::<EXACT>();
                self.create(Minion { cell, counter: self.constants.spawn_time, ..Minion::default() })?;
            }
        }
        Ok(())
    }

    /// Draws the number that the referee draws for each creation and never uses (rules §2).
    fn draw_for_creation<const EXACT: bool>(&mut self) {
        if EXACT {
            self.dice.below(4);
        }
    }

    /// Plays the effects (rules §4, step 5). Returns the lit squares, of which the fast turn has none.
    fn run_effects<const LIT: bool>(&mut self, tables: &MapTables) -> CellSet {
        let mut lit = CellSet::EMPTY;
        for index in 0..self.effects.len() {
            let Effect { kind, caster, left } = self.effects[index];
            let caster = caster.map_or(EXPLORERS, usize::from);
            let spent = match kind {
                EffectKind::Shelter { cell } => self.visit_shelter(cell),
                EffectKind::Plan => {
                    self.heal_around(tables, caster);
                    1
                }
                EffectKind::Light => {
                    if LIT && self.is_alive(caster) {
                        light_up(tables, self.explorers[caster].cell, &mut lit);
                    }
                    1
                }
                EffectKind::Yell { .. } => 1,
            };
            self.effects[index].left = left.saturating_sub(spent);
        }
        self.effects.retain(|effect| effect.left > 0);
        lit
    }

    /// Heals the visitors of a shelter. Returns the number of visitors.
    fn visit_shelter(&mut self, cell: Cell) -> u8 {
        let mut visitors = 0;
        for id in self.living() {
            if self.explorers[id].cell == cell {
                self.heal(id, SHELTER_HEAL);
                visitors += 1;
            }
        }
        visitors
    }

    fn heal_around(&mut self, tables: &MapTables, caster: usize) {
        if !self.is_alive(caster) {
            return;
        }
        self.heal(caster, PLAN_HEAL);
        let center = self.explorers[caster].cell;
        for id in self.living() {
            if id != caster && tables.distance_byte(center, self.explorers[id].cell) <= PLAN_RANGE {
                self.heal(id, PLAN_HEAL);
                self.heal(caster, PLAN_HEAL);
            }
        }
    }

    fn heal(&mut self, id: usize, sanity: u8) {
        let explorer = &mut self.explorers[id];
        explorer.sanity = explorer.sanity.saturating_add(sanity).min(FULL_SANITY);
    }

    fn lose_sanity(&mut self, tables: &MapTables) {
        let is_lone = self.living_count() == 1;
        let points = [0, 1, 2, 3].map(|id| self.point(tables.map(), id));
        for id in self.living() {
            let is_near = |other: usize| points[other].manhattan(points[id]) <= COMPANY_RANGE;
            let loss = if is_lone {
                LONE_SURVIVOR_LOSS
            } else if self.living().any(|other| other != id && is_near(other)) {
                self.constants.group
            } else {
                self.constants.lonely
            };
            let explorer = &mut self.explorers[id];
            explorer.sanity = explorer.sanity.saturating_sub(loss);
        }
    }

    fn remove_the_lost(&mut self) {
        for id in self.living() {
            if self.explorers[id].sanity == 0 {
                self.eliminate(id, self.turn as i16);
            }
        }
    }

    fn fill_shelters(&mut self, tables: &MapTables) -> Result<(), Full> {
        self.effects.retain(|effect| !matches!(effect.kind, EffectKind::Shelter { .. }));
        for &cell in tables.map().shelters() {
            let kind = EffectKind::Shelter { cell };
            self.effects.push(Effect { kind, caster: None, left: SHELTER_ENERGY })?;
        }
        Ok(())
    }
}

/// Adds to `lit` all squares that a light cast on `center` reaches.
pub(super) fn light_up(tables: &MapTables, center: Cell, lit: &mut CellSet) {
    for cell in tables.map().cells() {
        if tables.distance_byte(center, cell) <= LIGHT_RANGE {
            lit.add(cell);
        }
    }
}
