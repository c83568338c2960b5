//! The state of a game before a turn, the referee's generator included.

use core::fmt;

use super::constants::{FIRST_MINION_ID, FULL_SANITY, LAST_TURN, LIGHTS, PLANS};
use super::map::{EXPLORERS, MAX_MARKS};
use super::{Cell, Constants, Map, POOL_SIZE, Point};
use crate::contests::lcg48::Lcg48;
use crate::list::{Full, List};

/// Most minions: a slasher for each explorer, and wanderers of ten overlapping spawns at eight points (rules §14).
pub const MAX_MINIONS: usize = 84;

/// Most effects: 8 shelters, a plan or a light of each explorer, and a lock for each ordered pair (rules §14).
pub const MAX_EFFECTS: usize = 24;

/// An explorer. Eliminated explorers keep their last square.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Explorer {
    /// Square of the explorer.
    pub cell: Cell,
    /// Sanity, 0..=250.
    pub sanity: u8,
    /// Plans left.
    pub plans: u8,
    /// Lights left.
    pub lights: u8,
    /// Bit v is set once this explorer has yelled at explorer v.
    pub yelled_at: u8,
    /// Whether the explorer's slasher was created.
    pub had_slasher: bool,
}

/// The phase of a minion (rules §3), by its number in the protocol.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum MinionPhase {
    /// 0: announced, not on the map yet.
    #[default]
    Spawning,
    /// 1: chases an explorer.
    Wandering,
    /// 2: a slasher about to rush.
    Stalking,
    /// 3: a slasher that jumps to the remembered square.
    Rush,
    /// 4: a slasher that recovers from a rush.
    Stunned,
}

impl MinionPhase {
    /// All phases by number.
    pub const ALL: [MinionPhase; 5] = [
        MinionPhase::Spawning,
        MinionPhase::Wandering,
        MinionPhase::Stalking,
        MinionPhase::Rush,
        MinionPhase::Stunned,
    ];
}

/// A wanderer or a slasher.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Minion {
    /// Id, from 4 on in order of creation.
    pub id: u16,
    /// Whether the minion is a slasher, not a wanderer.
    pub is_slasher: bool,
    /// Phase of the minion.
    pub phase: MinionPhase,
    /// Square of the minion.
    pub cell: Cell,
    /// Turns until spawning, stalking or being stunned ends; the life of a walking wanderer. Unused in other phases.
    pub counter: u8,
    /// Id of the explorer that the minion chases.
    pub target: Option<u8>,
    /// Square on which a slasher last saw its target.
    pub remembered: Option<Cell>,
}

/// The kind of an effect.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EffectKind {
    /// Heals the caster and explorers near by.
    Plan,
    /// Makes squares around the caster costly for minions.
    Light,
    /// Locks an explorer.
    Yell {
        /// Id of the locked explorer.
        victim: u8,
    },
    /// Heals explorers on its square.
    Shelter {
        /// Square of the shelter.
        cell: Cell,
    },
}

/// An effect that is running.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effect {
    /// Kind of the effect.
    pub kind: EffectKind,
    /// Id of the caster; `None` for a shelter.
    pub caster: Option<u8>,
    /// Turns left, or a shelter's energy.
    pub left: u8,
}

impl Default for Effect {
    fn default() -> Effect {
        Effect { kind: EffectKind::Plan, caster: None, left: 0 }
    }
}

/// Why a state is invalid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StateError {
    /// The turn is 0 or above 201.
    Turn,
    /// A square is not one of the map's.
    Cell,
    /// Sanity above 250, or 0 while alive, or above 0 when eliminated.
    Sanity,
    /// A number names no explorer.
    Explorer,
    /// A minion's id is not below the next one, or not above the one before.
    Id,
    /// A wanderer stalks, or a countdown stands at 0.
    Minion,
    /// An effect without time left, a shelter with a caster, or another without.
    Effect,
}

impl fmt::Display for StateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            StateError::Turn => "the turn is not 1 to 201",
            StateError::Cell => "a square that the map does not have",
            StateError::Sanity => "sanity above 250, or none in the game, or some outside it",
            StateError::Explorer => "no such explorer",
            StateError::Id => "ids of minions out of order",
            StateError::Minion => "a wanderer that stalks, or a countdown at 0",
            StateError::Effect => "an effect without time, a shelter with a caster, or another without",
        })
    }
}

impl core::error::Error for StateError {}

/// A state before a turn. It is `Copy` and takes about 1.2 KiB.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct State {
    /// Constants drawn for this game.
    pub constants: Constants,
    /// The turn to be played next, from 1.
    pub turn: u16,
    /// Bit i is set while explorer i is in the game.
    pub alive: u8,
    /// The explorers by id.
    pub explorers: [Explorer; EXPLORERS],
    /// Points of explorers that are out: the turn of the elimination, 200 plus sanity for survivors, -1 for an invalid
    /// answer.
    pub scores: [Option<i16>; EXPLORERS],
    /// The next minion's id.
    pub next_id: u16,
    /// The referee's generator.
    pub dice: Lcg48,
    /// Minions in order of creation.
    pub minions: List<Minion, MAX_MINIONS>,
    /// Effects in order of creation.
    pub effects: List<Effect, MAX_EFFECTS>,
    /// How often each explorer was spooked in the turn played last.
    pub spooks: [u8; EXPLORERS],
}

impl State {
    /// A state before the first turn without explorers, minions and effects.
    pub fn empty(constants: Constants, dice: Lcg48) -> State {
        State {
            constants,
            turn: 1,
            alive: 0,
            explorers: [Explorer::default(); EXPLORERS],
            scores: [None; EXPLORERS],
            next_id: FIRST_MINION_ID,
            dice,
            minions: List::new(),
            effects: List::new(),
            spooks: [0; EXPLORERS],
        }
    }

    /// The start of a game on a given map (rules §2). `dice` has drawn the constants, and the map if chance chose it.
    pub fn start(map: &Map, constants: Constants, dice: Lcg48) -> State {
        let mut state = State::empty(constants, dice);
        for (id, &cell) in map.starts().iter().enumerate() {
            state.alive |= 1 << id;
            state.explorers[id] =
                Explorer { cell, sanity: FULL_SANITY, plans: PLANS, lights: LIGHTS, ..Explorer::default() };
        }
        state
    }

    /// Draws constants and a map of the pool from a seed (rules §2): the index of the map, the constants, and the
    /// generator as it is after that.
    pub fn draw(seed: u64) -> (usize, Constants, Lcg48) {
        let mut dice = Lcg48::new(seed);
        let constants = Constants::draw(&mut dice);
        // The original fails for -2^31; it counts as 0.
        let index = dice.int().checked_abs().unwrap_or(0) as usize % POOL_SIZE;
        (index, constants, dice)
    }

    /// Whether explorer `id` is in the game. An explorer with sanity 0 stays in the game until the turn's removals.
    pub const fn is_alive(&self, id: usize) -> bool {
        id < EXPLORERS && self.alive >> id & 1 == 1
    }

    /// Ids of the explorers in the game.
    pub const fn living(&self) -> Living {
        Living(self.alive & ((1 << EXPLORERS) - 1))
    }

    /// Number of explorers in the game.
    pub const fn living_count(&self) -> u32 {
        self.alive.count_ones()
    }

    /// Whether no explorer is left or the last turn was played.
    pub const fn is_over(&self) -> bool {
        self.alive == 0 || self.turn > LAST_TURN
    }

    /// Whether a yell keeps explorer `id` from acting.
    pub fn is_locked(&self, id: usize) -> bool {
        self.effects.iter().any(|effect| match effect.kind {
            EffectKind::Yell { victim } => victim as usize == id,
            _ => false,
        })
    }

    /// Whether an effect cast by explorer `id` is running, locks on others included.
    pub fn has_effect(&self, id: usize) -> bool {
        self.effects.iter().any(|effect| effect.caster == Some(id as u8))
    }

    /// Column and row of explorer `id`; the corner for ids beyond 3.
    pub fn point(&self, map: &Map, id: usize) -> Point {
        self.explorers.get(id).map_or(Point::default(), |explorer| map.point(explorer.cell))
    }

    /// Adds a minion with the next id.
    pub(super) fn create(&mut self, minion: Minion) -> Result<(), Full> {
        self.minions.push(Minion { id: self.next_id, ..minion })?;
        self.next_id = self.next_id.saturating_add(1);
        Ok(())
    }

    /// Whether every part of the state is valid on a map. Play keeps a state valid; readers of text call this.
    pub fn check(&self, map: &Map) -> Result<(), StateError> {
        let is_on_map = |cell: Cell| cell.index() < map.cell_count();
        let is_explorer = |id: u8| (id as usize) < EXPLORERS;
        if self.turn == 0 || self.turn > LAST_TURN + 1 {
            return Err(StateError::Turn);
        }
        for (id, explorer) in self.explorers.iter().enumerate() {
            if self.is_alive(id) && !is_on_map(explorer.cell) {
                return Err(StateError::Cell);
            }
            if explorer.sanity > FULL_SANITY || (explorer.sanity > 0) != self.is_alive(id) {
                return Err(StateError::Sanity);
            }
        }
        if self.alive >> EXPLORERS != 0 {
            return Err(StateError::Explorer);
        }
        let mut above = None;
        for minion in self.minions.iter() {
            if !is_on_map(minion.cell) || minion.remembered.is_some_and(|cell| !is_on_map(cell)) {
                return Err(StateError::Cell);
            }
            if !minion.target.is_none_or(is_explorer) {
                return Err(StateError::Explorer);
            }
            if minion.id >= self.next_id || above.is_some_and(|id| minion.id <= id) {
                return Err(StateError::Id);
            }
            above = Some(minion.id);
            minion.check()?;
        }
        self.effects.iter().try_for_each(|effect| effect.check(map))
    }
}

/// Ids of explorers in ascending order; see [`State::living`].
#[derive(Clone, Debug)]
pub struct Living(u8);

impl Iterator for Living {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let id = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(id)
    }
}

impl Minion {
    fn check(&self) -> Result<(), StateError> {
        let counts = match self.phase {
            MinionPhase::Spawning => true,
            MinionPhase::Wandering => !self.is_slasher,
            MinionPhase::Stalking | MinionPhase::Stunned if self.is_slasher => true,
            MinionPhase::Rush if self.is_slasher => false,
            _ => return Err(StateError::Minion),
        };
        if counts && self.counter == 0 { Err(StateError::Minion) } else { Ok(()) }
    }
}

impl Effect {
    fn check(&self, map: &Map) -> Result<(), StateError> {
        let is_explorer = |id: u8| (id as usize) < EXPLORERS;
        let needs_caster = match self.kind {
            EffectKind::Shelter { cell } if cell.index() >= map.cell_count() => return Err(StateError::Cell),
            EffectKind::Shelter { .. } => false,
            EffectKind::Yell { victim } if !is_explorer(victim) => return Err(StateError::Explorer),
            _ => true,
        };
        if self.left == 0 || self.caster.is_some() != needs_caster {
            return Err(StateError::Effect);
        }
        if self.caster.is_none_or(is_explorer) { Ok(()) } else { Err(StateError::Explorer) }
    }
}

// A full set of shelters fits whatever else is running.
const _: () = assert!(MAX_MARKS + EXPLORERS + EXPLORERS * (EXPLORERS - 1) == MAX_EFFECTS);

#[cfg(test)]
mod tests {
    use super::super::pool_map;
    use super::*;

    #[test]
    fn kutulu_rule_2_setup_of_the_recorded_seeds() {
        // Seeds, maps and constants of recorded games.
        for (seed, map, constants) in [(21, 1, [5, 1, 4, 33]), (125, 5, [5, 1, 3, 36])] {
            let (index, drawn, _) = State::draw(seed);
            assert_eq!((index, [drawn.lonely, drawn.group, drawn.spawn_time, drawn.life]), (map, constants));
        }
    }

    #[test]
    fn the_start_is_valid_and_small() {
        for seed in 0..200 {
            let (index, constants, dice) = State::draw(seed);
            let map = pool_map(index).unwrap();
            let state = State::start(&map, constants, dice);
            assert_eq!((state.check(&map), state.living_count(), state.is_over()), (Ok(()), 4, false));
        }
        assert!(size_of::<State>() <= 1280, "{}", size_of::<State>());
    }

    #[test]
    fn broken_states_are_refused() {
        let map = pool_map(1).unwrap();
        let (_, constants, dice) = State::draw(1);
        let good = State::start(&map, constants, dice);
        let broken = |change: &dyn Fn(&mut State)| {
            let mut state = good;
            change(&mut state);
            state.check(&map)
        };
        let far = Cell::new(200).unwrap();
        let minion = Minion { id: 4, counter: 1, ..Minion::default() };
        let effect = Effect { caster: Some(1), left: 1, ..Effect::default() };
        let with_minion = |minion: Minion| {
            broken(&|state| {
                state.next_id = 9;
                state.minions.push(minion).unwrap();
            })
        };
        let with_effect = |effect: Effect| broken(&|state| state.effects.push(effect).unwrap());
        assert_eq!((with_minion(minion), with_effect(effect)), (Ok(()), Ok(())));
        assert_eq!(broken(&|state| state.turn = 0), Err(StateError::Turn));
        assert_eq!(broken(&|state| state.turn = 202), Err(StateError::Turn));
        assert_eq!(broken(&|state| state.explorers[1].cell = far), Err(StateError::Cell));
        assert_eq!(broken(&|state| state.explorers[1].sanity = 251), Err(StateError::Sanity));
        assert_eq!(broken(&|state| state.explorers[1].sanity = 0), Err(StateError::Sanity));
        assert_eq!(broken(&|state| state.alive = 7), Err(StateError::Sanity));
        assert_eq!(broken(&|state| state.alive = 31), Err(StateError::Explorer));
        assert_eq!(with_minion(Minion { cell: far, ..minion }), Err(StateError::Cell));
        assert_eq!(with_minion(Minion { remembered: Some(far), ..minion }), Err(StateError::Cell));
        assert_eq!(with_minion(Minion { target: Some(4), ..minion }), Err(StateError::Explorer));
        assert_eq!(with_minion(Minion { id: 9, ..minion }), Err(StateError::Id));
        assert_eq!(with_minion(Minion { counter: 0, ..minion }), Err(StateError::Minion));
        assert_eq!(with_minion(Minion { phase: MinionPhase::Rush, ..minion }), Err(StateError::Minion));
        let rushing = Minion { phase: MinionPhase::Rush, is_slasher: true, counter: 0, ..minion };
        assert_eq!(with_minion(rushing), Ok(()));
        assert_eq!(with_effect(Effect { left: 0, ..effect }), Err(StateError::Effect));
        assert_eq!(with_effect(Effect { caster: None, ..effect }), Err(StateError::Effect));
        assert_eq!(with_effect(Effect { caster: Some(4), ..effect }), Err(StateError::Explorer));
        let lock = EffectKind::Yell { victim: 4 };
        assert_eq!(with_effect(Effect { kind: lock, ..effect }), Err(StateError::Explorer));
        let shelter = EffectKind::Shelter { cell: far };
        assert_eq!(with_effect(Effect { kind: shelter, ..effect }), Err(StateError::Cell));
    }
}
