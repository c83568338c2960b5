//! Actions of explorers, how the referee reads them and what they do (rules §3, §4 step 4).

use super::constants::{LIGHT_TIME, PLAN_TIME, YELL_RANGE, YELL_TIME};
use super::map::EXPLORERS;
use super::{Cell, Direction, Effect, EffectKind, MapTables, State};
use crate::list::Full;

/// The action of an explorer in one turn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Action {
    /// Stay and do nothing.
    #[default]
    Wait,
    /// A step to the neighbouring square, if that is floor.
    Step(Direction),
    /// Cast a plan, which heals the caster and explorers near by.
    Plan,
    /// Cast a light, which makes squares around the caster costly for minions.
    Light,
    /// Yell, which locks explorers on neighbouring squares.
    Yell,
}

/// Actions of all explorers in a turn, by id. `None` is an invalid or missing answer, which eliminates the explorer.
pub type Actions = [Option<Action>; EXPLORERS];

impl Action {
    /// Parses the answer of an explorer on square `from`: one line without its end. `None` for a line that the referee
    /// refuses.
    ///
    /// `MOVE x y` becomes the first step of the shortest path, or a wait where no path leads or the goal is a wall. The
    /// coordinates must fit 32 bits.
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

    /// The verb of the protocol; for a step the name of the direction.
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

/// Whether a coordinate can be on a map, 0..256.
fn fits(number: i32) -> bool {
    (0..256).contains(&number)
}

/// A decimal number with an optional minus sign; a plus sign is refused.
fn plain_number(word: &str) -> Option<i32> {
    if word.starts_with('+') { None } else { word.parse().ok() }
}

impl State {
    /// Plays the explorers' actions (rules §4, step 4). An effect without room is left out and reported as an error.
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
