//! Whole turns played by a simple strategy (rules §11.2): the policy of playouts, and of two baseline players.

use super::evaluator::Evaluator;
use super::power_down::PowerDownPolicy;
use super::programs::best_program;
use crate::contests::roborally::numbering::{ActionSampler, Program};
use crate::contests::roborally::{Card, CardSet, HAND_CAP, Profile, State};
use crate::rng::Rng;

/// How programs are chosen without a search.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Strategy {
    /// A uniformly random action.
    Random,
    /// The best of this number of random actions, each valued after one turn in which no other robot executes cards.
    Search(u32),
    /// The program after which the robot alone should need the fewest rounds to the last flag; as [`Strategy::Search`]
    /// of ten actions where the evaluator has no tables of a robot alone.
    Best,
}

/// Random actions of [`Strategy::Best`] without tables.
const SAMPLES: u32 = 10;

/// The whole deck in order.
const FULL: [Card; Card::COUNT] = {
    let mut cards = [Card::LAST_TURN; Card::COUNT];
    let mut place = 0;
    while place < Card::COUNT {
        if let Some(card) = Card::new(place as u8 + 1) {
            cards[place] = card;
        }
        place += 1;
    }
    cards
};

/// A deck that cards are drawn from at random.
#[derive(Clone, Debug)]
pub(super) struct Deck {
    cards: [Card; Card::COUNT],
    left: usize,
}

impl Deck {
    /// The deck without some cards.
    pub(super) fn without(missing: CardSet) -> Deck {
        let mut deck = Deck { cards: FULL, left: Card::COUNT };
        // From the highest down: where a card is looked for, nothing has been moved to yet.
        let mut gone = missing;
        while let Some(card) = gone.last() {
            gone = gone.without(card);
            deck.left -= 1;
            deck.cards[card.number() as usize - 1] = deck.cards[deck.left];
        }
        deck
    }

    /// Draws a random card; `None` from an empty deck.
    pub(super) fn draw(&mut self, dice: &mut Rng) -> Option<Card> {
        let place = dice.below(self.left as u32) as usize;
        let card = *self.cards[..self.left].get(place)?;
        self.left -= 1;
        self.cards[place] = self.cards[self.left];
        Some(card)
    }

    /// Draws a hand of some cards, nine at most, or all that are left.
    pub(super) fn hand(&mut self, cards: usize, dice: &mut Rng) -> CardSet {
        (0..cards.min(HAND_CAP)).map_while(|_| self.draw(dice)).collect::<CardSet>()
    }
}

/// The policy by which playouts deal and play turns.
#[derive(Clone, Copy)]
pub struct PlayoutPolicy<'b> {
    /// Evaluator of the actions that random search compares.
    pub evaluator: Evaluator<'b>,
    /// How programs are chosen.
    pub strategy: Strategy,
    /// When robots power down.
    pub power_down: PowerDownPolicy,
    /// Whether the decision is due, so that random search tries no further action.
    pub is_due: &'b dyn Fn() -> bool,
}

/// Says that a decision is never due, for playouts without a limit.
pub const NEVER: &dyn Fn() -> bool = &|| false;

/// Actions that random search tries between two questions whether the decision is due.
const UNASKED: u32 = 16;

impl PlayoutPolicy<'_> {
    /// Starts a turn up to the deal: power down, and cards for locked registers that have none.
    pub fn start_turn(&self, state: &mut State, dice: &mut Rng) {
        state.start_turn();
        loop {
            let bare = state.empty_locked_registers().next();
            let Some((robot, register)) = bare else { return };
            let card = Deck::without(state.cards_in_registers()).draw(dice);
            if state.set_register(robot, register, card).is_err() || card.is_none() {
                return;
            }
        }
    }

    /// Deals hands to all robots but those in `served`, out of all cards but `kept` and those in registers, and
    /// programs them by the strategy.
    pub fn program_others(&self, state: &mut State, served: u8, kept: CardSet, dice: &mut Rng) {
        let mut deck = Deck::without(state.cards_in_registers().union(kept));
        for robot in (0..state.robots()).filter(|robot| served >> robot & 1 == 0) {
            let cards = state.hand_size(robot);
            if cards > 0 {
                let hand = deck.hand(cards, dice);
                let program = self.choose(state, robot, hand, dice);
                state.fill(robot, &program);
            }
        }
    }

    /// Chooses a program for a hand by the strategy.
    pub fn choose(&self, state: &State, robot: usize, hand: CardSet, dice: &mut Rng) -> Program {
        let mut tried = 0_u32;
        self.choose_while(state, robot, hand, dice, || {
            tried += 1;
            !tried.is_multiple_of(UNASKED) || !(self.is_due)()
        })
    }

    /// Chooses a program for a hand by the strategy; random search tries actions only while `more` says so, but one at
    /// least.
    pub fn choose_while(
        &self,
        state: &State,
        robot: usize,
        hand: CardSet,
        dice: &mut Rng,
        mut more: impl FnMut() -> bool,
    ) -> Program {
        let registers = state.free_registers(robot);
        let Some(mut sampler) = ActionSampler::of(hand) else { return Program::new() };
        match self.strategy {
            Strategy::Random => sampler.draw_last(registers, dice),
            Strategy::Best if self.evaluator.solo().is_some() => {
                let solo = self.evaluator.solo();
                solo.map_or_else(Program::new, |solo| best_program(solo, state, robot, hand, dice))
            }
            Strategy::Search(_) | Strategy::Best => {
                let samples = if let Strategy::Search(samples) = self.strategy { samples } else { SAMPLES };
                let mut best = (i32::MIN, Program::new());
                for sample in 0..samples.max(1) {
                    if sample > 0 && !more() {
                        break;
                    }
                    let program = sampler.draw(registers, dice);
                    let value = self.value_alone(state, robot, &program);
                    if value > best.0 {
                        best = (value, program);
                    }
                }
                best.1
            }
        }
    }

    /// Value of a program: of the position after one turn in which no other robot executes cards. With the strategy
    /// [`Strategy::Best`] other robots are not even in the way.
    pub fn value_alone(&self, state: &State, robot: usize, program: &[Card]) -> i32 {
        if let (Strategy::Best, Some(solo)) = (self.strategy, self.evaluator.solo()) {
            return -(solo.rounds_after(state, robot, program) as i32);
        }
        let mut alone = *state;
        alone.fill(robot, program);
        alone.run_alone(self.evaluator.board(), robot);
        self.evaluator.value(&alone, robot)
    }

    /// Announces power down for the robots that should, but for those in `silent`.
    pub(super) fn announce(&self, state: &mut State, silent: u8) {
        if state.profile() == Profile::Classic {
            for robot in (0..state.robots()).filter(|robot| silent >> robot & 1 == 0) {
                if self.power_down.announces(state, robot) {
                    // A robot that may not announce does not.
                    let _ = state.announce(robot);
                }
            }
        }
    }

    /// Ends a turn whose registers have been run: the clean-up with the decisions of all robots.
    pub(super) fn clean_up(&self, state: &mut State) {
        let decisions = self.power_down.decisions(state);
        state.clean_up(self.evaluator.board(), decisions);
    }

    /// Finishes a programmed turn: announcements, registers and clean-up. Robots in `silent` do not announce.
    pub fn finish_turn(&self, state: &mut State, silent: u8) {
        self.announce(state, silent);
        state.run_registers(self.evaluator.board());
        self.clean_up(state);
    }

    /// Plays a whole turn of all robots.
    pub fn play_turn(&self, state: &mut State, dice: &mut Rng) {
        self.start_turn(state, dice);
        self.program_others(state, 0, CardSet::EMPTY, dice);
        self.finish_turn(state, 0);
    }
}
