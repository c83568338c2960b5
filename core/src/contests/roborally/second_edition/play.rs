//! Register of the second edition: cards in the order of the antenna, then the floor (rules §16.3, §16.4).

use super::cards::PlayCard;
use super::floor::Floor;
use super::priority::rank;
use super::race::{ENDLESS, Race};
use crate::contests::roborally::board_moves::Belts;
use crate::contests::roborally::state::members;
use crate::contests::roborally::{Cell, Direction, Dock, REGISTERS, ROBOT_CAP};
use crate::list;
use crate::rng::Rng;

/// Distance in cells within which a virus spreads.
const VIRUS_RANGE: u32 = 6;

/// Cards that a register may draw in place of damage. Only a deck of damage alone could need more.
pub(super) const DRAWS: usize = 20;

/// The register that is run, counted from 0, and the dice of what is drawn in it.
pub(super) type Moment<'d> = (usize, &'d mut Rng);

impl Race {
    /// Runs one register, counted from 0: cards, then the floor. Does nothing once the race is over.
    pub fn run_register(&mut self, floor: &Floor, register: usize, dice: &mut Rng) {
        if self.body.is_over() || register >= REGISTERS {
            return;
        }
        if self.rules.has_haywire() {
            self.play_by_token(floor, register, dice);
            self.run_floor(floor, register, dice);
            return;
        }
        let programmed = members(self.body.present & !self.body.down);
        let ranked = programmed.map(|robot| (rank(floor.antenna(), self.body.cell[robot]), robot));
        let mut order: heapless::Vec<_, ROBOT_CAP> = list::first(ranked);
        order.sort_unstable();
        for (_, robot) in order {
            self.play(floor, robot, register, dice);
        }
        self.run_floor(floor, register, dice);
    }

    /// Plays the card of a register, or what is drawn for it.
    fn play(&mut self, floor: &Floor, robot: usize, register: usize, dice: &mut Rng) {
        for _ in 0..DRAWS {
            let card = self.registers[robot][register];
            let Some(card) = card.filter(|_| self.is_running(robot)) else { return };
            match card {
                PlayCard::Again => match self.source(robot, register) {
                    Some(source) if self.replaced[robot] >> source & 1 == 1 => {
                        self.discards[robot].add(card);
                    }
                    source => {
                        let repeated = source.and_then(|source| self.registers[robot][source]);
                        self.execute(floor, robot, repeated.unwrap_or(card), (register, dice));
                        return;
                    }
                },
                PlayCard::Worm => {
                    self.damage.add(card);
                    self.registers[robot][register] = None;
                    self.reboot(floor, robot, self.body.cell[robot], (register, dice));
                    return;
                }
                PlayCard::Spam | PlayCard::TrojanHorse | PlayCard::Virus => {
                    self.damage.add(card);
                    self.replaced[robot] |= 1 << register;
                    match card {
                        PlayCard::TrojanHorse => self.hurt(robot, 2, (register, dice)),
                        PlayCard::Virus => self.spread_virus(robot),
                        _ => {}
                    }
                }
                _ => {
                    self.execute(floor, robot, card, (register, dice));
                    return;
                }
            }
            self.registers[robot][register] = self.draw(robot, dice);
        }
    }

    /// The register that [`PlayCard::Again`] in a register repeats: the last one before it that is none itself, or that
    /// held damage.
    fn source(&self, robot: usize, register: usize) -> Option<usize> {
        (0..register).rev().find(|&source| {
            self.replaced[robot] >> source & 1 == 1 || self.registers[robot][source] != Some(PlayCard::Again)
        })
    }

    /// Executes a card that is no damage and repeats nothing.
    pub(super) fn execute(&mut self, floor: &Floor, robot: usize, card: PlayCard, moment: Moment<'_>) {
        let facing = self.body.facing[robot];
        let (cells, quarters) = match card {
            PlayCard::Move1 => (1, 0),
            PlayCard::Move2 => (2, 0),
            PlayCard::Move3 => (3, 0),
            PlayCard::BackUp => (-1, 2),
            PlayCard::TurnLeft => (0, 3),
            PlayCard::TurnRight => (0, 1),
            PlayCard::UTurn => (0, 2),
            PlayCard::PowerUp => {
                self.charge(robot);
                return;
            }
            _ => return,
        };
        match cells {
            0 => self.body.facing[robot] = facing.turned(quarters),
            _ => {
                self.drive(floor, robot, (i8::unsigned_abs(cells), facing.turned(quarters)), moment);
            }
        }
    }

    /// Moves a robot by some cells in a direction, whatever its facing. Returns whether it did all of that.
    pub(super) fn drive(
        &mut self,
        floor: &Floor,
        robot: usize,
        (cells, direction): (u8, Direction),
        (register, dice): Moment<'_>,
    ) -> bool {
        for _ in 0..cells {
            if !self.is_running(robot) {
                return false;
            }
            let before = self.body.cell;
            let has_moved = self.body.step(floor.board(), robot, direction);
            self.reboot_fallen(floor, &before, (register, dice));
            if !has_moved {
                return false;
            }
        }
        self.is_running(robot)
    }

    /// Gives a robot one energy, as far as it can have more.
    fn charge(&mut self, robot: usize) {
        self.energy[robot] = self.energy[robot].saturating_add(1).min(self.rules.most_energy);
    }

    /// Gives a virus to all other robots near.
    fn spread_virus(&mut self, robot: usize) {
        let cell = self.body.cell[robot];
        for other in members(self.body.present & !(1 << robot)) {
            if self.body.cell[other].manhattan(cell) <= VIRUS_RANGE && self.damage.take(PlayCard::Virus) {
                self.discards[other].add(PlayCard::Virus);
            }
        }
    }

    /// Belts, pushers, gears, lasers, energy and checkpoints.
    fn run_floor(&mut self, floor: &Floor, register: usize, dice: &mut Rng) {
        let board = floor.board();
        for belts in [Belts::Express, Belts::Express, Belts::Normal] {
            let before = self.body.cell;
            self.body.carry(board, belts);
            self.reboot_fallen(floor, &before, (register, dice));
        }
        let before = self.body.cell;
        self.body.push(board, register);
        self.reboot_fallen(floor, &before, (register, dice));
        self.body.turn_gears(board);
        let mut hits = self.body.hits(board, true);
        self.add_strong_hits(floor, &mut hits);
        for robot in members(self.body.present) {
            self.hurt(robot, hits[robot], (register, dice));
        }
        self.take_energy(floor, register);
        // Who has shut down touches nothing (rules §17.5); by the rules of 2016 who rebooted does.
        let present = self.body.present;
        self.body.present &= !self.late.shut;
        self.body.touch_flags(board);
        self.body.present = present;
    }

    /// Robots on energy spaces take the cube that lies there, and in the last register one in any case; by the rules of
    /// 2023 these spaces are batteries, which charge in each register.
    fn take_energy(&mut self, floor: &Floor, register: usize) {
        for robot in members(self.body.present & !self.late.shut) {
            let here = self.body.cell[robot];
            let Some(space) = floor.energy().iter().position(|&cell| cell == here) else { continue };
            let bit = 1_u32.checked_shl(space as u32).unwrap_or(0);
            if self.rules.has_haywire() {
                self.charge(robot);
            } else if self.cubes & bit != 0 || register + 1 == REGISTERS {
                self.charge(robot);
                self.cubes &= !bit;
            }
        }
    }

    /// Reboots the robots that have fallen, in the order in which they fell; `before` are the cells they stood on.
    pub(super) fn reboot_fallen(
        &mut self,
        floor: &Floor,
        before: &[Cell; ROBOT_CAP],
        (register, dice): Moment<'_>,
    ) {
        // No reboot makes another robot fall (rules §16.5), so the list does not grow.
        for robot in self.body.fallen.into_iter().take(usize::from(self.body.fallen_count)) {
            let robot = usize::from(robot) & (ROBOT_CAP - 1);
            self.reboot(floor, robot, before[robot], (register, dice));
        }
        self.body.fallen_count = 0;
    }

    /// Takes a robot out of this turn and puts it onto the token that serves a cell (rules §16.5); by the rules of 2023 in
    /// the next turn (rules §17.6).
    fn reboot(&mut self, floor: &Floor, robot: usize, cell: Cell, moment: Moment<'_>) {
        let bit = 1 << robot;
        if self.rules.has_haywire() {
            self.leave_floor(floor, robot, cell, moment);
            return;
        }
        self.hurt(robot, 2, moment);
        self.put_away(robot);
        self.body.destroyed &= !bit;
        self.body.lives[robot] = ENDLESS;
        self.body.present &= !bit;
        let Some(token) = floor.token(cell) else { return };
        self.clear(floor, token);
        let is_taken = self.body.standing_on(token.cell) != 0;
        let free = if is_taken { self.nearest_free(floor, token.cell) } else { None };
        self.body.present |= bit;
        self.body.down |= bit;
        self.body.cell[robot] = free.unwrap_or(token.cell);
        self.body.facing[robot] = self.rising[robot].unwrap_or(token.facing);
    }

    /// Pushes a robot off a token along its arrow, or where a wall is in the way or a robot would fall, along the next
    /// side clockwise; if all sides are such, the robot stays. Who fell would have to reboot and push in turn, with more
    /// robots than room without an end.
    pub(super) fn clear(&mut self, floor: &Floor, token: Dock) {
        for quarters in 0..4 {
            let before = self.body;
            if self.push_off(floor, token, quarters) && self.body.present == before.present {
                return;
            }
            self.body = before;
        }
    }

    /// Pushes who stands on a token one cell, if anybody does, some quarters clockwise from its arrow. Returns whether
    /// the token is free then.
    pub(super) fn push_off(&mut self, floor: &Floor, token: Dock, quarters: u8) -> bool {
        let standing = members(self.body.standing_on(token.cell)).next();
        standing.is_none_or(|robot| self.body.step(floor.board(), robot, token.facing.turned(quarters)))
    }

    /// The free cell on which a robot can stand that is nearest to another one by rows and columns; of equally near ones
    /// the first one from the north-west, row by row.
    fn nearest_free(&self, floor: &Floor, from: Cell) -> Option<Cell> {
        let board = floor.board();
        let is_free = |cell: &Cell| {
            !board.is_pit(*cell) && *cell != floor.antenna().cell && self.body.standing_on(*cell) == 0
        };
        board.cells().filter(is_free).min_by_key(|cell| (cell.manhattan(from), cell.y(), cell.x()))
    }

    /// Gives a robot damage cards: SPAM as long as there is some, then Trojan horses, viruses and worms; by the rules of
    /// 2023 those that are drawn.
    pub(super) fn hurt(&mut self, robot: usize, cards: u8, (register, dice): Moment<'_>) {
        const ORDER: [PlayCard; 4] = [PlayCard::Spam, PlayCard::TrojanHorse, PlayCard::Virus, PlayCard::Worm];
        for _ in 0..cards {
            if self.rules.has_haywire() {
                self.draw_damage(robot, register, dice);
                continue;
            }
            let Some(card) = ORDER.into_iter().find(|&card| self.damage.take(card)) else { return };
            self.discards[robot & (ROBOT_CAP - 1)].add(card);
        }
    }
}
