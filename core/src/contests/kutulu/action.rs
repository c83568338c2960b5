//! What explorers do in a turn, and how the referee reads it (rules §3, §4 step 4).

use super::constants::{LIGHT_TIME, PLAN_TIME, YELL_RANGE, YELL_TIME};
use super::map::EXPLORERS;
use super::{Cell, Direction, Effect, EffectKind, MapTables, State};
use crate::list::Full;

/// An explorer's deed of one turn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Action {
    /// Nothing.
    #[default]
    Wait,
    /// A step, if there is floor.
    Step(Direction),
    /// Heal.
    Plan,
    /// Keep minions away.
    Light,
    /// Lock those who stand beside.
    Yell,
}

/// What all explorers do in a turn, by id. `None` is a bad answer or none at all, which eliminates.
pub type Actions = [Option<Action>; EXPLORERS];

impl Action {
    /// Reads an answer of an explorer that stands on `from`: one line without its end. `None` when it is none that
    /// the referee takes.
    ///
    /// A move becomes a step along the shortest way, or nothing where there is no way or the goal is no floor. Its
    /// numbers must fit 32 bits.
    pub fn read(line: &str, tables: &MapTables, from: Cell) -> Option<Action> {
        let mut words = line.split(' ');
        let verb = words.next()?;
        let is = |name: &str| verb.eq_ignore_ascii_case(name);
        if let Some(&step) = Direction::ALL.iter().find(|direction| is(direction.name())) {
            return Some(Action::Step(step));
        }
        if is("MOVE") {
            let (x, y) = (plain_number(words.next()?)?, plain_number(words.next()?)?);
            let goal = if fits(x) && fits(y) { tables.map().at(x as i16, y as i16) } else { None };
            let step = goal.and_then(|goal| tables.first_step(from, goal, 0));
            return Some(step.map_or(Action::Wait, Action::Step));
        }
        let verbs = [Action::Wait, Action::Plan, Action::Light, Action::Yell];
        verbs.iter().find(|action| is(action.verb())).copied()
    }

    /// The verb of the protocol: for a step its direction.
    pub const fn verb(self) -> &'static str {
        match self {
            Action::Wait => "WAIT",
            Action::Step(direction) => direction.name(),
            Action::Plan => "PLAN",
            Action::Light => "LIGHT",
            Action::Yell => "YELL",
        }
    }
}

/// Coordinates beyond this are on no map.
fn fits(number: i32) -> bool {
    (0..256).contains(&number)
}

/// Digits, after a minus sign or without one.
fn plain_number(word: &str) -> Option<i32> {
    if word.starts_with('+') { None } else { word.parse().ok() }
}

impl State {
    /// Rules §4, step 4. What had no room is left out and reported.
    pub(super) fn act(&mut self, tables: &MapTables, actions: &Actions) -> Result<(), Full> {
        let mut actions = actions.map(Option::unwrap_or_default);
        self.silence_the_locked(&mut actions);
        let mut result = Ok(());
        for id in self.living() {
            if actions[id] == Action::Yell {
                result = result.and(self.yell(tables, id));
            }
        }
        self.silence_the_locked(&mut actions);
        for id in self.living() {
            let done = match actions[id] {
                Action::Wait | Action::Yell => Ok(()),
                Action::Step(direction) => {
                    let explorer = &mut self.explorers[id];
                    explorer.cell = tables.next(explorer.cell, direction).unwrap_or(explorer.cell);
                    Ok(())
                }
                Action::Plan => self.cast(id, EffectKind::Plan),
                Action::Light => self.cast(id, EffectKind::Light),
            };
            result = result.and(done);
        }
        result
    }

    fn silence_the_locked(&self, actions: &mut [Action; EXPLORERS]) {
        for effect in self.effects.iter() {
            let EffectKind::Yell { victim } = effect.kind else { continue };
            if let Some(action) = actions.get_mut(victim as usize) {
                *action = Action::Wait;
            }
        }
    }

    fn yell(&mut self, tables: &MapTables, id: usize) -> Result<(), Full> {
        let at = self.point(tables.map(), id);
        for victim in self.living() {
            let is_near = self.point(tables.map(), victim).manhattan(at) <= YELL_RANGE;
            let bit = 1 << victim;
            if victim == id || !is_near || self.explorers[id].yelled_at & bit != 0 {
                continue;
            }
            let kind = EffectKind::Yell { victim: victim as u8 };
            self.effects.push(Effect { kind, caster: Some(id as u8), left: YELL_TIME })?;
            self.explorers[id].yelled_at |= bit;
        }
        Ok(())
    }

    fn cast(&mut self, id: usize, kind: EffectKind) -> Result<(), Full> {
        let is_busy = self.has_effect(id);
        let explorer = &mut self.explorers[id];
        let (stock, left) = match kind {
            EffectKind::Plan => (&mut explorer.plans, PLAN_TIME),
            _ => (&mut explorer.lights, LIGHT_TIME),
        };
        if is_busy || *stock == 0 {
            return Ok(());
        }
        self.effects.push(Effect { kind, caster: Some(id as u8), left })?;
        *stock -= 1;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::Map;
    use super::*;

    #[test]
    fn kutulu_rule_3_answers() {
        let map = Map::read(4, 2, ["...#", ".#.."].iter().copied()).unwrap();
        let tables = MapTables::new(&map);
        let from = map.at(1, 0).unwrap();
        let read = |line| Action::read(line, &tables, from);
        let [up, right, down, left] = Direction::ALL.map(|direction| Some(Action::Step(direction)));
        assert_eq!(["up", "RIGHT hello", "Down  ", "left bye"].map(read), [up, right, down, left]);
        assert_eq!(["MOVE 3 1", "move 0 1 hello there"].map(read), [right, left]);
        // A wall, the own square, off the map in every way.
        let nowhere =
            ["MOVE 1 1", "MOVE 1 0", "MOVE -1 0", "MOVE 4 0", "MOVE 256 0", "MOVE 0 65536", "MOVE 99999 9"];
        assert_eq!(nowhere.map(read), [Some(Action::Wait); 7]);
        let verbs = ["WAIT", "plan now", "LiGhT", "YELL "].map(read);
        assert_eq!(verbs, [Action::Wait, Action::Plan, Action::Light, Action::Yell].map(Some));
        let bad = [
            "",
            " WAIT",
            "FLY",
            "WAIT!",
            "WAITING",
            "MOVE",
            "MOVE 1",
            "MOVE  1 0",
            "MOVE 1  0",
            "MOVE +1 0",
            "MOVE 1 0!",
            "MOVE 1.0 0",
            "MOVE x y",
            "MOVE 1 99999999999",
            "MOVE - 1",
            "WAIT\tx",
        ];
        assert_eq!(bad.map(read), [None; 16]);
    }
}
