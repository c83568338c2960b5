//! Pictures of states of Code of Kutulu in characters, with the entity lines below.

use std::fmt::{self, Write as _};

use barrow_core::contests::kutulu::{Map, MinionPhase, Point, State};

/// The picture of a state, as text.
#[derive(Clone, Copy, Debug)]
pub struct Picture<'s> {
    map: &'s Map,
    state: &'s State,
}

impl<'s> Picture<'s> {
    /// The picture of a state on its map.
    pub const fn new(map: &'s Map, state: &'s State) -> Picture<'s> {
        Picture { map, state }
    }

    /// The character of a square: an explorer's id, `&` for several explorers, `S` a slasher, `W` a wanderer, in lower
    /// case while spawning.
    fn square(&self, x: i16, y: i16) -> char {
        let here = |id: &usize| self.state.point(self.map, *id) == Point { x, y };
        let mut explorers = self.state.living().filter(here);
        if let Some(first) = explorers.next() {
            let digit = char::from_digit(first as u32, 10).unwrap_or('?');
            return if explorers.next().is_some() { '&' } else { digit };
        }
        let minions = self.state.minions.iter();
        let minion = minions.filter(|minion| self.map.point(minion.cell) == Point { x, y });
        match minion.max_by_key(|minion| (minion.phase != MinionPhase::Spawning, minion.is_slasher)) {
            Some(minion) => {
                let letter = if minion.is_slasher { 'S' } else { 'W' };
                if minion.phase == MinionPhase::Spawning { letter.to_ascii_lowercase() } else { letter }
            }
            None => match self.map.sent(x, y) {
                'w' => ',',
                mark => mark,
            },
        }
    }
}

impl fmt::Display for Picture<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.state;
        let constants = state.constants;
        let ending = if state.is_over() { ", over" } else { "" };
        writeln!(
            f,
            "Turn {}{ending}; lonely {}, group {}, spawn time {}, life {}",
            state.turn, constants.lonely, constants.group, constants.spawn_time, constants.life
        )?;
        for y in 0..self.map.height() as i16 {
            for x in 0..self.map.width() as i16 {
                f.write_char(self.square(x, y))?;
                f.write_char(' ')?;
            }
            writeln!(f)?;
        }
        writeln!(
            f,
            "# wall  , wanderer spawn  U shelter  0-3 explorers  & several  W wanderer  S slasher (small: spawning)"
        )?;
        for (id, score) in state.scores.iter().enumerate() {
            if let Some(score) = score {
                writeln!(f, "explorer {id} is out with {score} points")?;
            }
        }
        state.entities(self.map, 0).iter().try_for_each(|entity| writeln!(f, "{entity}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use barrow_core::contests::kutulu::{Cell, Minion, pool_map};

    #[test]
    fn who_stands_where() {
        let map = pool_map(1).unwrap();
        let (_, constants, dice) = State::draw(1);
        let mut state = State::start(&map, constants, dice);
        state.explorers[1].cell = state.explorers[0].cell;
        let cell = |x, y| -> Cell { map.at(x, y).unwrap() };
        let wanderer = Minion { cell: cell(3, 3), id: 4, counter: 3, ..Minion::default() };
        let slasher =
            Minion { is_slasher: true, phase: MinionPhase::Stunned, cell: cell(1, 1), id: 5, ..wanderer };
        state.minions.push(wanderer).unwrap();
        state.minions.push(slasher).unwrap();
        state.scores[3] = Some(7);
        state.alive &= 7;
        let text = Picture::new(&map, &state).to_string();
        let rows: Vec<String> = text.lines().skip(1).take(13).map(|row| row.replace(' ', "")).collect();
        assert_eq!(rows[5], "#....&........#");
        assert_eq!((&rows[1][1..2], &rows[3][3..4], &rows[3][11..12], &rows[7][5..6]), ("S", "w", ",", "2"));
        assert!(text.contains("explorer 3 is out with 7 points") && text.contains("SLASHER 5 1 1"));
    }
}
