//! Pictures of positions of A Code of Ice and Fire in characters.

use std::fmt;

use barrow_core::contests::ice_and_fire::{Cell, Player, SIZE, State};

/// The picture of a position, two characters per cell. The first is the land: `#` void, `.` unowned, `A` or `a` land of
/// player 0, active or not, `B` or `b` of player 1. The second is a unit's level, `H`, `M`, `T`, or `*` for a mine
/// spot.
#[derive(Clone, Copy, Debug)]
pub struct Picture<'s>(pub &'s State);

impl Picture<'_> {
    fn land(&self, cell: Cell) -> char {
        let owner = Player::BOTH.into_iter().find(|&player| self.0.owned(player).contains(cell));
        match owner {
            Some(player) => {
                let letter = if player == Player::Zero { 'A' } else { 'B' };
                if self.0.active(player).contains(cell) { letter } else { letter.to_ascii_lowercase() }
            }
            None if self.0.open().contains(cell) => '.',
            None => '#',
        }
    }

    fn thing(&self, cell: Cell) -> char {
        if let Some(level) = self.0.level(cell) {
            return char::from(b'0' + level.number());
        }
        let quarters = Player::BOTH.map(Player::headquarters);
        match cell {
            _ if self.0.towers().contains(cell) => 'T',
            _ if self.0.mines().contains(cell) => 'M',
            _ if quarters.contains(&cell) => 'H',
            _ if self.0.mine_spots().contains(cell) => '*',
            _ => ' ',
        }
    }
}

impl fmt::Display for Picture<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.0;
        writeln!(f, "turn {}, player {} to move", state.turn(), state.mover().index())?;
        for player in Player::BOTH {
            let (gold, income, cells) =
                (state.gold(player), state.income(player), state.active(player).len());
            let score = state.score(player);
            writeln!(
                f,
                "{}: gold {gold}, income {income}, {cells} active cells, score {score}",
                player.index()
            )?;
        }
        write!(f, "   ")?;
        (0..SIZE).try_for_each(|x| write!(f, "{x:<3}"))?;
        writeln!(f)?;
        for y in 0..SIZE {
            write!(f, "{y:>2} ")?;
            for cell in (0..SIZE).filter_map(|x| Cell::at(x, y)) {
                write!(f, "{}{} ", self.land(cell), self.thing(cell))?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use barrow_core::contests::ice_and_fire::{Game, Map, Rules};

    use super::*;

    #[test]
    fn ice_and_fire_picture_shows_what_stands_where() {
        let mut game = Game::new(&Map::generate(1, &Rules::PERMANENT));
        game.execute(&Rules::PERMANENT, "TRAIN 1 0 1").unwrap();
        let text = Picture(game.state()).to_string();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "turn 1, player 0 to move");
        assert_eq!(lines[1], "0: gold 11, income 1, 2 active cells, score 21");
        assert!(lines[4].starts_with(" 0 AH .* .  #"), "{}", lines[4]);
        assert!(lines[5].starts_with(" 1 A1 .  ."), "{}", lines[5]);
        assert!(lines[15].trim_end().ends_with("#  .  .* BH"), "{}", lines[15]);
    }
}
