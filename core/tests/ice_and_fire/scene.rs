//! Positions as rows of text: `#` void, `.` unowned, `A` and `B` land; units and buildings by name and cell.

use barrow_core::contests::ice_and_fire::{Cell, CellSet, Game, Map, Player, Rules, SLOTS, StateBuilder};

pub(crate) fn cell(x: u8, y: u8) -> Cell {
    Cell::at(x, y).unwrap()
}

/// A game whose first rows are given; the others are unowned, but for player 1's two starting cells.
pub(crate) struct Scene {
    board: StateBuilder,
    ids: [u32; SLOTS],
    next: u32,
}

impl Scene {
    pub(crate) fn new(rows: &[&str], gold: [i32; 2]) -> Scene {
        let mut land = [CellSet::EMPTY; 2];
        let mut open = CellSet::BOARD;
        for (row, y) in rows.iter().zip(0..) {
            for (letter, x) in row.chars().zip(0..) {
                match letter {
                    '#' => open.remove(cell(x, y)),
                    'A' => land[0].insert(cell(x, y)),
                    'B' => land[1].insert(cell(x, y)),
                    _ => {}
                }
            }
        }
        land[0].insert(Player::Zero.headquarters());
        land[1].insert(Player::One.headquarters());
        land[1].insert(cell(11, 10));
        let mut board = StateBuilder::new(Map { open, mine_spots: CellSet::EMPTY });
        board.owned = land;
        board.gold = gold;
        Scene { board, ids: [0; SLOTS], next: 1 }
    }

    /// Adds a unit; ids count from 1.
    pub(crate) fn unit(mut self, level: usize, x: u8, y: u8) -> Scene {
        self.board.units[level - 1].insert(cell(x, y));
        self.ids[cell(x, y).index()] = self.next;
        self.next += 1;
        self
    }

    pub(crate) fn tower(mut self, x: u8, y: u8) -> Scene {
        self.board.towers.insert(cell(x, y));
        self
    }

    pub(crate) fn spot(mut self, x: u8, y: u8) -> Scene {
        self.board.map.mine_spots.insert(cell(x, y));
        self
    }

    pub(crate) fn mine(mut self, x: u8, y: u8) -> Scene {
        self.board.mines.insert(cell(x, y));
        self.spot(x, y)
    }

    pub(crate) fn game(self) -> Game {
        Game::from_parts(self.board.build().unwrap(), self.ids)
    }

    /// The game after the turn of a player has begun.
    pub(crate) fn turn(self, player: Player) -> Game {
        let mut game = self.game();
        game.begin_turn(player);
        game
    }
}

/// Executes a line of recognised commands: how many were done and how many rejected.
pub(crate) fn execute(game: &mut Game, line: &str) -> (u32, u32) {
    let report = game.execute(&Rules::PERMANENT, line).unwrap();
    (report.done, report.rejected)
}

/// Ids of a player's units with their cells, by cell.
pub(crate) fn units(game: &Game, player: Player) -> Vec<(u32, u8, u8)> {
    let units = game.state().units(player);
    units.iter().map(|at| (game.id(at).unwrap(), at.x(), at.y())).collect()
}
