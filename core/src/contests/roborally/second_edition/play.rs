//! Register of the second edition: cards in the order of the antenna, then the floor (rules §16.3, §16.4).

use super::cards::PlayCard;
use super::floor::Floor;
use super::priority::rank;
use super::race::{ENDLESS, Race};
use crate::contests::roborally::board_moves::Belts;
use crate::contests::roborally::state::members;
use crate::contests::roborally::{Cell, Dock, REGISTERS, ROBOT_CAP};
use crate::list;
use crate::rng::Rng;

/// Distance in cells within which a virus spreads.
const VIRUS_RANGE: u32 = 6;

/// Cards that a register may draw in place of damage. Only a deck of damage alone could need more.
const DRAWS: usize = 20;

impl Race {
    /// Runs one register, counted from 0: cards, then the floor. Does nothing once the race is over.
    pub fn run_register(&mut self, floor: &Floor, register: usize, dice: &mut Rng) {
        if self.body.is_over() || register >= REGISTERS {
            return;
        }
        let programmed = members(self.body.present & !self.body.down);
        let ranked = programmed.map(|robot| (rank(floor.antenna(), self.body.cell[robot]), robot));
        let mut order: heapless::Vec<_, ROBOT_CAP> = list::first(ranked);
        order.sort_unstable();
        for (_, robot) in order {
            self.play(floor, robot, register, dice);
        }
        self.run_floor(floor, register);
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
                        self.execute(floor, robot, repeated.unwrap_or(card));
                        return;
                    }
                },
                PlayCard::Worm => {
                    self.damage.add(card);
                    self.registers[robot][register] = None;
                    let before = self.body.cell;
                    self.reboot(floor, robot, before[robot]);
                    self.reboot_fallen(floor, &before);
                    return;
                }
                PlayCard::Spam | PlayCard::TrojanHorse | PlayCard::Virus => {
                    self.damage.add(card);
                    self.replaced[robot] |= 1 << register;
                    match card {
                        PlayCard::TrojanHorse => self.hurt(robot, 2),
                        PlayCard::Virus => self.spread_virus(robot),
                        _ => {}
                    }
                }
                _ => {
                    self.execute(floor, robot, card);
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

    fn execute(&mut self, floor: &Floor, robot: usize, card: PlayCard) {
        let facing = self.body.facing[robot];
        match card {
            PlayCard::Move1 => self.drive(floor, robot, 1),
            PlayCard::Move2 => self.drive(floor, robot, 2),
            PlayCard::Move3 => self.drive(floor, robot, 3),
            PlayCard::BackUp => self.drive(floor, robot, -1),
            PlayCard::TurnLeft => self.body.facing[robot] = facing.turned(3),
            PlayCard::TurnRight => self.body.facing[robot] = facing.turned(1),
            PlayCard::UTurn => self.body.facing[robot] = facing.opposite(),
            PlayCard::PowerUp => self.energy[robot] = self.energy[robot].saturating_add(1),
            _ => {}
        }
    }

    fn drive(&mut self, floor: &Floor, robot: usize, cells: i8) {
        let direction = self.body.facing[robot].turned(if cells < 0 { 2 } else { 0 });
        for _ in 0..cells.unsigned_abs() {
            let before = self.body.cell;
            let has_moved = self.body.step(floor.board(), robot, direction);
            self.reboot_fallen(floor, &before);
            if !has_moved || !self.is_running(robot) {
                return;
            }
        }
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
    fn run_floor(&mut self, floor: &Floor, register: usize) {
        let board = floor.board();
        for belts in [Belts::Express, Belts::Express, Belts::Normal] {
            let before = self.body.cell;
            self.body.carry(board, belts);
            self.reboot_fallen(floor, &before);
        }
        let before = self.body.cell;
        self.body.push(board, register);
        self.reboot_fallen(floor, &before);
        self.body.turn_gears(board);
        let hits = self.body.hits(board, true);
        for robot in members(self.body.present) {
            self.hurt(robot, hits[robot]);
        }
        self.take_energy(floor, register);
        self.body.touch_flags(board);
    }

    /// Robots on energy spaces take the cube that lies there, and in the last register one in any case.
    fn take_energy(&mut self, floor: &Floor, register: usize) {
        for robot in members(self.body.present) {
            let here = self.body.cell[robot];
            let Some(space) = floor.energy().iter().position(|&cell| cell == here) else { continue };
            let bit = 1_u32.checked_shl(space as u32).unwrap_or(0);
            if self.cubes & bit != 0 || register + 1 == REGISTERS {
                self.energy[robot] = self.energy[robot].saturating_add(1);
                self.cubes &= !bit;
            }
        }
    }

    /// Reboots the robots that have fallen, in the order in which they fell; `before` are the cells they stood on.
    fn reboot_fallen(&mut self, floor: &Floor, before: &[Cell; ROBOT_CAP]) {
        // A robot that is pushed off a token may fall in turn.
        for place in 0..ROBOT_CAP {
            if place >= usize::from(self.body.fallen_count) {
                break;
            }
            let robot = usize::from(self.body.fallen[place]) & (ROBOT_CAP - 1);
            self.reboot(floor, robot, before[robot]);
        }
        self.body.fallen_count = 0;
    }

    /// Takes a robot out of this turn and puts it onto the token that serves a cell (rules §16.5).
    fn reboot(&mut self, floor: &Floor, robot: usize, cell: Cell) {
        let bit = 1 << robot;
        self.hurt(robot, 2);
        self.put_away(robot);
        self.body.destroyed &= !bit;
        self.body.lives[robot] = ENDLESS;
        self.body.present &= !bit;
        let Some(token) = floor.token(cell) else { return };
        self.clear(floor, token);
        self.body.present |= bit;
        self.body.down |= bit;
        self.body.cell[robot] = token.cell;
        self.body.facing[robot] = self.rising[robot].unwrap_or(token.facing);
    }

    /// Pushes a robot off a token along its arrow, or where a wall is in the way, along the next free side clockwise.
    fn clear(&mut self, floor: &Floor, token: Dock) {
        let Some(standing) = members(self.body.standing_on(token.cell)).next() else { return };
        for quarters in 0..4 {
            if self.body.step(floor.board(), standing, token.facing.turned(quarters)) {
                return;
            }
        }
    }
}
