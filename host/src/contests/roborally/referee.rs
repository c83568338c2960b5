//! The referee of the bot's protocol: deals, programs, registers and clean-up of a race, one line at a time.

use std::fmt::Write as _;

use anyhow::{Context, Result, bail, ensure};
use barrow_core::contests::roborally::bot::{
    Evaluation, NEVER, PlayoutPolicy, PowerDownPolicy, Strategy, Weights,
};
use barrow_core::contests::roborally::{
    Board, Card, CardSet, Decisions, Outcome, REGISTERS, ROBOT_CAP, State,
};
use barrow_core::rng::Rng;

use super::course::Course;
use barrow_session::contests::roborally::robot_text::number;
use barrow_session::contests::roborally::robot_text::{
    parse_cards, parse_dock, registers_text, robot_line, spaced,
};

/// A turn between its deal and its clean-up.
pub(super) struct Turn {
    /// Hands of all robots.
    hands: [CardSet; ROBOT_CAP],
    /// Robots that have been given a program, as bits.
    programmed: u8,
    /// The next register to run, from 0.
    next: usize,
}

/// Starts a turn and deals all hands. Returns the turn, and lines with what was dealt: `locked ID REGISTER CARD` for
/// locked registers that were empty, `dealt ID CARD...` for each robot that programs.
pub(super) fn deal(course: &Course, state: &mut State, dice: &mut Rng) -> Result<(Turn, String)> {
    ensure!(!state.is_over(), "the race is over");
    let evaluator = course.evaluator(Evaluation::Hodgepodge(Weights::PAPER), state.profile(), false);
    let policy = PlayoutPolicy {
        evaluator,
        strategy: Strategy::Random,
        power_down: PowerDownPolicy::USUAL,
        is_due: NEVER,
    };
    let mut after = *state;
    after.start_turn();
    let bare: Vec<(usize, usize)> = after.empty_locked_registers().collect();
    // To start a turn a second time changes nothing: all announcements are spent.
    policy.start_turn(&mut after, dice);
    let mut lines = String::new();
    for (robot, register) in bare {
        let card = after.register(robot, register).map_or(0, Card::number);
        // Writing to a string does not fail.
        let _ = writeln!(lines, "locked {robot} {} {card}", register + 1);
    }
    let mut deck: Vec<Card> = after.deck().iter().collect();
    dice.shuffle(&mut deck);
    let mut turn = Turn { hands: [CardSet::EMPTY; ROBOT_CAP], programmed: 0, next: 0 };
    for robot in 0..after.robots() {
        let hand: Vec<Card> = deck.split_off(deck.len() - after.hand_size(robot));
        turn.hands[robot] = hand.iter().copied().collect();
        if after.is_programming(robot) {
            let cards = spaced(turn.hands[robot].iter().map(Card::number));
            let _ = writeln!(lines, "dealt {robot}{cards}");
        }
    }
    *state = after;
    Ok((turn, lines))
}

impl Turn {
    /// Hand of a robot.
    pub(super) fn hand(&self, robot: usize) -> CardSet {
        self.hands.get(robot).copied().unwrap_or(CardSet::EMPTY)
    }

    /// Gives a robot its program: the words `CARD... [announce]`.
    pub(super) fn program(&mut self, state: &mut State, robot: usize, words: &[&str]) -> Result<()> {
        ensure!(robot < state.robots(), "no robot {robot}");
        ensure!(self.next == 0, "register {} has been run", self.next);
        let (announces, cards) = match words {
            [cards @ .., "announce"] => (true, cards),
            cards => (false, cards),
        };
        let cards = parse_cards(cards)?;
        let mut after = *state;
        if self.programmed >> robot & 1 == 1 {
            ensure!(!announces || Turn::is_announced(state, robot), "robot {robot} has its program");
        }
        after.program(robot, self.hand(robot), &cards)?;
        if announces {
            after.announce(robot)?;
        }
        *state = after;
        self.programmed |= 1 << robot;
        Ok(())
    }

    fn is_announced(state: &State, robot: usize) -> bool {
        state.robot(robot).is_some_and(|seen| seen.announced)
    }

    /// Runs the next register. Returns the lines `register K` and `robot ...` for each robot.
    pub(super) fn register(&mut self, board: &Board, state: &mut State) -> Result<String> {
        ensure!(self.next < REGISTERS, "all registers have been run: cleanup comes next");
        ensure!(!state.is_over(), "the race is over");
        let waiting = (0..state.robots())
            .find(|&robot| self.next == 0 && state.is_programming(robot) && !self.is_ready(state, robot));
        if let Some(robot) = waiting {
            bail!("robot {robot} has no program");
        }
        state.run_register(board, self.next);
        self.next += 1;
        Ok(format!("register {}\n{}{}", self.next, robots(state), outcome(state)))
    }

    /// Whether a robot has its program, or nothing to choose.
    fn is_ready(&self, state: &State, robot: usize) -> bool {
        self.programmed >> robot & 1 == 1 || state.free_registers(robot) == 0
    }

    /// Whether all registers have been run or the race is over.
    pub(super) fn is_run(&self, state: &State) -> bool {
        self.next == REGISTERS || state.is_over()
    }
}

/// Cleans up after a turn. The words name the robots that stay powered down, behind `down` those that re-enter powered
/// down, and behind `entry` where a robot does. Returns the state's lines.
pub(super) fn clean_up(board: &Board, state: &mut State, words: &[&str]) -> Result<String> {
    let form = || "cleanup [stay ID...] [down ID...] [entry ID x y D]...";
    let robot = |id: &str| {
        let robot: usize = number(id)?;
        ensure!(robot < state.robots(), "no robot {robot}");
        Ok(robot)
    };
    let mut decisions = Decisions::default();
    let (mut left, mut set) = (words, None);
    loop {
        left = match *left {
            [] => break,
            ["stay", ref rest @ ..] => {
                set = Some(&mut decisions.stay_down);
                rest
            }
            ["down", ref rest @ ..] => {
                set = Some(&mut decisions.reenter_down);
                rest
            }
            ["entry", id, x, y, facing, ref rest @ ..] => {
                let (robot, entry) = (robot(id)?, parse_dock(&[x, y, facing])?);
                let is_allowed = state.entries(board, robot).any(|allowed| allowed == entry);
                ensure!(is_allowed, "robot {robot} may not re-enter at {x} {y} {facing}");
                decisions.entries[robot] = Some(entry);
                rest
            }
            [id, ref rest @ ..] => {
                *set.as_deref_mut().with_context(form)? |= 1 << robot(id)?;
                rest
            }
        };
    }
    state.clean_up(board, decisions);
    Ok(format!("turn {}\n{}{}", state.turn(), robots(state), outcome(state)))
}

/// The lines of all robots, with their registers.
fn robots(state: &State) -> String {
    let line = |id: usize| {
        let registers = registers_text(state, id);
        let registers = registers.trim_start_matches("regs");
        robot_line(state, id).map(|line| format!("robot {line}\nregs {id}{registers}\n"))
    };
    (0..state.robots()).filter_map(line).collect()
}

/// The line of a race's end: `winner ID`, or `over` if all robots are out; nothing before.
fn outcome(state: &State) -> String {
    match state.outcome() {
        Outcome::Racing => String::new(),
        Outcome::Finished(robot) | Outcome::Last(robot) => format!("winner {robot}\n"),
        Outcome::Nobody => "over\n".to_owned(),
    }
}
