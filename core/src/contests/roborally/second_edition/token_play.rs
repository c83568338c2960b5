//! Register by the rules of 2023: robots in the order of the priority token, SPAM, Haywire, shutting down and the way
//! back onto the floor (rules §17.3 to §17.6).

use super::cards::PlayCard;
use super::floor::Floor;
use super::haywire::{Damage, Haywire};
use super::play::{DRAWS, Moment};
use super::race::{Done, ENDLESS, Race};
use crate::contests::roborally::state::members;
use crate::contests::roborally::{Cell, REGISTERS, ROBOT_CAP};
use crate::rng::Rng;

impl Race {
    /// Plays the cards of a register, from the robot with the token on.
    pub(super) fn play_by_token(&mut self, floor: &Floor, register: usize, dice: &mut Rng) {
        // Who falls before its turn in this register returns only in the next turn.
        let returning = if register == 0 { self.body.destroyed } else { 0 };
        self.late.strong = 0;
        let robots = self.body.robots();
        let first = self.token();
        for robot in (0..robots).map(|place| (first + place) % robots.max(1)) {
            if returning >> robot & 1 == 1 {
                self.enter(floor, robot, (register, dice));
            }
            self.play_late(floor, robot, (register, dice));
        }
    }

    /// Plays the card of a register, or what is drawn for it.
    fn play_late(&mut self, floor: &Floor, robot: usize, (register, dice): Moment<'_>) {
        let robot = robot & (ROBOT_CAP - 1);
        if !self.is_running(robot) {
            return;
        }
        if let Some(card) = self.late.haywires[robot][register].take() {
            self.late.discards.add(Damage::Haywire(card));
            if card == Haywire::DrawTwo {
                self.play_two(floor, robot, (register, dice));
            } else {
                self.late.done[robot] = Some(Done::Haywire(card));
                self.run_haywire(floor, robot, card, (register, dice));
            }
            return;
        }
        for _ in 0..DRAWS {
            match (self.registers[robot][register], self.late.done[robot]) {
                (None, _) => return,
                (Some(PlayCard::Spam), _) => self.late.discards.add(Damage::Spam),
                (Some(PlayCard::Again), Some(done)) => {
                    self.repeat(floor, robot, done, (register, dice));
                    return;
                }
                // There is nothing to repeat.
                (Some(PlayCard::Again), None) => self.discards[robot].add(PlayCard::Again),
                (Some(card), _) => {
                    self.late.done[robot] = Some(Done::Card(card));
                    self.execute(floor, robot, card, (register, dice));
                    return;
                }
            }
            self.registers[robot][register] = self.draw(robot, dice);
        }
    }

    /// Executes again what a robot executed last.
    fn repeat(&mut self, floor: &Floor, robot: usize, done: Done, moment: Moment<'_>) {
        match done {
            Done::Card(card) => self.execute(floor, robot, card, moment),
            Done::Haywire(card) => self.run_haywire(floor, robot, card, moment),
        }
    }

    /// Plays the next two cards of a robot's deck, the first one first, as long as it is on the floor. For SPAM, and for
    /// [`PlayCard::Again`] before anything was executed, it plays the card after it. What can be repeated afterwards is
    /// what the second card did.
    fn play_two(&mut self, floor: &Floor, robot: usize, (register, dice): Moment<'_>) {
        let robot = robot & (ROBOT_CAP - 1);
        let mut left = 2;
        for _ in 0..2 * DRAWS {
            if left == 0 || !self.is_running(robot) {
                return;
            }
            let Some(card) = self.draw(robot, dice) else { return };
            if card == PlayCard::Spam {
                self.late.discards.add(Damage::Spam);
                continue;
            }
            self.discards[robot].add(card);
            let done = match (card, self.late.done[robot]) {
                (PlayCard::Again, None) => continue,
                (PlayCard::Again, Some(done)) => done,
                _ => Done::Card(card),
            };
            left -= 1;
            self.late.done[robot] = Some(done);
            self.repeat(floor, robot, done, (register, dice));
        }
    }

    /// Draws a damage card for a robot: SPAM goes to what it has put away, a Haywire card into the register that is run,
    /// or if one lies there to the damage cards that were put away.
    pub(super) fn draw_damage(&mut self, robot: usize, register: usize, dice: &mut Rng) {
        let late = &mut self.late;
        if late.deck.is_empty() {
            core::mem::swap(&mut late.deck, &mut late.discards);
        }
        let robot = robot & (ROBOT_CAP - 1);
        match late.deck.draw(dice) {
            Some(Damage::Spam) => self.discards[robot].add(PlayCard::Spam),
            Some(Damage::Haywire(card)) => match late.haywires[robot].get_mut(register) {
                Some(place @ None) => *place = Some(card),
                _ => late.discards.add(Damage::Haywire(card)),
            },
            None => {}
        }
    }

    /// Adds the hits of the lasers that are stronger in this register.
    pub(super) fn add_strong_hits(&self, floor: &Floor, hits: &mut [u8; ROBOT_CAP]) {
        for shooter in members(self.late.strong & self.body.present & !self.body.down) {
            if let Some(target) = self.body.target(floor.board(), shooter) {
                hits[target] = hits[target].saturating_add(1);
            }
        }
    }

    /// Takes a robot off the floor until the next turn, with two damage cards.
    pub(super) fn leave_floor(
        &mut self,
        floor: &Floor,
        robot: usize,
        cell: Cell,
        (register, dice): Moment<'_>,
    ) {
        let robot = robot & (ROBOT_CAP - 1);
        self.put_away(robot);
        let (hand, discards) = (&mut self.hands[robot], &mut self.discards[robot]);
        discards.absorb(hand);
        self.late.kept[robot] = 0;
        self.discard_haywires(robot);
        for _ in 0..2 {
            self.draw_damage(robot, register, dice);
        }
        let bit = 1 << robot;
        self.body.lives[robot] = ENDLESS;
        self.body.present &= !bit;
        self.body.down &= !bit;
        self.body.destroyed |= bit;
        self.body.cell[robot] = Cell::NOWHERE;
        if let Some(token) = floor.token(cell) {
            self.body.archive[robot] = token;
        }
    }

    /// Puts a robot that fell in a turn before onto its reboot token.
    fn enter(&mut self, floor: &Floor, robot: usize, (register, dice): Moment<'_>) {
        let robot = robot & (ROBOT_CAP - 1);
        let token = self.body.archive[robot];
        let before = self.body.cell;
        self.clear(floor, token);
        // By these rules who falls is gone for this turn and pushes nobody: better that than to wait.
        let is_free = (0..4).any(|quarters| self.push_off(floor, token, quarters));
        self.reboot_fallen(floor, &before, (register, dice));
        if !is_free {
            // Nobody could be pushed: the robot waits for another turn.
            return;
        }
        let bit = 1 << robot;
        self.body.destroyed &= !bit;
        self.body.present |= bit;
        self.body.down |= bit & self.late.shut;
        self.body.cell[robot] = token.cell;
        self.body.facing[robot] = self.rising[robot].unwrap_or(token.facing);
    }

    /// Shuts a robot down for this turn, once it has drawn its hand: its damage cards in hand and registers are gone, and
    /// it does nothing (rules §17.5). Does nothing by the rules of 2016.
    pub fn shut_down(&mut self, robot: usize) {
        if !self.rules.has_haywire() || robot >= self.body.robots() {
            return;
        }
        let robot = robot & (ROBOT_CAP - 1);
        self.put_away(robot);
        let spam = self.hands[robot].take_all(PlayCard::Spam);
        (0..spam).for_each(|_| self.late.discards.add(Damage::Spam));
        let (hand, discards) = (&mut self.hands[robot], &mut self.discards[robot]);
        discards.absorb(hand);
        self.late.kept[robot] = 0;
        self.discard_haywires(robot);
        let bit = 1 << robot;
        self.programmed |= bit;
        self.late.shut |= bit;
        self.body.down |= bit & self.body.present;
    }

    fn discard_haywires(&mut self, robot: usize) {
        let row = &mut self.late.haywires[robot & (ROBOT_CAP - 1)];
        for card in row.iter_mut().take(REGISTERS).filter_map(Option::take) {
            self.late.discards.add(Damage::Haywire(card));
        }
    }

    /// Ends a turn for the token: the next robot has it, unless it stays.
    pub(super) fn pass_token(&mut self) {
        let robots = self.body.robots().max(1) as u8;
        if self.rules.has_haywire() && !self.late.token_stays {
            self.late.token = (self.late.token + 1) % robots;
        }
        self.late.token_stays = false;
        self.late.shut = 0;
        self.late.done = [None; ROBOT_CAP];
    }
}
