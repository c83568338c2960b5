//! The lines of the protocol that describe a state (rules §3), one entity each.

use core::fmt;

use super::map::EXPLORERS;
use super::state::{MAX_EFFECTS, MAX_MINIONS};
use super::{Effect, EffectKind, Map, Minion, MinionPhase, Point, State};
use crate::list::{Full, List};

/// Most entity lines of one turn.
pub const MAX_ENTITIES: usize = EXPLORERS + MAX_MINIONS + MAX_EFFECTS;

/// The kind of an entity line, with the meaning of the parameters.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum EntityKind {
    /// `EXPLORER`: sanity, plans left, lights left.
    #[default]
    Explorer,
    /// `WANDERER`: turns to go while spawning, then life left; phase; target.
    Wanderer,
    /// `SLASHER`: turns to go; phase; target.
    Slasher,
    /// `EFFECT_PLAN`: turns left, caster.
    Plan,
    /// `EFFECT_LIGHT`: turns left, caster.
    Light,
    /// `EFFECT_SHELTER`: energy.
    Shelter,
    /// `EFFECT_YELL`: turns left, yeller, victim.
    Yell,
}

impl EntityKind {
    const ALL: [EntityKind; 7] = [
        EntityKind::Explorer,
        EntityKind::Wanderer,
        EntityKind::Slasher,
        EntityKind::Plan,
        EntityKind::Light,
        EntityKind::Shelter,
        EntityKind::Yell,
    ];

    /// First word of the kind's lines.
    pub const fn name(self) -> &'static str {
        match self {
            EntityKind::Explorer => "EXPLORER",
            EntityKind::Wanderer => "WANDERER",
            EntityKind::Slasher => "SLASHER",
            EntityKind::Plan => "EFFECT_PLAN",
            EntityKind::Light => "EFFECT_LIGHT",
            EntityKind::Shelter => "EFFECT_SHELTER",
            EntityKind::Yell => "EFFECT_YELL",
        }
    }
}

/// An entity line; displays as the referee sends it.
///
/// ```
/// use barrow_core::contests::kutulu::Entity;
/// let line = "WANDERER 4 3 9 12 1 -1";
/// let entity = Entity::read(line).unwrap();
/// assert_eq!((entity.x, entity.parameters, entity.to_string().as_str()), (3, [12, 1, -1], line));
/// assert!(Entity::read("WANDERER 4 3 9 12 1").is_none());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Entity {
    /// Kind of the entity.
    pub kind: EntityKind,
    /// The explorer's or minion's id, -1 for effects.
    pub id: i16,
    /// Column, -1 for a lock.
    pub x: i16,
    /// Row, -1 for a lock.
    pub y: i16,
    /// Parameters, whose meaning depends on the kind; see [`EntityKind`].
    pub parameters: [i16; 3],
}

impl Entity {
    /// Parses an entity line. `None` if the text is not one.
    pub fn read(line: &str) -> Option<Entity> {
        let mut words = line.split_ascii_whitespace();
        let name = words.next()?;
        let kind = EntityKind::ALL.iter().find(|kind| kind.name() == name)?;
        let mut numbers = [0; 6];
        for number in &mut numbers {
            *number = words.next()?.parse().ok()?;
        }
        let [id, x, y, parameters @ ..] = numbers;
        if words.next().is_some() { None } else { Some(Entity { kind: *kind, id, x, y, parameters }) }
    }

    fn at(kind: EntityKind, id: i16, point: Point, parameters: [i16; 3]) -> Entity {
        Entity { kind, id, x: point.x, y: point.y, parameters }
    }
}

impl fmt::Display for Entity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second, third] = self.parameters;
        let (name, id, x, y) = (self.kind.name(), self.id, self.x, self.y);
        write!(f, "{name} {id} {x} {y} {first} {second} {third}")
    }
}

/// The entity lines of a turn in the order of the protocol.
pub type Entities = List<Entity, MAX_ENTITIES>;

impl State {
    /// The entity lines that explorer `viewer` is sent: `viewer` first, then the other explorers by ascending id with 0
    /// after 3, then minions and effects.
    pub fn entities(&self, map: &Map, viewer: usize) -> Entities {
        let mut lines = List::new();
        // There is room for all that a state can hold.
        let _ = self.list_entities(map, viewer, &mut lines);
        lines
    }

    fn list_entities(&self, map: &Map, viewer: usize, lines: &mut Entities) -> Result<(), Full> {
        for offset in 0..EXPLORERS {
            let id = (viewer + offset) % EXPLORERS;
            if self.is_alive(id) {
                let explorer = &self.explorers[id];
                let parameters = [explorer.sanity, explorer.plans, explorer.lights].map(i16::from);
                lines.push(Entity::at(
                    EntityKind::Explorer,
                    id as i16,
                    map.point(explorer.cell),
                    parameters,
                ))?;
            }
        }
        for minion in self.minions.iter() {
            lines.push(self.minion_line(map, minion))?;
        }
        for effect in self.effects.iter() {
            if let Some(line) = self.effect_line(map, effect) {
                lines.push(line)?;
            }
        }
        Ok(())
    }

    fn minion_line(&self, map: &Map, minion: &Minion) -> Entity {
        let shown = |id: &u8| self.explorers.get(usize::from(*id)).is_some_and(|one| one.sanity > 0);
        let target = minion.target.filter(shown).map_or(-1, i16::from);
        let has_counter =
            !minion.is_slasher || !matches!(minion.phase, MinionPhase::Wandering | MinionPhase::Rush);
        let counter = if has_counter { minion.counter } else { self.constants.life };
        let kind = if minion.is_slasher { EntityKind::Slasher } else { EntityKind::Wanderer };
        let parameters = [i16::from(counter), minion.phase as i16, target];
        Entity::at(kind, minion.id as i16, map.point(minion.cell), parameters)
    }

    /// The line of an effect; `None` for the lock of an explorer that is out of the game.
    fn effect_line(&self, map: &Map, effect: &Effect) -> Option<Entity> {
        let (left, caster) = (i16::from(effect.left), effect.caster.map_or(-1, i16::from));
        let point = self.point(map, effect.caster.map_or(EXPLORERS, usize::from));
        Some(match effect.kind {
            EffectKind::Plan => Entity::at(EntityKind::Plan, -1, point, [left, caster, -1]),
            EffectKind::Light => Entity::at(EntityKind::Light, -1, point, [left, caster, -1]),
            EffectKind::Shelter { cell } => {
                Entity::at(EntityKind::Shelter, -1, map.point(cell), [left, -1, -1])
            }
            EffectKind::Yell { victim } => {
                if !self.is_alive(usize::from(victim)) {
                    return None;
                }
                let nowhere = Point { x: -1, y: -1 };
                Entity::at(EntityKind::Yell, -1, nowhere, [left, caster, i16::from(victim)])
            }
        })
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::super::{Action, MapTables, pool_map};
    use super::*;
    use crate::contests::lcg48::Lcg48;
    use std::string::ToString;

    #[test]
    fn lines_that_are_none() {
        let bad = [
            "",
            "EXPLORER",
            "explorer 0 1 2 3 4 5",
            "EXPLORER 0 1 2 3 4 x",
            "EXPLORER 0 1 2 3 4 5 6",
            "EXPLORER 0 1 2 3 4 99999",
            "EFFECT 0 1 2 3 4 5",
        ];
        assert!(bad.iter().all(|line| Entity::read(line).is_none()));
    }

    #[test]
    fn kutulu_rule_3_the_order_of_lines() {
        let map = pool_map(1).unwrap();
        let tables = MapTables::new(&map);
        let (_, constants, _) = State::draw(1);
        let mut state = State::start(&map, constants, Lcg48::new(1));
        for turn in 1..=5 {
            let action = |id: usize| Some(if turn == 5 && id == 2 { Action::Light } else { Action::Wait });
            state.play(&tables, &[action(0), action(1), action(2), action(3)]).unwrap();
        }
        state.alive &= !2;
        let names = |viewer| state.entities(&map, viewer).iter().map(|line| (line.kind, line.id)).collect();
        let seen: std::vec::Vec<(EntityKind, i16)> = names(2);
        let minions = [4, 5, 6, 7].map(|id| (EntityKind::Wanderer, id));
        assert_eq!(seen[..3], [2, 3, 0].map(|id| (EntityKind::Explorer, id)));
        assert_eq!(seen[3..7], minions);
        assert_eq!(seen[7..], [(EntityKind::Light, -1)]);
        for line in state.entities(&map, 2).iter() {
            assert_eq!(Entity::read(&line.to_string()), Some(*line));
        }
    }
}
