//! The state of a game tracked from the lines that one player is sent (rules §8).
//!
//! The lines hide the turn's number, who has yelled at whom, whose slasher was created, the squares that slashers
//! remember, and the referee's generator. All but the generator follows from the lines of earlier turns, with one
//! exception: whether a slasher saw a target until the target was lost. The tracker assumes that it remembers nothing.

use core::fmt;

use super::constants::SLASHER_THRESHOLD;
use super::map::EXPLORERS;
use super::{
    Cell, Constants, Effect, EffectKind, Entity, EntityKind, Explorer, MapTables, Minion, MinionPhase, State,
};
use crate::contests::lcg48::Lcg48;

/// Why the lines of a turn are not a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TrackError {
    /// The line with this index, from 0, says something impossible.
    Line(usize),
    /// The first line is not the player's own explorer.
    NoSelf,
    /// More minions or effects than a game has.
    TooMany,
    /// The lines are possible one by one, but not together.
    Whole(super::StateError),
}

impl fmt::Display for TrackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TrackError::Line(index) => write!(f, "entity {index} is not possible"),
            TrackError::NoSelf => f.write_str("the first entity is not the own explorer"),
            TrackError::TooMany => f.write_str("more minions or effects than a game has"),
            TrackError::Whole(why) => write!(f, "the entities together are not possible: {why}"),
        }
    }
}

impl core::error::Error for TrackError {}

/// A tracker of the state for one player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StateTracker {
    /// The state before the turn tracked last, as far as the lines reveal it.
    pub state: State,
    /// Id of the player's explorer.
    pub own: usize,
    /// Number of turns tracked.
    seen: u16,
}

impl StateTracker {
    /// A tracker before the first turn. The seed decides ties in simulations.
    pub fn new(constants: Constants, seed: u64) -> StateTracker {
        StateTracker { state: State::empty(constants, Lcg48::new(seed)), own: 0, seen: 0 }
    }

    /// Updates the state with the lines of the next turn. Refused lines change nothing but the turn's number.
    pub fn update(&mut self, tables: &MapTables, lines: &[Entity]) -> Result<(), TrackError> {
        self.seen = self.seen.saturating_add(1);
        let before = self.state;
        let mut state = State::empty(before.constants, before.dice);
        state.turn = self.seen;
        state.next_id = before.next_id;
        for (id, explorer) in state.explorers.iter_mut().enumerate() {
            let known = &before.explorers[id];
            // Its slasher comes in the turn after its sanity fell below the threshold.
            let had_slasher = known.had_slasher || before.is_alive(id) && known.sanity < SLASHER_THRESHOLD;
            *explorer = Explorer { sanity: 0, had_slasher, ..*known };
        }
        for (index, line) in lines.iter().enumerate() {
            let read = match line.kind {
                EntityKind::Explorer => read_explorer(tables, line, &mut state),
                EntityKind::Wanderer | EntityKind::Slasher => read_minion(tables, line, &before, &mut state),
                _ => read_effect(tables, line, &mut state),
            };
            read.map_err(|wrong| wrong.unwrap_or(TrackError::Line(index)))?;
        }
        let first = lines.first().filter(|line| line.kind == EntityKind::Explorer);
        let own = first.ok_or(TrackError::NoSelf)?.id as usize;
        for index in 0..state.minions.len() {
            recall(tables, &before, &mut state, index);
        }
        state.check(tables.map()).map_err(TrackError::Whole)?;
        self.state = state;
        self.own = own;
        Ok(())
    }
}

/// The result of reading a line; `None` stands for an impossible line.
type Read = Result<(), Option<TrackError>>;

fn small(number: i16) -> Result<u8, Option<TrackError>> {
    if (0..256).contains(&number) { Ok(number as u8) } else { Err(None) }
}

fn cell(tables: &MapTables, line: &Entity) -> Result<Cell, Option<TrackError>> {
    tables.map().at(line.x, line.y).ok_or(None)
}

/// The explorer id of a number, or `None` for -1.
fn explorer(number: i16) -> Result<Option<u8>, Option<TrackError>> {
    match number {
        -1 => Ok(None),
        0..=3 => Ok(Some(number as u8)),
        _ => Err(None),
    }
}

fn read_explorer(tables: &MapTables, line: &Entity, state: &mut State) -> Read {
    let id = usize::from(small(line.id)?);
    let explorer = state.explorers.get_mut(id).ok_or(None)?;
    let [sanity, plans, lights] = line.parameters;
    *explorer = Explorer {
        cell: cell(tables, line)?,
        sanity: small(sanity)?,
        plans: small(plans)?,
        lights: small(lights)?,
        ..*explorer
    };
    state.alive |= 1 << id;
    Ok(())
}

fn read_minion(tables: &MapTables, line: &Entity, before: &State, state: &mut State) -> Read {
    let [counter, phase, target] = line.parameters;
    let is_slasher = line.kind == EntityKind::Slasher;
    let phase = *MinionPhase::ALL.get(usize::from(small(phase)?)).ok_or(None)?;
    let has_counter = !is_slasher || phase != MinionPhase::Wandering && phase != MinionPhase::Rush;
    let minion = Minion {
        id: if line.id < 0 { return Err(None) } else { line.id as u16 },
        is_slasher,
        phase,
        cell: cell(tables, line)?,
        counter: if has_counter { small(counter)? } else { 0 },
        target: explorer(target)?,
        remembered: before
            .minions
            .iter()
            .find(|known| known.id as i16 == line.id)
            .and_then(|it| it.remembered),
    };
    state.next_id = state.next_id.max(minion.id + 1);
    state.minions.push(minion).map_err(|_| Some(TrackError::TooMany))
}

/// Infers the square that a slasher remembers after its turn (rules §6.3).
fn recall(tables: &MapTables, before: &State, state: &mut State, index: usize) {
    let minion = state.minions[index];
    let known = before.minions.iter().find(|known| known.id == minion.id);
    let in_sight = |id: &usize| tables.sees(minion.cell, state.explorers[*id].cell);
    let target = minion.target.map(usize::from).filter(in_sight);
    let is_confused = minion.target.is_none() && state.living().any(|id| in_sight(&id));
    // A slasher forgets the square together with a target that is lost.
    let has_lost = known.is_none_or(|known| known.target.is_some_and(|id| !state.is_alive(id.into())));
    let remembered = match (minion.phase, known.map(|known| known.phase)) {
        (MinionPhase::Wandering | MinionPhase::Stunned, _) => None,
        // Nothing is looked up while spawning: it is the square where it came, and that is where it is.
        (MinionPhase::Spawning, _) | (_, Some(MinionPhase::Spawning)) => minion.target.map(|_| minion.cell),
        (MinionPhase::Stalking | MinionPhase::Rush, _) => match target {
            Some(id) => Some(state.explorers[id].cell),
            None if is_confused || has_lost => None,
            None => minion.remembered,
        },
    };
    if let Some(minion) = state.minions.get_mut(index).filter(|minion| minion.is_slasher) {
        minion.remembered = remembered;
    }
}

fn read_effect(tables: &MapTables, line: &Entity, state: &mut State) -> Read {
    let [left, caster, victim] = line.parameters;
    let caster = explorer(caster)?;
    let kind = match line.kind {
        EntityKind::Plan => EffectKind::Plan,
        EntityKind::Light => EffectKind::Light,
        EntityKind::Shelter => EffectKind::Shelter { cell: cell(tables, line)? },
        _ => EffectKind::Yell { victim: explorer(victim)?.ok_or(None)? },
    };
    if let (EffectKind::Yell { victim }, Some(yeller)) = (kind, caster) {
        state.explorers[usize::from(yeller) % EXPLORERS].yelled_at |= 1 << victim;
    }
    let effect = Effect { kind, caster, left: small(left)? };
    state.effects.push(effect).map_err(|_| Some(TrackError::TooMany))
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::super::{Action, Direction, POOL_SIZE, pool_map};
    use super::*;
    use crate::rng::Rng;
    use std::string::ToString;

    /// The part of a state that a player can know: no generator, no scores, nothing of explorers that are out.
    fn knowable(state: &State) -> State {
        let mut state = *state;
        state.dice = Lcg48::new(0);
        state.scores = [None; EXPLORERS];
        state.spooks = [0; EXPLORERS];
        for id in 0..EXPLORERS {
            let explorer = &mut state.explorers[id];
            explorer.yelled_at &= state.alive;
            if state.alive >> id & 1 == 0 {
                *explorer = Explorer::default();
            }
        }
        let alive = state.alive;
        let is_out = |id: u8| alive >> id & 1 == 0;
        for minion in state.minions.iter_mut() {
            if minion.target.is_none_or(is_out) && alive != 15 {
                minion.target = None;
                minion.remembered = None;
            }
        }
        state.effects.retain(|effect| match effect.kind {
            EffectKind::Yell { victim } => !is_out(victim),
            _ => true,
        });
        state
    }

    #[test]
    fn kutulu_rule_8_what_is_hidden_follows_from_what_was_seen() {
        let mut rng = Rng::new(17);
        let mut turns = 0;
        for game in 0..48 {
            let tables = MapTables::new(&pool_map(game % POOL_SIZE).unwrap());
            let (_, constants, dice) = State::draw(game as u64);
            let mut state = State::start(tables.map(), constants, dice);
            let mut trackers = [StateTracker::new(constants, 1); EXPLORERS];
            while !state.is_over() {
                for id in state.living() {
                    trackers[id].update(&tables, &state.entities(tables.map(), id)).unwrap();
                    assert_eq!(trackers[id].own, id);
                    let seen = knowable(&trackers[id].state);
                    assert_eq!(seen, knowable(&state), "game {game} turn {}", state.turn);
                    turns += 1;
                }
                let actions = [(); EXPLORERS].map(|()| {
                    Some(match rng.below(24) {
                        0 => Action::Plan,
                        1 => Action::Light,
                        2 | 3 => Action::Yell,
                        4..=7 => Action::Wait,
                        _ => Action::Step(Direction::nth(rng.below(4) as usize)),
                    })
                });
                state.play(&tables, &actions).unwrap();
            }
        }
        assert!(turns > 5_000, "{turns}");
    }

    #[test]
    fn impossible_lines_are_refused_and_change_nothing() {
        let tables = MapTables::new(&pool_map(1).unwrap());
        let (_, constants, _) = State::draw(1);
        let mut tracker = StateTracker::new(constants, 1);
        let good = Entity::read("EXPLORER 2 5 5 250 2 3").unwrap();
        let mut update = |text: &str| {
            let before = tracker.state;
            let result = tracker.update(&tables, &[good, Entity::read(text).unwrap()]);
            assert!(result.is_ok() || tracker.state == before);
            result
        };
        assert_eq!(update("WANDERER 4 3 3 30 1 -1"), Ok(()));
        for text in [
            "EXPLORER 4 5 5 250 2 3",
            "EXPLORER -1 5 5 250 2 3",
            "EXPLORER 1 0 0 250 2 3",
            "EXPLORER 1 5 5 256 2 3",
            "WANDERER -4 3 3 30 1 -1",
            "WANDERER 4 3 3 30 5 -1",
            "WANDERER 4 3 3 30 1 4",
            "WANDERER 4 3 99 30 1 -1",
            "SLASHER 4 3 3 -1 0 -1",
            "EFFECT_PLAN -1 3 3 4 7 -1",
            "EFFECT_YELL -1 -1 -1 2 1 -1",
            "EFFECT_SHELTER -1 0 0 2 -1 -1",
        ] {
            assert_eq!(update(text), Err(TrackError::Line(1)), "{text}");
        }
        for text in ["EXPLORER 1 5 5 251 2 3", "WANDERER 4 3 3 30 2 -1", "EFFECT_PLAN -1 3 3 0 1 -1"] {
            assert!(matches!(update(text), Err(TrackError::Whole(_))), "{text}");
        }
        let told = update("WANDERER 4 3 3 30 2 -1").unwrap_err().to_string();
        assert_eq!(
            told,
            "the entities together are not possible: a wanderer that stalks, or a countdown at 0"
        );
        assert_eq!(tracker.update(&tables, &[]), Err(TrackError::NoSelf));
        let plan = Entity::read("EFFECT_PLAN -1 3 3 4 1 -1").unwrap();
        assert_eq!(tracker.update(&tables, &[plan]), Err(TrackError::NoSelf));
        let mut many = [plan; 26];
        many[0] = good;
        assert_eq!(tracker.update(&tables, &many), Err(TrackError::TooMany));
    }
}
