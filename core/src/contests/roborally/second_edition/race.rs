//! The state of a race of the second edition: positions as in the classic rules, and the cards of each robot
//! (rules §16.1, §16.2).

use super::cards::{Pile, PlayCard};
use super::floor::Floor;
use crate::contests::roborally::state::members;
use crate::contests::roborally::{
    Cell, Direction, Profile, ProgramError, REGISTERS, ROBOT_CAP, State, StateError,
};
use crate::rng::Rng;

/// Cards of a hand.
pub const HAND: usize = 9;

/// Energy at the start.
const ENERGY: u8 = 5;

/// Lives that never end, for the classic state.
pub(super) const ENDLESS: u8 = u8::MAX;

/// The state of a race. Arrays are by robot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Race {
    /// Positions, and which flag is next. Robots that rebooted are powered down for the rest of the turn.
    pub(super) body: State,
    pub(super) decks: [Pile; ROBOT_CAP],
    pub(super) hands: [Pile; ROBOT_CAP],
    pub(super) discards: [Pile; ROBOT_CAP],
    pub(super) registers: [[Option<PlayCard>; REGISTERS]; ROBOT_CAP],
    /// Registers whose card was damage before another one was drawn for it, as bits.
    pub(super) replaced: [u8; ROBOT_CAP],
    pub(super) energy: [u8; ROBOT_CAP],
    /// Facing after a reboot, if not the arrow's.
    pub(super) rising: [Option<Direction>; ROBOT_CAP],
    /// Damage cards that nobody has.
    pub(super) damage: Pile,
    /// Energy spaces with a cube, as bits.
    pub(super) cubes: u32,
}

impl Race {
    /// The start of a race: robot i on dock i with its deck.
    pub fn new(floor: &Floor, robots: usize) -> Result<Race, StateError> {
        let body = State::new(floor.board(), Profile::Classic, robots, ENDLESS)?;
        let spaces = floor.energy().len() as u32;
        Ok(Race {
            body,
            decks: [Pile::DECK; ROBOT_CAP],
            hands: [Pile::EMPTY; ROBOT_CAP],
            discards: [Pile::EMPTY; ROBOT_CAP],
            registers: [[None; REGISTERS]; ROBOT_CAP],
            replaced: [0; ROBOT_CAP],
            energy: [ENERGY; ROBOT_CAP],
            rising: [None; ROBOT_CAP],
            damage: Pile::DAMAGE,
            cubes: u32::MAX.checked_shr(32_u32.saturating_sub(spaces)).unwrap_or(0),
        })
    }

    /// Whether the cube of an energy space, by its number, still lies there.
    pub fn has_cube(&self, space: usize) -> bool {
        self.cubes.checked_shr(space as u32).is_some_and(|cubes| cubes & 1 == 1)
    }

    /// Gives a robot a hand of nine of its cards, out of its deck and, where that is used up, out of what it has put
    /// away.
    pub fn set_hand(&mut self, robot: usize, hand: &Pile) -> Result<(), ProgramError> {
        if robot >= self.body.robots() || self.body.present >> robot & 1 == 0 {
            return Err(ProgramError::NotProgramming);
        }
        if hand.len() != HAND {
            return Err(ProgramError::Length);
        }
        let robot = robot & (ROBOT_CAP - 1);
        let (mut deck, mut discards) = (self.decks[robot], self.discards[robot]);
        deck.absorb(&mut { self.hands[robot] });
        let mut left = deck;
        if !hand.iter().all(|card| left.take(card)) {
            deck.absorb(&mut discards);
            left = deck;
            if !hand.iter().all(|card| left.take(card)) {
                return Err(ProgramError::Card);
            }
        }
        (self.decks[robot], self.discards[robot], self.hands[robot]) = (left, discards, *hand);
        Ok(())
    }

    /// Positions, facings, next flags and the outcome, as of a race by the classic rules.
    pub const fn positions(&self) -> &State {
        &self.body
    }

    /// Energy of a robot.
    pub fn energy(&self, robot: usize) -> u8 {
        self.energy.get(robot).copied().unwrap_or(0)
    }

    /// The hand of a robot, between the draw and its program.
    pub fn hand(&self, robot: usize) -> Pile {
        self.hands.get(robot).copied().unwrap_or_default()
    }

    /// The cards that a robot has drawn and put away, damage included.
    pub fn discards(&self, robot: usize) -> Pile {
        self.discards.get(robot).copied().unwrap_or_default()
    }

    /// Number of all cards, wherever they are.
    pub fn cards(&self) -> usize {
        let of = |piles: &[Pile; ROBOT_CAP]| -> usize {
            piles.iter().take(self.body.robots()).map(Pile::len).sum()
        };
        let registers = self.registers.iter().flatten().flatten().count();
        of(&self.decks) + of(&self.hands) + of(&self.discards) + registers + self.damage.len()
    }

    /// The card in a register of a robot; registers count from 0.
    pub fn register(&self, robot: usize, register: usize) -> Option<PlayCard> {
        *self.registers.get(robot)?.get(register)?
    }

    /// Puts a card into a register without a check of the rules, for tests and positions.
    pub fn set_register(&mut self, robot: usize, register: usize, card: Option<PlayCard>) {
        let place = self.registers.get_mut(robot).and_then(|row| row.get_mut(register));
        if let Some(place) = place {
            *place = card;
        }
    }

    /// Chooses the facing of a robot after its next reboots; `None` for the arrow's.
    pub fn face_after_reboot(&mut self, robot: usize, facing: Option<Direction>) {
        if let Some(rising) = self.rising.get_mut(robot) {
            *rising = facing;
        }
    }

    /// Draws all hands. A deck that runs out is filled with the discards.
    pub fn draw_hands(&mut self, dice: &mut Rng) {
        for robot in members(self.body.present) {
            self.draw_hand(robot, dice);
        }
    }

    /// Draws the hand of a robot, if it is on the floor.
    pub fn draw_hand(&mut self, robot: usize, dice: &mut Rng) {
        if robot >= ROBOT_CAP || self.body.present >> robot & 1 == 0 {
            return;
        }
        for _ in self.hands[robot].len()..HAND {
            let Some(card) = self.draw(robot, dice) else { break };
            self.hands[robot].add(card);
        }
    }

    /// Puts the hands of all robots but one back into their decks, where nobody sees them.
    pub fn conceal_hands(&mut self, robot: usize) {
        for other in (0..ROBOT_CAP).filter(|&other| other != robot) {
            self.decks[other].absorb(&mut self.hands[other]);
        }
    }

    /// Number of damage cards that a robot has, wherever they are.
    pub fn damage_cards(&self, robot: usize) -> u8 {
        let robot = robot & (ROBOT_CAP - 1);
        let in_registers = self.registers[robot].iter().flatten().filter(|card| card.is_damage()).count();
        let piles = [&self.decks[robot], &self.hands[robot], &self.discards[robot]];
        piles.into_iter().map(Pile::damage).fold(in_registers as u8, u8::saturating_add)
    }

    /// Whether a robot runs its registers: it is on the floor and has not rebooted this turn.
    pub fn is_running(&self, robot: usize) -> bool {
        robot < ROBOT_CAP && (self.body.present & !self.body.down) >> robot & 1 == 1
    }

    /// Puts the first robot onto a cell, with no flag left to touch.
    pub(in crate::contests::roborally) fn set_alone(&mut self, cell: Cell, facing: Direction) {
        self.body.set_alone(cell, facing);
    }

    /// All registers of a robot.
    pub fn registers_of(&self, robot: usize) -> [Option<PlayCard>; REGISTERS] {
        self.registers.get(robot).copied().unwrap_or([None; REGISTERS])
    }

    /// Fills a robot's registers with cards of its own, for playouts: out of its hand, its deck or what it has put away.
    /// Cards that it does not have are left out; the rest of a hand is put away.
    pub fn fill(&mut self, robot: usize, cards: &[Option<PlayCard>; REGISTERS]) {
        let robot = robot & (ROBOT_CAP - 1);
        self.put_away(robot);
        let (hand, deck, discards) =
            (&mut self.hands[robot], &mut self.decks[robot], &mut self.discards[robot]);
        self.registers[robot] =
            cards.map(|card| card.filter(|&card| hand.take(card) || deck.take(card) || discards.take(card)));
        discards.absorb(hand);
    }

    /// Draws a robot's next card.
    pub(super) fn draw(&mut self, robot: usize, dice: &mut Rng) -> Option<PlayCard> {
        let robot = robot & (ROBOT_CAP - 1);
        if self.decks[robot].is_empty() {
            let discards = &mut self.discards[robot];
            self.decks[robot].absorb(discards);
        }
        self.decks[robot].draw(dice)
    }

    /// Fills a robot's registers out of its hand; what is left of the hand is put away. The first card cannot be
    /// [`PlayCard::Again`].
    pub fn program(&mut self, robot: usize, cards: &[PlayCard]) -> Result<(), ProgramError> {
        if robot >= self.body.robots() {
            return Err(ProgramError::NotProgramming);
        }
        let cards: &[PlayCard; REGISTERS] = cards.try_into().map_err(|_| ProgramError::Length)?;
        let mut hand = self.hands[robot & (ROBOT_CAP - 1)];
        if cards[0] == PlayCard::Again || !cards.iter().all(|&card| hand.take(card)) {
            return Err(ProgramError::Card);
        }
        let robot = robot & (ROBOT_CAP - 1);
        self.discards[robot].absorb(&mut hand);
        self.hands[robot] = Pile::EMPTY;
        self.registers[robot] = cards.map(Some);
        Ok(())
    }

    /// Ends a turn: registers are put away, and robots that rebooted take part again.
    pub fn clean_up(&mut self) {
        for robot in 0..ROBOT_CAP {
            self.put_away(robot);
        }
        self.body.down = 0;
        self.body.turn = self.body.turn.saturating_add(1);
    }

    /// Puts the cards of a robot's registers away.
    pub(super) fn put_away(&mut self, robot: usize) {
        let robot = robot & (ROBOT_CAP - 1);
        for card in self.registers[robot].iter_mut().filter_map(Option::take) {
            self.discards[robot].add(card);
        }
        self.replaced[robot] = 0;
    }

    /// Gives a robot damage cards: SPAM as long as there is some, then Trojan horses, viruses and worms.
    pub(super) fn hurt(&mut self, robot: usize, cards: u8) {
        const ORDER: [PlayCard; 4] = [PlayCard::Spam, PlayCard::TrojanHorse, PlayCard::Virus, PlayCard::Worm];
        for _ in 0..cards {
            let Some(card) = ORDER.into_iter().find(|&card| self.damage.take(card)) else { return };
            self.discards[robot & (ROBOT_CAP - 1)].add(card);
        }
    }
}
