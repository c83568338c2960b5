//! The state of a race of the second edition: positions as in the classic rules, and the cards of each robot
//! (rules §16.1, §16.2).

use super::cards::{Pile, PlayCard};
use super::floor::Floor;
use super::haywire::{Damage, DamagePile, Haywire};
use super::rules::Rules;
use crate::contests::roborally::state::members;
use crate::contests::roborally::{
    Cell, Direction, Profile, ProgramError, REGISTERS, ROBOT_CAP, State, StateError,
};
use crate::list;
use crate::rng::Rng;

/// Cards of a hand.
pub const HAND: usize = 9;

/// Lives that never end, for the classic state.
pub(super) const ENDLESS: u8 = u8::MAX;

/// The state of a race. Arrays are by robot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Race {
    pub(super) rules: &'static Rules,
    /// Positions, and which flag is next. Robots that rebooted are powered down for the rest of the turn; by the rules of
    /// 2023 those that shut down are, and those that fell are destroyed, with the token to return to as their archive.
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
    /// Robots that have a program or shut down this turn, as bits.
    pub(super) programmed: u8,
    /// State of what only the rules of 2023 have.
    pub(super) late: Late,
}

/// The state of what only the rules of 2023 have. Arrays are by robot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Late {
    /// Haywire cards in registers that were not run yet.
    pub(super) haywires: [[Option<Haywire>; REGISTERS]; ROBOT_CAP],
    /// SPAM cards that stayed in the hand when it was last programmed.
    pub(super) kept: [u8; ROBOT_CAP],
    /// Card that the robot executed last in this turn.
    pub(super) done: [Option<Done>; ROBOT_CAP],
    pub(super) deck: DamagePile,
    pub(super) discards: DamagePile,
    /// The robot that has the priority token.
    pub(super) token: u8,
    /// Whether the token is not passed on at the end of this turn.
    pub(super) token_stays: bool,
    /// Robots that shut down this turn, as bits.
    pub(super) shut: u8,
    /// Robots whose laser is stronger in this register, as bits.
    pub(super) strong: u8,
}

/// Card that was executed, and can be repeated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Done {
    /// A card.
    Card(PlayCard),
    /// A Haywire card.
    Haywire(Haywire),
}

impl Late {
    const fn new(deck: DamagePile) -> Late {
        Late {
            haywires: [[None; REGISTERS]; ROBOT_CAP],
            kept: [0; ROBOT_CAP],
            done: [None; ROBOT_CAP],
            deck,
            discards: DamagePile::EMPTY,
            token: 0,
            token_stays: false,
            shut: 0,
            strong: 0,
        }
    }
}

impl Race {
    /// The start of a race by the rules of 2016: robot i on dock i with its deck.
    pub fn new(floor: &Floor, robots: usize) -> Result<Race, StateError> {
        Race::by(&Rules::OF_2016, floor, robots)
    }

    /// The start of a race by the rules of an edition; by those of 2023 the first robot has the token.
    pub fn by(rules: &'static Rules, floor: &Floor, robots: usize) -> Result<Race, StateError> {
        let body = State::new(floor.board(), Profile::Classic, robots, ENDLESS)?;
        let spaces = floor.energy().len() as u32;
        Ok(Race {
            rules,
            body,
            decks: [rules.deck; ROBOT_CAP],
            hands: [Pile::EMPTY; ROBOT_CAP],
            discards: [Pile::EMPTY; ROBOT_CAP],
            registers: [[None; REGISTERS]; ROBOT_CAP],
            replaced: [0; ROBOT_CAP],
            energy: [rules.energy; ROBOT_CAP],
            rising: [None; ROBOT_CAP],
            damage: rules.damage,
            cubes: u32::MAX.checked_shr(32_u32.saturating_sub(spaces)).unwrap_or(0),
            programmed: 0,
            late: Late::new(if rules.has_haywire() { DamagePile::ALL } else { DamagePile::EMPTY }),
        })
    }

    /// The rules.
    pub const fn rules(&self) -> &'static Rules {
        self.rules
    }

    /// Robots that draw hands: all on the floor, and those that return to it.
    const fn drawing(&self) -> u8 {
        self.body.present | self.body.destroyed
    }

    /// Registers of a robot that it fills: all but those with a Haywire card, as bits.
    pub fn free_registers(&self, robot: usize) -> u8 {
        let haywires = self.late.haywires[robot & (ROBOT_CAP - 1)];
        (0..).zip(haywires).fold(0, |free, (place, card)| free | u8::from(card.is_none()) << place)
    }

    /// The Haywire card in a register of a robot that was not run yet; registers count from 0.
    pub fn haywire(&self, robot: usize, register: usize) -> Option<Haywire> {
        *self.late.haywires.get(robot)?.get(register)?
    }

    /// Puts a Haywire card into a register out of the damage cards that nobody has, for tests and positions. Returns
    /// whether it was among them.
    pub fn set_haywire(&mut self, robot: usize, register: usize, card: Haywire) -> bool {
        let place = self.late.haywires.get_mut(robot).and_then(|row| row.get_mut(register));
        match place {
            Some(place @ None) if self.late.deck.take(Damage::Haywire(card)) => *place = Some(card),
            _ => return false,
        }
        true
    }

    /// The robot that has the priority token, by the rules of 2023.
    pub const fn token(&self) -> usize {
        self.late.token as usize
    }

    /// Damage cards that were put away, by the rules of 2023.
    pub const fn damage_discards(&self) -> DamagePile {
        self.late.discards
    }

    /// Whether the robot fell in a turn before, and returns to the floor in the next first register.
    pub fn is_returning(&self, robot: usize) -> bool {
        robot < ROBOT_CAP && self.body.destroyed >> robot & 1 == 1
    }

    /// Whether the robot has a program for this turn, or shuts down in it.
    pub fn is_programmed(&self, robot: usize) -> bool {
        robot < ROBOT_CAP && self.programmed >> robot & 1 == 1
    }

    /// Whether the cube of an energy space, by its number, still lies there.
    pub fn has_cube(&self, space: usize) -> bool {
        self.cubes.checked_shr(space as u32).is_some_and(|cubes| cubes & 1 == 1)
    }

    /// Gives a robot a hand of nine of its cards, out of its deck and, where that is used up, out of what it has put
    /// away.
    pub fn set_hand(&mut self, robot: usize, hand: &Pile) -> Result<(), ProgramError> {
        if robot >= self.body.robots() || self.drawing() >> robot & 1 == 0 {
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
        let haywires = self.late.haywires.iter().flatten().flatten().count();
        let unowned = self.damage.len() + self.late.deck.len() + self.late.discards.len();
        of(&self.decks) + of(&self.hands) + of(&self.discards) + registers + haywires + unowned
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
        for robot in members(self.drawing()) {
            self.draw_hand(robot, dice);
        }
    }

    /// Draws the hand of a robot, if it is on the floor.
    pub fn draw_hand(&mut self, robot: usize, dice: &mut Rng) {
        if robot >= ROBOT_CAP || self.drawing() >> robot & 1 == 0 {
            return;
        }
        for _ in self.hands[robot].len()..HAND {
            let Some(card) = self.draw(robot, dice) else { break };
            self.hands[robot].add(card);
        }
    }

    /// Puts the hands of all robots but one back into their decks, where nobody sees them. SPAM that a robot had kept
    /// before it drew stays in its hand.
    pub fn conceal_hands(&mut self, robot: usize) {
        for other in (0..ROBOT_CAP).filter(|&other| other != robot) {
            self.decks[other].absorb(&mut self.hands[other]);
            for _ in 0..self.late.kept[other] {
                if self.decks[other].take(PlayCard::Spam) {
                    self.hands[other].add(PlayCard::Spam);
                }
            }
        }
    }

    /// Number of damage cards that a robot has, wherever they are.
    pub fn damage_cards(&self, robot: usize) -> u8 {
        let robot = robot & (ROBOT_CAP - 1);
        let in_registers = self.registers[robot].iter().flatten().filter(|card| card.is_damage()).count();
        let piles = [&self.decks[robot], &self.hands[robot], &self.discards[robot]];
        let haywires = self.late.haywires[robot].iter().flatten().count();
        piles.into_iter().map(Pile::damage).fold((in_registers + haywires) as u8, u8::saturating_add)
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
    /// Cards that it does not have are left out; the rest of a hand is put away. Without any card for a free register
    /// the robot shuts down, if the rules have that.
    pub fn fill(&mut self, robot: usize, cards: &[Option<PlayCard>; REGISTERS]) {
        let robot = robot & (ROBOT_CAP - 1);
        if self.is_shut_down(robot, cards) {
            self.shut_down(robot);
            return;
        }
        self.programmed |= 1 << robot;
        self.put_away(robot);
        let (hand, deck, discards) =
            (&mut self.hands[robot], &mut self.decks[robot], &mut self.discards[robot]);
        self.registers[robot] =
            cards.map(|card| card.filter(|&card| hand.take(card) || deck.take(card) || discards.take(card)));
        self.discard_hand(robot);
    }

    /// Puts away what is left of a hand; by the rules of 2023 all but the SPAM.
    fn discard_hand(&mut self, robot: usize) {
        let robot = robot & (ROBOT_CAP - 1);
        let kept = if self.rules.has_haywire() { self.hands[robot].take_all(PlayCard::Spam) } else { 0 };
        self.discards[robot].absorb(&mut self.hands[robot]);
        (0..kept).for_each(|_| self.hands[robot].add(PlayCard::Spam));
        self.late.kept[robot] = kept;
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

    /// Fills a robot's free registers out of its hand, in order; what is left of the hand is put away. By the rules of
    /// 2016 the first card cannot be [`PlayCard::Again`].
    pub fn program(&mut self, robot: usize, cards: &[PlayCard]) -> Result<(), ProgramError> {
        if robot >= self.body.robots() {
            return Err(ProgramError::NotProgramming);
        }
        let robot = robot & (ROBOT_CAP - 1);
        let free = self.free_registers(robot);
        if cards.len() != free.count_ones() as usize {
            return Err(ProgramError::Length);
        }
        let mut hand = self.hands[robot];
        let is_late = self.rules.has_haywire();
        let is_odd = !is_late && cards.first() == Some(&PlayCard::Again);
        if is_odd || !cards.iter().all(|&card| hand.take(card)) {
            return Err(ProgramError::Card);
        }
        self.hands[robot] = hand;
        self.discard_hand(robot);
        let mut cards = cards.iter().copied();
        self.registers[robot] =
            core::array::from_fn(|place| if free >> place & 1 == 1 { cards.next() } else { None });
        self.programmed |= 1 << robot;
        Ok(())
    }

    /// Gives a robot its program, register by register: [`Race::program`], or shutting down if no free register has a
    /// card.
    pub fn order(&mut self, robot: usize, cards: &[Option<PlayCard>; REGISTERS]) -> Result<(), ProgramError> {
        if robot < self.body.robots() && self.is_shut_down(robot, cards) {
            self.shut_down(robot);
            return Ok(());
        }
        let cards: heapless::Vec<PlayCard, REGISTERS> = list::first(cards.iter().copied().flatten());
        self.program(robot, &cards)
    }

    /// Whether a program means that the robot shuts down: it has free registers and no card for them.
    pub fn is_shut_down(&self, robot: usize, cards: &[Option<PlayCard>; REGISTERS]) -> bool {
        self.rules.has_haywire() && cards == &[None; REGISTERS] && self.free_registers(robot) != 0
    }

    /// Ends a turn: registers are put away, and robots that rebooted take part again.
    pub fn clean_up(&mut self) {
        for robot in 0..ROBOT_CAP {
            self.put_away(robot);
        }
        self.body.down = 0;
        self.programmed = 0;
        self.pass_token();
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
}
