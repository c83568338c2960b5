//! A state from what one player is sent, with what the lines leave out remembered or inferred (rules §8).
//!
//! Left out are the turn's number, who has yelled at whom, who had its slasher, what slashers remember, and the
//! referee's generator. All but the last follows from the lines of earlier turns, with one exception: whether a slasher
//! whose target was just lost had seen it to the end. It is taken to remember nothing then.

use core::fmt;

use super::constants::SLASHER_THRESHOLD;
use super::map::EXPLORERS;
use super::{Cell, Constants, Effect, EffectKind, Entity, EntityKind, Explorer, Maze, Minion, Mood, State};
use crate::contests::lcg48::Lcg48;

/// Why lines are no state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WatchError {
    /// The line with this index, from 0, says something impossible.
    Line(usize),
    /// The first line is not the player's own explorer.
    NoSelf,
    /// More minions or effects than a game has.
    TooMany,
    /// Each line makes sense, all together they do not.
    Whole(super::Invalid),
}

impl fmt::Display for WatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WatchError::Line(index) => write!(f, "entity {index} is not possible"),
            WatchError::NoSelf => f.write_str("the first entity is not the own explorer"),
            WatchError::TooMany => f.write_str("more minions or effects than a game has"),
            WatchError::Whole(why) => write!(f, "the entities together are not possible: {why:?}"),
        }
    }
}

impl core::error::Error for WatchError {}

/// A player's view of a game: the latest state, and whose explorer the player has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Watch {
    /// The state as far as it is known.
    pub state: State,
    /// The player's own explorer.
    pub own: usize,
    /// Turns seen.
    seen: u16,
}

impl Watch {
    /// Nothing seen yet. The seed is for ties in simulations.
    pub fn new(constants: Constants, seed: u64) -> Watch {
        Watch { state: State::empty(constants, Lcg48::new(seed)), own: 0, seen: 0 }
    }

    /// Takes the lines of the next turn. Lines that are refused change nothing but the turn's number.
    pub fn see(&mut self, maze: &Maze, lines: &[Entity]) -> Result<(), WatchError> {
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
                EntityKind::Explorer => read_explorer(maze, line, &mut state),
                EntityKind::Wanderer | EntityKind::Slasher => read_minion(maze, line, &before, &mut state),
                _ => read_effect(maze, line, &mut state),
            };
            read.map_err(|wrong| wrong.unwrap_or(WatchError::Line(index)))?;
        }
        let first = lines.first().filter(|line| line.kind == EntityKind::Explorer);
        let own = first.ok_or(WatchError::NoSelf)?.id as usize;
        for index in 0..state.minions.len() {
            recall(maze, &before, &mut state, index);
        }
        state.check(maze.map()).map_err(WatchError::Whole)?;
        self.state = state;
        self.own = own;
        Ok(())
    }
}

/// `None` stands for an impossible line.
type Read = Result<(), Option<WatchError>>;

fn small(number: i16) -> Result<u8, Option<WatchError>> {
    if (0..256).contains(&number) { Ok(number as u8) } else { Err(None) }
}

fn cell(maze: &Maze, line: &Entity) -> Result<Cell, Option<WatchError>> {
    maze.map().at(line.x, line.y).ok_or(None)
}

/// An explorer's id, or nothing for -1.
fn explorer(number: i16) -> Result<Option<u8>, Option<WatchError>> {
    match number {
        -1 => Ok(None),
        0..=3 => Ok(Some(number as u8)),
        _ => Err(None),
    }
}

fn read_explorer(maze: &Maze, line: &Entity, state: &mut State) -> Read {
    let id = usize::from(small(line.id)?);
    let explorer = state.explorers.get_mut(id).ok_or(None)?;
    let [sanity, plans, lights] = line.parameters;
    *explorer = Explorer {
        cell: cell(maze, line)?,
        sanity: small(sanity)?,
        plans: small(plans)?,
        lights: small(lights)?,
        ..*explorer
    };
    state.alive |= 1 << id;
    Ok(())
}

fn read_minion(maze: &Maze, line: &Entity, before: &State, state: &mut State) -> Read {
    let [counter, mood, target] = line.parameters;
    let is_slasher = line.kind == EntityKind::Slasher;
    let mood = *Mood::ALL.get(usize::from(small(mood)?)).ok_or(None)?;
    let has_counter = !is_slasher || mood != Mood::Wandering && mood != Mood::Rush;
    let minion = Minion {
        id: if line.id < 0 { return Err(None) } else { line.id as u16 },
        is_slasher,
        mood,
        cell: cell(maze, line)?,
        counter: if has_counter { small(counter)? } else { 0 },
        target: explorer(target)?,
        remembered: before
            .minions
            .iter()
            .find(|known| known.id as i16 == line.id)
            .and_then(|it| it.remembered),
    };
    state.next_id = state.next_id.max(minion.id + 1);
    state.minions.push(minion).map_err(|_| Some(WatchError::TooMany))
}

/// What a slasher remembers after its turn (rules §6.3).
fn recall(maze: &Maze, before: &State, state: &mut State, index: usize) {
    let minion = state.minions[index];
    let known = before.minions.iter().find(|known| known.id == minion.id);
    let in_sight = |id: &usize| maze.sees(minion.cell, state.explorers[*id].cell);
    let target = minion.target.map(usize::from).filter(in_sight);
    let is_confused = minion.target.is_none() && state.living().any(|id| in_sight(&id));
    // A slasher forgets the square together with a target that is lost.
    let has_lost = known.is_none_or(|known| known.target.is_some_and(|id| !state.is_alive(id.into())));
    let remembered = match (minion.mood, known.map(|known| known.mood)) {
        (Mood::Wandering | Mood::Stunned, _) => None,
        // Nothing is looked up while spawning: it is the square where it came, and that is where it is.
        (Mood::Spawning, _) | (_, Some(Mood::Spawning)) => minion.target.map(|_| minion.cell),
        (Mood::Stalking | Mood::Rush, _) => match target {
            Some(id) => Some(state.explorers[id].cell),
            None if is_confused || has_lost => None,
            None => minion.remembered,
        },
    };
    if let Some(minion) = state.minions.get_mut(index).filter(|minion| minion.is_slasher) {
        minion.remembered = remembered;
    }
}

fn read_effect(maze: &Maze, line: &Entity, state: &mut State) -> Read {
    let [left, caster, victim] = line.parameters;
    let caster = explorer(caster)?;
    let kind = match line.kind {
        EntityKind::Plan => EffectKind::Plan,
        EntityKind::Light => EffectKind::Light,
        EntityKind::Shelter => EffectKind::Shelter { cell: cell(maze, line)? },
        _ => EffectKind::Yell { victim: explorer(victim)?.ok_or(None)? },
    };
    if let (EffectKind::Yell { victim }, Some(yeller)) = (kind, caster) {
        state.explorers[usize::from(yeller) % EXPLORERS].yelled_at |= 1 << victim;
    }
    let effect = Effect { kind, caster, left: small(left)? };
    state.effects.push(effect).map_err(|_| Some(WatchError::TooMany))
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::super::{Action, Direction, POOL_SIZE, pool_map};
    use super::*;
    use crate::rng::Rng;

    /// What a player can know of a state: no generator, nothing of explorers that are out.
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
            let maze = Maze::new(&pool_map(game % POOL_SIZE).unwrap());
            let (_, constants, dice) = State::draw(game as u64);
            let mut state = State::start(maze.map(), constants, dice);
            let mut watches = [Watch::new(constants, 1); EXPLORERS];
            while !state.is_over() {
                for id in state.living() {
                    watches[id].see(&maze, &state.entities(maze.map(), id)).unwrap();
                    assert_eq!(watches[id].own, id);
                    let seen = knowable(&watches[id].state);
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
                state.play(&maze, &actions).unwrap();
            }
        }
        assert!(turns > 5_000, "{turns}");
    }

    #[test]
    fn impossible_lines_are_refused_and_change_nothing() {
        let maze = Maze::new(&pool_map(1).unwrap());
        let (_, constants, _) = State::draw(1);
        let mut watch = Watch::new(constants, 1);
        let good = Entity::read("EXPLORER 2 5 5 250 2 3").unwrap();
        let mut see = |text: &str| {
            let before = watch.state;
            let result = watch.see(&maze, &[good, Entity::read(text).unwrap()]);
            assert!(result.is_ok() || watch.state == before);
            result
        };
        assert_eq!(see("WANDERER 4 3 3 30 1 -1"), Ok(()));
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
            assert_eq!(see(text), Err(WatchError::Line(1)), "{text}");
        }
        for text in ["EXPLORER 1 5 5 251 2 3", "WANDERER 4 3 3 30 2 -1", "EFFECT_PLAN -1 3 3 0 1 -1"] {
            assert!(matches!(see(text), Err(WatchError::Whole(_))), "{text}");
        }
        assert_eq!(watch.see(&maze, &[]), Err(WatchError::NoSelf));
        let plan = Entity::read("EFFECT_PLAN -1 3 3 4 1 -1").unwrap();
        assert_eq!(watch.see(&maze, &[plan]), Err(WatchError::NoSelf));
        let mut many = [plan; 26];
        many[0] = good;
        assert_eq!(watch.see(&maze, &many), Err(WatchError::TooMany));
    }
}
